"""What EdgeMem and AriadneMem are held against: BM25, dense, their fusion, recency, everything.

All rank raw turns and use the pack stage of the others. Scores that are not sums carry the place
in a list instead of terms. The BM25 baseline reads the keys of the hypergraph, so that what it
lacks is the structure and not the stems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

import numpy as np

from memcore.annotate.questions import analyse
from memcore.errors import SeamError
from memcore.hypergraph.channels import owed_to
from memcore.hypergraph.cues import asked, cues
from memcore.hypergraph.incidence import Incidence, incidence, names
from memcore.hypergraph.terms import Contribution, Places, candidates, contribution, total
from memcore.retrieval.loop import Retriever, Stage
from memcore.retrieval.packing import UNLIMITED, costs, pack
from memcore.retrieval.reading import question_annotator
from memcore.scoring import Scores, best, cosine
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import (
    Beat,
    Candidate,
    Cue,
    Drop,
    Item,
    Memory,
    Placement,
    Query,
    Reason,
    Rest,
    Step,
    Trace,
    ranked,
)

_AS_OFS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A ranked list of turns: places best first, their scores, and the terms if it is a sum."""

    name: str
    places: Places
    scores: Scores
    reached: int
    parts: tuple[Contribution, ...] = ()


Rank = Callable[[Query, tuple[Cue, ...], int | None], Ranking]


