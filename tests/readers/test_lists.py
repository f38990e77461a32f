"""Questions that ask for several things: which do, and what makes their list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.annotate.pipelines import english_parser
from memcore.readers.evidence import Piece
from memcore.readers.guesses import Guess
from memcore.readers.listed import listed
from memcore.readers.many import asks_many
from memcore.readers.match import Match
from memcore.types import QuestionType, TurnId

MANY = [
    ("What desserts has Ana made?", True),  # a noun in the plural
    ("Which cities did Ana visit?", True),
    ("What are Ana's favourite dishes?", True),
    ("What has Ana painted?", True),  # all that she has done
    ("Where has Ana camped?", True),
    ("Which book has Ana read?", False),  # a noun in the singular
    ("What did Ana paint?", False),
    ("What has Ana painted recently?", False),  # the last of all
    ("What has Ana been painting?", False),  # goes on
    ("What does Ana have in her garden?", False),  # owns
    ("Where does Ana live?", False),
]


@pytest.mark.parametrize(("question", "many"), MANY)
def test_a_plural_noun_or_all_that_was_done_asks_for_several(question, many):
    kind = QuestionType.WHERE if question.startswith("Where") else QuestionType.OTHER
    assert asks_many(kind, english_parser()(question)) is many


def test_another_kind_of_question_asks_for_no_list_and_a_list_always_does():
    asked = english_parser()("How many cities has Ana visited?")
    assert not asks_many(QuestionType.HOW_MANY, asked)
    assert asks_many(QuestionType.LIST, asked)


def guess(text: str, score: float, place: int) -> Guess:
    return Guess(text, score, Match(Piece(text, TurnId(1, place), f"[{place}]", place), 1.0, ()))


def texts(*guesses: Guess, question: str = "What has Ana made?") -> list[str]:
    return [g.text for g in listed(guesses, question)]


def test_a_list_has_what_is_near_the_best_in_the_order_of_the_talk():
    found = (guess("soup", 3.0, 9), guess("bread", 2.5, 2), guess("a chair", 1.9, 4))
    assert texts(*found) == ["bread", "soup"]  # 3.0 - 1.9 is more than 1


def test_a_thing_said_again_is_listed_once():
    found = (guess("carrot soup", 3.0, 1), guess("the carrot soup", 2.9, 5), guess("jam", 2.8, 7))
    assert texts(*found) == ["carrot soup", "jam"]


def test_words_of_the_question_make_no_two_things_alike():
    found = (guess("poetry class", 3.0, 1), guess("cooking class", 2.9, 5))
    assert texts(*found, question="What classes has Ana taken?") == [
        "poetry class",
        "cooking class",
    ]


def test_a_turn_gives_three_things_at_most_and_a_list_has_six():
    of_one = [guess(word, 3.0, 1) for word in ("soup", "bread", "jam", "cake")]
    assert texts(*of_one) == ["soup", "bread", "jam"]
    other = [guess(f"thing{n}", 3.0, n) for n in range(1, 9)]
    assert len(texts(*other)) == 6


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 4), st.integers(1, 5))))
def test_a_list_holds_guesses_of_the_question_only_and_the_best_one(rows):
    found = [guess(text, float(score), place) for text, score, place in rows]
    found.sort(key=lambda g: -g.score)
    kept = listed(found, "")
    assert set(kept) <= set(found)
    assert not found or found[0] in kept


def test_an_empty_list_of_guesses_gives_none():
    assert listed((), "What has Ana made?") == ()
