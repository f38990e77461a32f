"""What-if from recorded numbers gives, event for event, what a real run gives.

The sample dialogue is built with the real annotator and extractor, with vectors of hashed words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import lru_cache
from itertools import product

import pytest

from memcore import pipeline
from memcore.retrieval.loop import Retriever
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE, Settings
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import Beat, Memory, Reply
from memcore.what_if import recompute
from memcore.what_if.knobs import KNOBS, Cost, acting, cost_of, first_stage, groups, moved
from memcore.what_if.recompute import Desk
from tests.what_if.talk import PARTS, QUESTIONS

META = RunMeta()
MEMORY: list[Memory] = []
"""The memory of the session, for the retrievers that are made once for several questions."""


@lru_cache(maxsize=2)
def ready(system: str, settings: Settings) -> Retriever:
    return recompute.retriever(system, MEMORY[0], settings, PARTS)


def asked(memory: Memory, question: str, system: str, settings: Settings) -> Reply:
    MEMORY[:] = [memory]
    *_, reply = pipeline.ask(memory, question, ready(system, settings), None)
    assert isinstance(reply, Reply)
    return reply


def untimed(reply: Reply) -> Reply:
    return replace(reply, milliseconds=())


def same_records(one: Reply, other: Reply) -> None:
    ours, theirs = (records_of(untimed(r), 1, META) for r in (one, other))
    for field in fields(ours):
        assert getattr(ours, field.name) == getattr(theirs, field.name), field.name


SYSTEMS = ("edgemem", "ariadnemem-safe")


@pytest.fixture(scope="module")
def desks(memory: Memory) -> dict[tuple[str, str], Desk]:
    return {
        (system, question): recompute.desk(memory, asked(memory, question, system, SAFE), PARTS)
        for system in SYSTEMS
        for question in QUESTIONS
    }


VALUES: dict[str, tuple[object, ...]] = {
    "semantic_k": (0, 1, 3, 19, 21, 60),
    "lexical_k": (0, 1, 4, 9),
    "fuse_terminals": (False,),
    "bridge_keeps_ends": (True,),
    "mine_paths": (False,),
    "path_entries": (2, 4, 5),
    "path_limit": (0, 1, 3, 40),
    "path_prefers_entities": (False,),
    "entry_budget_min": (1, 40),
    "entry_budget": (1, 9, 24, 60),
    "graph_tokens": (50, 120, 499, 5000),
    "core": (False,),
    "co_occurrence": (False,),
    "temporal": (False,),
    "character_weight": (0.0, 0.5),
    "week_weight": (0.0, 1.5),
    "time_weight": (0.0, 1.0),
    "neighbour_weight": (0.0, 0.39, 2.0),
    "neighbour_weight_2": (0.0, 0.7),
    "earlier_factor": (0.5, 1.5),
    "answer_factor": (1.0, 4.0),
    "told_weight": (0.0, 0.5),
    "session_weight": (0.0, 0.41, 3.0),
    "speaker_weight": (0.0, 1.0),
    "rare_keys": (1, 3, 9),
    "lead_turns": (0, 1, 20),
    "hop_turns": (0, 2, 5),
    "hop_members": (2, 9),
    "hop_weight": (0.0, 2.0),
    "date_slack_days": (0, 60),
    "spread_turns": (1, 3),
    "collect_k": (1, 5, 12, 150, 500),
    "turn_budget": (1, 5, 19, 21, 60),
    "token_budget": (50, 120, 300, 9000),
    "core_share": (),
    "co_occurrence_share": (),
    "temporal_share": (),
    "rrf_k": (1, 10),
}
"""Several values of each instant setting; the shares move together below."""

SHARES = ((1.0, 0.0, 0.0), (0.3, 0.5, 0.2), (0.59, 0.26, 0.15))


def changes() -> Iterator[tuple[str, str, Settings]]:
    for system, (name, values) in product(SYSTEMS, VALUES.items()):
        for value in values if KNOBS[name].stages(system) else ():
            yield system, f"{name}={value}", replace(SAFE, **{name: value})
    for core, joined, dated in SHARES:
        settings = replace(SAFE, core_share=core, co_occurrence_share=joined, temporal_share=dated)
        yield "edgemem", f"shares={core}", settings
    both = replace(SAFE, turn_budget=6, neighbour_weight=0.1, semantic_k=5, entry_budget=8)
    yield from ((system, "several", both) for system in SYSTEMS)


CHANGES = tuple(changes())


@pytest.mark.parametrize(
    ("system", "settings"),
    [(system, settings) for system, _, settings in CHANGES],
    ids=[f"{system} {name}" for system, name, _ in CHANGES],
)
def test_an_instant_change_equals_a_real_run_event_for_event(system, settings, memory, desks):
    for question in QUESTIONS:
        outcome = recompute.instant(desks[system, question], settings)
        same_records(outcome.reply, asked(memory, question, system, settings))


@pytest.mark.parametrize("system", RETRIEVERS)
def test_no_change_gives_the_run(system, memory):
    for question in QUESTIONS:
        run = asked(memory, question, system, SAFE)
        outcome = recompute.what_if(recompute.desk(memory, run, PARTS), run.trace.settings)
        same_records(outcome.reply, run)
        assert (outcome.kept, outcome.embedded) == (len(run.trace.steps), 0)


def test_values_are_tried_for_every_instant_setting():
    instant = {name for name, knob in KNOBS.items() if knob.cost is Cost.INSTANT}
    assert set(VALUES) == instant


LOCAL = {
    "key_share": 0.9,
    "bm25_k1": 2.0,
    "bm25_b": 1.0,
    "entity_weight": 3.0,
    "lexical_weight": 0.5,
    "near_hours": 100.0,
    "hub_share": 1.0,
    "successors": False,
    "bridges": False,
    "bridge_terminals": 12,
    "bridge_candidates": 1,
    "other_person_factor": 0.1,
}


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_local_change_retrieves_again(name, system, memory, desks):
    settings = replace(SAFE, **{name: LOCAL[name]})
    for question in QUESTIONS:
        outcome = recompute.what_if(desks[system, question], settings)
        same_records(outcome.reply, asked(memory, question, system, settings))


def test_another_as_of_retrieves_again_on_the_memory_as_it_was_known(memory, desks):
    question = QUESTIONS[0]
    outcome = recompute.again(desks["edgemem", question], SAFE, memory, 1)
    assert {i.session for i in outcome.reply.context.items} == {1}
    assert outcome.cost is Cost.LOCAL


def test_budgets_and_paths_ask_no_model(desks):
    """The embedder is not called, the question not read again: only the last steps are made."""
    changed = replace(SAFE, entry_budget=9, path_entries=4)
    outcome = recompute.instant(desks["ariadnemem-safe", QUESTIONS[0]], changed)
    assert outcome.embedded == 0
    assert outcome.kept == 8


# ---------------------------------------------------------------- the table


def test_every_setting_has_a_cost():
    assert set(KNOBS) == {f.name for f in fields(Settings)}


@pytest.mark.parametrize("system", RETRIEVERS)
def test_every_stage_of_the_table_is_a_stage_of_its_retrievers(system, memory):
    """A setting whose stage had another name would be taken for one that changes nothing."""
    names = {s.name for s in asked(memory, QUESTIONS[0], system, SAFE).trace.steps}
    if system in SYSTEMS:
        for name, knob in KNOBS.items():
            assert set(knob.stages(system)) <= names | {"reading", ""}, name


def test_groups_hold_what_acts_on_the_retriever_and_nothing_else(desks):
    trace = desks["edgemem", QUESTIONS[0]].reply.trace
    found = dict(groups(trace))
    assert "turn_budget" in found[Cost.INSTANT]
    assert "bm25_k1" in found[Cost.LOCAL]
    assert Cost.DECISIONS not in found
    assert "semantic_k" not in acting(trace)


def test_a_setting_of_the_other_memory_changes_nothing(desks):
    trace = desks["edgemem", QUESTIONS[0]].reply.trace
    assert moved(replace(SAFE, semantic_k=3), trace) == ()


def test_the_dearest_change_decides():
    assert cost_of(("turn_budget", "bm25_k1")) is Cost.LOCAL
    assert cost_of(("window_turns", "gate_similarity", "turn_budget")) is Cost.REBUILD
    assert cost_of(("premise_margin",)) is Cost.ANSWER
    assert cost_of(()) is Cost.INSTANT


def test_the_first_stage_of_several_is_the_earliest(desks):
    trace = desks["edgemem", QUESTIONS[0]].reply.trace
    place = first_stage(("turn_budget", "core_share"), trace)
    assert trace.steps[place].name == "union"
    assert first_stage(("premise_margin",), trace) == len(trace.steps)
    assert trace.steps[-1].beat is Beat.PACK
