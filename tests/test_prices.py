"""Prices that a user sets, and what they make of tokens."""

from __future__ import annotations

import pytest

from memcore.errors import SettingsError
from memcore.prices import Price, Prices, parse
from memcore.types import Usage

USED = Usage(3, 2_000_000, 500_000)


def test_a_price_is_of_a_model_of_all_that_begin_so_or_of_every_one():
    prices = parse("1/1, big-*=3/15, small=0.5/2")
    assert prices.cost("small", USED) == 0.5 * 2 + 2 * 0.5
    assert prices.cost("big-one", USED) == 3 * 2 + 15 * 0.5
    assert prices.cost("other", USED) == 2 + 0.5


def test_without_a_price_no_money_is_named():
    assert parse("") == Prices()
    assert parse("").cost("m", USED) is None
    assert parse("n=1/1").shown("m", USED) == ""


def test_a_reply_kept_from_before_costs_nothing():
    assert parse("1/1").cost("m", Usage(0, 1000, 10)) == 0.0


def test_the_name_of_a_model_may_hold_any_sign_but_a_comma():
    assert parse("org/model:7b=1/2").listed == (Price("org/model:7b", 1.0, 2.0),)


@pytest.mark.parametrize("text", ["m=1", "m=a/b", "m=-1/2", "m=1/nan", "m=inf/1", "=/"])
def test_another_form_is_refused_with_the_form_expected(text):
    with pytest.raises(SettingsError, match=r"expected MODEL=0\.15/0\.60"):
        parse(text)
