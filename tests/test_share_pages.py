"""The pages that share a run, in Streamlit's own test runner, on the workspace of the other pages."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from memcore.errors import StoreError
from memcore.exports import json as json_export
from memcore.exports import saved
from memcore.exports.choice import Choice, subject_of
from memcore.exports.menu import EXPORTS
from memcore.exports.redaction import Redaction
from memcore.store import named_settings, notes, runs, trash
from memcore.store.schema import open_workspace
from memcore.views.strings import say
from pages import exporting, frame
from tests.test_pages import (
    ASKED,
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

__all__ = ["built", "empty", "loaded", "open_on"]  # the fixtures


def state(at) -> frame.State:
    return at.session_state["memcore_state"]


def listed(at) -> list[int]:
    return at.dataframe[0].value["run"].tolist()


# ---------------------------------------------------------------- the list


def test_an_empty_workspace_leads_to_ask_and_offers_to_open_a_saved_run(open_on, empty):
    at = alone(open_on("pages/runs.py", empty), frame.State())
    assert say("frame.go_ask") in {b.label for b in at.button}
    assert say("runs.import") in {e.label for e in at.expander}


def test_the_runs_of_the_dialogue_are_listed_newest_first(open_on, loaded):
    at = routed(open_on("app.py", loaded), "runs")
    assert listed(at) == [2, 1]
    assert at.dataframe[0].value["retriever"].tolist() == list(reversed(ASKED))
    assert say("runs.shown", shown=2, total=2) in shown(at)


def test_the_facets_narrow_the_list(open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1))
    at.selectbox(key="runs_retriever").select("edgemem")
    assert listed(ran(at)) == [1]
    assert state(at).facets == {"retriever": "edgemem"}


def test_the_facets_of_a_link_are_taken_and_stay_in_it(open_on, loaded):
    at = open_on("app.py", loaded)
    at.query_params["retriever"] = "edgemem"
    at.query_params["q"] = "阿明"
    assert listed(routed(at, "runs")) == [1]
    assert at.query_params["retriever"] == "edgemem"
    assert at.query_params["q"] == "阿明"


def test_a_search_without_a_hit_says_none_of_how_many(open_on, loaded):
    at = routed(open_on("app.py", loaded), "runs")
    at.text_input(key="runs_q").set_value("zebra")
    ran(at)
    assert say("runs.shown", shown=0, total=2) in shown(at)


def test_a_run_is_named_pinned_and_written_on(open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1, run=1))
    next(t for t in at.text_input if t.label == say("runs.name")).set_value("best one")
    button(at, "runs.rename").click()
    ran(at)
    button(at, "runs.pin").click()
    ran(at)
    at.text_area[0].set_value("<b>show</b> this on Monday")
    button(at, "runs.add_note").click()
    ran(at)
    with open_workspace(loaded, read_only=True) as db:
        first = runs.listing(db)[0]
        assert (first.id, first.name, first.pinned) == (1, "best one", True)
        assert [n.text for n in notes.of(db, 1)] == ["<b>show</b> this on Monday"]
    assert any("<b>show</b> this on Monday" in t.value for t in at.text)
    assert listed(at) == [1, 2]


def test_a_deleted_run_comes_back_by_undo(open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1, run=1))
    button(at, "runs.delete").click()
    ran(at)
    assert listed(at) == [2]
    assert say("runs.deleted", run=1) in shown(at)
    at.button(key="undo_1").click()
    assert listed(ran(at)) == [2, 1]
    assert state(at).run == 1


def test_a_deleted_run_is_gone_for_good_once_the_page_is_left(open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1, run=1))
    button(at, "runs.delete").click()
    left = state(ran(at))
    with open_workspace(loaded, read_only=True) as db:
        assert runs.exists(db, 1)
    alone(open_on("pages/ask.py", loaded), left)
    with open_workspace(loaded, read_only=True) as db:
        assert not runs.exists(db, 1)
        assert trash.listing(db) == ()
    assert left.trash == []


def test_what_a_closed_tab_left_in_the_trash_is_deleted_an_hour_later(open_on, loaded):
    with open_workspace(loaded) as db:
        trash.put(db, 1, datetime(2024, 1, 1, tzinfo=UTC))
    routed(open_on("app.py", loaded), "runs")
    assert count_runs(loaded) == 1
    with open_workspace(loaded, read_only=True) as db:
        assert not runs.exists(db, 1)


# ---------------------------------------------------------------- export and import


@pytest.mark.parametrize("redaction", Redaction)
def test_every_file_of_the_menu_is_made_without_a_rerun(redaction, open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1, run=1))
    labels = {say(f"export.{name}") for name in (*EXPORTS, "sqlite")}
    assert labels <= {b.label for b in at.get("download_button")}
    for name in EXPORTS:
        assert exporting._file(loaded, 1, name, Choice(redaction))


def test_the_copy_of_the_database_opens_as_a_workspace_of_its_own(loaded, tmp_path):
    copy = tmp_path / "copy.db"
    copy.write_bytes(exporting._database(loaded, 1, "sqlite", Choice()))
    assert count_runs(copy) == 2


def test_an_exported_run_opened_again_gives_the_same_reply(loaded):
    with open_workspace(loaded) as db:
        subject = subject_of(db, 2)
        data = EXPORTS["json"].data(subject, Choice())
        again = saved.store(db, data)
        assert again == 3
        assert subject_of(db, again).reply == subject.reply
        assert subject_of(db, again).memory.fingerprint == subject.memory.fingerprint


@pytest.mark.parametrize("page", ["ask", "step", "runs"])
def test_a_run_opened_from_a_file_shows_the_same_words_as_the_first(page, open_on, loaded):
    with open_workspace(loaded) as db:
        saved.store(db, EXPORTS["json"].data(subject_of(db, 1), Choice()))
    seen = []
    for run in (1, 3):
        at = alone(open_on(f"pages/{page}.py", loaded), frame.State(dialogue=1, run=run, beat=3))
        said = [w for w in shown(at).split("\n") if QUESTION not in w]
        seen.append(
            re.sub(rf"\b[Rr]un.? {run}\b|--to.*|run={run}|export {run}", "", "\n".join(said))
        )
    assert seen[0] == seen[1]


def broken(change) -> bytes:
    def made(data: bytes) -> bytes:
        plain = json.loads(data)
        change(plain)
        return json.dumps(plain).encode()

    return made


WRONG = {
    "no JSON": (lambda data: b"{", "no whole run"),
    "no text": (lambda data: b"\xff\xfe\x00", "UTF-8"),
    "another memory": (broken(lambda p: p["run"].update(memory="f00")), "not in this workspace"),
    "a system unknown": (broken(lambda p: p["run"].update(retriever='"""x')), "does not know"),
    "a rank of nowhere": (
        broken(lambda p: p["event"].append({**p["event"][0], "kind": "scored", "rank": 999})),
        "fit together|was kept|never came",
    ),
    "an item of nowhere": (broken(lambda p: p["event"][0].update(item="D99:1")), "not in this"),
}


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_a_file_that_is_no_whole_run_of_this_workspace_is_refused_and_nothing_stored(
    change, said, loaded
):
    with open_workspace(loaded) as db:
        data = json_export.dump(runs.load_records(db, 1)).encode()
        with pytest.raises(StoreError, match=said):
            saved.store(db, change(data))
        assert len(runs.listing(db)) == 2


