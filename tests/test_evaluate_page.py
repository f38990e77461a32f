"""The page Evaluate in Streamlit's test runner, on evaluations that were really run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from memcore import jobs, pipeline
from memcore.evaluation.work import Tools
from memcore.store import conversations, evaluations, runs
from memcore.store.evaluations import Plan
from memcore.store.schema import open_workspace
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Question, TurnId
from memcore.views.strings import say
from pages import frame
from tests.test_pages import NOW, TALK, button, ran, shown

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Tools(pipeline.offline_parts, lambda: 1000.0, lambda: 0.0)
ASKED = (
    Question("q:0", "阿明在哪里工作？", answer="书店", evidence_turns=(TurnId(2, 1),)),
    Question("q:1", "豆豆是谁？", answer="猫", evidence_turns=(TurnId(1, 3),)),
)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one finished evaluation of two systems over two questions."""
    file = tmp_path_factory.mktemp("evaluate") / "built.db"
    with open_workspace(file, new_id="w") as db:
        result = read((Source("talk.txt", TALK.encode()),), Options())
        number = conversations.save(db, result, NOW).dialogues[0]
        for question in ASKED:
            evaluations.add_own_question(db, number, question)
        plan = Plan(("edgemem", "recency"), (number,))
        made = evaluations.create(db, plan, 1000.0)
    jobs.evaluate(file, made, TOOLS)
    return file


@pytest.fixture
def page(evaluated, tmp_path, monkeypatch):
    st.cache_resource.clear()
    st.cache_data.clear()
    workspace = Path(shutil.copy(evaluated, tmp_path / "memcore.db"))
    monkeypatch.setattr(sys, "argv", ["app.py", "--workspace", str(workspace)])
    at = AppTest.from_file(str(ROOT / "pages" / "evaluate.py"), default_timeout=120)
    at.session_state["memcore_routed"] = True
    at.session_state["memcore_state"] = frame.State(dialogue=1, evaluation=1)
    return at, workspace


def test_the_page_opens_the_newest_evaluation_with_its_gold_loss(page):
    at, _ = page
    ran(at)
    assert say("evaluate.purpose") in shown(at)
    assert at.session_state["memcore_state"].evaluation == 1
    assert "edgemem" in str(at.dataframe[0].value)


@pytest.mark.parametrize("view", ["funnel", "board", "groups", "matrix", "refusals", "costs"])
def test_every_view_draws_in_both_languages(page, view):
    at, _ = page
    for language in ("en", "zh-CN"):
        at.session_state["memcore_state"].language = language
        at.session_state["memcore_state"].matrix["show"] = view
        ran(at)
        assert at.dataframe or view == "refusals"


def test_a_cell_shows_its_question_and_opens_the_trace_at_the_stage(page):
    at, workspace = page
    at.session_state["memcore_state"].matrix["show"] = "matrix"
    at.session_state["memcore_state"].cell = "1~recency~own:1"
    ran(at)
    assert ASKED[0].text in shown(at)
    assert "D2:1" in shown(at)
    lost = [b for b in at.button if b.key == "evaluate_open"]
    assert len(lost) == 1
    with open_workspace(workspace, read_only=True) as db:
        assert runs.listing(db) == ()


def test_a_note_and_a_flag_are_kept_with_the_question(page):
    at, workspace = page
    at.session_state["memcore_state"].matrix["show"] = "matrix"
    at.session_state["memcore_state"].cell = "1~edgemem~own:1"
    ran(at)
    next(t for t in at.text_input if t.label == say("evaluate.note")).input("two answers")
    next(t for t in at.toggle if t.label == say("evaluate.mark_wrong")).set_value(True)
    ran(at)
    with open_workspace(workspace, read_only=True) as db:
        said = evaluations.remarks(db, 1)
    assert [(r.question, r.note, r.wrong) for r in said] == [("own:1", "two answers", True)]


def test_an_unknown_evaluation_in_the_link_is_said(page):
    at, _ = page
    at.session_state["memcore_state"].evaluation = 9
    ran(at)
    assert say("link.no_evaluation", n=9) in shown(at)


def test_running_needs_questions_and_systems(page):
    at, _ = page
    ran(at)
    at.multiselect(key="evaluate_systems").set_value([])
    ran(at)
    assert button(at, "evaluate.run").disabled


def test_the_budget_of_the_page_has_the_range_of_the_command(page):
    at, _ = page
    ran(at)
    field = at.number_input(key="evaluate_budget")
    assert (field.min, field.max) == (50, 1_000_000)


def test_a_bar_of_the_funnel_opens_the_questions_that_this_retriever_lost_there(page):
    # edgemem keeps the gold of both questions; the bar of recency at `packed` loses what it loses
    at, _ = page
    at.session_state["memcore_state"].matrix |= {"show": "matrix", "fate": "+", "of": "edgemem"}
    ran(at)
    assert list(at.dataframe[0].value["edgemem"]) == ["✓"] * len(at.dataframe[0].value)
    assert at.selectbox(key="evaluate_of").value == "edgemem"
    at.selectbox(key="evaluate_of").select("")
    ran(at)
    assert at.session_state["memcore_state"].matrix == {"show": "matrix", "fate": "+"}


def test_a_filter_of_the_link_that_is_none_here_is_said_and_let_go(page):
    at, _ = page
    at.session_state["memcore_state"].matrix |= {"show": "matrix", "category": "cooking"}
    ran(at)
    assert say("link.bad_value", name="category", value="cooking") in shown(at)
    assert "category" not in at.session_state["memcore_state"].matrix


def test_an_evaluation_is_deleted_by_a_second_click_and_its_remarks_stay(page):
    at, workspace = page
    ran(at)
    button(at, "evaluate.delete_now").click()
    ran(at)
    assert say("evaluate.none") in shown(at)
    with open_workspace(workspace, read_only=True) as db:
        assert evaluations.listing(db) == ()
