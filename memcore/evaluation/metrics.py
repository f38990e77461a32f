"""Retrieval metrics of one question, and their means with intervals over conversations.

Definitions are those of evaluation.md; a question without gold is not applicable (None), which is
not the same as 0. The arithmetic is in `ranks`, and the tests hold it against ir-measures. ranx
and ir-measures were turned down for the product: both count a question without gold as 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, fsum, prod

import numpy as np

from memcore.types import Metric, TurnId

EXACT_CONVERSATIONS = 7
"""Up to so many conversations the bootstrap is enumerated, not drawn."""

DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Scored:
    """The figure of one question; `value` is None where the metric does not apply."""

    conversation: str
    question: str
    category: str
    value: float | None


def recall_within(
    ranked: Sequence[TurnId], gold: Sequence[TurnId], tokens: Sequence[int], budget: int
) -> float | None:
    """Return the share of gold in the turns that fit the budget; one too long is passed over.

    `tokens` are those of `ranked`, same order.
    """
    wanted = set(gold)
    if not wanted:
        return None
    left, found = budget, set[TurnId]()
    for turn, cost in zip(ranked, tokens, strict=True):
        if cost <= left:
            left -= cost
            found.add(turn)
    return len(wanted & found) / len(wanted)


def mean(name: str, scored: Sequence[Scored]) -> Metric:
    """Return the mean over the questions to which the metric applies, with its 95 % interval.

    The interval is a bootstrap over conversations; with one conversation it does not apply.
    """
    values = [s.value for s in scored if s.value is not None]
    if not values:
        return Metric(name, None, 0)
    low, high = interval(scored)
    return Metric(name, round(fsum(values) / len(values), 6), len(values), low, high)


def interval(
    scored: Sequence[Scored], exact: int = EXACT_CONVERSATIONS
) -> tuple[float | None, float | None]:
    """Return the 2.5 and 97.5 percentiles of the mean when conversations are drawn anew.

    Up to `exact` conversations every draw is counted; above, 10,000 are drawn from a fixed seed.
    """
    sums: dict[str, list[float]] = {}
    for s in scored:
        if s.value is not None:
            sums.setdefault(s.conversation, []).append(s.value)
    groups = [(fsum(v), len(v)) for _, v in sorted(sums.items())]
    if len(groups) < 2:
        return None, None
    means, weights = _enumerated(groups) if len(groups) <= exact else _drawn(groups)
    order = np.argsort(means, kind="stable")
    shares = np.cumsum(np.asarray(weights)[order]) / math.fsum(weights)
    sorted_means = np.asarray(means)[order]
    low = sorted_means[np.searchsorted(shares, 0.025)]
    last = min(int(np.searchsorted(shares, 0.975)), len(shares) - 1)
    high = sorted_means[last]
    return round(float(low), 6), round(float(high), 6)


def _enumerated(groups: Sequence[tuple[float, int]]) -> tuple[list[float], list[float]]:
    """All draws with replacement as multisets, each weighted by the number of its orders."""
    n = len(groups)
    means: list[float] = []
    weights: list[float] = []
    for chosen in combinations_with_replacement(range(n), n):
        total = fsum(groups[i][0] for i in chosen)
        means.append(total / sum(groups[i][1] for i in chosen))
        weights.append(factorial(n) / prod(factorial(c) for c in Counter(chosen).values()))
    return means, weights


def _drawn(groups: Sequence[tuple[float, int]]) -> tuple[list[float], list[float]]:
    draws = np.random.Generator(np.random.PCG64(0)).integers(0, len(groups), (DRAWS, len(groups)))
    totals = np.array([g[0] for g in groups])[draws].sum(axis=1)
    counts = np.array([g[1] for g in groups])[draws].sum(axis=1)
    return [float(m) for m in totals / counts], [1.0] * DRAWS
