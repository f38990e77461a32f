"""Phase I: one session at a time to entries, decisions, edges and vectors.

The order is that of the talk: a window's entries are stored before the turns of the next window
meet the gate. A session reads what stands and adds; it changes nothing, so adding sessions one
by one equals building them all, and each can be a transaction of its own. It reads vectors, times
and ids of what stands; whole entries only where they are near, since a long memory has many.

A turn of the overlap gives an entry only where the window before found none in it. Comparing
restatements instead was turned down: a model words the same fact twice in two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

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


@dataclass(frozen=True, slots=True)
class Standing:
    """What a session must know of the graph before it, where `entry` reads one stored entry.

    `said` is when each of `ids` was last said, `holders` the last entry of each one-valued
    attribute and of each open undertaking, `replaced` older and newer, `written` the number of the
    last entry, merged or not; `vectors` has one row an id.
    """

    ids: tuple[EntryId, ...]
    said: tuple[datetime | None, ...]
    holders: tuple[tuple[tuple[str, ...], EntryId], ...]
    replaced: tuple[tuple[EntryId, EntryId], ...]
    written: int
    vectors: Vectors
    entry: Callable[[EntryId], Entry]


def standing(graph: EvolutionGraph, vectors: Vectors) -> Standing:
    """Return what a session must know of a graph that is at hand."""
    found = states(graph)
    return Standing(
        tuple(e.id for e in graph.entries),
        tuple(max(found.observed_at(e.id), default=None) for e in graph.entries),
        tuple((key, e.id) for e in graph.entries for key in held(e)),
        tuple((older, edge.newer) for older, edge in found.replaced.items()),
        len(graph.decisions),
        vectors,
        found.nodes.__getitem__,
    )


class Growing:
    """The graph while sessions are added to it, one after the other."""

    def __init__(self, before: Standing) -> None:
        self.ids = list(before.ids)
        self.places = {entry: n for n, entry in enumerate(before.ids)}
        self.said = list(before.said)
        self.replaced = dict(before.replaced)
        self.rows = before.vectors
        self.holders = dict(before.holders)
        self.written = before.written
        self._read = before.entry
        self._at_hand: dict[EntryId, Entry] = {}
        self._begin()

    def _begin(self) -> None:
        """Forget what the session before added: it is written back."""
        self.entries: list[Entry] = []
        self.merged: list[Entry] = []
        self.decisions: list[Decision] = []
        self.edges: list[EvolutionEdge] = []

    def add(
        self, sitting: Sitting, parts: Parts, settings: Settings
    ) -> tuple[EvolutionGraph, Vectors]:
        """Add a session; return what the graph grew by, and one vector row a new entry.

        Raises:
            SeamError: if the extractor names a turn outside its window, or the embedder returns
                another number of rows than texts.
        """
        self._begin()
        before = len(self.ids)
        dropped = _written(self, sitting, parts, settings)
        added = EvolutionGraph(
            tuple(self.entries),
            tuple(self.merged),
            tuple(self.decisions),
            tuple(self.edges),
            dropped,
        )
        return added, self.vectors[before:].copy()

    @property
    def vectors(self) -> Vectors:
        """One row a stored entry; the buffer behind it has room for more."""
        return self.rows[: len(self.ids)]

    @property
    def next_id(self) -> EntryId:
        """The number of the next entry: stored and merged ones are counted alike."""
        return EntryId(self.written + 1)

    def entry(self, wanted: EntryId) -> Entry:
        """Return a stored entry, read once."""
        if wanted not in self._at_hand:
            self._at_hand[wanted] = self._read(wanted)
        return self._at_hand[wanted]

    def last(self) -> tuple[Entry, ...]:
        """Return the last stored entries: what a window gets as context."""
        return tuple(self.entry(wanted) for wanted in self.ids[-EARLIER:])

    def stored(self) -> Stored:
        """Return what the gate compares with, as it stands."""
        return Stored(tuple(self.ids), tuple(self.said))

    def similarities(self, vector: Vectors) -> Scores:
        """Return one cosine a stored entry, rounded to 6 decimals; `vector` is one row (d,)."""
        if not self.ids:
            return np.zeros(0)
        found: Scores = np.round(np.clip(self.vectors @ vector, -1.0, 1.0).astype(np.float64), 6)
        return found

    def newest(self, entry: EntryId) -> Entry | None:
        """Return the newest state of a replaced entry, or None while it is current."""
        found = entry
        while found in self.replaced:
            found = self.replaced[found]
        return None if found == entry else self.entry(found)

    def take(self, entry: Entry, vector: Vectors, bounds: Limits) -> None:
        """Merge, link or add one entry, and write down why."""
        found = self.similarities(vector)
        near = _best_first(found, np.flatnonzero(found > bounds.similarity))
        partners = (self._partner(self.ids[n], float(found[n])) for n in near)
        holder = self._holder(entry, found, near) if bounds.by_attribute else []
        nearest = self._nearest(entry, found)
        decision, edge = decide(entry, chain(partners, holder), nearest, bounds)
        self.written += 1
        self.decisions.append(decision)
        if decision.action is Action.MERGE and decision.target is not None:
            self._merge(entry, self.places[decision.target])
        else:
            self._store(entry, vector, edge)

    def _partner(self, old: EntryId, similarity: float, *, similar: bool = True) -> Partner:
        return Partner(self.entry(old), similarity, self.newest(old), similar=similar)

    def _holder(self, entry: Entry, found: Scores, near: NDArray[np.intp]) -> list[Partner]:
        """Return who else may be replaced: the same one-valued attribute, the same undertaking.

        Of each the newest entry, unless it is similar.
        """
        holders = dict.fromkeys(self.holders[k] for k in _sought(entry) if k in self.holders)
        places = [(old, self.places[old]) for old in holders]
        return [
            self._partner(old, float(found[n]), similar=False) for old, n in places if n not in near
        ]

    def _nearest(self, entry: Entry, found: Scores) -> tuple[Comparison, ...]:
        limit = np.partition(found, -COMPARED)[-COMPARED] if len(found) > COMPARED else -1.0
        order = _best_first(found, np.flatnonzero(found >= limit))[:COMPARED]
        best = ((self.entry(self.ids[n]), float(found[n])) for n in order)
        return tuple(Comparison(old.id, cosine, overlap(entry, old)) for old, cosine in best)

    def _merge(self, entry: Entry, place: int) -> None:
        self.merged.append(entry)
        self.said[place] = _later(self.said[place], entry.said_at)

    def _store(self, entry: Entry, vector: Vectors, edge: EvolutionEdge | None) -> None:
        self.places[entry.id] = len(self.ids)
        self.ids.append(entry.id)
        self.entries.append(entry)
        self._at_hand[entry.id] = entry
        self.said.append(entry.said_at)
        self.holders.update((key, entry.id) for key in held(entry))
        if len(self.ids) > len(self.rows):
            self.rows = _widened(self.rows, len(vector))
        self.rows[len(self.ids) - 1] = vector
        if edge is not None:
            self.edges.append(edge)
            if edge.supersedes:
                self.replaced[edge.older] = edge.newer


def held(entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield under what an entry is looked up as one that may be replaced."""
    if key := slot(entry):
        yield key
    yield from (("open", *key) for key in progress.open_keys(entry))


