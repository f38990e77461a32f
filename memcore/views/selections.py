"""What can be selected: its letter in a link, what it is in a run, and the items that it lights.

A turn, a fact and an anchor belong to a memory and carry the store's ids. A path, a gap and a
sentence belong to one run and are counted from 1 in its order: `P3`, `G2`, `S1`. They select
nothing by themselves; what they are made of is lit, in the one colour of the selection.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memcore.types import Gap, GraphPath, Reply, Sentence

LETTERS: Final[Mapping[str, str]] = {"t": "D", "f": "E", "a": "A", "p": "P", "g": "G", "s": "S"}
"""The letter of a kind in a link, and the first letter of its ids."""

OF_RUN: Final = frozenset("PGS")
"""First letters of what only a run has."""

_ID: Final = re.compile(r"D[1-9][0-9]{0,6}:[1-9][0-9]{0,6}|[EAPGS][1-9][0-9]{0,8}")


def read(text: str) -> str:
    """Return the id of `t.D4:6` or `g.G2`; empty where the text is of no such form.

    >>> read("t.D4:6"), read("g.G2"), read("g.D4:6"), read("t.D4")
    ('D4:6', 'G2', '', '')
    """
    kind, _, name = text.partition(".")
    return name if LETTERS.get(kind) == name[:1] and _ID.fullmatch(name) else ""


def written(item: str) -> str:
    """Return an id with its kind, as a link has it; nothing selected is empty.

    >>> written("D4:6"), written("S1"), written("")
    ('t.D4:6', 's.S1', '')
    """
    kind = next((kind for kind, first in LETTERS.items() if first == item[:1]), "")
    return f"{kind}.{item}" if kind else ""


def paths(reply: Reply) -> Mapping[str, GraphPath]:
    """Return the mined paths of a run by their ids, in the order of the stage that mined them."""
    mined = next((step.paths for step in reply.trace.steps if step.paths), ())
    return {f"P{n}": path for n, path in enumerate(mined, 1)}


def gaps(reply: Reply) -> Mapping[str, Gap]:
    """Return the gaps of a run by their ids, in the order searched."""
    every = (gap for step in reply.trace.steps for gap in step.gaps)
    return {f"G{n}": gap for n, gap in enumerate(every, 1)}


def sentences(reply: Reply) -> Mapping[str, Sentence]:
    """Return the sentences of a run's answer by their ids."""
    every = reply.answer.sentences if reply.answer else ()
    return {f"S{n}": sentence for n, sentence in enumerate(every, 1)}


def of_run(reply: Reply | None, item: str) -> GraphPath | Gap | Sentence | None:
    """Return what an id stands for in a run, None if the run has none such."""
    if reply is None:
        return None
    found: Mapping[str, Mapping[str, GraphPath | Gap | Sentence]] = {
        "P": dict(paths(reply)),
        "G": dict(gaps(reply)),
        "S": dict(sentences(reply)),
    }
    return found.get(item[:1], {}).get(item)


def lit(reply: Reply | None, item: str) -> frozenset[str]:
    """Return the ids that a selection lights: itself, and what a thing of a run is made of."""
    if not item:
        return frozenset()
    found = of_run(reply, item)
    if isinstance(found, GraphPath):
        made = tuple(map(str, found.entries))
    elif isinstance(found, Gap):
        made = tuple(str(e) for e in (found.older, found.bridge, found.newer) if e)
    else:
        made = tuple(map(str, found.citations)) if found else ()
    return frozenset((item, *made))
