"""C_graph: facts in time order, updates, paths, marks, and the hard token cap."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given as given_by
from hypothesis import strategies as st

from memcore.evolution.base_graph import base_graph
from memcore.evolution.facts import facts
from memcore.evolution.paths import paths
from memcore.evolution.serialization import serialize, token_cap
from memcore.settings import SAFE, Settings
from memcore.types import (
    Action,
    BridgeCandidate,
    Change,
    Decision,
    EntryId,
    EvolutionEdge,
    Gap,
    Grain,
    GraphPath,
    Interval,
    Reason,
    TurnId,
)
from tests.evolution.talk import after, at, candidates, day, entry, given, memory

E1, E2, E3 = (EntryId(n) for n in (1, 2, 3))
MEMORY = memory(
    [
        entry(1, "Ana lives in Porto.", said_at=at(24)),
        entry(2, "Ana ran.", said_at=at(0), time=day("2023-04-20")),
        entry(3, "Ana lives in Lisbon.", "D2:1", said_at=at(48)),
    ],
    edges=(EvolutionEdge(E1, E3, 0.9, 0.5, supersedes=True),),
    decisions=(
        Decision(E1, Action.ADD),
        Decision(E2, Action.ADD),
        Decision(E3, Action.LINK, E1, 0.9, 0.5, Change.OBJECT_DIFFERS),
    ),
)
BRIDGED = Gap(E2, E3, 100.0, bridge=E1, candidates=(BridgeCandidate(E1, 0.5),))


def texts(lines):
    return [line.text for line in lines]


def test_facts_stand_in_time_order_then_updates_then_paths():
    found = serialize(MEMORY, candidates(3, 1, 2), (GraphPath((E2, E1, E3)),), (BRIDGED,))
    assert texts(found) == [
        "[F1] 2023-04-20: Ana ran.",
        "[F2] 2023-05-02 (bridge): Ana lives in Porto.",
        "[F3] 2023-05-03: Ana lives in Lisbon.",
        "F3 updates F2",
        "F1 -> F2 -> F3",
    ]
    assert [(line.item, line.label) for line in found[:3]] == [(E2, "F1"), (E1, "F2"), (E3, "F3")]
    assert found[2].sources == (TurnId(2, 1),)


def test_a_path_with_an_entry_that_is_not_kept_is_left_out():
    assert texts(serialize(MEMORY, candidates(1), (GraphPath((E2, E1)),), ())) == [
        "[F1] 2023-05-02: Ana lives in Porto."
    ]


def test_as_of_an_earlier_session_nothing_is_updated():
    found = serialize(MEMORY, candidates(1, 2), (), (), as_of=1)
    assert "updates" not in " ".join(texts(found))


def test_a_date_has_the_precision_in_which_it_was_named():
    year = Interval(day("2022-01-01").start, day("2023-01-01").start, Grain.YEAR)
    held = memory([entry(1, "Ana moved.", time=year), entry(2, "Ana sang.")])
    assert texts(serialize(held, candidates(1, 2), (), ())) == [
        "[F1] 2022: Ana moved.",
        "[F2] undated: Ana sang.",
    ]


def test_a_fact_over_the_cap_is_passed_over_and_the_next_is_tried():
    long = "word " * 60
    held = memory(
        [entry(n, text, said_at=at(n)) for n, text in ((1, "one."), (2, long), (3, "two."))]
    )
    settings = Settings(graph_tokens=50, mine_paths=False)
    step = after(given(1, 2, 3), token_cap(facts(held, settings)), memory=held).steps[-1]
    # "[F1] 2023-05-01: one." has 3 words, ceil(3.9) = 4 tokens; the long one 62, ceil(80.6) = 81
    assert [c.item for c in step.kept] == [E1, E3]
    assert [(d.item, d.reason, d.value, d.limit) for d in step.dropped] == [
        (E2, Reason.OVER_TOKEN_BUDGET, 85, 50)
    ]
    assert step.note == "8 of 50 tokens"


@given_by(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(50, 200))
def test_the_text_is_never_longer_than_the_cap(lengths, cap):
    settings = replace(SAFE, graph_tokens=cap, hub_share=1.0)
    made = [
        entry(n, "word " * length, said_at=at(n), entities=("a",), keywords=())
        for n, length in enumerate(lengths, 1)
    ]
    held = memory(made)
    known = facts(held, settings)
    start = given(*range(1, len(made) + 1), settings=settings)
    step = after(start, base_graph(known), paths(known), token_cap(known), memory=held).steps[-1]
    lines = serialize(held, step.kept, step.paths, step.gaps)
    assert sum(line.tokens for line in lines) <= cap
    assert step.note == f"{sum(line.tokens for line in lines)} of {cap} tokens"
