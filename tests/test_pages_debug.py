"""Compare and What-if in Streamlit's own test runner: on a small Chinese dialogue with two runs."""

from __future__ import annotations

from dataclasses import replace

from memcore import pipeline
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE
from memcore.store import memories, named_settings, runs
from memcore.store.records import RunMeta
from memcore.store.schema import open_workspace
from memcore.views.compare_words import Piece
from memcore.views.strings import say
from pages import cards, frame
from tests.test_pages import (  # noqa: F401 - the workspace and what opens a page on it
    QUESTION,
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


def test_marked_words_leave_their_blanks_outside_and_read_no_markup():
    pieces = (Piece("*job* ", own=True), Piece("at"), Piece(" ", own=True))
    assert cards.differing(pieces) == ":gray-background[**\\*job\\***] at "
    assert cards.differing(pieces, mark=False) == "\\*job\\* at "


def test_two_runs_stand_side_by_side_with_what_they_share(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, left=1, right=2, beat=5)
    at = alone(open_on("pages/compare.py", loaded), state)
    assert say("compare.unlike") not in {w.value for w in at.warning}
    assert say("compare.in_both", n=2) in shown(at) or "Both (" in shown(at)
    assert {s.value for s in at.subheader} >= {say("compare.beats"), say("compare.verdicts")}


def test_a_run_of_another_question_is_not_taken_unasked(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        db.execute("UPDATE runs SET question = 'other' WHERE id = 1")
        db.conn.commit()
    at = alone(open_on("pages/compare.py", loaded), frame.State(dialogue=1, run=2))
    assert say("compare.alone") in shown(at)
    assert at.session_state["memcore_state"].right is None
    next(s for s in at.selectbox if s.label == say("compare.right")).set_value(1)
    ran(at)
    assert at.session_state["memcore_state"].right == 1


def test_every_beat_can_be_compared(open_on, loaded):  # noqa: F811
    for beat in range(1, 7):
        state = frame.State(dialogue=1, left=1, right=2, beat=beat, selected="D1:4")
        at = alone(open_on("pages/compare.py", loaded), state)
        assert (say("compare.no_items") in {i.value for i in at.info}) == (beat < 3)


def test_one_button_asks_the_same_question_with_another_retriever(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        runs.delete(db, 2)
    at = alone(open_on("pages/compare.py", loaded), frame.State(dialogue=1))
    next(s for s in at.selectbox if s.label == say("compare.with")).set_value("bm25")
    ran(at)
    next(b for b in at.button if b.label == say("compare.ask", system="bm25")).click()
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


# ---------------------------------------------------------------- What-if


def tried(at):
    return at.session_state["memcore_state"].tried


def number(at, name):
    return next(n for n in at.number_input if n.key == f"tried_1_{name}")


def test_a_changed_budget_is_shown_as_a_difference(open_on, loaded):  # noqa: F811
    at = alone(open_on("pages/what_if.py", loaded), frame.State(dialogue=1, run=1))
    assert say("what_if.nothing") in shown(at)
    number(at, "turn_budget").set_value(2)
    button(at, "what_if.apply").click()
    ran(at)
    assert tried(at)[1].turn_budget == 2
    assert "turn_budget 20 → 2" in shown(at)
    assert say("what_if.stale") in shown(at)
    assert count_runs(loaded) == 2


def test_shares_that_do_not_add_up_are_named_and_change_nothing(open_on, loaded):  # noqa: F811
    at = alone(open_on("pages/what_if.py", loaded), frame.State(dialogue=1, run=1))
    number(at, "core_share").set_value(0.9)
    button(at, "what_if.apply").click()
    ran(at)
    assert tried(at) == {}
    assert "add up to 1.3" in shown(at)


def test_back_to_the_run_forgets_what_was_tried(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, run=1, tried={1: replace(SAFE, turn_budget=2)})
    at = alone(open_on("pages/what_if.py", loaded), state)
    assert number(at, "turn_budget").value == 2
    button(at, "what_if.reset").click()
    ran(at)
    assert tried(at) == {}
    assert number(at, "turn_budget").value == 20


def test_a_saved_setting_is_in_the_link_and_opens_again(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        named_settings.save(db, "narrow", "edgemem", replace(SAFE, turn_budget=3), 1)
    at = open_on("app.py", loaded)
    at.query_params.update({"run": "1", "set": "edgemem.1"})
    at = routed(at, "what_if")
    assert number(at, "turn_budget").value == 3
    assert at.query_params["set"] in ("edgemem.1", ["edgemem.1"])


def test_a_saved_setting_that_is_not_here_is_said_to_be_missing(open_on, loaded):  # noqa: F811
    at = open_on("app.py", loaded)
    at.query_params.update({"run": "1", "set": "edgemem.9"})
    assert say("link.no_setting") in shown(routed(at, "what_if"))


def test_saving_makes_a_setting_of_a_name_and_never_touches_the_run(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, run=1, tried={1: replace(SAFE, turn_budget=2)})
    at = alone(open_on("pages/what_if.py", loaded), state)
    next(t for t in at.text_input if t.label == say("what_if.save_name")).set_value("narrow")
    button(at, "what_if.save_do").click()
    ran(at)
    with open_workspace(loaded, read_only=True) as db:
        (saved,) = named_settings.listing(db)
        assert runs.load_run(db, 1).trace.settings == SAFE
    assert (saved.name, saved.settings.turn_budget, saved.run) == ("narrow", 2, 1)
    assert at.session_state["memcore_state"].setting == 1


def test_a_saved_setting_is_offered_in_ask_and_a_question_is_asked_with_it(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        named_settings.save(db, "narrow", "edgemem", replace(SAFE, turn_budget=3), 1)
    at = alone(open_on("pages/ask.py", loaded), frame.State(dialogue=1, system="bm25"))
    next(s for s in at.selectbox if s.label == say("what_if.saved")).set_value(1)
    ran(at)
    at.text_input[0].set_value("谁养猫？")
    button(at, "ask.ask").click()
    ran(at)
    with open_workspace(loaded, read_only=True) as db:
        made = runs.load_run(db, 3).trace
    assert (made.retriever, made.settings.turn_budget) == ("edgemem", 3)


def test_asking_again_makes_a_run_of_its_own_that_names_the_one_before(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, run=1, tried={1: replace(SAFE, turn_budget=2)})
    at = alone(open_on("pages/what_if.py", loaded), state)
    next(b for b in at.button if b.label.startswith("Ask again")).click()
    at.run()
    with open_workspace(loaded, read_only=True) as db:
        made = runs.load_records(db, 3).run
    assert (made.kind, made.parent, made.settings.turn_budget) == ("what-if", 1, 2)


def test_a_write_setting_offers_a_build(open_on, loaded):  # noqa: F811
    state = frame.State(dialogue=1, run=2, tried={2: replace(SAFE, coarsen_similarity=0.3)})
    at = alone(open_on("pages/what_if.py", loaded), state)
    assert say("what_if.build") in {b.label for b in at.button}


def test_the_flip_point_of_a_selected_turn_is_said(open_on, loaded):  # noqa: F811
    with open_workspace(loaded) as db:
        narrow = replace(SAFE, turn_budget=1)
        memory = memories.load_memory(db, 1, SAFE)
        parts = pipeline.offline_parts("zh")
        retriever = RETRIEVERS["edgemem"](memory, narrow, parts)
        *_, reply = pipeline.ask(memory, QUESTION, retriever, None)
        run = runs.save_run(db, 1, reply, RunMeta(memory=memory.fingerprint))
    lost = str(reply.trace.steps[-1].dropped[0].item)
    at = alone(open_on("pages/what_if.py", loaded), frame.State(dialogue=1, run=run, selected=lost))
    assert f"{lost}: turn_budget ≥ 2 (now 1)" in shown(at)


def test_a_sweep_draws_a_curve_and_its_table(open_on, loaded):  # noqa: F811
    at = alone(open_on("pages/what_if.py", loaded), frame.State(dialogue=1, run=1))
    next(s for s in at.selectbox if s.label == say("what_if.sweep_setting")).set_value(
        "turn_budget"
    )
    button(at, "what_if.sweep_run").click()
    ran(at)
    assert say("what_if.no_gold") in shown(at)


def test_step_jumps_to_compare_and_to_what_if(open_on, loaded):  # noqa: F811
    for key, title in (("compare.jump", "compare.title"), ("what_if.jump", "what_if.title")):
        at = open_on("app.py", loaded)
        at.query_params.update({"run": "2"})
        at = routed(at, "step")
        button(at, key).click()
        ran(at)
        assert at.title[0].value == say(title)
        assert at.session_state["memcore_state"].run == 2
