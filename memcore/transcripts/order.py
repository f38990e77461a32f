"""The order of turns and the borders of sessions.

Aware and local times meet in one key, for ordering alone; no stored time is changed by it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from memcore.transcripts.codes import Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import zone
from memcore.types import Precision, SaidTime, TimeKind, TimeSource

DEFAULT_PAUSE = "pause:6"
COARSE = frozenset({Precision.DAY, Precision.SESSION})

Group = tuple[DraftSession | None, Sequence["Item"]]


@dataclass(frozen=True, slots=True)
class Item:
    """A draft turn with its number and its draft session, both from 0."""

    turn: DraftTurn
    number: int
    session: int


# ---------------------------------------------------------------- zone


def zoned(items: Sequence[Item], notes: Notes) -> list[Item]:
    """Return the turns with local times made aware in the zone that the user gave."""
    if not notes.options.timezone:
        return list(items)
    home = zone(notes.options.timezone)
    done: list[Item] = []
    before: datetime | None = None
    for item in items:
        said = aware(item.turn.said, home, before, notes)
        before = said.at or before
        done.append(replace(item, turn=replace(item.turn, said=said)))
    return done


def aware(said: SaidTime, home: ZoneInfo, before: datetime | None, notes: Notes) -> SaidTime:
    """Return a local time as an aware one; an hour that occurs twice is told by the turn before."""
    if said.kind is not TimeKind.LOCAL or said.at is None or said.precision is Precision.DAY:
        return said
    wall = said.at.replace(tzinfo=home)
    first, second = wall.astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
    at = first
    if second > first:  # the clocks repeat this hour
        if before is not None and first < before <= second:
            at = second
        else:
            notes.warn(Warn.AMBIGUOUS_HOUR)
    offset = round((said.at - at).total_seconds() / 60)
    return replace(said, at=at, kind=TimeKind.AWARE, offset=offset, source=TimeSource.USER)


# ---------------------------------------------------------------- order


def keys(times: Sequence[SaidTime]) -> list[datetime | None]:
    """Return what each time is ordered by: a local one borrows the nearest aware one's offset."""
    known = [n for n, t in enumerate(times) if t.kind is TimeKind.AWARE and t.at is not None]
    return [_key(time, n, times, known) for n, time in enumerate(times)]


def _key(
    time: SaidTime, n: int, times: Sequence[SaidTime], known: Sequence[int]
) -> datetime | None:
    if time.at is None or time.kind is TimeKind.AWARE or not known:
        return time.at
    after = bisect_left(known, n)
    near = known[max(after - 1, 0) : after + 1]
    nearest = times[min(near, key=lambda k: (abs(k - n), k))]
    return time.at - timedelta(minutes=nearest.offset or 0)


def _sorted(items: Sequence[Item]) -> list[Item]:
    """Return the turns by time, stably; one without a time follows the turn before it."""
    last = datetime.min.replace(tzinfo=UTC)
    filled = []
    for item, key in zip(items, keys([i.turn.said for i in items]), strict=True):
        last = key or last
        filled.append((last, item))
    return [item for _, item in sorted(filled, key=lambda pair: pair[0])]


def ordered(draft: DraftConversation, items: Sequence[Item], notes: Notes) -> list[Item]:
    """Return the turns in the order that the format asks for, with its warnings."""
    kept = list(items)
    undated = sum(i.turn.said.at is None for i in kept)
    if draft.order is Order.TIME_IF_ALL and 0 < undated < len(kept):
        notes.warn(Warn.SOME_TIMES_MISSING, undated)
    if draft.order is Order.FILE or (draft.order is Order.TIME_IF_ALL and undated):
        notes.warn(Warn.TIME_GOES_BACK, _steps_back(kept))
        return kept
    done = _sorted(kept)
    if draft.order is Order.TIME_IF_ALL and done != kept:
        notes.warn(Warn.ORDER_CHANGED)
    return done


def _steps_back(items: Sequence[Item]) -> int:
    """Return how often time goes back; a time of a whole session or day is not that exact."""
    found = zip(keys([i.turn.said for i in items]), items, strict=True)
    known = [(k, i.turn.said.precision in COARSE) for k, i in found if k is not None]
    return sum(
        b < a - (timedelta(days=1) if coarse or rough else timedelta())
        for (a, coarse), (b, rough) in itertools.pairwise(known)
    )


# ---------------------------------------------------------------- sessions


def grouped(draft: DraftConversation, items: Sequence[Item], notes: Notes) -> list[Group]:
    """Return the turns by session, each with the draft session it is, if it is one."""
    rule = notes.options.session
    if rule == "own" and draft.own:
        return _own(draft, items, notes)
    rule = DEFAULT_PAUSE if rule == "own" else rule
    notes.session_rules[rule] = None
    done = ordered(draft, items, notes)
    return [(None, group) for group in cut(done, rule)]


def _own(draft: DraftConversation, items: Sequence[Item], notes: Notes) -> list[Group]:
    groups: list[Group] = []
    notes.session_rules["own"] = None
    done = ordered(draft, items, notes)
    for n, session in enumerate(draft.sessions):
        turns = [i for i in done if i.session == n]
        if turns:
            tidy = replace(
                session,
                source_id=notes.clean(session.source_id),
                title=notes.clean(session.title),
                started=_started(session.started, notes),
            )
            groups.append((tidy, turns))
        else:
            notes.warn(Warn.SESSION_WITHOUT_TURNS, bool(draft.turns))
    return groups


def _started(started: SaidTime | None, notes: Notes) -> SaidTime | None:
    if started is None or not notes.options.timezone:
        return started
    return aware(started, zone(notes.options.timezone), None, notes)


def cut(items: Sequence[Item], rule: str) -> list[list[Item]]:
    """Return the turns cut by `pause:<hours>`, `day` or `none`.

    A turn without time stays in the session of the turn before it.
    """
    groups: list[list[Item]] = []
    last: tuple[datetime, date] | None = None
    for item, key in zip(items, keys([i.turn.said for i in items]), strict=True):
        now = None if key is None else (key, _day(item.turn.said))
        if not groups or (last and now and _parted(last, now, rule)):
            groups.append([])
        groups[-1].append(item)
        last = now or last
    return groups


def _day(said: SaidTime) -> date:
    wall = (said.at or datetime.min.replace(tzinfo=UTC)) + timedelta(minutes=said.offset or 0)
    return wall.date()


def _parted(last: tuple[datetime, date], now: tuple[datetime, date], rule: str) -> bool:
    if rule == "none":
        return False
    if rule == "day":
        return last[1] != now[1]
    return now[0] - last[0] > timedelta(hours=float(rule.partition(":")[2]))
