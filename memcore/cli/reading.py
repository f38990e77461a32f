"""`memcore fit --reader`: find the weights of the local reader anew, and the F1 that they give."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Final

from memcore import pipeline
from memcore.cli.common import DONE, Bar, opened, print_json, say, silent
from memcore.errors import MemcoreError
from memcore.evaluation.reading import Case, Packet, Score, Weights, cases, fitted, left_out, read
from memcore.readers.extractive import ExtractiveReader
from memcore.readers.weights import WEIGHTS
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE
from memcore.store import codec, conversations, memories
from memcore.types import Progress

SYSTEM: Final = pipeline.EDGEMEM
"""The retriever whose packets are read; the page asks it first."""


def fit_reader(arguments: argparse.Namespace) -> int:
    """Print the weights that all built dialogues with answers give, and what they are worth."""
    found = tuple(_cases(arguments))
    if len({c.dialogue for c in found}) < 2:
        msg = "fitting leaves one dialogue out; expected two or more with questions and answers"
        raise MemcoreError(msg)
    weights = fitted(found)
    rows = (("a dialogue left out", left_out(found)), ("weights in use", read(found, WEIGHTS)))
    if arguments.json:
        print_json({"weights": dict(weights), **{n: codec.to_json(s) for n, s in rows}})
    else:
        _print(weights, rows)
    return DONE


def _cases(arguments: argparse.Namespace) -> Iterator[Case]:
    show = silent if arguments.json else Bar().show
    with opened(arguments, there=True) as db:
        listed = conversations.listing(db)
        for n, row in enumerate(listed, 1):
            memory = memories.load_memory(db, row.id, SAFE)
            asked = conversations.questions(db, row.id)
            if any(q.answer for q in asked) and pipeline.is_built(memory, SYSTEM):
                parts = pipeline.offline_parts(pipeline.language_spoken(memory.conversation))
                retriever = RETRIEVERS[SYSTEM](memory, SAFE, parts)
                yield from cases(row.id, retriever, ExtractiveReader(parts.annotator), asked)
            show(Progress("read", n, len(listed)))


def _print(weights: Weights, rows: Sequence[tuple[str, Sequence[Score]]]) -> None:
    for name, weight in weights.items():
        say(f'    "{name}": {weight:.2f},')
    shown = [s for _, scores in rows for s in scores]
    named = list(dict.fromkeys(s.category for s in shown if s.category))
    say("")
    say("| packet | weights | " + " | ".join(named) + " | all |")
    say("| --- | --- |" + " ---: |" * (len(named) + 1))
    for packet in Packet:
        for name, scores in rows:
            cells = {s.category: _cell(s) for s in scores if s.packet is packet}
            told = " | ".join(cells.get(c, "–") for c in (*named, ""))
            say(f"| {SYSTEM if packet is Packet.FOUND else packet.value} | {name} | {told} |")


def _cell(score: Score) -> str:
    return f"{score.official:.1f} / {score.as_set:.1f}"
