"""All words of a dialogue, small ones included, and where a question's words stand.

The terms are those of late interaction (late.py) with equality for the cosine: a word counts what
it is rare. A term over the neighbours of the turn was turned down: without it a dialogue left out
ranks better (docs/retrieval.md), since BM25 of the window says the same. So was the share of the
turn's own words that the question has: no gain.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.annotate.keys import stem
from memcore.annotate.languages import HAN
from memcore.hypergraph.terms import Places
from memcore.scoring import Scores

NAMES: Final = ("words", "words_answer", "words_before")
"""The terms: in the turn, in the question that it follows, in the turn before, asking or not."""

_WORD: Final = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:['\u2019][a-z]+)?")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """In which turns each word stands; `asks` marks the turns that hold a question."""

    places: Mapping[str, Places]
    session: Places
    asks: NDArray[np.bool_]

    def rarity(self, word: str) -> float:
        """Return the inverse document frequency of a word, known or not."""
        n, df = len(self.session), len(self.places.get(word, ()))
        return math.log1p((n - df + 0.5) / (df + 0.5))

    def asked(self, question: str, called: frozenset[str]) -> tuple[str, ...]:
        """Return the words of a question; names of speakers are left out."""
        names = frozenset(stem(name) for name in called)
        return tuple(word for word in stems(question) if word not in names)

    def rows(self, asked: Sequence[str]) -> tuple[Scores, Scores, Scores]:
        """Return the terms of a question's words, in the order of NAMES, one number a turn each."""
        held = np.zeros((len(asked), len(self.session)))
        for row, word in zip(held, asked, strict=True):
            row[self.places.get(word, np.zeros(0, np.intp))] = 1
        weights = np.array([self.rarity(word) for word in asked])
        turn = weights @ held
        return turn, self.beside(turn * self.asks, -1), self.beside(turn, -1)

    def beside(self, rows: Scores, offset: int) -> Scores:
        """Return the columns of the turns `offset` places on, 0 outside the session."""
        found = np.zeros_like(rows)
        n = rows.shape[-1] - abs(offset)
        if n > 0:
            here = slice(max(0, -offset), max(0, -offset) + n)
            there = slice(max(0, offset), max(0, offset) + n)
            found[..., here] = rows[..., there] * (self.session[here] == self.session[there])
        return found


def words(texts: Sequence[str], session: Places, asks: NDArray[np.bool_]) -> Words:
    """Return the words of the turns, ready for questions."""
    found: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        for word in dict.fromkeys(stems(text)):
            found.setdefault(word, []).append(place)
    places = {word: np.array(turns, dtype=np.intp) for word, turns in found.items()}
    return Words(places, session, asks)


def stems(text: str) -> Iterator[str]:
    """Yield the stem of each word, without possessives and contractions; Chinese by the character.

    >>> list(stems("What's Ann's dog making?"))
    ['what', 'ann', 'dog', 'make']
    >>> list(stems("Ann在跳舞"))
    ['ann', '在', '跳', '舞']
    """
    for found in _WORD.findall(text.casefold()):
        yield stem(re.split("['\u2019]", found)[0])


def folded(text: str) -> str:
    """Return a text as an encoder's tokenizer reads it: small letters without accents.

    >>> folded("Jos\u00e9")
    'jose'
    """
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))
