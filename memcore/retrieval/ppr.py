"""Personalised PageRank over the graph of turns and their keys, as HippoRAG and LinearRAG rank.

A walker starts at the keys of the question, by their rarity, and a little at the turns whose
vectors are near the question; from a turn it goes to one of its keys, from a key to one of its
turns. A turn's score is the share of its visits: no sum of terms, so its receipt is its rank.
Power iteration on two sparse matrices was taken over networkx, which copies the graph for each
question.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from scipy import sparse

from memcore.hypergraph.cues import asked
from memcore.hypergraph.incidence import Incidence
from memcore.retrieval.baselines import Ranker, Ranking
from memcore.retrieval.loop import Retriever
from memcore.scoring import Scores
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Cue, Memory, Query

_ROUNDS: Final = 40
"""Rounds of the iteration: what is left to move is below damping ** 40, under 1e-12 at 0.5."""
_AS_OFS: Final = 4


class Graph:
    """The walk over one incidence: from turns to keys and back, each row a distribution."""

    def __init__(self, index: Incidence) -> None:
        held = sparse.csr_array(
            (np.ones_like(index.rows.data), index.rows.indices, index.rows.indptr),
            shape=index.rows.shape,
        )
        self._to_turns = _distributions(sparse.csr_array(held.T)).T.tocsr()
        self._to_keys = _distributions(held).T.tocsr()

    def visits(self, keys: Scores, turns: Scores, damping: float) -> Scores:
        """Return the share of visits of each turn, for a start that sums to 1 over both."""
        at_keys, at_turns = keys, turns
        for _ in range(_ROUNDS):
            at_turns, at_keys = (
                (1 - damping) * turns + damping * (self._to_turns @ at_keys),
                (1 - damping) * keys + damping * (self._to_keys @ at_turns),
            )
        return at_turns


def _distributions(rows: sparse.csr_array) -> sparse.csr_array:
    sums = np.asarray(rows.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(1 / np.where(sums == 0, 1, sums)) @ rows)


def start(keys: Scores, turns: Scores, share: float) -> tuple[Scores, Scores]:
    """Return where the walk starts, summing to 1: keys by weight 1, turns by `share` against it.

    >>> [part.round(4).tolist() for part in start(np.array([3.0, 1.0]), np.array([2.0]), 0.25)]
    [[0.6, 0.2], [0.2]]
    """
    found = (_scaled(keys), share * _scaled(turns))
    whole = found[0].sum() + found[1].sum()
    return (found[0] / whole, found[1] / whole) if whole else found


def _scaled(weights: Scores) -> Scores:
    whole = weights.sum()
    return weights / whole if whole else weights


def ppr(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return personalised PageRank over the turns and their entity and lexical keys."""
    ranker = Ranker(memory, settings, parts)
    graph = lru_cache(maxsize=_AS_OFS)(lambda as_of: Graph(ranker.index(as_of)))

    def rank(query: Query, found: tuple[Cue, ...], as_of: int | None) -> Ranking:
        index: Incidence = ranker.index(as_of)
        keys = np.zeros(len(index.anchors))
        for n in asked(index, query, found).columns:
            keys[n] = index.idf(n)
        near = np.zeros(len(index.turns))
        scores = ranker.dense(query, found, as_of)
        near[scores.places] = np.clip(scores.scores, 0, None) ** 2
        seeds = start(keys, near, settings.ppr_dense_share)
        return ranker.ranking("ppr", graph(as_of).visits(*seeds, settings.ppr_damping))

    return ranker.retriever("ppr", (rank,))
