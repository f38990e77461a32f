"""Dates and clock times as people and apps write them: with names of months, in digits, in words.

A text is read in two steps: what it says (`Written`), and, once the whole file has settled its
order of day and month, the time it means (`time_of`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from memcore.transcripts.codes import Warn
from memcore.transcripts.dates import Parts, Read, date_order, in_range, iso, missing, placed
from memcore.transcripts.notes import Notes
from memcore.transcripts.phrases import DAYPARTS, MONTHS, bare
from memcore.types import Precision, SaidTime, TimeKind, TimeSource

_DAYPART = r"[^\W\d_][^\d:,\[\]()]{0,8}?"
_CLOCK = re.compile(
    rf"(?P<before>{_DAYPART})?\s*(?P<hour>\d{{1,2}})[:.點点時时h](?P<minute>\d\d)分?"
    rf"(?:[:.](?P<second>\d\d)秒?)?(?:\.(?P<fraction>\d{{1,6}}))?\s*(?P<after>{_DAYPART})?\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?"
_WEEKDAY = r"(?:[^\W\d_]{2,12}\.?,?\s+)?"
_NAMED = (
    re.compile(
        rf"{_WEEKDAY}{_DAY}\s*(?:of\s+|de\s+|-)?(?P<month>[^\W\d_]+)\.?,?\s*(?:de\s+|del\s+|-)?"
        r"(?P<year>\d{4})",
        re.IGNORECASE,
    ),
    re.compile(rf"{_WEEKDAY}(?P<month>[^\W\d_]+)\.?\s+{_DAY},?\s+(?P<year>\d{{4}})", re.IGNORECASE),
)
_CJK = re.compile(r"(?P<year>\d{4})\s*年\s*(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号號]")
_DIGITS = re.compile(r"(\d{1,4})(?P<sep>[/.-])\s?(\d{1,2})(?P=sep)\s?(\d{1,4})\.?")
_BETWEEN = re.compile(r"\s*(?:\([^\W\d_]+\.?\))?[,،、]?\s*(?:at|um|à|a las|alle|às|kl\.?|T)?\s*")
_FIRST_CLOCK = re.compile(r"(.+?)\s+on\s+(.+)", re.IGNORECASE)
_TRAILING_DAY = re.compile(
    r"\s*\([^\W\d_]{1,12}\.?\)$|[,\s]+(?:[^\W\d_]{3,12}day|星期.|周.)$", re.I
)


LONGEST = 100
"""No date is longer; what is, is not looked at."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `twelve` tells of a 12-hour clock, `unknown` of a word nobody knows."""

    hour: int
    minute: int
    second: int | None = None
    micro: int = 0
    twelve: bool = False
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a text says: the three numbers of a date and how they stand, and a clock time.

    `fixed` tells that year, month and day are known by name or by form.
    """

    original: str
    parts: Parts
    fixed: bool
    slash: bool = False
    clock: Clock | None = None


def ascii_digits(text: str) -> str:
    """Return the text with the decimal digits of any script as 0 to 9.

    >>> ascii_digits("٢٠٢١")
    '2021'
    """
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def clock_of(text: str) -> Clock | None:
    """Return a time of day with its half, before or after the hour; None for another text."""
    found = _CLOCK.fullmatch(" ".join(ascii_digits(text[:LONGEST]).split()))
    if not found:
        return None
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    word = bare(found["before"] or found["after"] or "")
    half = DAYPARTS.get(word, "")
    if half and hour <= 12:
        hour = _half(hour, half)
    if hour > 23 or minute > 59 or second > 59:
        return None
    micro = int((found["fraction"] or "0").ljust(6, "0"))
    exact = second if found["second"] else None
    return Clock(hour, minute, exact, micro, bool(half), bool(word) and not half)


def _half(hour: int, half: str) -> int:
    if half == "noon":
        return hour if hour >= 10 else hour + 12
    return hour % 12 + (12 if half == "pm" else 0)


def written_of(text: str) -> Written | None:
    """Return what a text says that is a date, with or without a clock time, and nothing else."""
    if len(text) > LONGEST:
        return None
    words = _TRAILING_DAY.sub("", ascii_digits(text).strip())
    first = _FIRST_CLOCK.fullmatch(words)
    if first and (clock := clock_of(first[1])):
        found = _date(first[2])
        return _with(found[0], text, clock) if found and not found[1] else None
    found = _date(words)
    if not found:
        return None
    rest = _BETWEEN.sub("", found[1], count=1)
    clock = clock_of(rest) if rest else None
    return None if rest and clock is None else _with(found[0], text, clock)


def _with(date_: Written, original: str, clock: Clock | None) -> Written:
    return Written(original, date_.parts, date_.fixed, date_.slash, clock)


def _date(text: str) -> tuple[Written, str] | None:
    """Return the date that opens a text, and the rest of it."""
    for pattern in _NAMED:
        found = pattern.match(text)
        month = MONTHS.get(found["month"].casefold()) if found else None
        if found and month:
            parts = (int(found["year"]), month, int(found["day"]))
            return Written("", parts, fixed=True), text[found.end() :]
    found = _CJK.match(text)
    if found:
        parts = (int(found["year"]), int(found["month"]), int(found["day"]))
        return Written("", parts, fixed=True), text[found.end() :]
    found = _DIGITS.match(text)
    if not found:
        return None
    parts = (int(found[1]), int(found[3]), int(found[4]))
    return Written("", parts, fixed=False, slash=found["sep"] == "/"), text[found.end() :]


def day_of(written: Written, order: str) -> date | None:
    """Return the date under the order of the file, None where it is impossible."""
    return placed(written.parts, "ymd" if written.fixed else order or "dmy")


def time_of(written: Written, order: str, source: TimeSource) -> Read:
    """Return the local time that a text means under the order of its file."""
    if any(1300 <= n < 1700 or 2400 <= n < 2800 for n in written.parts):
        return missing(written.original, Warn.OTHER_CALENDAR)
    day = day_of(written, order)
    if day is None:
        return missing(written.original, Warn.BAD_TIME if written.fixed else Warn.DATE_ORDER_MIXED)
    said = at_clock(day, written.clock, written.original, source)
    read = in_range(said)
    unknown = written.clock is not None and written.clock.unknown and read.warning is None
    return Read(read.said, Warn.UNKNOWN_DAYPART) if unknown else read


def at_clock(day: date, clock: Clock | None, original: str, source: TimeSource) -> SaidTime:
    """Return the local time of a day and a time of day."""
    if clock is None:
        at = datetime(day.year, day.month, day.day, tzinfo=UTC)
        return SaidTime(at, original, TimeKind.LOCAL, None, Precision.DAY, source)
    second = clock.second or 0
    at = datetime(
        day.year, day.month, day.day, clock.hour, clock.minute, second, clock.micro, tzinfo=UTC
    )
    precision = Precision.MINUTE if clock.second is None else Precision.SECOND
    if clock.micro:
        precision = Precision.US if clock.micro % 1000 else Precision.MS
    return SaidTime(at, original, TimeKind.LOCAL, None, precision, source)


def read_date(text: str, order: str, source: TimeSource) -> Read | None:
    """Return the time of a text that is a date; None where it is something else."""
    exact = iso(text, source)
    if exact is not None:
        return exact
    written = written_of(text)
    return None if written is None else time_of(written, order, source)


def order_of(found: Sequence[Written], notes: Notes) -> str:
    """Return the one order of day and month of a file, and report how it was decided."""
    open_ = [w for w in found if not w.fixed]
    twelve = any(w.clock is not None and w.clock.twelve for w in open_)
    slash = any(w.slash for w in open_)
    decided = date_order(
        [w.parts for w in open_], twelve=twelve, slash=slash, forced=notes.options.date_order
    )
    if decided.ambiguous:
        notes.warn(Warn.DATE_ORDER_AMBIGUOUS)
    if open_:
        notes.date_order = decided.order
    return decided.order.value
