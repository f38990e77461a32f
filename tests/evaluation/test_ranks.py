"""Ranking metrics against hand computation, and against ir-measures as an independent judge."""

from __future__ import annotations

from collections.abc import Sequence

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, Success, nDCG

from memcore.evaluation import ranks


def test_a_place_is_the_rank_and_0_where_it_is_not_listed() -> None:
    assert ranks.ranks_of("abcd", "dxb") == (4, 0, 2)
    assert ranks.ranks_of("abcd", "dd") == (4,)  # gold named twice is one item


def test_longmemevals_discount_leaves_the_first_two_ranks_alike() -> None:
    # gold at 2 and 4 of the best 4: 1 + 1/log2(4) = 1.5; ideal: ranks 1 and 2: 1 + 1 = 2
    assert ranks.ndcg_longmemeval((2, 4), 4) == pytest.approx(0.75)
    # ours: 1/log2(3) + 1/log2(5) = 1.061606 of 1.630930
    assert ranks.ndcg((2, 4), 4) == pytest.approx(0.650921, abs=1e-6)
    # three gold, ideal 1 + 1 + 1/log2(3) = 2.630930; found at 3 only: 0.630930
    assert ranks.ndcg_longmemeval((3, 0, 9), 3) == pytest.approx(0.239812, abs=1e-6)


def test_no_gold_is_not_applicable_and_unlisted_gold_is_0() -> None:
    for metric in (
        ranks.recall,
        ranks.all_gold,
        ranks.any_gold,
        ranks.ndcg,
        ranks.ndcg_longmemeval,
    ):
        assert metric((), 5) is None
        assert metric((0, 6), 5) == 0.0
    assert ranks.reciprocal_rank(()) is None
    assert ranks.reciprocal_rank((0,)) == 0.0


@given(
    st.lists(st.integers(1, 60), unique=True, min_size=1),
    st.sets(st.integers(1, 60), min_size=1, max_size=8),
    st.sampled_from((1, 3, 5, 10, 25, 50)),
)
def test_ir_measures_agrees(listed: Sequence[int], gold: set[int], k: int) -> None:
    run = {"q": {f"t{t}": float(len(listed) - n) for n, t in enumerate(listed)}}
    wanted = {"q": {f"t{t}": 1 for t in gold}}
    measures = (R @ k, RR, nDCG @ k, Success @ k)
    theirs = ir_measures.calc_aggregate(measures, wanted, run)
    places = ranks.ranks_of(listed, sorted(gold))
    assert ranks.recall(places, k) == pytest.approx(theirs[R @ k])
    assert ranks.reciprocal_rank(places) == pytest.approx(theirs[RR])
    assert ranks.ndcg(places, k) == pytest.approx(theirs[nDCG @ k])
    assert ranks.any_gold(places, k) == pytest.approx(theirs[Success @ k])
    assert ranks.all_gold(places, k) == float(theirs[R @ k] == 1)
