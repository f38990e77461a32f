"""Chinese words that share a character: a question's 跳舞 comes near a turn's 舞蹈.

A Chinese word is mostly made of words of one character, as "dancing" is of "dance"; English keys
are stems for the same reason. So each character of the question's words counts for the turns that
have a word with it, with a small weight beside that of the whole word. Characters are no anchors
of their own, which would hide the words in the hypergraph: the term of a character is owed to the
word of the turn that has it. Turned down: to weigh pairs of words by the characters that they
share, and runs of two characters across words (docs/evaluation.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse

from memcore.annotate.keys import CHINESE_STOP_WORDS
from memcore.annotate.languages import HAN
from memcore.hypergraph.terms import Places
from memcore.scoring import Scores, bm25_weights
from memcore.settings import Settings
from memcore.types import Anchor, AnchorKind

_CHINESE: Final = re.compile(f"[{HAN}]+")


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """The characters of the turns' Chinese keys, a column each; none in an English memory."""

    columns: Mapping[str, int]
    weights: sparse.csc_array

    def column(self, character: str) -> tuple[Places, Scores]:
        """Return the places (ascending) and amounts of a character; nothing if no turn has it."""
        n = self.columns.get(character)
        if n is None:
            return np.zeros(0, np.intp), np.zeros(0)
        start, end = self.weights.indptr[n : n + 2]
        return self.weights.indices[start:end], self.weights.data[start:end]


def of_keys(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the characters of Chinese keys that tell something, each once, in order.

    >>> of_keys(("跳舞", "舞蹈", "dance"))
    ('舞', '跳', '蹈')
    """
    found = {c for key in keys if _CHINESE.fullmatch(key) for c in key}
    return tuple(sorted(found - CHINESE_STOP_WORDS))


def characters(
    counts: sparse.csr_array, anchors: Sequence[Anchor], most: float, settings: Settings
) -> Characters:
    """Return the characters of the lexical keys; one in more than `most` turns does not score.

    Args:
        counts: how often each turn holds each key, shape (turns, anchors).
        anchors: the keys, in the order of the columns.
        most: the turns that a key may stand in.
        settings: the constants of BM25.
    """
    keys = [a.key if a.kind is AnchorKind.LEXICAL else "" for a in anchors]
    columns = {c: n for n, c in enumerate(of_keys(keys))}
    pairs = [(n, columns[c]) for n, key in enumerate(keys) for c in of_keys((key,))]
    rows, places = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    holds = sparse.csr_array((np.ones(len(pairs)), (rows, places)), (len(keys), len(columns)))
    held = sparse.csr_array(counts @ holds)
    df = np.bincount(held.indices, minlength=len(columns))
    held.data *= df[held.indices] <= most
    held.eliminate_zeros()
    return Characters(columns, bm25_weights(held, settings.bm25_k1, settings.bm25_b).tocsc())
