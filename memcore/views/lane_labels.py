"""Words beside the marks of a lane, each cut to the room it has, so that no two overlap.

The room is counted in half-width characters: a picture does not know how wide it is drawn, so a
lane is taken to hold as many as it does on a page of 1000 pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

CHARACTERS = 66
"""Half-width characters along a lane of a narrow page."""

LEAST = 4
"""A label that has room for fewer is left out: its mark and the table still say it."""

GAP = 2
"""Characters that a mark itself takes."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside a mark, to its right or its left; empty where there is no room."""

    words: str
    left: bool = False


def labels(marks: Sequence[tuple[float, str]], end: float) -> tuple[Label, ...]:
    """Return the labels of the marks of one lane, given as (x, words) in order of x.

    A label stands to the right of its mark; where that is too narrow, to the left; else it is cut
    to the wider of the two. `end` is the x at the right edge.

    >>> labels(((0.0, "was Porto"), (33.0, "Lisbon")), 66.0)
    (Label(words='was Porto', left=False), Label(words='Lisbon', left=False))
    >>> labels(((60.0, "Lisbon, by the river"),), 66.0)
    (Label(words='Lisbon, by the river', left=True),)
    """
    unit = CHARACTERS / max(end, 1.0)
    free, found = 0.0, []
    for n, (x, words) in enumerate(marks):
        at = x * unit
        until = marks[n + 1][0] * unit if n + 1 < len(marks) else float(CHARACTERS + 3)
        right, left = int(until - at) - GAP, int(at - free) - GAP
        side = width(words) > right and (width(words) <= left or left > right)
        label = Label(cut(words, left if side else right), side)
        found.append(label)
        free = at + GAP + (0 if side else width(label.words))
    return tuple(found)


def width(text: str) -> int:
    """Return how many half-width characters a text takes.

    >>> width("Porto"), width("厦门")
    (5, 4)
    """
    return sum(1 + (east_asian_width(c) in "WF") for c in text)


def cut(text: str, room: int) -> str:
    """Return a text cut to a room; nothing where that would say nothing.

    >>> cut("maritime museum", 9), cut("maritime museum", 3), cut("旧书店旁", 6)
    ('maritime…', '', '旧书…')
    """
    if width(text) <= room:
        return text
    if room < LEAST:
        return ""
    kept, taken = "", 0
    for letter in text:
        taken += width(letter)
        if taken > room - 1:
            break
        kept += letter
    return f"{kept.rstrip()}…"
