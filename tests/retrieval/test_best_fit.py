from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from memcore.retrieval.fitting import Fold, fitted, left_out, worths
from memcore.retrieval.weights import Example, fit

KNOWN = np.array([1.5, -0.8, 0.4])


def drawn(questions: int) -> list[Example]:
    """Questions over 20 turns whose gold is drawn by the softmax of the known weights."""
    source = np.random.Generator(np.random.PCG64(7))
    found = []
    for _ in range(questions):
        rows = source.normal(size=(3, 20))
        chance = np.exp(KNOWN @ rows)
        gold = source.choice(20, p=chance / chance.sum())
        found.append(Example(rows, np.array([gold])))
    return found


def test_the_fit_recovers_the_weights_that_drew_the_gold():
    assert fit(drawn(3000), 0.0) == pytest.approx(KNOWN, abs=0.1)


def test_the_fit_is_the_minimum_that_a_search_by_values_finds():
    examples, penalty = drawn(40), 0.01

    def loss(weights):
        one = [
            np.log(np.exp(weights @ e.matrix).sum()) - weights @ e.matrix[:, e.gold[0]]
            for e in examples
        ]
        return np.mean(one) + penalty * weights @ weights

    found = minimize(loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-6})
    assert fit(examples, penalty) == pytest.approx(found.x, abs=2e-3)


def test_a_start_near_the_end_changes_nothing():
    examples = drawn(40)
    assert fit(examples, start=(1.0, 0.0, 0.0)) == fit(examples)


def folds() -> tuple[Fold, ...]:
    examples = drawn(30)
    return tuple(Fold(str(n), tuple(examples[n::3]), (100,) * 20) for n in range(3))


def test_a_dialogue_is_ranked_by_the_weights_of_the_others():
    rows = np.array([[1.0, 0.0]])
    first, last = (Fold(str(n), (Example(rows, np.array([n])),), (600, 600)) for n in (0, 1))
    found = left_out((first, last), [0])
    # Each is ranked by what the other taught, so its gold turn is second: out of 1,000 tokens.
    assert (found.r5, found.mrr, found.within) == (100, 50, 0)


def test_multi_hop_questions_have_a_figure_of_their_own():
    rows = np.array([[1.0, 0.0]])
    asked = [
        Example(rows, np.array([0]), "multi-hop"),
        Example(rows, np.array([0]), "single-hop"),
    ]
    one = Fold("1", tuple(asked), (1, 1))
    # Ten are read, so both turns are found whatever the weights.
    assert left_out((one, one), [0]).multi_hop_r10 == 100
    assert math.isnan(left_out((Fold("1", (asked[1],), (1, 1)),) * 2, [0]).multi_hop_r10)


def test_a_terms_worth_is_what_is_lost_without_it():
    found = tuple(worths(folds(), ("big", "negative", "small")))
    assert [w.term for w in found] == ["", "big", "negative", "small"]
    assert found[0].figures.mrr > found[1].figures.mrr


def test_the_weights_of_all_dialogues_carry_the_names_of_their_terms():
    assert fitted(folds(), ("a", "b", "c")).of("a") > 1
