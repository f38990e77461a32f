"""Dates as the screen writes them, in the language in use.

Written out by hand: `strftime` follows the system's locale, and its `%-d` is unknown on Windows.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

_MONTHS: Final = [
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
]


def day(at: datetime, language: str) -> str:
    """Return a date.

    >>> day(datetime(2023, 5, 8), "en"), day(datetime(2023, 5, 8), "zh-CN")
    ('8 May 2023', '2023年5月8日')
    """
    if language == "zh-CN":
        return f"{at.year}年{at.month}月{at.day}日"
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def month(at: datetime, language: str) -> str:
    """Return a month of a year.

    >>> month(datetime(2023, 5, 8), "en"), month(datetime(2023, 5, 8), "zh-CN")
    ('May 2023', '2023年5月')
    """
    if language == "zh-CN":
        return f"{at.year}年{at.month}月"
    return f"{_MONTHS[at.month - 1]} {at.year}"


def minute(at: datetime, language: str) -> str:
    """Return a date with its time.

    >>> minute(datetime(2023, 5, 8, 9, 5), "en")
    '8 May 2023 09:05'
    """
    return f"{day(at, language)} {at.hour:02}:{at.minute:02}"
