"""C_graph (figure 3): facts in time order, then updates, then paths, under a hard token cap.

    [F1] 2023-05-07: Caroline went to a support group.
    [F2] 2023-05-25 (bridge): Caroline joined a mentoring program.
    F2 updates F1
    F1 -> F2 -> F4

`serialize` is pure and the only place where this text is made. F-numbers count the facts in time
order, so they are known only when it is known which facts fit; the longest label of all counts.
The date is that of the event, in the precision in which it was named, else that of the talk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memcore.annotate.tokens import tokens
from memcore.evolution.base_graph import edges_of, entry_ids
from memcore.evolution.facts import Facts, moment_of
from memcore.evolution.node_budget import gaps_of, protected
from memcore.evolution.states import States, states
from memcore.types import (
    Beat,
    Candidate,
    Drop,
    Entry,
    EntryId,
    Gap,
    Grain,
    GraphPath,
    Interval,
    Memory,
    Reason,
    SpanPart,
    Step,
    Trace,
    TurnId,
)

Stage = Callable[[Memory, Trace], Step]

_FORMATS: Final[Mapping[Grain, str]] = {
    Grain.MINUTE: "%Y-%m-%d %H:%M",
    Grain.HOUR: "%Y-%m-%d %H:%M",
    Grain.DAY: "%Y-%m-%d",
    Grain.WEEK: "week of %Y-%m-%d",
    Grain.MONTH: "%Y-%m",
    Grain.SEASON: "season from %Y-%m",
    Grain.YEAR: "%Y",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the serialized graph; a path or update has no item of its own.

    `sources` are all turns that say the fact, `times` its event time if it has one.
    """

    text: str
    part: SpanPart
    item: EntryId | None = None
    label: str = ""
    sources: tuple[TurnId, ...] = ()
    times: tuple[Interval, ...] = ()
    said_at: datetime | None = None

    @property
    def tokens(self) -> int:
        """The estimated tokens of the line."""
        return tokens(self.text)


def date_of(entry: Entry, moment: datetime | None) -> str:
    """Return a fact's date in the precision of its event, else the day of the talk."""
    if moment is None:
        return "undated"
    shape = _FORMATS[entry.time.grain if entry.time else Grain.DAY]
    return moment.astimezone(UTC).strftime(shape)


def serialize(
    memory: Memory,
    kept: Sequence[Candidate],
    paths: Sequence[GraphPath],
    gaps: Sequence[Gap],
    as_of: int | None = None,
) -> tuple[Line, ...]:
    """Return the lines for the kept entries: facts in time order, updates, then paths.

    Paths with an entry that is not kept are left out.
    """
    found = states(memory.evolution, as_of)
    return _lines(found, entry_ids(kept), paths, gaps)


def _lines(
    found: States, items: Sequence[EntryId], paths: Sequence[GraphPath], gaps: Sequence[Gap]
) -> tuple[Line, ...]:
    ordered = _in_time(found, items)
    labels = {item: f"F{n}" for n, item in enumerate(ordered, 1)}
    built = {gap.bridge for gap in gaps if gap.bridge}
    facts = (_fact(found, item, labels[item], bridge=item in built) for item in ordered)
    return (*facts, *_updates(found, labels), *_path_lines(paths, labels))


def _in_time(found: States, items: Sequence[EntryId]) -> tuple[EntryId, ...]:
    """Return the entries by time; one without a time stands where it was said."""
    stamps: list[tuple[float, EntryId]] = []
    last = float("-inf")
    for item in sorted(items):
        moment = moment_of(found.nodes[item], found)
        last = last if moment is None else moment.timestamp()
        stamps.append((last, item))
    return tuple(item for _stamp, item in sorted(stamps))


def _fact(found: States, item: EntryId, label: str, *, bridge: bool) -> Line:
    entry = found.nodes[item]
    mark = " (bridge)" if bridge else ""
    date = date_of(entry, moment_of(entry, found))
    return Line(
        f"[{label}] {date}{mark}: {entry.restatement}",
        SpanPart.ITEM,
        item,
        label,
        found.sources(item),
        (entry.time,) if entry.time else (),
        entry.said_at,
    )


def _updates(found: States, labels: Mapping[EntryId, str]) -> tuple[Line, ...]:
    pairs = ((older, found.superseded_by(older)) for older in labels)
    return tuple(
        Line(f"{labels[newer]} updates {labels[older]}", SpanPart.PATH)
        for older, newer in pairs
        if newer is not None and newer in labels
    )


def _path_lines(paths: Sequence[GraphPath], labels: Mapping[EntryId, str]) -> tuple[Line, ...]:
    whole = (p for p in paths if all(e in labels for e in p.entries))
    return tuple(Line(" -> ".join(labels[e] for e in p.entries), SpanPart.PATH) for p in whole)


def token_cap(facts: Facts) -> Stage:
    """Return the stage that keeps what fits: protected facts first, then by rank, then paths."""

    def pack(_memory: Memory, trace: Trace) -> Step:
        given, limit = trace.candidates, facts.settings.graph_tokens
        view, gaps = facts.at(trace.as_of), gaps_of(trace)
        items = entry_ids(given)
        safe = protected(facts, view, items, gaps)
        costs = _costs(view.states, items, gaps)
        order = sorted(items, key=lambda item: item not in safe)
        kept, dropped, used = [], [], 0
        for item in order:
            if used + costs[item] <= limit:
                used += costs[item]
                kept.append(item)
            else:
                dropped.append((item, used + costs[item]))
        return _packed(facts, trace, frozenset(kept), dict(dropped))

    return pack


def _costs(found: States, items: Sequence[EntryId], gaps: Sequence[Gap]) -> Mapping[EntryId, int]:
    """Return the tokens of each fact's line, its update line counted with it."""
    lines = _lines(found, items, (), gaps)
    update = tokens(f"F{len(items)} updates F{len(items)}")
    inside = set(items)
    return {
        line.item: line.tokens + (update if found.superseded_by(line.item) in inside else 0)
        for line in lines
        if line.item is not None
    }


def _packed(
    facts: Facts, trace: Trace, kept: frozenset[EntryId], over: Mapping[EntryId, int]
) -> Step:
    given, limit = trace.candidates, facts.settings.graph_tokens
    view, gaps = facts.at(trace.as_of), gaps_of(trace)
    rest = tuple(c for c in given if c.item in kept)
    dropped = tuple(
        Drop(c.item, Reason.OVER_TOKEN_BUDGET, over[c.item], limit, c.channel)
        for c in given
        if isinstance(c.item, EntryId) and c.item in over
    )
    items = entry_ids(rest)
    lines = _lines(view.states, items, (), gaps)
    room = limit - sum(line.tokens for line in lines)
    paths, room = _fitting(trace, frozenset(items), room)
    edges = edges_of(trace, items)
    note = f"{limit - room} of {limit} tokens"
    return Step(
        "serialize", Beat.PACK, given, kept=rest, dropped=dropped, edges=edges, paths=paths,
        note=note,
    )  # fmt: skip


def _fitting(
    trace: Trace, items: frozenset[EntryId], room: int
) -> tuple[tuple[GraphPath, ...], int]:
    """Return the paths whose line still fits, best first, and the tokens left."""
    found: list[GraphPath] = []
    for path in (p for step in trace.steps if step.name == "paths" for p in step.paths):
        line = tokens(" -> ".join(f"F{len(items)}" for _ in path.entries))
        if items.issuperset(path.entries) and line <= room:
            found.append(path)
            room -= line
    return tuple(found), room
