"""Tables of the Memory page: facts, anchors, decisions, and what one turn gave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import combinations as pairs
from math import log

from memcore.evolution.states import Shift, states
from memcore.settings import SAFE, Settings
from memcore.types import (
    AnchorKind,
    Annotation,
    Conversation,
    Decision,
    Drop,
    Entry,
    EntryId,
    Hyperedge,
    Memory,
    Reason,
    Turn,
    TurnId,
)
from memcore.views.rows import margin
from memcore.views.strings import day, month, say
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
    weight: float
    scoring: str
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
    compared: str
    fact: str


@dataclass(frozen=True, slots=True)
class UpdateRow:
    """One state of a fact that changed: was or is, the words that say it, what decided."""

    state: str
    id: str
    fact: str
    quote: str
    said: str
    why: str


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
        say(f"modality.{entry.modality}", language),
        when(entry),
        day(entry.said_at, language),
        " ".join(str(t) for t in entry.source_turns),
        str(survivor or newer or ""),
    )


def when(entry: Entry) -> str:
    """Return when a fact holds or happened, as finely as it is known; empty if it is not."""
    if entry.time is None:
        return ""
    start = entry.time.start
    if entry.time.grain == "year":
        return str(start.year)
    return month(start) if entry.time.grain in {"month", "season"} else day(start)


def updates(memory: Memory, item: str, language: str = "") -> tuple[UpdateRow, ...]:
    """Return the states of a fact, or of the facts that a turn gave, oldest first: was to is.

    Nothing for an anchor, and for a fact that replaced none and was replaced by none.
    """
    graph = memory.evolution
    of = [
        e.id
        for e in (*graph.entries, *graph.merged)
        if str(e.id) == item or item in map(str, e.source_turns)
    ]
    told = states(graph)
    # A merged fact changes with the one that it was merged into.
    found = (told.shifts(told.merged_into(e) or e, memory.conversation) for e in of)
    shifts = {(s.was.id, s.now.id): s for some in found for s in some}
    rows: dict[EntryId, UpdateRow] = {}
    for older, newer in sorted(shifts, key=lambda k: k[::-1]):
        shift = shifts[older, newer]
        rows.setdefault(older, _state(shift.was, shift.was_quotes, "", language))
        rows[newer] = _state(shift.now, shift.now_quotes, _changed(shift, language), language)
    replaced = {older for older, _ in shifts}
    return tuple(
        replace(row, state=say(f"update.{'was' if e in replaced else 'now'}", language))
        for e, row in sorted(rows.items())
    )


def _state(entry: Entry, quotes: tuple[Turn, ...], why: str, language: str) -> UpdateRow:
    said = day(entry.said_at, language)
    return UpdateRow("", str(entry.id), entry.restatement, _quotes(quotes), said, why)


def _changed(shift: Shift, language: str) -> str:
    """What made a state replace the one before: `the place differs · 0.74 · 0.67`, named."""
    return say(
        "update.because",
        language,
        reason=say(f"change.{shift.reason}", language),
        similarity=f"{shift.similarity:.2f}",
        overlap=f"{shift.overlap:.2f}",
    )


def _quotes(turns: tuple[Turn, ...]) -> str:
    return " · ".join(f"{t.id} {t.speaker}: {t.text}" for t in turns)


class Scoring(StrEnum):
    """Whether an anchor adds to a score by its key, and if not, why."""

    SCORES = "scores"
    SINGLE = "single"
    COMMON = "common"
    PLACE = "place"


def scoring(edge: Hyperedge, memory: Memory, settings: Settings) -> Scoring:
    """Return whether a key scores: not if too many turns hold it; other kinds only place a turn."""
    if edge.anchor.kind not in {AnchorKind.ENTITY, AnchorKind.LEXICAL}:
        return Scoring.PLACE
    if len(edge.members) > max(settings.key_share * len(memory.conversation.turns), 1.0):
        return Scoring.COMMON
    return Scoring.SINGLE if len(edge.members) == 1 else Scoring.SCORES


def weight(edge: Hyperedge, memory: Memory, settings: Settings) -> float:
    """Return what an anchor can give in all: rarity times the factor of its kind, a member each.

    Rarity is that of BM25; a key that does not score weighs nothing.
    """
    if scoring(edge, memory, settings) in {Scoring.COMMON, Scoring.PLACE}:
        return 0.0
    n, turns = len(edge.members), len(memory.conversation.turns)
    entity = edge.anchor.kind is AnchorKind.ENTITY
    factor = settings.entity_weight if entity else settings.lexical_weight
    return round(factor * log(1 + (turns - n + 0.5) / (n + 0.5)) * n, 3)


@dataclass(frozen=True, slots=True)
class AnchorFacets:
    """Which anchors to show; an empty facet asks for nothing."""

    search: str = ""
    kinds: tuple[AnchorKind, ...] = ()
    scoring: tuple[Scoring, ...] = ()
    least: int = 1


def anchors(
    memory: Memory, facets: AnchorFacets = AnchorFacets(), settings: Settings = SAFE
) -> tuple[Hyperedge, ...]:
    """Return the hyperedges that match, the heaviest first, then the largest, then by id."""
    wanted = facets.search.casefold()
    found = [
        h
        for h in memory.hypergraph.hyperedges
        if (not facets.kinds or h.anchor.kind in facets.kinds)
        and len(h.members) >= facets.least
        and wanted in f"{h.anchor.key} {h.label}".casefold()
        and (not facets.scoring or scoring(h, memory, settings) in facets.scoring)
    ]
    weights = {h.id: weight(h, memory, settings) for h in found}
    return tuple(sorted(found, key=lambda h: (-weights[h.id], -len(h.members), h.id)))


def anchor_rows(
    edges: tuple[Hyperedge, ...], memory: Memory, settings: Settings = SAFE
) -> tuple[AnchorRow, ...]:
    """Return hyperedges as rows."""
    return tuple(
        AnchorRow(
            str(h.id),
            f"{ANCHOR_MARKS[h.anchor.kind]} {say(f'kind.{h.anchor.kind}')}",
            h.label or h.anchor.key,
            len(h.members),
            weight(h, memory, settings),
            say(f"scoring.{scoring(h, memory, settings)}"),
            " ".join(str(t) for t in h.members[:12]) + (" …" if len(h.members) > 12 else ""),
        )
        for h in edges
    )


@dataclass(frozen=True, slots=True)
class CombinationRow:
    """Two anchors and the turns that hold both; `share` is their part of the smaller one."""

    id: str
    anchors: str
    both: int
    share: float
    turns: str


MOST_COMBINATIONS = 60


def combinations(edges: tuple[Hyperedge, ...]) -> tuple[CombinationRow, ...]:
    """Return the pairs of anchors that share most turns, the most first, then by id."""
    of_turn: dict[TurnId, list[int]] = {}
    for n, edge in enumerate(edges):
        for member in edge.members:
            of_turn.setdefault(member, []).append(n)
    shared: dict[tuple[int, int], list[TurnId]] = {}
    for turn in sorted(of_turn):
        for pair in pairs(of_turn[turn], 2):
            shared.setdefault((pair[0], pair[1]), []).append(turn)
    order = sorted(shared.items(), key=lambda p: (-len(p[1]), edges[p[0][0]].id, edges[p[0][1]].id))
    return tuple(
        CombinationRow(
            str(edges[a].id),
            f"{_named(edges[a])} + {_named(edges[b])}",
            len(turns),
            round(len(turns) / min(len(edges[a].members), len(edges[b].members)), 3),
            " ".join(str(t) for t in turns[:10]) + (" …" if len(turns) > 10 else ""),
        )
        for (a, b), turns in order[:MOST_COMBINATIONS]
    )


def _named(edge: Hyperedge) -> str:
    return f"{ANCHOR_MARKS[edge.anchor.kind]} {edge.label or edge.anchor.key}"


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
        " · ".join(f"{c.target} {c.similarity:.2f} / {c.overlap:.2f}" for c in d.compared[:4]),
        words,
    )


def ledger_of(
    memory: Memory, item: str, settings: Settings, language: str = ""
) -> tuple[DecisionRow, ...]:
    """Return the decisions on a fact, or on the facts that a turn gave."""
    graph = memory.evolution
    ids = {
        str(e.id)
        for e in (*graph.entries, *graph.merged)
        if str(e.id) == item or item in map(str, e.source_turns)
    }
    return tuple(r for r in decisions(memory, settings, language) if r.id in ids)


def session_days(conversation: Conversation) -> tuple[tuple[int, date], ...]:
    """Return the day of each session that has one, in order."""
    dated = ((s.index, s.started_at) for s in conversation.sessions)
    return tuple((index, at.date()) for index, at in dated if at)


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
