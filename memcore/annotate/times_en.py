"""English time expressions and what they mean, rule by rule.

Only words that name a time are here. Bare numbers, ordinals ("the 3rd"), durations ("two weeks",
"the last few months") and repeated times ("every Friday", "Fridays") never resolve, nor do "may",
"march" or "second" without a word that makes them a date. What is vague becomes an interval:
"a few days ago" is two to five days back. "Last week" is the calendar week before; "the week
before X" the seven days before it; "since X" runs from X to the moment of the talk.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from memcore.annotate import intervals
from memcore.annotate.holidays import HOLIDAYS, holiday, near
from memcore.annotate.intervals import DAY, WEEK, hull
from memcore.annotate.rule import Affix, Grammar, Rule, Scene
from memcore.types import Grain, Interval

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_COUNTS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2,
}  # fmt: skip
_FEW: Final = (2, 5)
"""How many "a few" and "several" may be."""
_NTH: Final = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "last": -1, "final": -1,
}  # fmt: skip

_N: Final = (
    r"(?P<n>\d{1,4}|an?\s+couple(?:\s+of)?|couple(?:\s+of)?|(?:a\s+)?few|several|an?|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_SHORT_WEEKDAY: Final = r"(?P<weekday>mon|tues?|wed|thu(?:rs?)?|fri)"
"""Sat and Sun are left out: they are words too."""
_MONTH: Final = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    r"(?:(?:(?<=\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec))|(?<=\bsept))\.)?"
)
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)\b"
_DATE: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_SEASON: Final = r"(?P<season>spring|summer|autumn|fall|winter)"
_IN: Final = r"\b(?:in|since|during|by|until|till|before|after|from|of|around|throughout)\s+"
_HOLIDAY: Final = (
    r"(?P<holiday>christmas\s+eve|christmas(?:\s+day)?|xmas|boxing\s+day|new\s+year['\u2019]?s\s+eve"
    r"|new\s+year(?:['\u2019]?s)?(?:\s+day)?|valentine['\u2019]?s(?:\s+day)?"
    r"|st\.?\s+patrick['\u2019]?s(?:\s+day)?|easter(?:\s+sunday)?|mother['\u2019]?s\s+day"
    r"|father['\u2019]?s\s+day|memorial\s+day|independence\s+day|(?:4th|fourth)\s+of\s+july"
    r"|labou?r\s+day|halloween|thanksgiving(?:\s+day)?)"
)
_PLAIN_HOLIDAY: Final = r"(?P<holiday>(?:christmas|new\s+year['\u2019]?s)\s+eve)"
"""Feasts that name a day even without a preposition."""


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _month_number(match: re.Match[str]) -> int:
    name = match["month"].casefold()[:3]
    return next(i for i, m in enumerate(MONTHS, 1) if m.startswith(name))


def _weekday_number(match: re.Match[str]) -> int:
    name = match["weekday"].casefold()[:3]
    return next(i for i, w in enumerate(WEEKDAYS) if w.startswith(name))


def _count(words: str) -> tuple[int, int]:
    """Return the least and the greatest number that the words may stand for."""
    found = words.casefold()
    if "few" in found or "several" in found:
        return _FEW
    number = 2 if "couple" in found else _COUNTS.get(found) or int(found)
    return number, number


# ------------------------------------------------------------ moving by units

_SHIFTS: Final[dict[str, Callable[[datetime, int], Interval]]] = {
    "day": intervals.day,
    "night": lambda at, n: intervals.part_of_day("night", intervals.day(at, n)),
    "week": intervals.week,
    "weekend": intervals.weekend,
    "month": intervals.month,
    "year": lambda at, n: intervals.year(at.year + n),
    "decade": lambda at, n: intervals.year(at.year + 10 * n),
}
_UNIT: Final = r"(?P<unit>day|night|week|weekend|month|year|decade)"


def _moved(match: re.Match[str], scene: Scene, sign: int) -> Interval:
    shift = _SHIFTS[match["unit"].casefold()]
    low, high = _count(match["n"])
    return hull((shift(scene.moment, sign * low), shift(scene.moment, sign * high)))


def _ago(match: re.Match[str], scene: Scene) -> Interval:
    return _moved(match, scene, -1)


def _ahead(match: re.Match[str], scene: Scene) -> Interval | None:
    # "In two weeks" is a duration ("she learnt it in two weeks") unless the talk is of later.
    said = "from now" in match[0].casefold() or scene.future
    return _moved(match, scene, 1) if said else None


def _hours_ago(match: re.Match[str], scene: Scene) -> Interval:
    if not scene.fine:
        return intervals.day(scene.moment)
    low, high = _count(match["n"])
    hours = match["clock"].casefold() == "hour"
    unit, grain = (
        (timedelta(hours=1), Grain.HOUR) if hours else (timedelta(minutes=1), Grain.MINUTE)
    )
    at = scene.moment.replace(second=0, microsecond=0)
    at = at.replace(minute=0) if hours else at
    return Interval(at - high * unit, at - low * unit + unit, grain)


def _weekdays_ago(match: re.Match[str], scene: Scene) -> Interval:
    nearest = intervals.weekday_before(scene.moment, _weekday_number(match))
    return intervals.day(nearest.start, -7 * (_count(match["n"])[0] - 1))


# ------------------------------------------------------------ words for days and units

_DAYS: Final = {"today": 0, "yesterday": -1, "tomorrow": 1}
_WHICH: Final = {"last": -1, "this": 0, "next": 1, "this past": -1, "past": -1, "following": 1,
                 "this coming": 1, "coming": 1, "previous": -1}  # fmt: skip


def _which(match: re.Match[str]) -> str:
    return " ".join(match["which"].casefold().split())


def _day_word(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.day(scene.moment, _DAYS[match[0].casefold()])


def _two_days(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.day(scene.moment, -2 if "yesterday" in match[0].casefold() else 2)


def _night(match: re.Match[str], scene: Scene) -> Interval:
    shift = -1 if "last" in match[0].casefold() else 0
    return intervals.part_of_day("night", intervals.day(scene.moment, shift))


def _this_part(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.part_of_day(match["part"].casefold(), intervals.day(scene.moment))


def _unit(match: re.Match[str], scene: Scene) -> Interval:
    unit, which = match["unit"].casefold(), _which(match)
    if (which, unit) == ("this past", "week"):
        today = intervals.midnight(scene.moment)
        return Interval(today - WEEK, today, Grain.WEEK)
    return _SHIFTS[unit](scene.moment, _WHICH[which])


def _before_last(match: re.Match[str], scene: Scene) -> Interval:
    return _SHIFTS[match["unit"].casefold()](scene.moment, -2)


def _weekday(match: re.Match[str], scene: Scene) -> Interval:
    number, which = _weekday_number(match), _which(match)
    if which == "this":
        return intervals.day(intervals.week(scene.moment).start, number)
    if which == "next":
        return intervals.day(intervals.week(scene.moment, 1).start, number)
    move = intervals.weekday_before if _WHICH[which] < 0 else intervals.weekday_after
    return move(scene.moment, number)


def _bare_weekday(match: re.Match[str], scene: Scene) -> Interval:
    move = intervals.weekday_after if scene.future else intervals.weekday_before
    return move(scene.moment, _weekday_number(match))


def _other_day(_match: re.Match[str], scene: Scene) -> Interval:
    today = intervals.midnight(scene.moment)
    return Interval(today - WEEK, today, Grain.WEEK)


# ------------------------------------------------------------ months, seasons, years, dates


def _nearest(candidates: tuple[Interval, ...], scene: Scene, *, which: str = "") -> Interval | None:
    """Return the one meant among like intervals in order: the last begun, or the next to come."""
    at = scene.moment
    if which == "this":
        return next((i for i in candidates if i.start.year == at.year), None)
    if which in ("last", "past", "this past", "previous"):
        return next((i for i in reversed(candidates) if i.end <= intervals.midnight(at)), None)
    if which in ("next", "coming", "this coming", "following"):
        return next((i for i in candidates if i.start > at), None)
    if scene.future:
        return next((i for i in candidates if i.end > at), None)
    return next((i for i in reversed(candidates) if i.start <= at), None)


def _around(scene: Scene, make: Callable[[int], Interval]) -> tuple[Interval, ...]:
    years = range(scene.moment.year - 1, scene.moment.year + 2)
    return tuple(make(y) for y in years)


def _month(match: re.Match[str], scene: Scene) -> Interval | None:
    number = _month_number(match)
    which = _which(match) if "which" in match.groupdict() else ""
    months = _around(scene, lambda y: intervals.months(y, number, 1, Grain.MONTH))
    return _nearest(months, scene, which=which)


def _season(match: re.Match[str], scene: Scene) -> Interval | None:
    name = match["season"].casefold()
    which = _which(match) if "which" in match.groupdict() else ""
    return _nearest(_around(scene, lambda y: intervals.season(name, y)), scene, which=which)


def _month_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.months(int(match["year"]), _month_number(match), 1, Grain.MONTH)


def _season_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.season(match["season"].casefold(), int(match["year"]))


def _year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.year(int(match["year"]))


def _date(year: int, month: int, number: int) -> Interval:
    start = intervals.months(year, month, 1, Grain.MONTH).start
    return intervals.day(start.replace(day=number))


def _full_date(match: re.Match[str], _scene: Scene) -> Interval:
    return _date(int(match["year"]), _month_number(match), int(match["day"]))


def _iso_date(match: re.Match[str], _scene: Scene) -> Interval:
    return _date(int(match["year"]), int(match["number"]), int(match["day"]))


def _slashed_date(match: re.Match[str], _scene: Scene) -> Interval:
    first, second = int(match["first"]), int(match["second"])
    month, number = (second, first) if first > 12 else (first, second)
    return _date(int(match["year"]), month, number)


def _date_of_no_year(match: re.Match[str], scene: Scene) -> Interval | None:
    month, number = _month_number(match), int(match["day"])
    dates = tuple(d for d in (_leap_safe(y, month, number) for y in _leap_years(scene)) if d)
    return _nearest(dates, scene)


def _leap_years(scene: Scene) -> range:
    return range(scene.moment.year - 8, scene.moment.year + 9)


def _leap_safe(year: int, month: int, number: int) -> Interval | None:
    if (month, number) == (2, 29) and (year % 4 or (year % 100 == 0 and year % 400)):
        return None
    return _date(year, month, number)


# ------------------------------------------------------------ feasts


def _letters(name: str) -> str:
    # Without blanks, marks and every "s", "New Years Eve" and "new year's eve" are one.
    folded = name.casefold().replace("xmas", "christmas").replace("labour", "labor")
    return re.sub(r"[^a-z0-9]|s", "", folded)


_BY_LETTERS: Final = sorted(
    ((_letters(h), h) for h in HOLIDAYS if h.isascii()), key=lambda pair: -len(pair[0])
)


def _holiday_name(match: re.Match[str]) -> str:
    letters = _letters(match["holiday"])
    return next(name for known, name in _BY_LETTERS if letters.startswith(known))


def _holiday_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return holiday(_holiday_name(match), int(match["year"]))


def _holiday(match: re.Match[str], scene: Scene) -> Interval | None:
    return _nearest(near(_holiday_name(match), scene.moment), scene, which=_which(match))


def _close_holiday(match: re.Match[str], scene: Scene) -> Interval:
    # "For Christmas" means the one at hand, be it past or to come.
    return min(
        near(_holiday_name(match), scene.moment), key=lambda i: (abs(i.start - scene.moment), i)
    )


# ------------------------------------------------------------ parts of a stretch

_PARTS: Final = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}


def _third(of: Interval, part: int) -> Interval:
    """Return the first, middle or last third of a stretch, in whole days (months: to 10, to 20)."""
    days = (of.end - of.start) // DAY
    cuts = (0, 10, 20, days) if of.grain is Grain.MONTH else (0, days // 3, 2 * days // 3, days)
    grain = Grain.WEEK if of.grain is Grain.MONTH else _FINER.get(of.grain, Grain.DAY)
    return Interval(of.start + cuts[part] * DAY, of.start + cuts[part + 1] * DAY, grain)


_FINER: Final = {Grain.YEAR: Grain.SEASON, Grain.SEASON: Grain.MONTH, Grain.WEEK: Grain.DAY}


def _part_of_current(match: re.Match[str], scene: Scene) -> Interval:
    part = _PARTS[match["third"].casefold()]
    return _third(_SHIFTS[match["unit"].casefold()](scene.moment, 0), part)


def _part_of(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval | None:
    if interval.grain not in (Grain.MONTH, Grain.SEASON, Grain.YEAR, Grain.WEEK):
        return None
    return _third(interval, _PARTS[match["third"].casefold()])


def _nth_week(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval | None:
    if interval.grain is not Grain.MONTH:
        return None
    n = _NTH[match["nth"].casefold()]
    start = interval.end - WEEK if n < 0 else interval.start + (n - 1) * WEEK
    return Interval(start, start + WEEK, Grain.WEEK)


def _nth_weekday(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval | None:
    if interval.grain is not Grain.MONTH:
        return None
    n, name = _NTH[match["nth"].casefold()], match["weekday"].casefold()
    number = 5 if name == "weekend" else WEEKDAYS.index(name)
    if n < 0:
        found = intervals.weekday_before(interval.end, number)
    else:
        found = intervals.day(
            intervals.weekday_after(interval.start - DAY, number).start, 7 * (n - 1)
        )
    if found.start >= interval.end:
        return None
    return Interval(found.start, found.end + DAY, Grain.DAY) if name == "weekend" else found


def _beside(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval:
    """Return the day, week, weekend, month or year before or after a time."""
    unit, before = match["unit"].casefold(), match["side"].casefold() == "before"
    if unit == "week":
        start = interval.start - WEEK if before else interval.end
        return Interval(start, start + WEEK, Grain.WEEK)
    if unit == "weekend":
        saturday = _weekday_beside(interval, 5, before=before)
        return Interval(saturday.start, saturday.end + DAY, Grain.DAY)
    if before:
        return _SHIFTS[unit](interval.start, -1)
    return _SHIFTS[unit](interval.end - DAY, 1)


def _weekday_beside(interval: Interval, number: int, *, before: bool) -> Interval:
    if before:
        return intervals.weekday_before(interval.start, number)
    return intervals.weekday_after(interval.end - DAY, number)


def _weekday_near(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval:
    before = match["side"].casefold() == "before"
    return _weekday_beside(interval, _weekday_number(match), before=before)


def _units_beside(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval:
    sign = -1 if match["side"].casefold() == "before" else 1
    edge = interval.start if sign < 0 else interval.end - DAY
    shift = _SHIFTS[match["unit"].casefold()]
    low, high = _count(match["n"])
    return hull((shift(edge, sign * low), shift(edge, sign * high)))


def _week_of(_match: re.Match[str], interval: Interval, _scene: Scene) -> Interval:
    return intervals.week(interval.start)


def _since(_match: re.Match[str], interval: Interval, scene: Scene) -> Interval | None:
    if scene.at is None or scene.at < interval.end:
        return None
    return Interval(interval.start, intervals.day(scene.at).end, interval.grain)


def _suffix_part(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval | None:
    if interval.grain is not Grain.DAY or interval.end - interval.start != DAY:
        return None
    return intervals.part_of_day(match["part"].casefold(), interval)


# ------------------------------------------------------------ the tables

_WHICH_WORD: Final = (
    r"(?<!the\s)\b(?P<which>this\s+past|this\s+coming|last|this|next|coming|past)\s+"
)
_PART_WORD: Final = r"(?P<part>morning|afternoon|evening|night)"
_PLAIN_MONTH: Final = r"(?P<month>january|february|july|september|october|november|december)"
_ANY_MONTH: Final = rf"(?P<month>{'|'.join(MONTHS)})"

RULES: Final = (
    # Dates that need no moment.
    Rule(_re(rf"\b{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b"), _iso_date, absolute=True),
    Rule(
        _re(rf"(?<![\d/])(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_YEAR}"), _slashed_date, absolute=True
    ),
    Rule(
        _re(rf"\b(?:{_WEEKDAY},?\s+)?(?:the\s+)?{_DATE}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}"),
        _full_date,
        absolute=True,
    ),
    Rule(
        _re(rf"\b(?:{_WEEKDAY},?\s+)?{_MONTH}\s+(?:the\s+)?{_DATE}(?:,\s*|\s+){_YEAR}"),
        _full_date,
        absolute=True,
    ),
    Rule(_re(rf"\b{_HOLIDAY}(?:,?\s+(?:of\s+|in\s+)?){_YEAR}"), _holiday_of_year, absolute=True),
    Rule(_re(rf"\b{_MONTH}(?:,?\s+(?:of\s+|in\s+)?){_YEAR}"), _month_of_year, absolute=True),
    Rule(_re(rf"\b(?:the\s+)?{_SEASON}(?:,?\s+(?:of\s+|in\s+)?){_YEAR}"), _season_of_year, absolute=True),
    Rule(_re(rf"{_IN}(?:the\s+year\s+)?(?P<at>{_YEAR})"), _year, absolute=True),
    # Days by number and month.
    Rule(_re(r"\b(?P<holiday>(?:4th|fourth)\s+of\s+july)\b"), _close_holiday),
    Rule(_re(rf"\b(?:{_WEEKDAY},?\s+)?(?:the\s+)?{_DATE}\s+(?:of\s+)?{_MONTH}"), _date_of_no_year),
    Rule(
        _re(rf"\b(?:{_WEEKDAY},?\s+)?{_MONTH}\s+(?:the\s+)?{_DATE}\b(?![:\d]|\s*(?:am|pm)\b)"),
        _date_of_no_year,
    ),
    # So many units away.
    Rule(_re(rf"\b{_N}\s+{_UNIT}s?\s+(?:ago|back)\b"), _ago),
    Rule(_re(rf"\b{_N}\s+(?P<clock>hour|minute)s?\s+ago\b"), _hours_ago),
    Rule(_re(rf"\b{_N}\s+{_WEEKDAY}s?\s+ago\b"), _weekdays_ago),
    Rule(_re(rf"\b{_N}\s+{_UNIT}s?\s+from\s+now\b"), _ahead),
    Rule(_re(rf"\bin\s+{_N}\s+{_UNIT}s?\b(?:['\u2019]\s+time)?"), _ahead),
    # Words for days.
    Rule(_re(r"\b(?:the\s+)?day\s+(?:before\s+yesterday|after\s+tomorrow)\b"), _two_days),
    Rule(_re(r"\b(?:today|yesterday|tomorrow)\b"), _day_word),
    Rule(_re(r"\b(?:tonight|last\s+night)\b"), _night),
    Rule(_re(r"\bthis\s+(?P<part>morning|afternoon|evening)\b"), _this_part),
    Rule(_re(r"\bthe\s+other\s+(?:day|night|week)\b"), _other_day),
    # Units around the moment.
    Rule(_re(rf"\b(?:the\s+)?{_UNIT}\s+before\s+last\b"), _before_last),
    Rule(
        _re(
            r"\b(?:the\s+)?(?P<third>beginning|start|middle|end)\s+of\s+(?:the|this)\s+"
            r"(?P<unit>week|month|year)\b"
        ),
        _part_of_current,
    ),
    Rule(
        _re(
            r"(?<!the\s)\b(?P<which>last|this|next|following)\s+(?P<unit>week|month|year)\b"
            r"(?!\s+of\b)"
        ),
        _unit,
    ),
    Rule(_re(r"\b(?P<which>this\s+past|past|last|this|next|this\s+coming|coming)\s+"
             r"(?P<unit>weekend)\b(?!\s+of\b)"), _unit),
    Rule(_re(r"\b(?P<which>this\s+past)\s+(?P<unit>week|month|year)\b"), _unit),
    Rule(_re(rf"{_WHICH_WORD}{_WEEKDAY}\b"), _weekday),
    Rule(_re(rf"{_WHICH_WORD}{_SHORT_WEEKDAY}\b\.?"), _weekday),
    Rule(_re(rf"(?<!every\s)(?<!each\s)(?<!of\s)\b{_WEEKDAY}\b"), _bare_weekday),
    # Feasts, months and seasons.
    Rule(_re(rf"\b{_PLAIN_HOLIDAY}\b"), _close_holiday),
    Rule(_re(rf"\b(?P<which>last|this|next|this\s+past|this\s+coming)\s+{_HOLIDAY}\b"), _holiday),
    Rule(
        _re(
            r"\b(?:on|at|over|for|before|after|since|until|till|by|around|during)\s+"
            rf"(?:the\s+)?(?P<at>{_HOLIDAY})\b(?!\s+(?:tree|gift|present|part|dinner|movie|song))"
        ),
        _close_holiday,
    ),
    Rule(_re(rf"\b(?P<which>last|this|next|this\s+past|this\s+coming)\s+{_ANY_MONTH}\b"), _month),
    Rule(_re(rf"\b(?P<which>last|this|next|this\s+past|this\s+coming)\s+{_SEASON}\b"), _season),
    Rule(_re(rf"\b(?:early|mid|late)[\s-](?:in\s+)?(?P<at>{_ANY_MONTH})\b"), _month),
    Rule(_re(rf"{_IN}(?:(?:early|mid|late)[\s-])?(?P<at>{_ANY_MONTH})\b"), _month),
    Rule(_re(rf"\b{_PLAIN_MONTH}\b"), _month),
    Rule(_re(rf"\b(?:in|during|since)\s+(?:the\s+)?(?P<at>{_SEASON})\b"), _season),
)  # fmt: skip

PREFIXES: Final = (
    Affix(_re(rf"\b(?:the\s+)?(?P<nth>{'|'.join(_NTH)})\s+week\s+(?:of|in)\s+$"),
          _nth_week),
    Affix(_re(rf"\b(?:the\s+)?(?P<nth>{'|'.join(_NTH)})\s+(?P<weekday>{'|'.join(WEEKDAYS)}|weekend)"
              r"\s+(?:of|in)\s+$"), _nth_weekday),
    Affix(_re(r"\b(?:the\s+)?(?P<third>early|mid|late|beginning|start|middle|end)"
              r"(?:\s+of|\s+in)?[\s-]+$"), _part_of),
    Affix(_re(r"\b(?:the\s+)?(?P<unit>day|night|week|weekend|month|year)\s+(?P<side>before|after)"
              r"\s+(?:the\s+)?$"), _beside),
    Affix(_re(rf"\b(?:the\s+)?{_WEEKDAY}\s+(?P<side>before|after)\s+(?:the\s+)?$"), _weekday_near),
    Affix(_re(rf"\b{_N}\s+(?P<unit>day|week|month|year)s?\s+(?P<side>before|after)\s+(?:the\s+)?$"),
          _units_beside),
    Affix(_re(r"\b(?:the\s+)?week\s+of\s+(?:the\s+)?$"), _week_of),
    Affix(_re(r"\b(?:ever\s+)?since\s+(?:the\s+)?$"), _since),
)  # fmt: skip

SUFFIXES: Final = (Affix(_re(rf"\s+{_PART_WORD}\b"), _suffix_part),)

LATER: Final = _re(
    r"\b(?:will|won['\u2019]?t|shall|gonna|going\s+to|plan(?:s|ning)?|hop(?:e|ing)\s+to|upcoming"
    r"|can['\u2019]?t\s+wait|look(?:ing)?\s+forward|excited\s+(?:for|about))\b|['\u2019]ll\b"
)

_BACK: Final = _re(r"\b(?:since|from|back\s+in|ever\s+since)\s+(?:the\s+)?$")

_CUE: Final = re.compile(
    r"\d|day|night|week|month|year|decade|hour|minute|morrow|morning|afternoon|evening"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri)"
    r"|spring|summer|autumn|fall|winter"
    r"|christmas|xmas|new\s+year|valentine|patrick|easter|halloween|thanksgiving",
    re.IGNORECASE,
)
"""Every rule asks for one of these; a test makes texts that fit each rule."""

GRAMMAR: Final = Grammar(RULES, PREFIXES, SUFFIXES, LATER, back=_BACK, cue=_CUE)
