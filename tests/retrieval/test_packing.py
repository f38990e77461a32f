from __future__ import annotations

from memcore.hypergraph.fuse import Shares, interleaved
from memcore.retrieval.packing import Room, costs, fill
from memcore.types import TurnId
from tests.retrieval.small import talk

ONE, TWO, THREE = (TurnId(1, n) for n in (1, 2, 3))


def test_a_turn_costs_its_speaker_text_and_caption():
    assert costs(talk("Ann: tea and milk"))[ONE] == 6  # 4 words x 1.3 = 5.2, rounded up


def test_a_turn_that_does_not_fit_is_passed_over_and_the_next_is_tried():
    taken, left = fill((ONE, TWO, THREE), Room(3, 10), {ONE: 6, TWO: 5, THREE: 4})
    assert taken == (ONE, THREE)
    assert left == Room(1, 0)


def test_no_more_turns_than_the_budget_are_taken():
    assert fill((ONE, TWO), Room(1, 100), {ONE: 1, TWO: 1})[0] == (ONE,)


def test_shares_are_rounded_down_and_the_remainder_is_the_cores():
    assert Shares(0.25, 0.15).of(20) == (12, 5, 3)
    assert Shares(0.25, 0.15).of(2500) == (1500, 625, 375)
    assert Shares(0.25, 0.15).of(7) == (5, 1, 1)
    assert Shares(0.25, 0.15).of(3) == (3, 0, 0)


def test_every_length_of_the_list_keeps_the_shares_but_for_one_turn_due_to_both_at_once():
    order = interleaved(range(100), range(100, 200), range(200, 300), Shares(0.25, 0.15))
    lists = [n for n, _ in order]
    for k in range(1, 101):
        joined, dated = lists[:k].count(1), lists[:k].count(2)
        assert dated == (15 * k) // 100
        assert k // 4 - 1 <= joined <= k // 4


def test_what_a_supplement_cannot_fill_is_the_cores():
    order = interleaved(range(10), (50,), (), Shares(0.25, 0.15))
    assert [thing for _, thing in order] == [0, 1, 2, 50, 3, 4, 5, 6, 7, 8, 9]


def test_supplements_go_on_when_the_core_has_ended():
    order = interleaved((1,), (2, 3), (4, 1), Shares(0.25, 0.15))
    assert sorted(thing for _, thing in order) == [1, 2, 3, 4]
