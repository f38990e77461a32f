"""The command line with a served model: estimate, build, ask, keep; and the key is nowhere."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memcore.cli import main
from tests.readers.server import Answering, Said, chat, echoing, nobody, refusal, serving
from tests.test_cli import QUESTION, TALK

KEY = "sk-distinctive-7f3a9c"
PRICES = "EUR, m=1000000/1000000"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one small Chinese dialogue, nothing built."""
    (tmp_path / "tea.json").write_text(json.dumps(TALK), encoding="utf-8")
    path = tmp_path / "memcore.db"
    assert main(["import", str(tmp_path / "tea.json"), "--workspace", str(path)]) == 0
    return path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def at(url: str) -> None:
        for name, value in (("BASE_URL", url), ("MODEL", "m"), ("API_KEY", KEY)):
            monkeypatch.setenv(f"MEMCORE_{name}", value)
        monkeypatch.setenv("MEMCORE_PRICES", PRICES)

    return at


def model(answer: str = "学校") -> Answering:
    """A model that extracts by repeating the turns, and answers every question alike."""
    reply = chat(json.dumps({"reasoning": "", "answer": answer, "cited": ["1"]}))
    return lambda request: (
        echoing(request) if "Dialogue:" in request["messages"][1]["content"] else reply
    )


def ran(capsys: pytest.CaptureFixture[str], workspace: Path, *words: str, code: int = 0) -> dict:
    assert main([*words, "--json", "--workspace", str(workspace)]) == code
    out = capsys.readouterr().out
    return json.loads(out) if out else {}


def test_an_estimate_comes_before_and_the_cost_after_a_build(workspace, served, capsys) -> None:
    with serving(model()) as peer:
        served(peer.base_url)
        estimate = ran(capsys, workspace, "build", "tea", "--extractor", "model", "--estimate")
        assert (estimate["windows"], estimate["calls"], peer.requests) == (2, 2, [])
        assert estimate["money"].endswith(" EUR")
        built = ran(capsys, workspace, "build", "tea", "--extractor", "model")
    found = built["extraction"]
    assert built["state"] == "done"
    assert (found["windows"], found["calls"], found["failed"]) == (2, 2, [])
    assert (found["prompt_tokens"], found["answer_tokens"]) == (22, 14)
    assert found["money"] == "36.0000 EUR"
    assert found["seconds"] >= 0
    assert len(peer.requests) == 2


def test_windows_that_failed_are_named_and_a_second_build_asks_for_them_only(
    workspace, served, capsys
) -> None:
    with serving(chat("no")) as peer:
        served(peer.base_url)
        words = ["build", "tea", "--extractor", "model", "--workspace", str(workspace)]
        assert main(words) == 0
        said = capsys.readouterr().out
    assert "failed: D1:1 to D1:2: the reply is not the form asked for" in said
    assert "build again to ask for the failed turns only" in said
    with serving(model()) as peer:
        served(peer.base_url)
        assert ran(capsys, workspace, *words[:4])["extraction"]["failed"] == []


def test_without_a_server_the_model_is_refused_and_the_local_extractor_is_not(
    workspace, capsys, monkeypatch
) -> None:
    monkeypatch.delenv("MEMCORE_BASE_URL", raising=False)
    words = ["build", "tea", "--extractor", "model", "--workspace", str(workspace)]
    assert main(words) == 1
    assert "MEMCORE_BASE_URL" in capsys.readouterr().err
    monkeypatch.setenv("MEMCORE_BASE_URL", "http://127.0.0.1:1/v1")  # half set: no model
    assert main(["build", "tea", "--workspace", str(workspace)]) == 0


def test_an_absent_server_leaves_a_hypergraph_that_can_be_asked(workspace, served, capsys) -> None:
    served(nobody())
    ran(capsys, workspace, "build", "tea", "--extractor", "model", code=1)
    found = ran(capsys, workspace, "ask", "tea", QUESTION["question"], "--reader", "local")
    assert found["citations"]


def test_an_answer_of_a_model_comes_with_its_cost_and_is_kept(workspace, served, capsys) -> None:
    ran(capsys, workspace, "build", "tea", "--memory", "edgemem")
    ask = ("ask", "tea", QUESTION["question"])
    with serving(model()) as peer:
        served(peer.base_url)
        first = ran(capsys, workspace, *ask, "--system", "full")
        assert first["answer"] == "学校"
        assert first["usage"] == {
            "calls": 1,
            "prompt_tokens": 11,
            "answer_tokens": 7,
            "money": "18.0000 EUR",
        }
        # another system whose packet is the same: another run, no other call
        second = ran(capsys, workspace, *ask, "--system", "recency")
        third = ran(capsys, workspace, *ask, "--system", "recency", "--again", "--no-cache")
        local = ran(capsys, workspace, *ask, "--reader", "local")
    assert second["context"] == first["context"]
    assert (second["usage"]["calls"], second["usage"]["money"]) == (0, "0.0000 EUR")
    assert third["usage"]["calls"] == 1
    assert "usage" not in local
    assert len(peer.requests) == 2


EXPORTS = ("json", "csv", "graphml", "hif", "packet", "sqlite", "test", "html")


@pytest.fixture
def run(workspace, capsys) -> Callable[..., str]:
    """Run a command as far as it goes, and return all that it said."""

    def command(*words: str) -> str:
        with suppress(SystemExit):  # an export that this version has not
            main([*words, "--workspace", str(workspace)])
        shown = capsys.readouterr()
        return shown.out + shown.err

    return command


def test_the_key_is_in_no_file_no_output_and_no_log(workspace, served, run, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    ask = ("ask", "tea", QUESTION["question"])
    with serving(model(f"学校 {KEY}")) as peer:  # a model that repeats it
        served(peer.base_url)
        said = run("build", "tea", "--extractor", "model") + run(*ask)
        assert any(KEY in key for key in peer.keys)  # it was sent, as a key should be
    for bad in (refusal(401, f"no such key: {KEY}"), Said(f"<p>{KEY}</p>", kind="text/html")):
        with serving(bad) as peer:
            served(peer.base_url)
            said += run(*ask, "--again") + run("build", "tea", "--extractor", "model")
    said += run("trace", "1", "--json")
    said += "".join(run("export", "1", "--to", kind) for kind in EXPORTS)
    files = [p for p in sorted(workspace.parent.rglob("*")) if p.is_file()]
    assert "学校 [key]" in said
    assert KEY not in said + caplog.text
    assert not [p.name for p in files if KEY.encode() in p.read_bytes()]
