"""Weights of `best-lexical` and how they are found: a conditional logit over the turns.

For each question the turns of the dialogue compete: the score is a weighted sum, its softmax is
the chance that a turn is evidence, and the weights make the gold turns as likely as they can,
held near zero by a small square penalty. The fit starts from zero and draws nothing at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from memcore.hypergraph.terms import Places

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question: a row a term and a column a turn, and the places of the gold turns."""

    matrix: Matrix
    gold: Places


def fit(examples: Sequence[Example], penalty: float = 1e-3) -> tuple[float, ...]:
    """Return the weights, one a row, rounded to 3 decimals.

    All questions stand side by side in one matrix, so that a step is two products.
    """
    rows = np.concatenate([e.matrix for e in examples], axis=1)
    sizes = np.array([e.matrix.shape[1] for e in examples])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    gold = np.zeros(rows.shape[1])
    for start, example in zip(starts.tolist(), examples, strict=True):
        gold[start + example.gold] = 1 / len(example.gold)

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        scores = weights @ rows
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        chance = np.exp(scores)
        total = np.add.reduceat(chance, starts)
        chance /= np.repeat(total, sizes)
        value = float(np.log(total).sum() - gold @ scores)
        slope = rows @ (chance - gold)
        n = len(examples)
        return value / n + penalty * float(weights @ weights), slope / n + 2 * penalty * weights

    start = np.zeros(rows.shape[0])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return tuple(round(float(w), 3) for w in found.x)
