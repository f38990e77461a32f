"""What holds of every retriever of the table, on small random conversations with both memories."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import fsum

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from memcore.annotate.tokens import tokens
from memcore.context import pack
from memcore.pipeline import ask
from memcore.readers.extractive import ExtractiveReader
from memcore.retrieval.loop import retrieve
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE, Settings
from memcore.types import Candidate, EntryId, Memory, Reply, SpanPart, Trace
from tests.retrieval.small import conversations, questions
from tests.whole import PARTS, remembered

NARROW = replace(
    SAFE,
    fast_paths=False,
    turn_budget=3,
    token_budget=50,
    collect_k=4,
    semantic_k=3,
    lexical_k=2,
    entry_budget_min=2,
    entry_budget=4,
    graph_tokens=60,
)
SETTINGS = st.sampled_from((SAFE, replace(SAFE, fast_paths=False, key_share=1.0), NARROW))
ASKED = questions.filter(lambda text: any(letter.isalnum() for letter in text))
memories = conversations.map(remembered)
every = pytest.mark.parametrize("name", RETRIEVERS)


def whole(name: str, memory: Memory, question: str, settings: Settings, as_of: int | None) -> Trace:
    retriever = RETRIEVERS[name](memory, settings, PARTS)
    return tuple(retrieve(retriever, question, None, as_of))[-1]


def counted(candidates: tuple[Candidate, ...]) -> Counter[tuple[str, str]]:
    return Counter((c.channel, str(c.item)) for c in candidates)


@every
@hypothesis(max_examples=12)
@given(memories, ASKED, SETTINGS, st.sampled_from((None, 1)))
def test_nothing_disappears_and_every_sum_is_the_sum_of_its_terms(
    name, memory, question, settings, as_of
):
    trace = whole(name, memory, question, settings, as_of)
    before: tuple[Candidate, ...] = ()
    for step in trace.steps:
        assert step.given == before
        gone = Counter((d.channel, str(d.item)) for d in step.dropped)
        assert counted(step.given) + counted(step.entered) == counted(step.kept) + gone
        assert step.used or step.kept == step.given
        for c in (*step.entered, *step.kept):
            assert c.score == round(c.score, 6)
            assert not c.terms or round(fsum(t.amount for t in c.terms), 6) == c.score
            assert all(t.amount == round(t.amount, 6) for t in c.terms)
        before = step.kept
    assert sorted({step.beat for step in trace.steps}) == [step.beat for step in _firsts(trace)]


def _firsts(trace: Trace) -> list:
    """The first step of each beat, in order of the trace."""
    return [s for n, s in enumerate(trace.steps) if s.beat not in {b.beat for b in trace.steps[:n]}]


@every
@hypothesis(max_examples=12)
@given(memories, ASKED, SETTINGS)
def test_the_packet_holds_what_was_kept_and_keeps_its_limit(name, memory, question, settings):
    trace = whole(name, memory, question, settings, None)
    packet = pack(memory, trace)
    assert set(packet.items) == {c.item for c in trace.candidates}
    assert len(packet.items) == len(set(packet.items))
    assert packet.tokens == sum(s.tokens for s in packet.spans) + packet.overhead
    assert (packet.limit == 0) == (name == "full" or not settings.token_budget)
    if packet.limit:
        assert packet.tokens <= packet.limit
    for span in packet.spans:
        if isinstance(span.item, EntryId):
            assert span.part is SpanPart.ITEM
            assert span.tokens == tokens(packet.words(span))


@every
@hypothesis(max_examples=8)
@given(memories, ASKED, SETTINGS)
def test_an_answer_cites_only_its_packet(name, memory, question, settings):
    reader = ExtractiveReader(PARTS.annotator, settings)
    *_, reply = ask(memory, question, RETRIEVERS[name](memory, settings, PARTS), reader)
    assert isinstance(reply, Reply)
    assert reply.answer is not None
    cited = {*reply.answer.citations, *(c for s in reply.answer.sentences for c in s.citations)}
    assert cited <= set(reply.context.items)
    assert not (reply.answer.refused and reply.answer.citations)


@every
@hypothesis(max_examples=8)
@given(memories, ASKED)
def test_no_item_of_a_later_session_enters_a_question_as_of_an_earlier_one(name, memory, question):
    trace = whole(name, memory, question, SAFE, 1)
    first = {t.id for t in memory.conversation.sessions[0].turns}
    known = {e.id for e in memory.evolution.entries if set(e.source_turns) <= first}
    for step in trace.steps:
        assert {c.item for c in (*step.entered, *step.kept)} <= first | known
