"""Bridges (Eq. 9): a fact in between for two terminals that no edge joins.

Pairs of different components come nearest in time first; the components are worked out again
after each bridge, so that a bridge never joins what is joined. Looked at are the five entries
outside the terminals that are nearest in meaning to the gap's words; the best of those inside its
interval wins, and why each of the others lost is written down.

Each gap's words are a text to embed, which takes most of the time of a question: in the `safe`
preset only gaps between the best few terminals are searched, and an island among the last of 25
is one by chance. With `bridge_stored_query` the mean of both facts' stored vectors asks instead
and nothing is embedded; it found the fact between the desk and the museum of the sample no more.

Gap limits and both ends of the interval belong to it: exactly 168 h is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.evolution.base_graph import edges_of, entry_ids, in_time
from memcore.evolution.facts import Facts, View, entity_keys
from memcore.evolution.gate import hours_between
from memcore.scoring import Scores
from memcore.seams import Embedder
from memcore.settings import Settings
from memcore.types import (
    Beat,
    BridgeCandidate,
    Candidate,
    Drop,
    EdgeKind,
    EntryId,
    Gap,
    GraphEdge,
    Item,
    Memory,
    Reason,
    Step,
    Trace,
    Vectors,
)

Stage = Callable[[Memory, Trace], Step]


class Components:
    """Which entries are connected; joining two is one walk up each tree."""

    def __init__(self, items: Sequence[EntryId], edges: Sequence[GraphEdge]) -> None:
        self._above = {item: item for item in items}
        for edge in edges:
            if isinstance(edge.source, EntryId) and isinstance(edge.target, EntryId):
                self.join(edge.source, edge.target)

    def of(self, item: EntryId) -> EntryId:
        """Return the entry that stands for the component."""
        while self._above.setdefault(item, item) != item:
            item = self._above[item]
        return item

    def join(self, one: EntryId, other: EntryId) -> None:
        """Make the components of two entries one."""
        first, second = sorted((self.of(one), self.of(other)))
        self._above[second] = first

    def apart(self, one: EntryId, other: EntryId) -> bool:
        """Whether two entries lie in different components."""
        return self.of(one) != self.of(other)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two terminals, the earlier first, with both times known."""

    hours: float
    older: EntryId
    newer: EntryId
    start: datetime
    end: datetime


def pairs(facts: Facts, view: View, items: Sequence[EntryId]) -> tuple[Pair, ...]:
    """Return all pairs of terminals with known times, nearest in time first, then by id."""
    moments = {item: facts.moment(view, item) for item in items}
    return tuple(sorted(_pairs(moments), key=lambda p: (p.hours, p.older, p.newer)))


def _pairs(moments: dict[EntryId, datetime | None]) -> Iterator[Pair]:
    for one, other in combinations(sorted(moments), 2):
        hours = hours_between(moments[one], moments[other])
        if hours is None:
            continue
        first = in_time((moments[one], one), (moments[other], other))
        older, newer = (one, other) if first else (other, one)
        start, end = moments[older], moments[newer]
        if start is not None and end is not None:
            yield Pair(round(hours, 6), older, newer, start, end)


def limit_broken(hours: float, settings: Settings) -> Reason | None:
    """Return why a gap is not searched, or None: both limits belong to what is searched.

    >>> limit_broken(1.0, Settings()), limit_broken(0.99, Settings()).value
    (None, 'gap_too_short')
    """
    if hours < settings.bridge_min_hours:
        return Reason.GAP_TOO_SHORT
    return Reason.GAP_TOO_LONG if hours > settings.bridge_max_hours else None


def query_words(facts: Facts, pair: Pair) -> tuple[str, ...]:
    """Return q of Eq. 9: the entities and keywords of both entries, each once, sorted."""
    both = (facts.entry(pair.older), facts.entry(pair.newer))
    return tuple(
        sorted({w for e in both for w in (*entity_keys(e), *map(str.casefold, e.keywords))})
    )


