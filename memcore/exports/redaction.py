"""How much of the dialogue's text an export holds: all of it, the first 80 characters, or ids only.

Text is taken out of the values before a file is made of them, so that no export can forget a
field. What may stay is listed, not what must go: a field that is added later is text until it is
named here. Turned down: a redaction in each export, which leaks with the first new field.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum, StrEnum
from typing import Final, TypeVar, cast

from memcore.settings import Settings
from memcore.store.records import SENTENCE, Records, RunRecord, SpanRecord, TermRecord
from memcore.types import (
    Anchor,
    AnchorId,
    AnchorKind,
    Conversation,
    Cue,
    EntryId,
    Hyperedge,
    Memory,
    Turn,
    TurnId,
)
from memcore.views.strings import ENGLISH

T = TypeVar("T")
FIRST: Final = 80
"""Characters of each text that `first80` leaves."""


class Redaction(StrEnum):
    """How much text goes out."""

    FULL = "full"
    FIRST80 = "first80"
    IDS = "ids"


_KEPT: Final[Mapping[str, frozenset[str]]] = {
    "RunRecord": frozenset(
        (
            *("kind", "retriever", "preset", "changed", "fingerprint", "memory", "code"),
            *("outcome", "tokenizer", "reader"),
        )
    ),
    "Query": frozenset(["language"]),
    "StageRecord": frozenset(["name"]),
    "EventRecord": frozenset(["via", "kind", "unit"]),
    "Placement": frozenset(["list"]),
    "TermRecord": frozenset(["channel"]),
    "LinkRecord": frozenset(["kind", "name"]),
    "SpanRecord": frozenset(["part", "label"]),
    "Conversation": frozenset(["format"]),
    "EvolutionEdge": frozenset(["kind"]),
    "Drop": frozenset(["channel"]),
    "Memory": frozenset(["embedder", "fingerprint"]),
    "Annotation": frozenset(["language"]),
}
"""The fields of plain strings that never hold words of a dialogue, a question or a model."""

_PLAIN_KEYS: Final = frozenset(AnchorKind) - {
    AnchorKind.ENTITY,
    AnchorKind.LEXICAL,
    AnchorKind.SPEAKER,
}
"""Anchor kinds whose keys are dates and numbers."""


@dataclass(frozen=True, slots=True)
class Names:
    """What stands for the words of a memory where only ids go out."""

    anchors: Mapping[Anchor, str]
    speakers: Mapping[str, str]


NO_NAMES: Final = Names({}, {})


def names(memory: Memory) -> Names:
    """Return the ids that stand for a memory's keys and speakers: `A412`, `P1`."""
    speakers = memory.conversation.speakers
    return Names(
        {h.anchor: str(h.id) for h in memory.hypergraph.hyperedges},
        {name: f"P{n}" for n, name in enumerate(speakers, 1)},
    )


def cut(text: str, redaction: Redaction) -> str:
    """Return what may go out of a text; no character of several parts is cut in two.

    >>> cut("a" * 99, Redaction.FIRST80)[-3:], cut("words", Redaction.IDS)
    ('aa…', '')
    """
    if redaction is Redaction.FULL or not text:
        return text
    if redaction is Redaction.IDS:
        return ""
    return text if len(text) <= FIRST else f"{text[: _boundary(text, FIRST)]}…"


def _boundary(text: str, at: int) -> int:
    """Return the last place up to `at` before which a whole character ends."""
    while at and _joins(text, at):
        at -= 1
    return at


def _joins(text: str, at: int) -> bool:
    after, before = text[at], text[at - 1]
    joiner = "\u200d"
    tone = "\U0001f3fb" <= after <= "\U0001f3ff"
    return unicodedata.category(after)[0] == "M" or joiner in (after, before) or tone


