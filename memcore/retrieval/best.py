"""The profiles `best` and `best-lexical`: one weighted sum of named terms over all turns.

The hypergraph gives the keys, dates and neighbours; the sum takes the place of the channels.
`best` adds late interaction over the token vectors, `best-lexical` has no embeddings. The weights
are values, fitted by `memcore fit` on the five tuning dialogues (docs/retrieval.md).
Where the memory has no token vectors, or the parts no token encoder (no cosine of an English
encoder decides anything in Chinese), `best` is the sum of `best-lexical`, and its stage says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

import numpy as np

from memcore.annotate.questions import analyse
from memcore.errors import SeamError
from memcore.hypergraph.cues import Asked, asked, cues
from memcore.hypergraph.incidence import Incidence, counted, names, of_counts
from memcore.hypergraph.stages import activate
from memcore.hypergraph.stages import cues as cues_stage
from memcore.hypergraph.terms import Contribution, Places, candidates, contribution, total
from memcore.retrieval.features import NAMES, Looks, looks, matrix, standard
from memcore.retrieval.fitted import BEST, LEXICAL, Weights
from memcore.retrieval.late import NAMES as LATE_NAMES
from memcore.retrieval.late import Late, late
from memcore.retrieval.loop import Analysis, Retriever
from memcore.retrieval.packing import costs, pack
from memcore.retrieval.reading import question_annotator
from memcore.retrieval.weights import Matrix
from memcore.scoring import Scores, best
from memcore.seams import Parts, TokenEmbedder
from memcore.settings import Settings
from memcore.types import Beat, Cue, Item, Memory, Query, Reason, Rest, Step, Trace

_AS_OFS = 4
_NO_VECTORS: Final = "no token vectors: the sum of best-lexical; build the dialogue to have them"
_NO_ENCODER: Final = "no token encoder for this language: the sum of best-lexical"


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """The matrices of one as-of; `late` only where token vectors act."""

    index: Incidence
    seen: Looks
    late: Late | None


@dataclass(frozen=True, slots=True, eq=False)
class _Ranking:
    """The best turns, all terms, and how many turns could be listed."""

    places: Places
    parts: tuple[Contribution, ...]
    reached: int


class Sum:
    """A memory made ready for the weighted sum; with a token encoder, late interaction acts."""

    def __init__(
        self,
        memory: Memory,
        settings: Settings,
        weights: Weights,
        embedder: TokenEmbedder | None = None,
    ) -> None:
        self.memory, self.settings, self.weights = memory, settings, weights
        self.embedder, self.called = embedder, names(memory.conversation)
        self.ready = lru_cache(maxsize=_AS_OFS)(self._ready)

    def _ready(self, as_of: int | None) -> _Ready:
        found = counted(self.memory, self.settings, as_of)
        index = of_counts(self.memory, self.settings, found)
        vectors = self.memory.token_vectors
        by_token = None
        if self.embedder is not None:
            by_token = late(vectors, found.turns, index.session, index.asks, self.embedder)
        return _Ready(index, looks(found, index), by_token)

    def ranked(self, query: Query, found: tuple[Cue, ...], as_of: int | None) -> _Ranking:
        """Return the best turns and the terms; nothing where the question has no cue at all."""
        ready = self.ready(as_of)
        looked_for = asked(ready.index, query, found)
        if (
            not _known(ready, looked_for)
            or not any(c.isalnum() for c in query.text)
            or not ready.index.turns
        ):
            return _Ranking(np.zeros(0, np.intp), (), 0)
        everywhere = np.arange(len(ready.index.turns))
        rows = matrix(ready.index, ready.seen, looked_for, query.text, self.called)
        parts = self._contributions(ready, NAMES, everywhere, rows)
        scores = total(len(everywhere), parts)
        listed = everywhere
        if ready.late is not None:
            listed = np.sort(best(_lifted(scores, everywhere), self.settings.late_turns))
            near = self._near(ready.late, query.text, listed)
            parts += self._contributions(ready, LATE_NAMES, listed, near)
            scores = total(len(everywhere), parts)
        places = best(_lifted(scores, listed), self.settings.collect_k)
        return _Ranking(places, parts, len(listed))

    def _near(self, by_token: Late, question: str, places: Places) -> Matrix:
        """Return the rows of late interaction at some places."""
        if self.embedder is None:
            return np.zeros((len(LATE_NAMES), len(places)))
        pieces = by_token.pieces(question, self.called, self.embedder)
        return np.array([standard(row) for row in by_token.scores(pieces, places)])

    def terms(self, query: Query, found: tuple[Cue, ...]) -> Matrix:
        """Return the terms of all turns, unweighed: a row a name of the weights, for fitting."""
        ready = self.ready(None)
        looked_for = asked(ready.index, query, found)
        rows = matrix(ready.index, ready.seen, looked_for, query.text, self.called)
        named = dict(zip(NAMES, rows, strict=True))
        if ready.late is not None:
            near = self._near(ready.late, query.text, np.arange(len(ready.index.turns)))
            named.update(zip(LATE_NAMES, near, strict=True))
        return np.array([named[name] for name in self.weights.names])

    def _contributions(
        self, ready: _Ready, terms: Sequence[str], places: Places, rows: Matrix
    ) -> tuple[Contribution, ...]:
        turns = ready.index.turns
        return tuple(
            contribution(name, places, self.weights.of(name) * row, lambda place: turns[place])
            for name, row in zip(terms, rows, strict=True)
            if name in self.weights.names
        )

    def stage(self, _memory: Memory, trace: Trace) -> Step:
        """Collect the best turns by the sum."""
        turns = self.ready(trace.as_of).index.turns
        found = self.ranked(trace.query, trace.cues, trace.as_of)
        entered = candidates(turns, found.places, found.parts, "sum")
        return Step(
            "sum",
            Beat.COLLECT,
            given=trace.candidates,
            entered=entered,
            kept=(*trace.candidates, *entered),
            rest=tuple(self._rest(found, len(turns))),
            note=self._note(found, len(turns)),
        )

    def _rest(self, found: _Ranking, turns: int) -> Iterator[Rest]:
        k, most = self.settings.collect_k, self.settings.late_turns
        if found.reached > len(found.places):
            below = found.reached - len(found.places)
            yield Rest(below, Reason.BELOW_TOP_K, k + 1, k)
        if found.parts and turns > found.reached:
            yield Rest(turns - found.reached, Reason.BELOW_TOP_K, most + 1, most)

    def _note(self, found: _Ranking, turns: int) -> str:
        if self.embedder is None:
            return ""
        return f"late interaction over {found.reached} of {turns} turns"


def _known(ready: _Ready, asked: Asked) -> bool:
    """Whether the question has anything by which turns can be told apart."""
    held = ready.index.characters.columns
    known = asked.columns or asked.speakers or asked.interval or ready.late
    return bool(known) or any(c in held for c in asked.characters)


def _lifted(scores: Scores, listed: Places) -> Scores:
    """Return scores above 0 where listed and 0 elsewhere: `best` passes over what is not positive."""
    found = np.zeros(len(scores))
    found[listed] = scores[listed] - scores[listed].min(initial=0.0) + 1
    return found


def best_lexical(
    memory: Memory, settings: Settings, parts: Parts, weights: Weights = LEXICAL
) -> Retriever:
    """Return the weighted sum without embeddings, ready for one memory."""
    return _retriever("best-lexical", Sum(memory, settings, weights), parts)


def best_of_all(
    memory: Memory, settings: Settings, parts: Parts, weights: Weights = BEST
) -> Retriever:
    """Return the weighted sum with late interaction, ready for one memory.

    Raises:
        SeamError: if the memory's token vectors are by another encoder.
    """
    embedder, held = parts.token_embedder, memory.token_vectors
    if embedder is None or not len(held.ends):
        note = _NO_ENCODER if embedder is None else _NO_VECTORS
        return _retriever("best", Sum(memory, settings, LEXICAL), parts, note)
    if held.embedder != embedder.name:
        msg = f"token embedder {embedder.name}: the memory's vectors are by {held.embedder}"
        raise SeamError(msg)
    return _retriever("best", Sum(memory, settings, weights, embedder), parts)


def analysis_of(ready: Sum, parts: Parts) -> Analysis:
    """Return what reads a question of one memory: the query, and the cues it finds there."""
    anchors = {edge.anchor: edge.id for edge in ready.memory.hypergraph.hyperedges}
    speakers = ready.memory.conversation.speakers
    annotator = question_annotator(ready.memory, parts)

    def analysis(question: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        query = analyse(question, asked_at, speakers, annotator)
        return query, cues(query, ready.ready(None).index, anchors, ready.called)

    return analysis


def _retriever(name: str, ready: Sum, parts: Parts, note: str = "") -> Retriever:
    memory, analysis = ready.memory, analysis_of(ready, parts)

    def listing(question: str, asked_at: datetime | None, as_of: int | None) -> tuple[Item, ...]:
        places = ready.ranked(*analysis(question, asked_at), as_of).places
        turns = ready.ready(as_of).index.turns
        return tuple(turns[place] for place in places.tolist())

    def collect(memory: Memory, trace: Trace) -> Step:
        step = ready.stage(memory, trace)
        return replace(step, note=note) if note else step

    ready.ready(None)
    stages = (
        cues_stage,
        activate(lambda as_of: ready.ready(as_of).index),
        collect,
        _unused,
        pack(costs(memory.conversation)),
    )
    return Retriever(name, memory, ready.settings, analysis, stages, listing)


def _unused(_memory: Memory, trace: Trace) -> Step:
    given = trace.candidates
    return Step("connect", Beat.CONNECT, given=given, kept=given, used=False)
