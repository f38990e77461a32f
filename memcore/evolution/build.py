"""Phase I: one session at a time to entries, decisions, edges and vectors.

The order is that of the talk: a window's entries are stored before the turns of the next window
meet the gate. A session reads what stands and adds; it changes nothing, so adding sessions one
by one equals building them all, and each can be a transaction of its own.

A turn of the overlap gives an entry only where the window before found none in it. Comparing
restatements instead was turned down: a model words the same fact twice in two ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memcore.errors import SeamError
from memcore.evolution import progress
from memcore.evolution.changes import slot
from memcore.evolution.coarsen import COMPARED, Limits, Partner, decide, limits, overlap
from memcore.evolution.gate import Stored, answers, gate_limit, gated
from memcore.evolution.states import states
from memcore.evolution.windows import Window, windows
from memcore.scoring import Scores
from memcore.seams import Parts, WindowError
from memcore.settings import Settings
from memcore.types import (
    Action,
    Annotation,
    Comparison,
    Conversation,
    Decision,
    Drop,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    Reason,
    Turn,
    TurnId,
    Vectors,
)

EARLIER = 10
"""How many of the last entries a window gets as context."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session to add: its turns, and one annotation and one vector row a turn."""

    turns: tuple[Turn, ...]
    annotations: tuple[Annotation, ...]
    vectors: Vectors


class Growing:
    """The graph while a session is added; read from a graph, written back as a new one."""

    def __init__(self, graph: EvolutionGraph, vectors: Vectors) -> None:
        found = states(graph)
        self.graph = graph
        self.entries = list(graph.entries)
        self.places = {e.id: n for n, e in enumerate(graph.entries)}
        self.said = [max(found.observed_at(e.id), default=None) for e in graph.entries]
        self.replaced = {older: edge.newer for older, edge in found.replaced.items()}
        self.rows = vectors
        self.holders = {key: e.id for e in graph.entries for key in _held(e)}
        self.merged: list[Entry] = []
        self.decisions: list[Decision] = []
        self.edges: list[EvolutionEdge] = []

    @property
    def vectors(self) -> Vectors:
        """One row a stored entry; the buffer behind it has room for more."""
        return self.rows[: len(self.entries)]

    @property
    def next_id(self) -> EntryId:
        """The number of the next entry: stored and merged ones are counted alike."""
        return EntryId(len(self.graph.decisions) + len(self.decisions) + 1)

    def stored(self) -> Stored:
        """Return what the gate compares with, as it stands."""
        return Stored(tuple(e.id for e in self.entries), tuple(self.said))

    def similarities(self, vector: Vectors) -> Scores:
        """Return one cosine a stored entry, rounded to 6 decimals; `vector` is one row (d,)."""
        if not self.entries:
            return np.zeros(0)
        found: Scores = np.round(np.clip(self.vectors @ vector, -1.0, 1.0).astype(np.float64), 6)
        return found

    def newest(self, entry: Entry) -> Entry | None:
        """Return the newest state of a replaced entry, or None while it is current."""
        found = entry.id
        while found in self.replaced:
            found = self.replaced[found]
        return None if found == entry.id else self.entries[self.places[found]]

    def take(self, entry: Entry, vector: Vectors, bounds: Limits) -> None:
        """Merge, link or add one entry, and write down why."""
        found = self.similarities(vector)
        order = np.lexsort((np.arange(len(found)), -found))
        near = order[: int(np.count_nonzero(found > bounds.similarity))]
        partners = [
            Partner(self.entries[n], float(found[n]), self.newest(self.entries[n])) for n in near
        ]
        partners += self._holder(entry, found, near) if bounds.by_attribute else []
        decision, edge = decide(entry, partners, self._nearest(entry, found, order), bounds)
        self.decisions.append(decision)
        if decision.action is Action.MERGE and decision.target is not None:
            self._merge(entry, self.places[decision.target])
        else:
            self._store(entry, vector, edge)

    def _holder(self, entry: Entry, found: Scores, near: NDArray[np.intp]) -> list[Partner]:
        """Return who else may be replaced: the same one-valued attribute, the same undertaking.

        Of each the newest entry, unless it is similar.
        """
        holders = dict.fromkeys(self.holders[k] for k in _sought(entry) if k in self.holders)
        places = [self.places[h] for h in holders if self.places[h] not in near]
        return [
            Partner(old, float(found[n]), self.newest(old), similar=False)
            for n, old in ((n, self.entries[n]) for n in places)
        ]

    def _nearest(
        self, entry: Entry, found: Scores, order: NDArray[np.intp]
    ) -> tuple[Comparison, ...]:
        best = ((self.entries[n], float(found[n])) for n in order[:COMPARED])
        return tuple(Comparison(old.id, cosine, overlap(entry, old)) for old, cosine in best)

    def _merge(self, entry: Entry, place: int) -> None:
        self.merged.append(entry)
        self.said[place] = _later(self.said[place], entry.said_at)

    def _store(self, entry: Entry, vector: Vectors, edge: EvolutionEdge | None) -> None:
        self.places[entry.id] = len(self.entries)
        self.entries.append(entry)
        self.said.append(entry.said_at)
        self.holders.update((key, entry.id) for key in _held(entry))
        if len(self.entries) > len(self.rows):
            self.rows = _widened(self.rows, len(vector))
        self.rows[len(self.entries) - 1] = vector
        if edge is not None:
            self.edges.append(edge)
            if edge.supersedes:
                self.replaced[edge.older] = edge.newer

    def grown(self, dropped: Sequence[Drop]) -> EvolutionGraph:
        """Return the graph with all that was added."""
        old = self.graph
        return EvolutionGraph(
            tuple(self.entries),
            (*old.merged, *self.merged),
            (*old.decisions, *self.decisions),
            (*old.edges, *self.edges),
            (*old.dropped, *dropped),
        )


