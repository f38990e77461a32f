from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis

from memcore.errors import SeamError
from memcore.retrieval.listing import listed, ranked_list
from memcore.retrieval.loop import retrieve
from memcore.retrieval.table import RETRIEVERS
from memcore.types import Placement, Reason, TurnId
from tests.parts import FunctionEmbedder
from tests.retrieval.small import ALL_KEYS, EMPTY, PARTS, conversations, questions, remembered, talk

TALK = talk("Ann: tea\nBob: dog\nAnn: dog dog", "Bob: milk")
BASELINES = ("bm25", "dense", "hybrid", "ppr", "recency", "full")


def whole(name, conversation, question, settings=ALL_KEYS, **asked):
    retriever = RETRIEVERS[name](remembered(conversation), settings, PARTS)
    return tuple(retrieve(retriever, question, **asked))[-1]


def items(trace):
    return [str(c.item) for c in trace.candidates]


def test_bm25_ranks_by_its_keys_and_records_them():
    trace = whole("bm25", TALK, "dog")
    assert items(trace) == ["D1:3", "D1:2"]
    assert [t.source.key for c in trace.candidates for t in c.terms] == ["dog", "dog"]


def test_dense_ranks_by_cosine_without_terms():
    trace = whole("dense", TALK, "dog")
    # Vectors (1+tea, 1+dog): question (1,2); D1:2 (1,2) cosine 1; D1:3 (1,3) 7/sqrt(50).
    assert [(str(c.item), c.score) for c in trace.candidates[:2]] == [
        ("D1:2", 1.0),
        ("D1:3", 0.989949),
    ]
    assert trace.candidates[0].terms == ()
    assert trace.candidates[0].placements == (Placement("dense", 1),)


def test_hybrid_is_reciprocal_rank_fusion():
    trace = whole("hybrid", TALK, "dog")
    # D1:2 is 2nd by BM25 and 1st by cosine, D1:3 the other way: both 1/61 + 1/62; tie to earlier.
    assert [(str(c.item), c.score) for c in trace.candidates[:2]] == [
        ("D1:2", 0.032522),
        ("D1:3", 0.032522),
    ]
    assert trace.candidates[0].placements == (Placement("bm25", 2), Placement("dense", 1))
    fusion = next(s for s in trace.steps if s.name == "fusion")
    assert {d.reason for d in fusion.dropped} == {Reason.DUPLICATE}


def test_recency_is_newest_first():
    assert items(whole("recency", TALK, "dog")) == ["D2:1", "D1:3", "D1:2", "D1:1"]


def test_full_has_every_turn_oldest_first_whatever_the_budget():
    trace = whole("full", TALK, "dog", replace(ALL_KEYS, turn_budget=1, collect_k=1))
    assert items(trace) == ["D1:1", "D1:2", "D1:3", "D2:1"]


def test_recency_packs_within_the_budget_and_says_what_did_not_fit():
    trace = whole("recency", TALK, "dog", replace(ALL_KEYS, turn_budget=1))
    drops = trace.steps[-1].dropped
    assert [(str(d.item), d.value, d.limit) for d in drops] == [
        ("D1:3", 2, 1), ("D1:2", 3, 1), ("D1:1", 4, 1),
    ]  # fmt: skip
    assert {(d.reason, d.other) for d in drops} == {(Reason.OVER_TURN_BUDGET, TurnId(2, 1))}


def test_dense_refuses_vectors_of_another_embedder():
    parts = replace(PARTS, embedder=FunctionEmbedder(lambda text: (1.0, 0.0), "other"))
    retriever = RETRIEVERS["dense"](remembered(TALK), ALL_KEYS, parts)
    with pytest.raises(SeamError, match="other"):
        tuple(retrieve(retriever, "dog"))


@pytest.mark.parametrize("name", BASELINES)
def test_an_empty_memory_gives_an_empty_trace(name):
    assert whole(name, EMPTY, "dog").candidates == ()


@pytest.mark.parametrize("name", BASELINES)
def test_as_of_hides_later_turns(name):
    assert all(c.item.session == 1 for c in whole(name, TALK, "milk dog", as_of=1).candidates)


@pytest.mark.parametrize("name", BASELINES)
def test_the_fast_listing_is_the_order_of_the_trace(name):
    @hypothesis(max_examples=10)
    @given(conversations, questions)
    def holds(conversation, question):
        retriever = RETRIEVERS[name](remembered(conversation), ALL_KEYS, PARTS)
        assert ranked_list(retriever, question) == listed(tuple(retrieve(retriever, question)))

    holds()
