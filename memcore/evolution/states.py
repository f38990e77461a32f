"""What is current, replaced or merged: queries over decisions and edges, never a stored flag.

`states(graph, as_of)` reads the graph as it stood after session `as_of`: an entry that was
replaced later is current again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from memcore.types import (
    Action,
    Change,
    Conversation,
    Decision,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    Turn,
    TurnId,
)


class State(StrEnum):
    """What an entry is at a time."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    UNKNOWN = "unknown"


def session_of(entry: Entry) -> int:
    """Return the session in which an entry was written: that of its last source turn."""
    return max(turn.session for turn in entry.source_turns)


def until(graph: EvolutionGraph, as_of: int | None) -> EvolutionGraph:
    """Return the graph as it stood after session `as_of`; None is the whole graph."""
    if as_of is None:
        return graph
    known = {e.id for e in (*graph.entries, *graph.merged) if session_of(e) <= as_of}
    return replace(
        graph,
        entries=tuple(e for e in graph.entries if e.id in known),
        merged=tuple(e for e in graph.merged if e.id in known),
        decisions=tuple(d for d in graph.decisions if d.entry in known),
        edges=tuple(e for e in graph.edges if e.newer in known),
        dropped=tuple(
            d for d in graph.dropped if isinstance(d.item, TurnId) and d.item.session <= as_of
        ),
    )


@dataclass(frozen=True, slots=True)
class Chain:
    """All states of one fact, oldest first: was -> is; each edge has the numbers that decided."""

    entries: tuple[EntryId, ...]
    edges: tuple[EvolutionEdge, ...]

    @property
    def current(self) -> EntryId:
        """The newest state."""
        return self.entries[-1]


@dataclass(frozen=True, slots=True)
class Shift:
    """One change of a fact, was -> now, with what decided it.

    The quotes are the turns that say each state, as spoken; `said_at` is when it was told.
    """

    was: Entry
    now: Entry
    was_quotes: tuple[Turn, ...]
    now_quotes: tuple[Turn, ...]
    said_at: datetime | None
    similarity: float
    overlap: float
    reason: Change


@dataclass(frozen=True, slots=True)
class States:
    """The answers, each in constant time, for one graph at one time."""

    graph: EvolutionGraph
    nodes: Mapping[EntryId, Entry]
    absorbed: Mapping[EntryId, tuple[Entry, ...]]
    decisions: Mapping[EntryId, Decision]
    replaced: Mapping[EntryId, EvolutionEdge]
    replacing: Mapping[EntryId, tuple[EvolutionEdge, ...]]

    def state(self, entry: EntryId) -> State:
        """Return what an entry is; UNKNOWN if it was not written yet."""
        if entry not in self.decisions:
            return State.UNKNOWN
        if self.decisions[entry].action is Action.MERGE:
            return State.MERGED
        return State.SUPERSEDED if entry in self.replaced else State.ACTIVE

    def superseded_by(self, entry: EntryId) -> EntryId | None:
        """Return the entry that replaced this one, or None while it is current."""
        edge = self.replaced.get(entry)
        return edge.newer if edge else None

    def newest(self, entry: EntryId) -> EntryId:
        """Return the newest state of the fact: the entry itself while it is current."""
        while entry in self.replaced:
            entry = self.replaced[entry].newer
        return entry

    def merged_into(self, entry: EntryId) -> EntryId | None:
        """Return the node that took up a merged entry, or None."""
        decision = self.decisions.get(entry)
        return decision.target if decision and decision.action is Action.MERGE else None

    def merged_from(self, entry: EntryId) -> tuple[EntryId, ...]:
        """Return the entries that were merged into a node, in stream order."""
        return tuple(e.id for e in self.absorbed.get(entry, ()))

    def sources(self, entry: EntryId) -> tuple[TurnId, ...]:
        """Return all turns that say the fact, each once, as spoken."""
        said = self._said(entry)
        return tuple(sorted({turn for e in said for turn in e.source_turns}))

    def observed_at(self, entry: EntryId) -> tuple[datetime, ...]:
        """Return every time at which the fact was said, oldest first; unknown times are left out."""
        return tuple(sorted({e.said_at for e in self._said(entry) if e.said_at is not None}))

    def newest_time(self, entry: EntryId) -> datetime | None:
        """Return the moment of the fact as last said: a merge takes over the newer time."""
        moments = [e.moment for e in self._said(entry) if e.moment is not None]
        return max(moments, default=None)

    def chain(self, entry: EntryId) -> Chain:
        """Return all states of the fact that an entry belongs to; one without change has one."""
        found: list[EvolutionEdge] = []
        seen = {self.newest(entry)}
        waiting = sorted(seen)
        while waiting:
            for edge in self.replacing.get(waiting.pop(), ()):
                found.append(edge)
                if edge.older not in seen:
                    seen.add(edge.older)
                    waiting.append(edge.older)
        return Chain(tuple(sorted(seen)), tuple(sorted(found, key=lambda e: (e.newer, e.older))))

    def chains(self) -> tuple[Chain, ...]:
        """Return every fact that changed, by its newest state."""
        ends = sorted(e for e in self.replacing if e not in self.replaced)
        return tuple(self.chain(e) for e in ends)

    def shifts(self, entry: EntryId, conversation: Conversation) -> tuple[Shift, ...]:
        """Return how the fact that an entry belongs to came to be what it is, oldest change first."""
        return tuple(self._shift(edge, conversation) for edge in self.chain(entry).edges)

    def _shift(self, edge: EvolutionEdge, conversation: Conversation) -> Shift:
        was, now = self.nodes[edge.older], self.nodes[edge.newer]
        spoken = {turn.id: turn for turn in conversation.turns}
        first, second = (
            tuple(spoken[t] for t in self.sources(e.id) if t in spoken) for e in (was, now)
        )
        reason = self.decisions[edge.newer].change
        return Shift(was, now, first, second, now.said_at, edge.similarity, edge.overlap, reason)

    def _said(self, entry: EntryId) -> tuple[Entry, ...]:
        node = self.nodes.get(entry)
        return (*((node,) if node else ()), *self.absorbed.get(entry, ()))


def states(graph: EvolutionGraph, as_of: int | None = None) -> States:
    """Return the states of all entries after session `as_of`; None is the end.

    Where an entry was replaced twice, the later edge counts.
    """
    seen = until(graph, as_of)
    merged = {e.id: e for e in seen.merged}
    absorbed: defaultdict[EntryId, list[Entry]] = defaultdict(list)
    for decision in seen.decisions:
        if decision.action is Action.MERGE and decision.target is not None:
            absorbed[decision.target].append(merged[decision.entry])
    replacing: defaultdict[EntryId, list[EvolutionEdge]] = defaultdict(list)
    for edge in seen.edges:
        if edge.supersedes:
            replacing[edge.newer].append(edge)
    return States(
        seen,
        {e.id: e for e in seen.entries},
        {k: tuple(v) for k, v in absorbed.items()},
        {d.entry: d for d in seen.decisions},
        {e.older: e for e in seen.edges if e.supersedes},
        {k: tuple(v) for k, v in replacing.items()},
    )
