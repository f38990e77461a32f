from datetime import UTC, datetime

import pytest

from memcore.annotate.names import is_name, speaker_named
from memcore.annotate.questions import analyse, kind_of
from memcore.annotate.rules import RulesAnnotator
from memcore.types import Grain, Interval, QuestionType

ASKED = datetime(2023, 10, 22, 9, 55, tzinfo=UTC)
SPEAKERS = ("Caroline", "Melanie")

KINDS = (
    ("When did Melanie paint a sunrise?", "when"),
    ("What year did she move?", "when"),
    ("How long ago was it?", "when"),
    ("How long has she played?", "how_long"),
    ("For how many years did she sing?", "how_long"),
    ("How many children does she have?", "how_many"),
    ("How often does she run?", "how_many"),
    ("What books has she read?", "list"),
    ("Which hobbies does she have?", "list"),
    ("What are her pets' names?", "list"),
    ("List her paintings.", "list"),
    ("Who is her friend?", "who"),
    ("Whose birthday was it?", "who"),
    ("Where did she go?", "where"),
    ("What country is she from?", "where"),
    ("Why did she leave?", "why"),
    ("Did she leave?", "yes_no"),
    ("Would Melanie like it?", "yes_no"),
    ("Isn\u2019t she happy?", "yes_no"),
    ("What did she say?", "other"),
    ("What did she do when it rained?", "other"),
    ("?!", "other"),
    ("", "other"),
    ("她什么时候去的？", "when"),
    ("她学了多久？", "how_long"),
    ("她有几个孩子？", "how_many"),
    ("她有哪些爱好？", "list"),
    ("谁去了？", "who"),
    ("她去了哪里？", "where"),
    ("她为什么离开？", "why"),
    ("她喜欢茶吗？", "yes_no"),
    ("她说了什么？", "other"),
)


@pytest.fixture(scope="module")
def ask():
    annotator = RulesAnnotator()
    return lambda text, asked_at=ASKED, speakers=SPEAKERS: analyse(
        text, asked_at, speakers, annotator
    )


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_question_has_the_kind_of_its_answer(text, kind):
    assert kind_of(text) is QuestionType(kind)


def test_every_kind_is_in_the_table_of_cases():
    assert {kind for _, kind in KINDS} == {kind.value for kind in QuestionType}


def test_speakers_come_as_named_and_the_first_is_the_subject(ask):
    found = ask("What did Mel say to Caroline's mother?")
    assert found.speakers == ("Melanie", "Caroline")
    assert found.subject == "Melanie"


def test_a_question_about_nobody_has_no_subject(ask):
    assert ask("What is the dog called?").subject == ""


def test_speakers_names_are_no_mentions(ask):
    keys = {m.key for m in ask("What did Melanie paint for Caroline?").mentions}
    assert keys == {"paint"}


def test_a_date_is_resolved_against_the_time_of_asking(ask):
    june = Interval(datetime(2023, 6, 1, tzinfo=UTC), datetime(2023, 7, 1, tzinfo=UTC), Grain.MONTH)
    assert ask("What did she do in June?").interval == june
    assert ask("What did she do in June?", None).interval is None
    assert ask("What did she do in June 2023?", None).interval == june


def test_two_dates_make_one_range(ask):
    found = ask("What happened between 3 May 2023 and 7 May 2023?").interval
    assert (found.start.day, found.end.day, found.grain) == (3, 8, Grain.DAY)


@pytest.mark.parametrize("text", ["?!…", "", "   ", "。。。"])
def test_a_question_of_marks_alone_has_no_mentions(ask, text):
    found = ask(text)
    assert (found.mentions, found.speakers, found.interval) == ((), (), None)


def test_a_chinese_question_names_its_speaker(ask):
    found = ask("李明去年去了哪里旅游？", ASKED, ("李明", "王芳"))
    assert (found.language, found.kind, found.subject) == ("zh", QuestionType.WHERE, "李明")
    assert [m.key for m in found.mentions] == ["旅游"]
    assert found.interval.start.year == 2022


@pytest.mark.parametrize(
    ("word", "label"),
    [("Mel", "Melanie"), ("melanie", "Melanie"), ("Me", ""), ("Car", "Caroline"), ("Bob", "")],
)
def test_a_nickname_has_three_letters_of_one_speaker(word, label):
    assert speaker_named(word, SPEAKERS) == label


def test_a_nickname_of_two_speakers_names_neither_yet_is_a_name():
    assert speaker_named("Ann", ("Anna", "Annette")) == ""
    assert is_name("Ann", ("Anna", "Annette"))


def test_a_role_is_no_name():
    assert not is_name("user", ("User", "Assistant"))
