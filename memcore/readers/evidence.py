"""The packet as the local reader reads it: its items' own words, cut into sentences.

A reader gets text and spans, nothing else; so it annotates the words again, with the annotator that
made the memory, and both sides agree on keys and times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memcore.annotate.families import canonical
from memcore.seams import Annotator
from memcore.types import (
    AnchorKind,
    Annotation,
    Context,
    Interval,
    Item,
    Precision,
    SaidTime,
    Span,
    SpanPart,
    TimeKind,
    Turn,
    TurnId,
)

UNDATED: Final = SaidTime()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A time expression of a sentence: its words and what they stand for."""

    words: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence of the packet.

    `keys` are the stems of its content words and the names in it, sorted; `around` those of its
    whole item. `place` is the number of the item in the packet, `asks` whether it is a question.
    """

    text: str
    item: Item
    label: str
    place: int
    speaker: str = ""
    said: SaidTime = UNDATED
    keys: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    times: tuple[Resolved, ...] = ()
    asks: bool = False
    caption: bool = False
    rank: int = 0


def pieces(context: Context, annotator: Annotator) -> tuple[Piece, ...]:
    """Return the sentences of all items, as sent."""
    spans = [s for s in context.spans if s.part is SpanPart.ITEM and s.item is not None]
    turns = [_turn(context, span, n) for n, span in enumerate(spans, 1)]
    notes = annotator.annotate(turns)
    return tuple(
        piece
        for span, turn, note in zip(spans, turns, notes, strict=True)
        for piece in _cut(span, turn, note)
    )


def _turn(context: Context, span: Span, place: int) -> Turn:
    """Return the item's own words as a turn: without label, speaker, date and indentation."""
    rendered = context.words(span)
    after = rendered.removeprefix(span.label).removeprefix(f" {span.speaker}")
    lines = after.partition(": ")[2].split("\n")
    caption = "".join(t.removeprefix("  picture: ") for t in lines[1:] if not t.startswith("    "))
    text = "\n".join([lines[0], *(t[4:] for t in lines[1:] if t.startswith("    "))])
    said = UNDATED
    if span.said_at:
        said = SaidTime(span.said_at, kind=TimeKind.LOCAL, precision=Precision.SECOND)
    # A fact names everybody in its words, so no name in it is left out as its speaker's.
    speaker = span.speaker if isinstance(span.item, TurnId) else ""
    return Turn(TurnId(1, place), speaker, text, caption, said)


_END: Final = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[DMS][rst]\.)\s+|(?<=[。！？])|\n+")


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    cuts = [0, *(m.end() for m in _END.finditer(text)), len(text)]
    for start, end in pairwise(cuts):
        if text[start:end].strip():
            yield start, end


def _cut(span: Span, turn: Turn, note: Annotation) -> Iterator[Piece]:
    content = turn.content
    around = tuple(sorted({canonical(m.key) for m in note.mentions}))
    for start, end in _bounds(content):
        text = content[start:end].strip()
        inside = [m for m in note.mentions if start <= m.start and m.end <= end]
        yield Piece(
            text=text,
            item=span.item or turn.id,
            label=span.label,
            place=turn.id.turn,
            speaker=span.speaker,
            said=turn.said,
            keys=tuple(sorted({canonical(m.key) for m in inside})),
            around=around,
            names=tuple(
                dict.fromkeys(
                    content[m.start : m.end] for m in inside if m.kind is AnchorKind.ENTITY
                )
            ),
            times=tuple(
                Resolved(content[t.start : t.end], t.interval)
                for t in note.times
                if start <= t.start and t.end <= end
            ),
            asks=text.endswith(("?", "？")),
            caption=bool(turn.caption) and start > len(turn.text),
            rank=span.rank,
        )
