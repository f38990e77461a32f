"""Joining the channels: one list, each turn once, shares kept at every length.

At every length k at most floor(share * k) turns come from a supplement and the rest from the
core; what a channel cannot fill goes to the core, and to the supplements when the core has ended.
Adding the scores and reciprocal ranks were turned down: the paper adds supplements under one
budget, and a sum would let them push core turns out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import filterfalse
from typing import TypeVar

from memcore.settings import Settings

_TABLE = 1024
"""Tables of shares are made in sizes of so many, so that questions share them."""

Thing = TypeVar("Thing", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Shares:
    """How much of a budget each supplement may fill; the core has the rest."""

    co_occurrence: float
    temporal: float

    def of(self, budget: int) -> tuple[int, int, int]:
        """Return the parts of the core, co-occurrence and temporal; rounded down, rest to core.

        >>> Shares(0.25, 0.15).of(20), Shares(0.25, 0.15).of(1)
        ((12, 5, 3), (1, 0, 0))
        """
        joined, dated = part(self.co_occurrence, budget), part(self.temporal, budget)
        return budget - joined - dated, joined, dated


def part(share: float, budget: int) -> int:
    """Return the share of a budget, rounded down; 0.15 of 20 is 3 in spite of binary fractions."""
    return math.floor(share * budget + 1e-9)


def shares(settings: Settings) -> Shares:
    """Return the shares of the supplements."""
    return Shares(settings.co_occurrence_share, settings.temporal_share)


def interleaved(
    core: Sequence[Thing], joined: Sequence[Thing], dated: Sequence[Thing], parts: Shares
) -> tuple[tuple[int, Thing], ...]:
    """Return each thing once with the list that reached it (0, 1, 2), in order of filling.

    >>> interleaved("abcdef", "gaf", "", Shares(0.25, 0.15))
    ((0, 'a'), (0, 'b'), (0, 'c'), (1, 'g'), (0, 'd'), (0, 'e'), (0, 'f'))
    """
    things, sources = _filled(core, joined, dated, parts)
    return tuple(zip(sources, things, strict=True))


def in_order(
    core: Sequence[Thing], joined: Sequence[Thing], dated: Sequence[Thing], parts: Shares
) -> tuple[Thing, ...]:
    """Return the things of `interleaved` without the lists that reached them."""
    return tuple(_filled(core, joined, dated, parts)[0])


def _filled(
    core: Sequence[Thing], joined: Sequence[Thing], dated: Sequence[Thing], parts: Shares
) -> tuple[list[Thing], list[int]]:
    """Return the things in order of filling, and the list of each."""
    room_joined, room_dated = _rooms(parts, len(core) + len(joined) + len(dated))
    taken, alive, seen = [0, 0, 0], [bool(core), bool(joined), bool(dated)], set[Thing]()
    lists = tuple(filterfalse(seen.__contains__, found) for found in (core, joined, dated))
    things: list[Thing] = []
    sources: list[int] = []
    left = sum(alive)
    while left > 1:
        if alive[2] and taken[2] < room_dated[len(things)]:
            n = 2
        elif alive[1] and taken[1] < room_joined[len(things)]:
            n = 1
        else:
            n = alive.index(True)
        for thing in lists[n]:
            seen.add(thing)
            taken[n] += 1
            things.append(thing)
            sources.append(n)
            break
        else:
            alive[n] = False
            left -= 1
    for n, things_left in enumerate(lists):  # only the one list that has not ended holds any
        rest = dict.fromkeys(things_left)
        things += rest
        sources += [n] * len(rest)
    return things, sources


def _rooms(parts: Shares, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how many of the first places each supplement may fill."""
    size += -size % _TABLE
    return _room(parts.co_occurrence, size), _room(parts.temporal, size)


@lru_cache(maxsize=64)
def _room(share: float, size: int) -> tuple[int, ...]:
    """Return how many of the first 1, 2, … size + 1 things a supplement may fill."""
    return tuple(part(share, length) for length in range(1, size + 2))


def spread(order: Sequence[Thing], groups: Sequence[Hashable], depth: int) -> tuple[Thing, ...]:
    """Return the order with `depth` of each group before more of any, and so on; 0: unchanged.

    >>> spread("abcd", (1, 1, 2, 1), 1), spread("abcd", (1, 1, 2, 1), 0)
    (('a', 'c', 'b', 'd'), ('a', 'b', 'c', 'd'))
    """
    if not depth:
        return tuple(order)
    met: Counter[Hashable] = Counter()
    ranked: list[tuple[int, int]] = []
    for n, group in enumerate(groups):
        ranked.append((met[group] // depth, n))
        met[group] += 1
    return tuple(order[n] for _, n in sorted(ranked))
