"""Other runs: the same dialogue and questions give the same rows and drawings under any hash seed.

Four fresh processes do the same work (`tests/rerun.py`); sets and frozensets are walked in another
order in each of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rerun import QUESTIONS, SYSTEMS

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ("0", "1", "2", "3")
CHILD = """
import sys
sys.modules["torch"] = None  # spaCy imports it where it is installed, and takes seconds for nothing
from tests import rerun
rerun.main(sys.argv[1])
"""

Digests = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Digests]:
    """What a fresh process of each hash seed gave."""
    found = {}
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp(f"seed{seed}")
        command = [sys.executable, "-c", CHILD, str(folder)]
        seeded = {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"}
        environment = os.environ | seeded  # noqa: TID251 - a child needs its path
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found[seed] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_another_hash_seed_gives_equal_rows_in_every_table(runs, seed):
    assert runs[seed]["tables"] == runs["0"]["tables"]


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_another_hash_seed_gives_equal_figures(runs, seed):
    assert runs[seed]["figures"] == runs["0"]["figures"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_build_in_the_same_process_gives_equal_rows_and_vectors(runs, seed):
    assert runs[seed]["second"] == {"tables": "True", "memory": "True", "vectors": "True"}


@pytest.mark.parametrize("seed", SEEDS)
def test_growth_session_by_session_gives_the_memory_of_the_whole(runs, seed):
    assert runs[seed]["grown"] == {"memory": "True", "vectors": "True"}


def test_the_runs_compared_fill_every_table_that_a_memory_and_a_run_have(runs):
    """Empty tables would be equal under any seed and prove nothing."""
    empty = {name for name, rows in runs["0"]["tables"].items() if rows.startswith("0 ")}
    assert empty <= {
        *("turn_versions", "questions", "jobs", "sqlite_sequence"),
        # what people keep, what a model server said, and evaluations, which have tests of their own
        *("named_settings", "run_notes", "run_trash", "remarks", "replies", "extractions"),
        *("evaluations", "units", "results", "rankings", "build_times", "token_vectors"),
    }
    assert runs["0"]["tables"]["runs"].startswith(f"{len(QUESTIONS) * len(SYSTEMS)} rows")
