"""The one time axis: turn order, grouped in session bands, the x of every picture of memory.

Positions depend on the conversation alone, so no question, step, filter or theme moves a mark.
Turn order was taken over clock time: sessions of an hour lie weeks apart, and would be dots.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from memcore.types import Conversation, Memory, Session, TurnId
from memcore.views.strings import day

SESSION_GAP = 2.0
"""Empty turns between two session bands."""


@dataclass(frozen=True, slots=True)
class Band:
    """One session on the axis: from `left` to `right`, its short label and the days before it."""

    session: int
    left: float
    right: float
    label: str
    days_before: int | None


@dataclass(frozen=True, slots=True)
class Axis:
    """The x of each turn, sorted by turn, and the session bands."""

    turns: tuple[TurnId, ...]
    places: tuple[float, ...]
    bands: tuple[Band, ...]

    def x(self, turn: TurnId) -> float | None:
        """Return the place of a turn, None if the conversation has no such turn."""
        at = bisect_left(self.turns, turn)
        return self.places[at] if at < len(self.turns) and self.turns[at] == turn else None

    @property
    def end(self) -> float:
        """The right edge of the last band."""
        return self.bands[-1].right if self.bands else 1.0


def axis(conversation: Conversation) -> Axis:
    """Return the axis of a conversation; an undated session is labelled without a date."""
    turns: list[TurnId] = []
    places: list[float] = []
    bands: list[Band] = []
    at, before = 0.0, None
    for session in conversation.sessions:
        left = at
        for turn in session.turns:
            turns.append(turn.id)
            places.append(at + 0.5)
            at += 1.0
        bands.append(Band(session.index, left, at, label(session), _days(before, session)))
        before = session if session.started_at else before
        at += SESSION_GAP
    return Axis(tuple(turns), tuple(places), tuple(bands))


def label(session: Session) -> str:
    """Return the head of a band: `D4 · 8 May 2023`, or `D4` where no date is known."""
    if session.started_at is None:
        return f"D{session.index}"
    return f"D{session.index} · {day(session.started_at)}"


def _days(before: Session | None, session: Session) -> int | None:
    if before is None or before.started_at is None or session.started_at is None:
        return None
    return (session.started_at.date() - before.started_at.date()).days


def sources(memory: Memory, item: object) -> tuple[TurnId, ...]:
    """Return the turns behind an item: itself, or the source turns of its entry."""
    if isinstance(item, TurnId):
        return (item,)
    found = (e.source_turns for e in memory.evolution.entries if e.id == item)
    return next(found, ())


def spread(axis_: Axis, turns: Iterable[TurnId]) -> tuple[float, ...]:
    """Return the places of turns, those that the conversation lacks left out."""
    return tuple(x for turn in turns if (x := axis_.x(turn)) is not None)
