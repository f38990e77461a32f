"""Metrics against hand computation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.evaluation import metrics, ranks
from memcore.evaluation.metrics import Scored
from memcore.types import TurnId


def turns(*places):
    return [TurnId(1, n) for n in places]


RANKED = turns(4, 2, 9, 7)


def test_recall_is_the_share_of_gold_in_the_top_k():
    assert ranks.recall(ranks.ranks_of(RANKED, turns(2, 7, 8)), 2) == pytest.approx(1 / 3)
    assert ranks.recall(ranks.ranks_of(RANKED, turns(2, 7, 8)), 4) == pytest.approx(2 / 3)


def test_all_and_any_gold_differ_when_one_is_missing():
    assert ranks.all_gold(ranks.ranks_of(RANKED, turns(2, 8)), 4) == 0.0
    assert ranks.any_gold(ranks.ranks_of(RANKED, turns(2, 8)), 4) == 1.0
    assert ranks.all_gold(ranks.ranks_of(RANKED, turns(2, 4)), 2) == 1.0


def test_reciprocal_rank_is_that_of_the_first_gold_turn():
    assert ranks.reciprocal_rank(ranks.ranks_of(RANKED, turns(9, 7))) == pytest.approx(1 / 3)
    assert ranks.reciprocal_rank(ranks.ranks_of(RANKED, turns(1))) == 0.0


def test_ndcg_by_hand():
    # gold at ranks 2 and 4: DCG = 1/log2(3) + 1/log2(5) = 0.630930 + 0.430677 = 1.061606
    # ideal: ranks 1 and 2: 1 + 0.630930 = 1.630930; 1.061606 / 1.630930 = 0.650921
    assert ranks.ndcg(ranks.ranks_of(RANKED, turns(2, 7)), 10) == pytest.approx(0.650921, abs=1e-6)


def test_a_question_without_gold_is_not_applicable_rather_than_zero():
    for figure in (
        ranks.recall(ranks.ranks_of(RANKED, []), 5),
        ranks.reciprocal_rank(ranks.ranks_of(RANKED, [])),
        ranks.ndcg(ranks.ranks_of(RANKED, []), 5),
        metrics.recall_within(RANKED, [], [1, 1, 1, 1], 5),
    ):
        assert figure is None


def test_a_turn_that_does_not_fit_the_budget_is_passed_over():
    # 30 + (50 does not fit) + 10 + 5 of 45
    assert metrics.recall_within(RANKED, turns(2, 9, 7), [30, 50, 10, 5], 45) == pytest.approx(
        2 / 3
    )


def test_the_mean_leaves_out_what_does_not_apply():
    rows = [Scored("a", "1", "x", 1.0), Scored("a", "2", "x", None), Scored("b", "3", "x", 0.0)]
    found = metrics.mean("r", rows)
    assert (found.value, found.n) == (0.5, 2)


def test_one_conversation_has_no_interval():
    assert metrics.interval([Scored("a", "1", "x", 1.0)]) == (None, None)


def test_two_conversations_enumerate_four_draws():
    # means of the draws aa, ab, ba, bb: 0, 0.5, 0.5, 1, each 1/4; 2.5 % is 0 and 97.5 % is 1
    rows = [Scored("a", "1", "x", 0.0), Scored("b", "2", "x", 1.0)]
    assert metrics.interval(rows) == (0.0, 1.0)


def test_enumeration_and_drawing_agree():
    rows = [Scored(str(i), "q", "x", v) for i, v in enumerate((0.1, 0.5, 0.4, 0.9, 0.3, 0.6))]
    exact = metrics.interval(rows)
    drawn = metrics.interval(rows, exact=0)
    assert exact == pytest.approx(drawn, abs=0.03)


@given(st.lists(st.integers(1, 30), unique=True), st.sets(st.integers(1, 30), min_size=1))
def test_recall_never_falls_with_k(ranked, gold):
    found = [ranks.recall(ranks.ranks_of(turns(*ranked), turns(*gold)), k) for k in range(31)]
    assert found == sorted(found)
