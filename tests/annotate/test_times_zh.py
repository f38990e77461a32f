from datetime import UTC, datetime

import pytest

from memcore.annotate.rule import Scene
from memcore.annotate.times import resolve

MON = "2023-05-08T13:56"  # a Monday
NEW_YEAR = "2023-01-02T09:00"  # a Monday
SAT = "2023-07-15T13:51"  # a Saturday

TABLE = (
    ("我昨天去了公园", MON, "昨天", "2023-05-07 2023-05-08 day"),
    ("前天下雨", MON, "前天", "2023-05-06 2023-05-07 day"),
    ("大前天", MON, "大前天", "2023-05-05 2023-05-06 day"),
    ("后天见", MON, "后天", "2023-05-10 2023-05-11 day"),
    ("昨天", "2023-01-01T08:00", "昨天", "2022-12-31 2023-01-01 day"),
    ("昨晚没睡好", MON, "昨晚", "2023-05-07T18 2023-05-08T00 hour"),
    ("今天晚饭吃披萨", MON, "今天", "2023-05-08 2023-05-09 day"),
    ("今天早上", MON, "今天早上", "2023-05-08T06 2023-05-08T12 hour"),
    ("上周三我们见面", MON, "上周三", "2023-05-03 2023-05-04 day"),
    ("上个星期天", MON, "上个星期天", "2023-05-07 2023-05-08 day"),
    ("上周六下午", MON, "上周六下午", "2023-05-06T12 2023-05-06T18 hour"),
    ("上个周末", MON, "上个周末", "2023-05-06 2023-05-08 day"),
    ("上上周五", MON, "上上周五", "2023-04-28 2023-04-29 day"),
    ("下周我会去北京", MON, "下周", "2023-05-15 2023-05-22 week"),
    ("上周", NEW_YEAR, "上周", "2022-12-26 2023-01-02 week"),
    ("这周五", MON, "这周五", "2023-05-12 2023-05-13 day"),
    ("周五去的", MON, "周五", "2023-05-05 2023-05-06 day"),
    ("下个月", MON, "下个月", "2023-06-01 2023-07-01 month"),
    ("上个月", NEW_YEAR, "上个月", "2022-12-01 2023-01-01 month"),
    ("去年", MON, "去年", "2022-01-01 2023-01-01 year"),
    ("前年夏天", MON, "前年夏天", "2021-06-01 2021-09-01 season"),
    ("去年十月", MON, "去年十月", "2022-10-01 2022-11-01 month"),
    ("去年春节", MON, "去年春节", "2022-02-01 2022-02-02 day"),
    ("三天前", MON, "三天前", "2023-05-05 2023-05-06 day"),
    ("两个月前", NEW_YEAR, "两个月前", "2022-11-01 2022-12-01 month"),
    ("十二年前", MON, "十二年前", "2011-01-01 2012-01-01 year"),
    ("几年前", MON, "几年前", "2018-01-01 2022-01-01 year"),
    ("前几天", MON, "前几天", "2023-05-03 2023-05-07 day"),
    ("两周后", MON, "两周后", "2023-05-22 2023-05-29 week"),
    ("3个小时前", MON, "3个小时前", "2023-05-08T10 2023-05-08T11 hour"),
    ("2023年5月7日", None, "2023年5月7日", "2023-05-07 2023-05-08 day"),
    ("2023年5月", None, "2023年5月", "2023-05-01 2023-06-01 month"),
    ("二零二三年", None, "二零二三年", "2023-01-01 2024-01-01 year"),
    ("2024年2月29日", None, "2024年2月29日", "2024-02-29 2024-03-01 day"),
    ("五月", MON, "五月", "2023-05-01 2023-06-01 month"),
    ("十二月二十五日", MON, "十二月二十五日", "2022-12-25 2022-12-26 day"),
    ("打算十月去", MON, "十月", "2023-10-01 2023-11-01 month"),
    ("元旦那天", NEW_YEAR, "元旦", "2023-01-01 2023-01-02 day"),
    ("除夕回家", NEW_YEAR, "除夕", "2023-01-21 2023-01-22 day"),
)  # fmt: skip

NOTHING = (
    "三天",
    "每周三",
    "两个月",
    "十分钟",
    "月饼",
    "2月30日",
    "三个人",
    "时间",
    "过春节",
    "圣诞节晚会",
    "",
)


def scene(said):
    return Scene(datetime.fromisoformat(said).replace(tzinfo=UTC) if said else None)


def said(interval):
    hours = interval.grain.value in ("hour", "minute")
    form = "%Y-%m-%dT%H" if hours else "%Y-%m-%d"
    return f"{interval.start:{form}} {interval.end:{form}} {interval.grain.value}"


@pytest.mark.parametrize(("text", "when", "words", "expected"), TABLE)
def test_an_expression_means_its_interval(text, when, words, expected):
    found = resolve(text, scene(when), "zh")
    assert [(text[t.start : t.end], said(t.interval)) for t in found] == [(words, expected)]


@pytest.mark.parametrize("text", NOTHING)
def test_words_that_name_no_time_resolve_to_nothing(text):
    assert resolve(text, scene(MON), "zh") == ()


@pytest.mark.parametrize("text", [row[0] for row in TABLE if row[1]])
def test_without_a_time_of_talk_nothing_relative_resolves(text):
    assert resolve(text, Scene(None), "zh") == ()
