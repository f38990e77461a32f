"""Evaluations from plan to results, on a talk of five turns with toy parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memcore import jobs
from memcore.errors import MemcoreError
from memcore.evaluation import report
from memcore.evaluation.report import Mark
from memcore.store import evaluations
from memcore.store.evaluations import Outcome, Plan, UnitState
from memcore.store.jobs import State
from memcore.store.schema import open_workspace
from tests.evaluation.conftest import tools

SYSTEMS = ("edgemem", "bm25", "ariadnemem-safe")
PLAN = Plan(SYSTEMS, (1,))


def run(path: Path, plan: Plan = PLAN) -> int:
    with open_workspace(path) as db:
        number = evaluations.create(db, plan, 0.0)
    assert jobs.evaluate(path, number, tools()) is State.DONE
    return number


def test_every_system_gets_a_result_a_question(workspace: Path) -> None:
    number = run(workspace)
    with open_workspace(workspace, read_only=True) as db:
        found = report.found(db, number)
        assert found.evaluation.state is State.DONE
        assert (found.evaluation.done, found.evaluation.total) == (9, 9)
        assert [u.state for u in found.units] == [UnitState.DONE] * 3
        for system in SYSTEMS:
            assert set(found.results[system]) == {(1, "q1"), (1, "q2"), (1, "q3")}
            assert all(r.outcome is Outcome.DONE for r in found.results[system].values())
        # "who left porto": only D3:1 holds "left"
        assert found.results["bm25"][1, "q1"].ranks == (1,)
        assert found.results["bm25"][1, "q3"].ranks == ()


def test_a_second_evaluation_asks_only_what_is_new(workspace: Path) -> None:
    run(workspace)
    second = run(workspace, replace(PLAN, systems=(*SYSTEMS, "recency")))
    with open_workspace(workspace, read_only=True) as db:
        assert [u.cached for u in evaluations.units(db, second)] == [3, 3, 3, 0]
        assert evaluations.evaluation(db, second).done == 12


def test_other_settings_or_another_budget_are_other_results(workspace: Path) -> None:
    run(workspace)
    changed = run(workspace, replace(PLAN, settings='{"bm25_b": 0.9}'))
    budget = run(workspace, replace(PLAN, budget=60))
    with open_workspace(workspace, read_only=True) as db:
        for number in (changed, budget):
            assert [u.cached for u in evaluations.units(db, number)] == [0, 0, 0]
        packed = report.found(db, budget).results["bm25"][1, "q2"]
        assert packed.tokens > 0


def test_a_system_that_is_not_here_is_skipped_with_a_reason(workspace: Path) -> None:
    number = run(workspace, replace(PLAN, systems=("bm25", "no-such")))
    with open_workspace(workspace, read_only=True) as db:
        found = report.found(db, number)
        rows = report.table(found, report.figures((5,)))
        assert [row.cells[0].mark for row in rows] == [Mark.FIGURE, Mark.SKIPPED]
        assert found.skipped("no-such") == ("no-such is not in this memcore",)
        assert [row.cells for row in report.matrix(found)] == [
            ("+", "skipped"),
            ("+", "skipped"),
            ("n.a.", "skipped"),
        ]
        assert found.evaluation.total == 3


def test_a_stop_ends_it_and_a_second_start_goes_on(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        number = evaluations.create(db, PLAN, 0.0)
        evaluations.ask_to_stop(db, number)
    assert jobs.evaluate(workspace, number, tools()) is State.STOPPED
    with open_workspace(workspace) as db:
        evaluations.wait_again(db, number, 0.0)
    assert jobs.evaluate(workspace, number, tools()) is State.DONE


def test_an_unknown_setting_or_ablation_fails_with_a_sentence(workspace: Path) -> None:
    for plan in (
        replace(PLAN, settings='{"no_such": 1}'),
        replace(PLAN, systems=("edgemem~no-such",)),
    ):
        with open_workspace(workspace) as db:
            number = evaluations.create(db, plan, 0.0)
        with pytest.raises(MemcoreError):
            jobs.evaluate(workspace, number, tools())
        with open_workspace(workspace, read_only=True) as db:
            assert evaluations.evaluation(db, number).state is State.FAILED
            assert "no" in evaluations.evaluation(db, number).error
