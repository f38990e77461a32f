"""Packets written by hand, in the form that `memcore.context` gives them."""

from __future__ import annotations

from datetime import UTC, datetime

from memcore.annotate.tokens import tokens
from memcore.types import Context, EntryId, Interval, Span, SpanPart, TurnId


def packet(*turns: tuple[str, str, str], times: tuple[tuple[Interval, ...], ...] = ()) -> Context:
    """A packet of (speaker, day, text), one session, turns D1:1, D1:2, ..."""
    lines, spans, at = [], [], 0
    for n, (speaker, day, text) in enumerate(turns, 1):
        line = f"[{n}] {speaker}, {day}: {text}" if day else f"[{n}] {speaker}: {text}"
        spans.append(
            Span(
                SpanPart.ITEM,
                at,
                at + len(line),
                tokens(line),
                item=TurnId(1, n),
                label=f"[{n}]",
                speaker=speaker,
                said_at=datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None,
                times=times[n - 1] if times else (),
                sources=(TurnId(1, n),),
            )
        )
        at += len(line) + 1
        lines.append(line)
    return Context("\n".join(lines), tuple(spans), sum(s.tokens for s in spans), limit=2500)


def facts(*lines: tuple[str, str, str]) -> Context:
    """A packet of facts (subject, day, text), E1, E2, ..., labelled F1, F2, ..."""
    spans, texts, at = [], [], 0
    for n, (subject, day, text) in enumerate(lines, 1):
        line = f"[F{n}] {day}: {text}"
        said = datetime.fromisoformat(day).replace(tzinfo=UTC)
        item = EntryId(n)
        spans.append(
            Span(
                SpanPart.ITEM,
                at,
                at + len(line),
                tokens(line),
                item=item,
                label=f"[F{n}]",
                speaker=subject,
                said_at=said,
                sources=(TurnId(1, n),),
            )
        )
        texts.append(line)
        at += len(line) + 1
    return Context("\n".join(texts), tuple(spans), sum(s.tokens for s in spans), limit=900)
