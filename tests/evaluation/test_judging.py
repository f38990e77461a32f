"""`memcore evaluate --judge`, against a real local server that judges well, badly, or is absent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcore import cli
from memcore.transcripts.own import dump, dump_questions
from tests.evaluation.test_command import QUESTIONS, TALK
from tests.readers.server import Said, chat, nobody, serving


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "talk.json").write_text(dump(TALK), encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(dump_questions(QUESTIONS), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("talk.json", "q.jsonl")]
    options = ["--systems", "full", "--workers", "1", "--export", "answers", "--judge", "strict"]
    places = ["--runs", str(tmp_path / "runs"), "--workspace", str(tmp_path / "w.db")]
    return ["evaluate", *files, *options, *places]


def asking(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("MEMCORE_BASE_URL", url)
    monkeypatch.setenv("MEMCORE_MODEL", "m")
    monkeypatch.setenv("MEMCORE_PRICES", "EUR, m=1000/1000")
    monkeypatch.setenv("MEMCORE_TIMEOUT", "5")


def by_question(request: dict) -> Said:
    """The judge holds what is said of the bank right and gives no verdict on the town."""
    text = request["messages"][1]["content"]
    return chat('{"reason": "same", "right": true}' if "银行" in text else "well")


def rows(command: list[str]) -> list[dict]:
    folder = Path(command[command.index("--runs") + 1])
    text = (folder / "full.answers.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_judge_adds_a_table_with_its_cost_and_a_verdict_to_each_answer(
    command, monkeypatch, capsys
) -> None:
    with serving(by_question) as peer:
        asking(monkeypatch, peer.base_url)
        assert cli.main(command) == 0
        asked = len(peer.requests)
    out = capsys.readouterr().out
    # one answer right, one reply without verdict: 1 of 1, 1 failed; 11 + 7 tokens at 1 EUR each
    assert "## Judge: m (judge-strict-1)" in out
    assert "| full | all | 100.0 | 1 | 1 | 1 | 18 |" in out
    assert "The judge cost 0.0180 EUR." in out
    assert [r["judged_right"] for r in rows(command)] == [True, None]
    assert asked >= 2


def test_a_second_judging_asks_only_for_what_has_no_verdict(command, monkeypatch, capsys) -> None:
    with serving(by_question) as peer:
        asking(monkeypatch, peer.base_url)
        cli.main(command)
        first = len(peer.requests)
        capsys.readouterr()
        cli.main([*command, "--json"])
        again = [r["messages"][1]["content"] for r in peer.requests[first:]]
    assert again
    assert not any("银行" in text for text in again)
    score = json.loads(capsys.readouterr().out)["judge"]["scores"][0]
    assert (score["value"], score["n"], score["usage"]["calls"]) == (1.0, 1, 0)


def test_another_model_judges_where_one_is_named(command, monkeypatch) -> None:
    with serving(chat('{"right": false}')) as peer:
        asking(monkeypatch, peer.base_url)
        assert cli.main([*command, "--judge-model", "stern"]) == 0
        assert {r["model"] for r in peer.requests} == {"stern"}
    assert [(r["judge"], r["judged_right"]) for r in rows(command)] == [
        ("stern (judge-strict-1)", False),
        ("stern (judge-strict-1)", False),
    ]


def test_a_judge_that_cannot_be_reached_leaves_the_rest_whole(command, monkeypatch, capsys) -> None:
    asking(monkeypatch, nobody())
    assert cli.main(command) == 1
    said = capsys.readouterr()
    assert "| full | all | 2 |" in said.out
    assert "Judge" not in said.out
    assert said.err.splitlines()[-1].endswith("All the rest of the evaluation stands.")
    assert [r["judged_right"] for r in rows(command)] == [None, None]
    assert all(r["answer"] for r in rows(command))


def test_a_judge_without_a_server_is_refused_before_the_run(command, monkeypatch, capsys) -> None:
    monkeypatch.delenv("MEMCORE_BASE_URL", raising=False)
    assert cli.main(command) == 1
    assert "no model server is set" in capsys.readouterr().err
    assert not Path(command[command.index("--runs") + 1]).exists()
