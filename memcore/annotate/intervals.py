"""The arithmetic of calendar intervals: days, weeks from Monday, months, seasons, years.

All times are wall times written as UTC, as a `local` said time is: "yesterday" means the calendar
day of who speaks, and its day must be found under the same date everywhere.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from memcore.types import Grain, Interval

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)

SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The first month of each season: meteorological, northern."""

DAY_PARTS: Final = {
    "morning": (6, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 24),
}
"""First and last hour of each part of the day."""

COARSENESS: Final = tuple(Grain)
"""The grains, finest first."""


def midnight(at: datetime) -> datetime:
    """Return the start of the day."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def day(at: datetime, shift: int = 0) -> Interval:
    """Return the day of `at`, moved by `shift` days."""
    start = midnight(at) + shift * DAY
    return Interval(start, start + DAY, Grain.DAY)


def week(at: datetime, shift: int = 0) -> Interval:
    """Return the week of `at`, Monday to Sunday, moved by `shift` weeks."""
    start = midnight(at) - at.weekday() * DAY + shift * WEEK
    return Interval(start, start + WEEK, Grain.WEEK)


def month(at: datetime, shift: int = 0) -> Interval:
    """Return the month of `at`, moved by `shift` months."""
    return months(at.year, at.month + shift, 1, Grain.MONTH)


def months(year: int, first: int, count: int, grain: Grain) -> Interval:
    """Return `count` months from the month `first`, which may lie outside 1 to 12."""
    return Interval(_first(year, first), _first(year, first + count), grain)


def _first(year: int, number: int) -> datetime:
    years, index = divmod(number - 1, 12)
    return datetime(year + years, index + 1, 1, tzinfo=UTC)


def year(number: int) -> Interval:
    """Return the whole year."""
    return months(number, 1, 12, Grain.YEAR)


def season(name: str, number: int) -> Interval:
    """Return the season that begins in the year `number`; winter runs into the next."""
    return months(number, SEASONS[name], 3, Grain.SEASON)


def weekend(at: datetime, shift: int = 0) -> Interval:
    """Return Saturday and Sunday of the week of `at`, moved by `shift` weeks."""
    start = week(at, shift).start + 5 * DAY
    return Interval(start, start + 2 * DAY, Grain.DAY)


def weekday_before(at: datetime, number: int) -> Interval:
    """Return the last day with that weekday (Monday is 0) before the day of `at`."""
    return day(at, -((at.weekday() - number - 1) % 7 + 1))


def weekday_after(at: datetime, number: int) -> Interval:
    """Return the first day with that weekday (Monday is 0) after the day of `at`."""
    return day(at, (number - at.weekday() - 1) % 7 + 1)


def part_of_day(name: str, of: Interval) -> Interval:
    """Return the morning, afternoon, evening or night of a day."""
    first, last = DAY_PARTS[name]
    return Interval(of.start + timedelta(hours=first), of.start + timedelta(hours=last), Grain.HOUR)


def hull(intervals: tuple[Interval, ...]) -> Interval:
    """Return the shortest interval that holds all of them, in the coarsest of their grains."""
    grain = max((i.grain for i in intervals), key=COARSENESS.index)
    return Interval(min(i.start for i in intervals), max(i.end for i in intervals), grain)
