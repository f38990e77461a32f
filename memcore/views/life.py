"""The life story of every candidate: where it entered, what it scored, where and why it left.

All tables and pictures of a run read this one account, so they cannot disagree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from memcore.types import (
    Action,
    Beat,
    Candidate,
    Drop,
    EntryId,
    Item,
    Memory,
    Reply,
    Step,
    Trace,
    TurnId,
)


@dataclass(frozen=True, slots=True)
class Life:
    """One candidate of one channel, from entry to end.

    `rank` counts from 1 among what its channel listed; `left` is the name of the stage where it
    was dropped, empty if it reached the packet.
    """

    item: Item
    channel: str
    entered: str
    beat: Beat
    candidate: Candidate
    rank: int
    left: str = ""
    drop: Drop | None = None
    packed: bool = False
    cited: bool = False


@dataclass(frozen=True, slots=True)
class BeatCount:
    """What one beat did, as counts: None where the beat is not used.

    `gold` is how many of the gold turns are still there, None where no gold is known.
    """

    beat: Beat
    used: bool
    steps: tuple[str, ...]
    entered: int
    kept: int
    dropped: int
    milliseconds: float | None
    gold: int | None


def lives(reply: Reply) -> tuple[Life, ...]:
    """Return the life of every candidate that a stage listed, in order of entry, then rank."""
    packed = set(reply.context.items)
    cited = set(reply.answer.citations) if reply.answer else set()
    ended = _ends(reply.trace)
    found: list[Life] = []
    for step in reply.trace.steps:
        ranks: Counter[str] = Counter()
        for candidate in step.entered:
            ranks[candidate.channel] += 1
            queue = ended[candidate.channel, candidate.item]
            left, drop = queue.pop(0) if queue else ("", None)
            inside = drop is None and candidate.item in packed
            found.append(
                Life(
                    candidate.item,
                    candidate.channel,
                    step.name,
                    step.beat,
                    candidate,
                    ranks[candidate.channel],
                    left,
                    drop,
                    inside,
                    inside and candidate.item in cited,
                )
            )
    return tuple(found)


def _ends(trace: Trace) -> defaultdict[tuple[str, Item], list[tuple[str, Drop]]]:
    ends: defaultdict[tuple[str, Item], list[tuple[str, Drop]]] = defaultdict(list)
    for step in trace.steps:
        for drop in step.dropped:
            ends[drop.channel, drop.item].append((step.name, drop))
    return ends


def turns_of(memory: Memory, items: tuple[Item, ...]) -> frozenset[TurnId]:
    """Return the turns behind items; an entry counts as its source turns."""
    behind = sources(memory) if any(isinstance(i, EntryId) for i in items) else {}
    return frozenset(
        t for i in items for t in ((i,) if isinstance(i, TurnId) else behind.get(i, ()))
    )


def sources(memory: Memory) -> Mapping[EntryId, tuple[TurnId, ...]]:
    """Return the turns that say each entry, those of the entries merged into it included."""
    into = {d.entry: d.target for d in memory.evolution.decisions if d.action is Action.MERGE}
    found = {e.id: e.source_turns for e in memory.evolution.entries}
    for entry in memory.evolution.merged:
        kept = into.get(entry.id)
        while kept in into:
            kept = into[kept]
        if kept in found:
            found[kept] = (*found[kept], *entry.source_turns)
    return found


def counts(memory: Memory, reply: Reply, gold: tuple[TurnId, ...] = ()) -> tuple[BeatCount, ...]:
    """Return the six beats with their counts, times and gold survival."""
    return tuple(_beat(memory, reply, beat, gold) for beat in Beat)


def _beat(memory: Memory, reply: Reply, beat: Beat, gold: tuple[TurnId, ...]) -> BeatCount:
    steps = tuple(s for s in reply.trace.steps if s.beat is beat)
    left = _survivors(memory, reply, beat, gold) if gold else None
    timed = zip(reply.trace.steps, reply.milliseconds, strict=False)
    spent = [ms for step, ms in timed if step.beat is beat]
    extra = reply.milliseconds[len(reply.trace.steps) :]
    if beat is Beat.PACK:
        spent += extra[:1]
    if beat is Beat.ANSWER:
        spent += extra[1:2]
        n = len(reply.answer.sentences) if reply.answer else 0
        return BeatCount(beat, reply.answer is not None, (), n, n, 0, _sum(spent), left)
    return BeatCount(
        beat,
        any(s.used for s in steps),
        tuple(s.name for s in steps),
        sum(len(s.entered) + sum(r.count for r in s.rest) for s in steps),
        len(steps[-1].kept) if steps else 0,
        sum(len(s.dropped) + sum(r.count for r in s.rest) for s in steps),
        _sum(spent),
        left,
    )


def _sum(times: list[float]) -> float | None:
    return round(sum(times), 3) if times else None


def _survivors(memory: Memory, reply: Reply, beat: Beat, gold: tuple[TurnId, ...]) -> int:
    if beat is Beat.ANSWER:
        items = reply.answer.citations if reply.answer else ()
    elif beat is Beat.PACK:
        items = reply.context.items
    elif beat in {Beat.CUE, Beat.ACTIVATE}:
        return len(_met(memory, reply, beat) & set(gold))
    else:
        items = tuple(c.item for c in _last(reply.trace, beat).kept)
    return len(turns_of(memory, items) & set(gold))


def looks_up(reply: Reply) -> bool:
    """Whether the retriever of a run looks up anchors; without them all that is known is met."""
    return any(step.beat is Beat.ACTIVATE and step.used for step in reply.trace.steps)


def _met(memory: Memory, reply: Reply, beat: Beat) -> frozenset[TurnId]:
    """The turns that hold a key of a cue, once activated one that is not too common to score.

    Where no anchors are looked up these are all turns of the memory that can be found: in a run
    of facts those that gave one.
    """
    if not looks_up(reply):
        if reply.trace.retriever.startswith("ariadnemem"):
            return frozenset(t for turns in sources(memory).values() for t in turns)
        return frozenset(t.id for t in memory.conversation.turns)
    cues = [c for c in reply.trace.cues if beat is Beat.CUE or c.reason is None]
    wanted = {a for cue in cues for a in cue.anchors}
    return frozenset(t for h in memory.hypergraph.hyperedges if h.id in wanted for t in h.members)


def _last(trace: Trace, beat: Beat) -> Step:
    """Return the last step up to a beat, by running order within the beat.

    What a budget took before the last step of Connect counts as left in Pack.
    """
    packing = next((n for n, s in enumerate(trace.steps) if s.beat is Beat.PACK), None)
    steps = trace.steps if beat >= Beat.PACK else trace.steps[:packing]
    found = [s for s in steps if s.beat <= beat]
    of_beat = [s for s in steps if s.beat is beat]
    return (of_beat or found or [Step("none", beat)])[-1]


def stars(left: int, total: int) -> str:
    """Return a star for each gold turn still there, `☆` for a lost one; above six a count.

    >>> stars(2, 3), stars(4, 9)
    ('★★☆', '4/9')
    """
    if total > 6:
        return f"{left}/{total}"
    return "★" * left + "☆" * (total - left)


# ---------------------------------------------------------------- since the beat before


@dataclass(frozen=True, slots=True)
class Moves:
    """What a beat changed against the beat before it, by item; each item once."""

    entered: tuple[Item, ...]
    left: tuple[Item, ...]
    moved: tuple[Item, ...]


def moves(reply: Reply, beat: Beat) -> Moves:
    """Return what entered, left or took another place in a beat.

    The order compared is that of what the beats kept; what the packet or the answer holds stands
    for the last two.
    """
    before, after = standing(reply, Beat(beat - 1)) if beat > 1 else (), standing(reply, beat)
    places = {item: n for n, item in enumerate(i for i in before if i in set(after))}
    stayed = [item for item in after if item in places]
    return Moves(
        tuple(i for i in after if i not in set(before)),
        tuple(i for i in before if i not in set(after)),
        tuple(item for n, item in enumerate(stayed) if places[item] != n),
    )


def standing(reply: Reply, beat: Beat) -> tuple[Item, ...]:
    """Return the items that are in play once a beat is done, in order, each once."""
    if beat is Beat.ANSWER:
        found = reply.answer.citations if reply.answer else ()
    elif beat is Beat.PACK:
        found = reply.context.items
    else:
        found = tuple(c.item for c in _last(reply.trace, beat).kept)
    return tuple(dict.fromkeys(found))
