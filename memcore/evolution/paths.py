"""Paths (Eq. 10): chains of 2 to L kept entries along edges, time never decreasing.

Order as printed: longest first, then the narrower span, then the earlier start, then ids. With
`path_prefers_entities` fewer hops of mere nearness in time come before the narrower span: as
printed, all places go to three facts of one minute, and the chain over a shared person or place
that answers a question of two steps never shows.

The search goes from each entry to the nearest of its neighbours and gives up a chain as soon as it
is worse than the worst of the best `path_limit` of its length: listing all first was turned down,
since a graph where most pairs are joined has millions of chains of 8.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from memcore.evolution.base_graph import edges_of, entry_ids
from memcore.evolution.facts import Facts
from memcore.types import Beat, EdgeKind, EntryId, GraphEdge, GraphPath, Memory, Step, Trace

Stage = Callable[[Memory, Trace], Step]
Moments = Mapping[EntryId, datetime | None]
Hop = tuple[EntryId, EntryId]
Key = tuple[int, float, float, tuple[EntryId, ...]]


@dataclass(slots=True)
class Mining:
    """The best chains of one length so far: idle hops, span, start, entries, sorted.

    `idle` are the hops that count against a chain; they are none in the printed order.
    """

    moments: Moments
    idle: Set[Hop]
    following: Mapping[EntryId, tuple[EntryId, ...]]
    length: int
    limit: int
    best: list[Key] = field(default_factory=list)

    def walk(self, chain: tuple[EntryId, ...]) -> None:
        """Follow every edge from the end of a chain, as long as it may still be among the best."""
        key = self.key(chain)
        if len(self.best) >= self.limit and key[:2] > self.best[-1][:2]:
            return
        if len(chain) == self.length:
            bisect.insort(self.best, key)
            del self.best[self.limit :]
            return
        for after in self.following.get(chain[-1], ()):
            if after not in chain and self._later(chain, after):
                self.walk((*chain, after))

    def _later(self, chain: tuple[EntryId, ...], after: EntryId) -> bool:
        last = max((m for e in chain if (m := self.moments[e]) is not None), default=None)
        moment = self.moments[after]
        return last is None or moment is None or moment >= last

    def key(self, chain: tuple[EntryId, ...]) -> Key:
        """Return idle hops, hours between first and last known time, start in seconds, chain."""
        known = [m for e in chain if (m := self.moments[e]) is not None]
        idle = sum(hop in self.idle for hop in pairwise(chain))
        if not known:
            return idle, 0.0, float("inf"), chain
        return idle, (known[-1] - known[0]).total_seconds() / 3600, known[0].timestamp(), chain


def mine(
    edges: Sequence[GraphEdge],
    moments: Moments,
    longest: int,
    limit: int,
    prefers_entities: bool = False,
) -> tuple[GraphPath, ...]:
    """Return the best paths of 2 to `longest` entries, at most `limit`, best first."""
    following, named = _hops(edges)
    every = {(e, after) for e, ends in following.items() for after in ends}
    idle = every - named if prefers_entities else set()
    nearest = {e: _nearest(e, ends, moments, idle) for e, ends in following.items()}
    paths: list[GraphPath] = []
    for length in range(longest, 1, -1):
        mining = Mining(moments, idle, nearest, length, limit - len(paths))
        if mining.limit <= 0:
            break
        for start in sorted(moments):
            mining.walk((start,))
        paths += [GraphPath(chain, round(hours, 6)) for _idle, hours, _start, chain in mining.best]
    return tuple(paths)


def _hops(edges: Sequence[GraphEdge]) -> tuple[dict[EntryId, set[EntryId]], set[Hop]]:
    """Return whom each entry leads to, and the hops that have more than nearness in time."""
    following: dict[EntryId, set[EntryId]] = {}
    named: set[Hop] = set()
    for edge in edges:
        if isinstance(edge.source, EntryId) and isinstance(edge.target, EntryId):
            following.setdefault(edge.source, set()).add(edge.target)
            if edge.kind is not EdgeKind.TIME:
                named.add((edge.source, edge.target))
    return following, named


def _nearest(
    item: EntryId, ends: Set[EntryId], moments: Moments, idle: Set[Hop]
) -> tuple[EntryId, ...]:
    stamp = _stamp(moments)
    return tuple(sorted(ends, key=lambda after: ((item, after) in idle, stamp(after))))


def _stamp(moments: Moments) -> Callable[[EntryId], tuple[float, EntryId]]:
    def key(item: EntryId) -> tuple[float, EntryId]:
        moment = moments[item]
        return (float("-inf") if moment is None else moment.timestamp(), item)

    return key


def paths(facts: Facts) -> Stage:
    """Return the stage that mines the paths of the pruned graph."""

    def connect(_memory: Memory, trace: Trace) -> Step:
        given, settings = trace.candidates, facts.settings
        items, view = entry_ids(given), facts.at(trace.as_of)
        if not settings.mine_paths:
            return Step("paths", Beat.CONNECT, given, kept=given, used=False)
        edges = edges_of(trace, items)
        moments = {item: facts.moment(view, item) for item in items}
        found = mine(
            edges,
            moments,
            settings.path_entries,
            settings.path_limit,
            settings.path_prefers_entities,
        )
        return Step("paths", Beat.CONNECT, given, kept=given, edges=edges, paths=found)

    return connect
