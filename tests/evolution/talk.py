"""Small turns, entries and memories for the tests of the evolution graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memcore.types import (
    Conversation,
    Entry,
    EntryId,
    Grain,
    Interval,
    SaidTime,
    Session,
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
