"""The feasts that dialogues date things by, and the day of each in a given year.

The table of `holidays` from the package registry was turned down: a dialogue names a dozen feasts,
and the package needs a country that no transcript gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from memcore.annotate.intervals import DAY, day
from memcore.types import Interval

_THURSDAY, _SUNDAY, _MONDAY = 3, 6, 0


def _fixed(month: int, number: int, year: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def _nth(month: int, weekday: int, n: int, year: int) -> datetime:
    first = datetime(year, month, 1, tzinfo=UTC)
    return first + ((weekday - first.weekday()) % 7 + 7 * (n - 1)) * DAY


def _memorial_day(year: int) -> datetime:
    last = datetime(year, 5, 31, tzinfo=UTC)
    return last - last.weekday() * DAY


def _easter(year: int) -> datetime:
    # The Gregorian computus of Meeus, Jones and Butcher.
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, number = divmod(moon + sunday - 7 * shift + 114, 31)
    return datetime(year, month, number + 1, tzinfo=UTC)


# First days of the Chinese calendar's year, from published tables; outside them: unknown.
_SPRING_FESTIVALS: Final = (
    "2000-02-05 2001-01-24 2002-02-12 2003-02-01 2004-01-22 2005-02-09 2006-01-29 2007-02-18 "
    "2008-02-07 2009-01-26 2010-02-14 2011-02-03 2012-01-23 2013-02-10 2014-01-31 2015-02-19 "
    "2016-02-08 2017-01-28 2018-02-16 2019-02-05 2020-01-25 2021-02-12 2022-02-01 2023-01-22 "
    "2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03"
)


def _spring_festival(year: int, shift: int = 0) -> datetime:
    """Return the first day of the Chinese year; ValueError outside 2000 to 2030."""
    found = next(d for d in (*_SPRING_FESTIVALS.split(), "") if d.startswith(str(year)) or not d)
    return datetime.fromisoformat(found).replace(tzinfo=UTC) + timedelta(days=shift)


HOLIDAYS: Final[Mapping[str, Callable[[int], datetime]]] = {
    "christmas eve": partial(_fixed, 12, 24),
    "christmas": partial(_fixed, 12, 25),
    "boxing day": partial(_fixed, 12, 26),
    "new year's eve": partial(_fixed, 12, 31),
    "new year's": partial(_fixed, 1, 1),
    "valentine's": partial(_fixed, 2, 14),
    "st patrick's": partial(_fixed, 3, 17),
    "easter": _easter,
    "mother's day": partial(_nth, 5, _SUNDAY, 2),
    "memorial day": _memorial_day,
    "father's day": partial(_nth, 6, _SUNDAY, 3),
    "independence day": partial(_fixed, 7, 4),
    "fourth of july": partial(_fixed, 7, 4),
    "4th of july": partial(_fixed, 7, 4),
    "labor day": partial(_nth, 9, _MONDAY, 1),
    "halloween": partial(_fixed, 10, 31),
    "thanksgiving": partial(_nth, 11, _THURSDAY, 4),
    "元旦": partial(_fixed, 1, 1),
    "情人节": partial(_fixed, 2, 14),
    "妇女节": partial(_fixed, 3, 8),
    "劳动节": partial(_fixed, 5, 1),
    "五一": partial(_fixed, 5, 1),
    "儿童节": partial(_fixed, 6, 1),
    "国庆节": partial(_fixed, 10, 1),
    "国庆": partial(_fixed, 10, 1),
    "平安夜": partial(_fixed, 12, 24),
    "圣诞节": partial(_fixed, 12, 25),
    "圣诞": partial(_fixed, 12, 25),
    "除夕": partial(_spring_festival, shift=-1),
    "春节": _spring_festival,
}


def holiday(name: str, year: int) -> Interval:
    """Return the day of a feast in a year.

    >>> str(holiday("easter", 2023).start.date()), str(holiday("thanksgiving", 2023).start.date())
    ('2023-04-09', '2023-11-23')

    Raises:
        ValueError: where the table of the Chinese calendar ends.
    """
    return day(HOLIDAYS[name](year))


def near(name: str, at: datetime) -> tuple[Interval, Interval, Interval]:
    """Return the feast in the year before, the year, and the year after `at`."""
    return holiday(name, at.year - 1), holiday(name, at.year), holiday(name, at.year + 1)
