"""Packets written by hand, in the form that `memcore.context` gives them."""

from __future__ import annotations

from datetime import UTC, datetime

from memcore.annotate.tokens import tokens
from memcore.types import Context, Interval, Span, SpanPart, TurnId


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
