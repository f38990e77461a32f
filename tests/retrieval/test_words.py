from __future__ import annotations

import math

import numpy as np
import pytest

from memcore.retrieval.words import words
from tests.retrieval.small import talk


def rows(conversation, question):
    turns = conversation.turns
    session = np.array([turn.id.session for turn in turns])
    asks = np.array(["?" in turn.text for turn in turns])
    ready = words([turn.content for turn in turns], session, asks)
    return ready.rows(ready.asked(question, frozenset({"ann", "bob"})))


def rarity(df: int, n: int) -> float:
    return math.log1p((n - df + 0.5) / (df + 0.5))


def test_a_word_counts_its_rarity_and_small_words_count_too():
    turn, _, _ = rows(talk("Ann: we make tea\nBob: tea"), "make tea")
    # "make" is in one turn of two, "tea" in both.
    assert turn == pytest.approx([rarity(1, 2) + rarity(2, 2), rarity(2, 2)])


def test_words_meet_by_stem_and_names_look_for_nothing():
    turn, _, _ = rows(talk("Ann: Bob hiked\nBob: tea"), "Is Bob hiking?")
    assert turn == pytest.approx([rarity(1, 2), 0])


def test_an_answer_is_scored_by_the_question_that_it_follows():
    dialogue = talk("Ann: tea ?\nBob: milk\nAnn: tea\nBob: milk", "Ann: milk")
    _, answer, _ = rows(dialogue, "tea")
    assert answer == pytest.approx([0, rarity(2, 5), 0, 0, 0])


def test_a_turn_is_scored_by_the_turn_before_it_asking_or_not():
    dialogue = talk("Ann: tea ?\nBob: tea\nAnn: milk", "Ann: milk")
    _, _, before = rows(dialogue, "tea")
    assert before == pytest.approx([0, rarity(2, 4), rarity(2, 4), 0])


def test_a_question_without_words_finds_nothing():
    assert [row.tolist() for row in rows(talk("Ann: tea"), "Ann?")] == [[0], [0], [0]]
