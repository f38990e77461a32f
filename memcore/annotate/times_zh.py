"""Chinese time expressions and what they mean, rule by rule.

As in English, only words that name a time: no bare numbers, no durations (三天), no repeated times
(每周三). 上周 is the calendar week before; 前几天 is two to five days back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from memcore.annotate import intervals
from memcore.annotate.holidays import HOLIDAYS, holiday, near
from memcore.annotate.intervals import hull
from memcore.annotate.rule import Affix, Grammar, Rule, Scene
from memcore.types import Grain, Interval

_DIGITS: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_N: Final = r"(?P<n>\d{1,4}|[一二两三四五六七八九十]{1,3}|几|好几)"
_FEW: Final = (2, 5)
"""How many 几 may be."""


def number(text: str) -> int:
    """Return the number that Arabic or Chinese digits below 100 write.

    >>> number("12"), number("十二"), number("二十"), number("两"), number("三十一")
    (12, 12, 20, 2, 31)
    """
    if text.isdecimal():
        return int(text)
    if "十" not in text:
        return int("".join(str(_DIGITS[c]) for c in text))
    tens, ones = text.split("十", 1)
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0)


def _counts(text: str) -> tuple[int, int]:
    return _FEW if "几" in text else (number(text), number(text))


_SHIFTS: Final[dict[str, Callable[[datetime, int], Interval]]] = {
    "天": intervals.day,
    "日": intervals.day,
    "周": intervals.week,
    "星期": intervals.week,
    "礼拜": intervals.week,
    "月": intervals.month,
    "年": lambda at, n: intervals.year(at.year + n),
}
_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1,
    "后天": 2, "大后天": 3,
}  # fmt: skip
_YEARS: Final = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_WEEKDAYS: Final = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_PARTS: Final = {
    "早上": "morning", "早晨": "morning", "上午": "morning", "中午": "afternoon",
    "下午": "afternoon", "傍晚": "evening", "晚上": "evening", "晚": "evening",
}  # fmt: skip
_WEEK: Final = r"(?:周|星期|礼拜)"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d|[一二][零〇一二三四五六七八九]{3})年"
_MONTH: Final = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_DAY: Final = (
    r"(?P<day>[12]\d|3[01]|0?[1-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
)
_FEAST: Final = rf"(?P<feast>{'|'.join(sorted((h for h in HOLIDAYS if not h.isascii()), key=lambda h: -len(h)))})"


def _year_number(match: re.Match[str]) -> int:
    return int("".join(c if c.isdecimal() else str(_DIGITS[c]) for c in match["year"]))


def _date(year: int, match: re.Match[str]) -> Interval:
    month = intervals.months(year, number(match["month"]), 1, Grain.MONTH)
    return intervals.day(month.start.replace(day=number(match["day"])))


def _full_date(match: re.Match[str], _scene: Scene) -> Interval:
    return _date(_year_number(match), match)


def _month_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.months(_year_number(match), number(match["month"]), 1, Grain.MONTH)


def _year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.year(_year_number(match))


def _season_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return intervals.season(_SEASONS[match["season"]], _year_number(match))


def _feast_of_year(match: re.Match[str], _scene: Scene) -> Interval:
    return holiday(match["feast"], _year_number(match))


def _named_year(match: re.Match[str], scene: Scene) -> int:
    return scene.moment.year + _YEARS[match["which"]]


def _date_of_named_year(match: re.Match[str], scene: Scene) -> Interval:
    return _date(_named_year(match, scene), match)


def _month_of_named_year(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.months(_named_year(match, scene), number(match["month"]), 1, Grain.MONTH)


def _season_of_named_year(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.season(_SEASONS[match["season"]], _named_year(match, scene))


def _feast_of_named_year(match: re.Match[str], scene: Scene) -> Interval:
    return holiday(match["feast"], _named_year(match, scene))


def _whole_named_year(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.year(_named_year(match, scene))


def _last_begun(scene: Scene, make: Callable[[int], Interval]) -> Interval | None:
    """Return the last begun of like intervals a year, or the next to come."""
    near_years = tuple(make(scene.moment.year + n) for n in (-1, 0, 1))
    if scene.future:
        return next((i for i in near_years if i.end > scene.moment), None)
    return next((i for i in reversed(near_years) if i.start <= scene.moment), None)


def _date_of_no_year(match: re.Match[str], scene: Scene) -> Interval | None:
    return _last_begun(scene, lambda year: _date(year, match))


def _month(match: re.Match[str], scene: Scene) -> Interval | None:
    first = number(match["month"])
    return _last_begun(scene, lambda year: intervals.months(year, first, 1, Grain.MONTH))


def _feast(match: re.Match[str], scene: Scene) -> Interval:
    candidates = near(match["feast"], scene.moment)
    return min(candidates, key=lambda i: (abs(i.start - scene.moment), i))


def _ago(match: re.Match[str], scene: Scene) -> Interval:
    sign = 1 if match["side"] in ("后", "之后", "以后") else -1
    shift = _SHIFTS[match["unit"]]
    low, high = _counts(match["n"])
    return hull((shift(scene.moment, sign * low), shift(scene.moment, sign * high)))


def _hours_ago(match: re.Match[str], scene: Scene) -> Interval:
    if not scene.fine:
        return intervals.day(scene.moment)
    low, high = _counts(match["n"])
    hour = timedelta(hours=1)
    at = scene.moment.replace(minute=0, second=0, microsecond=0)
    return Interval(at - high * hour, at - low * hour + hour, Grain.HOUR)


def _few_days_before(_match: re.Match[str], scene: Scene) -> Interval:
    low, high = _FEW
    return hull((intervals.day(scene.moment, -high), intervals.day(scene.moment, -low)))


def _day_word(match: re.Match[str], scene: Scene) -> Interval:
    return intervals.day(scene.moment, _DAYS[match["word"]])


def _short_part(match: re.Match[str], scene: Scene) -> Interval:
    shift, part = {"昨": -1, "今": 0, "明": 1}[match["word"]], match["part"]
    name = "evening" if part == "晚" else "morning"
    return intervals.part_of_day(name, intervals.day(scene.moment, shift))


_WHICH: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}


def _weekday(match: re.Match[str], scene: Scene) -> Interval:
    week = intervals.week(scene.moment, _WHICH[match["which"]])
    if match["weekday"] == "末":
        return intervals.weekend(week.start)
    return intervals.day(week.start, _WEEKDAYS[match["weekday"]])


def _bare_weekday(match: re.Match[str], scene: Scene) -> Interval:
    move = intervals.weekday_after if scene.future else intervals.weekday_before
    return move(scene.moment, _WEEKDAYS[match["weekday"]])


def _unit(match: re.Match[str], scene: Scene) -> Interval:
    return _SHIFTS[match["unit"]](scene.moment, _WHICH[match["which"]])


def _suffix_part(match: re.Match[str], interval: Interval, _scene: Scene) -> Interval | None:
    return intervals.part_of_day(_PARTS[match["part"]], interval) if _one_day(interval) else None


def _one_day(interval: Interval) -> bool:
    return interval == intervals.day(interval.start)


_NAMED_YEAR: Final = rf"(?P<which>{'|'.join(_YEARS)})的?"
_SEASON: Final = r"(?P<season>[春夏秋冬])[天季]"

RULES: Final = tuple(
    Rule(re.compile(pattern), resolve, absolute=absolute)
    for pattern, resolve, absolute in (
        (rf"{_YEAR}\s*{_MONTH}\s*{_DAY}", _full_date, True),
        (r"(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
         _full_date, True),
        (rf"{_YEAR}\s*的?{_FEAST}", _feast_of_year, True),
        (rf"{_YEAR}\s*{_MONTH}", _month_of_year, True),
        (rf"{_YEAR}\s*的?{_SEASON}", _season_of_year, True),
        (_YEAR, _year, True),
        (rf"{_NAMED_YEAR}{_MONTH}\s*{_DAY}", _date_of_named_year, False),
        (rf"{_NAMED_YEAR}{_FEAST}", _feast_of_named_year, False),
        (rf"{_NAMED_YEAR}{_MONTH}", _month_of_named_year, False),
        (rf"{_NAMED_YEAR}{_SEASON}", _season_of_named_year, False),
        (rf"(?P<which>{'|'.join(_YEARS)})", _whole_named_year, False),
        (rf"(?<!\d){_MONTH}\s*{_DAY}", _date_of_no_year, False),
        (rf"{_N}个?(?P<unit>天|周|星期|礼拜|月|年)(?P<side>之前|以前|前|之后|以后|后)", _ago, False),
        (rf"{_N}个?(?:小时|钟头)(?:之前|以前|前)", _hours_ago, False),
        (r"(?:前几天|前些天|前两天|前阵子)", _few_days_before, False),
        (rf"(?P<word>{'|'.join(sorted(_DAYS, key=lambda w: -len(w)))})", _day_word, False),
        (r"(?P<word>[昨今明])(?P<part>晚|早|晨)(?:上)?", _short_part, False),
        (rf"(?P<which>上上|下下|上|这|本|下)个?{_WEEK}(?P<weekday>[一二三四五六日天末])(?!前|后)",
         _weekday, False),
        (r"(?P<which>上上|下下|上|这|本|下)个?(?P<unit>周|星期|礼拜)", _unit, False),
        (r"(?P<which>上上|下下|上|这|本|下)个?(?P<unit>月)", _unit, False),
        (rf"(?<![每个各]){_WEEK}(?P<weekday>[一二三四五六日])(?![周个])", _bare_weekday, False),
        (rf"(?<![\d一二三四五六七八九十个]){_MONTH}(?![饼球])", _month, False),
        (rf"(?<![每过]){_FEAST}(?!节|晚会|树|礼物|贺卡)", _feast, False),
    )
)  # fmt: skip

SUFFIXES: Final = (
    Affix(re.compile(rf"的?(?P<part>{'|'.join(_PARTS)})(?![饭餐会安宴])"), _suffix_part),
)

LATER: Final = re.compile("将|打算|计划|准备|要去|要在|会去|会在|即将|期待|希望")

_PRESENT: Final = re.compile(
    "[去来要会回考见搬办开飞]|出发|参加|举[行办]|毕业|结婚|上[班学任]|入职|到(?!了|过)|有[个一场]?.{0,6}[会赛试展]"
)
"""Verbs that, with no mark of the past in the clause, speak of the next such time."""
_PAST: Final = re.compile(
    "[了过曾刚]|已经|去年|前年|以来|以后一直|当时|那[时年]|上[个次周]|的$|从.+起"
)

GRAMMAR: Final = Grammar(RULES, (), SUFFIXES, LATER, _PRESENT, _PAST)
