"""The reader without a model: short answers by kind of question, citations, refusals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.annotate.rules import RulesAnnotator
from memcore.readers.extractive import ExtractiveReader
from memcore.settings import Settings
from memcore.types import Sentence, TurnId
from tests.readers.packets import packet

REFUSAL = "Not mentioned in the conversation."


@pytest.fixture(scope="module")
def reader() -> ExtractiveReader:
    return ExtractiveReader(RulesAnnotator())


TALK = packet(
    ("Ana", "2023-05-08", "I went to a pottery class yesterday! It was fun."),
    ("Bo", "2023-05-08", "Cool. I adopted two kittens last month."),
    ("Ana", "2023-06-20", "I moved to Lisbon because I found a job at a museum."),
    ("Bo", "2023-06-20", 'I just finished reading "The Long Ships" in one night.'),
    ("Ana", "2023-07-01", "My sister Clara has lived in Madrid for seven years."),
)
CASES = [
    # a relative day counts from the day on which it was said: the day before 8 May 2023
    ("When did Ana go to a pottery class?", "7 May 2023", 1),
    # no finer than the words: the month before May 2023
    ("When did Bo adopt the kittens?", "April 2023", 2),
    # no time in the words: the day on which it was said
    ("When did Ana move to Lisbon?", "20 June 2023", 3),
    ("How many kittens did Bo adopt?", "two", 2),
    ("Why did Ana move to Lisbon?", "I found a job at a museum", 3),
    ("Which book did Bo finish reading?", "The Long Ships", 4),
    ("How long has Clara lived in Madrid?", "seven years", 5),
    ("Did Ana move to Lisbon?", "Yes", 3),
]


@pytest.mark.parametrize(("question", "text", "cited"), CASES)
def test_a_question_is_answered_in_few_words_with_its_evidence(reader, question, text, cited):
    answer = reader.read(question, TALK)
    assert (answer.text, answer.refused) == (text, False)
    assert answer.citations == (TurnId(1, cited),)


def test_the_evidence_stands_beside_the_answer_as_a_dated_quotation(reader):
    answer = reader.read("When did Ana go to a pottery class?", TALK)
    assert answer.sentences == (
        Sentence("7 May 2023", (TurnId(1, 1),)),
        Sentence(
            "Ana (2023-05-08): “I went to a pottery class yesterday!”",
            (TurnId(1, 1),),
        ),
    )


def test_a_list_is_gathered_from_several_turns(reader):
    talk = packet(
        ("Ana", "2023-05-08", "I have taken a poetry class."),
        ("Bo", "2023-05-08", "Nice weather today."),
        ("Ana", "2023-06-08", "I have taken a cooking class."),
    )
    answer = reader.read("What classes has Ana taken?", talk)
    assert answer.text == "poetry class, cooking class"
    assert answer.citations == (TurnId(1, 1), TurnId(1, 3))


REFUSED = [
    "Where did Bo buy his accordion?",  # nothing of it is in the packet
    "When did Bo move to Lisbon?",  # it was Ana who moved
    "?!",  # asks nothing
]


@pytest.mark.parametrize("question", REFUSED)
def test_what_the_evidence_does_not_support_is_refused(reader, question):
    answer = reader.read(question, TALK)
    assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())


def test_an_empty_packet_is_refused_in_the_language_of_the_question(reader):
    assert reader.read("Where does Ana live?", packet()).text == REFUSAL
    assert reader.read("安娜住在哪里？", packet()).text == "对话中没有提到。"


def test_a_floor_refuses_weak_support(reader):
    question = "Which pottery studio in Sintra did Ana paint?"
    assert not reader.read(question, TALK).refused
    assert (
        ExtractiveReader(RulesAnnotator(), Settings(refusal_floor=0.9)).read(question, TALK).refused
    )


def test_a_chinese_date_is_answered_in_chinese(reader):
    talk = packet(("小林", "2023-05-08", "我昨天搬到上海了。"), ("小周", "2023-05-08", "太好了！"))
    answer = reader.read("小林什么时候搬到上海的？", talk)
    assert answer.text == "2023年5月7日"
    assert answer.citations == (TurnId(1, 1),)


WORDS = st.sampled_from(
    ["Ana", "Bo", "moved", "to", "Lisbon", "in", "May 2023", "?", ".", "[2]", "two", "not", "我住"]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


@settings(max_examples=25)
@given(question=TEXTS, texts=st.lists(TEXTS, max_size=3))
def test_only_items_of_the_packet_are_cited_and_every_answer_cites(reader, question, texts):
    talk = packet(*(("Ana", "2023-05-08", " ".join(t.split())) for t in texts))
    answer = reader.read(question, talk)
    assert set(answer.citations) <= set(talk.items)
    assert all(set(s.citations) <= set(answer.citations) for s in answer.sentences)
    assert answer.refused or (answer.citations and all(s.citations for s in answer.sentences))
    assert reader.read(question, talk) == answer


def test_a_loose_week_is_told_from_the_day_on_which_it_was_said(reader):
    talk = packet(
        ("Ana", "2023-06-09", "I saw the lighthouse last week."),
        ("Bo", "2023-06-12", "I am repairing the boat next weekend."),
    )
    assert (
        reader.read("When did Ana see the lighthouse?", talk).text == "the week before 9 June 2023"
    )
    assert (
        reader.read("When does Bo repair the boat?", talk).text == "the weekend after 12 June 2023"
    )
