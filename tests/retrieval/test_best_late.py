from __future__ import annotations

import math
from dataclasses import replace
from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis

from memcore.errors import SeamError
from memcore.retrieval.best import best_of_all
from memcore.retrieval.fitted import BEST, BEST_TERMS, LEXICAL, Weights
from memcore.retrieval.late import late
from memcore.retrieval.listing import listed, ranked_list
from memcore.retrieval.loop import retrieve
from memcore.store.token_vectors import small
from memcore.types import NO_TOKENS, TokenVectors
from tests.parts import FunctionTokenEmbedder
from tests.retrieval.small import ALL_KEYS, EMPTY, PARTS, conversations, questions, remembered, talk

PLANE = {"tea": (1.0, 0.0), "dog": (0.0, 1.0), "chai": (0.8, 0.6), "ann": (-1.0, 0.0)}
TOKENS = FunctionTokenEmbedder(lambda word: PLANE.get(word, (-0.6, -0.8)))
WITH_TOKENS = replace(PARTS, token_embedder=TOKENS)


def token_vectors(conversation, embedder=TOKENS) -> TokenVectors:
    found = embedder.encode_tokens([turn.content for turn in conversation.turns])
    if not found:
        return NO_TOKENS
    rows = small(np.concatenate(found))
    return TokenVectors(rows, np.cumsum([len(rows) for rows in found]), embedder.name)


def with_tokens(conversation):
    return replace(remembered(conversation), token_vectors=token_vectors(conversation))


def scores(conversation, question, places=None):
    """Late interaction of a dialogue's turns and windows."""
    turns = conversation.turns
    session = np.array([turn.id.session for turn in turns])
    asks = np.array(["?" in turn.text for turn in turns])
    ready = late(token_vectors(conversation), turns, session, asks, TOKENS)
    pieces = ready.pieces(question, frozenset({"ann", "bob"}), TOKENS)
    return ready.scores(pieces, np.arange(len(turns)) if places is None else np.array(places))


def rarity(df: int, n: int) -> float:
    return math.log1p((n - df + 0.5) / (df + 0.5))


def test_each_piece_takes_its_best_cosine_in_the_turn_weighed_by_its_rarity():
    turn, *_ = scores(talk("Ann: tea dog", "Bob: chai"), "tea dog")
    # "tea" and "dog" stand in one turn of two each; chai is at cosine 0.8 and 0.6 to them.
    each = rarity(1, 2)
    assert turn == pytest.approx([2 * each, 1.4 * each], abs=0.01)


def test_a_cosine_below_0_counts_nothing():
    turn, *_ = scores(talk("Ann: tea", "Bob: milk"), "tea")
    assert turn == pytest.approx([rarity(1, 2), 0], abs=0.01)


def test_names_of_speakers_and_marks_look_for_nothing():
    turn, *_ = scores(talk("Ann: ann dog", "Bob: tea"), "Ann ?")
    assert turn.tolist() == [0, 0]


def test_neighbours_count_damped_and_end_with_the_session():
    dialogue = talk("Ann: milk\nBob: milk\nAnn: milk\nBob: tea\nAnn: milk\nBob: milk", "Ann: milk")
    _, window, *_ = scores(dialogue, "tea")
    # 0.85 two after, 0.9 one after, 1 itself, 0.95 one before, 0.9 two before; other session 0.
    assert window == pytest.approx(
        [x * rarity(1, 7) for x in (0, 0.85, 0.9, 1, 0.95, 0.9, 0)], abs=0.01
    )


def test_a_piece_takes_the_better_of_turn_and_neighbour():
    _, window, *_ = scores(talk("Ann: chai\nBob: tea"), "tea")
    # chai holds 0.8 itself and 0.9 x 1 beside it.
    assert window == pytest.approx([0.9 * rarity(1, 2), rarity(1, 2)], abs=0.01)


def test_an_answer_is_scored_by_the_question_that_it_follows():
    dialogue = talk("Ann: tea ?\nBob: milk\nAnn: tea\nBob: milk", "Ann: milk")
    _, _, answer, *_ = scores(dialogue, "tea")
    # Only the second turn follows a question; "tea" stands in two turns of five.
    assert answer == pytest.approx([0, rarity(2, 5), 0, 0, 0], abs=0.01)


def test_a_turn_without_tokens_scores_nothing():
    turn, window, _, before, back = scores(talk("Ann: tea\nBob: ", "Ann: dog"), "tea")
    assert (turn[1], window[1]) == (0, pytest.approx(0.95 * rarity(1, 3), abs=0.01))
    assert (before[1], back[1]) == (pytest.approx(rarity(1, 3), abs=0.01), 0)


def test_a_turn_is_scored_by_the_turn_before_it_asking_or_not():
    dialogue = talk("Ann: tea ?\nBob: chai\nAnn: milk", "Ann: milk")
    _, _, _, before, _ = scores(dialogue, "tea")
    # chai is at cosine 0.8 to tea, milk below 0; the second session begins anew.
    assert before == pytest.approx([x * rarity(1, 4) for x in (0, 1, 0.8, 0)], abs=0.01)


