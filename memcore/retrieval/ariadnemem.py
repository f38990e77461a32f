"""AriadneMem as a retriever: fast paths, terminals, base graph, bridges, budget, paths, text.

The node budget runs before the paths are mined, so that no path can jump over a removed node.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memcore.annotate.questions import analyse
from memcore.errors import SeamError
from memcore.evolution.base_graph import base_graph
from memcore.evolution.bridges import bridges
from memcore.evolution.facts import Facts, facts
from memcore.evolution.fastpath import EMPTY, extended, fast_path, with_persons
from memcore.evolution.node_budget import node_budget
from memcore.evolution.paths import paths
from memcore.evolution.serialization import token_cap
from memcore.evolution.terminals import asked_persons, dense, lexical, terminals
from memcore.retrieval.loop import Retriever
from memcore.seams import Parts
from memcore.settings import BEST, PAPER, Settings, changed
from memcore.types import Beat, Cue, Memory, Query, Step, Trace


def ariadnemem(
    memory: Memory, settings: Settings, parts: Parts, name: str, known: Facts | None = None
) -> Retriever:
    """Return AriadneMem ready to be asked, under the name of its preset.

    `known` is the index of this very memory under settings that differ in no field an index is
    made of; it is made anew without it, which takes most of the time here.

    Raises:
        SeamError: if the memory's vectors were made by another embedder.
    """
    if memory.embedder and memory.embedder != parts.embedder.name:
        msg = f"embedder {parts.embedder.name}: the memory's vectors are by {memory.embedder}"
        raise SeamError(msg)
    index = replace(known, settings=settings) if known else facts(memory, settings)
    fast = with_persons(extended(EMPTY, memory.evolution.entries), memory.conversation.persons)
    speakers = memory.conversation.speakers

    def understand(text: str, asked_at: datetime | None) -> tuple[Query, tuple[Cue, ...]]:
        return analyse(text, asked_at, speakers, parts.annotator), ()

    return Retriever(
        name,
        memory,
        settings,
        understand,
        (
            fast_path(index, fast),
            query,
            activate,
            dense(index, parts.embedder),
            lexical(index),
            terminals,
            base_graph(index),
            bridges(index, parts.embedder),
            node_budget(index),
            paths(index),
            token_cap(index),
        ),
    )


def paper(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return AriadneMem with the question-time values of the `paper` preset.

    A field that the caller changed from its default keeps the caller's value.
    """
    return ariadnemem(memory, as_in(PAPER, settings), parts, "ariadnemem-paper")


def safe(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return AriadneMem with the settings given, whose defaults are the `safe` preset."""
    return ariadnemem(memory, settings, parts, "ariadnemem-safe")


def best(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
    """Return AriadneMem without bridges: their place goes to more facts of both lists.

    A field that the caller changed from its default keeps the caller's value.
    """
    return ariadnemem(memory, as_in(BEST, settings), parts, "ariadnemem-best")


def as_in(preset: Settings, settings: Settings) -> Settings:
    """Return the settings with a preset's value in each field that still has its default.

    >>> as_in(PAPER, Settings(gate_similarity=0.7)).gate_similarity, as_in(PAPER, Settings()) == PAPER
    (0.7, True)
    """
    fields = {
        name: value
        for name, default, value in changed(preset)
        if getattr(settings, name) == default
    }
    return replace(settings, **fields)  # type: ignore[arg-type]  # names and values of a preset


def query(_memory: Memory, trace: Trace) -> Step:
    """Say whom the question is about; the vector of the question is made where it is used."""
    asked = ", ".join(sorted(asked_persons(trace.query)))
    return Step("query", Beat.CUE, note=f"about {asked}" if asked else "about nobody named")


def activate(_memory: Memory, _trace: Trace) -> Step:
    """Say that AriadneMem has no such stage: every entry is searchable."""
    return Step("activate", Beat.ACTIVATE, used=False)
