"""Tables from results written by hand: two dialogues, two systems."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcore.evaluation import report
from memcore.evaluation.report import Asked, Found, Group, Mark
from memcore.store.evaluations import Evaluation, Outcome, Plan, Remark, Result, Unit, UnitState
from memcore.store.jobs import State
from memcore.types import Question, TurnId

D11 = (TurnId(1, 1),)


def asked(dialogue: int, name: str, gold=D11, **more) -> Asked:
    question = Question(name, name, category_code=4, category="single-hop", evidence_turns=gold)
    wrong = more.pop("wrong", False)
    return Asked(
        dialogue, f"c{dialogue}", {1: 3, 2: 4}, replace(question, **more), Remark(name, "", wrong)
    )


def result(name: str, ranks=(1,), fates="+", **more) -> Result:
    kept = sum(f == "+" for f in fates)
    survived = (len(ranks), len(ranks), len(ranks), len(ranks), kept, kept)
    return replace(
        Result(name, "", ranks=ranks, fates=fates, survived=survived, used=(True,) * 6), **more
    )


ASKED = (
    asked(1, "a"),
    asked(1, "b", (TurnId(1, 1), TurnId(2, 1)), category_code=1, category="multi-hop"),
    asked(2, "c", abstain=True, category_code=5, category="adversarial"),
    asked(2, "d", wrong=True),
)
LEFT = {
    (1, "a"): result("a", (1,), refusal=0.1, ms=1.0, tokens=10),
    (1, "b"): result("b", (2, 0), "+C", refusal=0.3, refused=True, ms=2.0, tokens=30),
    (2, "c"): result("c", (6,), "P", refusal=0.4, refused=True, ms=3.0, dated=True),
    (2, "d"): Result("d", "", Outcome.FAILED, "no word"),
}


def unit(dialogue: int, system: str, state: UnitState, reason: str = "") -> Unit:
    return Unit(1, dialogue, system, 1, "f", state, reason, 0, 2)


FOUND = Found(
    Evaluation(
        1, Plan(("left", "gone"), (1, 2)), "", State.DONE, "", 4, 4, 0.0, 0.0, stop=False, error=""
    ),
    (*(unit(d, "left", UnitState.DONE) for d in (1, 2)), unit(1, "gone", UnitState.SKIPPED, "no")),
    ASKED,
    {"left": LEFT, "gone": {}},
    {"left": 2.0, "gone": None},
)
R5 = {"R@5": report.figures((5,))["R@5"]}


def test_failed_questions_are_in_no_mean_and_skipped_systems_have_none() -> None:
    left, gone = report.table(FOUND, R5)
    # a: 1, b: 1/2, c: 0, d failed
    assert left.cells[0].metric.value == pytest.approx(0.5)
    assert (left.cells[0].metric.n, left.cells[0].failed, left.questions) == (3, 1, 4)
    # draws of dialogues: c1 c1 3/4, c1 c2 1.5/3, c2 c2 0; 2.5 % is 0, 97.5 % is 3/4
    assert (left.cells[0].metric.low, left.cells[0].metric.high) == (0.0, 0.75)
    assert gone.cells[0].mark is Mark.SKIPPED


def test_a_metric_without_a_case_is_not_applicable_and_failures_alone_are_failed() -> None:
    only = FOUND.without(lambda a: a.question.id == "d")
    assert report.table(only, R5)[0].cells[0].mark is Mark.FAILED
    reader = report.table(FOUND, dict(report.ANSWERS))[0]
    assert [c.mark for c in reader.cells] == [Mark.NOT_APPLICABLE] * 3


def test_rows_are_parted_by_category_in_the_order_of_their_codes() -> None:
    rows = report.table(FOUND, R5, Group.CATEGORY)[:4]
    assert [(r.group, r.questions) for r in rows] == [
        ("all", 4),
        ("multi-hop", 1),
        ("single-hop", 2),
        ("adversarial", 1),
    ]
    dated = report.table(FOUND, R5, Group.DATED)[:3]
    assert [(r.group, r.questions) for r in dated] == [("all", 4), ("dated", 1), ("undated", 3)]


def test_disputed_gold_can_be_left_out() -> None:
    assert [a.question.id for a in FOUND.undisputed().asked] == ["a", "b", "c"]


def test_the_funnel_counts_what_is_left_and_the_questions_lost() -> None:
    funnel = report.funnels(FOUND)[0]
    assert (funnel.questions, funnel.whole) == (3, 1)
    assert [(s.letter, s.lost) for s in funnel.stages if s.lost] == [("C", 1), ("P", 1)]
    packed = funnel.stages[4]
    assert packed.cell.metric.value == pytest.approx(0.5)  # 1, 1/2, 0
    assert funnel.stages[5].cell.mark is Mark.NOT_APPLICABLE  # nobody read


def test_the_matrix_names_the_first_loss_and_what_is_no_loss() -> None:
    rows = report.matrix(FOUND)
    assert [r.cells for r in rows] == [
        ("+", "skipped"),
        ("C", "skipped"),
        ("P", ""),
        ("failed", ""),
    ]
    same = (replace(rows[0], cells=("+", "+")), rows[1])
    assert report.differing(same, 0, 1) == (rows[1],)


def test_costs_know_what_they_do_not_know() -> None:
    left, gone = report.costs(FOUND)
    assert (left.build_seconds, left.turns_per_second) == (2.0, 7.0)  # 14 turns
    assert (left.ms_p50, left.ms_p95, left.tokens) == (2.0, 3.0, pytest.approx(13.3, abs=0.04))
    assert (gone.build_seconds, gone.ms_p50, gone.tokens) == (None, None, None)


def test_refusals_come_in_pairs_and_trade_off() -> None:
    refused, wrongly = report.table(FOUND, dict(report.REFUSALS))[0].cells
    assert (refused.metric.value, refused.metric.n) == (1.0, 1)
    assert (wrongly.metric.value, wrongly.metric.n) == (0.5, 2)
    # scores: unanswerable 0.4; answerable 0.1, 0.3
    assert [(t.limit, t.refused, t.wrongly_refused) for t in report.tradeoff(FOUND, "left")] == [
        (-1.0, 1.0, 1.0),
        (0.1, 1.0, 0.5),
        (0.3, 1.0, 0.0),
        (0.4, 0.0, 0.0),
    ]
    assert report.tradeoff(FOUND, "gone") == ()


def test_cautions_name_what_makes_a_figure_doubtful() -> None:
    session = tuple(TurnId(1, n) for n in (1, 2, 3))
    found = replace(
        FOUND,
        asked=(
            asked(1, "whole", session),
            asked(1, "lost", evidence_unresolved=("D9:9",)),
            asked(1, "bare", ()),
        ),
    )
    told = {c.kind: c.places for c in report.cautions(found, (5, 10))}
    assert told == {
        "k_reaches_all": ("k=10: c1",),  # the dialogue has 7 turns
        "gold_is_session": ("whole",),
        "unresolved": ("lost: D9:9",),
        "no_gold": ("bare",),
    }


def test_the_macro_mean_is_over_categories_1_to_4() -> None:
    # single-hop: a 1 (d failed); multi-hop: b 1/2; adversarial is left out
    assert report.category_macro(FOUND, "left", ("R@5", R5["R@5"])) == pytest.approx(0.75)
