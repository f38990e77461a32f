"""Times as files write them, turned into SaidTime; never a guess, never today.

Fixed patterns only: dateutil and dateparser fill what is missing from the present day and swap
day and month value by value, so neither is used here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation

from memcore.transcripts.codes import Warn
from memcore.transcripts.phrases import MONTHS
from memcore.types import DateOrder, Precision, SaidTime, TimeKind, TimeSource

FIRST, LAST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2101, 1, 1, tzinfo=UTC)
SCALES = ((10**11, 6), (10**14, 3), (10**17, 0))
"""Numbers below the bound are seconds, milliseconds, microseconds: the power to microseconds."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HUGE, TINY = Decimal(10) ** 24, Decimal(10) ** -9

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[T ]\s*(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,30})?")
_LOCOMO = re.compile(r"(\d{1,2}):(\d\d)\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+(\w+),?\s+(\d{4})", re.I)
_SLASHED = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?:\s*\(\w+\))?(?:\s+(\d\d?):(\d\d))?")


@dataclass(frozen=True, slots=True)
class Read:
    """A time, and what has to be said about it."""

    said: SaidTime
    warning: Warn | None = None


def missing(original: str, warning: Warn | None = Warn.BAD_TIME) -> Read:
    """Return a time that stays missing, with the text of the file."""
    return Read(SaidTime(original=original), warning if original.strip() else None)


def in_range(said: SaidTime) -> Read:
    """Return the time, missing where it lies before 1990 or after 2100."""
    if said.at is not None and not FIRST <= said.at < LAST:
        return missing(said.original, Warn.TIME_OUT_OF_RANGE)
    return Read(said)


def local(
    day: tuple[int, int, int], clock: tuple[int, int], original: str, source: TimeSource
) -> Read:
    """Return a wall time to the minute, its zone unknown."""
    try:
        at = datetime(*day, *clock, tzinfo=UTC)
    except ValueError:
        return missing(original)
    return in_range(SaidTime(at, original, TimeKind.LOCAL, None, Precision.MINUTE, source))


def iso(text: str, source: TimeSource = TimeSource.TURN) -> Read | None:
    """Return an ISO 8601 time, aware where it names an offset; None where it is no such text."""
    found = _ISO.fullmatch(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    micro = int((fraction or "0")[:6].ljust(6, "0"))
    try:
        wall = datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            micro,
            tzinfo=UTC,
        )
    except ValueError:
        return missing(text)
    precision = _precision(hour, second, fraction)
    if offset is None:
        return in_range(SaidTime(wall, text, TimeKind.LOCAL, None, precision, source))
    return _shifted(wall, offset, SaidTime(None, text, TimeKind.AWARE, 0, precision, source))


def _precision(hour: str | None, second: str | None, fraction: str | None) -> Precision:
    if hour is None:
        return Precision.DAY
    if second is None:
        return Precision.MINUTE
    if fraction is None:
        return Precision.SECOND
    return Precision.MS if len(fraction) <= 3 else Precision.US


def _shifted(wall: datetime, offset: str, said: SaidTime) -> Read:
    minutes = 0
    if offset[0] in "+-":
        digits = offset[1:].replace(":", "").ljust(4, "0")
        minutes = (int(digits[:2]) * 60 + int(digits[2:])) * (-1 if offset[0] == "-" else 1)
    if abs(minutes) >= 24 * 60:
        return missing(said.original)
    try:
        at = wall.replace(tzinfo=timezone(timedelta(minutes=minutes))).astimezone(UTC)
    except OverflowError:
        return missing(said.original, Warn.TIME_OUT_OF_RANGE)
    return in_range(replace(said, at=at, offset=minutes))


def epoch(number: Decimal, original: str, source: TimeSource = TimeSource.TURN) -> Read:
    """Return the time of a number of seconds, milli-, micro- or nanoseconds since 1970.

    Zero stands for no time at all.
    """
    if number.is_nan() or number == 0:
        return missing(original, None)
    size = abs(number)
    if size >= HUGE or size < TINY:
        return missing(original, Warn.TIME_OUT_OF_RANGE)
    power = next((p for bound, p in SCALES if size < bound), -3)
    micro = int(number.scaleb(power).to_integral_value())
    try:
        at = EPOCH + timedelta(microseconds=micro)
    except OverflowError:
        return missing(original, Warn.TIME_OUT_OF_RANGE)
    precision = Precision.SECOND
    if micro % 1_000_000:
        precision = Precision.US if micro % 1000 else Precision.MS
    return in_range(SaidTime(at, original, TimeKind.AWARE, 0, precision, source))


def value(raw: object, source: TimeSource = TimeSource.TURN) -> Read:
    """Return the time that a JSON value or a cell holds: a number, digits, or an ISO text."""
    if isinstance(raw, int | Decimal) and not isinstance(raw, bool):
        return epoch(Decimal(raw), str(raw), source)
    if isinstance(raw, str):
        return _stated(raw, source)
    return missing("" if raw is None else "?")


