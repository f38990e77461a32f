from __future__ import annotations

import pytest

from memcore.annotate.lexicon import lemmas_of, lexicon
from memcore.annotate.questions import analyse
from memcore.annotate.rules import RulesAnnotator
from memcore.types import AnchorKind, Turn, TurnId

RULES = RulesAnnotator()
SPEAKERS = ("Ann", "Bob")
TALK = (
    ("Ann", "I ran with my support group in Lisbon. We were running all day."),
    ("Bob", "My mother's pottery class painted bowls. Lisbon is lovely!"),
    ("Ann", "The Golden Gate was closed, so Bob drew a self-portrait."),
)
TURNS = tuple(Turn(TurnId(1, n), who, said) for n, (who, said) in enumerate(TALK, 1))
NOTES = RULES.annotate(TURNS)
LEARNED = RULES.learned(TURNS, NOTES)


def keys(question, annotator=LEARNED, kind=None):
    found = analyse(question, None, SPEAKERS, annotator).mentions
    return {m.key for m in found if kind is None or m.kind is kind}


def test_a_word_of_the_memory_has_the_key_that_it_has_there():
    known = lexicon(TURNS, NOTES)
    assert (known.key("ran"), known.key("Running"), known.key("bowls")) == ("run", "run", "bowl")


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("painting", "paint"),  # the verb of "painted", though the memory never says "painting"
        ("runs", "run"),
        ("drawing", "draw"),
        ("mothers", "mother"),
        ("qwertys", "qwerti"),  # no table knows it: the Snowball stem of the word
        ("thought", ""),  # of "think", a stop word
        ("the", ""),
        ("x", ""),
    ],
)
def test_other_forms_and_unknown_words_are_keyed_by_the_tables(word, key):
    assert lexicon(TURNS, NOTES).key(word) == key


def test_irregular_and_regular_lemmas():
    assert lemmas_of("went") == ("go",)
    assert "mouse" in lemmas_of("mice")


def test_names_and_chunks_are_those_of_the_memory():
    question = "When did the support group of Bob see the Golden Gate in Lisbon?"
    assert {"support group", "lisbon", "golden gate"} <= keys(question)
    assert "bob" not in keys(question)
    entities = keys(question, kind=AnchorKind.ENTITY)
    assert entities == {"lisbon", "golden gate"}


def test_a_longer_run_does_not_end_in_a_known_chunk_of_other_words():
    # "pottery support group" is another thing than the support group that the memory knows.
    assert "support group" not in keys("Where is the pottery support group?")


@pytest.mark.parametrize(
    "question",
    [
        "What did the pottery class of Bob's mother paint?",
        "Who drew a self-portrait?",
        "Did Ann run in Lisbon?",
        "Where is the Golden Gate?",
        "When was the support group running?",
    ],
)
def test_words_get_the_keys_that_the_pipeline_gives_them(question):
    def words(annotator):
        return {k for k in keys(question, annotator, AnchorKind.LEXICAL) if " " not in k}

    assert words(LEARNED) == words(RULES)


def test_places_index_the_question():
    question = "Was \u201cpottery class\u201d in Lisbon?"
    found = analyse(question, None, SPEAKERS, LEARNED).mentions
    assert {question[m.start : m.end] for m in found} == {
        "pottery",
        "class",
        "pottery class",
        "Lisbon",
    }


def test_dates_are_read_as_in_turns():
    question = "What did Ann do on 3 May 2023?"
    assert analyse(question, None, SPEAKERS, LEARNED).interval == (
        analyse(question, None, SPEAKERS, RULES).interval
    )


def test_other_languages_are_read_by_the_annotator():
    question = "小明去了里斯本吗？"
    assert LEARNED.annotate((Turn(TurnId(1, 1), "", question),)) == (
        RULES.annotate((Turn(TurnId(1, 1), "", question),))
    )
