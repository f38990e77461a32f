"""Node budget and paths (Eq. 10): prune, then mine; no hop without an edge between kept facts."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from memcore.evolution.base_graph import base_graph, edges_of, entry_ids
from memcore.evolution.bridges import bridges
from memcore.evolution.facts import facts
from memcore.evolution.node_budget import node_budget
from memcore.evolution.paths import mine, paths
from memcore.evolution.serialization import token_cap
from memcore.settings import PAPER, SAFE, Settings
from memcore.types import (
    Action,
    Decision,
    EdgeKind,
    EntryId,
    EvolutionEdge,
    GraphEdge,
    Reason,
)
from tests.evolution.talk import after, at, entry, given, memory
from tests.parts import FunctionEmbedder

QUERY = FunctionEmbedder(lambda _text: (1.0, 0.0))


def edges(*ends):
    return [GraphEdge(EntryId(a), EntryId(b), EdgeKind.TIME) for a, b in ends]


def mined(ends, hours, longest=3, limit=10, named=(), prefers_entities=False):
    moments = {EntryId(n): None if h is None else at(h) for n, h in enumerate(hours, 1)}
    joining = [GraphEdge(EntryId(a), EntryId(b), EdgeKind.ENTITY) for a, b in named]
    found = mine([*edges(*ends), *joining], moments, longest, limit, prefers_entities)
    return [tuple(e.n for e in p.entries) for p in found]


def test_longest_first_then_the_narrower_span_then_the_earlier_start():
    # times 0, 1, 2, 10: of the paths of three 1-2-3 spans 2 h, 2-3-4 9 h, 1-2-4 10 h;
    # of those of two 1-2 and 2-3 span 1 h (1 starts earlier), 3-4 8 h, 2-4 9 h
    found = mined([(1, 2), (2, 3), (3, 4), (2, 4)], [0, 1, 2, 10])
    assert found == [(1, 2, 3), (2, 3, 4), (1, 2, 4), (1, 2), (2, 3), (3, 4), (2, 4)]


def test_the_cap_leaves_the_best():
    assert mined([(1, 2), (2, 3), (3, 4), (2, 4)], [0, 1, 2, 10], limit=4) == [
        (1, 2, 3),
        (2, 3, 4),
        (1, 2, 4),
        (1, 2),
    ]


def test_preferred_entities_come_before_the_narrower_span():
    # 1-2-3 lies in one hour and is joined by time alone; 1-4-5 spans 90 h and shares names
    ends, named = [(1, 2), (2, 3), (3, 4)], [(1, 4), (4, 5)]
    hours = [0, 0.5, 1, 40, 90]
    printed = mined(ends, hours, limit=1, named=named)
    assert printed == [(1, 2, 3)]
    preferred = mined(ends, hours, limit=3, named=named, prefers_entities=True)
    # then 3-4-5 with one hop of mere time, then 1-2-3 with two, narrower than 2-3-4
    assert preferred == [(1, 4, 5), (3, 4, 5), (1, 2, 3)]


def test_a_hop_with_a_second_reason_is_not_mere_time():
    found = mined([(1, 2), (1, 3)], [0, 1, 5], limit=1, named=[(1, 3)], prefers_entities=True)
    assert found == [(1, 3)]


def test_the_presets_order_their_paths():
    assert (SAFE.path_prefers_entities, PAPER.path_prefers_entities) == (True, False)


def test_length_is_counted_in_nodes():
    assert mined([(1, 2), (2, 3)], [0, 1, 2], longest=2) == [(1, 2), (2, 3)]


def test_time_never_goes_back_even_across_an_unknown_time():
    # a stored link may run from 5 h to 1 h; 5 h -> unknown -> 1 h goes back as well
    assert mined([(1, 2)], [5, 1]) == []
    assert mined([(1, 2), (2, 3)], [5, None, 1]) == [(2, 3), (1, 2)]  # the earlier start
    assert mined([(1, 2)], [5, 5]) == [(1, 2)]


def test_no_limit_no_path():
    assert mined([(1, 2)], [0, 1], limit=0) == []


hours = st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=6)


@given_by(hours, st.data(), st.integers(2, 4), st.integers(0, 12), st.booleans())
def test_the_search_equals_listing_and_sorting_all(found_hours, data, longest, limit, prefers):
    n = len(found_hours)
    ends = data.draw(st.sets(st.tuples(st.integers(1, n), st.integers(1, n)), max_size=12))
    ends = sorted(e for e in ends if e[0] != e[1])
    named = [e for e in ends if data.draw(st.booleans())] if prefers else []

    def grows(chain):
        known = [found_hours[e - 1] for e in chain if found_hours[e - 1] is not None]
        return known == sorted(known)

    def key(chain):
        known = [found_hours[e - 1] for e in chain if found_hours[e - 1] is not None]
        start = known[0] if known else float("inf")
        idle = sum(hop not in named for hop in itertools.pairwise(chain)) if prefers else 0
        return (-len(chain), idle, known[-1] - known[0] if known else 0, start, chain)

    every = [
        chain
        for length in range(2, longest + 1)
        for chain in itertools.permutations(range(1, n + 1), length)
        if all(hop in ends for hop in itertools.pairwise(chain)) and grows(chain)
    ]
    found = mined(ends, found_hours, longest, limit, named, prefers)
    assert found == sorted(every, key=key)[:limit]


def budgeted(count, terminals, settings, **graph):
    made = [entry(n, f"fact {n}", said_at=at(100 * n), keywords=()) for n in range(1, count + 1)]
    held = memory(made, [(0.0, 1.0)] * count, **graph)
    known = facts(held, settings)
    start = given(*terminals, settings=settings)
    return after(start, base_graph(known), bridges(known, QUERY), node_budget(known), memory=held)


def test_the_worst_ranked_go_first_with_their_rank():
    settings = Settings(entry_budget=8, bridges=False)
    step = budgeted(10, range(1, 11), settings).steps[-1]
    assert [c.item.n for c in step.kept] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [(d.item.n, d.reason, d.value, d.limit) for d in step.dropped] == [
        (9, Reason.OVER_NODE_BUDGET, 9, 8),
        (10, Reason.OVER_NODE_BUDGET, 10, 8),
    ]


def test_never_fewer_than_the_least_budget():
    settings = Settings(entry_budget=2, entry_budget_min=8, bridges=False)
    assert len(budgeted(10, range(1, 11), settings).candidates) == 8


def test_a_bridge_and_both_its_ends_stay_where_the_ends_are_kept():
    # terminals E1, E3 lie apart and E2 is between: ranks 4 and 5 of the terminals are E3 and E1
    settings = Settings(
        entry_budget=4,
        entry_budget_min=1,
        bridge_max_hours=200.0,
        bridge_keeps_ends=True,
        bridge_terminals=5,
    )
    found = budgeted(40, (20, 30, 40, 3, 1), settings)
    assert {c.item.n for c in found.candidates} >= {1, 2, 3}
    assert len(found.candidates) == 4


def test_in_the_safe_preset_the_ends_of_a_bridge_are_cut_by_rank_and_the_bridge_stays():
    # of the five terminals and the bridge E2, four stay: E2 and the three best ranked
    settings = Settings(
        entry_budget=4, entry_budget_min=1, bridge_max_hours=200.0, bridge_terminals=5
    )
    step = budgeted(40, (20, 30, 40, 3, 1), settings).steps[-1]
    assert [c.item.n for c in step.kept] == [20, 30, 40, 2]
    assert [(d.item.n, d.value, d.limit) for d in step.dropped] == [(3, 5, 4), (1, 6, 4)]


def test_the_newest_state_of_an_updated_fact_stays():
    link = EvolutionEdge(EntryId(1), EntryId(9), 0.9, 0.5, supersedes=True)
    decisions = tuple(
        Decision(EntryId(n), *((Action.LINK, EntryId(1)) if n == 9 else (Action.ADD,)))
        for n in range(1, 11)
    )
    settings = Settings(entry_budget=3, entry_budget_min=1, bridges=False)
    found = budgeted(10, (2, 3, 1, 4), settings, edges=(link,), decisions=decisions)
    assert sorted(c.item.n for c in found.candidates) == [2, 3, 9]


def stages(known):
    return (
        base_graph(known),
        bridges(known, QUERY),
        node_budget(known),
        paths(known),
        token_cap(known),
    )


talks = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 400)),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from([(1.0, 0.0), (0.8, 0.6), (0.0, 1.0)]),
    ),
    min_size=1,
    max_size=14,
)


@given_by(
    talks, st.data(), st.sampled_from([PAPER, SAFE]), st.integers(2, 10), st.integers(50, 120)
)
def test_every_hop_of_every_path_is_an_edge_between_packed_facts(made, data, preset, budget, cap):
    settings = replace(preset, entry_budget=budget, entry_budget_min=1, graph_tokens=cap)
    entries = [
        entry(n, f"fact {n} is told here", said_at=None if h is None else at(h), keywords=(),
              entities=(name,) if name else ())
        for n, (h, name, _row) in enumerate(made, 1)
    ]  # fmt: skip
    held = memory(entries, [row for _h, _name, row in made])
    chosen = data.draw(st.lists(st.integers(1, len(made)), unique=True, max_size=8))
    found = after(given(*chosen, settings=settings), *stages(facts(held, settings)), memory=held)
    packed = set(entry_ids(found.candidates))
    ends = {(e.source, e.target) for e in edges_of(found, tuple(packed))}
    for path in found.steps[-1].paths:
        assert packed >= set(path.entries)
        assert all(hop in ends for hop in itertools.pairwise(path.entries))
        assert 2 <= len(path.entries) <= settings.path_entries


@pytest.mark.parametrize("settings", [Settings(mine_paths=False), Settings(path_limit=0)])
def test_switched_off_paths_are_none(settings):
    made = [entry(n, "x", said_at=at(n)) for n in (1, 2)]
    held = memory(made)
    known = facts(held, settings)
    start = given(1, 2, settings=settings)
    assert after(start, base_graph(known), paths(known), memory=held).steps[-1].paths == ()
