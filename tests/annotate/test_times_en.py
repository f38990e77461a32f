from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.annotate.rule import Scene
from memcore.annotate.times import leftover, resolve, scene_of
from memcore.annotate.times_en import GRAMMAR
from memcore.types import Precision, SaidTime, TimeKind

MON = "2023-05-08T13:56"  # a Monday: the week before runs from 1 to 7 May
SAT = "2023-07-15T13:51"  # a Saturday
NEW_YEAR = "2023-01-02T09:00"  # a Monday
LEAP = "2024-03-01T10:00"  # a Friday, the day after 29 February
OCT = "2023-10-13T12:00"  # a Friday

# what stands in the text, when it was said, the part that names a time, its interval and grain
TABLE = (
    # days
    ("I went yesterday.", MON, "yesterday", "2023-05-07 2023-05-08 day"),
    ("Today was fun", MON, "Today", "2023-05-08 2023-05-09 day"),
    ("See you tomorrow!", MON, "tomorrow", "2023-05-09 2023-05-10 day"),
    ("I left yesterday", "2023-01-01T08:00", "yesterday", "2022-12-31 2023-01-01 day"),
    ("I left yesterday", LEAP, "yesterday", "2024-02-29 2024-03-01 day"),
    ("I left yesterday", "2023-03-01T08:00", "yesterday", "2023-02-28 2023-03-01 day"),
    ("the day before yesterday", MON, "the day before yesterday", "2023-05-06 2023-05-07 day"),
    ("the day after tomorrow", MON, "the day after tomorrow", "2023-05-10 2023-05-11 day"),
    ("I cook tonight", MON, "tonight", "2023-05-08T18 2023-05-09T00 hour"),
    ("last night was loud", MON, "last night", "2023-05-07T18 2023-05-08T00 hour"),
    ("I ran this morning", MON, "this morning", "2023-05-08T06 2023-05-08T12 hour"),
    ("we met yesterday evening", MON, "yesterday evening", "2023-05-07T18 2023-05-08T00 hour"),
    ("I saw him the other day", MON, "the other day", "2023-05-01 2023-05-08 week"),
    # weekdays
    ("this past Tuesday", MON, "this past Tuesday", "2023-05-02 2023-05-03 day"),
    ("last Monday", MON, "last Monday", "2023-05-01 2023-05-02 day"),
    ("Last Fri I took the kids", SAT, "Last Fri", "2023-07-14 2023-07-15 day"),
    ("it was on Friday", MON, "Friday", "2023-05-05 2023-05-06 day"),
    ("I will sing on Friday", MON, "Friday", "2023-05-12 2023-05-13 day"),
    ("this Friday", MON, "this Friday", "2023-05-12 2023-05-13 day"),
    ("next Friday", MON, "next Friday", "2023-05-19 2023-05-20 day"),
    ("this coming Friday", MON, "this coming Friday", "2023-05-12 2023-05-13 day"),
    ("last Friday night", MON, "last Friday night", "2023-05-05T18 2023-05-06T00 hour"),
    ("two Fridays ago", MON, "two Fridays ago", "2023-04-28 2023-04-29 day"),
    # weeks and weekends
    ("I ran last week", MON, "last week", "2023-05-01 2023-05-08 week"),
    ("last week", NEW_YEAR, "last week", "2022-12-26 2023-01-02 week"),
    ("this week", SAT, "this week", "2023-07-10 2023-07-17 week"),
    ("next week", SAT, "next week", "2023-07-17 2023-07-24 week"),
    ("the week before last", MON, "the week before last", "2023-04-24 2023-05-01 week"),
    ("last weekend", MON, "last weekend", "2023-05-06 2023-05-08 day"),
    ("last weekend", SAT, "last weekend", "2023-07-08 2023-07-10 day"),
    ("this past weekend", MON, "this past weekend", "2023-05-06 2023-05-08 day"),
    ("this weekend", OCT, "this weekend", "2023-10-14 2023-10-16 day"),
    ("two weekends ago", MON, "two weekends ago", "2023-04-29 2023-05-01 day"),
    # months, seasons, years
    ("last month", NEW_YEAR, "last month", "2022-12-01 2023-01-01 month"),
    ("next month", MON, "next month", "2023-06-01 2023-07-01 month"),
    ("next month", "2023-12-26T10:00", "next month", "2024-01-01 2024-02-01 month"),
    ("last year", MON, "last year", "2022-01-01 2023-01-01 year"),
    ("in May", MON, "May", "2023-05-01 2023-06-01 month"),
    ("we met in June", MON, "June", "2022-06-01 2022-07-01 month"),
    ("we'll meet in June", MON, "June", "2023-06-01 2023-07-01 month"),
    ("last May", MON, "last May", "2022-05-01 2022-06-01 month"),
    ("this August", MON, "this August", "2023-08-01 2023-09-01 month"),
    ("last summer", MON, "last summer", "2022-06-01 2022-09-01 season"),
    ("last summer", OCT, "last summer", "2023-06-01 2023-09-01 season"),
    ("last winter", MON, "last winter", "2022-12-01 2023-03-01 season"),
    ("this summer", MON, "this summer", "2023-06-01 2023-09-01 season"),
    ("the summer of 2022", None, "the summer of 2022", "2022-06-01 2022-09-01 season"),
    ("May 2023", None, "May 2023", "2023-05-01 2023-06-01 month"),
    ("back in 2016", None, "2016", "2016-01-01 2017-01-01 year"),
    ("painting since 2016", MON, "since 2016", "2016-01-01 2023-05-09 year"),
    # so many units away
    ("three days ago", MON, "three days ago", "2023-05-05 2023-05-06 day"),
    ("a few days ago", MON, "a few days ago", "2023-05-03 2023-05-07 day"),
    ("a couple of days ago", MON, "a couple of days ago", "2023-05-06 2023-05-07 day"),
    ("two weeks ago", MON, "two weeks ago", "2023-04-24 2023-05-01 week"),
    ("2 months ago", NEW_YEAR, "2 months ago", "2022-11-01 2022-12-01 month"),
    ("about ten years ago", MON, "ten years ago", "2013-01-01 2014-01-01 year"),
    ("a year ago", "2024-02-29T10:00", "a year ago", "2023-01-01 2024-01-01 year"),
    ("an hour ago", MON, "an hour ago", "2023-05-08T12 2023-05-08T13 hour"),
    ("we will go in two weeks", MON, "in two weeks", "2023-05-22 2023-05-29 week"),
    # dates
    ("on 7 May 2023", None, "7 May 2023", "2023-05-07 2023-05-08 day"),
    ("on May 7, 2023", None, "May 7, 2023", "2023-05-07 2023-05-08 day"),
    ("Sunday, the 7th of May, 2023", None, "Sunday, the 7th of May, 2023",
     "2023-05-07 2023-05-08 day"),
    ("2023-05-07", None, "2023-05-07", "2023-05-07 2023-05-08 day"),
    ("5/7/2023", None, "5/7/2023", "2023-05-07 2023-05-08 day"),
    ("17/5/2023", None, "17/5/2023", "2023-05-17 2023-05-18 day"),
    ("February 29, 2024", None, "February 29, 2024", "2024-02-29 2024-03-01 day"),
    ("I was born on Feb 29", MON, "Feb 29", "2020-02-29 2020-03-01 day"),
    ("on May 9", MON, "May 9", "2022-05-09 2022-05-10 day"),
    ("we plan it for May 9", MON, "May 9", "2023-05-09 2023-05-10 day"),
    # feasts
    ("Christmas 2022", None, "Christmas 2022", "2022-12-25 2022-12-26 day"),
    ("last Christmas", MON, "last Christmas", "2022-12-25 2022-12-26 day"),
    ("for Christmas", "2023-12-20T10:00", "Christmas", "2023-12-25 2023-12-26 day"),
    ("on New Year's Eve", NEW_YEAR, "New Year's Eve", "2022-12-31 2023-01-01 day"),
    ("the fourth of July", SAT, "fourth of July", "2023-07-04 2023-07-05 day"),
    ("Thanksgiving 2023", None, "Thanksgiving 2023", "2023-11-23 2023-11-24 day"),
    # beside another time, and parts of one
    ("two days before Christmas", NEW_YEAR, "two days before Christmas",
     "2022-12-23 2022-12-24 day"),
    ("the week before 9 June 2023", None, "the week before 9 June 2023",
     "2023-06-02 2023-06-09 week"),
    ("the Sunday before 25 May 2023", None, "the Sunday before 25 May 2023",
     "2023-05-21 2023-05-22 day"),
    ("the weekend before 17 July 2023", None, "the weekend before 17 July 2023",
     "2023-07-15 2023-07-17 day"),
    ("the day after May 31, 2023", None, "the day after May 31, 2023",
     "2023-06-01 2023-06-02 day"),
    ("the first week of August", OCT, "the first week of August", "2023-08-01 2023-08-08 week"),
    ("the last week of August 2023", None, "the last week of August 2023",
     "2023-08-25 2023-09-01 week"),
    ("the second weekend of July 2023", None, "the second weekend of July 2023",
     "2023-07-08 2023-07-10 day"),
    ("the end of the month", MON, "the end of the month", "2023-05-21 2023-06-01 week"),
    ("early June 2023", None, "early June 2023", "2023-06-01 2023-06-11 week"),
    ("in mid-March", MON, "mid-March", "2023-03-11 2023-03-21 week"),
    ("the week of May 3, 2023", None, "the week of May 3, 2023", "2023-05-01 2023-05-08 week"),
)  # fmt: skip

