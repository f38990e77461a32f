"""Start and Ask with a served model: the choice, the estimate, the stream, the cost, the failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memcore.store import runs
from memcore.store.schema import open_workspace
from pages import frame
from tests import test_pages as base
from tests.readers.server import Answering, nobody, serving, streamed

KEY = "sk-distinctive-page-51bd"

built, loaded, open_on = base.built, base.loaded, base.open_on


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch):
    def at(url: str) -> None:
        for name, value in (("BASE_URL", url), ("MODEL", "m"), ("API_KEY", KEY)):
            monkeypatch.setenv(f"MEMCORE_{name}", value)
        monkeypatch.setenv("MEMCORE_PRICES", "EUR, m=1000/1000")

    return at


def model(answer: str = "书店") -> Answering:
    text = json.dumps({"reasoning": "", "answer": answer, "cited": ["1"]}, ensure_ascii=False)
    return lambda _request: streamed(*(text[n : n + 5] for n in range(0, len(text), 5)))


def ask(at: AppTest, question: str = base.QUESTION) -> AppTest:
    at.text_input[0].set_value(question)
    base.button(at, "ask.ask").click()
    return base.ran(at)


def newest(workspace: Path) -> runs.Run:
    with open_workspace(workspace, read_only=True) as db:
        return max(runs.listing(db), key=lambda run: run.id)


def everything(at: AppTest) -> str:
    """All that a browser session holds: words, state, and the link."""
    held = [repr(v) for v in at.session_state._state.filtered_state.values()]
    return "\n".join((base.shown(at), repr(at.query_params), *held))


def test_an_answer_of_a_model_is_drawn_with_its_cost_its_prompt_and_who_counted_it(
    open_on, loaded, served
):
    with serving(model()) as peer:
        served(peer.base_url)
        at = ask(base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1)))
        # the same request by another retriever's run: a kept reply
        assert peer.requests[0]["stream"]
    words = base.shown(at)
    assert "书店" in words
    assert "11 counted by the tokenizer of m" in words
    costs = next(d.value for d in at.dataframe if "money" in d.value.columns)
    assert list(costs["money"]) == ["0.0180 EUR", "0.0180 EUR"]
    assert newest(loaded).reader == "m (answer-1)"
    assert KEY not in everything(at)
    assert KEY.encode() not in loaded.read_bytes()


def test_asking_again_asks_anew_and_another_packet_of_the_same_words_does_not(
    open_on, loaded, served
):
    with serving(model()) as peer:
        served(peer.base_url)
        at = ask(
            base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1, system="full"))
        )
        at.session_state["memcore_state"].system = "recency"
        at = ask(base.ran(at))
        assert len(peer.requests) == 1
        assert base.say("model.from_cache") in base.shown(at)
        base.button(at, "ask.again").click()
        base.ran(at)
        assert len(peer.requests) == 2


def test_a_server_that_is_absent_leaves_the_evidence_and_offers_the_local_reader(
    open_on, loaded, served
):
    served(nobody())
    at = ask(base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1)))
    words = base.shown(at)
    assert "no model server answers at http://127.0.0.1" in words
    assert newest(loaded).outcome == "failed"
    assert newest(loaded).tokens > 0
    assert KEY not in everything(at)
    base.button(at, "model.try_local").click()
    here = base.ran(at).session_state["memcore_state"]
    assert (here.reader, here.run) == ("local", 1)  # which the local reader answered before


def test_the_reader_is_chosen_on_the_page(open_on, loaded, served):
    served(nobody())
    at = base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1))
    choice = next(r for r in at.radio if r.key == "ask_reader")
    assert choice.value == "server"
    choice.set_value("local")
    at = ask(base.ran(at))
    assert newest(loaded).outcome == "answered"


def test_without_a_server_there_is_no_choice(open_on, loaded, monkeypatch):
    monkeypatch.delenv("MEMCORE_BASE_URL", raising=False)
    at = base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1))
    assert not [r for r in at.radio if r.key == "ask_reader"]


def test_values_of_no_use_are_said_and_the_local_reader_answers(open_on, loaded, monkeypatch):
    monkeypatch.setenv("MEMCORE_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.delenv("MEMCORE_MODEL", raising=False)
    at = ask(base.alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1)))
    assert "MEMCORE_MODEL is not" in base.shown(at)
    assert newest(loaded).outcome == "answered"


def test_start_tells_the_estimate_and_where_the_turns_go_before_a_build(open_on, loaded, served):
    served("http://127.0.0.1:9/v1")
    at = base.alone(open_on("pages/start.py", loaded), frame.State(dialogue=1))
    next(r for r in at.radio if r.key == "start_extractor").set_value("model")
    words = base.shown(base.ran(at))
    assert "m: 2 calls for 2 windows: about" in words
    assert "EUR" in words
    assert "sent to http://127.0.0.1:9/v1" in words
    assert KEY not in everything(at)