def _sought(entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield under what stands what an entry may replace."""
    if key := slot(entry):
        yield key
    yield from (("open", *key) for key in progress.wanted_keys(entry))


def _best_first(found: Scores, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the places, in rising order, by similarity; ties stay as they are."""
    order: NDArray[np.intp] = places[np.argsort(-found[places], kind="stable")]
    return order


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
        SeamError: as `Growing.add` does.
    """
    growing = Growing(standing(graph, vectors))
    added, _rows = growing.add(sitting, parts, settings)
    return _joined([graph, added]), growing.vectors.copy()


def _joined(pieces: Sequence[EvolutionGraph]) -> EvolutionGraph:
    return EvolutionGraph(
        tuple(entry for piece in pieces for entry in piece.entries),
        tuple(entry for piece in pieces for entry in piece.merged),
        tuple(decision for piece in pieces for decision in piece.decisions),
        tuple(edge for piece in pieces for edge in piece.edges),
        tuple(drop for piece in pieces for drop in piece.dropped),
    )


def _written(
    growing: Growing, sitting: Sitting, parts: Parts, settings: Settings
) -> tuple[Drop, ...]:
    """Write the entries of a session, window by window; return the turns that gave none."""
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
    return tuple(
        gates.get(t.id, Drop(t.id, _silence(t.id, failed)))
        for t in sitting.turns
        if t.id in gates or t.id not in told
    )


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
        found = parts.extractor.extract(turns, annotations, growing.last())
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
    none = np.zeros((0, turn_vectors.shape[1]), dtype=np.float32)
    growing = Growing(standing(EvolutionGraph(), none))
    talk = sittings(conversation, annotations, turn_vectors)
    pieces = [growing.add(sitting, parts, settings)[0] for sitting in talk]
    return _joined(pieces), growing.vectors.copy()


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
