"""The stages of EdgeMem before the packet: cues, activate, four channels, union.

Each is a function of memory and trace. They share an incidence, made once for each as-of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from memcore.hypergraph.collect import Collected, Ranked, collect, written
from memcore.hypergraph.cues import SPREAD_KINDS, asked
from memcore.hypergraph.fuse import interleaved, shares, spread
from memcore.hypergraph.incidence import Incidence
from memcore.types import (
    Anchor,
    Beat,
    Candidate,
    Drop,
    EdgeKind,
    GraphEdge,
    Item,
    Memory,
    Reason,
    Rest,
    Step,
    Trace,
    TurnId,
    ranked,
)

Index = Callable[[int | None], Incidence]
Stage = Callable[[Memory, Trace], Step]


def stages(index: Index) -> tuple[Stage, ...]:
    """Return the stages, in order; `index` gives the incidence of an as-of.

    Four of them read the channels of one question, which are ranked once for all.
    """
    once = lru_cache(maxsize=1)(collect)

    def found(trace: Trace) -> Collected:
        incidence = index(trace.as_of)
        return once(incidence, asked(incidence, trace.query, trace.cues), trace.settings)

    return (
        cues,
        activate(index),
        channel(index, lambda trace: found(trace).core),
        channel(index, lambda trace: found(trace).co_occurrence),
        channel(index, lambda trace: found(trace).temporal),
        hop(index, found),
        union,
    )


def cues(_memory: Memory, trace: Trace) -> Step:
    """Record the reading of the question; the cues themselves are in the trace."""
    return Step("cues", Beat.CUE, note=f"question of kind {trace.query.kind}")


def activate(index: Index) -> Stage:
    """Return the stage that counts the turns which the as-of hides."""

    def stage(memory: Memory, trace: Trace) -> Step:
        hidden = len(memory.conversation.turns) - len(index(trace.as_of).turns)
        rest = (Rest(hidden, Reason.AFTER_AS_OF, hidden, 0),) if hidden else ()
        matched = {anchor for cue in trace.cues if cue.reason is None for anchor in cue.anchors}
        return Step("activate", Beat.ACTIVATE, rest=rest, note=f"{len(matched)} anchors")

    return stage


def channel(index: Index, chosen: Callable[[Trace], Ranked]) -> Stage:
    """Return the stage that collects the best turns of a channel."""

    def stage(_memory: Memory, trace: Trace) -> Step:
        return _entering(chosen(trace), index(trace.as_of), trace, Beat.COLLECT)

    return stage


def _entering(found: Ranked, index: Incidence, trace: Trace, beat: Beat) -> Step:
    entered = written(index, found)
    return Step(
        found.name,
        beat,
        given=trace.candidates,
        entered=entered,
        kept=(*trace.candidates, *entered),
        rest=_rest(found, trace.settings.collect_k),
    )


def _rest(found: Ranked, k: int) -> tuple[Rest, ...]:
    below = found.reached - len(found.places)
    counted = (
        Rest(below, Reason.BELOW_TOP_K, k + 1, k),
        Rest(found.passed, Reason.SAME_SESSION, found.passed, 0),
    )
    return tuple(rest for rest in counted if rest.count)


def hop(index: Index, collected: Callable[[Trace], Collected]) -> Stage:
    """Return the stage that goes one hop on from the core's best turns, with its edges."""

    def stage(_memory: Memory, trace: Trace) -> Step:
        incidence, found = index(trace.as_of), collected(trace)
        step = _entering(found.hop, incidence, trace, Beat.CONNECT)
        starts = found.core.places[: trace.settings.hop_turns].tolist()
        edges = tuple(
            edge
            for start in starts
            for candidate in step.entered
            for edge in _edges(incidence, start, candidate)
        )
        return Step(
            step.name, step.beat, step.given, step.entered, step.kept, edges=edges, rest=step.rest
        )

    return stage


def _edges(index: Incidence, start: int, candidate: Candidate) -> tuple[GraphEdge, ...]:
    held = {index.anchors[n] for n in index.rows[[start]].indices.tolist()}
    keys = tuple(
        t.source.key for t in candidate.terms if isinstance(t.source, Anchor) and t.source in held
    )
    source, target = sorted((index.turns[start], candidate.item), key=str)
    return (GraphEdge(source, target, EdgeKind.ENTITY, keys),) if keys else ()


def union(_memory: Memory, trace: Trace) -> Step:
    """Join the channels as sets: each turn once, through the channel that reaches it first."""
    lists = tuple(_list(trace, names) for names in LISTS)
    core, joined, dated = (tuple(c.item for c in found) for found in lists)
    order = interleaved(core, joined, dated, shares(trace.settings))
    first = tuple({c.item: c for c in reversed(found)} for found in lists)
    kept = tuple(first[n][item] for n, item in order)
    stays = {(c.channel, c.item) for c in kept}
    dropped = tuple(
        Drop(c.item, Reason.DUPLICATE, channel=c.channel, other=c.item)
        for c in trace.candidates
        if (c.channel, c.item) not in stays
    )
    return Step("union", Beat.CONNECT, given=trace.candidates, kept=kept, dropped=dropped)


LISTS: Final = (("core",), ("co_occurrence", "hop"), ("temporal",))
"""The channels that fill each share of the budget, the core first."""


def core_order(trace: Trace) -> tuple[Item, ...]:
    """Return the turns of the core as it would take them; lists spread over sessions."""
    return tuple(c.item for c in _list(trace, LISTS[0]))


def _list(trace: Trace, names: Sequence[str]) -> tuple[Candidate, ...]:
    entered = (c for step in trace.steps for c in step.entered if c.channel in names)
    found = ranked(entered)
    if names == LISTS[0] and trace.query.kind in SPREAD_KINDS:
        sessions = tuple(session_of(c.item) for c in found)
        return spread(found, sessions, trace.settings.spread_turns)
    return found


def session_of(item: Item) -> int:
    """Return the session of a turn; 0 for a fact, which has none of its own."""
    return item.session if isinstance(item, TurnId) else 0
