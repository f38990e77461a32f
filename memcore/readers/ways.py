"""What every way to a short answer gives, and what several ways share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.readers.asked import Wish
from memcore.readers.match import Match
from memcore.types import SaidTime


@dataclass(frozen=True, slots=True)
class Short:
    """An answer in few words and the sentences that it was taken from, the first one first."""

    text: str
    by: tuple[Match, ...]


Way = Callable[[Wish, Sequence[Match]], Short | None]

SENTENCES: Final = 3
"""How many of the best sentences are searched for a number, or for what fills a gap."""


def matched(pattern: re.Pattern[str]) -> Way:
    """Return the way that takes the first fit of a pattern in the best sentences."""

    def way(_wish: Wish, found: Sequence[Match]) -> Short | None:
        for match in found[:SENTENCES]:
            fit = pattern.search(match.piece.text)
            if fit:
                return Short(fit[0].strip(), (match,))
        return None

    return way


def gone(
    found: Sequence[Match], lasting: frozenset[str], person: frozenset[str] = frozenset()
) -> Match | None:
    """Return the later sentence that fits best by which the state of the best one is over.

    It tells the same lasting thing of the same person (`lasting` are its keys: where one lives, what
    one works) and nothing else of the question: who works elsewhere now works there no more.
    """
    best = found[0]
    held = lasting & set(best.own)
    rest = set(best.own) - lasting - person
    if not held or not rest:
        return None
    newer = [
        m
        for m in found
        if m.about == best.about
        and held | (person & set(best.own)) <= set(m.own)
        and not rest & set(m.own)
        and m.piece.place > best.piece.place
        and not m.piece.asks
    ]
    told = [m.piece.place for m in found if set(best.own) <= set(m.own) and not m.piece.asks]
    after = [m for m in newer if m.piece.place > max(told)]
    return max(after, key=lambda m: (m.score, m.piece.place), default=None)


def tells_before(match: Match, best: Match) -> bool:
    """Whether a sentence is of the same speaker and talk as the best one, and comes before it."""
    one, other = match.piece, best.piece
    same = one.speaker == other.speaker and _of_one_day(one.said, other.said)
    return same and one.place < other.place and not one.asks and len(one.keys) > 1


def _of_one_day(one: SaidTime, other: SaidTime) -> bool:
    return bool(one.at and other.at and one.at.date() == other.at.date())
