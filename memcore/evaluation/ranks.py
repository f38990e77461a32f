"""Retrieval metrics of one question from the places of its gold in a ranked list.

A place is a rank from 1; 0 stands for gold that is not listed. All that a ranking metric needs is
these places, so they are what is stored. Definitions are those of evaluation.md; a question
without gold is not applicable (None), which is not the same as 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum, log2

Ranks = Sequence[int]


def ranks_of(listed: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[int, ...]:
    """Return the rank of each gold item, 0 where it is not listed; each gold item counts once.

    >>> ranks_of("abc", "cz")
    (3, 0)
    """
    places = {item: rank for rank, item in reversed(list(enumerate(listed, 1)))}
    return tuple(places.get(item, 0) for item in dict.fromkeys(gold))


def recall(ranks: Ranks, k: int) -> float | None:
    """Return |gold in top k| / |gold|.

    >>> recall((2, 0), 2)
    0.5
    """
    return sum(0 < r <= k for r in ranks) / len(ranks) if ranks else None


def all_gold(ranks: Ranks, k: int) -> float | None:
    """Return 1 if the top k hold all gold, else 0."""
    return float(all(0 < r <= k for r in ranks)) if ranks else None


def any_gold(ranks: Ranks, k: int) -> float | None:
    """Return 1 if the top k hold any gold, else 0."""
    return float(any(0 < r <= k for r in ranks)) if ranks else None


def reciprocal_rank(ranks: Ranks) -> float | None:
    """Return 1 / rank of the first gold item, 0 if none is listed."""
    if not ranks:
        return None
    first = min((r for r in ranks if r), default=0)
    return 1 / first if first else 0.0


def ndcg(ranks: Ranks, k: int) -> float | None:
    """Return DCG / ideal DCG with the discount log2(rank + 1); the ideal is over all gold."""
    if not ranks:
        return None
    gains = sorted(1 / log2(r + 1) for r in ranks if 0 < r <= k)
    ideal = (1 / log2(rank + 1) for rank in range(1, min(len(ranks), k) + 1))
    return fsum(gains) / fsum(ideal)


def ndcg_longmemeval(ranks: Ranks, k: int) -> float | None:
    """Return NDCG with LongMemEval's own discount: ranks 1 and 2 count alike, then log2(rank)."""
    if not ranks:
        return None
    gains = (1 / log2(max(r, 2)) for r in ranks if 0 < r <= k)
    ideal = (1 / log2(max(rank, 2)) for rank in range(1, min(len(ranks), k) + 1))
    return fsum(gains) / fsum(ideal)
