"""The arithmetic that both memories share: BM25 over sparse counts, cosine, top-k.

BM25 is Lucene's: idf = log(1 + (N - df + 0.5) / (df + 0.5)), never negative.
scipy's sparse matrices were taken over rank-bm25 (dense loops, no terms) and bm25s (no terms).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memcore.types import Vectors

if TYPE_CHECKING:
    from scipy import sparse

Scores = NDArray[np.float64]


def cosine(queries: Vectors, rows: Vectors) -> Vectors:
    """Return similarities, shape (q, n), each in [-1, 1], of unit rows (q, d) and (n, d)."""
    found: Vectors = np.clip(queries @ rows.T, -1.0, 1.0)
    return found


def bm25_weights(counts: sparse.csr_array, k1: float, b: float) -> sparse.csr_array:
    """Return the BM25 weight of each key in each document, shape (documents, keys), float64.

    A document's score for a question is the sum of the columns of its keys.
    """
    from scipy import sparse  # on first use: a stored run is read without it

    rows = counts.astype(np.float64)
    n = rows.shape[0]
    lengths = np.asarray(rows.sum(axis=1)).ravel()
    mean = lengths.mean() if n and lengths.any() else 1.0
    df = np.bincount(rows.indices, minlength=rows.shape[1])
    idf = np.log1p((n - df + 0.5) / (df + 0.5))
    norm = np.repeat(k1 * (1 - b + b * lengths / mean), np.diff(rows.indptr))
    weights = idf[rows.indices] * rows.data * (k1 + 1) / (rows.data + norm)
    return sparse.csr_array((weights, rows.indices, rows.indptr), shape=rows.shape)


@dataclass(frozen=True, slots=True)
class Bm25:
    """A BM25 index: the column of each key, and the weights by column, (documents, keys)."""

    columns: Mapping[str, int]
    weights: sparse.csc_array

    def matched(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the keys that the index knows, each once, in the order given."""
        return tuple(k for k in dict.fromkeys(keys) if k in self.columns)

    def scores(self, keys: Sequence[str]) -> Scores:
        """Return one score a document, shape (documents,), at least 0."""
        found = np.zeros(self.weights.shape[0])
        for key in self.matched(keys):
            start, end = self.weights.indptr[self.columns[key] : self.columns[key] + 2]
            found[self.weights.indices[start:end]] += self.weights.data[start:end]
        return found

    def amounts(self, document: int, keys: Sequence[str]) -> tuple[tuple[str, float], ...]:
        """Return (key, amount) for each key that scores in one document."""
        pairs = ((k, float(self.weights[document, self.columns[k]])) for k in self.matched(keys))
        return tuple(p for p in pairs if p[1])


def bm25(documents: Sequence[Sequence[str]], k1: float, b: float) -> Bm25:
    """Return the index of documents given as sequences of keys, repeats counted.

    >>> [round(float(s), 6) for s in bm25([["tea", "tea"], ["milk"]], 1.2, 0.75).scores(["tea"])]
    [0.871385, 0.0]
    """
    from scipy import sparse  # on first use: a stored run is read without it

    columns: dict[str, int] = {}
    indices: list[int] = []
    values: list[int] = []
    starts = [0]
    for document in documents:
        for key, n in sorted(Counter(document).items()):
            indices.append(columns.setdefault(key, len(columns)))
            values.append(n)
        starts.append(len(indices))
    counts = sparse.csr_array(
        (np.array(values, dtype=np.float64), np.array(indices, dtype=np.int64), np.array(starts)),
        shape=(len(documents), len(columns)),
    )
    return Bm25(columns, bm25_weights(counts, k1, b).tocsc())


def best(scores: Scores, k: int) -> NDArray[np.intp]:
    """Return the places of the k best positive scores, best first, ties to the earlier place.

    Equal to a full sort of scores rounded to 6 decimals, without sorting the whole array.

    >>> best(np.array([0.0, 2.0, 3.0, 2.0]), 2).tolist()
    [2, 1]
    """
    rounded = np.round(scores, 6)
    if 0 < k < len(rounded):
        limit = max(np.partition(rounded, -k)[-k], 1e-6)
        (places,) = (rounded >= limit).nonzero()
    else:
        (places,) = (rounded > 0).nonzero()
    order = np.lexsort((places, -rounded[places]))
    chosen: NDArray[np.intp] = places[order][: max(k, 0)]
    return chosen
