"""Calendar keys: which days, weeks, months and years a stretch of time lies in.

A stretch joins the anchors of its own grain and of every coarser one, never a finer one: "in May"
is in a month and a year, not in 31 days. Weeks are ISO weeks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from memcore.types import Anchor, AnchorKind, Grain, Interval

_ALL: Final = (AnchorKind.DAY, AnchorKind.WEEK, AnchorKind.MONTH, AnchorKind.YEAR)
KINDS: Final[Mapping[Grain, tuple[AnchorKind, ...]]] = {
    Grain.MINUTE: _ALL,
    Grain.HOUR: _ALL,
    Grain.DAY: _ALL,
    Grain.WEEK: _ALL[1:],
    Grain.MONTH: _ALL[2:],
    Grain.SEASON: _ALL[2:],
    Grain.YEAR: _ALL[3:],
}
"""The calendar anchors that an interval of each grain joins."""


def key(kind: AnchorKind, day: date) -> str:
    """Return the key of the anchor of a kind that holds a day.

    >>> [key(kind, date(2023, 1, 1)) for kind in KINDS[Grain.DAY]]
    ['2023-01-01', '2022-W52', '2023-01', '2023']
    """
    if kind is AnchorKind.DAY:
        return day.isoformat()
    if kind is AnchorKind.WEEK:
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    return f"{day.year:04}-{day.month:02}" if kind is AnchorKind.MONTH else f"{day.year:04}"


def said(at: datetime) -> tuple[Anchor, ...]:
    """Return the four anchors of the day on which something was said."""
    return tuple(Anchor(kind, key(kind, at.date())) for kind in _ALL)


def spoken_of(interval: Interval) -> tuple[Anchor, ...]:
    """Return the anchors of an interval, finest kind first, each kind in order of time."""
    first = interval.start.date()
    last = max(interval.start, interval.end - timedelta(microseconds=1)).date()
    return tuple(
        Anchor(kind, found)
        for kind in KINDS[interval.grain]
        for found in dict.fromkeys(_keys(kind, first, last))
    )


def _keys(kind: AnchorKind, first: date, last: date) -> Iterator[str]:
    day, end = first, key(kind, last)
    while (found := key(kind, day)) != end:
        yield found
        day = _next(kind, day)
    yield end


def _next(kind: AnchorKind, day: date) -> date:
    if kind is AnchorKind.DAY:
        return day + timedelta(days=1)
    if kind is AnchorKind.WEEK:
        return day + timedelta(days=7 - day.weekday())
    if kind is AnchorKind.MONTH:
        return date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return date(day.year + 1, 1, 1)
