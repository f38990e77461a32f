"""Measure retrieval in Chinese on MADial-Bench: dated memories as turns, relevant ids as gold.

    python tests/benchmarks/bench_chinese.py FOLDER [--systems NAME,…] [--own FILE]

reads the two JSON-lines files of the folder (`…-zh-memory.json`, `…-zh-dialogue.json`). Each user
becomes one dialogue, each day a session, each memory a turn of that user; a question is what the
user said before the reply that recalls the memories, in two forms: the last turn alone and all
turns. `--own` writes the same as a file of memcore's own format, which `memcore evaluate` reads.

The talks with an even number and those with an odd one are also shown apart.

The data have three memories a question in the middle, 80 to 90 in a dialogue: R@10 is an easier
figure here than on long English dialogues, and a question names its memory only by its topic.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import fsum
from pathlib import Path

from memcore import pipeline
from memcore.annotate.languages import CHINESE
from memcore.evaluation.ranks import ranks_of, recall
from memcore.retrieval.listing import ranked_list
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.transcripts.own import MARK, VERSION
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Memory, Question, ReadResult

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
Json = Mapping[str, object]
Record = dict[str, "str | int | list[str] | list[int]"]
SYSTEMS = "edgemem,best-lexical,bm25,dense,hybrid"
FORMS = ("last turn", "all turns")
KS = (5, 10)


@dataclass(frozen=True, slots=True)
class Row:
    """One question of one system: its form, whether its talk is even, the recall at each of KS."""

    system: str
    form: str
    even: bool
    recalls: tuple[float, ...]


def records(file: Path) -> tuple[Record, ...]:
    """Return the objects of a file that has one on each line."""
    return tuple(json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())


def remembered(folder: Path) -> tuple[Record, ...]:
    """Return the memories; each line of the file is an object of one memory by its id."""
    whole = records(folder / "MADial-Bench-zh-memory.json")
    return tuple(memory for line in whole for memory in line.values())  # type: ignore[misc]


def said(line: str) -> tuple[str, str]:
    """Return who speaks and what, without the marks around both.

    >>> said('<Ann>:"你好"')
    ('Ann', '你好')
    """
    who, _, words = line.strip().removesuffix("<eod>").strip().partition(":")
    return who.strip("<> "), words.strip().strip('"“”').strip()


def own(folder: Path) -> Json:
    """Return all users as conversations of the own format, each with its questions."""
    memories_of, talks = remembered(folder), records(folder / "MADial-Bench-zh-dialogue.json")
    users = sorted({str(m["user-id"]) for m in memories_of})
    return {
        "format": MARK,
        "version": VERSION,
        "conversations": [
            _conversation(
                user,
                [m for m in memories_of if str(m["user-id"]) == user],
                [t for t in talks if str(t["user-id"]) == user],
            )
            for user in users
        ],
    }


def _conversation(user: str, held: Sequence[Record], talks: Sequence[Record]) -> Json:
    speaker = next(who for t in talks for who, _ in map(said, t["dialogue"][1:]) if who)  # type: ignore[arg-type, index]
    days = sorted({str(m["time"]) for m in held})
    return {
        "id": f"user-{user}",
        "title": speaker,
        "persons": [{"key": user, "label": speaker}],
        "sessions": [
            {
                "started": day,
                "turns": [
                    {"id": f"m{m['id']}", "person": user, "text": m["event"], "time": day}
                    for m in held
                    if m["time"] == day
                ],
            }
            for day in days
        ],
        "questions": [q for t in talks for q in _questions(user, t)],
    }


def _questions(user: str, talk: Record) -> Iterator[Json]:
    """Yield the question in both forms; the reply that recalls is the first that the file names."""
    reply = talk["test-turn"][0]  # type: ignore[index]
    spoken = [said(line) for line in talk["dialogue"][1:reply]]  # type: ignore[index]
    own_turns = [words for who, words in spoken if who != "Assistant"]
    for form, text in zip(FORMS, (own_turns[-1], " ".join(own_turns)), strict=True):
        yield {
            "id": f"user-{user}:{talk['id']}:{form[:4].strip()}",
            "text": text,
            "conversation": f"user-{user}",
            "category": form,
            "evidence": [f"m{n}" for n in talk["relevant-id"]],  # type: ignore[union-attr]
        }


def measured(systems: Sequence[str], found: ReadResult) -> tuple[Row, ...]:
    """Return the recalls of each system by form, built in a workspace that is thrown away."""
    parts = pipeline.offline_parts(CHINESE)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, open_workspace(Path(folder) / "w.db") as db:
        for dialogue in conversations.save(db, found, EPOCH).dialogues:
            for _ in pipeline.build(db, dialogue, parts, pipeline.SAFE, (pipeline.EDGEMEM,)):
                pass
            memory = memories.load_memory(db, dialogue, pipeline.SAFE)
            asked = conversations.questions(db, dialogue)
            rows += (row for name in systems for row in _rows(name, memory, parts, asked))
    return tuple(rows)


def _rows(name: str, memory: Memory, parts: Parts, asked: Sequence[Question]) -> Iterator[Row]:
    retriever = RETRIEVERS[name](memory, pipeline.SAFE, parts)
    for question in asked:
        ranks = ranks_of(ranked_list(retriever, question.text, None), question.evidence_turns)
        even = not int(question.id.split(":")[1]) % 2
        yield Row(name, question.category, even, tuple(recall(ranks, k) or 0.0 for k in KS))


def lines(systems: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table: a line a system and form, the mean recalls in percent, of all and halves."""
    halves = (("", (True, False)), ("even ", (True,)), ("odd ", (False,)))
    heads = " | ".join(f"{name}R@{k}" for name, _ in halves for k in KS)
    yield f"| system | question | n | {heads} |"
    yield "| --- | --- | ---: |" + " ---: |" * len(KS) * len(halves)
    for name in systems:
        for form in FORMS:
            mine = [r for r in rows if (r.system, r.form) == (name, form)]
            shown = (mean for _, kept in halves for mean in _means(mine, kept))
            yield f"| {name} | {form} | {len(mine)} | {' | '.join(shown)} |"


def _means(rows: Sequence[Row], kept: Sequence[bool]) -> Iterator[str]:
    recalls = [row.recalls for row in rows if row.even in kept]
    for column in zip(*recalls, strict=True):
        yield f"{100 * fsum(column) / len(column):.1f}"


def main() -> None:
    """Print a table of R@5 and R@10 by form of the question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", default=SYSTEMS)
    parser.add_argument("--own", type=Path)
    arguments = parser.parse_args()
    text = json.dumps(own(arguments.folder), ensure_ascii=False, indent=1)
    if arguments.own:
        arguments.own.write_text(text, "utf-8")
    found = read((Source("madial.json", text.encode()),))
    systems = arguments.systems.split(",")
    sys.stdout.write("\n".join(lines(systems, measured(systems, found))) + "\n")


if __name__ == "__main__":
    main()