NOTHING = (
    "I may go", "May I ask?", "Wait a second", "They march on", "We had to March forward.",
    "the 3rd", "a", "7", "I am 30", "in two weeks I learnt it", "for two weeks", "two weeks",
    "the last few months", "over the past year", "every Friday", "each Monday", "on Fridays",
    "June said hi", "April is my friend", "Summer Sounds", "the sun sat there", "Cyberpunk 2077",
    "recently", "we last spoke", "what's next", "a month", "31 June 2023", "February 30",
    "once a week", "years ago", "99999 days ago", "Christmas magic", "mar the wall 5", "",
)  # fmt: skip


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def scene(said):
    return Scene(at(said) if said else None)


def said(interval):
    hours = interval.grain.value in ("hour", "minute")
    ends = (t.isoformat("T", "hours")[:13] if hours else f"{t:%Y-%m-%d}" for t in
            (interval.start, interval.end))  # fmt: skip
    return " ".join((*ends, interval.grain.value))


@pytest.mark.parametrize(("text", "when", "words", "expected"), TABLE)
def test_an_expression_means_its_interval(text, when, words, expected):
    found = resolve(text, scene(when), "en")
    assert [(text[t.start : t.end], said(t.interval)) for t in found] == [(words, expected)]


@pytest.mark.parametrize("text", NOTHING)
def test_words_that_name_no_time_resolve_to_nothing(text):
    assert resolve(text, scene(MON), "en") == ()


