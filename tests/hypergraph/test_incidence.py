from __future__ import annotations

from dataclasses import replace
from math import log, log1p

import numpy as np
import pytest

from memcore.hypergraph.incidence import incidence
from memcore.settings import Settings
from memcore.types import Anchor, AnchorKind
from tests.retrieval.small import ALL_KEYS, EMPTY, remembered, talk

FOUR = talk("Ann: tea tea milk\nBob: milk", "Ann: dog\nBob: Porto dog")


def column(index, kind, key):
    places, weights = index.by_turn.column(index.columns[Anchor(kind, key)])
    return dict(zip(places.tolist(), weights.tolist(), strict=True))


def test_the_weight_of_a_key_is_bm25_by_hand():
    index = incidence(remembered(FOUR), ALL_KEYS)
    # 4 turns of 3, 1, 1, 2 keys: mean 1.75. tea: df 1, idf = ln(1 + 3.5/1.5), tf 2 in turn 0.
    idf = log(1 + 3.5 / 1.5)
    norm = 0.9 * (0.7 + 0.3 * 3 / 1.75)
    assert column(index, AnchorKind.LEXICAL, "tea") == pytest.approx(
        {0: idf * 2 * 1.9 / (2 + norm)}
    )


def test_idf_counts_turns():
    index = incidence(remembered(FOUR), ALL_KEYS)
    n = index.columns[Anchor(AnchorKind.LEXICAL, "dog")]
    assert index.idf(n) == pytest.approx(log1p(2.5 / 2.5))


def test_sessions_are_weighed_as_documents_of_their_own():
    index = incidence(remembered(FOUR), ALL_KEYS)
    # 2 sessions of 4 and 3 keys, mean 3.5; dog twice in the second, df 1: idf = ln(1 + 1.5/1.5).
    places, weights = index.by_session.column(index.columns[Anchor(AnchorKind.LEXICAL, "dog")])
    assert places.tolist() == [1]
    assert weights[0] == pytest.approx(log(2) * 2 * 1.9 / (2 + 0.9 * (0.7 + 0.3 * 3 / 3.5)))


def test_a_key_in_too_many_turns_has_an_empty_column_and_one_in_a_single_turn_scores():
    index = incidence(remembered(FOUR), replace(Settings(), key_share=0.2))
    assert column(index, AnchorKind.LEXICAL, "milk") == {}
    assert list(column(index, AnchorKind.LEXICAL, "tea")) == [0]


def test_the_weight_of_a_kind_multiplies_its_keys():
    plain, heavy = (
        incidence(remembered(FOUR), replace(ALL_KEYS, entity_weight=w)) for w in (1.0, 2.0)
    )
    one, two = (column(i, AnchorKind.ENTITY, "porto")[3] for i in (plain, heavy))
    assert two == pytest.approx(2 * one)


def test_speakers_names_are_no_keys():
    memory = remembered(FOUR)
    index = incidence(memory, ALL_KEYS)
    assert not {"ann", "bob"} & {a.key for a in index.anchors}


def test_neighbours_end_with_the_session():
    index = incidence(remembered(FOUR), ALL_KEYS)
    scores = np.array([1.0, 2.0, 3.0, 4.0])
    assert index.shifted(scores, -1).tolist() == [0, 1, 0, 3]
    assert index.shifted(scores, 1).tolist() == [2, 0, 4, 0]
    assert index.shifted(scores, 2).tolist() == [0, 0, 0, 0]
    assert index.shifted(scores, -2).tolist() == [0, 0, 0, 0]


def test_as_of_knows_only_the_sessions_up_to_it():
    index = incidence(remembered(FOUR), ALL_KEYS, as_of=1)
    assert [str(t) for t in index.turns] == ["D1:1", "D1:2"]
    assert column(index, AnchorKind.LEXICAL, "dog") == {}
    assert index.df[index.columns[Anchor(AnchorKind.LEXICAL, "milk")]] == 2


def test_as_of_weighs_as_a_memory_built_of_those_sessions():
    then = incidence(remembered(FOUR), ALL_KEYS, as_of=1)
    alone = incidence(remembered(replace(FOUR, sessions=FOUR.sessions[:1])), ALL_KEYS)
    key = AnchorKind.LEXICAL, "milk"
    assert column(then, *key) == column(alone, *key)


def test_an_empty_memory_has_empty_matrices():
    index = incidence(remembered(EMPTY), Settings())
    assert index.turns == ()
    assert index.by_turn.weights.shape == (0, 0)
