"""How two things of a question hang together: the shortest chain of items that share a name or word.

A step costs more the more items hold what it leans on, so a rare name is taken before a common one.
Dijkstra over the packet's few items; turned down: the packet's path lines, which one retriever has
and which lead from fact to fact, not from one half of the question to the other.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from memcore.annotate.families import canonical
from memcore.readers.match import Match
from memcore.types import Query

_LONGEST: Final = 4
_COMMON: Final = 0.4
"""A key that more than this share of the items hold joins nothing."""


def chain(query: Query, found: Sequence[Match]) -> tuple[Match, ...]:
    """Return the sentences that lead from one end to the other, else that of each end.

    Nothing where the question has no two ends, or one sentence holds both.
    """
    ends = _ends(query)
    if ends is None:
        return ()
    held = {m.piece.place: frozenset(m.piece.around) for m in found}
    first, last = (_fitting(end, held) for end in ends)
    places = _shortest(held, first, last)
    if not places and first and last:
        places = (min(first), min(last))
    if len(places) < 2:
        return ()
    asked = ends[0] | ends[1]
    joints = [held[a] & held[b] for a, b in pairwise(places)]
    wanted = asked.union(*joints)
    return tuple(_sentence(found, place, wanted) for place in places)


def _ends(query: Query) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the keys of the question's two halves, cut at the widest gap between mentions."""
    spans = sorted({(m.start, m.end) for m in query.mentions})
    gaps = [(b[0] - a[1], b[0]) for a, b in pairwise(spans)]
    if not gaps or max(gaps)[0] < 1:
        return None
    cut = max(gaps)[1]
    left = frozenset(canonical(m.key) for m in query.mentions if m.start < cut)
    right = frozenset(canonical(m.key) for m in query.mentions if m.start >= cut)
    return left, right


def _fitting(end: frozenset[str], held: Mapping[int, frozenset[str]]) -> frozenset[int]:
    """Return the places that hold most of an end."""
    most = max((len(end & keys) for keys in held.values()), default=0)
    return frozenset(p for p, keys in held.items() if most and len(end & keys) == most)


def _shortest(
    held: Mapping[int, frozenset[str]], first: frozenset[int], last: frozenset[int]
) -> tuple[int, ...]:
    counts = Counter(k for keys in held.values() for k in keys)
    rare = {k for k, n in counts.items() if n <= max(2, _COMMON * len(held))}
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, (place,)) for place in sorted(first)]
    done: set[int] = set()
    while heap:
        cost, path = heapq.heappop(heap)
        if path[-1] in last:
            return path
        if path[-1] in done or len(path) >= _LONGEST:
            continue
        done.add(path[-1])
        for place, keys in held.items():
            shared = held[path[-1]] & keys & rare
            if place not in done and shared:
                price = 1.0 + min(counts[k] for k in shared) / len(held) - 0.01 * len(shared)
                heapq.heappush(heap, (round(cost + price, 6), (*path, place)))
    return ()


def _sentence(found: Sequence[Match], place: int, wanted: frozenset[str]) -> Match:
    own = [m for m in found if m.piece.place == place]
    return max(own, key=lambda m: (len(wanted & set(m.piece.keys)), m.score))
