"""Small turns, entries and memories for the tests of the evolution graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from memcore.retrieval.loop import Stage, check
from memcore.settings import SAFE, Settings
from memcore.types import (
    Action,
    Beat,
    Candidate,
    Conversation,
    Decision,
    Entry,
    EntryId,
    EvolutionGraph,
    Grain,
    GraphEdge,
    Hypergraph,
    Interval,
    Memory,
    Query,
    SaidTime,
    Session,
    Step,
    Trace,
    Turn,
    TurnId,
)

START = datetime(2023, 5, 1, 12, tzinfo=UTC)


def at(hours: float) -> datetime:
    """The moment so many hours after the first turn of all tests."""
    return START + timedelta(hours=hours)


def day(text: str) -> Interval:
    start = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return Interval(start, start + timedelta(days=1), Grain.DAY)


def turn(place: str, text: str, hours: float | None = 0, speaker: str = "Ana") -> Turn:
    said = SaidTime() if hours is None else SaidTime(at(hours))
    return Turn(TurnId.parse(place), speaker, text, said=said)


def conversation(*turns: Turn) -> Conversation:
    indexes = sorted({t.id.session for t in turns})
    sessions = (Session(n, tuple(t for t in turns if t.id.session == n)) for n in indexes)
    return Conversation("test", tuple(sessions))


def entry(n: int, text: str = "", source: str = "D1:1", **others: object) -> Entry:
    """An entry; keywords are its words unless given."""
    words = tuple(sorted(set(text.casefold().replace(".", "").split())))
    fields = {"keywords": words, **others}
    return Entry(EntryId(n), text, (TurnId.parse(source),), **fields)  # type: ignore[arg-type]


def each_turn(
    made: Mapping[str, Entry] | None = None,
) -> Callable[[Sequence[Turn]], Sequence[Entry]]:
    """An extractor's function: one entry a turn with the turn's own text.

    With `made`, only the turns whose text is a key, and its entry.
    """

    def entries(turns: Sequence[Turn]) -> Sequence[Entry]:
        found = []
        for t in turns:
            if made is not None and t.text not in made:
                continue
            like = made[t.text] if made is not None else entry(1, t.text)
            found.append(_told_by(like, t))
        return found

    return entries


def _told_by(like: Entry, t: Turn) -> Entry:
    return replace(like, source_turns=(t.id,), said_at=t.said_at)


def memory(
    entries: Sequence[Entry], rows: Sequence[Sequence[float]] = (), **graph: object
) -> Memory:
    """A memory of these entries alone; each is decided as added unless decisions are given."""
    decisions = tuple(Decision(e.id, Action.ADD) for e in entries)
    made = EvolutionGraph(tuple(entries), **{"decisions": decisions, **graph})  # type: ignore[arg-type]
    vectors = np.array(rows or [(1.0, 0.0)] * len(entries), dtype=np.float32)
    return Memory(conversation(), (), Hypergraph(), made, vectors, np.zeros((0, 2), np.float32))


def trace(question: str = "x", settings: Settings = SAFE, **query: object) -> Trace:
    return Trace(Query(question, **query), "test", settings)  # type: ignore[arg-type]


def candidates(*numbers: int) -> tuple[Candidate, ...]:
    """Candidates E<n> with falling scores."""
    return tuple(
        Candidate(EntryId(n), round(1 - place / 100, 6), channel="dense")
        for place, n in enumerate(numbers)
    )


def after(earlier: Trace, *stages: Stage, memory: Memory) -> Trace:
    """The trace after these stages, each step checked."""
    for stage in stages:
        step = stage(memory, earlier)
        check(step)
        earlier = replace(earlier, steps=(*earlier.steps, step))
    return earlier


def given(*numbers: int, settings: Settings = SAFE) -> Trace:
    """A trace whose last step kept E<n>, in this order."""
    found = candidates(*numbers)
    return replace(
        trace(settings=settings),
        steps=(Step("terminals", Beat.COLLECT, entered=found, kept=found),),
    )


def pairs(edges: Sequence[GraphEdge]) -> list[tuple[int, int]]:
    return [(e.source.n, e.target.n) for e in edges]  # type: ignore[union-attr]
