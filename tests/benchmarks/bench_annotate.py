"""Measure annotation and hypergraph against the bare `nlp.pipe` of the same components.

    python tests/benchmarks/bench_annotate.py FOLDER [TURNS]

reads each JSON file of the folder as dialogues. The two sides take turns, three rounds each, and
the fastest round of each counts. Processor time is measured, so other work on the machine shifts
both sides alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

from memcore.annotate.pipelines import BATCH_SIZE, english
from memcore.annotate.rules import RulesAnnotator
from memcore.hypergraph.build import hypergraph
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Conversation

ROUNDS = 3


def conversations(folder: Path, limit: int) -> tuple[Conversation, ...]:
    """Return the dialogues of a folder, whole sessions, up to about so many turns."""
    found: list[Conversation] = []
    for file in sorted(folder.glob("*.json")):
        for conversation in read((Source(file.name, file.read_bytes()),)).conversations:
            left = limit - sum(len(c.turns) for c in found)
            sessions = [
                s
                for i, s in enumerate(conversation.sessions)
                if sum(len(x.turns) for x in conversation.sessions[:i]) < left
            ]
            if sessions:
                found.append(replace(conversation, sessions=tuple(sessions)))
    return tuple(found)


def seconds(act: Callable[[], None]) -> float:
    """Return the processor time of one act."""
    start = process_time()
    act()
    return process_time() - start


def main() -> None:
    """Print turns a second of both sides, and their ratio."""
    found = conversations(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10**9)
    turns = sum(len(c.turns) for c in found)
    annotator = RulesAnnotator()

    def bare() -> None:
        for c in found:
            for _ in english().pipe((t.content for t in c.turns), batch_size=BATCH_SIZE):
                pass

    def annotate() -> None:
        for c in found:
            annotator.annotate(c.turns)

    def both() -> None:
        for c in found:
            hypergraph(c, annotator.annotate(c.turns))

    english()
    rounds = [(seconds(bare), seconds(annotate), seconds(both)) for _ in range(ROUNDS)]
    plain, annotated, built = (min(r[i] for r in rounds) for i in range(3))
    sys.stdout.write(
        f"{turns} turns, {', '.join(english().pipe_names)}, batches of {BATCH_SIZE}\n"
        f"bare nlp.pipe            {turns / plain:7.0f} turns/s\n"
        f"annotate                 {turns / annotated:7.0f} turns/s, ratio {annotated / plain:.2f}\n"
        f"annotate and hypergraph  {turns / built:7.0f} turns/s, ratio {built / plain:.2f}\n"
    )


if __name__ == "__main__":
    main()
