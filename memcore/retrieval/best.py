"""The profiles `best` and `best-lexical`: one weighted sum of named terms over all turns.

The hypergraph gives the keys, dates and neighbours; the sum takes the place of the channels.
`best` adds late interaction over the token vectors, `best-lexical` has no embeddings. The weights
are values, fitted by `memcore fit` on the five tuning dialogues (docs/retrieval.md).
Where the memory has no token vectors, or the parts no token encoder (no cosine of an English
encoder decides anything in Chinese), `best` is the sum of `best-lexical`, and its stage says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

import numpy as np

from memcore.annotate.questions import analyse
from memcore.errors import SeamError
from memcore.hypergraph.cues import asked, cues
from memcore.hypergraph.incidence import Incidence, counted, names, of_counts
from memcore.hypergraph.stages import activate
from memcore.hypergraph.stages import cues as cues_stage
from memcore.hypergraph.terms import Contribution, Places, candidates, contribution, total
from memcore.retrieval.features import NAMES, Looks, looks, matrix, standard
from memcore.retrieval.late import Late, late
from memcore.retrieval.loop import Retriever
from memcore.retrieval.packing import costs, pack
from memcore.retrieval.reading import question_annotator
from memcore.scoring import Scores, best
from memcore.seams import Parts, TokenEmbedder
from memcore.settings import Settings
from memcore.types import Beat, Cue, Item, Memory, Query, Reason, Rest, Step, Trace

LATE_NAMES: Final = ("late_turn", "late_window")
"""The terms of late interaction, after those of `features.NAMES`."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight a term, in the order of the names."""

    values: tuple[float, ...]
    names: tuple[str, ...] = NAMES

    def of(self, name: str) -> float:
        """Return the weight of a term."""
        return self.values[self.names.index(name)]


LEXICAL = Weights(
    (
        0.139,  # turn
        -0.044,  # window
        0.31,  # wide_window
        0.093,  # answer
        2.033,  # cover
        0.531,  # session
        4.193,  # date
        1.103,  # subject
        0.5,  # length
        -0.5,  # is_question
        -0.156,  # holds_question
        0.611,  # after_question
        0.883,  # first
        0.477,  # first_person
        0.232,  # name
        1.837,  # time_asked
        1.672,  # number_asked
        0.517,  # name_asked
        0.652,  # reason_asked
        1.258,  # quoted_asked
    )
)
"""Fitted on the five tuning dialogues, penalty 0.001."""

BEST = Weights(
    (
        -0.025,  # turn
        -0.018,  # window
        0.050,  # wide_window
        0.082,  # answer
        0.800,  # cover
        0.368,  # session
        3.987,  # date
        1.262,  # subject
        0.030,  # length
        -0.562,  # is_question
        -0.208,  # holds_question
        0.559,  # after_question
        0.938,  # first
        0.484,  # first_person
        0.095,  # name
        1.609,  # time_asked
        1.299,  # number_asked
        0.398,  # name_asked
        0.640,  # reason_asked
        1.253,  # quoted_asked
        0.492,  # late_turn
        0.951,  # late_window
    ),
    (*NAMES, *LATE_NAMES),
)
"""Fitted on the five tuning dialogues, penalty 0.001."""

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
        most = self.settings.late_turns
        vectors = self.memory.token_vectors
        by_token = late(vectors, found.turns, index.session, most) if self.embedder else None
        return _Ready(index, looks(found, index), by_token)

    def ranked(self, query: Query, found: tuple[Cue, ...], as_of: int | None) -> _Ranking:
        """Return the best turns and the terms; nothing where the question has no cue at all."""
        ready = self.ready(as_of)
        looked_for = asked(ready.index, query, found)
        known = looked_for.columns or looked_for.speakers or looked_for.interval or ready.late
        if not known or not any(c.isalnum() for c in query.text) or not ready.index.turns:
            return _Ranking(np.zeros(0, np.intp), (), 0)
        rows = matrix(ready.index, ready.seen, looked_for, query.text)
        everywhere = np.arange(len(ready.index.turns))
        parts = self._contributions(ready, NAMES, everywhere, rows)
        scores = total(len(everywhere), parts)
        listed = everywhere
        if ready.late is not None and self.embedder is not None:
            listed = np.sort(best(_lifted(scores, everywhere), self.settings.late_turns))
            pieces = ready.late.pieces(query.text, self.called, self.embedder)
            near = [standard(row) for row in ready.late.scores(pieces, listed)]
            parts += self._contributions(ready, LATE_NAMES, listed, near)
            scores = total(len(everywhere), parts)
        places = best(_lifted(scores, listed), self.settings.collect_k)
        return _Ranking(places, parts, len(listed))

    def _contributions(
        self, ready: _Ready, terms: Sequence[str], places: Places, rows: Iterable[Scores]
    ) -> tuple[Contribution, ...]:
        turns = ready.index.turns
        return tuple(
            contribution(name, places, self.weights.of(name) * row, lambda place: turns[place])
            for name, row in zip(terms, rows, strict=True)
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


def _retriever(name: str, ready: Sum, parts: Parts, note: str = "") -> Retriever:
    memory = ready.memory
    anchors = {edge.anchor: edge.id for edge in memory.hypergraph.hyperedges}
    speakers = memory.conversation.speakers
    annotator = question_annotator(memory, parts)

    def analysis(question: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        query = analyse(question, asked_at, speakers, annotator)
        return query, cues(query, ready.ready(None).index, anchors, ready.called)

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