def run(records: Records, redaction: Redaction, known: Names = NO_NAMES) -> Records:
    """Return the records of a run with their text cut; ids, numbers and codes stay.

    The packet is put together anew from its cut spans; a request to a model and its raw reply
    are left out, since they hold the packet whole.
    """
    if redaction is Redaction.FULL:
        return records
    packet, spans = _packet(records, redaction)
    bare = replace(records.run, packet="", prompt="", raw="")
    found = _Cut(redaction, known).value(replace(records, run=bare, span=spans))
    return replace(found, run=replace(found.run, packet=packet))


def memory(whole: Memory, redaction: Redaction) -> Memory:
    """Return a memory with its text cut; annotations, which only quote turns, are left out."""
    if redaction is Redaction.FULL:
        return whole
    return _Cut(redaction, names(whole)).value(replace(whole, annotations=()))


def _packet(records: Records, redaction: Redaction) -> tuple[str, tuple[SpanRecord, ...]]:
    text = records.run.packet
    lines: list[str] = []
    spans: list[SpanRecord] = []
    at = 0
    for span in records.span:
        if span.part == SENTENCE:
            spans.append(span)
            continue
        line = cut(" ".join(text[span.start : span.end].split("\n")), redaction)
        if redaction is Redaction.IDS:
            line = " ".join(p for p in (span.label, str(span.item or "")) if p) or span.part
        spans.append(replace(span, start=at, end=at + len(line)))
        lines.append(line)
        at += len(line) + 1
    return "\n".join(lines), tuple(spans)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Walks a value and cuts every string in it that is not listed as kept."""

    redaction: Redaction
    names: Names

    def value(self, whole: T) -> T:
        if isinstance(whole, str) and not isinstance(whole, Enum):
            return cast("T", cut(whole, self.redaction))
        if isinstance(whole, tuple):
            return cast("T", tuple(self.value(part) for part in whole))
        if isinstance(whole, Settings | TurnId | EntryId | AnchorId):
            return whole
        if not is_dataclass(whole) or isinstance(whole, type):
            return whole
        return cast("T", self._special(whole))

    def _special(self, whole: object) -> object:
        """Cut a dataclass; where ids stand for words, put them in."""
        found = self._fields(whole)
        if self.redaction is not Redaction.IDS:
            return found
        if isinstance(whole, Anchor | Cue | TermRecord | Hyperedge):
            return self._keyed(whole, found)
        if isinstance(whole, Turn | SpanRecord):
            speaker = self.names.speakers.get(whole.speaker, "")
            return replace(cast("Turn", found), speaker=speaker)
        if isinstance(whole, Conversation):
            return replace(cast("Conversation", found), name="dialogue")
        return found

    def _keyed(self, whole: Anchor | Cue | TermRecord | Hyperedge, found: object) -> object:
        if isinstance(whole, Anchor):
            return replace(whole, key=self._key(whole))
        if isinstance(whole, Cue):
            return replace(whole, key=self._key(Anchor(whole.kind, whole.key)))
        if isinstance(whole, Hyperedge):
            return replace(cast("Hyperedge", found), label=self._label(whole))
        name = whole.name if f"term.{whole.name}" in ENGLISH else "key"
        anchor = Anchor(whole.anchor_kind, whole.anchor or "") if whole.anchor_kind else None
        key = self._key(anchor) if anchor else whole.anchor
        return replace(cast("TermRecord", found), name=name, anchor=key)

    def _key(self, anchor: Anchor) -> str:
        if anchor.kind in _PLAIN_KEYS:
            return anchor.key
        return self.names.anchors.get(anchor, "")

    def _label(self, edge: Hyperedge) -> str:
        return edge.anchor.key if edge.anchor.kind in _PLAIN_KEYS else str(edge.id)  # titles go

    def _fields(self, whole: object) -> object:
        kept = _KEPT.get(type(whole).__name__, frozenset())
        listed = fields(cast("RunRecord", whole))
        new = {f.name: self._field(whole, f.name, kept) for f in listed}
        return replace(cast("RunRecord", whole), **new)  # type: ignore[arg-type]  # same names

    def _field(self, whole: object, name: str, kept: frozenset[str]) -> object:
        value: object = getattr(whole, name)
        return value if name in kept else self.value(value)
