"""The profile `best-lexical`: one weighted sum of named terms over all turns, no embeddings.

The hypergraph gives the keys, dates and neighbours; the sum takes the place of the channels. The
weights are values, fitted by `weights.fit` on the five tuning dialogues; leaving each out in turn
they give R@5 76.1, R@10 83.2, MRR 66.0 there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np

from memcore.annotate.questions import analyse
from memcore.hypergraph.cues import asked, cues
from memcore.hypergraph.incidence import Incidence, counted, names, of_counts
from memcore.hypergraph.stages import activate
from memcore.hypergraph.stages import cues as cues_stage
from memcore.hypergraph.terms import Contribution, Places, candidates, contribution, total
from memcore.retrieval.features import NAMES, Looks, looks, matrix
from memcore.retrieval.loop import Retriever
from memcore.retrieval.packing import costs, pack
from memcore.scoring import best
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Beat, Cue, Item, Memory, Query, Reason, Rest, Step, Trace


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight a term, in the order of `features.NAMES`."""

    values: tuple[float, ...]

    def of(self, name: str) -> float:
        """Return the weight of a term."""
        return self.values[NAMES.index(name)]


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

_AS_OFS = 4


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """The matrices of one as-of."""

    index: Incidence
    seen: Looks


class Sum:
    """A memory made ready for the weighted sum."""

    def __init__(self, memory: Memory, settings: Settings, weights: Weights) -> None:
        self.memory, self.settings, self.weights = memory, settings, weights
        self.ready = lru_cache(maxsize=_AS_OFS)(self._ready)

    def _ready(self, as_of: int | None) -> _Ready:
        found = counted(self.memory, self.settings, as_of)
        index = of_counts(self.memory, self.settings, found)
        return _Ready(index, looks(found, index))

    def ranked(
        self, query: Query, found: tuple[Cue, ...], as_of: int | None
    ) -> tuple[Places, tuple[Contribution, ...]]:
        """Return the best turns and the terms; nothing where the question has no cue at all."""
        ready = self.ready(as_of)
        looked_for = asked(ready.index, query, found)
        if not (looked_for.columns or looked_for.speakers or looked_for.interval):
            return np.zeros(0, np.intp), ()
        rows = matrix(ready.index, ready.seen, looked_for, query.text)
        everywhere = np.arange(len(ready.index.turns))
        parts = tuple(
            contribution(name, everywhere, weight * row, lambda place: ready.index.turns[place])
            for name, weight, row in zip(NAMES, self.weights.values, rows, strict=True)
        )
        scores = total(len(everywhere), parts)
        lifted = scores - scores.min(initial=0.0) + 1  # `best` passes over what is not positive
        return best(lifted, self.settings.collect_k), parts

    def stage(self, _memory: Memory, trace: Trace) -> Step:
        """Collect the best turns by the sum."""
        index = self.ready(trace.as_of).index
        places, parts = self.ranked(trace.query, trace.cues, trace.as_of)
        entered = candidates(index.turns, places, parts, "sum")
        below, k = len(index.turns) - len(entered) if parts else 0, self.settings.collect_k
        return Step(
            "sum",
            Beat.COLLECT,
            given=trace.candidates,
            entered=entered,
            kept=(*trace.candidates, *entered),
            rest=(Rest(below, Reason.BELOW_TOP_K, k + 1, k),) if below else (),
        )


def best_lexical(
    memory: Memory, settings: Settings, parts: Parts, weights: Weights = LEXICAL
) -> Retriever:
    """Return the weighted sum without embeddings, ready for one memory."""
    ready = Sum(memory, settings, weights)
    anchors = {edge.anchor: edge.id for edge in memory.hypergraph.hyperedges}
    called, speakers = names(memory.conversation), memory.conversation.speakers

    def analysis(question: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        query = analyse(question, asked_at, speakers, parts.annotator)
        return query, cues(query, ready.ready(None).index, anchors, called)

    def listing(question: str, asked_at: datetime | None, as_of: int | None) -> tuple[Item, ...]:
        places, _ = ready.ranked(*analysis(question, asked_at), as_of)
        turns = ready.ready(as_of).index.turns
        return tuple(turns[place] for place in places.tolist())

    ready.ready(None)
    stages = (
        cues_stage,
        activate(lambda as_of: ready.ready(as_of).index),
        ready.stage,
        _unused,
        pack(costs(memory.conversation)),
    )
    return Retriever("best-lexical", memory, settings, analysis, stages, listing)


def _unused(_memory: Memory, trace: Trace) -> Step:
    given = trace.candidates
    return Step("connect", Beat.CONNECT, given=given, kept=given, used=False)
