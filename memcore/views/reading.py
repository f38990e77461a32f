"""The reader: what is selected in a head line, its words, and what belongs to it.

What belongs to it are links: each has an id to select and the words of its button.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcore.evolution.states import states
from memcore.types import (
    AnchorKind,
    Entry,
    Gap,
    GraphPath,
    Hyperedge,
    Memory,
    Reply,
    Sentence,
    Turn,
    TurnId,
)
from memcore.views import memory_rows, selections
from memcore.views.orders import commanding
from memcore.views.rows import texts as rows_texts
from memcore.views.rows import turn as turn_of
from memcore.views.strings import day, minute, say
from memcore.views.theme import ANCHOR_MARKS

MOST_LINKS = 14
"""Links of one row; the rest is counted."""

AROUND = 2
"""Turns told before and after a turn."""


@dataclass(frozen=True, slots=True)
class Link:
    """An item that belongs to the selected one, and the words of its button."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """Links of one kind under a name; `more` are counted and not listed."""

    name: str
    links: tuple[Link, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader shows of an item: its head, its words, its rows of links."""

    head: str
    words: str = ""
    rows: tuple[Row, ...] = ()


def reading(
    memory: Memory, item: str, language: str = "", reply: Reply | None = None
) -> Reading | None:
    """Return what the reader shows of an item, None if neither memory nor run has such an item."""
    if item[:1] in selections.OF_RUN:
        return _of_run(memory, item, reply, language)
    if item.startswith("D"):
        found = turn_of(memory, TurnId.parse(item))
        return _turn(memory, found, language) if found else None
    if item.startswith("E"):
        entries = (*memory.evolution.entries, *memory.evolution.merged)
        entry = next((e for e in entries if str(e.id) == item), None)
        return _fact(memory, entry, language) if entry else None
    edge = next((h for h in memory.hypergraph.hyperedges if str(h.id) == item), None)
    return _anchor(memory, edge, language) if edge else None


def _of_run(memory: Memory, item: str, reply: Reply | None, language: str) -> Reading | None:
    """A path, a gap or a sentence of a run: its numbers, and the items that it is made of."""
    found, texts = selections.of_run(reply, item), rows_texts(memory)
    if found is None:
        return None
    if isinstance(found, Sentence):
        cited = [
            Link(str(c), f"{c} {texts.get(str(c), '')}") for c in dict.fromkeys(found.citations)
        ]
        head = say("reader.sentence" if cited else "reader.sentence_uncited", language, id=item)
        return Reading(head, found.text, _rows((("reader.cites", cited),), language))
    hours = "–" if found.hours is None else f"{found.hours:,.0f}"
    if isinstance(found, GraphPath):
        links = [Link(str(e), f"{e} {texts.get(str(e), '')}") for e in found.entries]
        head = say("reader.path", language, id=item, n=len(links), hours=hours)
        way = " → ".join(link.id for link in links)
        return Reading(head, way, _rows((("reader.facts", links),), language))
    return _gap(found, item, hours, texts, language)


def _gap(gap: Gap, item: str, hours: str, texts: Mapping[str, str], language: str) -> Reading:
    ends = [Link(str(e), f"{e} {texts.get(str(e), '')}") for e in (gap.older, gap.newer)]
    bridge = [Link(str(e), f"{e} {texts.get(str(e), '')}") for e in (gap.bridge,) if e]
    looked = [Link(str(c.item), f"{c.item} {c.cosine:.2f}") for c in gap.candidates]
    outcome = f"reason.{gap.reason}" if gap.reason else "bridge.won" if bridge else "bridge.none"
    head = say("reader.gap", language, id=item, hours=hours, outcome=say(outcome, language))
    rows = (("reader.ends", ends), ("reader.bridge", bridge), ("reader.looked", looked))
    return Reading(head, f"{gap.older} → {gap.newer}", _rows(rows, language))


