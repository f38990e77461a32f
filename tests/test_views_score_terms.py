"""The pieces of a score's bar: few enough for a hue each, and together the score."""

from __future__ import annotations

from math import fsum

import pytest

from memcore.settings import SAFE
from memcore.types import (
    Beat,
    Candidate,
    Context,
    Query,
    Reply,
    Step,
    Term,
    Trace,
    TurnId,
    scored,
)
from memcore.views import theme
from memcore.views.score_terms import legend_of, pieces


def reply(*candidates: Candidate) -> Reply:
    step = Step("core", Beat.COLLECT, entered=candidates, kept=candidates)
    return Reply(Trace(Query("?"), "best", SAFE, steps=(step,)), Context("", (), 0, 0))


def candidate(n: int, **amounts: float) -> Candidate:
    return scored(TurnId(1, n), [Term(name, amount) for name, amount in amounts.items()])


LETTERS = "abcdefghi"
# nine terms: a gives 1, b 2, ... i 9; the six greatest are d to i, the rest a, b and c: 6
NINE = candidate(1, **{name: float(n) for n, name in enumerate(LETTERS, 1)})


def test_few_terms_are_told_apart_in_the_order_of_their_names():
    found = pieces(reply(candidate(1, window=0.5, key=1.0), candidate(2, key=2.0)))
    assert [sorted(piece.names) for piece in found] == [["key"], ["window"]]


def test_of_many_terms_those_that_move_least_are_one_piece():
    found = pieces(reply(NINE))
    assert [sorted(piece.names) for piece in found] == [*([x] for x in "defghi"), ["a", "b", "c"]]
    assert found[-1].amount(NINE) == 6.0
    assert found[-1].words == "3 other terms together"


def test_a_term_that_takes_away_moves_a_score_as_well():
    found = pieces(reply(candidate(1, **dict.fromkeys(LETTERS, 1.0), z=-50.0)))
    assert ["z"] in [sorted(piece.names) for piece in found]


def test_the_pieces_add_up_to_the_score():
    for one in (NINE, candidate(2, a=0.25, i=-1.5), Candidate(TurnId(1, 3), 0.75)):
        found = pieces(reply(NINE, one))
        assert fsum(piece.amount(one) for piece in found) == pytest.approx(one.score)


def test_a_score_that_is_no_sum_is_one_piece_without_a_legend():
    found = pieces(reply(Candidate(TurnId(1, 1), 0.75)))
    assert [piece.names for piece in found] == [frozenset()]
    assert legend_of(found, theme.LIGHT) == []


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=lambda p: p.name)
def test_no_two_pieces_share_a_hue(palette):
    inks = [piece.hue(palette) for piece in pieces(reply(NINE))]
    assert len(set(inks)) == len(inks) == 7
    # what is not in play is drawn in a share of its ink
    assert all(theme.faded(ink, 0.2).startswith("rgba(") for ink in inks)