def _stated(raw: str, source: TimeSource) -> Read:
    text = raw.strip()
    if _NUMBER.fullmatch(text):
        try:
            return epoch(Decimal(text), raw, source)
        except InvalidOperation:
            return missing(raw)
    if text.casefold() in {"", "null", "none", "nan"}:
        return missing(raw, None)
    return iso(raw, source) or missing(raw)


def hour_of(hour: int, half: str) -> int:
    """Return the hour of a 12-hour clock; `half` begins with a or p.

    >>> hour_of(12, "am"), hour_of(12, "PM"), hour_of(4, "p.m.")
    (0, 12, 16)
    """
    return hour % 12 + (12 if half[:1].casefold() == "p" else 0)


def locomo(text: str) -> Read:
    """Return the time of `4:05 pm on 2 March, 2021`."""
    found = _LOCOMO.search(text)
    month = MONTHS.get(found[5].casefold()) if found else None
    if not found or month is None:
        return iso(text, TimeSource.SESSION) or missing(text)
    clock = hour_of(int(found[1]), found[3]), int(found[2])
    return local((int(found[6]), month, int(found[4])), clock, text, TimeSource.SESSION)


def slashed(text: str, source: TimeSource = TimeSource.SESSION) -> Read:
    """Return the time of `2021/03/02 (Tue) 16:05`; without a clock time it is a day."""
    found = _SLASHED.fullmatch(text.strip())
    if not found:
        return iso(text, source) or missing(text)
    day = (int(found[1]), int(found[2]), int(found[3]))
    if found[4] is None:
        read = local(day, (0, 0), text, source)
        return replace(read, said=as_day(read.said))
    return local(day, (int(found[4]), int(found[5])), text, source)


def as_day(said: SaidTime) -> SaidTime:
    """Return the time with the precision of a day, where it has any."""
    return said if said.at is None else replace(said, precision=Precision.DAY)


# ---------------------------------------------------------------- day and month order

Parts = tuple[int, int, int]
"""The three numbers of a date, in the order of the file."""

PLACES = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2), "ydm": (0, 2, 1)}


def _placed(parts: Parts, order: str) -> date | None:
    year, month, day = (parts[i] for i in PLACES[order])
    if year < 100:
        year += 1900 if year >= 70 else 2000
    try:
        return date(year, month, day)
    except ValueError:
        return None


def placed(parts: Parts, order: str) -> date | None:
    """Return the date under that order; a year in front wins over it; None where impossible.

    >>> placed((2, 3, 21), "dmy"), placed((2, 3, 21), "mdy"), placed((2021, 3, 2), "dmy")
    (datetime.date(2021, 3, 2), datetime.date(2021, 2, 3), datetime.date(2021, 3, 2))
    """
    return _placed(parts, "ymd" if parts[0] > 31 else order)


@dataclass(frozen=True, slots=True)
class Decided:
    """The order of a file, and whether another one would do as well."""

    order: DateOrder
    ambiguous: bool = False


def _back(days: Sequence[date]) -> int:
    return sum(b < a for a, b in itertools.pairwise(days))


def date_order(dates: Sequence[Parts], *, twelve: bool, slash: bool, forced: str = "") -> Decided:
    """Return the one order of day and month in which all dates of a file are read.

    Rules, in this order: year first; a number above 12; fewer steps back; the smaller span; the
    clock. `twelve` and `slash` tell of a 12-hour clock and of `/` between the numbers.
    """
    if not dates:
        return Decided(DateOrder())
    dates = [d for d in dates if d[0] <= 31] or dates
    readings = tuple(f"{o}: {placed(dates[0], o) or 'impossible'}" for o in ("dmy", "mdy"))
    if forced:
        return Decided(DateOrder(forced, "user", readings))
    if all(d[0] > 31 for d in dates):
        return Decided(DateOrder("ymd", "year first", readings))
    rule, order, unsure = _by_numbers(dates, twelve=twelve, slash=slash)
    return Decided(DateOrder(order, rule, readings), unsure)


def _by_numbers(dates: Sequence[Parts], *, twelve: bool, slash: bool) -> tuple[str, str, bool]:
    fits = {o: [d for d in (placed(p, o) for p in dates) if d] for o in ("dmy", "mdy")}
    first, second = len(fits["dmy"]), len(fits["mdy"])
    if first != second:
        return "a number above 12", "dmy" if first > second else "mdy", False
    back = {o: _back(days) for o, days in fits.items()}
    if back["dmy"] != back["mdy"]:
        return "fewer steps back in time", min(back, key=lambda o: back[o]), False
    span = {o: (max(days) - min(days)).days if days else 0 for o, days in fits.items()}
    if span["dmy"] != span["mdy"]:
        return "the smaller span", min(span, key=lambda o: span[o]), True
    return "the clock", "mdy" if twelve and slash else "dmy", True


def of_session(started: SaidTime) -> SaidTime:
    """Return the time of a session as that of its turns, which have none of their own."""
    if started.at is None:
        return replace(started, source=None)
    return replace(started, precision=Precision.SESSION, source=TimeSource.SESSION)