# ---------------------------------------------------------------- network and Present


@pytest.mark.parametrize("selected", ["", "D1:1", "E1", "A1", "D9:9"])
def test_step_shows_the_network_of_a_run_with_its_twin(selected, open_on, loaded):
    here = frame.State(dialogue=1, run=2, beat=4, view="network", selected=selected)
    at = alone(open_on("pages/step.py", loaded), here)
    assert say("network.twin") in {e.label for e in at.expander}


def test_present_without_a_run_offers_the_sample(open_on, empty):
    at = alone(open_on("pages/present.py", empty), frame.State())
    assert say("present.sample") in {b.label for b in at.button}


@pytest.mark.parametrize("run", [1, 2], ids=ASKED)
@pytest.mark.parametrize("scene", range(1, 7))
def test_present_shows_each_scene_or_says_that_it_has_none(run, scene, open_on, loaded):
    here = frame.State(dialogue=1, run=run, scene=scene)
    at = alone(open_on("pages/present.py", loaded), here)
    now = state(at).scene
    if now != scene:
        place = re.search(r"(\d) of \d · ", shown(at))  # the scenes that there are, counted
        assert place
        assert say("present.no_scene", n=scene, shown=place[1]) in shown(at)
    assert say(f"present.{now}") in at.title[0].value
    assert say("present.recorded", run=run, retriever=ASKED[run - 1]) in shown(at)


