"""Compare in Streamlit's own test runner: on a small Chinese dialogue with two runs."""

from __future__ import annotations

from memcore.store import runs
from memcore.store.schema import open_workspace
from memcore.views.strings import say
from pages import frame
from tests.test_pages import (  # noqa: F401 - the workspace and what opens a page on it
    alone,
    built,
    button,
    count_runs,
    empty,
    loaded,
    open_on,
    ran,
    routed,
    shown,
)

# ---------------------------------------------------------------- Compare


def test_two_runs_stand_side_by_side_with_what_they_share(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, left=1, right=2, beat=5)
    at = alone(open_on("pages/compare.py", loaded), state)
    assert say("compare.unlike") not in {w.value for w in at.warning}
    assert say("compare.in_both", n=2) in shown(at) or "Both (" in shown(at)
    assert {s.value for s in at.subheader} >= {say("compare.beats"), say("compare.verdicts")}


def test_every_beat_can_be_compared(open_on, loaded):  # noqa: F811
    for beat in range(1, 7):
        state = frame.State(dialogue=1, left=1, right=2, beat=beat, selected="D1:4")
        at = alone(open_on("pages/compare.py", loaded), state)
        assert (say("compare.no_items") in {i.value for i in at.info}) == (beat < 3)


def test_one_button_asks_the_same_question_with_another_retriever(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        runs.delete(db, 2)
    at = alone(open_on("pages/compare.py", loaded), frame.State(dialogue=1))
    primary = [b for b in at.button if b.label == say("compare.ask", system="best-lexical")]
    primary[0].click()
    ran(at)
    here = at.session_state["memcore_state"]
    assert (here.left, here.right, count_runs(loaded)) == (1, 3, 2)


def test_an_item_opens_in_the_step_of_its_side(open_on, loaded):  # noqa: F811
    at = open_on("app.py", loaded)
    at.query_params.update({"l": "1", "r": "2", "beat": "5", "sel": "t.D2:1"})
    at = routed(at, "compare")
    button_right = next(b for b in at.button if b.label == say("compare.open_right", run=2))
    button_right.click()
    ran(at)
    here = at.session_state["memcore_state"]
    assert at.title[0].value == say("step.title")
    assert (here.run, here.beat) == (2, 5)


def test_a_link_with_a_side_that_does_not_exist_says_so(open_on, loaded):  # noqa: F811
    at = open_on("app.py", loaded)
    at.query_params.update({"l": "1", "r": "77"})
    assert say("link.no_run", run=77) in shown(routed(at, "compare"))


def test_the_link_names_both_sides(open_on, loaded):  # noqa: F811
    at = open_on("app.py", loaded)
    at.query_params.update({"l": "2", "r": "1", "beat": "3"})
    at = routed(at, "compare")
    assert [at.query_params[name] for name in ("l", "r", "beat")] == ["2", "1", "3"]
