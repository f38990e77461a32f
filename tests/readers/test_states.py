"""A fact that changes, and changes back: which of its states answers, by the time asked about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.readers.extractive import ExtractiveReader
from memcore.readers.frames import fill
from memcore.types import TurnId
from tests.readers.packets import facts, packet


@pytest.fixture(scope="module")
def reader() -> ExtractiveReader:
    return ExtractiveReader(RulesAnnotator())


# lives in Porto from March 2022, Oslo from August 2022, Porto again from May 2023
THERE_AND_BACK = packet(
    ("Ana", "2022-03-01", "Vera lives in Porto."),
    ("Bo", "2022-03-02", "I like soup."),
    ("Ana", "2022-08-01", "Vera lives in Oslo now."),
    ("Ana", "2023-05-01", "Vera lives in Porto again."),
)
STATES = [
    ("Where does Vera live now?", "Porto", 4),
    ("Where did Vera live before Oslo?", "Porto", 1),
    ("Where did Vera live in April 2022?", "Porto", 1),  # told in March, changed in August
    ("Where did Vera live in December 2022?", "Oslo", 3),  # told in August, changed in May
    ("Where did Vera live in June 2023?", "Porto", 4),  # the third state, not the first
]


@pytest.mark.parametrize(("question", "text", "cited"), STATES)
def test_a_state_that_came_back_is_a_third_one_with_its_own_time(reader, question, text, cited):
    answer = reader.read(question, THERE_AND_BACK)
    assert (answer.text, answer.citations) == (text, (TurnId(1, cited),))


def test_a_relative_time_counts_from_when_the_question_was_asked(reader):
    # asked in January 2023, last autumn is September to November 2022: Oslo
    asked = replace(THERE_AND_BACK, asked_at=datetime(2023, 1, 10, tzinfo=UTC))
    answer = reader.read("Where did Vera live last autumn?", asked)
    assert (answer.text, answer.citations) == ("Oslo", (TurnId(1, 3),))


def test_facts_of_a_graph_are_read_by_the_same_rule(reader):
    told = facts(
        ("Vera", "2022-03-01", "Vera lives in Porto."),
        ("Vera", "2022-08-01", "Vera lives in Oslo."),
        ("Vera", "2023-05-01", "Vera lives in Porto."),
    )
    assert reader.read("Where did Vera live in December 2022?", told).text == "Oslo"
    assert reader.read("Where did Vera live in June 2023?", told).text == "Porto"


CHINESE = packet(
    ("小林", "2022-03-01", "王敏住在青岛。"),
    ("小周", "2022-08-01", "王敏住在厦门。"),
    ("小林", "2023-05-01", "王敏又住在青岛。"),
)
CHINESE_STATES = [
    ("王敏现在住在哪里？", "青岛", 3),
    ("王敏搬到厦门以前住在哪里？", "青岛", 1),
    ("王敏2022年4月住在哪里？", "青岛", 1),
    ("王敏2022年12月住在哪里？", "厦门", 2),
]


@pytest.mark.parametrize(("question", "text", "cited"), CHINESE_STATES)
def test_the_same_in_chinese(reader, question, text, cited):
    answer = reader.read(question, CHINESE)
    assert (answer.text, answer.citations) == (text, (TurnId(1, cited),))


MOVED = packet(
    ("Mara", "2024-01-05", "I live in Leeds with my brother."),
    ("Tom", "2024-01-05", "Nice, Leeds is a fine town."),
    ("Mara", "2024-06-05", "I moved from Leeds to Bristol last week."),
    ("Tom", "2024-06-05", "How is Bristol?"),
)
MOVES = [
    ("Where does Mara live now?", "Bristol", 3),  # no word of the question is in the sentence
    ("Where did Mara live before Bristol?", "Leeds", 1),
    ("Where did Mara move to?", "Bristol", 3),
    ("Where did Mara move from?", "Leeds", 3),
]


@pytest.mark.parametrize(("question", "text", "cited"), MOVES)
def test_who_moved_to_a_place_lives_there(reader, question, text, cited):
    answer = reader.read(question, MOVED)
    assert (answer.text, answer.citations) == (text, (TurnId(1, cited),))


def test_a_move_that_is_only_planned_changes_no_home(reader):
    planned = packet(
        ("Mara", "2024-01-05", "I live in Leeds with my brother."),
        ("Mara", "2024-06-05", "I am thinking of moving to Bristol."),
    )
    assert reader.read("Where does Mara live now?", planned).text == "Leeds"


def test_words_of_another_language_around_a_gap_fill_nothing():
    # the words before 上海 stand where a Chinese sentence has who does it
    assert fill("谁住在上海？", "I moved to 上海 last week", "小明") == ""
    assert fill("谁住在上海？", "小红住在上海", "小明") == "小红"


JOBS = packet(
    ("Clara", "2023-09-09", "I have a job at a dental clinic near the harbour."),
    ("Daniel", "2023-09-09", "I work as a technician at the hospital."),
    ("Clara", "2024-02-10", "I have a job at the maritime museum near the harbour now."),
    ("Daniel", "2024-02-11", "I like tea. I work as a technician at the hospital, as ever."),
)
STILL = [
    ("Does Clara still work at the dental clinic?", "No", 3),  # another job was told later
    ("Does Clara work at the maritime museum now?", "Yes", 3),
    ("Did Clara work at the dental clinic?", "Yes", 1),  # the past stays true
    ("Does Daniel still work at the hospital?", "Yes", None),  # told again, nothing else
]


@pytest.mark.parametrize(("question", "text", "cited"), STILL)
def test_who_works_elsewhere_now_works_there_no_more(reader, question, text, cited):
    answer = reader.read(question, JOBS)
    assert answer.text == text
    assert cited is None or answer.citations[0] == TurnId(1, cited)


def test_who_moved_lives_there_no_more(reader):
    left = packet(
        ("Mara", "2024-01-05", "I live in Leeds with my brother."),
        ("Mara", "2024-06-05", "I moved to Bristol last week."),
    )
    assert reader.read("Does Mara still live in Leeds?", left).text == "No"
    assert reader.read("Does Mara live in Bristol?", left).text == "Yes"


def test_who_lives_elsewhere_now_lives_there_no_more_though_others_tell_it(reader):
    assert reader.read("Does Vera still live in Oslo?", THERE_AND_BACK).text == "No"
    assert reader.read("Does Vera still live in Porto?", THERE_AND_BACK).text == "Yes"


def test_work_that_nobody_does_ends_no_job(reader):
    told = packet(
        ("Clara", "2024-02-10", "I have a job at the maritime museum."),
        ("Clara", "2024-02-18", "So the list works."),
    )
    assert reader.read("Does Clara work at the maritime museum?", told).text == "Yes"


def test_another_liking_ends_none(reader):
    likes = packet(
        ("Mara", "2024-01-05", "I like hiking in the hills."),
        ("Mara", "2024-06-05", "I like tea."),
    )
    assert reader.read("Does Mara still like hiking?", likes).text == "Yes"
