from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis

from memcore.retrieval.best import best_lexical
from memcore.retrieval.features import NAMES, standard
from memcore.retrieval.fitted import LEXICAL, LEXICAL_TERMS, Weights
from memcore.retrieval.listing import listed, ranked_list
from memcore.retrieval.loop import retrieve
from memcore.retrieval.weights import Example, fit
from tests.retrieval.small import ALL_KEYS, EMPTY, PARTS, conversations, questions, remembered, talk


def traces(conversation, question, weights=LEXICAL, as_of=None):
    retriever = best_lexical(remembered(conversation), ALL_KEYS, PARTS, weights)
    return tuple(retrieve(retriever, question, as_of=as_of))


def only(**weights: float) -> Weights:
    return Weights(tuple(weights.get(name, 0.0) for name in NAMES), NAMES)


def test_there_is_one_weight_a_term():
    assert len(LEXICAL.values) == len(LEXICAL.names)
    assert LEXICAL.of("date") == LEXICAL.values[LEXICAL_TERMS.index("date")]


def test_a_row_is_standardised_to_mean_0_and_deviation_1():
    assert standard(np.array([1.0, 3.0])).tolist() == [-1, 1]
    assert standard(np.array([2.0, 2.0])).tolist() == [0, 0]


def test_the_subject_is_the_first_speaker_named():
    trace = traces(talk("Ann: tea\nBob: tea"), "Bob tea Ann", only(subject=1.1))[-1]
    assert [(str(c.item), c.score) for c in trace.candidates] == [("D1:2", 1.1), ("D1:1", 0.0)]


def test_a_number_counts_where_the_question_asks_how_many():
    dialogue = talk("Ann: dog\nBob: three dog")
    weights = only(number_asked=1.0)
    assert traces(dialogue, "How many dog ?", weights)[-1].candidates[0].score == 1.0
    assert traces(dialogue, "Whose dog ?", weights)[-1].candidates[0].score == 0.0


def test_the_turn_after_a_question_is_known():
    trace = traces(talk("Ann: tea ?\nBob: milk\nAnn: dog"), "tea", only(after_question=1.0))[-1]
    assert [str(c.item) for c in trace.candidates if c.score] == ["D1:2"]


def test_windows_end_with_the_session():
    dialogue = talk("Ann: tea", "Bob: milk\nAnn: dog")
    found = {str(c.item): c.score for c in traces(dialogue, "tea", only(window=1.0))[-1].candidates}
    assert found["D1:1"] > 0 > found["D2:1"] == found["D2:2"]


def test_cover_is_the_share_of_the_questions_keys_that_the_window_holds():
    dialogue = talk("Ann: tea\nBob: dog", "Ann: cat")
    found = traces(dialogue, "tea dog", only(cover=1.0))[-1].candidates
    # Equal idf: each turn of the first session has both keys in its window, -2 to +1.
    assert [(str(c.item), c.score) for c in found] == [("D1:1", 1.0), ("D1:2", 1.0), ("D2:1", 0.0)]


@pytest.mark.parametrize("question", ["", "?!"])
def test_a_question_of_punctuation_finds_nothing(question):
    assert traces(talk("Ann: tea"), question)[-1].candidates == ()


def test_an_empty_memory_gives_an_empty_trace():
    assert traces(EMPTY, "tea")[-1].candidates == ()


def test_as_of_shows_no_later_turn():
    trace = traces(talk("Ann: tea", "Bob: tea"), "tea", as_of=1)[-1]
    assert [str(c.item) for c in trace.candidates] == ["D1:1"]


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_terms_sum_to_the_score_and_the_listing_is_the_trace(conversation, question):
    retriever = best_lexical(remembered(conversation), ALL_KEYS, PARTS)
    found = tuple(retrieve(retriever, question))
    for step in found[-1].steps:
        for c in step.entered:
            assert round(fsum(t.amount for t in c.terms), 6) == c.score
        assert list(step.entered) == sorted(step.entered, key=lambda c: (-c.score, c.item))
    assert ranked_list(retriever, question) == listed(found)


def test_the_fit_finds_the_term_that_tells_gold_from_the_rest():
    rows = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    weights = fit([Example(rows, np.array([0])), Example(rows, np.array([0]))])
    assert weights[0] > 1 > 0 > weights[1]


def test_the_fit_of_equal_chances_is_by_hand():
    # Two turns told apart by one term, gold once each: the best weight is 0.
    rows = np.array([[1.0, 0.0]])
    assert fit([Example(rows, np.array([0])), Example(rows, np.array([1]))]) == (0.0,)
