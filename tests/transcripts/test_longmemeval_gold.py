"""Session ids of LongMemEval give the gold away: nothing that is shown may hold one."""

from __future__ import annotations

import json

import numpy as np

from memcore.context import pack
from memcore.settings import SAFE
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import (
    Beat,
    Candidate,
    EvolutionGraph,
    Hypergraph,
    Memory,
    Query,
    Step,
    Trace,
)

FILE = [
    {
        "question_id": "q1_abs",
        "question_type": "single-session-user",
        "question": "Where do I keep my bees?",
        "answer": "not said",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_session_ids": ["answer_4be1b6b4", "sharegpt_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I have a cat.", "has_answer": True},
                {"role": "assistant", "content": "Nice."},
                {"role": "user"},
            ],
            [{"role": "user", "content": "Hello."}],
        ],
        "answer_session_ids": ["answer_4be1b6b4"],
    }
]


def found():
    return read((Source("haystack.json", json.dumps(FILE).encode()),), Options(allow_partial=True))


def test_both_roles_are_turns_and_the_gold_is_the_session_and_the_marked_turn():
    result = found()
    turns = result.conversations[0].turns
    assert [t.speaker for t in turns] == ["user", "assistant", "user"]
    question = result.questions[0]
    assert [str(t) for t in question.evidence_turns] == ["D1:1"]
    assert question.evidence_sessions == (1,)
    assert question.abstain


def test_no_skipped_record_names_a_session_by_its_id():
    skipped = found().skipped
    assert len(skipped) == 1
    assert "session 1 turn 3" in skipped[0].place
    assert "answer_" not in repr(skipped)


def test_no_report_and_no_packet_holds_a_session_id():
    result = found()
    conversation = result.conversations[0]
    kept = tuple(Candidate(t.id, 1.0) for t in conversation.turns)
    none = np.zeros((0, 1), dtype=np.float32)
    memory = Memory(conversation, (), Hypergraph(), EvolutionGraph(), none, none)
    step = Step("pack", Beat.PACK, given=kept, kept=kept)
    trace = Trace(Query("?"), "full", SAFE, steps=(step,))
    assert "answer_" not in repr(result.report)
    assert "answer_" not in pack(memory, trace).text
    assert not any(
        "answer_" in f"{t.speaker} {t.content} {t.source_id}" for t in conversation.turns
    )
