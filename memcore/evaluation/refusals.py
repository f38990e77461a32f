"""Refusals: how many unanswerable questions are refused, and how many answerable ones wrongly are.

Never one without the other: `trade_off` gives both for every limit that makes a difference, from
the scores that were stored with the replies, so that a page can draw it without asking again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from memcore.types import Question

ADVERSARIAL = 5
"""LoCoMo's category of questions without an answer; two of its records carry one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: the score that speaks for refusal, and whether it has an answer."""

    score: float
    answerable: bool


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What a limit gives: shares of 0 to 1, None where there is no question of the kind.

    `refused` is the share of the unanswerable questions that score above the limit, and
    `wrongly_refused` that of the answerable ones.
    """

    limit: float
    refused: float | None
    wrongly_refused: float | None


def answerable(question: Question) -> bool:
    """Return whether a question has an answer in its dialogue.

    >>> answerable(Question("q", "?", category_code=5)), answerable(Question("q", "?", answer="no"))
    (False, True)
    """
    return not question.abstain and not (
        question.category_code == ADVERSARIAL and not question.answer
    )


def at_limit(judged: Sequence[Judged], limit: float) -> TradeOff:
    """Return both shares at one limit."""
    return _at(*_scores(judged), limit)


def trade_off(judged: Sequence[Judged]) -> tuple[TradeOff, ...]:
    """Return both shares at every limit that makes a difference, the lowest first.

    A limit below all scores refuses everything; the last one, the highest score, nothing.
    """
    limits = sorted({j.score for j in judged})
    if not limits:
        return ()
    kinds = _scores(judged)
    lowest = min(0.0, limits[0]) - 1.0
    return tuple(_at(*kinds, limit) for limit in (lowest, *limits))


def best_limit(points: Sequence[TradeOff], most_wrong: float) -> TradeOff | None:
    """Return the lowest limit of a curve that refuses at most this share of answerable wrongly."""
    return next((t for t in points if (t.wrongly_refused or 0.0) <= most_wrong), None)


def fewest_wrong(points: Sequence[TradeOff], most_wrong: float) -> TradeOff | None:
    """Return the point that refuses the most unanswerable questions within this share of wrongs.

    Of several that refuse as many, it is the one that wrongly refuses the fewest, so that no
    other point of the curve is better in both.
    """
    within = (t for t in points if (t.wrongly_refused or 0.0) <= most_wrong)
    return min(
        within, key=lambda t: (-(t.refused or 0.0), t.wrongly_refused or 0.0, t.limit), default=None
    )


def _scores(judged: Sequence[Judged]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the scores of the unanswerable and of the answerable questions, ascending."""
    kinds = [sorted(j.score for j in judged if j.answerable is kind) for kind in (False, True)]
    return kinds[0], kinds[1]


def _at(unanswerable: Sequence[float], right: Sequence[float], limit: float) -> TradeOff:
    return TradeOff(limit, _above(unanswerable, limit), _above(right, limit))


def _above(ascending: Sequence[float], limit: float) -> float | None:
    n = len(ascending)
    return (n - bisect_right(ascending, limit)) / n if n else None
