"""Speakers' names in running text: "Mel", "Melanie's" and "melanie" all name Melanie.

A nickname is the beginning of a name, three letters or more, that fits one speaker only. A table
of nicknames was turned down: it would join a speaker with third persons ("Bill", "Will").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memcore.annotate.keys import STOP_WORDS
from memcore.annotate.languages import HAN

_WORD: Final = re.compile(rf"[^\W\d_{HAN}]+|[{HAN}]+")
_ROLES: Final = frozenset({"user", "assistant", "ai", "bot", "system", "speaker", "human", "model"})
_SHORTEST: Final = 3
"""Letters that a nickname has at least."""


def _words(label: str) -> tuple[str, ...]:
    words = (w.casefold() for w in _WORD.findall(label))
    return tuple(w for w in words if w not in _ROLES and w not in STOP_WORDS and len(w) > 1)


def speaker_named(word: str, speakers: Iterable[str]) -> str:
    """Return the label of the one speaker whom the word names, else an empty string.

    >>> speaker_named("Mel", ("Caroline", "Melanie")), speaker_named("Ann", ("Anna", "Annette"))
    ('Melanie', '')
    """
    folded = word.casefold()
    labels = [(label, _words(label)) for label in speakers]
    whole = [label for label, words in labels if folded in words]
    short = [label for label, words in labels if _is_nickname(folded, words)]
    fits = whole or short
    return fits[0] if len(fits) == 1 else ""


def _is_nickname(folded: str, words: tuple[str, ...]) -> bool:
    return len(folded) >= _SHORTEST and bool(words) and words[0].startswith(folded)


def is_name(word: str, speakers: Iterable[str]) -> bool:
    """Whether the word is, or shortens, the name of any speaker."""
    folded = word.casefold()
    names = (_words(label) for label in speakers)
    return any(folded in words or _is_nickname(folded, words) for words in names)
