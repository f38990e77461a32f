import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.annotate.keys import STOP_WORDS, normalise, stem
from memcore.annotate.languages import language_of


@pytest.mark.parametrize(
    ("words", "key"), [("paint painting paintings painted", "paint"), ("Hikes hiking", "hike")]
)
def test_forms_of_a_word_share_a_stem(words, key):
    assert {stem(w) for w in words.split()} == {key}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Caroline's", "caroline"),
        ("the Smiths\u2019", "smiths"),
        ("The  Four\nSeasons", "four seasons"),
        ("A", "a"),
        ("\u201cCharlotte's Web\u201d", "charlotte's web"),
        ("...", ""),
    ],
)
def test_a_name_is_folded_without_article_and_possessive(name, key):
    assert normalise(name) == key


@given(st.text())
def test_a_normalised_name_stays_as_it_is_folded(name):
    assert normalise(name) == normalise(name).casefold()


def test_stop_words_are_folded():
    assert {w.casefold() for w in STOP_WORDS} == STOP_WORDS


@pytest.mark.parametrize(
    ("text", "language"),
    [("hello", "en"), ("你好", "zh"), ("我用 Python", "zh"), ("I like 茶", "en"), ("", "en")],
)
def test_the_language_is_that_of_most_characters(text, language):
    assert language_of(text) == language
