"""The hypergraph as sparse matrices: turns by keys, sessions by keys, and who stands beside whom.

Made once for a memory and its settings; every score is a sum of its columns. Only entity and
lexical anchors are columns. Speakers' names are not: nearly every question names one, and a name
in a turn is mostly that of the other person (edgemem.md, section 2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from memcore.hypergraph.characters import Characters, characters
from memcore.hypergraph.terms import Places
from memcore.scoring import Scores, bm25_weights
from memcore.settings import Settings
from memcore.types import Anchor, AnchorKind, Conversation, Hyperedge, Memory, Turn, TurnId

Seconds = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """A sparse matrix by columns with the places and amounts of each key at hand."""

    weights: sparse.csc_array

    def column(self, n: int) -> tuple[Places, Scores]:
        """Return the places (ascending) and amounts of a key."""
        start, end = self.weights.indptr[n : n + 2]
        return self.weights.indices[start:end], self.weights.data[start:end]


@dataclass(frozen=True, slots=True, eq=False)
class Dates:
    """When the turns were said and what they speak of, in seconds; NaN where nothing is known.

    `places`, `starts`, `ends` are one row a time expression, in order of turns. `named` are the
    places that have any, each once, and `named_at` when the first of each starts.
    """

    said: Seconds
    places: Places
    starts: Seconds
    ends: Seconds
    named: Places
    named_at: Seconds


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """What a question reads of a hypergraph; places count the turns from 0, as spoken.

    `session` is the place of each turn's session among `sessions`. `df` counts the turns of each
    key; the columns of a key in more than `most` turns are empty. `rows` is `by_turn` by rows.
    `asks` marks the turns that hold a question, `tells` those that do not end with one. `together`
    says for the first turns whether the next, and the second next, is in the same session.
    """

    turns: tuple[TurnId, ...]
    sessions: tuple[int, ...]
    session: Places
    columns: Mapping[Anchor, int]
    anchors: tuple[Anchor, ...]
    df: NDArray[np.int64]
    most: float
    by_turn: Keys
    rows: sparse.csr_array
    by_session: Keys
    characters: Characters
    speakers: Mapping[str, Places]
    dates: Dates
    asks: NDArray[np.bool_]
    tells: NDArray[np.bool_]
    together: tuple[NDArray[np.bool_], NDArray[np.bool_]]

    def idf(self, n: int) -> float:
        """Return the inverse document frequency of a key over the turns, as BM25 has it."""
        df = float(self.df[n])
        return math.log1p((len(self.turns) - df + 0.5) / (df + 0.5))

    def keys(self, place: int) -> Places:
        """Return the columns of a turn's keys."""
        start, end = self.rows.indptr[place : place + 2]
        found: Places = self.rows.indices[start:end]
        return found

    def shifted(self, scores: Scores, offset: int) -> Scores:
        """Return for each turn the score of the turn `offset` places on, 0 outside its session.

        The offset is -2, -1, 1 or 2.
        """
        found = np.zeros_like(scores)
        together = self.together[abs(offset) - 1]
        here, there = max(0, -offset), max(0, offset)
        n = len(together)
        np.multiply(scores[there : there + n], together, out=found[here : here + n])
        return found


def names(conversation: Conversation) -> frozenset[str]:
    """Return what the speakers are called, case-folded: labels, aliases, and each first name."""
    full = {alias for p in conversation.persons for alias in (p.label, *p.aliases)}
    full.update(conversation.speakers)
    return frozenset(n.casefold() for name in full for n in (name, name.split(" ")[0]) if n)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """How often each turn holds each key that scores, and where its session stands."""

    turns: tuple[Turn, ...]
    session: Places
    sessions: tuple[int, ...]
    edges: tuple[Hyperedge, ...]
    counts: sparse.csr_array
    df: NDArray[np.int64]
    most: float

    def joined(self, groups: sparse.csr_array) -> sparse.csr_array:
        """Return the counts of groups of turns; `groups` is (groups, turns)."""
        found: sparse.csr_array = (groups @ self.counts).tocsr()
        return found


def counted(memory: Memory, settings: Settings, as_of: int | None = None) -> Counted:
    """Return the counts of the turns up to a session (None: all); keys too common are left out."""
    turns = tuple(t for t in memory.conversation.turns if as_of is None or t.id.session <= as_of)
    sessions = tuple(dict.fromkeys(t.id.session for t in turns))
    number = {session: n for n, session in enumerate(sessions)}
    session = np.array([number[t.id.session] for t in turns], dtype=np.intp)
    edges = _edges(memory)
    counts, df = _counts(edges, {turn.id: n for n, turn in enumerate(turns)})
    most = max(settings.key_share * len(turns), 1.0)
    counts.data *= df[counts.indices] <= most
    counts.eliminate_zeros()
    return Counted(turns, session, sessions, edges, counts, df, most)


def incidence(memory: Memory, settings: Settings, as_of: int | None = None) -> Incidence:
    """Return the matrices of the turns up to a session (None: all)."""
    return of_counts(memory, settings, counted(memory, settings, as_of))


