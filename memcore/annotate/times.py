"""Time expressions of a text, resolved to intervals against the time of the talk.

Own rules come first; dateparser reads only spans that the entity recogniser calls a date, that the
rules left, and that hold the name of a month or day. It is asked for one language, since guessing
costs a hundredfold, and its search over whole texts is never used: it finds dates in "may", "we"
and "a second". A text without a time of talk yields absolute expressions only; nothing ever
resolves against the day on which the code runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from memcore.annotate import intervals, times_en, times_zh
from memcore.annotate.languages import CHINESE
from memcore.annotate.rule import Scene, find
from memcore.types import Interval, Precision, SaidTime, TimeExpression, TimeKind

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

_FINE: Final = (Precision.US, Precision.MS, Precision.SECOND, Precision.MINUTE, None)
_NO_CALENDAR: Final = (TimeKind.OFFSET, TimeKind.CLOCK)
_ABSOLUTE: Final = re.compile(r"\b(?:19|20)\d\d\b")
_NAMED: Final = re.compile(
    rf"\b(?:{'|'.join(times_en.MONTHS)}|(?:{'|'.join(times_en.WEEKDAYS)})\b|\d+[/.]\d+[/.]\d+)",
    re.IGNORECASE,
)
_REPEATED: Final = re.compile(r"\b(?:every|each|all|daily|weekly|monthly|yearly)\b|days\b", re.I)
_AMBIGUOUS: Final = re.compile(r"^(?:may|march|april|june|august)$", re.IGNORECASE)


def scene_of(said: SaidTime) -> Scene:
    """Return the moment of the talk as wall time; none for a mere offset or clock time."""
    if said.at is None or said.kind in _NO_CALENDAR:
        return Scene(None)
    return Scene(said.at + timedelta(minutes=said.offset or 0), said.precision in _FINE)


def resolve(text: str, scene: Scene, language: str) -> tuple[TimeExpression, ...]:
    """Return the time expressions that the rules of a language find, by start.

    >>> scene = Scene(datetime(2023, 5, 8, 13, 56, tzinfo=UTC))
    >>> [str(t.interval.start.date()) for t in resolve("I ran yesterday.", scene, "en")]
    ['2023-05-07']
    """
    grammar = times_zh.GRAMMAR if language == CHINESE else times_en.GRAMMAR
    return tuple(find(grammar, text, scene))


def leftover(
    text: str, spans: Sequence[tuple[int, int]], found: Sequence[TimeExpression], scene: Scene
) -> tuple[TimeExpression, ...]:
    """Return `found` with what dateparser makes of the date spans that the rules left, by start."""
    added = [
        TimeExpression(start, end, interval)
        for start, end in spans
        if not any(start < t.end and t.start < end for t in found)
        and (interval := _parsed(text[start:end], scene))
    ]
    return tuple(sorted((*found, *added)))


def _parsed(text: str, scene: Scene) -> Interval | None:
    if not _NAMED.search(text) or _REPEATED.search(text) or _AMBIGUOUS.search(text):
        return None
    year = _ABSOLUTE.search(text)
    if scene.at is None and not year:
        return None
    base = scene.at or datetime(int(year[0]), 1, 1) if year else scene.at  # noqa: DTZ001 - a wall time
    parsed = _parser(base.replace(tzinfo=None)).get_date_data(text) if base else None
    if parsed is None or parsed.date_obj is None:
        return None
    shift = _PERIODS.get(parsed.period)
    return shift(parsed.date_obj.replace(tzinfo=UTC)) if shift else None


_PERIODS: Final = {
    "day": intervals.day,
    "time": intervals.day,
    "week": intervals.week,
    "month": intervals.month,
    "year": lambda at: intervals.year(at.year),
}


@cache
def _parser(base: datetime) -> DateDataParser:
    from dateparser.date import DateDataParser

    return DateDataParser(
        languages=["en"],
        settings={"RELATIVE_BASE": base, "PREFER_DATES_FROM": "past", "TIMEZONE": "UTC"},
    )
