"""A bare date, month or weekday goes forward where the clause speaks of now or later.

Each expected day is the calendar's: said on 1 December 2023, the next 14 December is in 2023.
"""

from datetime import UTC, datetime

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.types import SaidTime, Turn, TurnId

CASES = (
    ("2023-12-01", "The interview is on 14 December.", "14 December", "2023-12-14"),
    ("2024-01-24", "I start at the museum on 5 February.", "5 February", "2024-02-05"),
    ("2024-04-30", "Our exhibition opens on 21 June.", "21 June", "2024-06-21"),
    ("2023-09-09", "I am running the half marathon in March.", "March", "2024-03-01"),
    ("2024-03-25", "I have to leave by the end of May.", "the end of May", "2024-05-21"),
    ("2024-05-08", "The show is on Friday.", "Friday", "2024-05-10"),  # said on a Wednesday
    # The past stays the past.
    ("2024-01-13", "We met in March.", "March", "2023-03-01"),
    ("2024-01-13", "I've lived here since March.", "since March", "2023-03-01"),
    ("2024-01-13", "I live here since March.", "since March", "2023-03-01"),
    ("2024-01-13", "Here's a photo from our trip in June.", "June", "2023-06-01"),
    ("2024-01-13", "This is a card painted in June.", "June", "2023-06-01"),
    ("2024-01-13", "I love the pier where we sat in June.", "June", "2023-06-01"),
    ("2024-01-13", "It was in March, but I still laugh.", "March", "2023-03-01"),
    # Chinese: without 了, 过 or another mark of the past, a verb of going or coming looks ahead.
    ("2023-11-11", "我四月去黄山看日出。", "四月", "2024-04-01"),
    ("2024-04-13", "七月我去厦门看苏梅。", "七月", "2024-07-01"),
    ("2024-01-13", "我们十月去了黄山。", "十月", "2023-10-01"),
    ("2024-01-13", "我是十月去的。", "十月", "2023-10-01"),
)


@pytest.mark.parametrize(("said", "text", "words", "day"), CASES)
def test_the_verb_says_which_year_is_meant(said, text, words, day):
    at = datetime.fromisoformat(f"{said}T12:00").replace(tzinfo=UTC)
    (found,) = RulesAnnotator().annotate([Turn(TurnId(1, 1), "Ann", text, said=SaidTime(at))])
    (time,) = found.times
    assert (text[time.start : time.end], f"{time.interval.start:%Y-%m-%d}") == (words, day)


def test_a_short_month_keeps_its_dot_and_a_full_one_leaves_the_full_stop():
    at = datetime(2024, 1, 13, 12, tzinfo=UTC)
    text = "We met on 5 Feb. 2021 and on 3 June."
    (found,) = RulesAnnotator().annotate([Turn(TurnId(1, 1), "Ann", text, said=SaidTime(at))])
    assert [text[t.start : t.end] for t in found.times] == ["5 Feb. 2021", "3 June"]