def of_counts(memory: Memory, settings: Settings, found: Counted) -> Incidence:
    """Return the matrices of turns whose keys are counted."""
    by_turn = _weights(found.counts, found.edges, settings)
    joined = found.joined(_selector(found.session, len(found.sessions)).T.tocsr())
    turns = found.turns
    return Incidence(
        turns=tuple(t.id for t in turns),
        sessions=found.sessions,
        session=found.session,
        columns={e.anchor: n for n, e in enumerate(found.edges)},
        anchors=tuple(e.anchor for e in found.edges),
        df=found.df,
        most=found.most,
        by_turn=Keys(by_turn.tocsc()),
        rows=by_turn,
        by_session=Keys(_weights(joined, found.edges, settings).tocsc()),
        characters=characters(found.counts, [e.anchor for e in found.edges], found.most, settings),
        speakers=_speakers(turns),
        dates=_dates(memory, turns, {t.id: n for n, t in enumerate(turns)}),
        asks=np.array(["?" in t.text or "？" in t.text for t in turns], dtype=np.bool_),
        tells=np.array([not t.text.rstrip().endswith(("?", "？")) for t in turns], dtype=np.bool_),
        together=(_together(found.session, 1), _together(found.session, 2)),
    )


def _together(session: Places, apart: int) -> NDArray[np.bool_]:
    """Return for each turn that has one `apart` places on whether it is in the same session."""
    same: NDArray[np.bool_] = session[apart:] == session[:-apart]
    return same


def _edges(memory: Memory) -> tuple[Hyperedge, ...]:
    called = names(memory.conversation)
    kinds = (AnchorKind.ENTITY, AnchorKind.LEXICAL)
    return tuple(
        e
        for e in memory.hypergraph.hyperedges
        if e.anchor.kind in kinds and e.anchor.key not in called
    )


def _counts(
    edges: Sequence[Hyperedge], place: Mapping[TurnId, int]
) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    rows: list[int] = []
    columns: list[int] = []
    counts: list[int] = []
    for n, edge in enumerate(edges):
        for member in edge.memberships:
            if member.turn in place:
                rows.append(place[member.turn])
                columns.append(n)
                counts.append(member.count)
    found = sparse.csr_array(
        (np.array(counts, dtype=np.float64), (np.array(rows, int), np.array(columns, int))),
        shape=(len(place), len(edges)),
    )
    return found, np.bincount(np.array(columns, int), minlength=len(edges))


def beside(session: Places, before: int, after: int) -> sparse.csr_array:
    """Return which turns stand in the window of each, itself among them, shape (turns, turns).

    Args:
        session: the place of each turn's session; a window ends with the session.
        before: turns before that the window holds, from 0.
        after: turns after.
    """
    n = len(session)
    rows, columns = [], []
    for offset in range(-before, after + 1):
        here = np.arange(max(0, -offset), min(n, n - offset))
        here = here[session[here] == session[here + offset]]
        rows.append(here)
        columns.append(here + offset)
    places = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_array((np.ones(len(places[0])), places), shape=(n, n))


def _selector(session: Places, sessions: int) -> sparse.csr_array:
    n = len(session)
    return sparse.csr_array((np.ones(n), session, np.arange(n + 1)), shape=(n, sessions))


def _weights(
    counts: sparse.csr_array, edges: Sequence[Hyperedge], settings: Settings
) -> sparse.csr_array:
    found = bm25_weights(counts, settings.bm25_k1, settings.bm25_b)
    factors = {
        AnchorKind.ENTITY: settings.entity_weight,
        AnchorKind.LEXICAL: settings.lexical_weight,
    }
    found.data *= np.array([factors[e.anchor.kind] for e in edges])[found.indices]
    found.sort_indices()
    return found


def _speakers(turns: Sequence[Turn]) -> Mapping[str, Places]:
    found: dict[str, list[int]] = {}
    for n, turn in enumerate(turns):
        found.setdefault(turn.speaker, []).append(n)
    return {speaker: np.array(places, dtype=np.intp) for speaker, places in found.items()}


def _dates(memory: Memory, turns: Sequence[Turn], place: Mapping[TurnId, int]) -> Dates:
    started = {s.index: s.started_at for s in memory.conversation.sessions}
    said = [t.said_at or started[t.id.session] for t in turns]
    events = sorted(
        (place[note.turn], time.interval)
        for note in memory.annotations
        if note.turn in place
        for time in note.times
    )
    places = np.array([n for n, _ in events], dtype=np.intp)
    starts = np.array([i.start.timestamp() for _, i in events], dtype=np.float64)
    named, first = np.unique(places, return_index=True)
    return Dates(
        said=np.array([at.timestamp() if at else np.nan for at in said], dtype=np.float64),
        places=places,
        starts=starts,
        named=named,
        named_at=starts[first],
        ends=np.array([i.end.timestamp() for _, i in events], dtype=np.float64),
    )
