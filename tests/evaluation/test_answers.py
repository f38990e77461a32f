"""Answer metrics against hand computation."""

from __future__ import annotations

import pytest

from memcore.evaluation import answers


def test_official_f1_counts_stems_as_a_multiset():
    # prediction: paint paint sunris (3), gold: paint sunris (2); same = 2: P 2/3, R 1, F1 0.8
    assert answers.official_f1("painting, painted sunrises", "the painting, sunrise", 4) == (
        pytest.approx(0.8)
    )


def test_multi_hop_averages_the_best_match_of_each_gold_part():
    # "running" is found exactly (1), "pottery" not at all (0)
    assert answers.official_f1("swimming, running", "running, pottery", 1) == pytest.approx(0.5)


def test_open_domain_keeps_the_gold_before_the_semicolon():
    assert answers.official_f1("yes", "Yes; she said so", 3) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("reply", "score"),
    [("Not mentioned in the conversation.", 1.0), ("No information available", 1.0), ("Rome", 0.0)],
)
def test_an_unanswerable_question_is_right_iff_refused(reply, score):
    assert answers.official_f1(reply, "whatever", 5) == score


def test_set_f1_ignores_repeats():
    # {yes, she} against {yes}: P 1/2, R 1
    assert answers.set_f1("yes yes she", "Yes.") == pytest.approx(2 / 3)


def test_bleu1_is_clipped_and_penalises_brevity():
    # one of one words right, gold of two: exp(1 - 2/1)
    assert answers.bleu1("May", "May 2023") == pytest.approx(0.367879, abs=1e-6)
    # three words, "the" counted once: 2/3, longer than gold: no penalty
    assert answers.bleu1("the the cat", "the cat") == pytest.approx(2 / 3)
    # nothing right: 0.1/1
    assert answers.bleu1("x", "y") == pytest.approx(0.1)
