from __future__ import annotations

from dataclasses import replace
from math import fsum, log

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from memcore.hypergraph.collect import collect
from memcore.hypergraph.cues import asked
from memcore.hypergraph.incidence import incidence
from memcore.hypergraph.terms import total
from memcore.retrieval.edgemem import edgemem
from memcore.retrieval.listing import listed, ranked_list
from memcore.retrieval.loop import retrieve
from memcore.types import Anchor, AnchorKind, Reason, Trace, TurnId
from tests.retrieval.small import (
    ALL_KEYS,
    EMPTY,
    PARTS,
    annotation,
    conversations,
    questions,
    remembered,
    talk,
)

TALK = talk(
    "Ann: Do you drink tea ?\nBob: milk\nAnn: dog\nBob: cat\nAnn: dog",
    "Bob: Porto was fine\nAnn: bread",
    "Bob: tea again\nAnn: Porto",
)


def traces(conversation, question, settings=ALL_KEYS, as_of=None) -> tuple[Trace, ...]:
    memory = remembered(conversation)
    return tuple(retrieve(edgemem(memory, settings, PARTS), question, as_of=as_of))


def step(trace: Trace, name: str):
    return next(s for s in trace.steps if s.name == name)


def candidate(trace: Trace, name: str, item: str):
    return next(c for c in step(trace, name).entered if str(c.item) == item)


def test_the_stages_have_their_names_in_order():
    names = [s.name for s in traces(TALK, "tea")[-1].steps]
    assert names == [
        "cues", "activate", "core", "co_occurrence", "temporal", "hop", "union", "pack",
    ]  # fmt: skip


def test_the_turn_after_a_question_gets_the_answer_factor():
    settings = replace(ALL_KEYS, session_weight=0.0, told_weight=0.0)
    whole = traces(TALK, "tea", settings)[-1]
    first = candidate(whole, "core", "D1:1")
    answer = candidate(whole, "core", "D1:2")
    later = candidate(whole, "core", "D1:3")
    # Only tea matches. b(D1:1) is the smaller of the two turns with tea; M = max of b + neighbours.
    b = first.terms[0].amount
    assert [(t.name, t.amount, t.source) for t in answer.terms] == [
        ("before", pytest.approx(0.4 * 2.5 * b, abs=1e-6), TurnId(1, 1))
    ]
    assert [(t.name, t.amount) for t in later.terms] == [
        ("before_2", pytest.approx(0.2 * b, abs=1e-6))
    ]


def test_a_matching_key_is_bm25_divided_by_the_best_sum():
    settings = replace(
        ALL_KEYS,
        session_weight=0.0,
        told_weight=0.0,
        neighbour_weight=0.0,
        neighbour_weight_2=0.0,
    )
    whole = traces(talk("Ann: tea milk\nBob: tea tea\nAnn: dog"), "tea", settings)[-1]
    # lengths 2, 2, 1, mean 5/3; tea in 2 of 3 turns: idf = ln(1 + 1.5/2.5) cancels out.
    norm = 0.9 * (0.7 + 0.3 * 2 / (5 / 3))
    one, two = 1.9 / (1 + norm), 2 * 1.9 / (2 + norm)
    assert candidate(whole, "core", "D1:2").score == 1.0
    assert candidate(whole, "core", "D1:1").score == round(one / two, 6)
    assert candidate(whole, "core", "D1:1").terms[0].source == Anchor(AnchorKind.LEXICAL, "tea")


def test_a_named_speaker_and_the_session_are_terms():
    whole = traces(TALK, "What does Bob drink, tea?")[-1]
    found = {t.name: t for t in candidate(whole, "core", "D3:1").terms}
    assert found["speaker"].amount == ALL_KEYS.speaker_weight
    assert found["speaker"].source == Anchor(AnchorKind.SPEAKER, "bob")
    assert found["session"].source == Anchor(AnchorKind.SESSION, "D3")


