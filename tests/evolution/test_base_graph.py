"""The base graph against Eq. 8: entity sets meet, or nearer than six hours, on all pairs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from memcore.evolution.base_graph import base_graph
from memcore.evolution.facts import facts, hubs
from memcore.settings import PAPER, SAFE
from memcore.types import Action, Decision, EdgeKind, EntryId, EvolutionEdge
from tests.evolution.talk import after, at, entry, given, memory, pairs


def at_hours(*hours, **others):
    return [
        entry(n, f"fact {n}", said_at=None if h is None else at(h), keywords=(), **others)
        for n, h in enumerate(hours, 1)
    ]


def graph(made, settings=PAPER, **stored):
    held = memory(made, **stored)
    start = given(*(e.id.n for e in made), settings=settings)
    return after(start, base_graph(facts(held, settings)), memory=held).steps[-1]


@pytest.mark.parametrize(("hours", "joined"), [(5.999, True), (6.0, False), (None, False)])
def test_two_facts_are_joined_by_time_strictly_inside_six_hours(hours, joined):
    step = graph(at_hours(0, hours))
    assert pairs(step.edges) == ([(1, 2)] if joined else [])
    assert all(e.kind is EdgeKind.TIME for e in step.edges)


def test_a_shared_entity_joins_whatever_the_gap_and_is_named():
    step = graph(at_hours(0, 500, entities=("Porto",)))
    (edge,) = step.edges
    assert (edge.kind, edge.shared, edge.hours) == (EdgeKind.ENTITY, ("porto",), 500.0)


def test_an_edge_runs_from_the_earlier_to_the_later_time_and_by_id_where_a_time_is_unknown():
    assert pairs(graph(at_hours(3, 0)).edges) == [(2, 1)]
    assert pairs(graph(at_hours(0, 0)).edges) == [(1, 2)]
    assert pairs(graph(at_hours(3, None, persons=("ana",))).edges) == [(1, 2)]


@given_by(st.lists(st.tuples(st.integers(0, 20), st.sampled_from(["", "a", "b"])), max_size=7))
def test_eq_8_holds_on_all_pairs(made):
    entries = [
        entry(n, "x", said_at=at(hours), entities=(name,) if name else (), keywords=())
        for n, (hours, name) in enumerate(made, 1)
    ]
    expected = {
        (one[1], other[1])
        for one, other in itertools.permutations([(h, n, k) for n, (h, k) in enumerate(made, 1)], 2)
        if (one[0], one[1]) < (other[0], other[1])
        and (abs(one[0] - other[0]) < 6 or (one[2] and one[2] == other[2]))
    }
    assert set(pairs(graph(entries).edges)) == expected


def test_an_entity_of_more_than_a_share_of_the_entries_is_a_hub():
    made = [entry(n, "x", persons=("ana",) if n <= 2 else ()) for n in range(1, 11)]
    assert hubs(tuple(made), 0.2) == frozenset()  # 2 of 10 is the share, not more
    assert hubs(tuple(made), 0.19) == {"ana"}
    assert hubs(tuple(made), 1.0) == frozenset()


def test_hubs_join_in_the_paper_preset_alone():
    made = at_hours(0, 100, 200, persons=("ana",))
    assert len(graph(made, PAPER).edges) == 3
    assert graph(made, SAFE).edges == ()


UPDATE = {
    "edges": (EvolutionEdge(EntryId(1), EntryId(3), 0.9, 0.5, supersedes=True),),
    "decisions": (
        Decision(EntryId(1), Action.ADD),
        Decision(EntryId(2), Action.ADD),
        Decision(EntryId(3), Action.LINK, EntryId(1), 0.9, 0.5),
    ),
}


def test_the_successor_of_a_replaced_entry_is_pulled_in():
    held = memory(at_hours(0, 100, 200), **UPDATE)
    step = after(given(1, 2), base_graph(facts(held, SAFE)), memory=held).steps[-1]
    assert [(c.item.n, c.channel) for c in step.entered] == [(3, "successor")]
    assert [(e.kind, e.score) for e in step.edges] == [(EdgeKind.SUCCESSOR, 0.9)]


def test_a_stored_link_between_retrieved_entries_is_an_edge():
    step = graph(at_hours(0, 100, 200), SAFE, **UPDATE)
    assert step.entered == ()
    assert [(e.source.n, e.target.n, e.kind) for e in step.edges] == [(1, 3, EdgeKind.LINK)]


def test_the_paper_preset_pulls_in_nothing():
    held = memory(at_hours(0, 100, 200), **UPDATE)
    step = after(given(1, 2, settings=PAPER), base_graph(facts(held, PAPER)), memory=held).steps[-1]
    assert (step.entered, step.edges) == ((), ())
