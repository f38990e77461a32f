"""The retriever whole: stages in order, the step law, as of, and refusal of foreign vectors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from memcore.errors import SeamError
from memcore.evolution.build import evolution
from memcore.retrieval.ariadnemem import ariadnemem
from memcore.retrieval.loop import retrieve
from memcore.settings import PAPER, SAFE
from memcore.types import Annotation, Beat, EntryId, EvolutionGraph, Hypergraph, Memory
from tests.evolution.talk import conversation, each_turn, turn
from tests.parts import made_parts

WORDS = ("tea", "milk", "jam", "bread")


def vector(text):
    return [0.1, *(float(w in text) for w in WORDS)]


PARTS = made_parts(vector, each_turn())


def remembered(texts, settings, hours_apart=30):
    turns = [
        turn(f"D{n}:1", text, n * hours_apart, speaker=("Ana", "Bo")[n % 2])
        for n, text in enumerate(texts, 1)
    ]
    talk = conversation(*turns)
    rows = PARTS.embedder.encode([t.content for t in turns])
    graph, vectors = evolution(talk, [Annotation(t.id) for t in turns], rows, PARTS, settings)
    return Memory(talk, (), Hypergraph(), graph, vectors, rows, PARTS.embedder.name)


def asked(memory, question, settings=SAFE, as_of=None):
    retriever = ariadnemem(memory, settings, PARTS, "test")
    *_earlier, last = retrieve(retriever, question, as_of=as_of)
    return last


def test_the_stages_run_in_order_on_their_beats():
    found = asked(remembered(["tea", "milk and jam"], SAFE), "who has milk?")
    assert [(s.name, s.beat) for s in found.steps] == [
        ("fast_path", Beat.CUE),
        ("query", Beat.CUE),
        ("activate", Beat.ACTIVATE),
        ("dense", Beat.COLLECT),
        ("lexical", Beat.COLLECT),
        ("terminals", Beat.COLLECT),
        ("base_graph", Beat.CONNECT),
        ("bridges", Beat.CONNECT),
        ("node_budget", Beat.PACK),
        ("paths", Beat.CONNECT),
        ("serialize", Beat.PACK),
    ]


def test_vectors_of_another_embedder_are_refused():
    memory = replace(remembered(["tea"], SAFE), embedder="other")
    with pytest.raises(SeamError, match="the memory's vectors are by other"):
        ariadnemem(memory, SAFE, PARTS, "test")


def test_as_of_a_session_nothing_later_is_found():
    memory = remembered(["tea", "milk", "jam", "bread"], SAFE)
    found = asked(memory, "tea and bread", as_of=2)
    assert {c.item for c in found.candidates} == {EntryId(1), EntryId(2)}


texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=12
)


@given_by(
    texts, st.sampled_from([PAPER, SAFE]), st.lists(st.sampled_from(WORDS)), st.integers(0, 3)
)
def test_nothing_just_disappears_in_any_stage(made, preset, words, limit):
    # retrieve() checks given + entered = kept + dropped in every step
    settings = replace(preset, semantic_k=2, lexical_k=1, entry_budget=3 + limit,
                       entry_budget_min=1, graph_tokens=50, hub_share=1.0)  # fmt: skip
    memory = remembered(made, settings)
    found = asked(memory, " ".join(words), settings)
    for before, step in zip(found.steps, found.steps[1:], strict=False):
        assert step.given == before.kept
    assert found == asked(memory, " ".join(words), settings)


def test_an_empty_memory_answers_with_nothing():
    memory = remembered(["tea"], SAFE)
    memory = replace(memory, evolution=EvolutionGraph(), vectors=memory.vectors[:0])
    assert asked(memory, "tea?").candidates == ()


def test_a_fast_path_skips_the_search():
    memory = remembered(["tea"], SAFE)
    (only,) = memory.evolution.entries
    job = replace(only, subject="ana", attribute="job", value="cook", persons=("ana",))
    memory = replace(memory, evolution=replace(memory.evolution, entries=(job,)))
    found = asked(memory, "What is Ana's job?")
    assert [s.name for s in found.steps] == ["fast_path"]
    assert [c.item for c in found.candidates] == [EntryId(1)]
