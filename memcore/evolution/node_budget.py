"""The node budget: prune before paths are mined, so that no path jumps over a removed node.

What is never evicted: a bridge, both ends of its gap, and the newest state of an updated fact; the
ends only with the setting `bridge_keeps_ends`, for they are terminals with a rank of their own.
The rest goes from the end of the ranking. Where the protected alone are more than the budget,
all of them stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memcore.evolution.base_graph import edges_of, entry_ids
from memcore.evolution.facts import Facts, View
from memcore.types import (
    Beat,
    Drop,
    EntryId,
    Gap,
    Memory,
    Reason,
    Step,
    Trace,
)

Stage = Callable[[Memory, Trace], Step]


def gaps_of(trace: Trace) -> tuple[Gap, ...]:
    """Return all gaps that the steps so far searched."""
    return tuple(gap for step in trace.steps for gap in step.gaps)


def protected(
    facts: Facts, view: View, items: Sequence[EntryId], gaps: Sequence[Gap]
) -> frozenset[EntryId]:
    """Return the entries that are never evicted: bridges, their ends, newest states of updates."""
    found = {gap.bridge for gap in gaps if gap.bridge}
    if facts.settings.bridge_keeps_ends:
        found |= {e for gap in gaps if gap.bridge for e in (gap.older, gap.newer)}
    for item in items:
        newest = view.states.newest(item)
        if newest != item:
            found.add(newest)
    return frozenset(found & set(items))


def node_budget(facts: Facts) -> Stage:
    """Return the stage that keeps the best nodes within the budget."""

    def prune(_memory: Memory, trace: Trace) -> Step:
        given, settings = trace.candidates, facts.settings
        items = entry_ids(given)
        safe = protected(facts, facts.at(trace.as_of), items, gaps_of(trace))
        budget = max(settings.entry_budget, settings.entry_budget_min)
        room = max(0, budget - len(safe))
        others = [item for item in items if item not in safe]
        evicted = {item: n for n, item in enumerate(others[room:], len(safe) + room + 1)}
        kept = tuple(c for c in given if c.item not in evicted)
        dropped = tuple(
            Drop(c.item, Reason.OVER_NODE_BUDGET, evicted[c.item], budget, c.channel)
            for c in given
            if isinstance(c.item, EntryId) and c.item in evicted
        )
        edges = edges_of(trace, entry_ids(kept))
        return Step("node_budget", Beat.PACK, given, kept=kept, dropped=dropped, edges=edges)

    return prune
