"""Fit the sums to questions with known evidence, and tell what each term is worth.

Every figure is by leaving one dialogue out: weights are fitted on the others, and the dialogue is
ranked with them. A term's worth is what is lost when all weights are fitted without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import numpy as np

from memcore.annotate.tokens import tokens
from memcore.retrieval.best import Sum, analysis_of
from memcore.retrieval.fitted import Weights
from memcore.retrieval.weights import PENALTY, Example, Matrix, fit
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Memory, Question

MULTI_HOP: Final = "multi-hop"
BUDGET = 1000
"""Tokens of the last figure."""


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One dialogue: its questions as examples, and the tokens of its turns."""

    name: str
    examples: tuple[Example, ...]
    costs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the questions, in percent; the last over those of the category multi-hop."""

    r5: float
    r10: float
    mrr: float
    within: float
    multi_hop_r10: float = math.nan


@dataclass(frozen=True, slots=True)
class Worth:
    """What all questions give without one term; an empty name stands for all terms."""

    term: str
    figures: Figures


def fold(
    memory: Memory,
    questions: Sequence[Question],
    settings: Settings,
    parts: Parts,
    weights: Weights,
) -> Fold:
    """Return a dialogue's questions with the terms that the weights name."""
    embedder = parts.token_embedder if "late_turn" in weights.names else None
    ready = Sum(memory, settings, weights, embedder)
    analysis = analysis_of(ready, parts)
    place = {turn.id: n for n, turn in enumerate(memory.conversation.turns)}
    examples = tuple(
        Example(
            ready.terms(*analysis(q.text, q.asked_at.at)),
            np.array(sorted({place[t] for t in q.evidence_turns}), dtype=np.intp),
            q.category,
        )
        for q in questions
        if q.evidence_turns
    )
    turns = memory.conversation.turns
    costs = tuple(tokens(f"{t.speaker}: {t.content}") for t in turns)
    return Fold(memory.conversation.name, examples, costs)


def fitted(folds: Sequence[Fold], names: tuple[str, ...], penalty: float = PENALTY) -> Weights:
    """Return the weights of all dialogues together."""
    return Weights(fit([e for f in folds for e in f.examples], penalty), names)


def left_out(folds: Sequence[Fold], rows: Sequence[int], penalty: float = PENALTY) -> Figures:
    """Return the figures of each dialogue ranked by the others' weights, of some rows only."""
    kept = [_rows(f, rows) for f in folds]
    found: list[tuple[float, ...]] = []
    many: list[float] = []
    for n, one in enumerate(kept):
        others = [e for m, f in enumerate(kept) if m != n for e in f.examples]
        weights = np.array(fit(others, penalty))
        for example in one.examples:
            figures = _figures(weights @ example.matrix, example, one.costs)
            found.append(figures)
            many += [figures[1]] if example.category == MULTI_HOP else []
    r5, r10, mrr, within = (_mean(column) for column in zip(*found, strict=True))
    return Figures(r5, r10, mrr, within, _mean(many))


def _mean(values: Sequence[float]) -> float:
    return round(100 * fsum(values) / len(values), 1) if values else math.nan


def worths(folds: Sequence[Fold], names: Sequence[str]) -> Iterator[Worth]:
    """Yield the figures of all terms, then those without each term in turn."""
    every = range(len(names))
    yield Worth("", left_out(folds, every))
    for n, name in enumerate(names):
        yield Worth(name, left_out(folds, [m for m in every if m != n]))


def _rows(one: Fold, rows: Sequence[int]) -> Fold:
    chosen = list(rows)
    examples = tuple(Example(e.matrix[chosen], e.gold, e.category) for e in one.examples)
    return Fold(one.name, examples, one.costs)


def _figures(scores: Matrix, example: Example, costs: Sequence[int]) -> tuple[float, ...]:
    order = np.lexsort((np.arange(len(scores)), -np.round(scores, 6)))
    ranks = np.empty(len(scores), dtype=np.intp)
    ranks[order] = np.arange(1, len(scores) + 1)
    gold = ranks[example.gold]
    packed = _packed(order.tolist(), costs)
    within = np.isin(example.gold, packed)
    return (
        float((gold <= 5).mean()),
        float((gold <= 10).mean()),
        1 / int(gold.min()),
        float(within.mean()),
    )


def _packed(order: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Return the places that fit the budget; one too long is passed over."""
    left, found = BUDGET, []
    for place in order:
        if costs[place] <= left:
            left -= costs[place]
            found.append(place)
    return found
