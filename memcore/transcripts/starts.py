"""When a call began, and what its offsets and clock times then mean.

The user's entry comes first, then a date in the head lines, then one in the file's name; without
any of them the date stays missing, and the report asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memcore.transcripts import dates, written
from memcore.transcripts.codes import Warn
from memcore.transcripts.notes import Notes
from memcore.types import Precision, SaidTime, TimeKind, TimeSource

_UTC = re.compile(r"GMT(\d{8})-(\d{6})")
_COMPACT = re.compile(r"(?<!\d)(\d{8})[_T-](\d{6})(?!\d)")
_DASHED = re.compile(
    r"(?<!\d)(\d{4}-\d\d-\d\d)(?:[ _T]+(?:at )?(\d\d)[-.:_h](\d\d)(?:[-.:_](\d\d))?(?!\d))?"
)
_OFFSET = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d\d)(?:[.,](\d{1,6}))?")

NONE = SaidTime()


def start_of(name: str, head: Iterable[str], notes: Notes) -> SaidTime:
    """Return when a call began, missing where nothing tells; the report says what told."""
    found = _of_user(notes) or _of_head(head, notes) or _of_name(name)
    if found is None:
        notes.warn(Warn.NO_DATE)
        return NONE
    if found.source is not None:
        notes.start_source = found.source.value
    return found


def _of_user(notes: Notes) -> SaidTime | None:
    if not notes.options.start:
        return None
    read = written.read_date(notes.options.start, "dmy", TimeSource.USER)
    return None if read is None or read.said.at is None else read.said


def _of_head(head: Iterable[str], notes: Notes) -> SaidTime | None:
    for line in head:
        order = notes.options.date_order
        read = written.read_date(line.strip(" #*-=\t"), order, TimeSource.HEAD)
        if read is not None and read.said.at is not None:
            return read.said
    return None


def _of_name(name: str) -> SaidTime | None:
    for pattern, kind in ((_UTC, TimeKind.AWARE), (_COMPACT, TimeKind.LOCAL)):
        found = pattern.search(name)
        if found:
            return _compact(found[1] + found[2], found[0], kind)
    dashed = _DASHED.search(name)
    if not dashed:
        return None
    day, hour, minute, second = dashed.groups()
    clock = f" {hour}:{minute}" + (f":{second}" if second else "") if hour else ""
    read = dates.iso(day + clock, TimeSource.FILE_NAME)
    if read is None or read.said.at is None:
        return None
    return replace(read.said, original=dashed[0])


def _compact(digits: str, original: str, kind: TimeKind) -> SaidTime | None:
    try:
        at = datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    offset = 0 if kind is TimeKind.AWARE else None
    return SaidTime(at, original, kind, offset, Precision.SECOND, TimeSource.FILE_NAME)


# ---------------------------------------------------------------- offsets


def seconds_of(text: str) -> float | None:
    """Return the seconds of an offset such as `3:12` or `00:03:12.500`.

    >>> seconds_of("3:12"), seconds_of("01:00:00.5"), seconds_of("noon")
    (192.0, 3600.5, None)
    """
    found = _OFFSET.fullmatch(text.strip())
    if not found:
        return None
    hours, minutes, seconds = int(found[1] or 0), int(found[2]), int(found[3])
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{found[4] or 0}")


def at_offset(start: SaidTime, original: str) -> SaidTime:
    """Return the time of an offset: an offset still, where the start is not known.

    A start that is a day alone gives its turns the day alone.
    """
    seconds = seconds_of(original)
    if start.at is None or seconds is None:
        return SaidTime(None, original, TimeKind.OFFSET)
    if start.precision is Precision.DAY:
        return replace(start, original=original)
    try:
        at = start.at + timedelta(seconds=seconds)
    except OverflowError:
        return SaidTime(None, original, TimeKind.OFFSET)
    whole = Precision.SECOND if seconds == int(seconds) else Precision.MS
    precision = Precision.MINUTE if start.precision is Precision.MINUTE else whole
    return replace(start, at=at, original=original, precision=precision)


# ---------------------------------------------------------------- clock times


@dataclass(slots=True)
class Clocks:
    """Clock times of one talk in their order; a jump back of over 12 hours is the next day."""

    start: SaidTime
    days: int = 0
    last: int = -1

    def at(self, text: str) -> SaidTime:
        """The time of a clock time: a clock time still, where the date is not known."""
        clock = written.clock_of(text)
        if clock is None or self.start.at is None:
            return SaidTime(None, text, TimeKind.CLOCK if clock else TimeKind.MISSING)
        minute = clock.hour * 60 + clock.minute
        if self.last - minute > 12 * 60:
            self.days += 1
        self.last = minute
        day = (self.start.at + timedelta(days=self.days)).date()
        return written.at_clock(day, clock, text, self.start.source or TimeSource.TURN)
