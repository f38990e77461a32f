"""The base graph of one question (Eq. 8) over all pairs of terminals.

i -> j, earlier to later, iff their entity sets meet or they lie nearer than delta_time, strictly.
The entity set is persons and entities. In the `safe` preset entities of many entries join nothing:
with the two speakers 96 % of neighbours in time are joined already and no gap is left to bridge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import combinations

from memcore.evolution.facts import Facts, View, entity_keys
from memcore.evolution.gate import hours_between
from memcore.types import (
    Beat,
    Candidate,
    EdgeKind,
    EntryId,
    GraphEdge,
    Memory,
    Step,
    Trace,
)

Stage = Callable[[Memory, Trace], Step]


def entry_ids(candidates: Sequence[Candidate]) -> tuple[EntryId, ...]:
    """Return the entries among the candidates, in their order."""
    return tuple(c.item for c in candidates if isinstance(c.item, EntryId))


def in_time(one: tuple[datetime | None, EntryId], other: tuple[datetime | None, EntryId]) -> bool:
    """Whether the first comes no later: by time where both are known, else in stream order."""
    if one[0] is None or other[0] is None or one[0] == other[0]:
        return one[1] <= other[1]
    return one[0] < other[0]


def joined(facts: Facts, view: View, one: EntryId, other: EntryId) -> GraphEdge | None:
    """Return the edge of Eq. 8 between two entries with its reason, or None."""
    shared = entity_keys(facts.entry(one)) & entity_keys(facts.entry(other)) - view.hubs
    times = facts.moment(view, one), facts.moment(view, other)
    hours = hours_between(*times)
    close = hours is not None and hours < facts.settings.near_hours
    if not shared and not close:
        return None
    first = in_time((times[0], one), (times[1], other))
    older, newer = (one, other) if first else (other, one)
    kind = EdgeKind.ENTITY if shared else EdgeKind.TIME
    gap = None if hours is None else round(hours, 6)
    return GraphEdge(older, newer, kind, tuple(sorted(shared)), gap)


def _pairs(facts: Facts, view: View, items: Sequence[EntryId]) -> Iterator[GraphEdge]:
    for one, other in combinations(sorted(items), 2):
        edge = joined(facts, view, one, other)
        if edge is not None:
            yield edge


def _links(view: View, items: Sequence[EntryId], entered: Sequence[EntryId]) -> Iterator[GraphEdge]:
    inside = set(items)
    for edge in view.states.graph.edges:
        if edge.older in inside and edge.newer in inside:
            kind = EdgeKind.SUCCESSOR if edge.newer in entered else EdgeKind.LINK
            yield GraphEdge(edge.older, edge.newer, kind, score=edge.similarity)


def successors(view: View, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return every later state of the replaced entries among the candidates, each once."""
    inside = set(entry_ids(candidates))
    found: list[Candidate] = []
    for candidate in candidates:
        item = candidate.item if isinstance(candidate.item, EntryId) else None
        newer = view.states.superseded_by(item) if item else None
        while newer is not None:
            if newer not in inside:
                inside.add(newer)
                found.append(Candidate(newer, candidate.score, channel="successor"))
            newer = view.states.superseded_by(newer)
    return tuple(found)


def base_graph(facts: Facts) -> Stage:
    """Return the stage that joins the terminals and pulls in the successors of replaced ones."""

    def connect(_memory: Memory, trace: Trace) -> Step:
        view, given = facts.at(trace.as_of), trace.candidates
        entered = successors(view, given) if facts.settings.successors else ()
        kept = (*given, *entered)
        items = entry_ids(kept)
        edges = tuple(_pairs(facts, view, items))
        if facts.settings.successors:
            edges = (*edges, *_links(view, items, entry_ids(entered)))
        return Step("base_graph", Beat.CONNECT, given, entered, kept, edges=edges)

    return connect


def edges_of(trace: Trace, items: Sequence[EntryId]) -> tuple[GraphEdge, ...]:
    """Return all edges that the steps so far made between these entries."""
    inside = set(items)
    return tuple(
        edge
        for step in trace.steps
        if step.name in {"base_graph", "bridges"}
        for edge in step.edges
        if edge.source in inside and edge.target in inside
    )
