"""Latent semantic analysis of a dialogue: turns near a question though they share no word.

Words that stand in the same windows of talk come to lie together in the space of the strongest
singular vectors (Deerwester et al. 1990), so that "paint" reaches "canvas" where a dialogue uses
both. It knows nothing but the dialogue; no model and no other text. Turned down: the window for
the turn (the same recall), both (no gain), runs of characters (no gain), more directions: 30 to
60 lose 0.2 to 0.5 points of R@10, 150 all of the gain (docs/retrieval.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

from memcore.hypergraph.incidence import beside
from memcore.retrieval.words import Words
from memcore.scoring import Scores

Matrix = NDArray[np.float64]

NAME: Final = "latent"
"""The term: the cosine of question and turn in the space of the dialogue."""

DIRECTIONS: Final = 20
REACH: Final = 2
"""Turns before and after that make the window."""
_WEAK: Final = 1e-9
_DENSE: Final = 64
"""Up to this many words or turns the whole decomposition is quicker, and nothing iterates."""


@dataclass(frozen=True, slots=True, eq=False)
class Latent:
    """The space of a dialogue: `basis` a row a word, `turns` a unit row a turn."""

    columns: Mapping[str, int]
    rarity: Scores
    basis: Matrix
    turns: Matrix

    def row(self, asked: Sequence[str]) -> Scores:
        """Return the cosine of each turn with the words of a question; 0 for none that is known."""
        known = [self.columns[word] for word in dict.fromkeys(asked) if word in self.columns]
        found = self.rarity[known] @ self.basis[known]
        length = float(np.linalg.norm(found))
        cosines: Scores = self.turns @ found / length if length > 0 else np.zeros(len(self.turns))
        return cosines


def latent(words: Words) -> Latent:
    """Return the space of a dialogue's words, made anew for each dialogue and as-of."""
    columns = {word: n for n, word in enumerate(words.places)}
    rarity = np.array([words.rarity(word) for word in columns])
    held = _held(words, columns)
    windows = sparse.csr_array(beside(words.session, REACH, REACH) @ held)
    windows.data = 1 + np.log(windows.data)
    basis = _basis(_unit_rows(sparse.csr_array(windows * rarity)))
    turns = (held * rarity) @ basis
    lengths = np.linalg.norm(turns, axis=1, keepdims=True)
    return Latent(columns, rarity, basis, turns / np.where(lengths > 0, lengths, 1))


def _held(words: Words, columns: Mapping[str, int]) -> sparse.csr_array:
    """Return which turn holds which word, shape (turns, words)."""
    places = [words.places[word] for word in columns]
    row = np.concatenate([*places, np.zeros(0, np.intp)])
    column = np.repeat(np.arange(len(columns)), [len(p) for p in places])
    shape = (len(words.session), len(columns))
    return sparse.csr_array((np.ones(len(row)), (row, column)), shape=shape)


def _unit_rows(rows: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    return sparse.csr_array(sparse.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ rows)


def _basis(rows: sparse.csr_array) -> Matrix:
    """Return the strongest right singular vectors, a column each; the start is fixed.

    A direction of no strength is none: it would tell words apart that always stand together.
    """
    smaller = min(rows.shape)
    if not rows.nnz:
        return np.zeros((rows.shape[1], 0))
    if smaller <= _DENSE:
        _, strength, found = np.linalg.svd(rows.toarray(), full_matrices=False)
        strength, found = strength[:DIRECTIONS], found[:DIRECTIONS]
    else:
        start = np.ones(smaller)
        _, strength, found = svds(rows, k=DIRECTIONS, v0=start, return_singular_vectors="vh")
    basis: Matrix = found[strength > _WEAK * strength.max()].T
    return basis