def test_the_share_of_a_turn_that_is_near_the_question_is_weighed_by_rarity():
    *_, back = scores(talk("Ann: tea chai ?\nBob: tea milk\nAnn: chai"), "tea")
    # chai is at 0.8, milk below 0; tea and chai stand in two turns of three, milk in one; "?"
    # weighs nothing.
    common, rare = rarity(2, 3), rarity(1, 3)
    assert back == pytest.approx([0.9, common / (common + rare), 0.8], abs=0.01)


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_some_turns_score_as_they_do_among_all(conversation, question):
    whole = scores(conversation, question)
    some = np.arange(0, len(whole[0]), 2)
    for of_some, of_all in zip(scores(conversation, question, some), whole, strict=True):
        assert of_some == pytest.approx(of_all[some])


def only(**weights: float) -> Weights:
    return Weights(tuple(weights.get(name, 0.0) for name in BEST_TERMS), BEST_TERMS)


def test_there_is_one_weight_a_term_of_best():
    assert len(BEST.values) == len(BEST.names)


def test_best_finds_a_turn_that_shares_no_word_with_the_question():
    memory = with_tokens(talk("Ann: milk\nBob: milk", "Ann: chai\nBob: milk"))
    retriever = best_of_all(memory, ALL_KEYS, WITH_TOKENS, only(late_turn=1.0))
    trace = tuple(retrieve(retriever, "tea"))[-1]
    # Cosines 0, 0, 0.8, 0: standardised the third is at sqrt(3), the others at -1/sqrt(3).
    assert [(str(c.item), round(c.score, 3)) for c in trace.candidates] == [
        ("D2:1", 1.732),
        ("D1:1", -0.577),
        ("D1:2", -0.577),
        ("D2:2", -0.577),
    ]
    assert trace.steps[2].note == "late interaction over 4 of 4 turns"


def test_only_the_best_turns_by_the_other_terms_are_compared_by_token():
    memory = with_tokens(talk("Ann: milk", "Bob: tea", "Ann: tea tea"))
    settings = replace(ALL_KEYS, late_turns=2)
    retriever = best_of_all(memory, settings, WITH_TOKENS, only(turn=1.0, late_turn=1.0))
    step = tuple(retrieve(retriever, "tea"))[-1].steps[2]
    assert [str(c.item) for c in step.kept] == ["D3:1", "D2:1"]
    assert step.note == "late interaction over 2 of 3 turns"
    assert [(rest.count, rest.value, rest.limit) for rest in step.rest] == [(1, 3, 2)]


@pytest.mark.parametrize(
    ("tokens", "note"),
    [
        (None, "no token encoder for this language"),
        (TOKENS, "no token vectors"),
    ],
)
def test_without_token_vectors_best_says_so_and_is_best_lexical(tokens, note):
    memory = remembered(talk("Ann: tea\nBob: milk", "Ann: dog"))
    parts = replace(PARTS, token_embedder=tokens)
    step = tuple(retrieve(best_of_all(memory, ALL_KEYS, parts), "tea dog"))[-1].steps[2]
    assert step.note.startswith(note)
    assert {term.name for c in step.kept for term in c.terms} <= set(LEXICAL.names)


def test_token_vectors_of_another_encoder_are_refused():
    parts = replace(PARTS, token_embedder=replace(TOKENS, name="other"))
    with pytest.raises(SeamError, match="other: the memory's vectors are by function"):
        best_of_all(with_tokens(talk("Ann: tea")), ALL_KEYS, parts)


@pytest.mark.parametrize("question", ["", "?!"])
def test_a_question_of_punctuation_finds_nothing_by_token(question):
    retriever = best_of_all(with_tokens(talk("Ann: tea")), ALL_KEYS, WITH_TOKENS)
    assert tuple(retrieve(retriever, question))[-1].candidates == ()


def test_an_empty_memory_gives_an_empty_trace_by_token():
    retriever = best_of_all(with_tokens(EMPTY), ALL_KEYS, WITH_TOKENS)
    assert tuple(retrieve(retriever, "tea"))[-1].candidates == ()


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_terms_of_best_sum_to_the_score_and_the_listing_is_the_trace(conversation, question):
    retriever = best_of_all(with_tokens(conversation), ALL_KEYS, WITH_TOKENS)
    for as_of in (None, 1):
        found = tuple(retrieve(retriever, question, as_of=as_of))
        for step in found[-1].steps:
            for c in step.entered:
                assert round(fsum(t.amount for t in c.terms), 6) == c.score
            assert list(step.entered) == sorted(step.entered, key=lambda c: (-c.score, c.item))
        assert ranked_list(retriever, question, as_of=as_of) == listed(found)
