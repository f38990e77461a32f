"""The flip point: the smallest change of one setting that brings an item into the packet.

Only the setting of the filter that really dropped the item is tried, and only where more of it
never takes an item away; what is found is confirmed by re-running one below, at the point, and
further up. Solving for the margin was turned down: a raised limit lets others in too, and they
may fill the next filter before the item comes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final

from memcore.settings import Settings
from memcore.types import Drop, Item, Reason, Reply, Trace
from memcore.what_if.difference import difference
from memcore.what_if.recompute import Desk, instant


class NoFlip(StrEnum):
    """Why an item has no flip point."""

    PACKED = "packed"
    NEVER_ENTERED = "never_entered"
    NO_SETTING = "no_setting"
    NOT_MONOTONE = "not_monotone"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class Flip:
    """The least value that brings the item in, and what it costs: other items, and tokens."""

    item: Item
    setting: str
    before: int
    value: int
    reason: Reason
    others: int
    lost: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Fate:
    """Where an item was lost: the stage, and the drop there."""

    stage: str
    drop: Drop


_GROWS: Final[Mapping[tuple[str, Reason], str]] = {
    ("dense", Reason.BELOW_TOP_K): "semantic_k",
    ("lexical", Reason.BELOW_TOP_K): "lexical_k",
    ("node_budget", Reason.OVER_NODE_BUDGET): "entry_budget",
    ("serialize", Reason.OVER_TOKEN_BUDGET): "graph_tokens",
    ("pack", Reason.OVER_SHARE): "turn_budget",
    ("pack", Reason.OVER_TURN_BUDGET): "turn_budget",
    ("pack", Reason.OVER_TOKEN_BUDGET): "token_budget",
}
"""The setting of each filter: more of it is meant to let more through."""

_ABOVE: Final = (1, 2, 5)
"""How far above a flip point the item must still be in for the setting to pass as monotone."""


def fates(trace: Trace, item: Item) -> tuple[Fate, ...]:
    """Return every place where an item was dropped, the last one first; ways that join are none."""
    found = [
        Fate(step.name, drop)
        for step in trace.steps
        for drop in step.dropped
        if drop.item == item and drop.reason is not Reason.DUPLICATE
    ]
    return tuple(reversed(found))


def flip(at: Desk, item: Item) -> Flip | NoFlip:
    """Return the flip point of an item of a run, or why there is none.

    Raises:
        SeamError: if a stage loses or invents a candidate.
    """
    reply = at.reply
    if item in reply.context.items:
        return NoFlip.PACKED
    lost = fates(reply.trace, item)
    if not lost:
        return NoFlip.NEVER_ENTERED
    why = NoFlip.NO_SETTING
    for fate in _nearest(lost):
        found = _of_filter(at, item, fate)
        if isinstance(found, Flip):
            return found
        why = found
    return why


def _nearest(lost: tuple[Fate, ...]) -> tuple[Fate, ...]:
    """Return the drops of the last stage that dropped the item: the filters to try."""
    stage = lost[0].stage
    channels = ("dense", "lexical")  # an item may miss both lists, and either would do
    return tuple(f for f in lost if f.stage == stage or (stage in channels and f.stage in channels))


def _of_filter(at: Desk, item: Item, fate: Fate) -> Flip | NoFlip:
    name = _GROWS.get((fate.stage, fate.drop.reason))
    if name is None:
        return NoFlip.NO_SETTING
    settings = at.reply.trace.settings
    before = int(getattr(settings, name))
    reply_at = _replies(at, name)

    def inside(value: int) -> bool:
        return item in reply_at(value).context.items

    top, listed = _most(at, name, fate), fate.drop.reason is Reason.BELOW_TOP_K
    if before >= top or not inside(top):
        return _missed(inside, before, top, deep=not listed)
    value = top if listed else least(inside, before, top)
    above = _checked(value, value + _ABOVE[-1] if listed else top)
    if inside(value - 1) or not all(inside(v) for v in above):
        return NoFlip.NOT_MONOTONE
    shift = difference(at.reply, reply_at(value))
    return Flip(
        item,
        name,
        before,
        value,
        fate.drop.reason,
        len(shift.packed.entered) - 1,
        len(shift.packed.left),
        shift.tokens[1] - shift.tokens[0],
    )


def _replies(at: Desk, name: str) -> Callable[[int], Reply]:
    """Return the replies by value of one setting, each computed once."""

    @cache
    def reply_at(value: int) -> Reply:
        settings: Settings = replace(at.reply.trace.settings, **{name: value})  # type: ignore[arg-type]  # an int field
        return instant(at, settings).reply

    return reply_at


def least(inside: Callable[[int], bool], outside: int, top: int) -> int:
    """Return the value where `inside` begins to hold, between one where it fails and one where not.

    The steps double from the near end, since a flip point is mostly near, and are halved then.

    >>> least(lambda v: v >= 42, 40, 1000), least(lambda v: v >= 41, 40, 41)
    (42, 41)
    """
    step, low, high = 1, outside, top
    while low + step < high:
        if inside(low + step):
            high = low + step
            break
        low, step = low + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) else (middle, high)
    return high


def _checked(value: int, top: int) -> tuple[int, ...]:
    far = (value + (top - value) // 4, value + (top - value) // 2)
    return tuple(sorted({v for v in (*(value + n for n in _ABOVE), *far) if v <= top}))


def _missed(inside: Callable[[int], bool], before: int, top: int, *, deep: bool) -> NoFlip:
    """Return whether the item comes in somewhere below the top, so that more takes it away.

    Where the top is the first value that lets the item pass, there is nothing below to try.
    """
    if top - before < 2 or not deep:
        return NoFlip.BEYOND
    values = (before + (top - before) * n // 8 for n in range(1, 8))
    return NoFlip.NOT_MONOTONE if any(inside(v) for v in values) else NoFlip.BEYOND


def _most(at: Desk, name: str, fate: Fate) -> int:
    """Return the value from which on the filter holds nothing back, or lets the item pass.

    A list lets an item pass from its rank on. More of it only brings rivals, and each try may
    search bridges again, so nothing is tried further up.
    """
    trace = at.reply.trace
    if name in ("semantic_k", "lexical_k"):
        return int(fate.drop.value or 0)
    if name in ("entry_budget", "turn_budget"):
        return next(len(s.given) for s in trace.steps if s.name == fate.stage) + 1
    spent = (d.value or 0 for s in trace.steps for d in s.dropped if d.reason in _TOKENS)
    return min(
        100_000, max(4 * int(max(spent, default=0)), 200 * len(at.memory.conversation.turns))
    )


_TOKENS: Final = (Reason.OVER_TOKEN_BUDGET,)
