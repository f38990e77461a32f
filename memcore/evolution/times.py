"""A resolved time in words, for the brackets beside a relative wording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from memcore.types import Grain, Interval

_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def shown(interval: Interval) -> str:
    """Return the interval as people write it.

    >>> from datetime import UTC
    >>> shown(Interval(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), Grain.WEEK))
    '1-7 May 2023'
    """
    return _FORMS[interval.grain](interval)


def _moment(i: Interval) -> str:
    if i.end - i.start > timedelta(hours=1):  # a part of the day: its words say which
        return _date(i.start)
    return f"{_date(i.start)} {i.start:%H:%M}"


def _days(i: Interval) -> str:
    first, last = i.start, max(i.start, i.end - timedelta(seconds=1))
    if first.date() == last.date():
        return _date(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{_date(last)}"
    if first.year == last.year:
        return f"{first.day} {_month(first)} - {_date(last)}"
    return f"{_date(first)} - {_date(last)}"


def _months(i: Interval) -> str:
    first, last = i.start, max(i.start, i.end - timedelta(seconds=1))
    if (first.year, first.month) == (last.year, last.month):
        return f"{_month(first)} {first.year}"
    if first.year == last.year:
        return f"{_month(first)}-{_month(last)} {last.year}"
    return f"{_month(first)} {first.year} - {_month(last)} {last.year}"


def _years(i: Interval) -> str:
    last = max(i.start, i.end - timedelta(seconds=1))
    return f"{i.start.year}" if i.start.year == last.year else f"{i.start.year}-{last.year}"


def _date(at: datetime) -> str:
    return f"{at.day} {_month(at)} {at.year}"


def _month(at: datetime) -> str:
    return _MONTHS[at.month - 1]


_FORMS: Final[Mapping[Grain, Callable[[Interval], str]]] = {
    Grain.MINUTE: _moment,
    Grain.HOUR: _moment,
    Grain.DAY: _days,
    Grain.WEEK: _days,
    Grain.MONTH: _months,
    Grain.SEASON: _months,
    Grain.YEAR: _years,
}


def shown_in_chinese(interval: Interval) -> str:
    """Return the interval as Chinese writes it.

    >>> from datetime import UTC
    >>> day = Interval(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 5, 2, tzinfo=UTC), Grain.DAY)
    >>> shown_in_chinese(day)
    '2023年5月1日'
    """
    first, last = interval.start, max(interval.start, interval.end - timedelta(seconds=1))
    part_of_day = interval.grain is Grain.HOUR and interval.end - interval.start > timedelta(
        hours=1
    )
    if part_of_day:
        return f"{first.year}年{first.month}月{first.day}日"
    if interval.grain in {Grain.MINUTE, Grain.HOUR}:
        return f"{first.year}年{first.month}月{first.day}日{first:%H:%M}"
    form = _CHINESE[interval.grain]
    ends = tuple(form.format(year=at.year, month=at.month, day=at.day) for at in (first, last))
    return ends[0] if ends[0] == ends[1] else f"{ends[0]}至{ends[1]}"


_CHINESE: Final[Mapping[Grain, str]] = {
    Grain.DAY: "{year}年{month}月{day}日",
    Grain.WEEK: "{year}年{month}月{day}日",
    Grain.MONTH: "{year}年{month}月",
    Grain.SEASON: "{year}年{month}月",
    Grain.YEAR: "{year}年",
}