def _turn(memory: Memory, turn: Turn, language: str) -> Reading:
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    facts = [
        Link(str(e.id), f"{e.id} {e.restatement}") for e in entries if turn.id in e.source_turns
    ]
    kinds = tuple(AnchorKind)
    of_turn = sorted(memory.hypergraph.of(turn.id), key=lambda h: kinds.index(h.anchor.kind))
    anchors = [_link(h) for h in of_turn]
    order = (say("reader.order", language),) if commanding(turn.content) else ()
    return Reading(
        " · ".join((str(turn.id), turn.speaker, minute(turn.said_at, language), *order)),
        turn.content,
        _rows((("reader.facts", facts), ("reader.anchors", anchors)), language),
    )


def _fact(memory: Memory, entry: Entry, language: str) -> Reading:
    told = states(memory.evolution)
    state, into = told.state(entry.id), told.merged_into(entry.id)
    happened = memory_rows.when(entry) or "–"
    head = (
        str(entry.id),
        say(f"memory.fact_state.{state}", language),
        *((say(f"modality.{entry.modality}", language),) if entry.modality != "asserted" else ()),
        say("reader.said", language, date=day(entry.said_at, language)),
        say("reader.happened", language, date=happened),
    )
    chain = told.chain(into or entry.id)
    words = {e.id: e.restatement for e in (*memory.evolution.entries, *memory.evolution.merged)}
    others = [Link(str(e), f"{e} {words.get(e, '')}") for e in chain.entries if e != entry.id]
    turns = [Link(str(t), str(t)) for t in entry.source_turns]
    return Reading(
        " · ".join(head),
        entry.restatement,
        _rows((("reader.turns", turns), ("reader.chain", others)), language),
    )


def _anchor(memory: Memory, edge: Hyperedge, language: str) -> Reading:
    members = frozenset(edge.members)
    shared = {h: len(members.intersection(h.members)) for h in memory.hypergraph.hyperedges}
    order = sorted(
        (h for h, n in shared.items() if n and h != edge), key=lambda h: (-shared[h], h.id)
    )
    overlapping = [Link(str(h.id), f"{_link(h).words} {shared[h]}/{len(members)}") for h in order]
    turns = [Link(str(t), str(t)) for t in edge.members]
    kind = say(f"kind.{edge.anchor.kind}", language)
    return Reading(
        " · ".join((str(edge.id), f"{ANCHOR_MARKS[edge.anchor.kind]} {kind}")),
        edge.label or edge.anchor.key,
        _rows((("reader.turns", turns), ("reader.overlapping", overlapping)), language),
    )


def _link(edge: Hyperedge) -> Link:
    return Link(str(edge.id), f"{ANCHOR_MARKS[edge.anchor.kind]} {edge.label or edge.anchor.key}")


def _rows(found: Sequence[tuple[str, Sequence[Link]]], language: str) -> tuple[Row, ...]:
    return tuple(
        Row(say(name, language), tuple(links[:MOST_LINKS]), max(0, len(links) - MOST_LINKS))
        for name, links in found
        if links
    )


def around(memory: Memory, turn: TurnId) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """Return the turns of the same session just before a turn, and those just after it."""
    session = [t for t in memory.conversation.turns if t.id.session == turn.session]
    at = next((n for n, t in enumerate(session) if t.id == turn), None)
    if at is None:
        return (), ()
    before, after = session[max(0, at - AROUND) : at], session[at + 1 : at + 1 + AROUND]
    return tuple(before), tuple(after)


def items(memory: Memory) -> tuple[str, ...]:
    """Return all that can be selected in a memory: its turns, its facts, its anchors."""
    entries = sorted(e.id for e in (*memory.evolution.entries, *memory.evolution.merged))
    turns = (t.id for t in memory.conversation.turns)
    return tuple(map(str, (*turns, *entries, *(h.id for h in memory.hypergraph.hyperedges))))
