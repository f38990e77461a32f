"""How long building takes: annotation beside the bare pipeline, growth with size, one more session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sqlite_utils import Database

from memcore.annotate.pipelines import BATCH_SIZE, english
from memcore.annotate.rules import RulesAnnotator
from memcore.bench.copies import Annotated, joined
from memcore.bench.queries import Clock
from memcore.hypergraph.build import hypergraph
from memcore.pipeline import EDGEMEM, build, part_name
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.store import conversations
from memcore.store.schema import open_workspace, transaction
from memcore.store.stale import forget_since
from memcore.types import (
    Annotation,
    Conversation,
    Detection,
    Hypergraph,
    ImportReport,
    ReadResult,
    Turn,
    TurnId,
)

STEPS: Final = ("annotate", "hypergraph")
"""The phases of a build that need no vectors; they are timed with what they store."""
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
    """A hypergraph made at one size; `memory` is the peak of the process in MB, where known.

    `seconds` is what making it takes in memory. `stored` is the whole build but the annotator:
    annotations stored and read, the hypergraph made and stored, batch by batch.
    """

    turns: int
    hyperedges: int
    memberships: int
    seconds: float
    turns_a_second: float
    stored: float
    stored_a_second: float
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


@dataclass(frozen=True, slots=True)
class Known:
    """An annotator that has read these turns already, under the name of the one that read them."""

    annotations: Mapping[TurnId, Annotation]
    name: str

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        """Return what was read of each turn."""
        return tuple(self.annotations[turn.id] for turn in turns)


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
    source: Annotated,
    session: Annotated,
    parts: Parts,
    clock: Clock,
    peak: Callable[[], float | None],
) -> tuple[Hypergraph, Built, tuple[Added, ...]]:
    """Return the hypergraph of a dialogue, what building it took, and what one more session takes.

    `session` is a dialogue of one session, which comes last in the dialogue that is stored.
    """
    start = clock()
    made = hypergraph(source.conversation, source.annotations)
    spent = max(clock() - start, 1e-9)
    with TemporaryDirectory() as folder, open_workspace(Path(folder) / "bench.db") as db:
        whole = joined([source, session], source.conversation.name)
        number, stored = _whole(db, whole, parts, clock)
        additions = tuple(_added(db, number, len(source.conversation.turns), parts, clock))
    turns = len(source.conversation.turns)
    row = Built(
        turns,
        len(made.hyperedges),
        sum(len(edge.memberships) for edge in made.hyperedges),
        round(spent, 3),
        round(turns / spent, 1),
        round(stored, 3),
        round(len(whole.conversation.turns) / max(stored, 1e-9), 1),
        peak(),
    )
    return made, row, additions


def _whole(db: Database, whole: Annotated, parts: Parts, clock: Clock) -> tuple[int, float]:
    """Store and build a dialogue; return its number and the seconds of the build."""
    number = _saved(db, whole.conversation)
    notes = {note.turn: note for note in whole.annotations}
    known = replace(parts, annotator=Known(notes, part_name(parts.annotator)))
    return number, sum(_steps(db, number, known, clock).values())


def _added(db: Database, number: int, turns: int, parts: Parts, clock: Clock) -> Iterator[Added]:
    """Yield what the last session of a built dialogue takes beside building it alone, by step.

    It is taken back before each round, as an import does with what it changes, and read anew by
    the annotator. Alone it is built in a new dialogue each time.
    """
    last = conversations.sizes(db, number)[-1][0]
    (session,) = conversations.sessions(db, number, last - 1)
    first = tuple(replace(turn, id=TurnId(1, turn.id.turn)) for turn in session.turns)
    one = Conversation("alone", (replace(session, index=1, turns=first),))
    parts.annotator.annotate(first)
    alone: list[Mapping[str, float]] = []
    more: list[Mapping[str, float]] = []
    for n in range(ROUNDS):
        alone.append(_steps(db, _saved(db, replace(one, key=f"alone {n}")), parts, clock))
        with transaction(db):
            forget_since(db, number, last)
        more.append(_steps(db, number, parts, clock))
    for step in (*STEPS, "all"):
        before, after = (min(_sum(found, step) for found in rows) for rows in (alone, more))
        ratio = round(after / max(before, 1e-9), 2)
        yield Added(turns, len(first), step, round(before * 1000, 3), round(after * 1000, 3), ratio)


def _sum(found: Mapping[str, float], step: str) -> float:
    return sum(found.values()) if step == "all" else found[step]


def _saved(db: Database, conversation: Conversation) -> int:
    result = ReadResult((conversation,), (), ImportReport("", Detection("", 1.0, "")))
    return conversations.save(db, result, datetime(2000, 1, 1, tzinfo=UTC)).dialogues[0]


def _steps(db: Database, number: int, parts: Parts, clock: Clock) -> Mapping[str, float]:
    """Return the seconds of the steps of a build up to the hypergraph, storing included."""
    ends: dict[str, float] = {}
    start = clock()
    for progress in build(db, number, parts, SAFE, (EDGEMEM,)):
        if progress.phase not in STEPS:
            break
        ends[progress.phase] = clock()
    ends[STEPS[-1]] = clock()
    return {
        step: ends[step] - begun
        for step, begun in zip(STEPS, (start, *ends.values()), strict=False)
    }