@dataclass(frozen=True, slots=True)
class Search:
    """The bridge search of one question: all that stays the same from gap to gap."""

    facts: Facts
    view: View
    embedder: Embedder
    terminals: tuple[EntryId, ...]

    def gap(self, pair: Pair, query: Vectors, present: frozenset[EntryId]) -> Gap:
        """Return the outcome for one pair; `present` are the bridges so far, which cannot win.

        `query` is the vector of the pair's words, (d,).
        """
        cosines: Scores = np.round(
            np.clip(self.facts.vectors @ query, -1.0, 1.0).astype(np.float64), 6
        )
        order = np.lexsort((np.arange(len(cosines)), -cosines))
        looked = order[self.outside()[order]][: self.facts.settings.bridge_candidates]
        inside = self._inside(pair)
        candidates: list[BridgeCandidate] = []
        bridge: EntryId | None = None
        for n in (int(n) for n in looked):
            item = self.facts.entries[n].id
            low = float(cosines[n]) < self.facts.settings.bridge_floor
            why = _why(not inside[n], item in present, low, bridge is not None)
            bridge = item if why is None else bridge
            candidates.append(BridgeCandidate(item, float(cosines[n]), why))
        reason = None if bridge else _failed(candidates)
        words = () if self.facts.settings.bridge_stored_query else query_words(self.facts, pair)
        return Gap(pair.older, pair.newer, pair.hours, words, bridge, reason, tuple(candidates))

    def outside(self) -> NDArray[np.bool_]:
        """Return which entries are known and no terminals."""
        mask = self.view.known.copy()
        mask[[self.facts.places[item] for item in self.terminals]] = False
        return mask

    def queries(self, pairs: Sequence[Pair]) -> Vectors:
        """Return one row a pair: the mean of both facts' vectors, else the vectors of their words.

        The words of all pairs are embedded in one call.
        """
        if self.facts.settings.bridge_stored_query:
            return self._means(pairs)
        texts = [" ".join(query_words(self.facts, pair)) for pair in pairs]
        return self.embedder.encode(texts) if texts else np.zeros((0, 0), dtype=np.float32)

    def _means(self, pairs: Sequence[Pair]) -> Vectors:
        places = self.facts.places
        older = self.facts.vectors[[places[pair.older] for pair in pairs]]
        rows = older + self.facts.vectors[[places[pair.newer] for pair in pairs]]
        unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return unit

    def _inside(self, pair: Pair) -> NDArray[np.bool_]:
        stamps = self.view.stamps
        found: NDArray[np.bool_] = (stamps >= pair.start.timestamp()) & (
            stamps <= pair.end.timestamp()
        )
        return found


_LOST: Final = (
    Reason.OUTSIDE_INTERVAL,
    Reason.ALREADY_PRESENT,
    Reason.BELOW_FLOOR,
    Reason.NOT_BEST,
)
"""Why a candidate lost: of outside, a bridge already, below the floor, a better one found, the
first that holds."""


def _why(*case: bool) -> Reason | None:
    return next((reason for reason, holds in zip(_LOST, case, strict=True) if holds), None)


def _failed(candidates: Sequence[BridgeCandidate]) -> Reason:
    """Return why a gap has no bridge: what cost the fact that came nearest to being one."""
    reasons = {c.reason for c in candidates}
    for reason in (Reason.BELOW_FLOOR, Reason.ALREADY_PRESENT):
        if reason in reasons:
            return reason
    return Reason.OUTSIDE_INTERVAL


