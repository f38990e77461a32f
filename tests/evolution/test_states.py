"""States: what a graph says of an entry, up to a session."""

from __future__ import annotations

from dataclasses import replace

from memcore.evolution.states import State, states
from memcore.types import (
    Action,
    Change,
    Decision,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    TurnId,
)
from tests.evolution.talk import at, conversation, entry, turn

E1, E2, E3, E4 = (EntryId(n) for n in range(1, 5))
GRAPH = EvolutionGraph(
    entries=(
        entry(1, "Ana lives in Porto.", "D1:1", said_at=at(0)),
        entry(3, "Ana lives in Lisbon.", "D3:1", said_at=at(200)),
        entry(4, "Ana lives in Porto again.", "D4:1", said_at=at(300)),
    ),
    merged=(entry(2, "Ana lives in Porto.", "D2:5", said_at=at(100)),),
    decisions=(
        Decision(E1, Action.ADD),
        Decision(E2, Action.MERGE, E1, 1.0, 1.0, Change.SAME_FACT),
        Decision(E3, Action.LINK, E1, 0.9, 0.5, Change.OBJECT_DIFFERS),
        Decision(E4, Action.LINK, E3, 0.9, 0.5, Change.OBJECT_DIFFERS),
    ),
    edges=(
        EvolutionEdge(E1, E3, 0.9, 0.5, supersedes=True),
        EvolutionEdge(E3, E4, 0.9, 0.5, supersedes=True),
    ),
)


def test_each_entry_has_one_state():
    now = states(GRAPH)
    assert [now.state(EntryId(n)) for n in range(1, 6)] == [
        State.SUPERSEDED,
        State.MERGED,
        State.SUPERSEDED,
        State.ACTIVE,
        State.UNKNOWN,
    ]
    assert (now.superseded_by(E1), now.newest(E1), now.newest(E4)) == (E3, E4, E4)


def test_what_was_replaced_later_was_current_before():
    then = states(GRAPH, as_of=2)
    assert then.state(E1) is State.ACTIVE
    assert then.state(E3) is State.UNKNOWN
    assert then.newest(E1) == E1


def test_a_merge_adds_its_source_and_its_time():
    now = states(GRAPH)
    assert now.merged_into(E2) == E1
    assert now.merged_from(E1) == (E2,)
    assert now.sources(E1) == (TurnId(1, 1), TurnId(2, 5))
    assert now.observed_at(E1) == (at(0), at(100))
    assert now.newest_time(E1) == at(100)


def test_before_the_merge_there_is_one_source():
    then = states(GRAPH, as_of=1)
    assert then.sources(E1) == (TurnId(1, 1),)
    assert then.newest_time(E1) == at(0)


def test_a_chain_tells_was_and_is():
    (chain,) = states(GRAPH).chains()
    assert chain.entries == (E1, E3, E4)
    assert chain.current == E4
    assert [(e.older, e.newer) for e in chain.edges] == [(E1, E3), (E3, E4)]
    assert states(GRAPH, as_of=2).chains() == ()


def test_an_edge_that_replaces_nothing_makes_no_chain():
    graph = replace(GRAPH, edges=(EvolutionEdge(E1, E3, 0.9, 0.5),))
    assert states(graph).chains() == ()
    assert states(graph).superseded_by(E1) is None


TALK = conversation(
    turn("D1:1", "I live in Porto.", 0),
    turn("D2:5", "Porto is my home.", 100),
    turn("D3:1", "I live in Lisbon now.", 200),
    turn("D4:1", "Back in Porto!", 300),
)


def test_a_shift_tells_was_and_is_with_quote_date_similarity_and_reason():
    first, second = states(GRAPH).shifts(E1, TALK)
    assert (first.was.id, first.now.id, second.was.id, second.now.id) == (E1, E3, E3, E4)
    assert [t.text for t in first.was_quotes] == ["I live in Porto.", "Porto is my home."]
    assert [t.text for t in second.now_quotes] == ["Back in Porto!"]
    assert (first.said_at, second.said_at) == (at(200), at(300))
    assert (second.similarity, second.overlap, second.reason) == (0.9, 0.5, Change.OBJECT_DIFFERS)


def test_a_change_back_is_a_third_state_and_asked_earlier_it_is_not_there_yet():
    assert len(states(GRAPH).shifts(E4, TALK)) == 2
    assert [s.now.id for s in states(GRAPH, as_of=3).shifts(E1, TALK)] == [E3]
    assert states(GRAPH, as_of=2).shifts(E1, TALK) == ()
