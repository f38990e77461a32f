from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.hypergraph import calendar
from memcore.hypergraph.build import grow, hypergraph
from memcore.types import (
    Anchor,
    AnchorKind,
    DateRole,
    Grain,
    Hyperedge,
    Hypergraph,
    Interval,
    Membership,
    TurnId,
)
from tests.retrieval.small import EMPTY, annotation, conversations, remembered, talk

TWO = talk("Ann: tea in Porto tea\nBob: milk @2023-06-01", "Ann: tea ?")


def edge(graph: Hypergraph, kind: AnchorKind, key: str) -> Hyperedge:
    return next(e for e in graph.hyperedges if e.anchor == Anchor(kind, key))


def test_a_key_said_twice_is_one_membership_with_both_places():
    tea = edge(remembered(TWO).hypergraph, AnchorKind.LEXICAL, "tea")
    assert tea.memberships == (
        Membership(TurnId(1, 1), 2, spans=((0, 3), (13, 16))),
        Membership(TurnId(2, 1), 1, spans=((0, 3),)),
    )


def test_a_talk_has_all_nine_kinds_of_anchor():
    kinds = {e.anchor.kind for e in remembered(TWO).hypergraph.hyperedges}
    assert kinds == set(AnchorKind)


def test_a_turn_is_in_a_month_as_said_and_as_spoken_of():
    graph = remembered(talk("Bob: milk @2023-05-20")).hypergraph
    roles = [m.role for m in edge(graph, AnchorKind.MONTH, "2023-05").memberships]
    assert roles == [DateRole.EVENT, DateRole.SAID]
    assert edge(graph, AnchorKind.DAY, "2023-05-20").memberships[0].spans == ((5, 16),)


def test_a_window_is_the_turn_in_its_middle_and_two_to_each_side_in_its_session():
    graph = remembered(talk("\n".join(["Ann: tea"] * 6), "Bob: tea")).hypergraph
    members = edge(graph, AnchorKind.WINDOW, "D1:2").members
    assert members == (TurnId(1, 1), TurnId(1, 2), TurnId(1, 3), TurnId(1, 4))
    assert edge(graph, AnchorKind.WINDOW, "D1:6").members[-1] == TurnId(1, 6)


def test_anchors_are_numbered_by_first_member_kind_and_key():
    graph = remembered(TWO).hypergraph
    order = [(e.members[0], e.anchor) for e in graph.hyperedges]
    assert order == sorted(order)
    assert [e.id.n for e in graph.hyperedges] == list(range(1, len(order) + 1))


@given(conversations, st.integers(0, 5))
def test_growing_by_sessions_equals_building_at_once(conversation, n):
    notes = tuple(annotation(t) for t in conversation.turns)
    start = replace(conversation, sessions=conversation.sessions[:n])
    added = [t for s in conversation.sessions[n:] for t in s.turns]
    grown = grow(hypergraph(start, notes), conversation, notes, added)
    assert grown == hypergraph(conversation, notes)


@given(conversations, st.integers(0, 5))
def test_growing_inside_a_session_keeps_ids_and_gives_the_same_memberships(conversation, n):
    notes = tuple(annotation(t) for t in conversation.turns)
    last = conversation.sessions[-1]
    start = replace(
        conversation,
        sessions=(*conversation.sessions[:-1], replace(last, turns=last.turns[:n])),
    )
    before = hypergraph(start, notes)
    grown = grow(before, conversation, notes, last.turns[n:])
    whole = hypergraph(conversation, notes)
    ids = {e.anchor: e.id for e in grown.hyperedges}
    assert all(ids[e.anchor] == e.id for e in before.hyperedges)
    assert {(e.anchor, e.memberships) for e in grown.hyperedges} == {
        (e.anchor, e.memberships) for e in whole.hyperedges
    }


@given(conversations)
def test_a_turn_is_in_a_hyperedge_exactly_when_the_hyperedge_is_of_the_turn(conversation):
    graph = remembered(conversation).hypergraph
    for turn in conversation.turns:
        held = graph.of(turn.id)
        assert held == tuple(e for e in graph.hyperedges if turn.id in e.members)


def test_an_empty_talk_has_no_anchors():
    assert remembered(EMPTY).hypergraph == Hypergraph()


@pytest.mark.parametrize(
    ("grain", "keys"),
    [
        (Grain.DAY, ["2022-12-31", "2023-01-01", "2022-W52", "2022-12", "2023-01", "2022", "2023"]),
        (Grain.WEEK, ["2022-W52", "2022-12", "2023-01", "2022", "2023"]),
        (Grain.MONTH, ["2022-12", "2023-01", "2022", "2023"]),
        (Grain.YEAR, ["2022", "2023"]),
    ],
)
def test_a_stretch_joins_its_own_grain_and_coarser_ones(grain, keys):
    stretch = Interval(datetime(2022, 12, 31, tzinfo=UTC), datetime(2023, 1, 2, tzinfo=UTC), grain)
    assert [a.key for a in calendar.spoken_of(stretch)] == keys


def test_the_last_day_of_the_calendar_has_keys():
    end = datetime(9999, 12, 31, 23, tzinfo=UTC)
    assert calendar.key(AnchorKind.WEEK, date(9999, 12, 31)) == "9999-W52"
    assert len(calendar.spoken_of(Interval(end, end, Grain.DAY))) == 4