def test_co_occurrence_leaves_the_sessions_of_the_cores_best_turns():
    settings = replace(ALL_KEYS, lead_turns=1)
    whole = traces(TALK, "tea", settings)[-1]
    lead = step(whole, "core").entered[0].item
    joined = step(whole, "co_occurrence").entered
    assert [c.item for c in joined] == [TurnId(1, 1) if lead.session == 3 else TurnId(3, 1)]
    assert joined[0].terms[0].amount == 1.0
    assert [r.reason for r in step(whole, "co_occurrence").rest] == [Reason.SAME_SESSION]


def test_only_the_rarest_keys_are_followed():
    whole = traces(TALK, "dog bread", replace(ALL_KEYS, rare_keys=1, lead_turns=0))[-1]
    assert [str(c.item) for c in step(whole, "co_occurrence").entered] == ["D2:2"]


def test_a_hop_follows_an_entity_of_the_cores_best_turn_and_draws_the_edge():
    whole = traces(TALK, "fine")[-1]
    hopped = step(whole, "hop")
    assert [(str(c.item), c.score) for c in hopped.entered] == [("D3:2", ALL_KEYS.hop_weight)]
    assert [(str(e.source), str(e.target), e.shared) for e in hopped.edges] == [
        ("D2:1", "D3:2", ("porto",))
    ]


def dates(step_):
    terms = ((c, t) for c in step_.entered for t in c.terms if t.name in ("date", "time"))
    return [(str(c.item), t.name, t.amount, str(t.source)) for c, t in terms]


def test_temporal_takes_turns_in_range_and_halves_the_days_after():
    dated = talk("Ann: tea", "Bob: milk @2023-05-08\nAnn: dog @2023-05-15", "Ann: cat")
    whole = traces(dated, "@2023-05-08")[-1]
    assert dates(step(whole, "temporal")) == [
        ("D1:1", "date", 1.0, "day:2023-05-08"),
        ("D2:1", "date", 1.0, "day:2023-05-08"),
        ("D2:2", "date", 0.5, "day:2023-05-15"),
    ]


def test_days_of_slack_are_a_setting():
    dated = talk("Ann: tea", "Bob: milk @2023-05-08\nAnn: dog @2023-05-15", "Ann: cat")
    whole = traces(dated, "@2023-05-08", replace(ALL_KEYS, date_slack_days=3))[-1]
    assert [row[0] for row in dates(step(whole, "temporal"))] == ["D1:1", "D2:1"]


def test_a_question_that_asks_when_takes_turns_that_name_a_time():
    dated = talk("Ann: tea\nBob: tea @2023-05-01")
    whole = traces(dated, "When was the tea ?")[-1]
    assert dates(step(whole, "temporal")) == [("D1:2", "time", 0.25, "day:2023-05-01")]


def test_a_question_at_the_end_of_a_turn_costs_it_the_statement_term():
    whole = traces(talk("Ann: tea ?\nBob: tea"), "tea")[-1]
    told = {str(c.item) for c in step(whole, "core").entered for t in c.terms if t.name == "told"}
    assert told == {"D1:2"}


def test_without_a_date_the_temporal_channel_is_empty():
    assert step(traces(TALK, "tea")[-1], "temporal").entered == ()


def test_unknown_words_and_common_keys_stay_as_cues_with_their_reason():
    whole = traces(TALK, "dog zebra", replace(ALL_KEYS, key_share=0.1))[-1]
    found = {c.key: (c.reason, c.value, c.limit) for c in whole.cues}
    assert found["zebra"][0] is Reason.UNMATCHED_CUE
    assert found["dog"] == (Reason.KEY_TOO_COMMON, 2.0, 1.0)


@pytest.mark.parametrize("question", ["", "?!", "… — ?"])
def test_a_question_of_punctuation_gives_an_empty_but_whole_trace(question):
    whole = traces(TALK, question)[-1]
    assert len(whole.steps) == 8
    assert whole.candidates == ()