def find(search: Search, edges: Sequence[GraphEdge]) -> tuple[Gap, ...]:
    """Return every gap looked at, nearest in time first.

    Pairs are searched in rounds of as many as there could be bridges, one less than there are
    terminals: the texts of a round are embedded at once, and what it joined needs no round more.
    """
    items = search.terminals[: search.facts.settings.bridge_terminals]
    components = Components(search.terminals, edges)
    open_pairs: list[Pair] = []
    gaps: list[Gap] = []
    for pair in pairs(search.facts, search.view, items):
        if components.apart(pair.older, pair.newer):
            broken = limit_broken(pair.hours, search.facts.settings)
            if broken is None:
                open_pairs.append(pair)
            else:
                gaps.append(Gap(pair.older, pair.newer, pair.hours, reason=broken))
    present: set[EntryId] = set()
    while open_pairs:
        most = len(items) - 1
        gaps += _searched(search, open_pairs[:most], components, present)
        open_pairs = [p for p in open_pairs[most:] if components.apart(p.older, p.newer)]
    return tuple(sorted(gaps, key=lambda g: (g.hours or 0.0, g.older, g.newer)))


def _searched(
    search: Search, open_pairs: Sequence[Pair], components: Components, present: set[EntryId]
) -> Iterator[Gap]:
    """Yield the outcome of each pair still apart; what is found joins components and `present`."""
    for pair, query in zip(open_pairs, search.queries(open_pairs), strict=True):
        if not components.apart(pair.older, pair.newer):
            continue
        gap = search.gap(pair, query, frozenset(present))
        if gap.bridge is not None:
            present.add(gap.bridge)
            components.join(gap.older, gap.bridge)
            components.join(gap.bridge, gap.newer)
        yield gap


def bridges(facts: Facts, embedder: Embedder) -> Stage:
    """Return the stage that looks for a fact between terminals of different components."""

    def connect(_memory: Memory, trace: Trace) -> Step:
        given = trace.candidates
        items = entry_ids(given)
        if not facts.settings.bridges or not items:
            return Step("bridges", Beat.CONNECT, given, kept=given, used=False)
        search = Search(facts, facts.at(trace.as_of), embedder, items)
        gaps = find(search, edges_of(trace, items))
        won = tuple(_won(gaps))
        lost = tuple(_lost(gaps, {c.item for c in won}, facts.settings.bridge_floor))
        losers = tuple(Candidate(d.item, _value(d), channel="bridge") for d in lost)
        return Step(
            "bridges",
            Beat.CONNECT,
            given,
            (*won, *losers),
            (*given, *won),
            lost,
            tuple(e for gap in gaps for e in gap_edges(gap)),
            gaps=gaps,
        )

    return connect


def gap_edges(gap: Gap) -> tuple[GraphEdge, ...]:
    """Return the two edges of a bridged gap, i -> b -> j; none if nothing was found."""
    cosine = next((c.cosine for c in gap.candidates if c.item == gap.bridge), None)
    if gap.bridge is None:
        return ()
    return (
        GraphEdge(gap.older, gap.bridge, EdgeKind.BRIDGE, score=cosine),
        GraphEdge(gap.bridge, gap.newer, EdgeKind.BRIDGE, score=cosine),
    )


def _won(gaps: Sequence[Gap]) -> Iterator[Candidate]:
    for gap in gaps:
        for candidate in gap.candidates:
            if candidate.item == gap.bridge:
                yield Candidate(candidate.item, candidate.cosine, channel="bridge")


def _lost(gaps: Sequence[Gap], won: set[Item], floor: float) -> Iterator[Drop]:
    """Yield one drop an entry that was looked at and is no bridge: its nearest miss."""
    found: dict[EntryId, Drop] = {}
    for gap in gaps:
        best = next((c.cosine for c in gap.candidates if c.item == gap.bridge), None)
        for c in gap.candidates:
            if c.item in won or c.reason is None:
                continue
            limit = floor if c.reason is Reason.BELOW_FLOOR else best
            drop = Drop(c.item, c.reason, c.cosine, limit, "bridge", gap.bridge)
            if c.item not in found or c.cosine > _value(found[c.item]):
                found[c.item] = drop
    yield from (found[item] for item in sorted(found))


def _value(drop: Drop) -> float:
    return 0.0 if drop.value is None else drop.value
