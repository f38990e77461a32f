"""Annotations to hyperedges: one anchor each, with the turns that it ties together.

A window is named by the turn in its middle, so each turn has one and is in at most five. A build
is the growth of an empty hypergraph, so that one piece of code decides what a membership is.
Anchors are numbered in order of first member, kind and key. Appended sessions continue the
numbering, since their first members come last; turns appended to an old session are numbered
after all others too, though a new build would put the windows of its end before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memcore.hypergraph import calendar
from memcore.types import (
    Anchor,
    AnchorId,
    AnchorKind,
    Annotation,
    Conversation,
    DateRole,
    Hyperedge,
    Hypergraph,
    Membership,
    Session,
    Turn,
    TurnId,
)

WINDOW: Final = 2
"""Turns before and after the middle of a window (EdgeMem, figure 2: local context)."""


@dataclass(frozen=True, slots=True)
class _Link:
    anchor: Anchor
    membership: Membership
    label: str


def hypergraph(conversation: Conversation, annotations: Sequence[Annotation]) -> Hypergraph:
    """Return the hypergraph of a conversation; the annotations may be in any order."""
    return grow(Hypergraph(), conversation, annotations, conversation.turns)


def grow(
    graph: Hypergraph,
    conversation: Conversation,
    annotations: Sequence[Annotation],
    turns: Sequence[Turn],
) -> Hypergraph:
    """Return the hypergraph with turns added that the conversation has and the graph has not.

    Hyperedges that no new turn joins are the same values as before. Only the annotations of the
    new turns are read.
    """
    new = frozenset(turn.id for turn in turns)
    found: dict[Anchor, list[_Link]] = {}
    for link in _links(conversation, annotations, new):
        found.setdefault(link.anchor, []).append(link)
    edges = [_joined(edge, found.pop(edge.anchor, ())) for edge in graph.hyperedges]
    fresh = sorted((_sorted(links) for links in found.values()), key=_order)
    return Hypergraph(
        (
            *edges,
            *(_edge(AnchorId(n), links) for n, links in enumerate(fresh, len(edges) + 1)),
        )
    )


def _order(links: Sequence[_Link]) -> tuple[TurnId, Anchor]:
    return links[0].membership.turn, links[0].anchor


def _sorted(links: Iterable[_Link]) -> tuple[_Link, ...]:
    return tuple(sorted(links, key=lambda k: (k.membership.turn, k.membership.role)))


def _edge(number: AnchorId, links: Sequence[_Link]) -> Hyperedge:
    return Hyperedge(
        number, links[0].anchor, tuple(k.membership for k in links), label=links[0].label
    )


def _joined(edge: Hyperedge, links: Sequence[_Link]) -> Hyperedge:
    if not links:
        return edge
    memberships = (*edge.memberships, *(k.membership for k in links))
    return replace(edge, memberships=tuple(sorted(memberships, key=lambda m: (m.turn, m.role))))


def _links(
    conversation: Conversation, annotations: Sequence[Annotation], new: frozenset[TurnId]
) -> Iterator[_Link]:
    notes = {note.turn: note for note in annotations if note.turn in new}
    for session in conversation.sessions:
        if new.isdisjoint(turn.id for turn in session.turns):
            continue
        for place, turn in enumerate(session.turns):
            if turn.id in new:
                note = notes.get(turn.id, Annotation(turn.id))
                yield from _mentioned(turn, note)
                yield from _dated(turn, session, note)
                yield _episode(turn, session)
            yield from _windows(session, place, new)


def _mentioned(turn: Turn, note: Annotation) -> Iterator[_Link]:
    yield _Link(
        Anchor(AnchorKind.SPEAKER, turn.speaker.casefold()), Membership(turn.id), turn.speaker
    )
    spans: dict[Anchor, list[tuple[int, int]]] = {}
    for mention in note.mentions:
        anchor = Anchor(mention.kind, mention.key)
        spans.setdefault(anchor, []).append((mention.start, mention.end))
    for anchor, places in spans.items():
        start, end = places[0]
        yield _Link(
            anchor,
            Membership(turn.id, len(places), spans=tuple(places)),
            turn.content[start:end],
        )


def _dated(turn: Turn, session: Session, note: Annotation) -> Iterator[_Link]:
    at = turn.said_at or session.started_at
    for anchor in calendar.said(at) if at else ():
        yield _Link(anchor, Membership(turn.id, role=DateRole.SAID), anchor.key)
    spans: dict[Anchor, list[tuple[int, int]]] = {}
    for time in note.times:
        for anchor in calendar.spoken_of(time.interval):
            spans.setdefault(anchor, []).append((time.start, time.end))
    for anchor, places in spans.items():
        member = Membership(turn.id, len(places), DateRole.EVENT, tuple(places))
        yield _Link(anchor, member, anchor.key)


def _episode(turn: Turn, session: Session) -> _Link:
    key = f"D{session.index}"
    return _Link(Anchor(AnchorKind.SESSION, key), Membership(turn.id), session.title or key)


def _windows(session: Session, place: int, new: frozenset[TurnId]) -> Iterator[_Link]:
    turn = session.turns[place].id
    for middle in session.turns[max(0, place - WINDOW) : place + WINDOW + 1]:
        if turn in new or middle.id in new:
            anchor = Anchor(AnchorKind.WINDOW, str(middle.id))
            yield _Link(anchor, Membership(turn), f"{middle.id} ±{WINDOW}")
