"""Evaluations as children: killed, resumed, started by the app."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memcore import jobs
from memcore.evaluation import report
from memcore.store import conversations, evaluations
from memcore.store.evaluations import Plan
from memcore.store.jobs import DEAD_SECONDS, State
from memcore.store.schema import open_workspace
from memcore.types import Question, TurnId
from tests.evaluation.conftest import tools
from tests.test_pipeline import stored, talk

ROOT = Path(__file__).resolve().parents[2]
PLAN = Plan(("bm25", "recency"), (1,))
KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from memcore import jobs
from memcore.evaluation import work
from tests.evaluation.conftest import tools

work.BATCH = 1  # every result is written at once
given = tools()
calls = iter(range(10_000))

def deadly():
    if (n := next(calls)) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return float(n)

jobs.evaluate(Path(sys.argv[1]), int(sys.argv[2]), replace(given, milliseconds=deadly))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_an_evaluation_killed_in_the_middle_goes_on_where_it_was(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        number = evaluations.create(db, PLAN, 0.0)
    command = [sys.executable, "-c", KILLED, str(workspace), str(number), "60"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -9
    with open_workspace(workspace) as db:
        before = evaluations.evaluation(db, number)
        assert before.state is State.RUNNING
        assert not before.alive(DEAD_SECONDS + 1)
        assert 0 < before.done < 6
        evaluations.wait_again(db, number, 0.0)
    assert jobs.evaluate(workspace, number, tools()) is State.DONE
    with open_workspace(workspace, read_only=True) as db:
        units = evaluations.units(db, number)
        assert sum(u.cached for u in units) == before.done  # none was asked twice
        assert evaluations.evaluation(db, number).done == 6
        assert len(report.found(db, number).results["recency"]) == 3


def test_the_app_starts_it_as_a_child_and_polls_its_row(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    line = "林夏: 我在银行上班"
    question = Question("q1", "林夏在哪里上班？", "talk", evidence_turns=(TurnId(1, 1),))
    with open_workspace(path) as db:
        dialogue = stored(db, talk(((line, "周远: 我住在成都"),)))
        conversations.add_questions(db, dialogue, (question,))
    number = jobs.start_evaluation(path, PLAN, lambda: 0.0)
    assert jobs.start_evaluation(path, PLAN, lambda: 0.0) == number  # alive: no second one
    assert [child.wait(timeout=120) for child in jobs._CHILDREN] == [0]
    with open_workspace(path, read_only=True) as db:
        found = report.found(db, number)
        assert found.evaluation.state is State.DONE
        assert found.results["bm25"][dialogue, "q1"].ranks == (1,)


def test_two_workers_share_the_units(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        number = evaluations.create(db, PLAN, 0.0)
    given = tools()
    with open_workspace(workspace) as db:
        list(jobs.prepare(db, number, given))
        taken = evaluations.claim(db, number)
        assert taken is not None
    jobs.help_evaluate(workspace, number, given, lambda: True)  # does the other one only
    with open_workspace(workspace) as db:
        states = [u.state for u in evaluations.units(db, number)]
        assert states == ["running", "done"]
        assert evaluations.seconds_left(db, number) is not None


def test_a_helper_ends_when_nobody_wants_it(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        number = evaluations.create(db, PLAN, 0.0)
        list(jobs.prepare(db, number, tools()))
    jobs.help_evaluate(workspace, number, tools(), lambda: False)
    with open_workspace(workspace, read_only=True) as db:
        assert [u.state for u in evaluations.units(db, number)].count("done") < 2
