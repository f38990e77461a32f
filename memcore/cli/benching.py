"""`memcore bench`: how fast questions and builds are, at growing sizes, beside bm25s and spaCy.

Processor time is measured, since other work on the machine would count in any other.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memcore import pipeline
from memcore.annotate.languages import ENGLISH
from memcore.bench.building import Added, Built, Rates, built, rates
from memcore.bench.copies import Annotated, joined, repeated
from memcore.bench.queries import Timed, asked_of, memory_of, timed
from memcore.cli.common import DONE, now, print_json, say
from memcore.cli.importing import read_files
from memcore.errors import MemcoreError
from memcore.seams import Parts
from memcore.transcripts.options import Options
from memcore.types import Conversation, Question

SIZES: Final = (600, 6_000, 60_000)
LARGE: Final = 600_000
SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_data"


@dataclass(frozen=True, slots=True)
class Report:
    """All that one run of the bench measured."""

    source: str
    seed: int
    questions: int
    queries: tuple[Timed, ...]
    annotation: tuple[Rates, ...]
    builds: tuple[Built, ...]
    additions: tuple[Added, ...]


def bench_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore bench`."""
    one.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="dialogues to repeat, and their questions (default: the English sample)",
    )
    one.add_argument(
        "--sizes",
        type=_sizes,
        default=SIZES,
        metavar="N,N",
        help="turns at which to measure (default: 600,6000,60000)",
    )
    one.add_argument("--large", action="store_true", help=f"measure at {LARGE:,} turns too")
    one.add_argument("--seed", type=int, default=0, help="for the words that copies rename")
    one.add_argument(
        "--questions", type=int, default=100, metavar="N", help="how many are asked at most"
    )


def _sizes(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(p.isascii() and p.isdecimal() and len(p) < 8 and int(p) for p in parts):
        msg = f"{text[:30]!r} is no list of sizes; expected numbers of turns, as 600,6000"
        raise argparse.ArgumentTypeError(msg)
    return tuple(sorted({int(p) for p in parts}))


def bench_command(arguments: argparse.Namespace) -> int:
    """Run `memcore bench` and return its exit code."""
    report = _measured(arguments)
    if arguments.json:
        print_json(report)
    else:
        for line in _lines(report):
            say(line)
    return DONE


def _measured(arguments: argparse.Namespace) -> Report:
    files = arguments.files or _sample()
    result = read_files(files, Options(moment=now()))
    sizes = arguments.sizes + ((LARGE,) if arguments.large else ())
    found = tuple(_within(result.conversations, sizes[-1]))
    if not found:
        msg = "no turns to measure with; expected a dialogue"
        raise MemcoreError(msg)
    parts = pipeline.offline_parts(pipeline.language_spoken(found[0]))
    each = tuple(Annotated(c, parts.annotator.annotate(c.turns)) for c in found)
    source = joined(each, "bench")
    questions = asked_of(source, result.questions, arguments.questions)
    queries: list[Timed] = []
    builds: list[Built] = []
    additions: list[Added] = []
    for size in sizes:
        timings, row, more = _at(size, source, questions, parts, arguments.seed)
        queries += timings
        builds.append(row)
        additions += more
    return Report(
        ", ".join(path.name for path in files),
        arguments.seed,
        len(questions),
        tuple(queries),
        _annotation(found),
        tuple(builds),
        tuple(additions),
    )


def _within(found: Sequence[Conversation], turns: int) -> Iterator[Conversation]:
    """Yield the dialogues, whole sessions, up to about so many turns: no more are repeated."""
    for conversation in found:
        kept = []
        for session in conversation.sessions:
            if turns > 0 and session.turns:
                kept.append(session)
                turns -= len(session.turns)
        if kept:
            yield replace(conversation, sessions=tuple(kept))


def _at(
    size: int, source: Annotated, questions: Sequence[Question], parts: Parts, seed: int
) -> tuple[tuple[Timed, ...], Built, tuple[Added, ...]]:
    """Return everything that is measured at one size."""
    whole = repeated(source, size, seed)
    first = source.conversation.sessions[0]
    one = Conversation("one more", (first,))
    notes = tuple(n for n in source.annotations if n.turn.session == first.index)
    tied, row, more = built(whole, Annotated(one, notes), parts, time.process_time, _peak)
    queries = timed(memory_of(whole, tied), questions, parts, time.process_time)
    return queries, row, more


def _sample() -> tuple[Path, ...]:
    files = (SAMPLES / "english.json", SAMPLES / "english.questions.jsonl")
    if not files[0].is_file():
        msg = "the sample is not installed here; name a transcript: memcore bench FILE"
        raise MemcoreError(msg)
    return files


def _annotation(found: Sequence[Conversation]) -> tuple[Rates, ...]:
    """Return the rates of the English dialogues; there is no bare pipeline beside Chinese."""
    english = [c for c in found if pipeline.language_spoken(c) == ENGLISH]
    return (rates(english, time.process_time),) if english else ()


def _peak() -> float | None:
    """Return the most memory the process has had so far, in MB; None where the system hides it."""
    if sys.platform == "win32":
        return None
    import resource

    unit = 1e6 if sys.platform == "darwin" else 1e3
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 0)


def _lines(report: Report) -> Iterator[str]:
    yield f"{report.source}, seed {report.seed}, {report.questions} questions, processor time"
    yield ""
    yield from _table(
        "turns | system | p50 ms | p95 ms | x bm25s | with trace p50 | with trace p95 | made in s",
        [
            (q.turns, q.system, q.p50, q.p95, q.ratio, q.trace_p50, q.trace_p95, q.prepared)
            for q in report.queries
        ],
    )
    yield from _table(
        "turns | bare nlp.pipe turns/s | annotate | annotate and hypergraph | x bare",
        [
            (r.turns, r.bare, r.annotate, r.both, round(r.bare / r.both, 2))
            for r in report.annotation
        ],
    )
    yield from _table(
        "turns | hyperedges | memberships | in memory s | turns/s | with store s | turns/s"
        " | peak MB",
        [_built(b) for b in report.builds],
    )
    yield from _table(
        "turns | turns of one more session | step | alone ms | added ms | x alone",
        [(a.turns, a.session, a.step, a.alone, a.added, a.ratio) for a in report.additions],
    )


def _built(b: Built) -> tuple[object, ...]:
    made = (b.seconds, b.turns_a_second)
    return (b.turns, b.hyperedges, b.memberships, *made, b.stored, b.stored_a_second, b.memory)


def _table(heads: str, rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    if rows:
        yield f"| {heads} |"
        yield "|" + " --- |" * (heads.count("|") + 1)
        for row in rows:
            yield "| " + " | ".join("" if value is None else str(value) for value in row) + " |"
        yield ""