def test_next_goes_to_the_next_scene_that_there_is(open_on, loaded):
    at = alone(open_on("pages/present.py", loaded), frame.State(dialogue=1, run=1))
    button(at, "present.next").click()
    assert state(ran(at)).scene > 1
    button(at, "present.back").click()
    assert state(ran(at)).scene == 1


# ---------------------------------------------------------------- setting, link, B


def test_a_run_is_duplicated_as_a_setting_under_a_name_and_stays_as_it_is(open_on, loaded):
    at = alone(open_on("pages/runs.py", loaded), frame.State(dialogue=1, run=1))
    name = at.text_input(key="duplicate_1")
    assert name.value == say("runs.duplicate_name", run=1)
    at.button(key="duplicate_do_1").click()
    at.run()  # the page that it goes on to is known to the router alone
    with open_workspace(loaded, read_only=True) as db:
        saved_ones = named_settings.listing(db)
        kept = runs.load_run(db, 1).trace.settings
    assert [(s.name, s.retriever, s.run) for s in saved_ones] == [(name.value, "edgemem", 1)]
    assert saved_ones[0].settings == kept
    assert state(at).setting == saved_ones[0].id


def test_every_export_stands_in_one_group_of_the_menu():
    names = [name for _, group in exporting.GROUPS for name in group]
    assert sorted(names) == sorted([*EXPORTS, "sqlite"])
    assert all(len(group) <= exporting.IN_A_ROW for _, group in exporting.GROUPS)


LINK = """
from pages import linking
linking.content()
"""


def test_the_dialog_of_the_link_writes_every_value_out_and_no_text(open_on, loaded):
    open_on("app.py", loaded)
    at = AppTest.from_string(LINK, default_timeout=120)
    at.session_state["memcore_state"] = frame.State(dialogue=1, run=1, selected="D1:4", page="runs")
    (link,) = [code.value for code in ran(at).code]
    held = dict(parse_qsl(link.partition("?")[2]))
    assert held.pop("ws")
    assert held == {
        "dlg": "1",
        "gold": "1",
        "set": "edgemem",
        "run": "1",
        "beat": "1",
        "stage": "all",
        "view": "picture",
        "sel": "t.D1:4",
    }


def test_a_question_is_asked_of_both_retrievers_and_compare_has_the_pair(open_on, loaded):
    here = frame.State(dialogue=1, other="bm25")
    at = alone(open_on("pages/ask.py", loaded), here)
    at.text_area[0].input("豆豆是谁？") if at.text_area else at.text_input[0].input("豆豆是谁？")
    button(at, "ask.ask").click()
    ran(at)
    with open_workspace(loaded, read_only=True) as db:
        made = {r.id: r.retriever for r in runs.listing(db, 1)}
    assert made[state(at).left] == "edgemem"
    assert made[state(at).right] == "bm25"
    label = say("ask.compare", system="bm25", run=state(at).right)
    assert label in {b.label for b in at.button}