class Ranker:
    """One memory made ready for the baselines: matrices by as-of, and the question's reading."""

    def __init__(self, memory: Memory, settings: Settings, parts: Parts) -> None:
        self.memory, self.settings, self.parts = memory, settings, parts
        self.index = lru_cache(maxsize=_AS_OFS)(lambda as_of: incidence(memory, settings, as_of))
        self._anchors = {edge.anchor: edge.id for edge in memory.hypergraph.hyperedges}
        self._called = names(memory.conversation)
        self._annotator = question_annotator(memory, parts)

    def analysis(self, question: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        """Return the reading of a question and the keys it looks up."""
        speakers = self.memory.conversation.speakers
        query = analyse(question, asked_at, speakers, self._annotator)
        return query, cues(query, self.index(None), self._anchors, self._called)

    def bm25(self, query: Query, found: tuple[Cue, ...], as_of: int | None) -> Ranking:
        """Return the turns by BM25 over their entity and lexical keys."""
        index: Incidence = self.index(as_of)
        keys = asked(index, query, found).columns
        parts = tuple(
            contribution("key", *index.by_turn.column(n), owed_to(index.anchors[n])) for n in keys
        )
        return self.ranking("bm25", total(len(index.turns), parts), parts)

    def dense(self, query: Query, _found: tuple[Cue, ...], as_of: int | None) -> Ranking:
        """Return the turns by the cosine of question and turn."""
        memory, embedder = self.memory, self.parts.embedder
        if memory.embedder and memory.embedder != embedder.name:
            msg = f"embedder {embedder.name}: the memory's vectors are by {memory.embedder}"
            raise SeamError(msg)
        n = min(len(self.index(as_of).turns), len(memory.turn_vectors))
        if not n:
            return self.ranking("dense", np.zeros(0))
        vector = embedder.encode([query.text])
        scores = cosine(vector, memory.turn_vectors[:n])[0].astype(np.float64)
        return self.ranking("dense", scores)

    def recency(self, _query: Query, _found: tuple[Cue, ...], as_of: int | None) -> Ranking:
        """Return the turns, newest first; the score counts turns from the beginning."""
        n = len(self.index(as_of).turns)
        return self.ranking("recency", np.arange(1.0, n + 1))

    def full(self, _query: Query, _found: tuple[Cue, ...], as_of: int | None) -> Ranking:
        """Return all turns, oldest first; the score counts turns to the end."""
        n = len(self.index(as_of).turns)
        return Ranking("full", np.arange(n), np.arange(float(n), 0, -1), n)

    def ranking(self, name: str, scores: Scores, parts: tuple[Contribution, ...] = ()) -> Ranking:
        """Return the best turns of scores, one a turn."""
        places = best(scores, self.settings.collect_k)
        rounded = np.round(scores, 6)
        return Ranking(name, places, rounded[places], int(np.count_nonzero(rounded > 0)), parts)

    def stage(self, rank: Rank) -> Stage:
        """Return the stage that collects a ranking."""

        def stage(_memory: Memory, trace: Trace) -> Step:
            found = rank(trace.query, trace.cues, trace.as_of)
            entered = self._written(found, trace.as_of)
            below, k = found.reached - len(entered), self.settings.collect_k
            return Step(
                found.name,
                Beat.COLLECT,
                given=trace.candidates,
                entered=entered,
                kept=(*trace.candidates, *entered),
                rest=(Rest(below, Reason.BELOW_TOP_K, k + 1, k),) if below else (),
            )

        return stage

    def _written(self, found: Ranking, as_of: int | None) -> tuple[Candidate, ...]:
        turns = self.index(as_of).turns
        if found.parts:
            return candidates(turns, found.places, found.parts, found.name)
        rows = zip(found.places.tolist(), found.scores.tolist(), strict=True)
        return tuple(
            Candidate(turns[place], score, (), found.name, (Placement(found.name, rank),))
            for rank, (place, score) in enumerate(rows, 1)
        )

    def retriever(self, name: str, ranks: tuple[Rank, ...]) -> Retriever:
        """Return the retriever that collects one ranking, or fuses several, and packs."""

        def listing(
            question: str, asked_at: datetime | None, as_of: int | None
        ) -> tuple[Item, ...]:
            query, found = self.analysis(question, asked_at)
            lists = [rank(query, found, as_of).places.tolist() for rank in ranks]
            order = fused(lists, self.settings.rrf_k) if len(lists) > 1 else lists[0]
            turns = self.index(as_of).turns
            return tuple(turns[place] for place in order)

        room = UNLIMITED if name == "full" else None
        stages = (
            _query,
            _unused("activate", Beat.ACTIVATE),
            *(self.stage(rank) for rank in ranks),
            *((fusion,) if len(ranks) > 1 else ()),
            _unused("connect", Beat.CONNECT),
            pack(costs(self.memory.conversation), room),
        )
        self.index(None)
        return Retriever(name, self.memory, self.settings, self.analysis, stages, listing)


def _query(_memory: Memory, trace: Trace) -> Step:
    return Step("query", Beat.CUE, note=f"question of kind {trace.query.kind}")


def _unused(name: str, beat: Beat) -> Stage:
    def stage(_memory: Memory, trace: Trace) -> Step:
        return Step(name, beat, given=trace.candidates, kept=trace.candidates, used=False)

    return stage


def reciprocal(ranks: tuple[int, ...], k: int) -> float:
    """Return the reciprocal rank fusion of the ranks of one item, to 6 decimals.

    >>> reciprocal((1, 3), 60)
    0.032266
    """
    return round(float(sum(1 / (k + rank) for rank in ranks)), 6)


def fused(lists: list[list[int]], k: int) -> list[int]:
    """Return the places of several lists by reciprocal rank fusion, ties to the earlier."""
    ranks: dict[int, tuple[int, ...]] = {}
    for places in lists:
        for rank, place in enumerate(places, 1):
            ranks[place] = (*ranks.get(place, ()), rank)
    return sorted(ranks, key=lambda place: (-reciprocal(ranks[place], k), place))


def fusion(_memory: Memory, trace: Trace) -> Step:
    """Fuse the lists by reciprocal rank; a turn in several stays in the first that found it."""
    first: dict[Item, Candidate] = {}
    dropped: list[Drop] = []
    places: dict[Item, tuple[Placement, ...]] = {}
    ranks = Counter[str]()
    for candidate in trace.candidates:
        ranks[candidate.channel] += 1
        place = Placement(candidate.channel, ranks[candidate.channel])
        places[candidate.item] = (*places.get(candidate.item, ()), place)
        if candidate.item in first:
            other = candidate.item
            dropped.append(Drop(other, Reason.DUPLICATE, channel=candidate.channel, other=other))
        else:
            first[candidate.item] = candidate
    k = trace.settings.rrf_k
    joined = (
        Candidate(
            item, reciprocal(tuple(p.rank for p in places[item]), k), (), c.channel, places[item]
        )
        for item, c in first.items()
    )
    return Step(
        "fusion",
        Beat.COLLECT,
        given=trace.candidates,
        kept=ranked(joined),
        dropped=tuple(dropped),
    )


def bm25(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return plain BM25 over the turns' keys."""
    ranker = Ranker(memory, settings, parts)
    return ranker.retriever("bm25", (ranker.bm25,))


def dense(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return plain cosine similarity of question and turn."""
    ranker = Ranker(memory, settings, parts)
    return ranker.retriever("dense", (ranker.dense,))


def hybrid(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return BM25 and dense joined by reciprocal rank fusion."""
    ranker = Ranker(memory, settings, parts)
    return ranker.retriever("hybrid", (ranker.bm25, ranker.dense))


def recency(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return the newest turns."""
    ranker = Ranker(memory, settings, parts)
    return ranker.retriever("recency", (ranker.recency,))


def full(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return all turns, oldest first, without a budget."""
    ranker = Ranker(memory, settings, parts)
    return ranker.retriever("full", (ranker.full,))
