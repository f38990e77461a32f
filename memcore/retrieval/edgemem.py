"""EdgeMem: an episodic core, with co-occurrence and dates added under one budget."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from memcore.annotate.questions import analyse
from memcore.hypergraph.collect import listed
from memcore.hypergraph.cues import asked, cues
from memcore.hypergraph.incidence import Incidence, incidence, names
from memcore.hypergraph.stages import stages
from memcore.retrieval.loop import Retriever
from memcore.retrieval.packing import costs, pack_shares
from memcore.retrieval.reading import question_annotator
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Cue, Item, Memory, Query

_AS_OFS = 4
"""Incidences kept at hand: the whole memory and the last few as-ofs."""


def edgemem(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return EdgeMem, ready for one memory; its matrices are made here, once."""
    anchors = {edge.anchor: edge.id for edge in memory.hypergraph.hyperedges}
    called = names(memory.conversation)
    speakers = memory.conversation.speakers
    annotator = question_annotator(memory, parts)

    @lru_cache(maxsize=_AS_OFS)
    def index(as_of: int | None) -> Incidence:
        return incidence(memory, settings, as_of)

    def analysis(question: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        query = analyse(question, asked_at, speakers, annotator)
        return query, cues(query, index(None), anchors, called)

    def listing(question: str, asked_at: datetime | None, as_of: int | None) -> tuple[Item, ...]:
        query, found = analysis(question, asked_at)
        incidence = index(as_of)
        places = listed(incidence, asked(incidence, query, found), settings)
        return tuple(map(incidence.turns.__getitem__, places))

    index(None)
    return Retriever(
        "edgemem",
        memory,
        settings,
        analysis,
        (*stages(index), pack_shares(costs(memory.conversation))),
        listing,
    )
