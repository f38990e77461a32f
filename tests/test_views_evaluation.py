"""The Evaluate page's grids and figures, from results written by hand."""

from __future__ import annotations

from memcore.evaluation import report
from memcore.evaluation.refusals import TradeOff
from memcore.views import evaluation_rows as rows
from memcore.views.evaluation_rows import Facets
from memcore.views.theme import LIGHT
from tests.evaluation.test_report import FOUND, R5


def test_the_board_shows_means_with_intervals_and_says_what_is_no_figure():
    grid = rows.board(report.table(FOUND, R5), grouped=False)
    assert grid.columns == ("retriever", "n", "R@5")
    # a 1, b 1/2, c 0: mean 1/2; bootstrap over two dialogues from 0 to 3/4; d failed.
    assert grid.rows == (
        ("left", "3", "50.0 (0.0–75.0), 1 failed"),
        ("gone", "0", "skipped"),
    )


def test_a_figure_over_fewer_questions_than_its_row_names_its_own_number():
    # FOUND: three are ranked, one of them has no answer and was refused, two have one
    metrics = {**R5, **report.REFUSALS}
    row = rows.board(report.table(FOUND, metrics), grouped=False).rows[0]
    assert row[1] == "3"
    assert row[3].endswith(" · n 1")
    assert row[4].endswith(" · n 2")


def test_the_refusals_name_how_many_questions_of_each_kind_there_are():
    grid = rows.refused_grid(report.table(FOUND, report.REFUSALS))
    assert grid.columns == (
        "retriever",
        "unanswerable, n",
        "unanswerable refused, %",
        "answerable, n",
        "answerable refused, %",
    )
    left, gone = grid.rows
    assert (left[1], left[3]) == ("1", "2")
    assert (left[2][:5], left[4][:4]) == ("100.0", "50.0")
    assert gone == ("gone", "0", "skipped", "0", "skipped")


def test_the_matrix_can_be_filtered_and_says_how_each_question_fared():
    every = rows.matching(FOUND, Facets())
    assert [r.asked.question.id for r in every] == ["a", "b", "c", "d"]
    assert rows.matrix_grid(FOUND, every).rows[1] == ("b", "multi-hop", "b", "", "C", "skipped")
    assert [r.asked.question.id for r in rows.matching(FOUND, Facets(letter="P"))] == ["c"]
    assert [r.asked.question.id for r in rows.matching(FOUND, Facets(category="multi-hop"))] == [
        "b"
    ]
    assert [r.asked.question.id for r in rows.matching(FOUND, Facets(search="D"))] == ["d"]
    assert len(rows.matching(FOUND, Facets(differs=("left", "gone")))) == 4


def test_lost_turns_come_with_the_stage_that_lost_them():
    asked = FOUND.asked[1]
    gone = rows.lost(asked.question, FOUND.result("left", asked))
    assert [(str(turn), letter) for turn, letter in gone] == [("D2:1", "C")]
    assert "Lost: D2:1 (C: no channel collected it)" in list(
        rows.told(asked.question, FOUND.result("left", asked))
    )


def test_a_bar_of_the_funnel_is_as_long_as_the_share_and_names_itself():
    loss = report.funnels(FOUND)
    figure = rows.funnel_figure(loss, LIGHT)
    packed = figure.data[4]
    assert packed.customdata[0] == "left packed"
    assert packed.x[0] == 0.92 * 0.5  # a 1, b 1/2, c 0: half of the gold is packed
    assert list(packed.text) == ["50.0", "skipped"]
    assert rows.funnel_grid(loss).rows[0][5] == "50.0 · lost 1"


def test_the_curve_is_told_in_percent_and_thinned_evenly():
    points = (TradeOff(0.1, 0.9, 0.4), TradeOff(0.2, 0.8, 0.1), TradeOff(0.3, 0.5, 0.0))
    assert "80.0 % of the unanswerable" in rows.refusal_sentence("left", points[1])
    grid = rows.tradeoff_grid({"left": points}, 2)
    assert grid.rows == (("left", "0.100", "90.0", "40.0"), ("left", "0.300", "50.0", "0.0"))


def test_costs_that_are_not_known_are_no_zeros():
    grid = rows.costs(report.costs(FOUND))
    assert grid.rows[1][1:5] == ("n.a.",) * 4


def test_retrievers_that_refuse_alike_share_one_curve():
    one, other = (TradeOff(0.1, 0.9, 0.4),), (TradeOff(0.2, 0.8, 0.1),)
    curves = {"edgemem": one, "bm25": other, "dense": one}
    assert rows.alike(curves) == {"edgemem, dense": one, "bm25": other}
    assert [t.name for t in rows.tradeoff_figure(curves, LIGHT).data] == ["edgemem, dense", "bm25"]
    assert rows.alike({"edgemem": one, "dense": one}) == {"all 2 retrievers alike": one}


def test_the_questions_that_one_retriever_lost_are_not_those_of_another():
    # FOUND: only `left` lost the gold of c at P; `gone` was skipped
    assert [
        r.asked.question.id for r in rows.matching(FOUND, Facets(letter="P", system="left"))
    ] == ["c"]
    assert rows.matching(FOUND, Facets(letter="P", system="gone")) == ()
