"""A recorded run under other settings, from what it recorded as far as that goes.

The steps before the first one that a changed setting acts on are those of the run; the question is
not read again, its similarities are those recorded, and the rest is computed by the very stages
that a real run uses. Adding up the recorded terms under new weights was turned down: they are
rounded after they were divided by the best turn's sum, which the weights change, and turns below
the listed ones have none; the last digit and the tail would then differ from a real run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memcore import pipeline
from memcore.errors import SeamError
from memcore.evolution.facts import Facts, facts
from memcore.retrieval.ariadnemem import ariadnemem
from memcore.retrieval.loop import Retriever, check
from memcore.retrieval.premise import premise
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Embedder, Parts
from memcore.settings import Settings
from memcore.types import Drop, Memory, Reason, Reply, Rest, Step, Trace, Vectors
from memcore.what_if.knobs import MATRIX_FIELDS, Cost, cost_of, first_stage, moved

REUSED = frozenset({"edgemem"})
"""The retrievers whose stages read the settings of the trace, not their own."""


class Counted:
    """An embedder that counts the texts which it is given."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder, self.texts = embedder, 0

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self.embedder.name

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return the rows of the embedder behind it."""
        self.texts += len(texts)
        return self.embedder.encode(texts)


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """A recorded run with all that is needed to ask it what if: make it once, ask it often."""

    memory: Memory
    reply: Reply
    parts: Parts
    base: Retriever
    index: Facts | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run would have been: its reply without an answer, and what it took to know it.

    `kept` counts the steps taken over from the record, `embedded` the texts that were embedded.
    """

    reply: Reply
    cost: Cost
    kept: int
    embedded: int


def desk(memory: Memory, reply: Reply, parts: Parts) -> Desk:
    """Return a run ready to be asked what if; `memory` is the one that it read."""
    trace = reply.trace
    index = facts(memory, trace.settings) if _of_facts(trace.retriever) else None
    base = retriever(trace.retriever, memory, trace.settings, parts, index)
    return Desk(memory, reply, parts, base, index)


def _of_facts(name: str) -> bool:
    return name.startswith("ariadnemem")


def retriever(
    name: str, memory: Memory, settings: Settings, parts: Parts, index: Facts | None = None
) -> Retriever:
    """Return a retriever with exactly these settings, whatever the preset of its name.

    `index` are the facts of this memory, where they are made already and the settings leave them.
    """
    if _of_facts(name):
        found = ariadnemem(memory, settings, parts, name, index)
        return replace(found, premise=premise(memory, settings))
    return RETRIEVERS[name](memory, settings, parts)


def instant(at: Desk, settings: Settings) -> Outcome:
    """Return what the run would have been under settings whose changes are instant.

    Raises:
        SeamError: if a stage loses or invents a candidate.
    """
    trace = at.reply.trace
    names = moved(settings, trace)
    start = first_stage(names, trace)
    counted = Counted(at.parts.embedder)
    parts = replace(at.parts, embedder=counted)
    ready = _ready(at, settings, names, parts)
    new = replace(
        trace,
        settings=settings,
        fingerprint=_fingerprint(at, ready, trace.as_of),
        steps=trace.steps[:start],
    )
    for n, stage in enumerate(ready.stages[start:], start):
        if new.steps and new.steps[-1].final:
            break
        step = _recut(trace, n, settings) or stage(at.memory, new)
        check(step)
        new = replace(new, steps=(*new.steps, step))
    return Outcome(pipeline.packed(ready, new), cost_of(names), start, counted.texts)


def again(at: Desk, settings: Settings, memory: Memory, as_of: int | None) -> Outcome:
    """Return what the run would have been by retrieving again: on this memory, as of a session.

    Raises:
        MemcoreError: if a part broke its promise.
    """
    trace = at.reply.trace
    counted = Counted(at.parts.embedder)
    parts = replace(at.parts, embedder=counted)
    ready = retriever(trace.retriever, memory, settings, parts)
    asked_at = trace.query.asked_at
    *_, reply = pipeline.ask(memory, trace.question, ready, None, asked_at, as_of)
    if not isinstance(reply, Reply):
        msg = f"retriever {ready.name} must have a stage"
        raise SeamError(msg)
    cost = cost_of(moved(settings, trace))
    return Outcome(reply, max(cost, Cost.LOCAL, key=list(Cost).index), 0, counted.texts)


def what_if(at: Desk, settings: Settings) -> Outcome:
    """Return what the run would have been on its own memory, in the cheapest way there is."""
    cost = cost_of(moved(settings, at.reply.trace))
    if cost in (Cost.INSTANT, Cost.ANSWER):
        return instant(at, settings)
    return again(at, settings, at.memory, at.reply.trace.as_of)


def _ready(at: Desk, settings: Settings, names: tuple[str, ...], parts: Parts) -> Retriever:
    """Return the run's own retriever where its stages read the trace, else one made anew."""
    if MATRIX_FIELDS.intersection(names):
        return retriever(at.base.name, at.memory, settings, parts)
    if at.base.name in REUSED:
        return replace(at.base, settings=settings)
    made = retriever(at.base.name, at.memory, settings, parts, at.index)
    return replace(made, premise=at.base.premise)


def _fingerprint(at: Desk, ready: Retriever, as_of: int | None) -> str:
    asked = at.reply.trace.query.asked_at, as_of
    return pipeline.run_fingerprint(at.memory, at.reply.trace.question, ready, None, asked)


def _recut(trace: Trace, n: int, settings: Settings) -> Step | None:
    """Return the recorded list by cosine cut at another k, None where it must be made again."""
    step = trace.steps[n] if n < len(trace.steps) else None
    if step is None or step.name != "dense" or not _of_facts(trace.retriever):
        return None
    k = settings.semantic_k
    size = max(k, settings.collect_k)
    if size > len(step.entered) and step.rest:
        return None
    listed = step.entered[:size]
    below = (*(c.score for c in step.entered[size:]), *(r.value for r in step.rest))
    count = len(step.entered) - len(listed) + sum(r.count for r in step.rest)
    limit = listed[k - 1].score if 0 < k <= len(listed) else 0.0
    return replace(
        step,
        entered=listed,
        kept=(*step.given, *listed[:k]),
        dropped=tuple(
            Drop(c.item, Reason.BELOW_TOP_K, rank, k, c.channel)
            for rank, c in enumerate(listed[k:], k + 1)
        ),
        rest=(Rest(count, Reason.BELOW_TOP_K, below[0], limit),) if count else (),
    )
