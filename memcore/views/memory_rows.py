"""Tables of the Memory page: facts, anchors, decisions, and what one turn gave."""

from __future__ import annotations

from dataclasses import dataclass

from memcore.settings import Settings
from memcore.types import (
    AnchorKind,
    Annotation,
    Decision,
    Drop,
    Entry,
    EntryId,
    Hyperedge,
    Memory,
    Reason,
    TurnId,
)
from memcore.views.rows import margin
from memcore.views.strings import say
from memcore.views.theme import ANCHOR_MARKS


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact with its state, its time and its sources."""

    id: str
    state: str
    fact: str
    modality: str
    when: str
    said: str
    turns: str
    replaced_by: str


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """One hyperedge: its mark and kind, its key and its members."""

    id: str
    kind: str
    key: str
    turns: int
    members: str


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One write decision with the numbers that made it."""

    id: str
    action: str
    target: str
    similarity: str
    overlap: str
    why: str
    fact: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a turn's content; `anchor` is the kind it is marked with, None for none."""

    text: str
    anchor: AnchorKind | None = None


def facts(memory: Memory, language: str = "") -> tuple[FactRow, ...]:
    """Return every entry, merged ones included, in stream order."""
    graph = memory.evolution
    replaced = {e.older: e.newer for e in graph.edges if e.supersedes}
    targets = {d.entry: d.target for d in graph.decisions}
    merged = {e.id for e in graph.merged}
    rows = sorted((*graph.entries, *graph.merged), key=lambda e: e.id)
    return tuple(
        _fact(e, replaced.get(e.id), targets.get(e.id) if e.id in merged else None, language)
        for e in rows
    )


def _fact(entry: Entry, newer: EntryId | None, survivor: EntryId | None, language: str) -> FactRow:
    state = "merged" if survivor else "superseded" if newer else "active"
    return FactRow(
        str(entry.id),
        say(f"memory.fact_state.{state}", language),
        entry.restatement,
        entry.modality,
        _when(entry),
        f"{entry.said_at:%-d %b %Y}" if entry.said_at else say("start.no_time", language),
        " ".join(str(t) for t in entry.source_turns),
        str(survivor or newer or ""),
    )


def _when(entry: Entry) -> str:
    if entry.time is None:
        return ""
    formats = {"year": "%Y", "month": "%b %Y", "season": "%b %Y"}
    shown = formats.get(entry.time.grain, "%-d %b %Y")
    return f"{entry.time.start:{shown}}"


def anchors(
    memory: Memory, search: str = "", kinds: tuple[AnchorKind, ...] = ()
) -> tuple[Hyperedge, ...]:
    """Return the hyperedges that match, the largest first, then by id."""
    found = [
        h
        for h in memory.hypergraph.hyperedges
        if (not kinds or h.anchor.kind in kinds)
        and search.casefold() in f"{h.anchor.key} {h.label}".casefold()
    ]
    return tuple(sorted(found, key=lambda h: (-len(h.members), h.id)))


def anchor_rows(edges: tuple[Hyperedge, ...]) -> tuple[AnchorRow, ...]:
    """Return hyperedges as rows."""
    return tuple(
        AnchorRow(
            str(h.id),
            f"{ANCHOR_MARKS[h.anchor.kind]} {h.anchor.kind}",
            h.label or h.anchor.key,
            len(h.members),
            " ".join(str(t) for t in h.members[:12]) + (" …" if len(h.members) > 12 else ""),
        )
        for h in edges
    )


def decisions(memory: Memory, settings: Settings, language: str = "") -> tuple[DecisionRow, ...]:
    """Return every write decision, in stream order."""
    words = {e.id: e.restatement for e in (*memory.evolution.entries, *memory.evolution.merged)}
    return tuple(
        _decision(d, words.get(d.entry, ""), settings, language) for d in memory.evolution.decisions
    )


def _decision(d: Decision, words: str, settings: Settings, language: str) -> DecisionRow:
    sign = ">" if d.similarity > settings.coarsen_similarity else "≤"
    over = ">" if d.overlap > settings.coarsen_overlap else "≤"
    compared = d.target is not None or bool(d.compared)
    return DecisionRow(
        str(d.entry),
        say(f"action.{d.action}", language),
        str(d.target or ""),
        f"{d.similarity:.3f} {sign} {settings.coarsen_similarity:g}" if compared else "",
        f"{d.overlap:.3f} {over} {settings.coarsen_overlap:g}" if compared else "",
        say(f"change.{d.change}", language),
        words,
    )


def ledger_of(
    memory: Memory, turn: TurnId, settings: Settings, language: str = ""
) -> tuple[DecisionRow, ...]:
    """Return the decisions on the entries that a turn gave."""
    graph = memory.evolution
    ids = {e.id for e in (*graph.entries, *graph.merged) if turn in e.source_turns}
    rows = decisions(memory, settings, language)
    return tuple(r for r in rows if EntryId.parse(r.id) in ids)


def stretches(content: str, annotation: Annotation | None) -> tuple[Stretch, ...]:
    """Return a turn's content cut at the spans of its anchors; overlaps go to the earlier span.

    The pieces joined give the content again.
    """
    found: list[Stretch] = []
    at = 0
    mentions = annotation.mentions if annotation else ()
    for m in sorted(mentions, key=lambda m: (m.start, -m.end, m.kind)):
        if m.start < at:
            continue
        if m.start > at:
            found.append(Stretch(content[at : m.start]))
        found.append(Stretch(content[m.start : m.end], m.kind))
        at = m.end
    if at < len(content):
        found.append(Stretch(content[at:]))
    return tuple(found)


def dropped(memory: Memory, turn: TurnId, language: str = "") -> tuple[str, ...]:
    """Return why a turn gave no fact, with the numbers, one line a reason."""
    return tuple(
        " · ".join(p for p in (say(f"reason.{d.reason}", language), _numbers(d)) if p)
        for d in memory.evolution.dropped
        if d.item == turn
    )


def _numbers(drop: Drop) -> str:
    shown = margin(drop) if drop.margin is not None else ""
    return f"{shown} ({drop.other})" if drop.other else shown


def sentence(memory: Memory, language: str = "") -> str:
    """Return what both memories hold, counted."""
    graph = memory.evolution
    return say(
        "memory.sentence",
        language,
        facts=len(graph.entries),
        merged=len(graph.merged),
        linked=len(graph.edges),
        replaced=sum(e.supersedes for e in graph.edges),
        anchors=len(memory.hypergraph.hyperedges),
        gated=sum(d.reason is Reason.GATED for d in graph.dropped),
        silent=sum(d.reason is Reason.NO_STATEMENT for d in graph.dropped),
    )
