"""The rules of the local reader: which state, which place, who did it, how two things hang together.

Each case is a packet small enough to be answered by hand; the number is the turn to be cited.
"""

from __future__ import annotations

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.readers.extractive import ExtractiveReader
from memcore.types import TurnId
from tests.readers.packets import facts, packet


@pytest.fixture(scope="module")
def reader() -> ExtractiveReader:
    return ExtractiveReader(RulesAnnotator())


MOVES = packet(
    ("Ana", "2023-03-01", "Vera lives in Porto. She sells lamps."),
    ("Bo", "2023-03-01", "I have a job at a bakery near the bridge."),
    ("Ana", "2023-08-01", "A letter came today. Vera lives in Oslo now."),
    ("Bo", "2023-09-01", "I have a job at the tram museum near the station now."),
)
STATES = [
    ("Where does Vera live now?", "Oslo", 3),
    ("Where does Vera live?", "Oslo", 3),  # the present tense asks for the newest
    ("Where did Vera live before Oslo?", "Porto", 1),
    # "work" asks for what "job" tells
    ("Where did Bo work before the tram museum?", "bakery near the bridge", 2),
    ("What is Bo's job?", "tram museum", 4),
]


@pytest.mark.parametrize(("question", "text", "cited"), STATES)
def test_of_several_states_the_one_asked_about_answers(reader, question, text, cited):
    answer = reader.read(question, MOVES)
    assert text in answer.text
    assert answer.citations == (TurnId(1, cited),)


def test_a_plan_or_a_denial_does_not_say_when_it_happened(reader):
    talk = packet(
        ("Ana", "2024-01-02", "I am not swimming the lake race."),
        ("Ana", "2024-02-28", "I am swimming the lake race after all."),
        ("Ana", "2024-03-25", "I swam the lake race yesterday in one hour and six minutes."),
    )
    assert reader.read("When did Ana swim the lake race?", talk).text == "24 March 2024"
    long = reader.read("How long did Ana take for the lake race?", talk)
    assert long.text == "one hour and six minutes"


def test_a_day_without_year_in_a_question_about_the_future_is_yet_to_come(reader):
    talk = packet(("Ana", "2024-04-30", "I start at the bakery on 3 June."))
    assert reader.read("When does Ana start at the bakery?", talk).text == "3 June 2024"


def test_days_in_the_plural_are_all_told(reader):
    talk = packet(
        ("Ana", "2023-10-05", "The ferry to Oslo is late."),
        ("Bo", "2023-10-05", "I like soup."),
        ("Ana", "2024-04-30", "The ferry to Oslo is late again."),
    )
    answer = reader.read("On which days was the ferry to Oslo late?", talk)
    assert answer.text == "5 October 2023, 30 April 2024"
    assert answer.citations == (TurnId(1, 1), TurnId(1, 3))


def test_who_did_it_is_the_subject_of_the_verb(reader):
    talk = packet(("Ana", "2024-02-10", "Paul Weber and his cousin carried the piano upstairs."))
    assert reader.read("Who carried the piano?", talk).text == "Paul Weber and his cousin"


def test_without_a_stated_reason_what_was_told_just_before_is_the_reason(reader):
    talk = packet(
        ("Ana", "2024-01-02", "The doctor wants eight weeks of rest."),
        ("Bo", "2024-01-02", "Oh no."),
        ("Ana", "2024-01-02", "I cancelled the lake race."),
    )
    answer = reader.read("Why did Ana cancel the lake race?", talk)
    assert answer.text == "The doctor wants eight weeks of rest."
    assert answer.citations == (TurnId(1, 1), TurnId(1, 3))


def test_a_question_for_a_link_is_answered_by_the_chain_between_both(reader):
    talk = packet(
        ("Ana", "2024-01-24", "Mrs Weber gave her organ to the Star Theatre."),
        ("Bo", "2024-01-24", "I like soup."),
        ("Ana", "2024-02-10", "The Star Theatre has a new director called Vera Holm."),
    )
    answer = reader.read("What has Mrs Weber's organ to do with Vera Holm?", talk)
    assert answer.text == (
        "Mrs Weber gave her organ to the Star Theatre; "
        "The Star Theatre has a new director called Vera Holm"
    )
    assert answer.citations == (TurnId(1, 1), TurnId(1, 3))


TALK = packet(
    ("Ana", "2023-10-05", "Paul Weber wears a bow tie. He wants to sell my flat."),
    ("Bo", "2023-10-05", "My neighbour Paul Holm plays the trumpet."),
    ("Bo", "2023-10-06", "Vera lives in Lisbon."),
    ("Ana", "2023-10-06", "The cat sleeps in the shoes now. Did you move the shelf?"),
)
REFUSED = [
    "What instrument does Paul Weber play?",  # the other Paul plays
    "When did Bo move to Lisbon?",  # Bo tells of Vera
    "What is the name of Ana's cat?",  # no name stands beside the cat
]


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_told_of_somebody_else_or_never_named_is_refused(reader, question):
    assert reader.read(question, TALK).refused


def test_what_is_told_of_a_third_person_is_answered(reader):
    assert "trumpet" in reader.read("What does Paul Holm play?", TALK).text


FACTS = facts(
    ("Vera", "2023-03-01", "Vera lives in Porto."),
    ("Ana", "2023-04-01", "Ana keeps bees."),
    ("Vera", "2023-08-01", "Vera lives in Oslo now."),
)


def test_a_name_of_the_question_alone_is_no_answer(reader):
    assert reader.read("Where did Vera live before Oslo?", FACTS).text == "Porto"
    assert reader.read("Where does Vera live now?", FACTS).text == "Oslo"


CHINESE = packet(
    ("小林", "2023-11-11", "我在银行上班。我对花生过敏。"),
    ("小周", "2023-11-11", "王敏住在青岛。"),
    ("小林", "2023-12-02", "我的邻居张伟会吹笛子。"),
    ("小周", "2023-12-03", "房东张伟又涨房租了。"),
    ("小周", "2024-01-20", "王敏住在厦门。"),
    ("小林", "2024-02-17", "我在书店上班。"),
)
CHINESE_CASES = [
    ("王敏现在住在哪里？", "厦门", 5),
    ("王敏搬到厦门以前住在哪里？", "青岛", 2),
    ("小林现在在哪里上班？", "书店", 6),
    ("小林对什么过敏？", "花生", 1),
    ("吹笛子的张伟是谁？", "小林的邻居", 3),
]


@pytest.mark.parametrize(("question", "text", "cited"), CHINESE_CASES)
def test_the_gap_of_a_chinese_question_is_filled(reader, question, text, cited):
    answer = reader.read(question, CHINESE)
    assert (answer.text, answer.citations) == (text, (TurnId(1, cited),))


def test_the_other_one_of_a_chinese_name_is_refused(reader):
    assert reader.read("房东张伟吹什么乐器？", CHINESE).refused
