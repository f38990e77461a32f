"""Which guesses make a list: those near the best one, each thing once, few of one turn.

Chosen over one guess a turn, since a turn may name several things apart, and over a fixed number,
since some lists are short. What nears a thing already listed says it again: it is left out where it
shares half the words of the shorter one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from memcore.annotate.keys import STOP_WORDS, stem
from memcore.readers.guesses import Guess

_BEHIND: Final = 1.0
"""A list takes guesses that are no further behind the best one."""
_MOST: Final = 6
_OF_ONE_TURN: Final = 3
_SAME: Final = 0.5
"""Two guesses that share so much of the words of the shorter one name one thing."""


def listed(best: Sequence[Guess], question: str) -> tuple[Guess, ...]:
    """Return the guesses of a list, as they were said; `best` is best first.

    Words of the question make no two things alike: a poetry class is no cooking class.
    """
    kept: list[Guess] = []
    asked = _words(question)
    held: list[frozenset[str]] = []
    turns: Counter[int] = Counter()
    for guess in best:
        if len(kept) >= _MOST or guess.score < best[0].score - _BEHIND:
            break
        words, place = _words(guess.text), guess.match.piece.place
        words = words - asked or words
        if turns[place] >= _OF_ONE_TURN or any(_alike(words, other) for other in held):
            continue
        kept.append(guess)
        held.append(words)
        turns[place] += 1
    return tuple(sorted(kept, key=lambda g: g.match.piece.place))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME * max(1, min(len(one), len(other)))


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in re.findall(r"\w+", text.casefold()) if w not in STOP_WORDS)
