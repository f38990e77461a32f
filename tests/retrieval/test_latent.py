"""The space of a dialogue's own words: what it joins, what it cannot know, and its edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from memcore.retrieval.latent import DIRECTIONS, latent
from memcore.retrieval.words import words
from tests.retrieval.small import conversations, talk


def space(conversation):
    turns = conversation.turns
    session = np.array([turn.id.session for turn in turns])
    return latent(words([t.content for t in turns], session, np.zeros(len(turns), dtype=bool)))


def test_two_words_said_side_by_side_point_the_same_way():
    """Two topics, each a window of its own session: within one, all words are one direction."""
    found = space(talk("Ann: easel\nBob: paint", "Ann: harbour\nBob: boat"))
    # The windows of the first session hold easel and paint alike, those of the second harbour
    # and boat, so the two singular vectors are (easel + paint) and (harbour + boat) over root 2.
    assert found.row(["easel"]) == pytest.approx([1, 1, 0, 0], abs=1e-9)
    assert found.row(["boat"]) == pytest.approx([0, 0, 1, 1], abs=1e-9)


def test_a_question_between_two_topics_is_half_way():
    found = space(talk("Ann: easel\nBob: paint", "Ann: harbour\nBob: boat"))
    # All words stand in one turn of four, so they weigh alike: the cosine is 1 over root 2.
    assert found.row(["paint", "boat"]) == pytest.approx([0.5**0.5] * 4, abs=1e-9)


def test_words_that_the_dialogue_never_says_reach_nothing():
    assert space(talk("Ann: easel", "Bob: boat")).row(["telescope"]).tolist() == [0, 0]


def test_a_dialogue_without_words_has_an_empty_space():
    assert space(talk("Ann: ?!", "Bob: ...")).row(["tea"]).tolist() == [0, 0]


def test_a_long_dialogue_keeps_only_the_strongest_directions():
    texts = [f"word{n} word{n + 1} common" for n in range(120)]
    session = np.zeros(120, dtype=np.intp)
    found = latent(words(texts, session, np.zeros(120, dtype=bool)))
    assert found.basis.shape[1] == DIRECTIONS
    held = np.linalg.norm(found.turns, axis=1)
    assert held == pytest.approx(np.ones(120), abs=1e-9)


def test_the_same_dialogue_gives_the_same_space():
    texts = [f"word{n % 7} word{n % 11} common" for n in range(120)]
    session = np.arange(120) // 10
    one, two = (latent(words(texts, session, np.zeros(120, dtype=bool))) for _ in range(2))
    assert (one.row(["word3"]) == two.row(["word3"])).all()


@given(conversations)
def test_a_cosine_is_between_minus_one_and_one(conversation):
    found = space(conversation)
    row = found.row(["tea", "dog", "milk"])
    assert row.shape == (len(conversation.turns),)
    assert (np.abs(row) <= 1 + 1e-9).all()
