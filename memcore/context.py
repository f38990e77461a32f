"""Kept candidates to the text the reader sees, within the budget.

Chosen: the stages of a retriever spend the budget (a drop needs its reason in the trace) and this
module only writes down what the last of them kept. The budget counts each turn as `speaker: text
caption`; what the frame adds (headings, labels, dates) is counted and shown beside it, so that
`limit` = budget + frame. Turned down: spending the budget here as well, since the frame of a
packet is known only when the last turn has been chosen, and two places would have to agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memcore.annotate.quoting import flat, heading, quoted
from memcore.annotate.tokens import tokens
from memcore.types import (
    Context,
    Entry,
    EntryId,
    Grain,
    GraphPath,
    Interval,
    Memory,
    Session,
    Span,
    SpanPart,
    Trace,
    Turn,
    TurnId,
)

UNLIMITED: Final = "full"
"""The retriever that has no budget; its packet has the limit 0, which means none."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line (or more) of a packet, its span still without a place, and the tokens of its frame."""

    text: str
    span: Span
    frame: int = 0


def pack(memory: Memory, trace: Trace) -> Context:
    """Return the packet of what the last step kept: turns by time, or facts and their paths."""
    items = {c.item for c in trace.candidates}
    entries = {i for i in items if isinstance(i, EntryId)}
    if entries:
        return _joined(_fact_lines(memory, trace, entries), trace.settings.graph_tokens)
    turns = {i for i in items if isinstance(i, TurnId)}
    limit = 0 if trace.retriever == UNLIMITED else trace.settings.token_budget
    return _joined(_turn_lines(memory, turns), limit)


def turn_words(turn: Turn) -> str:
    """Return the words of a turn that count against a token budget: `speaker: text caption`."""
    return f"{turn.speaker}: {turn.text} {turn.caption}".rstrip()


def _joined(lines: Sequence[_Line], budget: int) -> Context:
    spans, at = [], 0
    for line in lines:
        spans.append(replace(line.span, start=at, end=at + len(line.text)))
        at += len(line.text) + 1
    inside = sum(s.tokens for s in spans)
    overhead = sum(line.frame for line in lines)
    heads = sum(s.tokens for s in spans if s.part is SpanPart.HEAD)
    return Context(
        text="\n".join(line.text for line in lines),
        spans=tuple(spans),
        tokens=inside + overhead,
        overhead=overhead,
        limit=budget + heads + overhead if budget else 0,
    )


# ---------------------------------------------------------------- turns


def _turn_lines(memory: Memory, kept: set[TurnId]) -> tuple[_Line, ...]:
    times = {a.turn: tuple(t.interval for t in a.times) for a in memory.annotations}
    lines: list[_Line] = []
    number = 0
    for session in memory.conversation.sessions:
        turns = [t for t in session.turns if t.id in kept]
        if turns:
            lines.append(_heading(session))
        for turn in turns:
            number += 1
            lines.append(_turn_line(turn, number, times.get(turn.id, ())))
    return tuple(lines)


def _heading(session: Session) -> _Line:
    text = heading(session)
    return _Line(text, Span(SpanPart.HEAD, 0, 0, tokens(text)))


def _turn_line(turn: Turn, number: int, times: tuple[Interval, ...]) -> _Line:
    label = f"[{number}]"
    text = quoted(turn, label)
    own = tokens(turn_words(turn))
    span = Span(
        SpanPart.ITEM,
        0,
        0,
        own,
        item=turn.id,
        label=label,
        speaker=flat(turn.speaker),
        said_at=turn.said_at,
        times=times,
        sources=(turn.id,),
    )
    return _Line(text, span, max(0, tokens(text) - own))


# ---------------------------------------------------------------- facts


def _fact_lines(memory: Memory, trace: Trace, kept: set[EntryId]) -> tuple[_Line, ...]:
    entries = sorted((e for e in memory.evolution.entries if e.id in kept), key=_by_time)
    labels = {e.id: f"F{n}" for n, e in enumerate(entries, 1)}
    bridges = {g.bridge for step in trace.steps for g in step.gaps if g.bridge}
    lines = [_fact_line(e, labels[e.id], e.id in bridges) for e in entries]
    for edge in memory.evolution.edges:
        if edge.supersedes and edge.older in labels and edge.newer in labels:
            text = f"{labels[edge.newer]} updates {labels[edge.older]}"
            lines.append(_Line(text, Span(SpanPart.PATH, 0, 0, tokens(text))))
    for path in (p for step in trace.steps for p in step.paths):
        lines.extend(_path_line(path, labels))
    return tuple(lines)


def _by_time(entry: Entry) -> tuple[bool, float, EntryId]:
    moment = entry.moment
    return (moment is None, moment.timestamp() if moment else 0.0, entry.id)


def _fact_line(entry: Entry, label: str, bridge: bool) -> _Line:
    when = f" {_day(entry)}" if _day(entry) else ""
    mark = " (bridge)" if bridge else ""
    text = f"[{label}]{when}: {flat(entry.restatement)}{mark}"
    span = Span(
        SpanPart.ITEM,
        0,
        0,
        tokens(text),
        item=entry.id,
        label=label,
        speaker=entry.subject,
        said_at=entry.said_at,
        times=(entry.time,) if entry.time else (),
        sources=entry.source_turns,
    )
    return _Line(text, span)


def _day(entry: Entry) -> str:
    """Return the date of a fact, no finer than it is known."""
    if entry.moment is None:
        return ""
    grain = entry.time.grain if entry.time else Grain.DAY
    forms = {Grain.YEAR: "%Y", Grain.MONTH: "%Y-%m", Grain.SEASON: "%Y-%m"}
    return entry.moment.strftime(forms.get(grain, "%Y-%m-%d"))


def _path_line(path: GraphPath, labels: dict[EntryId, str]) -> tuple[_Line, ...]:
    if not all(e in labels for e in path.entries):
        return ()
    text = " → ".join(labels[e] for e in path.entries)
    return (_Line(text, Span(SpanPart.PATH, 0, 0, tokens(text))),)
