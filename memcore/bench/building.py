"""How long building takes: annotation beside the bare pipeline, growth with size, one more session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memcore.annotate.pipelines import BATCH_SIZE, english
from memcore.annotate.rules import RulesAnnotator
from memcore.bench.copies import Annotated, joined
from memcore.bench.queries import Clock
from memcore.hypergraph.build import grow, hypergraph
from memcore.store import conversations, memories
from memcore.store.memories import Kind, Plan
from memcore.store.schema import open_workspace
from memcore.types import Conversation, Detection, Hypergraph, ImportReport, ReadResult

ROUNDS: Final = 3
"""Each act is timed so often, in turns with the others; the fastest counts."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Turns a second of three acts over the same dialogues."""

    turns: int
    bare: float
    annotate: float
    both: float


@dataclass(frozen=True, slots=True)
class Built:
    """A hypergraph made at one size; `memory` is the peak of the process in MB, where known."""

    turns: int
    hyperedges: int
    memberships: int
    seconds: float
    turns_a_second: float
    memory: float | None


@dataclass(frozen=True, slots=True)
class Added:
    """One more session at one size, in milliseconds, beside building that session alone."""

    turns: int
    session: int
    step: str
    alone: float
    added: float
    ratio: float


def seconds(act: Callable[[], object], clock: Clock) -> float:
    """Return the seconds of one act."""
    start = clock()
    act()
    return clock() - start


def rates(found: Sequence[Conversation], clock: Clock) -> Rates:
    """Return how fast English dialogues are read by the bare pipeline, annotated, and tied."""
    annotator = RulesAnnotator()
    turns = sum(len(c.turns) for c in found)

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
    rounds = [tuple(seconds(act, clock) for act in (bare, annotate, both)) for _ in range(ROUNDS)]
    plain, annotated, built = (round(turns / min(r[n] for r in rounds), 1) for n in range(3))
    return Rates(turns, plain, annotated, built)


def built(
    source: Annotated, clock: Clock, peak: Callable[[], float | None]
) -> tuple[Hypergraph, Built]:
    """Return the hypergraph of a dialogue, and what making it took."""
    start = clock()
    made = hypergraph(source.conversation, source.annotations)
    spent = max(clock() - start, 1e-9)
    turns = len(source.conversation.turns)
    members = sum(len(edge.memberships) for edge in made.hyperedges)
    row = Built(
        turns, len(made.hyperedges), members, round(spent, 3), round(turns / spent, 1), peak()
    )
    return made, row


def added(source: Annotated, tied: Hypergraph, session: Annotated, clock: Clock) -> Iterator[Added]:
    """Yield what one more session takes, step by step and in sum.

    `session` is a dialogue of one session. The store writes into a new file, where the hypergraph
    of the source is there already; it is read by the annotator anew, as a build would.
    """
    number = source.conversation.sessions[-1].index + 1
    alone = joined([session], session.conversation.name)
    whole = joined([source, session], source.conversation.name)
    turns = whole.conversation.sessions[-1].turns
    notes = tuple(note for note in whole.annotations if note.turn.session == number)
    annotator = RulesAnnotator()
    annotator.annotate(turns)

    def annotate() -> None:
        annotator.annotate(turns)

    def tie_alone() -> None:
        hypergraph(alone.conversation, alone.annotations)

    def tie() -> None:
        grow(tied, whole.conversation, notes, turns)

    one = hypergraph(alone.conversation, alone.annotations)
    more = hypergraph(replace(whole.conversation, sessions=whole.conversation.sessions[-1:]), notes)
    stored = (_stored(alone, Hypergraph(), one, clock), _stored(whole, tied, more, clock))
    read = _fastest(annotate, clock)
    steps = {
        "annotate": (read, read),
        "hypergraph": (_fastest(tie_alone, clock), _fastest(tie, clock)),
        "store": stored,
    }
    for name, (before, after) in steps.items():
        yield _added(source, len(turns), name, before, after)
    sums = [sum(pair[n] for pair in steps.values()) for n in range(2)]
    yield _added(source, len(turns), "all", *sums)


def _added(source: Annotated, session: int, step: str, alone: float, more: float) -> Added:
    turns = len(source.conversation.turns)
    ratio = round(more / max(alone, 1e-9), 2)
    return Added(turns, session, step, round(alone * 1000, 3), round(more * 1000, 3), ratio)


def _fastest(act: Callable[[], object], clock: Clock) -> float:
    return min(seconds(act, clock) for _ in range(ROUNDS))


def _stored(source: Annotated, before: Hypergraph, later: Hypergraph, clock: Clock) -> float:
    """Return the seconds of storing what is new where the hypergraph before it is stored."""
    with TemporaryDirectory() as folder, open_workspace(Path(folder) / "bench.db") as db:
        result = ReadResult((source.conversation,), (), ImportReport("", Detection("", 1.0, "")))
        dialogue = conversations.save(db, result, datetime(2000, 1, 1, tzinfo=UTC)).dialogues[0]
        build = memories.start(db, dialogue, Plan(Kind.EDGEMEM))
        last = source.conversation.sessions[-1].index
        if before.hyperedges:
            build = memories.add_hypergraph(db, build, last - 1, before)
        return seconds(lambda: memories.add_hypergraph(db, build, last, later), clock)
