"""Where gold is lost: which gold turns are still there after each stage of a reply.

The stages are written, activated, collected, connected, packed, cited. A stage that a system does
not have, or skipped, repeats the one before. A fact stands for the turns that say it, those of
merged facts included. AriadneMem's node budget runs before its paths, so `connected` is what stood
before the first packing step: paths join facts and bring none. Gold may come back (a hop reaches
what no channel collected), so a turn is lost at the stage after the last one that had it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.evolution.states import States, states
from memcore.types import Beat, EntryId, Item, Memory, Reply, Step, Trace, TurnId

STAGES: Final = ("written", "activated", "collected", "connected", "packed", "cited")
LETTERS: Final = "WACNPX"
"""The letter of each stage; X is gold that was packed and not cited."""

KEPT: Final = "+"

Turns = frozenset[TurnId]


@dataclass(frozen=True, slots=True)
class Survival:
    """Gold after each stage, which stages the system has, and the fate of each gold turn."""

    counts: tuple[int, ...]
    used: tuple[bool, ...]
    fates: str


class Sources:
    """What of a memory survival reads, made once for many questions."""

    def __init__(self, memory: Memory, *, facts: bool) -> None:
        self._states: States = states(memory.evolution)
        self._members = {h.id: frozenset(h.members) for h in memory.hypergraph.hyperedges}
        turns = frozenset(t.id for t in memory.conversation.turns)
        every = (*memory.evolution.entries, *memory.evolution.merged)
        said = frozenset(t for entry in every for t in entry.source_turns)
        self.written: Turns = said if facts else turns

    def behind(self, items: Iterable[Item]) -> Turns:
        """Return the turns that items stand for."""
        return frozenset(t for item in items for t in self.of(item))

    def of(self, item: Item) -> tuple[TurnId, ...]:
        """Return the turns that one item stands for."""
        return (item,) if isinstance(item, TurnId) else self._states.sources(item)

    def updates(self, packed: Iterable[Item]) -> tuple[int, int]:
        """Return how many packed facts were replaced, and of how many the packet marks the newest.

        The packet marks an update where it holds both states.
        """
        items = {item for item in packed if isinstance(item, EntryId)}
        old = [(i, n) for i in items if (n := self._states.superseded_by(i)) is not None]
        shown = sum(n in items and self._states.newest(i) in items for i, n in old)
        return len(old), shown

    def activated(self, trace: Trace) -> Turns | None:
        """Return the turns that hold a key of the question; None where nothing is activated."""
        if not any(s.beat is Beat.ACTIVATE and s.used for s in trace.steps):
            return None
        met = (a for cue in trace.cues if cue.reason is None for a in cue.anchors)
        return frozenset(t for anchor in met for t in self._members.get(anchor, ()))


def survival(sources: Sources, reply: Reply, gold: Sequence[TurnId]) -> Survival:
    """Return which gold turns each stage of a reply left."""
    found = _stages(sources, reply)
    present: list[Turns] = []
    for stage in found:
        present.append(present[-1] if stage is None else stage)
    counts = tuple(sum(t in stage for t in gold) for stage in present)
    reached = present if reply.answer is not None else present[:-1]
    return Survival(
        counts, tuple(s is not None for s in found), "".join(_fate(t, reached) for t in gold)
    )


def first_loss(fates: str) -> str:
    """Return the letter of the earliest stage that lost a gold turn, `+` if none did.

    >>> first_loss("+PC"), first_loss("++")
    ('C', '+')
    """
    return min(fates, key=(LETTERS + KEPT).index, default="")


def _fate(turn: TurnId, present: Sequence[Turns]) -> str:
    last = max((n for n, stage in enumerate(present) if turn in stage), default=-1)
    return KEPT if last == len(present) - 1 else LETTERS[last + 1]


def _stages(sources: Sources, reply: Reply) -> tuple[Turns | None, ...]:
    trace = reply.trace
    packed = frozenset(t for span in reply.context.spans for t in span.sources)
    answer = reply.answer
    return (
        sources.written,
        sources.activated(trace),
        _after(sources, trace, Beat.COLLECT),
        _after(sources, trace, Beat.CONNECT),
        packed,
        sources.behind(answer.citations) if answer is not None else None,
    )


def _after(sources: Sources, trace: Trace, beat: Beat) -> Turns | None:
    """Return what stood after the last step of a beat; None if the beat was not used."""
    before = _before_packing(trace)
    mine = [step for step in before if step.beat is beat and step.used]
    skipped = beat is Beat.COLLECT and any(step.final for step in before)
    if not mine and not skipped:
        return None
    return sources.behind(c.item for c in (mine or before)[-1].kept)


def _before_packing(trace: Trace) -> Sequence[Step]:
    steps = trace.steps
    first = next((n for n, s in enumerate(steps) if s.beat is Beat.PACK), len(steps))
    return steps[:first]


def joined(sources: Sources, reply: Reply, gold: Sequence[TurnId]) -> bool | None:
    """Return whether edges or paths of the reply join all its gold turns; None with fewer than two.

    Also None where the system draws no edges at all.
    """
    steps = reply.trace.steps
    if len(set(gold)) < 2 or not any(s.edges or s.paths for s in steps):
        return None
    groups = _components(
        (frozenset(sources.of(e.source)) | frozenset(sources.of(e.target)))
        for s in steps
        for e in s.edges
    )
    return any(set(gold) <= group for group in groups)


def _components(links: Iterable[Turns]) -> Sequence[Turns]:
    groups: list[Turns] = []
    for link in links:
        touching = [g for g in groups if g & link]
        groups = [g for g in groups if not g & link]
        groups.append(link.union(*touching))
    return groups
