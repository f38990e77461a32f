from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.settings import PAPER, SAFE, Settings
from memcore.store import memories
from memcore.store.conversations import rename, save
from memcore.store.memories import Grown, Kind, Plan, as_known, build_settings, load_memory
from memcore.types import (
    Annotation,
    Conversation,
    Detection,
    Drop,
    Entry,
    EntryId,
    EvolutionGraph,
    Hypergraph,
    ImportReport,
    Memory,
    ReadResult,
    Reason,
    Session,
    Turn,
    TurnId,
)
from tests.store.values import (
    annotations_of,
    clear,
    conversations,
    evolution_of,
    hypergraph_of,
    rows_of,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GARDEN = Conversation(
    "garden",
    tuple(Session(n, (Turn(TurnId(n, 1), "Ana", f"Day {n}.", key=f"k{n}"),)) for n in (1, 2, 3)),
    key="garden",
)


def stored(db: Database, conversation: Conversation) -> int:
    report = ImportReport("own", Detection("own", 1, ""), turns=len(conversation.turns))
    return save(db, ReadResult((conversation,), (), report), NOW).dialogues[0]


def evolution_plan(settings: Settings) -> Plan:
    return Plan(Kind.ARIADNEMEM, build_settings(settings), "toy", "extractor")


def build_all(db: Database, number: int, memory: Memory, graphs: list[EvolutionGraph]) -> None:
    """Store a memory session by session, as the pipeline does."""
    last = memory.conversation.sessions[-1].index
    build = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    memories.complete(db, memories.add_annotations(db, build, last, memory.annotations))
    build = memories.start(db, number, Plan(Kind.VECTORS, embedder="toy"))
    turns = memory.conversation.turns
    memories.complete(db, memories.add_vectors(db, build, last, turns, memory.turn_vectors))
    build = memories.start(db, number, Plan(Kind.EDGEMEM))
    memories.complete(db, memories.add_hypergraph(db, build, last, memory.hypergraph))
    build, before = memories.start(db, number, evolution_plan(SAFE)), EvolutionGraph()
    for session, graph in zip(memory.conversation.sessions, graphs, strict=True):
        build = memories.add_evolution(db, build, session.index, added(before, graph))
        before = graph
    memories.complete(db, build)


def added(before: EvolutionGraph, after: EvolutionGraph) -> Grown:
    """What a graph grew by, with the vectors of `rows_of`."""
    parts = {
        name: getattr(after, name)[len(getattr(before, name)) :]
        for name in ("entries", "merged", "decisions", "edges", "dropped")
    }
    return Grown(EvolutionGraph(**parts), rows_of(len(after.entries))[len(before.entries) :])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Memory, list[EvolutionGraph]]:
    conversation = draw(conversations())
    graphs = evolution_of(conversation, draw)
    memory = Memory(
        conversation,
        annotations_of(conversation, draw),
        hypergraph_of(conversation, draw),
        graphs[-1],
        rows_of(len(graphs[-1].entries)),
        rows_of(len(conversation.turns)),
        "toy",
    )
    return memory, graphs


@settings(max_examples=12)
@given(case=cases())
def test_a_stored_memory_is_loaded_as_it_was(
    shared: Database, case: tuple[Memory, list[EvolutionGraph]]
) -> None:
    memory, graphs = case
    clear(shared)
    number = stored(shared, memory.conversation)
    build_all(shared, number, memory, graphs)
    found = load_memory(shared, number, SAFE)
    assert replace(found, fingerprint="") == memory
    assert found.turn_vectors.tolist() == memory.turn_vectors.tolist()
    assert found.vectors.tolist() == memory.vectors.tolist()
    assert found.fingerprint


@settings(max_examples=12)
@given(case=cases(), data=st.data())
def test_as_of_is_the_memory_of_the_sessions_until_then(
    shared: Database, case: tuple[Memory, list[EvolutionGraph]], data: st.DataObject
) -> None:
    memory, graphs = case
    last = data.draw(st.integers(1, len(graphs)))
    clear(shared)
    number = stored(shared, memory.conversation)
    build_all(shared, number, memory, graphs)
    found = load_memory(shared, number, SAFE, as_of=last)
    turns = [t for t in memory.conversation.turns if t.id.session <= last]
    assert list(found.conversation.turns) == turns
    assert [a.turn for a in found.annotations] == [t.id for t in turns]
    assert found.evolution == graphs[last - 1]
    assert len(found.vectors) == len(found.evolution.entries)
    assert found.turn_vectors.tolist() == memory.turn_vectors[: len(turns)].tolist()
    assert all(m.session <= last for h in found.hypergraph.hyperedges for m in h.members)


