"""The workspace dialog and the troubles of a file, in Streamlit's own test runner."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memcore.store import conversations, runs, workspaces
from memcore.store.schema import VERSION, open_workspace, transaction
from memcore.views.strings import say
from pages import frame, workspace
from tests import test_pages as base

DIALOG = "from pages import workspace; workspace.content()"
"""The content of the dialog: the test runner opens no dialog."""
SECRET = "豆豆"  # a cat of the dialogue: in turns, facts, anchors and runs

built, empty, loaded, open_on = base.built, base.empty, base.loaded, base.open_on


@pytest.fixture
def dialog(open_on, loaded) -> AppTest:
    open_on("app.py", loaded)
    at = AppTest.from_string(DIALOG, default_timeout=120)
    at.session_state["memcore_state"] = frame.State(dialogue=1, run=2)
    return base.ran(at)


def type_in(at: AppTest, key: str, text: str) -> None:
    next(t for t in at.text_input if t.label == say(key)).set_value(text)


def press(at: AppTest, key: str) -> AppTest:
    base.button(at, key).click()
    return base.ran(at)


def agree(at: AppTest, what: str) -> AppTest:
    at.checkbox(f"workspace_agree_{what}").check()
    return base.ran(at)


def state(at: AppTest) -> frame.State:
    found: frame.State = at.session_state["memcore_state"]
    return found


def dialogues(file: Path) -> list[str]:
    with open_workspace(file, read_only=True) as db:
        return [row.name for row in conversations.listing(db)]


def test_a_workspace_is_named(dialog, loaded):
    type_in(dialog, "workspace.name_workspace", "Garden")
    press(dialog, "workspace.take_workspace")
    assert [w.title for w in workspaces.beside(loaded)] == ["Garden"]


def test_a_blank_name_is_refused_in_words(dialog):
    type_in(dialog, "workspace.name_workspace", "  ")
    assert "the name is blank" in base.shown(press(dialog, "workspace.take_workspace"))


def test_a_new_workspace_is_opened_empty_and_the_first_one_can_be_opened_again(dialog, loaded):
    type_in(dialog, "workspace.name_new", "Second")
    press(dialog, "workspace.take_new")
    here = state(dialog)
    assert (here.file, here.dialogue, here.run) == ("workspace-1.db", None, None)
    assert dialogues(loaded.with_name("workspace-1.db")) == []
    dialog.selectbox[0].set_value(loaded.name)
    assert state(base.ran(dialog)).file == ""


def test_a_workspace_of_a_newer_memcore_is_refused_and_the_open_one_stays(dialog, loaded):
    name = workspaces.create(loaded.parent, "Newer", "n")
    newer(loaded.with_name(name))
    dialog = base.ran(dialog)
    dialog.selectbox[0].set_value(name)
    assert "made by a newer memcore" in base.shown(base.ran(dialog))
    assert state(dialog).file == ""


def test_the_copy_of_a_workspace_holds_all_of_it(loaded, tmp_path):
    copy = tmp_path / "copy.db"
    copy.write_bytes(workspace.copy(loaded))
    with open_workspace(copy, read_only=True) as two, open_workspace(loaded, read_only=True) as one:
        assert list(two.conn.iterdump()) == list(one.conn.iterdump())


def test_the_copy_of_a_dialogue_holds_it_and_its_runs_and_no_other(loaded, tmp_path):
    file = tmp_path / "copy.db"
    file.write_bytes(workspace.copy(loaded, 1))
    with open_workspace(file, read_only=True) as db:
        assert [row.id for row in conversations.listing(db)] == [1]
        assert len(runs.listing(db)) == 2


def test_a_workspace_is_deleted_only_after_a_tick(dialog, loaded):
    type_in(dialog, "workspace.name_new", "Second")
    press(dialog, "workspace.take_new")
    assert base.button(dialog, "workspace.delete_workspace").disabled
    press(agree(dialog, "workspace"), "workspace.delete_workspace")
    assert not loaded.with_name("workspace-1.db").exists()
    assert state(dialog).file == ""
    assert loaded.is_file()


def test_a_dialogue_is_named(dialog, loaded):
    type_in(dialog, "workspace.name_dialogue", "搬家")
    press(dialog, "workspace.take_dialogue")
    assert dialogues(loaded) == ["搬家"]


def test_start_shows_the_new_name_at_once(open_on, loaded):
    at = base.routed(open_on("app.py", loaded))
    with open_workspace(loaded) as db:
        conversations.rename(db, 1, "搬家")
    assert "搬家" in [t.value for t in base.ran(at).text]


def test_a_deleted_dialogue_leaves_no_row_and_no_byte_in_the_file(dialog, loaded):
    assert SECRET.encode() in loaded.read_bytes()
    press(agree(dialog, "dialogue"), "workspace.delete_dialogue")
    assert state(dialog).dialogue is None
    assert left(loaded) == {"_sqlite_migrations", "sqlite_sequence", "workspace"}
    beside = [p for p in loaded.parent.iterdir() if p.name.startswith(loaded.name)]
    assert SECRET.encode() not in b"".join(p.read_bytes() for p in beside)


def left(file: Path) -> set[str]:
    """The tables that hold rows."""
    with open_workspace(file, read_only=True) as db:
        return {name for name in db.table_names() if db.table(name).count}


# ---------------------------------------------------------------- a file in trouble


def newer(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def test_a_newer_schema_is_a_message_on_every_page(open_on, loaded):
    newer(loaded)
    at = base.routed(open_on("app.py", loaded))
    assert f"memcore.db has schema {VERSION + 1}, made by a newer memcore" in base.shown(at)


def test_a_file_of_another_program_is_a_message_and_left_as_it_was(open_on, empty):
    empty.write_text("a shopping list, and long enough to be no SQLite header")
    before = empty.read_bytes()
    at = base.routed(open_on("app.py", empty))
    assert "memcore.db is not a memcore workspace" in base.shown(at)
    assert empty.read_bytes() == before


TROUBLED = """
from memcore.store import workspaces
from memcore.store.schema import open_workspace
from pages import cards, holdings
with cards.told(), open_workspace(holdings.path(), wait=0.0) as db:
    db.execute("PRAGMA max_page_count = 1")  # what a full disk gives: SQLITE_FULL
    workspaces.rename(db, "x" * 1_000_000)
"""


def test_a_full_disk_is_a_message_and_nothing_is_stored(open_on, loaded):
    open_on("app.py", loaded)
    at = base.ran(AppTest.from_string(TROUBLED, default_timeout=120))
    assert "the disk is full" in base.shown(at)
    assert [w.title for w in workspaces.beside(loaded)] == [""]


def test_a_file_that_another_program_writes_is_a_message(open_on, loaded):
    open_on("app.py", loaded)
    with open_workspace(loaded) as db, transaction(db):
        at = base.ran(AppTest.from_string(TROUBLED, default_timeout=120))
    assert "is in use by another program" in base.shown(at)


def test_a_link_opens_the_workspace_it_names_by_id(open_on, loaded):
    name = workspaces.create(loaded.parent, "Second", "second-id")
    at = open_on("app.py", loaded)
    at.query_params["ws"] = "second-id"
    assert state(base.ran(at)).file == name
    assert at.query_params["ws"] == "second-id"


@pytest.mark.parametrize("wanted", ["../other.db", "other.db", "/etc/passwd"])
def test_a_path_in_a_link_opens_nothing(wanted, open_on, loaded):
    at = open_on("app.py", loaded)
    at.query_params["ws"] = wanted
    assert state(base.ran(at)).file == ""
    assert say("link.no_workspace", name="memcore.db") in base.shown(at)
