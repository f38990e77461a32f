"""Paths (Eq. 10): chains of 2 to L kept entries along edges, time never decreasing.

Order: longest first, then the narrower span, then the earlier start, then ids. The search goes
from each entry to its neighbours nearest in time and gives up a chain as soon as it is wider than
the worst of the best `path_limit` of its length: listing all first was turned down, since a graph
where most pairs are joined has millions of chains of 8.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memcore.evolution.base_graph import edges_of, entry_ids
from memcore.evolution.facts import Facts
from memcore.types import Beat, EntryId, GraphEdge, GraphPath, Memory, Step, Trace

Stage = Callable[[Memory, Trace], Step]
Moments = Mapping[EntryId, datetime | None]
Key = tuple[float, float, tuple[EntryId, ...]]


@dataclass(slots=True)
class Mining:
    """The best chains of one length so far: span, start, entries, sorted."""

    moments: Moments
    following: Mapping[EntryId, tuple[EntryId, ...]]
    length: int
    limit: int
    best: list[Key] = field(default_factory=list)

    def walk(self, chain: tuple[EntryId, ...]) -> None:
        """Follow every edge from the end of a chain, as long as it may still be among the best."""
        key = self.key(chain)
        if len(self.best) >= self.limit and key[0] > self.best[-1][0]:
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
        """Return hours between the first and last known time, the start in seconds, the chain."""
        known = [m for e in chain if (m := self.moments[e]) is not None]
        if not known:
            return 0.0, float("inf"), chain
        return (known[-1] - known[0]).total_seconds() / 3600, known[0].timestamp(), chain


def mine(
    edges: Sequence[GraphEdge], moments: Moments, longest: int, limit: int
) -> tuple[GraphPath, ...]:
    """Return the best paths of 2 to `longest` entries, at most `limit`, best first."""
    following: dict[EntryId, set[EntryId]] = {}
    for edge in edges:
        if isinstance(edge.source, EntryId) and isinstance(edge.target, EntryId):
            following.setdefault(edge.source, set()).add(edge.target)
    nearest = {e: tuple(sorted(s, key=_stamp(moments))) for e, s in following.items()}
    paths: list[GraphPath] = []
    for length in range(longest, 1, -1):
        mining = Mining(moments, nearest, length, limit - len(paths))
        if mining.limit <= 0:
            break
        for start in sorted(moments):
            mining.walk((start,))
        paths += [GraphPath(chain, round(hours, 6)) for hours, _start, chain in mining.best]
    return tuple(paths)


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
        found = mine(edges, moments, settings.path_entries, settings.path_limit)
        return Step("paths", Beat.CONNECT, given, kept=given, edges=edges, paths=found)

    return connect
