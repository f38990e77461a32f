"""Differences, flip points and sweeps on the sample dialogue, each held against a real run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore import pipeline
from memcore.errors import SettingsError
from memcore.settings import SAFE
from memcore.types import EntryId, Memory, Reply, TurnId
from memcore.what_if import recompute
from memcore.what_if.difference import difference
from memcore.what_if.flip import Flip, NoFlip, fates, flip, least
from memcore.what_if.recompute import Desk
from memcore.what_if.sweep import Asked, Point, flats, held, sweep, values
from tests.what_if.talk import PARTS, QUESTIONS

TIGHT = replace(SAFE, turn_budget=4, semantic_k=5, lexical_k=1, entry_budget=8, graph_tokens=90)


def desk(memory: Memory, system: str, settings=TIGHT, question: str = QUESTIONS[1]) -> Desk:
    retriever = recompute.retriever(system, memory, settings, PARTS)
    *_, reply = pipeline.ask(memory, question, retriever, None)
    assert isinstance(reply, Reply)
    return recompute.desk(memory, reply, PARTS)


def lost(at: Desk, most: int = 2) -> list:
    """Items that were dropped, a few of each stage."""
    packed = set(at.reply.context.items)
    found = []
    for step in at.reply.trace.steps:
        fresh = [d.item for d in step.dropped if d.item not in packed and d.item not in found]
        found += fresh[:most]
    return found


@pytest.mark.parametrize("system", ["edgemem", "ariadnemem-safe", "bm25"])
def test_below_a_flip_point_the_item_is_out_and_at_it_in(system, memory):
    at = desk(memory, system)
    found = [f for item in lost(at) if isinstance(f := flip(at, item), Flip)]
    assert found
    for one in found:
        for value, inside in ((one.value - 1, False), (one.value, True)):
            settings = replace(TIGHT, **{one.setting: value})
            retriever = recompute.retriever(system, memory, settings, PARTS)
            *_, reply = pipeline.ask(memory, QUESTIONS[1], retriever, None)
            assert (one.item in reply.context.items) is inside, one


def test_a_flip_point_names_its_price(memory):
    at = desk(memory, "edgemem")
    item = next(d.item for d in at.reply.trace.steps[-1].dropped if d.reason == "over_turn_budget")
    found = flip(at, item)
    assert isinstance(found, Flip)
    after = recompute.instant(at, replace(TIGHT, turn_budget=found.value)).reply
    new = set(after.context.items) - set(at.reply.context.items)
    assert (found.setting, found.before) == ("turn_budget", 4)
    assert found.others == len(new) - 1
    assert found.tokens == after.context.tokens - at.reply.context.tokens


def test_what_is_packed_or_never_came_has_no_flip_point(memory):
    at = desk(memory, "edgemem")
    assert flip(at, at.reply.context.items[0]) is NoFlip.PACKED
    assert flip(at, EntryId(1)) is NoFlip.NEVER_ENTERED


def test_only_the_filter_that_dropped_the_item_is_tried(memory):
    at = desk(memory, "ariadnemem-safe")
    for item in lost(at, 1):
        found = flip(at, item)
        last = fates(at.reply.trace, item)[0]
        if isinstance(found, Flip):
            wanted = {
                "dense": {"semantic_k", "lexical_k"},
                "lexical": {"semantic_k", "lexical_k"},
                "node_budget": {"entry_budget"},
                "serialize": {"graph_tokens"},
            }
            assert found.setting in wanted[last.stage]


@given(st.integers(1, 400), st.integers(0, 400), st.integers(1, 400))
def test_the_least_value_is_found_wherever_it_lies(point, before, above):
    start, top = min(before, point - 1), max(before, point) + above
    assert least(lambda v: v >= point, start, top) == point


# ---------------------------------------------------------------- differences


def test_no_change_moves_nothing(memory):
    at = desk(memory, "edgemem")
    found = difference(at.reply, at.reply)
    assert found.changed == ()
    assert found.same_packet


def test_what_a_smaller_budget_takes_left_at_pack_and_nothing_entered(memory):
    at = desk(memory, "edgemem")
    found = difference(at.reply, recompute.instant(at, replace(TIGHT, turn_budget=3)).reply)
    assert [s.stage for s in found.changed] == ["pack", "packet"]
    assert (len(found.packed.entered), len(found.packed.left)) == (0, 1)
    assert found.items == (4, 3)
    assert not found.same_packet


def test_every_item_of_a_stage_is_counted_once(memory):
    at = desk(memory, "ariadnemem-safe")
    after = recompute.instant(at, replace(TIGHT, semantic_k=9, entry_budget=10)).reply
    for shift in difference(at.reply, after).stages[:-1]:
        was = {c.item for s in at.reply.trace.steps if s.name == shift.stage for c in s.kept}
        now = {c.item for s in after.trace.steps if s.name == shift.stage for c in s.kept}
        assert {s.item for s in shift.entered} == now - was
        assert {s.item for s in shift.left} == was - now
        assert {s.item for s in shift.moved} <= was & now


# ---------------------------------------------------------------- sweeps


def test_a_sweep_counts_gold_and_tokens_at_each_value(memory):
    gold = (TurnId(7, 6), TurnId(1, 8))
    at = desk(memory, "edgemem", SAFE, QUESTIONS[0])
    *_, done = sweep("turn_budget", (Asked(at, gold),))
    assert done.done == done.total == len(done.points) == 9
    for point in done.points:
        reply = recompute.instant(at, replace(SAFE, turn_budget=int(point.value))).reply
        assert point.found == held(memory, reply, gold)
        assert point.tokens == reply.context.tokens
        assert (point.gold, point.questions) == (2, 1)


def test_a_sweep_of_several_questions_adds_them_up(memory):
    gold = (TurnId(7, 6),)
    both = tuple(Asked(desk(memory, "edgemem", SAFE, q), gold) for q in QUESTIONS)
    *_, done = sweep("core", both)
    assert [p.value for p in done.points] == [False, True]
    assert {p.gold for p in done.points} == {2}


def test_shares_cannot_be_swept_alone(memory):
    at = desk(memory, "edgemem")
    with pytest.raises(SettingsError, match="core_share"):
        next(sweep("core_share", (Asked(at, ()),)))


def test_values_stay_in_the_range_of_the_setting():
    assert values("path_entries", SAFE)[0] == 2
    assert values("key_share", SAFE)[-1] == 1.0
    assert values("spread_turns", SAFE) == (0, 1, 2, 3, 4)


def test_flat_stretches_are_found():
    points = [Point(v, found, 9, 0, 1) for v, found in enumerate([1, 2, 2, 2, 3, 3, 4, 4, 4, 4])]
    assert [(a.value, b.value) for a, b in flats(points)] == [(1, 3), (6, 9)]
    assert flats([]) == ()