def test_a_run_finds_the_memory_that_it_read_when_another_extractor_has_built_since(
    db: Database,
) -> None:
    number = stored(db, GARDEN)
    first, second = (
        EvolutionGraph(dropped=(Drop(TurnId(n, 1), Reason.NO_STATEMENT),)) for n in (1, 2)
    )
    for name, graph in (("extractor", first), ("other", second)):
        plan = replace(evolution_plan(SAFE), parts=name)
        build = memories.start(db, number, plan)
        grown = Grown(graph, rows_of(0))
        build = memories.add_evolution(db, build, 3, grown)
        memories.complete(db, build)
        if name == "extractor":
            read = load_memory(db, number, SAFE)
    assert load_memory(db, number, SAFE).evolution == second
    for as_of, print_ in ((None, read.fingerprint), (2, as_known(read, 2).fingerprint)):
        found = memories.builds_of(db, number, SAFE, as_of, print_)
        assert memories.read_builds(db, number, found).evolution == first
    unknown = memories.builds_of(db, number, SAFE, None, "no such memory")
    assert memories.read_builds(db, number, unknown).evolution == second


def test_a_build_without_its_last_step_is_not_read(db: Database) -> None:
    number = stored(db, GARDEN)
    build = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    marks = tuple(Annotation(turn.id) for turn in GARDEN.turns)
    build = memories.add_annotations(db, build, 3, marks)
    assert load_memory(db, number, SAFE).annotations == ()
    memories.complete(db, build)
    assert load_memory(db, number, SAFE).annotations == marks


def test_a_build_goes_on_where_it_stopped(db: Database) -> None:
    number = stored(db, GARDEN)
    build = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    memories.add_annotations(db, build, 1, (Annotation(TurnId(1, 1)),))
    again = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    assert (again.id, again.sessions, again.complete) == (build.id, 1, False)


def test_paper_and_safe_of_one_dialogue_lie_side_by_side(db: Database) -> None:
    number = stored(db, GARDEN)
    drops = {}
    for preset in (PAPER, SAFE):
        build = memories.start(db, number, evolution_plan(preset))
        graphs = evolution_of(GARDEN, _first)
        build = memories.add_evolution(db, build, 3, added(EvolutionGraph(), graphs[0]))
        memories.complete(db, build)
        drops[build.digest] = build.id
    assert len(drops) == 2
    paper, safe = (load_memory(db, number, s) for s in (PAPER, SAFE))
    assert paper.evolution == safe.evolution
    assert paper.fingerprint != safe.fingerprint


def _first(strategy: st.SearchStrategy) -> object:
    """Draw nothing from lists and zero from numbers: the smallest graph."""
    return 0


def test_settings_that_act_only_when_asked_share_a_build() -> None:
    assert build_settings(replace(SAFE, turn_budget=5)) == build_settings(SAFE)
    assert build_settings(replace(SAFE, gate_hours=1)) == build_settings(SAFE)
    assert build_settings(PAPER) != build_settings(SAFE)


def test_new_sessions_take_back_only_the_completeness(db: Database) -> None:
    number = stored(db, GARDEN)
    build = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    marks = tuple(Annotation(turn.id) for turn in GARDEN.turns)
    memories.complete(db, memories.add_annotations(db, build, 3, marks))
    turn = Turn(TurnId(4, 1), "Ana", "Day 4.", key="k4")
    stored(db, replace(GARDEN, sessions=(*GARDEN.sessions, Session(4, (turn,)))))
    again = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    assert (again.sessions, again.complete) == (3, False)
    assert memories.marked(db, number) == marks


def test_a_changed_turn_takes_back_what_was_built_from_its_session_on(db: Database) -> None:
    number = stored(db, GARDEN)
    build = memories.start(db, number, Plan(Kind.ANNOTATIONS))
    marks = tuple(Annotation(turn.id) for turn in GARDEN.turns)
    memories.complete(db, memories.add_annotations(db, build, 3, marks))
    changed = replace(GARDEN.sessions[1].turns[0], text="Day two.")
    one, two, three = GARDEN.sessions
    stored(db, replace(GARDEN, sessions=(one, replace(two, turns=(changed,)), three)))
    assert memories.start(db, number, Plan(Kind.ANNOTATIONS)).sessions == 1
    assert memories.marked(db, number) == marks[:1]


def test_an_entry_whose_number_was_given_before_is_refused(db: Database) -> None:
    number = stored(db, GARDEN)
    build = memories.start(db, number, evolution_plan(SAFE))
    entry = Entry(EntryId(2), "Day 1.", (TurnId(1, 1),))
    grown = Grown(EvolutionGraph((entry,)), rows_of(1))
    build = memories.add_evolution(db, build, 1, grown)
    with pytest.raises(StoreError, match=r"E2 is there already; .* may only grow"):
        memories.add_evolution(db, build, 2, grown)
    assert memories.listing(db, number)[0].sessions == 1  # nothing of the step is stored


def test_a_memory_that_was_not_built_is_empty(db: Database) -> None:
    found = load_memory(db, stored(db, GARDEN), SAFE)
    assert found.conversation == GARDEN
    assert found.hypergraph == Hypergraph()
    assert found.evolution == EvolutionGraph()
    assert found.turn_vectors.shape[0] == found.vectors.shape[0] == 0


def test_renaming_a_dialogue_keeps_its_fingerprint(db: Database) -> None:
    number = stored(db, GARDEN)
    before = load_memory(db, number, SAFE).fingerprint
    rename(db, number, "hedge")
    after = load_memory(db, number, SAFE)
    assert (after.conversation.name, after.fingerprint) == ("hedge", before)