def test_an_empty_memory_gives_an_empty_but_whole_trace():
    whole = traces(EMPTY, "tea")[-1]
    assert len(whole.steps) == 8
    assert whole.candidates == ()


def test_as_of_shows_no_later_turn_and_counts_the_hidden_ones():
    whole = traces(TALK, "tea Porto", as_of=2)[-1]
    assert {c.item.session for s in whole.steps for c in s.entered} == {1, 2}
    assert [(r.reason, r.count) for r in step(whole, "activate").rest] == [(Reason.AFTER_AS_OF, 2)]


def test_list_questions_spread_over_sessions_when_set():
    settings = replace(ALL_KEYS, spread_turns=1, co_occurrence=False)
    trace = traces(TALK, "Which dog things, or bread?", settings)[-1]
    assert trace.query.kind == "list"
    sessions = [c.item.session for c in step(trace, "union").kept]
    assert sessions[0] != sessions[1]


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_terms_sum_to_the_score_in_every_channel(conversation, question):
    for step_ in traces(conversation, question)[-1].steps:
        for c in step_.entered:
            assert c.terms
            assert round(fsum(t.amount for t in c.terms), 6) == c.score
            assert all(t.amount == round(t.amount, 6) for t in c.terms)


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_each_step_is_given_what_the_last_kept_and_the_packet_holds_its_budget(
    conversation, question
):
    settings = replace(ALL_KEYS, turn_budget=3, token_budget=50)
    whole = traces(conversation, question, settings)[-1]
    for before, after in zip(whole.steps, whole.steps[1:], strict=False):
        assert after.given == before.kept
    assert len(whole.candidates) <= 3


@hypothesis(max_examples=20)
@given(conversations, questions, st.integers(1, 8))
def test_the_listed_turns_equal_a_full_sort(conversation, question, k):
    settings = replace(ALL_KEYS, collect_k=k)
    memory = remembered(conversation)
    index = incidence(memory, settings)
    trace = traces(conversation, question, settings)[-1]
    found = collect(index, asked(index, trace.query, trace.cues), settings)
    for ranked, name in ((found.core, "core"), (found.co_occurrence, "co_occurrence")):
        scores = total(len(index.turns), ranked.parts)
        rows = sorted((-s, t) for s, t in zip(scores.tolist(), index.turns, strict=True) if s > 0)
        assert [(-c.score, c.item) for c in step(trace, name).entered] == rows[:k]


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_the_fast_listing_is_the_order_of_the_trace(conversation, question):
    settings = replace(ALL_KEYS, lead_turns=1)
    retriever = edgemem(remembered(conversation), settings, PARTS)
    assert ranked_list(retriever, question) == listed(tuple(retrieve(retriever, question)))


@hypothesis(max_examples=20)
@given(conversations, questions, st.integers(1, 9), st.integers(50, 90))
def test_dropping_the_supplements_removes_no_turn_of_the_core(
    conversation, question, turns, tokens
):
    settings = replace(ALL_KEYS, turn_budget=turns, token_budget=tokens, lead_turns=1)
    long = replace(
        conversation,
        sessions=tuple(
            replace(s, turns=tuple(replace(t, caption="word " * (7 * t.id.turn)) for t in s.turns))
            for s in conversation.sessions
        ),
    )
    joined = traces(long, question, settings)[-1]
    alone = traces(long, question, replace(settings, co_occurrence=False, temporal=False))[-1]
    core = {c.item for c in joined.candidates if c.channel == "core"}
    assert core <= {c.item for c in alone.candidates}


@hypothesis(max_examples=20)
@given(conversations, questions)
def test_the_same_question_gives_the_same_trace(conversation, question):
    assert traces(conversation, question) == traces(conversation, question)


def test_the_annotation_of_the_small_talk_is_as_written():
    keys = [m.key for m in annotation(TALK.turns[0]).mentions]
    assert keys == ["do", "you", "drink", "tea"]
    assert log(1) == 0
