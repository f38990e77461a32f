"""Where gold is lost, on replies written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from memcore.evaluation.survival import Sources, first_loss, joined, survival
from memcore.settings import SAFE
from memcore.types import (
    Action,
    Anchor,
    AnchorId,
    AnchorKind,
    Answer,
    Beat,
    Candidate,
    Context,
    Cue,
    Decision,
    EdgeKind,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    GraphEdge,
    Hyperedge,
    Hypergraph,
    Item,
    Membership,
    Memory,
    Query,
    Reply,
    Span,
    SpanPart,
    Step,
    Trace,
    TurnId,
)
from tests.test_pipeline import talk

D11, D12, D21, D22, D31 = (TurnId(s, t) for s, t in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1)))
TEA = Hyperedge(AnchorId(1), Anchor(AnchorKind.LEXICAL, "tea"), (Membership(D11), Membership(D21)))
NONE = np.zeros((0, 0), dtype=np.float32)
E1, E2, E3 = EntryId(1), EntryId(2), EntryId(3)
GRAPH = EvolutionGraph(
    entries=(Entry(E1, "a", (D11,)), Entry(E2, "b", (D21,))),
    merged=(Entry(E3, "a", (D31,)),),
    decisions=(
        Decision(E1, Action.ADD),
        Decision(E2, Action.LINK, E1),
        Decision(E3, Action.MERGE, E1),
    ),
    edges=(EvolutionEdge(E1, E2, 0.8, 0.5, supersedes=True),),
)
MEMORY = Memory(talk(), (), Hypergraph((TEA,)), GRAPH, NONE, NONE)


def step(name: str, beat: Beat, kept: Sequence[Item], *, used: bool = True, final: bool = False):
    return Step(name, beat, kept=tuple(Candidate(i, 1.0) for i in kept), used=used, final=final)


def reply(
    steps: Sequence[Step], packed: Sequence[tuple[Item, tuple[TurnId, ...]]], answer=None
) -> Reply:
    spans = tuple(
        Span(SpanPart.ITEM, 0, 0, 1, item=item, sources=sources) for item, sources in packed
    )
    cue = Cue(0, 3, AnchorKind.LEXICAL, "tea", (AnchorId(1),))
    trace = Trace(Query("tea"), "edgemem", SAFE, cues=(cue,), steps=tuple(steps))
    return Reply(trace, Context("", spans, len(spans)), answer)


TURNS = (
    step("cues", Beat.CUE, ()),
    step("activate", Beat.ACTIVATE, ()),
    step("core", Beat.COLLECT, (D11, D12)),
    step("hop", Beat.CONNECT, (D11, D12, D22)),
    step("union", Beat.CONNECT, (D11, D22)),
    step("pack", Beat.PACK, (D11,)),
)


def test_each_stage_counts_the_gold_that_is_still_there() -> None:
    found = survival(
        Sources(MEMORY, facts=False), reply(TURNS, [(D11, (D11,))]), (D11, D12, D22, D31)
    )
    # all written; "tea" activates D1:1; collected D1:1, D1:2; connected D1:1, D2:2; packed D1:1
    assert found.counts == (4, 1, 2, 2, 1, 1)
    assert found.used == (True, True, True, True, True, False)
    # D1:1 kept, D1:2 lost when connected, D2:2 lost when packed, D3:1 never activated
    assert found.fates == "+NPA"
    assert first_loss(found.fates) == "A"


def test_a_stage_that_a_system_lacks_repeats_the_one_before() -> None:
    steps = (
        step("activate", Beat.ACTIVATE, (), used=False),
        step("bm25", Beat.COLLECT, (D11,)),
        step("connect", Beat.CONNECT, (D11,), used=False),
        step("pack", Beat.PACK, (D11,)),
    )
    found = survival(Sources(MEMORY, facts=False), reply(steps, [(D11, (D11,))]), (D11, D22))
    assert found.counts == (2, 2, 1, 1, 1, 1)
    assert found.used == (True, False, True, False, True, False)
    assert found.fates == "+C"


def test_gold_that_is_packed_and_not_cited_is_lost_at_the_end() -> None:
    answer = Answer("tea", citations=(D12,))
    found = survival(Sources(MEMORY, facts=False), reply(TURNS, [(D11, (D11,))], answer), (D11,))
    assert (found.counts[-1], found.fates) == (0, "X")


def test_a_fact_stands_for_its_turns_and_those_of_merged_facts() -> None:
    steps = (
        step("dense", Beat.COLLECT, (E1, E2)),
        step("base_graph", Beat.CONNECT, (E1, E2)),
        step("node_budget", Beat.PACK, (E1,)),
        step("paths", Beat.CONNECT, (E1,)),
        step("serialize", Beat.PACK, (E1,)),
    )
    found = survival(Sources(MEMORY, facts=True), reply(steps, [(E1, (D11, D31))]), (D31, D21, D12))
    # D1:2 was never written as a fact; D3:1 lives in E1, D2:1 in E2, which the node budget cut
    assert found.counts == (2, 2, 2, 2, 1, 1)
    assert found.fates == "+PW"


def test_what_a_fast_path_passes_over_is_lost_when_collecting() -> None:
    steps = (step("fast_path", Beat.CUE, (E2,), final=True),)
    found = survival(Sources(MEMORY, facts=True), reply(steps, [(E2, (D21,))]), (D21, D11))
    assert found.counts == (2, 2, 1, 1, 1, 1)
    assert found.fates == "+C"


def test_an_update_is_shown_where_the_packet_holds_both_states() -> None:
    sources = Sources(MEMORY, facts=True)
    assert sources.updates((E1, E2)) == (1, 1)
    assert sources.updates((E1,)) == (1, 0)
    assert sources.updates((E2,)) == (0, 0)


@pytest.mark.parametrize(
    ("edges", "gold", "holds"),
    [
        (((D11, D12), (D12, D22)), (D11, D22), True),  # by way of D1:2
        (((D11, D12),), (D11, D22), False),
        (((D11, D12),), (D11,), None),  # nothing to join
        ((), (D11, D22), None),  # the system draws no edges
    ],
)
def test_gold_is_joined_if_edges_lead_from_one_to_the_other(edges, gold, holds) -> None:
    drawn = tuple(GraphEdge(a, b, EdgeKind.ENTITY) for a, b in edges)
    steps = (Step("hop", Beat.CONNECT, edges=drawn),)
    assert joined(Sources(MEMORY, facts=False), reply(steps, []), gold) is holds
