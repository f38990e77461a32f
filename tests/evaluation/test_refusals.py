"""Refusals against hand-counted shares."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.evaluation.refusals import (
    Judged,
    TradeOff,
    answerable,
    at_limit,
    best_limit,
    fewest_wrong,
    trade_off,
)
from memcore.types import Question

FIVE = (
    Judged(0.9, answerable=False),
    Judged(0.5, answerable=False),
    Judged(0.7, answerable=True),
    Judged(0.2, answerable=True),
    Judged(0.1, answerable=True),
)


def test_a_question_is_refused_above_the_limit_not_at_it():
    # above 0.5: one of two without an answer (0.9), one of three with one (0.7)
    assert at_limit(FIVE, 0.5) == TradeOff(0.5, 0.5, pytest.approx(1 / 3))


def test_the_curve_begins_with_everything_refused_and_ends_with_nothing():
    curve = trade_off(FIVE)
    assert [t.limit for t in curve] == [-1.0, 0.1, 0.2, 0.5, 0.7, 0.9]
    assert (curve[0].refused, curve[0].wrongly_refused) == (1.0, 1.0)
    assert (curve[-1].refused, curve[-1].wrongly_refused) == (0.0, 0.0)


def test_the_best_limit_is_the_lowest_that_keeps_within_the_share():
    # at 0.2 one of three (0.7) is wrongly refused; at 0.1 two of three
    assert best_limit(trade_off(FIVE), 0.34) == TradeOff(0.2, 1.0, pytest.approx(1 / 3))
    assert best_limit(trade_off(FIVE), 0.0) == TradeOff(0.7, 0.5, 0.0)


def test_of_points_that_refuse_as_many_the_one_with_the_fewest_wrongs_is_told():
    # 0.2 and 0.4 refuse the one without an answer (0.5); 0.2 wrongly refuses 0.3 and 0.4 too
    judged = [Judged(score, answerable=score != 0.5) for score in (0.1, 0.2, 0.3, 0.4, 0.5)]
    assert best_limit(trade_off(judged), 0.5) == TradeOff(0.2, 1.0, 0.5)
    assert fewest_wrong(trade_off(judged), 0.5) == TradeOff(0.4, 1.0, 0.0)
    assert fewest_wrong(trade_off(judged), -1.0) is None


def test_a_kind_without_questions_is_not_applicable():
    assert at_limit([Judged(0.3, answerable=True)], 0.1) == TradeOff(0.1, None, 1.0)
    assert trade_off([]) == ()


@pytest.mark.parametrize(
    ("question", "has"),
    [
        (Question("q", "?", answer="tea", category_code=4), True),
        (Question("q", "?", category_code=5), False),
        (Question("q", "?", answer="No", category_code=5), True),
        (Question("q", "?", answer="not said", abstain=True), False),
    ],
)
def test_category_five_without_an_answer_and_abstentions_are_unanswerable(question, has):
    assert answerable(question) is has


@given(st.lists(st.builds(Judged, st.sampled_from([0.0, 0.1, 0.2, 0.4]), answerable=st.booleans())))
def test_a_higher_limit_never_refuses_more(judged):
    curve = trade_off(judged)
    for one, other in pairwise(curve):
        assert (other.refused or 0.0) <= (one.refused or 0.0)
        assert (other.wrongly_refused or 0.0) <= (one.wrongly_refused or 0.0)
