from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memcore import pipeline
from memcore.embedders.in_context import WAY
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.memories import Kind
from memcore.store.schema import open_workspace
from memcore.store.token_vectors import small
from memcore.types import Detection, ImportReport, ReadResult
from tests.parts import FunctionTokenEmbedder
from tests.retrieval.small import PARTS, talk

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TALK = talk("Ann: tea dog\nBob: ", "Ann: dog")
TOKENS = FunctionTokenEmbedder(lambda word: (1.0, 0.0) if word == "tea" else (0.6, 0.8), "toy")
WITH_TOKENS = replace(PARTS, token_embedder=TOKENS)


def unit(rows):
    wide = rows.astype(np.float64)
    return wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12)


def test_a_unit_row_comes_back_with_each_component_within_half_a_step():
    rows = np.array([[0.6, -0.8], [1.0, 0.0]], dtype=np.float32)
    # 0.6 / 0.8 x 127 = 95.25, so 95; the length of (95, -127) is 158.6.
    assert small(rows).tolist() == [[95, -127], [127, 0]]
    assert np.abs(unit(small(rows))[0] - (95 / 158.6, -127 / 158.6)).max() < 1e-4


def test_a_row_of_nothing_stays_nothing():
    assert small(np.zeros((1, 3), np.float32)).tolist() == [[0, 0, 0]]
    assert unit(np.zeros((1, 3), np.int8)).tolist() == [[0, 0, 0]]


@given(st.integers(0, 2**32 - 1))
def test_cosines_of_rows_of_384_move_by_less_than_a_hundredth(seed):
    drawn = np.random.Generator(np.random.PCG64(seed)).normal(size=(6, 384))
    rows = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    # A component moves by at most 1/254 of the largest one, a / 254; over 384 of them the row
    # moves by less than sqrt(384) a / 254, and a cosine by at most that.
    bound = np.sqrt(384) * np.abs(rows).max() / 254
    moved = np.abs(unit(small(rows)) @ rows.T - rows @ rows.T).max()
    assert moved < min(bound, 0.02)


def stored(path: Path, parts):
    with open_workspace(path / "memcore.db") as db:
        report = ImportReport("own", Detection("own", 1, ""), turns=len(TALK.turns))
        number = conversations.save(db, ReadResult((TALK,), (), report), NOW).dialogues[0]
        phases = [(p.phase, p.done) for p in pipeline.build(db, number, parts, SAFE, ("edgemem",))]
        return memories.load_memory(db, number, SAFE), memories.listing(db, number), phases


def test_a_build_stores_the_token_vectors_of_each_turn(tmp_path):
    memory, builds, phases = stored(tmp_path, WITH_TOKENS)
    held = memory.token_vectors
    assert held.rows.tolist() == [[127, 0], [95, 127], [95, 127]]
    assert (held.ends.tolist(), held.embedder) == ([2, 2, 3], "toy")
    assert [b.state for b in builds if b.kind is Kind.TOKENS] == ["complete"]
    assert ("token_vectors", 3) in phases


def test_without_a_token_encoder_nothing_is_stored(tmp_path):
    memory, builds, _ = stored(tmp_path, PARTS)
    assert len(memory.token_vectors.ends) == 0
    assert Kind.TOKENS not in {b.kind for b in builds}
    assert not pipeline.is_built(memory, "best")
    assert pipeline.is_built(memory, "best-lexical")


def test_a_memory_of_an_earlier_session_holds_the_tokens_up_to_it(tmp_path):
    memory, _, _ = stored(tmp_path, WITH_TOKENS)
    known = memories.as_known(memory, 1)
    assert known.token_vectors.rows.tolist() == [[127, 0], [95, 127]]
    assert known.token_vectors.ends.tolist() == [2, 2]


def test_a_build_that_was_stopped_goes_on_with_the_next_session(tmp_path):
    with open_workspace(tmp_path / "memcore.db") as db:
        report = ImportReport("own", Detection("own", 1, ""), turns=len(TALK.turns))
        number = conversations.save(db, ReadResult((TALK,), (), report), NOW).dialogues[0]
        plan = memories.Plan(Kind.TOKENS, embedder="toy", parts=WAY)
        begun = memories.start(db, number, plan)
        turns = TALK.sessions[0].turns
        vectors = TOKENS.encode_tokens([t.content for t in turns])
        memories.add_token_vectors(db, begun, 1, turns, vectors)
        assert len(memories.load_memory(db, number, SAFE).token_vectors.ends) == 0
        list(pipeline.build(db, number, WITH_TOKENS, SAFE, ("edgemem",)))
        held = memories.load_memory(db, number, SAFE).token_vectors
    assert held.ends.tolist() == [2, 2, 3]


def test_vectors_made_in_an_older_way_are_not_read_and_are_replaced_by_a_build(tmp_path):
    with open_workspace(tmp_path / "memcore.db") as db:
        report = ImportReport("own", Detection("own", 1, ""), turns=len(TALK.turns))
        number = conversations.save(db, ReadResult((TALK,), (), report), NOW).dialogues[0]
        old = memories.start(db, number, memories.Plan(Kind.TOKENS, embedder="toy", parts="old"))
        vectors = TOKENS.encode_tokens([t.content for t in TALK.turns])
        old = memories.add_token_vectors(db, old, len(TALK.sessions), TALK.turns, vectors)
        memories.complete(db, old)
        assert len(memories.load_memory(db, number, SAFE).token_vectors.ends) == 0
        list(pipeline.build(db, number, WITH_TOKENS, SAFE, ("edgemem",)))
        assert [b.parts for b in memories.listing(db, number) if b.kind is Kind.TOKENS] == [WAY]
        assert len(memories.load_memory(db, number, SAFE).token_vectors.ends) == len(TALK.turns)
