"""Bridges against Eq. 9: different components, nearest first, inside gap limits and interval."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcore.evolution.base_graph import base_graph
from memcore.evolution.bridges import bridges
from memcore.evolution.facts import facts
from memcore.settings import PAPER, SAFE, Settings
from memcore.types import EdgeKind, EntryId, Reason
from tests.evolution.talk import after, at, entry, given, memory, pairs
from tests.parts import FunctionEmbedder

QUERY = FunctionEmbedder(lambda _text: (1.0, 0.0))
NEVER = FunctionEmbedder(lambda text: pytest.fail(f"{text} was embedded"))
ROW = {1.0: (1.0, 0.0), 0.8: (0.8, 0.6), 0.6: (0.6, 0.8), 0.0: (0.0, 1.0)}


def searched(hours, cosines, terminals, settings=SAFE, joined=()):
    """The bridge step over entries E1... at these hours, each with a cosine to every query."""
    made = [
        entry(n, f"fact {n}", said_at=None if h is None else at(h), keywords=(f"k{n}",),
              entities=("pair",) if n in joined else ())
        for n, h in enumerate(hours, 1)
    ]  # fmt: skip
    settings = replace(settings, hub_share=1.0)
    held = memory(made, [ROW[c] for c in cosines])
    known = facts(held, settings)
    start = given(*terminals, settings=settings)
    return after(start, base_graph(known), bridges(known, QUERY), memory=held).steps[-1]


def test_the_best_fact_between_two_islands_becomes_their_bridge():
    step = searched([0, 10, 20, 30], [0.0, 0.6, 0.8, 0.0], (1, 4))
    (gap,) = step.gaps
    assert (gap.older.n, gap.newer.n, gap.hours, gap.bridge) == (1, 4, 30.0, EntryId(3))
    assert gap.query == ("k1", "k4")
    assert [(c.item.n, c.cosine, c.reason) for c in gap.candidates] == [
        (3, 0.8, None),
        (2, 0.6, Reason.NOT_BEST),
    ]
    assert pairs(step.edges) == [(1, 3), (3, 4)]
    assert {e.kind for e in step.edges} == {EdgeKind.BRIDGE}
    assert [(c.item.n, c.channel) for c in step.kept] == [(1, "dense"), (4, "dense"), (3, "bridge")]
    (drop,) = step.dropped
    assert (drop.item.n, drop.reason, drop.value, drop.limit, drop.other) == (
        2, Reason.NOT_BEST, 0.6, 0.8, EntryId(3))  # fmt: skip


@pytest.mark.parametrize(
    ("hours", "reason"),
    [
        (0.999, Reason.GAP_TOO_SHORT),
        (1.0, None),
        (168.0, None),
        (168.001, Reason.GAP_TOO_LONG),
    ],
)
def test_both_gap_limits_belong_to_what_is_searched(hours, reason):
    settings = replace(PAPER, near_hours=0.0)
    step = searched([0, hours / 2, hours], [0.0, 1.0, 0.0], (1, 3), settings)
    (gap,) = step.gaps
    assert gap.reason is reason
    assert (gap.bridge is None) is (reason is not None)


def test_the_safe_preset_has_no_longest_gap():
    assert searched([0, 4000, 9000], [0.0, 1.0, 0.0], (1, 3)).gaps[0].bridge == EntryId(2)


@pytest.mark.parametrize(
    ("hours", "inside"), [(0, True), (30, True), (-0.01, False), (30.01, False)]
)
def test_both_ends_of_the_interval_belong_to_it(hours, inside):
    step = searched([0, hours, 30], [0.0, 1.0, 0.0], (1, 3))
    assert (step.gaps[0].bridge is not None) is inside


def test_a_nearer_fact_outside_the_interval_is_written_down():
    step = searched([0, 10, 30, 99], [0.0, 0.6, 0.0, 1.0], (1, 3))
    assert [(c.item.n, c.reason) for c in step.gaps[0].candidates] == [
        (4, Reason.OUTSIDE_INTERVAL),
        (2, None),
    ]


def test_an_empty_interval_has_no_bridge():
    step = searched([0, 30, 99], [0.0, 0.0, 1.0], (1, 2))
    assert (step.gaps[0].bridge, step.gaps[0].reason) == (None, Reason.OUTSIDE_INTERVAL)


def test_joined_terminals_are_not_searched():
    assert searched([0, 10, 30], [0.0, 1.0, 0.0], (1, 3), joined=(1, 3)).gaps == ()


def test_terminals_without_a_time_have_no_gap():
    assert searched([0, 10, None], [0.0, 1.0, 0.0], (1, 3)).gaps == ()


def test_the_nearest_pair_comes_first_and_components_are_worked_out_again():
    # terminals E1 0 h, E3 20 h, E5 100 h; gaps 20 (1-3), 80 (3-5), 100 (1-5): after the first
    # two bridges 1 and 5 are joined, so two gaps are searched, not three
    step = searched([0, 10, 20, 60, 100], [0.0, 0.8, 0.0, 0.6, 0.0], (1, 3, 5))
    assert [(g.older.n, g.newer.n, g.bridge.n) for g in step.gaps] == [(1, 3, 2), (3, 5, 4)]


def test_pairs_beyond_the_first_round_are_searched_where_they_are_still_apart():
    # three terminals, so two texts a round; E3 at 25 h lies between E1 and E2, and after it has
    # joined them only E1 and E4 are left: what lies between those is a bridge already
    settings = replace(SAFE, near_hours=0.0)
    step = searched([0, 50, 25, 51], [0.0, 0.0, 1.0, 0.0], (1, 2, 4), settings)
    found = [(g.older.n, g.newer.n, g.bridge and g.bridge.n, g.reason) for g in step.gaps]
    assert found == [
        (2, 4, None, Reason.OUTSIDE_INTERVAL),
        (1, 2, 3, None),
        (1, 4, None, Reason.ALREADY_PRESENT),
    ]


def test_only_gaps_between_the_best_terminals_are_searched():
    # ranked E5, E1, E3: with two, the gap E1 - E5 is the only one, though E1 - E3 is nearer
    settings = Settings(bridge_terminals=2)
    step = searched([0, 10, 20, 60, 100], [0.0, 0.8, 0.0, 0.6, 0.0], (5, 1, 3), settings)
    assert [(g.older.n, g.newer.n, g.bridge.n) for g in step.gaps] == [(1, 5, 2)]


def test_the_paper_searches_the_gaps_of_all_terminals():
    step = searched([0, 10, 20, 60, 100], [0.0, 0.8, 0.0, 0.6, 0.0], (5, 1, 3), PAPER)
    assert [(g.older.n, g.newer.n, g.bridge.n) for g in step.gaps] == [(1, 3, 2), (3, 5, 4)]


@pytest.mark.parametrize(("floor", "bridge"), [(0.8, 3), (0.800001, None)])
def test_a_bridge_is_at_least_as_near_as_the_floor(floor, bridge):
    settings = Settings(bridge_floor=floor)
    step = searched([0, 10, 20, 30], [0.0, 0.6, 0.8, 0.0], (1, 4), settings)
    (gap,) = step.gaps
    assert (gap.bridge and gap.bridge.n, gap.reason) == (
        bridge,
        None if bridge else Reason.BELOW_FLOOR,
    )
    low = {d.item.n: (d.reason, d.value, d.limit) for d in step.dropped}
    assert low[2] == (Reason.BELOW_FLOOR, 0.6, floor)
    assert (3 in low) is (bridge is None)


def test_the_mean_of_two_stored_vectors_asks_for_a_gap_and_nothing_is_embedded():
    # the mean of (1, 0) and (0, 1) is (0.7071, 0.7071) as a unit: with (0.8, 0.6) its cosine is
    # 1.4 x 0.7071 = 0.989949, with (1, 0) it is 0.707107
    made = [entry(n, f"fact {n}", said_at=at(10 * n), keywords=()) for n in range(1, 5)]
    held = memory(made, [(1.0, 0.0), (1.0, 0.0), (0.8, 0.6), (0.0, 1.0)])
    known = facts(held, replace(SAFE, hub_share=1.0, bridge_stored_query=True))
    start = given(1, 4, settings=known.settings)
    step = after(start, base_graph(known), bridges(known, NEVER), memory=held).steps[-1]
    (gap,) = step.gaps
    assert [c.item.n for c in gap.candidates] == [3, 2]
    assert [c.cosine for c in gap.candidates] == pytest.approx([0.989949, 0.707107], abs=2e-6)
    assert (gap.bridge, gap.query) == (EntryId(3), ())


def test_only_the_best_five_inside_are_looked_at():
    hours = [0, *range(1, 8), 30]
    step = searched(hours, [0.0, *[0.6] * 7, 0.0], (1, 9), Settings(near_hours=0.0))
    assert [c.item.n for c in step.gaps[0].candidates] == [2, 3, 4, 5, 6]


def test_switched_off_bridges_leave_the_islands_apart():
    step = searched([0, 10, 30], [0.0, 1.0, 0.0], (1, 3), Settings(bridges=False))
    assert (step.used, step.edges, step.gaps) == (False, (), ())
