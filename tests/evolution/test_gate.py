"""The gate against Eq. 2-3: r > lambda_red and delta < delta_short, both strict."""

from __future__ import annotations

import numpy as np
import pytest

from memcore.evolution.gate import Stored, answers, gate_limit, gated, redundant
from memcore.settings import PAPER, SAFE
from memcore.types import EntryId, Reason
from tests.evolution.talk import at, turn


@pytest.mark.parametrize(
    ("similarity", "hours", "dropped"),
    [
        (0.600001, 0.5, True),
        (0.6, 0.5, False),  # r is at the limit, not above it
        (0.7, 0.999, True),
        (0.7, 1.0, False),  # a recurrence after the hour passes
        (0.7, None, False),  # an unknown time keeps the turn
        (1.0, 0.0, True),
    ],
)
def test_a_turn_is_redundant_only_strictly_inside_both_limits(similarity, hours, dropped):
    assert redundant(similarity, hours, limit=0.6, near=1.0) is dropped


def test_the_most_similar_entry_decides_even_if_another_is_nearer_in_time():
    # r = max(0.7, 0.9) = 0.9 of E2, said 5 hours before: kept, though E1 alone would drop it
    stored = Stored((EntryId(1), EntryId(2)), (at(4.9), at(0)))
    assert gated(turn("D1:3", "x", 5), np.array([0.7, 0.9]), stored, 0.6, 1.0) is None


def test_a_gated_turn_names_the_partner_the_similarity_and_the_limit():
    stored = Stored((EntryId(1), EntryId(2)), (at(0), at(0)))
    drop = gated(turn("D1:3", "x", 0.5), np.array([0.9, 0.9]), stored, 0.6, 1.0)
    assert drop is not None
    assert (drop.reason, drop.value, drop.limit) == (Reason.GATED, 0.9, 0.6)
    assert drop.other == EntryId(1)  # equally similar: the earlier one
    assert drop.margin == 0.3


def test_nothing_is_redundant_in_an_empty_store():
    assert gated(turn("D1:1", "x"), np.zeros(0), Stored((), ()), 0.0, 1.0) is None


@pytest.mark.parametrize(
    ("before", "speaker", "is_answer"),
    [
        ("Did you like it?", "Bo", True),
        ("你喜欢吗", "Bo", True),
        ("Did you like it?", "Ana", False),  # nobody answers herself
        ("I liked it.", "Bo", False),
    ],
)
def test_an_answer_follows_the_question_of_somebody_else(before, speaker, is_answer):
    assert answers(turn("D1:2", "Yes."), turn("D1:1", before, speaker=speaker)) is is_answer


def test_the_first_turn_of_a_session_answers_nothing():
    assert not answers(turn("D2:1", "Yes."), turn("D1:9", "Really?", speaker="Bo"))
    assert not answers(turn("D1:1", "Yes."), None)


def test_the_hashing_embedder_has_a_limit_of_its_own():
    assert gate_limit(PAPER, "all-MiniLM-L6-v2") == 0.6
    assert gate_limit(SAFE, "all-MiniLM-L6-v2") == 0.8
    assert gate_limit(SAFE, "hashing-512") == SAFE.hashing_gate_similarity
