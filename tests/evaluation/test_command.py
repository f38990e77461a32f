"""`memcore evaluate` from files to tables, with the real parts on a Chinese talk of four turns."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from memcore import cli
from memcore.transcripts.own import dump, dump_questions
from memcore.types import Question, TurnId
from tests.test_pipeline import talk

TALK = talk((("林夏: 我在银行上班", "周远: 我住在成都"), ("林夏: 我喜欢喝茶", "周远: 我喜欢咖啡")))
QUESTIONS = (
    Question("q1", "林夏在哪里上班？", "talk", "银行", 4, "single-hop", (TurnId(1, 1),), (1,)),
    Question("q2", "周远住在哪里？", "talk", "成都", 4, "single-hop", (TurnId(1, 2),), (1,)),
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "talk.json").write_text(dump(TALK), encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(dump_questions(QUESTIONS), encoding="utf-8")
    return [str(tmp_path / name) for name in ("talk.json", "q.jsonl")]


def test_it_writes_run_files_answers_and_tables(files, tmp_path, capsys) -> None:
    options = ["--systems", "bm25,full", "--k", "1,5", "--workers", "1", "--export", "answers"]
    places = ["--runs", str(tmp_path / "runs"), "--tables", str(tmp_path / "tables")]
    assert cli.main(["evaluate", *files, *options, *places]) == 0
    run = json.loads((tmp_path / "runs" / "bm25.json").read_text(encoding="utf-8"))
    assert run["_meta"]["name"] == "bm25"
    assert run["_meta"]["build_s"] > 0
    assert run["q1"]["turns"][0] == "D1:1"
    full = json.loads((tmp_path / "runs" / "full.json").read_text(encoding="utf-8"))
    assert full["q1"]["turns"] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    lines = (tmp_path / "runs" / "bm25.answers.jsonl").read_text(encoding="utf-8").splitlines()
    names = ["id", "question", "answer", "gold", "citations", "refused", "f1_official", "f1_set"]
    assert [list(json.loads(line)) for line in lines] == [names, names]
    rows = list(
        csv.reader(io.StringIO((tmp_path / "tables" / "evaluation.csv").read_text("utf-8")))
    )
    assert ["bm25", "all", "R@1", "figure", "1.0", "", "", "2", "0"] in rows
    assert "| bm25 | all | 2 | 100.0 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--systems", "nothing"], "nothing is no system"),
        (["--ablations", "recency"], "recency has no ablations"),
        (["--k", "0"], "expected whole numbers"),
        (["--questions", "q9"], "no question 'q9'"),
        (["--budget", "-5"], "--budget -5: expected 50 to 1000000 tokens"),
        (["--budget", "49"], "--budget 49: expected 50 to 1000000 tokens"),
    ],
)
def test_a_wrong_word_is_refused_with_a_sentence(files, tmp_path, capsys, options, said) -> None:
    command = ["evaluate", *files, "--runs", str(tmp_path / "runs"), *options]
    assert cli.main(command) == 1
    assert said in capsys.readouterr().err


def test_settings_come_from_a_file_of_changes(files, tmp_path, capsys) -> None:
    changes = tmp_path / "changes.json"
    command = ["evaluate", *files, "--runs", str(tmp_path), "--settings", str(changes)]
    changes.write_text("[]", encoding="utf-8")
    assert cli.main(command) == 1
    changes.write_text('{"tea": 1}', encoding="utf-8")
    assert cli.main(command) == 1
    assert "no setting 'tea'" in capsys.readouterr().err
