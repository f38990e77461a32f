"""What a changed setting moved: stage by stage, item by item, and the price in turns and tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memcore.types import Beat, Item, Reply, Step, Trace


@dataclass(frozen=True, slots=True)
class Shift:
    """One item at one stage: its rank before and after, None where it was or is not kept."""

    item: Item
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class StageShift:
    """What a stage kept then and now: items that entered, that left, and that have another rank."""

    stage: str
    beat: Beat
    entered: tuple[Shift, ...]
    left: tuple[Shift, ...]
    moved: tuple[Shift, ...]

    @property
    def any(self) -> bool:
        """Whether anything changed here."""
        return bool(self.entered or self.left or self.moved)


@dataclass(frozen=True, slots=True)
class Difference:
    """All stages in running order, and the packet before and after."""

    stages: tuple[StageShift, ...]
    items: tuple[int, int]
    tokens: tuple[int, int]
    same_packet: bool

    @property
    def packed(self) -> StageShift:
        """The last stage: what entered and left the packet."""
        return self.stages[-1]

    @property
    def changed(self) -> tuple[StageShift, ...]:
        """The stages where anything changed."""
        return tuple(stage for stage in self.stages if stage.any)


def difference(before: Reply, after: Reply) -> Difference:
    """Return what changed from one reply to another of the same retriever."""
    stages = tuple(
        _shift(name, beat, _ranks(before.trace, name), _ranks(after.trace, name))
        for name, beat in _names(before.trace, after.trace)
    )
    packed = _shift("packet", Beat.PACK, _packed(before), _packed(after))
    return Difference(
        (*stages, packed),
        (len(before.context.items), len(after.context.items)),
        (before.context.tokens, after.context.tokens),
        before.context.text == after.context.text,
    )


def _names(before: Trace, after: Trace) -> tuple[tuple[str, Beat], ...]:
    """Return the stages of both traces, each once, in running order."""
    longer = max(before.steps, after.steps, key=len)
    return tuple((s.name, s.beat) for s in longer if s.used)


def _ranks(trace: Trace, name: str) -> Mapping[Item, int]:
    step = next((s for s in trace.steps if s.name == name), None)
    return _of(step) if step else {}


def _of(step: Step) -> Mapping[Item, int]:
    found: dict[Item, int] = {}
    for rank, candidate in enumerate(step.kept, 1):
        found.setdefault(candidate.item, rank)
    return found


def _packed(reply: Reply) -> Mapping[Item, int]:
    """Return the items of the packet with their rank at the last stage."""
    inside = set(reply.context.items)
    return {i: n for i, n in _of(reply.trace.steps[-1]).items() if i in inside}


def _shift(
    name: str, beat: Beat, before: Mapping[Item, int], after: Mapping[Item, int]
) -> StageShift:
    return StageShift(
        name,
        beat,
        tuple(Shift(i, None, n) for i, n in after.items() if i not in before),
        tuple(Shift(i, n, None) for i, n in before.items() if i not in after),
        tuple(Shift(i, n, after[i]) for i, n in before.items() if after.get(i, n) != n),
    )
