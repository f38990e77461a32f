from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memcore import jobs, pipeline
from memcore.settings import SAFE
from memcore.store import jobs as rows
from memcore.store.jobs import DEAD_SECONDS, State
from memcore.store.schema import open_workspace
from tests.test_pipeline import PARTS, stored, tables, talk

ROOT = Path(__file__).resolve().parents[1]
KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from memcore import pipeline
from memcore.settings import SAFE
from memcore.store.schema import open_workspace
from tests.parts import FunctionExtractor
from tests.test_pipeline import PARTS, facts

def deadly(turns):
    if turns[0].id.session == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return facts(turns)

with open_workspace(Path(sys.argv[1])) as db:
    list(pipeline.build(db, 1, replace(PARTS, extractor=FunctionExtractor(deadly)), SAFE))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_build_killed_in_the_middle_goes_on_and_ends_equal(tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    with open_workspace(path) as db:
        stored(db, talk())
    died = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
    assert died.returncode == -9
    with open_workspace(path) as db:
        assert not pipeline.is_built(pipeline.memories.load_memory(db, 1, SAFE), "ariadnemem-safe")
        assert db.table("entries").count == 2  # session 1 is stored, session 2 is not
        list(pipeline.build(db, 1, PARTS, SAFE))
        with open_workspace(tmp_path / "whole.db") as whole:
            list(pipeline.build(whole, stored(whole, talk()), PARTS, SAFE))
            assert tables(db) == tables(whole)


def test_a_job_runs_in_a_child_process_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk((("林夏: 我在银行上班", "周远: 我住在成都"),)))
    job = jobs.start(path, number, SAFE, ("edgemem",), lambda: 0.0)
    assert jobs.start(path, number, SAFE, ("edgemem",), lambda: 0.0) == job  # alive: no second one
    assert [child.wait(timeout=120) for child in jobs._CHILDREN] == [0]
    with open_workspace(path, read_only=True) as db:
        assert rows.job(db, job).state is State.DONE
        assert pipeline.is_built(pipeline.memories.load_memory(db, number, SAFE), "edgemem")


def test_a_dead_job_is_found_by_its_heartbeat(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk())
        job = rows.create(db, number, ("edgemem",), SAFE, now=0.0)
        rows.report(db, job, pipeline.Progress("annotate", 1, 5), now=1.0)
        assert rows.job(db, job).alive(now=2.0)
        assert not rows.job(db, job).alive(now=2.0 + DEAD_SECONDS)


def test_a_job_asked_to_stop_ends_after_its_step(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk((("林夏: 我在银行上班",), ("周远: 我住在成都",))))
        job = rows.create(db, number, ("edgemem",), SAFE, now=0.0)
        rows.ask_to_stop(db, job)
    shown: list[str] = []
    state = jobs.work(path, job, lambda: 0.0, lambda p: shown.append(p.phase))
    assert state is State.STOPPED
    assert shown == ["annotate"]


def test_a_job_that_fails_says_why(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk())
        job = rows.create(db, number, ("edgemem",), SAFE, now=0.0)
        rows.end(db, job, State.FAILED, 1.0, "the disk is full")
        assert rows.job(db, job).error == "the disk is full"
        assert not rows.job(db, job).alive(1.0)