def _held(entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield under what an entry is looked up as one that may be replaced."""
    if key := slot(entry):
        yield key
    yield from (("open", *key) for key in progress.open_keys(entry))


def _sought(entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield under what stands what an entry may replace."""
    if key := slot(entry):
        yield key
    yield from (("open", *key) for key in progress.wanted_keys(entry))


def _widened(rows: Vectors, width: int) -> Vectors:
    """Return the rows with room for at least as many again, so that storing stays cheap."""
    wider = np.zeros((max(64, 2 * len(rows)), width), dtype=np.float32)
    if len(rows):
        wider[: len(rows)] = rows
    return wider


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((t for t in (one, other) if t is not None), default=None)


def grow(
    graph: EvolutionGraph, vectors: Vectors, sitting: Sitting, parts: Parts, settings: Settings
) -> tuple[EvolutionGraph, Vectors]:
    """Return the graph and its vectors, one row an entry, with one more session.

    Raises:
        SeamError: if the extractor names a turn outside its window, or the embedder returns
            another number of rows than texts.
    """
    growing = Growing(graph, vectors)
    bounds = limits(settings, parts.embedder.name)
    gates: dict[TurnId, Drop] = {}
    told: set[TurnId] = set()
    failed: set[TurnId] = set()
    for window in windows(len(sitting.turns), settings.window_turns, settings.window_overlap):
        if settings.gate:
            gates |= _gates(growing, sitting, window, (parts, settings))
        kept = [n for n in range(window.start, window.end) if sitting.turns[n].id not in gates]
        read = [sitting.turns[n].id for n in kept if n < window.new]
        found, unread = _extracted(growing, sitting, kept, parts)
        failed.update(unread)
        fresh = [e for e in found if not _read_before(e, read, told)]
        rows = _encoded(parts, fresh)
        for entry, row in zip(fresh, rows, strict=True):
            growing.take(replace(entry, id=growing.next_id), row, bounds)
            told.update(entry.source_turns)
    dropped = [
        gates.get(t.id, Drop(t.id, _silence(t.id, failed)))
        for t in sitting.turns
        if t.id in gates or t.id not in told
    ]
    return growing.grown(dropped), growing.vectors.copy()


def _silence(turn: TurnId, failed: set[TurnId]) -> Reason:
    """Return why a turn that passed the gate gave no entry."""
    return Reason.EXTRACTION_FAILED if turn in failed else Reason.NO_STATEMENT


def _gates(
    growing: Growing, sitting: Sitting, window: Window, by: tuple[Parts, Settings]
) -> dict[TurnId, Drop]:
    """Return why turns that are new in a window are redundant, by turn."""
    parts, settings = by
    limit, stored = gate_limit(settings, parts.embedder.name), growing.stored()
    found: dict[TurnId, Drop] = {}
    for n in range(window.new, window.end):
        turn, before = sitting.turns[n], sitting.turns[n - 1] if n else None
        if settings.keep_answers and answers(turn, before):
            continue
        near = growing.similarities(sitting.vectors[n])
        drop = gated(turn, near, stored, limit, settings.gate_hours)
        if drop is not None:
            found[turn.id] = drop
    return found


def _read_before(entry: Entry, read: Sequence[TurnId], told: set[TurnId]) -> bool:
    """Whether every source is a turn of the overlap that already gave an entry."""
    return all(turn in read and turn in told for turn in entry.source_turns)


def _extracted(
    growing: Growing, sitting: Sitting, kept: Sequence[int], parts: Parts
) -> tuple[tuple[Entry, ...], tuple[TurnId, ...]]:
    """Return the entries of a window, and its turns that the extractor could not read."""
    turns = tuple(sitting.turns[n] for n in kept)
    if not turns:
        return (), ()
    annotations = tuple(sitting.annotations[n] for n in kept)
    failed: tuple[TurnId, ...] = ()
    try:
        found = parts.extractor.extract(turns, annotations, tuple(growing.entries[-EARLIER:]))
    except WindowError as error:
        found, failed = error.entries, error.turns
    known = {turn.id: turn for turn in turns}
    for entry in found:
        if not entry.source_turns or not known.keys() >= set(entry.source_turns):
            msg = f"the extractor's entry {entry.id} must name source turns of its own window"
            raise SeamError(msg)
    dated = tuple(
        e if e.said_at else replace(e, said_at=known[e.source_turns[0]].said_at) for e in found
    )
    return dated, failed


def _encoded(parts: Parts, entries: Sequence[Entry]) -> Vectors:
    texts = [e.restatement for e in entries]
    rows = parts.embedder.encode(texts) if texts else np.zeros((0, 0), dtype=np.float32)
    if len(rows) != len(texts):
        msg = f"embedder {parts.embedder.name} gave {len(rows)} rows for {len(texts)} texts"
        raise SeamError(msg)
    return rows


def evolution(
    conversation: Conversation,
    annotations: Sequence[Annotation],
    turn_vectors: Vectors,
    parts: Parts,
    settings: Settings,
) -> tuple[EvolutionGraph, Vectors]:
    """Return the whole graph and its vectors: every session added to an empty graph, in order."""
    graph, vectors = EvolutionGraph(), np.zeros((0, turn_vectors.shape[1]), dtype=np.float32)
    for sitting in sittings(conversation, annotations, turn_vectors):
        graph, vectors = grow(graph, vectors, sitting, parts, settings)
    return graph, vectors


def sittings(
    conversation: Conversation, annotations: Sequence[Annotation], turn_vectors: Vectors
) -> tuple[Sitting, ...]:
    """Return the sessions with their annotations and vectors, both given in order of the turns."""
    found: list[Sitting] = []
    start = 0
    for session in conversation.sessions:
        end = start + len(session.turns)
        found.append(Sitting(session.turns, tuple(annotations[start:end]), turn_vectors[start:end]))
        start = end
    return tuple(found)