@pytest.mark.parametrize("text", [row[0] for row in TABLE if row[1]])
def test_without_a_time_of_talk_only_absolute_expressions_resolve(text):
    found = resolve(text, Scene(None), "en")
    assert found == (resolve(text, scene("1999-01-01"), "en") if "2016" in text else ())


def test_an_hour_is_not_counted_from_a_date_without_a_time_of_day():
    (found,) = resolve("an hour ago", Scene(at("2023-05-08"), fine=False), "en")
    assert said(found.interval) == "2023-05-08 2023-05-09 day"


def test_the_day_is_that_of_the_speaker_and_not_that_of_greenwich():
    # 23:30 UTC on the 7th is 01:30 on the 8th, two hours east.
    east = SaidTime(at("2023-05-07T23:30"), "", TimeKind.AWARE, 120, Precision.SECOND)
    (found,) = resolve("today", scene_of(east), "en")
    assert said(found.interval) == "2023-05-08 2023-05-09 day"


@pytest.mark.parametrize("kind", [TimeKind.OFFSET, TimeKind.CLOCK])
def test_a_clock_without_a_calendar_is_no_time_of_talk(kind):
    assert scene_of(SaidTime(at("1970-01-01T00:03"), kind=kind)).at is None


@pytest.mark.parametrize(
    ("span", "when", "expected"),
    [
        ("Wednesday 10 May 2023 at noon", None, ["2023-05-10 2023-05-11 day"]),
        ("November 4th, at 3pm", MON, ["2022-11-04 2022-11-05 day"]),
        ("November 4th, at 3pm", None, []),
        ("the 3rd", MON, []),
        ("every Friday", MON, []),
        ("May", MON, []),
        ("a second", MON, []),
    ],
)
def test_dateparser_reads_only_spans_with_a_name_of_a_day_or_month(span, when, expected):
    found = leftover(span, [(0, len(span))], (), scene(when))
    assert [said(t.interval) for t in found] == expected


def test_a_span_that_the_rules_read_is_not_read_again():
    text = "yesterday"
    found = resolve(text, scene(MON), "en")
    assert leftover(text, [(0, 9)], found, scene(MON)) == found


WORDS = ("last", "the", "week", "before", "May", "2023", "7", "of", "two", "days", "ago", "Friday",
         "in", "since", "Christmas", "end", "this", "summer", ".", "next", "99")  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.datetimes())
def test_expressions_lie_in_the_text_apart_and_in_order(text, moment):
    found = resolve(text, Scene(moment.replace(tzinfo=UTC)), "en")
    places = [(t.start, t.end) for t in found]
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(t.interval.start < t.interval.end for t in found)


@given(st.data())
@pytest.mark.parametrize("rule", GRAMMAR.rules, ids=lambda rule: rule.pattern.pattern[:40])
def test_what_fits_a_rule_has_a_cue(rule, data):
    text = data.draw(st.from_regex(rule.pattern))
    assert GRAMMAR.cue.search(text)
