"""Late interaction: each word piece of the question looks for its nearest piece in every turn.

A turn's score is the sum, over the pieces of the question, of their best cosine among the turn's
pieces, weighed by how rare the piece's word is in the dialogue. In the window the pieces of the
neighbours count too, damped; a turn is also scored by the turn before it, and once more by that
if it holds a question. The other way round, `late_back` asks what share of the turn is about the
question: each of its pieces looks for its nearest piece there. Speakers' names are left out of
the question: nearly every one names a speaker, and they draw it to turns that name the other.
Squared cosines were turned down: the same recall at 10, less in 1,000 tokens (docs/retrieval.md).
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

NAMES: Final = ("late_turn", "late_window", "late_answer", "late_before", "late_back")
"""The terms: in the turn, in it and its neighbours, in the question that it follows, in the turn
before, and from the turn to the question."""

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
    place, `asks` whether it holds a question, `rarity` what each row weighs (0 for a mark), `spread`
    in how many turns each word stands.
    """

    tokens: TokenVectors
    scale: Vectors
    starts: NDArray[np.int64]
    session: Places
    asks: NDArray[np.bool_]
    rarity: Vectors
    spread: Mapping[str, int]

    def pieces(self, question: str, called: frozenset[str], embedder: TokenEmbedder) -> Pieces:
        """Return the pieces of a question, without names and punctuation."""
        vectors = embedder.encode_tokens([question])[0]
        words = whole_words(embedder.pieces([question])[0])
        names = frozenset(map(folded, called))
        kept = [n for n, word in enumerate(words) if word and word not in names]
        weights = [_rarity(self.spread, words[n], len(self.starts)) for n in kept]
        return Pieces(vectors[kept], np.array(weights, dtype=np.float64))

    def scores(self, pieces: Pieces, places: Places) -> tuple[Scores, ...]:
        """Return the terms at each of some ascending places, in the order of NAMES."""
        needed = self._with_neighbours(places)
        found, back = self._nearest(pieces.rows, needed)
        at = np.searchsorted(needed, places)
        window = found[at].copy()
        for offset, factor in DAMPING:
            beside = places + offset
            there = self._inside(places, beside)
            near = factor * found[np.searchsorted(needed, beside[there])]
            window[there] = np.maximum(window[there], near)
        whole = found.astype(np.float64) @ pieces.weights
        before = np.zeros(len(places))
        follows = self._inside(places, places - 1)
        before[follows] = whole[np.searchsorted(needed, places[follows] - 1)]
        answer = before * self.asks[places - 1]
        windows = window.astype(np.float64) @ pieces.weights
        return whole[at], windows, answer, before, back[at]

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

    def _nearest(self, asked: Vectors, places: Places) -> tuple[Vectors, Scores]:
        """Return the best cosine of each piece in each turn, and what of the turn is near any.

        Cosines count from 0; where there is no piece there is none.
        """
        starts, ends = self.starts[places], self.tokens.ends[places]
        found = np.zeros((len(places), len(asked)), dtype=np.float32)
        back = np.zeros(len(places))
        spoken = np.flatnonzero(ends > starts)
        if not len(spoken) or not len(asked):
            return found, back
        sizes = ends[spoken] - starts[spoken]
        begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        rows = self._rows(starts[spoken], begins, sizes)
        cosines = self._cosines(asked, rows)
        found[spoken] = np.maximum(np.maximum.reduceat(cosines, begins, axis=0), 0)
        back[spoken] = self._share(
            cosines, self.rarity if rows is None else self.rarity[rows], begins
        )
        return found, back

    def _share(self, cosines: Vectors, rarity: Vectors, begins: Indices) -> Scores:
        """Return the mean over each turn's pieces of their best cosine, weighed by rarity."""
        nearest = cosines[:, 0].copy()
        for column in cosines.T[1:]:  # a column at a time: a third of the time of max over rows
            np.maximum(nearest, column, out=nearest)
        near = np.add.reduceat(np.maximum(nearest, 0) * rarity, begins, dtype=np.float64)
        weight = np.add.reduceat(rarity, begins, dtype=np.float64)
        share: Scores = near / np.where(weight > 0, weight, 1)
        return share

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
    tokens: TokenVectors,
    turns: Sequence[Turn],
    session: Places,
    asks: NDArray[np.bool_],
    embedder: TokenEmbedder,
) -> Late:
    """Return the token vectors of turns, ready for questions; the embedder cuts the same pieces."""
    held = tokens.of_first(len(turns))
    starts = np.concatenate((np.zeros(1, np.int64), held.ends[:-1]))
    spread = Counter(word for turn in turns for word in frozenset(_words(turn.content)))
    rarity = np.zeros(len(held.rows), dtype=np.float32)
    read = embedder.pieces([turn.content for turn in turns])
    for start, end, pieces in zip(starts.tolist(), held.ends.tolist(), read, strict=True):
        words = whole_words(pieces)[: end - start]
        weights = [_rarity(spread, word, len(turns)) if word else 0.0 for word in words]
        rarity[start : start + len(words)] = weights
    return Late(held, _scale(held.rows), starts, session, asks, rarity, spread)


def _rarity(spread: Mapping[str, int], word: str, turns: int) -> float:
    df = spread.get(word, 0)
    return math.log1p((turns - df + 0.5) / (df + 0.5))


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
