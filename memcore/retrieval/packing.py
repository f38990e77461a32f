"""Packing: which turns the reader gets, within a number of turns and of tokens.

A turn that does not fit is passed over and the next is tried. EdgeMem's budget has shares: the
core fills its own first, then each supplement its own, then the core what is left. In that last
round a turn which does not fit ends the round, unless it would not have fitted without the
supplements either. Passing over there was turned down: with a little more room the core might
then take a long turn and lose a later short one, so dropping a supplement could cost a core turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.annotate.tokens import tokens
from memcore.hypergraph.fuse import shares
from memcore.hypergraph.stages import LISTS, core_order
from memcore.retrieval.loop import Stage
from memcore.types import Beat, Candidate, Conversation, Drop, Item, Memory, Reason, Step, Trace

Costs = Mapping[Item, int]


@dataclass(frozen=True, slots=True)
class Room:
    """What a budget, or a share of it, can hold."""

    turns: int
    tokens: int

    def holds(self, cost: int) -> bool:
        """Whether one more turn of so many tokens fits."""
        return self.turns > 0 and cost <= self.tokens

    def less(self, cost: int) -> Room:
        """What is left after a turn."""
        return Room(self.turns - 1, self.tokens - cost)


UNLIMITED: Final = Room(10**9, 10**9)
"""Room for everything."""


def costs(conversation: Conversation) -> Costs:
    """Return the tokens of each turn: its speaker, text and caption."""
    return {
        turn.id: tokens(f"{turn.speaker}: {turn.text} {turn.caption}")
        for turn in conversation.turns
    }


def fill(
    items: Iterable[Item], room: Room, cost: Costs, stop: Callable[[int], bool] = lambda _: False
) -> tuple[tuple[Item, ...], Room]:
    """Return the items that fit, in order, and the room left; `stop` ends at one that does not."""
    taken: list[Item] = []
    for item in items:
        if room.holds(cost[item]):
            taken.append(item)
            room = room.less(cost[item])
        elif stop(cost[item]):
            break
    return tuple(taken), room


def budget(trace: Trace) -> Room:
    """Return the whole budget of a question."""
    return Room(trace.settings.turn_budget, trace.settings.token_budget)


def pack(cost: Costs, room: Room | None = None) -> Stage:
    """Return the stage that packs one ranked list; `room` stands in for the settings' budget."""

    def stage(_memory: Memory, trace: Trace) -> Step:
        whole = room or budget(trace)
        taken, _ = fill((c.item for c in trace.candidates), whole, cost)
        return _step(trace, taken, cost, whole)

    return stage


def pack_shares(cost: Costs) -> Stage:
    """Return the stage that packs EdgeMem's channels, each within its share."""

    def stage(_memory: Memory, trace: Trace) -> Step:
        core, joined, dated = _rooms(trace)
        order = core_order(trace)
        taken, spare = fill(order, core, cost)
        alone = budget(trace).tokens - core.tokens + spare.tokens
        for names, room in ((LISTS[1], joined), (LISTS[2], dated)):
            own = (c.item for c in trace.candidates if c.channel in names and c.item not in taken)
            taken += fill(own, room, cost)[0]
        others = (*order, *(c.item for c in trace.candidates))
        rest = tuple(item for item in dict.fromkeys(others) if item not in taken)
        taken += fill(rest, _left(budget(trace), taken, cost), cost, stop=lambda n: n <= alone)[0]
        return _step(trace, taken, cost, budget(trace))

    return stage


def _rooms(trace: Trace) -> tuple[Room, Room, Room]:
    whole, parts = budget(trace), shares(trace.settings)
    turns, words = parts.of(whole.turns), parts.of(whole.tokens)
    return Room(turns[0], words[0]), Room(turns[1], words[1]), Room(turns[2], words[2])


def _left(whole: Room, taken: Sequence[Item], cost: Costs) -> Room:
    return Room(whole.turns - len(taken), whole.tokens - sum(cost[item] for item in taken))


def _step(trace: Trace, taken: Sequence[Item], cost: Costs, whole: Room) -> Step:
    packed = frozenset(taken)
    left = _left(whole, taken, cost)
    spent = whole.tokens - left.tokens
    limits = tuple(room.turns for room in _rooms(trace))
    seen: Counter[int] = Counter()
    dropped: list[Drop] = []
    for rank, candidate in enumerate(trace.candidates, 1):
        n = _list_of(candidate)
        seen[n] += 1
        if candidate.item in packed:
            continue
        if n and seen[n] > limits[n]:
            why = Reason.OVER_SHARE, seen[n], limits[n]
        elif left.turns <= 0:
            why = Reason.OVER_TURN_BUDGET, rank, whole.turns
        else:
            why = Reason.OVER_TOKEN_BUDGET, spent + cost[candidate.item], whole.tokens
        dropped.append(Drop(candidate.item, *why, candidate.channel, next(reversed(taken), None)))
    kept = tuple(c for c in trace.candidates if c.item in packed)
    note = f"{spent} tokens in {len(kept)} turns"
    return Step("pack", Beat.PACK, trace.candidates, kept=kept, dropped=tuple(dropped), note=note)


def _list_of(candidate: Candidate) -> int:
    return next((n for n, names in enumerate(LISTS) if candidate.channel in names), 0)
