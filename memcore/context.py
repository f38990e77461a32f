"""Kept candidates to the text the reader sees, within the budget.

Chosen: the stages of a retriever spend the budget (a drop needs its reason in the trace) and this
module only writes down what the last of them kept. The budget counts each turn as `speaker: text
caption`; what the frame adds (headings, labels, dates) is counted and shown beside it, so that
`limit` = budget + frame. Turned down: spending the budget here as well, since the frame of a
packet is known only when the last turn has been chosen, and two places would have to agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memcore.annotate.quoting import flat, heading, quoted
from memcore.annotate.tokens import tokens
from memcore.evolution.serialization import serialize
from memcore.types import (
    Context,
    Entry,
    EntryId,
    Interval,
    Item,
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
    if any(isinstance(i, EntryId) for i in items):
        return _ranked(_joined(_fact_lines(memory, trace), trace.settings.graph_tokens), trace)
    turns = {i for i in items if isinstance(i, TurnId)}
    limit = 0 if trace.retriever == UNLIMITED else trace.settings.token_budget
    return _ranked(_joined(_turn_lines(memory, turns), limit), trace)


def _ranked(context: Context, trace: Trace) -> Context:
    """Return the packet with what a reader should know: the order of choice, when it was asked."""
    order = dict.fromkeys(c.item for c in trace.candidates)
    places: dict[Item | None, int] = {item: n for n, item in enumerate(order, 1)}
    spans = tuple(replace(s, rank=places.get(s.item, 0)) for s in context.spans)
    return replace(context, spans=spans, asked_at=trace.query.asked_at)


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


def _fact_lines(memory: Memory, trace: Trace) -> tuple[_Line, ...]:
    speakers = {t.speaker.casefold(): flat(t.speaker) for t in memory.conversation.turns}
    subjects = {e.id: _label(e, speakers) for e in memory.evolution.entries}
    gaps = tuple(gap for step in trace.steps for gap in step.gaps)
    paths = trace.steps[-1].paths
    lines = serialize(memory, trace.candidates, paths, gaps, trace.as_of)
    return tuple(
        _Line(
            " ".join(line.text.splitlines()),
            Span(
                line.part,
                0,
                0,
                line.tokens,
                item=line.item,
                label=line.label,
                speaker=subjects[line.item] if line.item else "",
                said_at=line.said_at,
                times=line.times,
                sources=line.sources,
            ),
        )
        for line in lines
    )


def _label(entry: Entry, speakers: Mapping[str, str]) -> str:
    """Return a fact's subject in the case of the conversation: a speaker's label, or its words."""
    subject = entry.subject
    at = entry.restatement.casefold().find(subject)
    said = entry.restatement[at : at + len(subject)] if at >= 0 else subject
    return speakers.get(subject, said if said.casefold() == subject else subject)
