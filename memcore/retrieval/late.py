"""Late interaction: each word piece of the question looks for its nearest piece in every turn.

A turn's score is the sum, over the pieces of the question, of their best cosine among the turn's
pieces, weighed by how rare the piece's word is in the dialogue. In the window the pieces of the
neighbours count too, damped; an answer is also scored by the question that it follows. Speakers' names are left out: nearly every question names one, and
they draw the question to turns that name the other. Squared cosines were turned down: the same
recall at 10, less in 1,000 tokens (docs/retrieval.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.hypergraph.terms import Places
from memcore.retrieval.words import folded
from memcore.scoring import Scores
from memcore.seams import TokenEmbedder
from memcore.types import SmallVectors, TokenVectors, Turn, Vectors

NAMES: Final = ("late_turn", "late_window", "late_answer")
"""The terms: in the turn, in it and its neighbours, in the question that it follows."""

DAMPING: Final = ((-1, 0.95), (1, 0.9), (-2, 0.9), (2, 0.85), (-3, 0.85))
"""What a match in a neighbour counts: places on, factor; nothing beyond the session."""

_BLOCK: Final = 1024
"""Rows that are widened at once."""

Indices = NDArray[np.int64]

_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of a question that look for turns: unit rows, and what each weighs."""

    rows: Vectors
    weights: Scores


@dataclass(frozen=True, slots=True, eq=False)
class Late:
    """The token vectors of the turns of a dialogue, ready for questions.

    `scale` makes each row a unit row; `starts` the first row of each turn, `session` its session's
    place, `asks` whether it holds a question, `spread` in how many turns each word stands.
    """

    tokens: TokenVectors
    scale: Vectors
    starts: NDArray[np.int64]
    session: Places
    asks: NDArray[np.bool_]
    spread: Mapping[str, int]

    def pieces(self, question: str, called: frozenset[str], embedder: TokenEmbedder) -> Pieces:
        """Return the pieces of a question, without names and punctuation."""
        vectors = embedder.encode_tokens([question])[0]
        words = whole_words(embedder.pieces([question])[0])
        names = frozenset(map(folded, called))
        kept = [n for n, word in enumerate(words) if word and word not in names]
        weights = np.array([self._rarity(words[n]) for n in kept], dtype=np.float64)
        return Pieces(vectors[kept], weights)

    def _rarity(self, word: str) -> float:
        df, n = self.spread.get(word, 0), len(self.starts)
        return math.log1p((n - df + 0.5) / (df + 0.5))

    def scores(self, pieces: Pieces, places: Places) -> tuple[Scores, Scores, Scores]:
        """Return the three terms at each of some ascending places."""
        needed = self._with_neighbours(places)
        found = np.zeros((len(needed), len(pieces.weights)), dtype=np.float32)
        found[:] = self._nearest(pieces.rows, needed)
        at = np.searchsorted(needed, places)
        window = found[at].copy()
        for offset, factor in DAMPING:
            beside = places + offset
            there = self._inside(places, beside)
            near = factor * found[np.searchsorted(needed, beside[there])]
            window[there] = np.maximum(window[there], near)
        whole = found.astype(np.float64) @ pieces.weights
        answer = np.zeros(len(places))
        follows = self._inside(places, places - 1)
        asking = places[follows] - 1
        answer[follows] = whole[np.searchsorted(needed, asking)] * self.asks[asking]
        return whole[at], window.astype(np.float64) @ pieces.weights, answer

    def _inside(self, places: Places, beside: Places) -> Places:
        """Return which of the neighbours stand in the same session."""
        last = len(self.session) - 1
        same = self.session[np.clip(beside, 0, last)] == self.session[places]
        found: Places = np.flatnonzero((beside >= 0) & (beside <= last) & same)
        return found

    def _with_neighbours(self, places: Places) -> Places:
        offsets = (0, *(offset for offset, _ in DAMPING))
        near = np.unique(np.concatenate([places + offset for offset in offsets]))
        found: Places = near[(near >= 0) & (near < len(self.session))]
        return found

    def _nearest(self, asked: Vectors, places: Places) -> Vectors:
        """Return the best cosine of each piece in each turn, at least 0; no piece, no cosine."""
        starts, ends = self.starts[places], self.tokens.ends[places]
        found = np.zeros((len(places), len(asked)), dtype=np.float32)
        spoken = np.flatnonzero(ends > starts)
        if not len(spoken) or not len(asked):
            return found
        sizes = ends[spoken] - starts[spoken]
        begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        cosines = self._cosines(asked, self._rows(starts[spoken], begins, sizes))
        found[spoken] = np.maximum(np.maximum.reduceat(cosines, begins, axis=0), 0)
        return found

    def _rows(self, starts: Indices, begins: Indices, sizes: Indices) -> Indices | None:
        """Return the numbers of the rows of some turns, end to end; None for all rows."""
        if len(self.tokens.rows) == sizes.sum():
            return None
        found: Indices = np.repeat(starts - begins, sizes) + np.arange(sizes.sum())
        return found

    def _cosines(self, asked: Vectors, chosen: Indices | None) -> Vectors:
        """Return the cosine of each row with each piece; small rows are widened block by block.

        A block stays in the processor's cache: half the time of one product over wide rows, and a
        quarter of their memory.
        """
        rows = self.tokens.rows if chosen is None else self.tokens.rows[chosen]
        scale = self.scale if chosen is None else self.scale[chosen]
        found = np.empty((len(rows), len(asked)), dtype=np.float32)
        for start in range(0, len(rows), _BLOCK):
            block = slice(start, start + _BLOCK)
            np.matmul(rows[block].astype(np.float32), asked.T, out=found[block])
        found *= scale[:, None]
        return found


def late(
    tokens: TokenVectors, turns: Sequence[Turn], session: Places, asks: NDArray[np.bool_]
) -> Late:
    """Return the token vectors of turns, ready for questions."""
    held = tokens.of_first(len(turns))
    starts = np.concatenate((np.zeros(1, np.int64), held.ends[:-1]))
    spread = Counter(word for turn in turns for word in frozenset(_words(turn.content)))
    return Late(held, _scale(held.rows), starts, session, asks, spread)


def _scale(rows: SmallVectors) -> Vectors:
    """Return what makes each row a unit row, shape (rows,)."""
    found = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK):
        wide = rows[start : start + _BLOCK].astype(np.float32)
        found[start : start + _BLOCK] = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    scale: Vectors = np.reciprocal(np.maximum(found, np.float32(1e-12)))
    return scale


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def whole_words(pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the word that each piece belongs to; empty for a mark and for the s after one.

    >>> whole_words(("mel", "##anie", "'", "s", "dog", "?"))
    ('melanie', 'melanie', '', '', 'dog', '')
    """
    found: list[str] = []
    groups: list[list[int]] = []
    for n, piece in enumerate(pieces):
        if piece.startswith("##") and groups:
            groups[-1].append(n)
        else:
            groups.append([n])
    before = ""
    for group in groups:
        word = "".join(pieces[n].removeprefix("##") for n in group)
        possessive = word == "s" and before in ("'", "’")
        kept = "" if possessive or not word.isalnum() else word
        found += [kept] * len(group)
        before = word
    return tuple(found)
