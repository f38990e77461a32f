"""The one loop that runs the stages of a retriever and writes the trace.

A stage is a function from memory and trace to a step. A retriever is prepared once for a memory
and its settings (indexes are made then) and asked many times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memcore.errors import SeamError
from memcore.settings import Settings
from memcore.types import Cue, Item, Memory, Premise, Query, Step, Trace

Stage = Callable[[Memory, Trace], Step]
Analysis = Callable[[str, datetime | None], tuple[Query, tuple[Cue, ...]]]
Check = Callable[[Trace], Premise | None]
Listing = Callable[[str, datetime | None, int | None], tuple[Item, ...]]


@dataclass(frozen=True, slots=True)
class Retriever:
    """A named list of stages, ready for one memory under one settings value.

    `analyse` turns a question and its time into the query and its cues. `listing`, where there
    is one, gives the order of an unlimited budget without writing a trace: same items, faster.
    `premise`, where there is one, says what the memory holds against the question.
    """

    name: str
    memory: Memory
    settings: Settings
    analyse: Analysis
    stages: tuple[Stage, ...]
    listing: Listing | None = None
    premise: Check | None = None


def retrieve(
    retriever: Retriever,
    question: str,
    asked_at: datetime | None = None,
    as_of: int | None = None,
    fingerprint: str = "",
) -> Iterator[Trace]:
    """Yield the trace after each step; the last one is whole.

    Raises:
        SeamError: if a stage loses or invents a candidate.
    """
    query, cues = retriever.analyse(question, asked_at)
    trace = Trace(query, retriever.name, retriever.settings, fingerprint, as_of, cues)
    for stage in retriever.stages:
        step = stage(retriever.memory, trace)
        check(step)
        trace = replace(trace, steps=(*trace.steps, step))
        yield trace
        if step.final:
            return


def check(step: Step) -> None:
    """Hold the law of every stage: given + entered = kept + dropped, by channel and item.

    Raises:
        SeamError: naming the stage and the first item that breaks it.
    """
    came = Counter((c.channel, str(c.item)) for c in (*step.given, *step.entered))
    went = Counter((c.channel, str(c.item)) for c in step.kept)
    went.update((d.channel, str(d.item)) for d in step.dropped)
    if came != went:
        lost = sorted((came - went) + (went - came))
        msg = f"stage {step.name}: {lost[0]} is not both in given + entered and in kept + dropped"
        raise SeamError(msg)
