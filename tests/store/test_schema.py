from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store.codec import columns
from memcore.store.records import (
    EventRecord,
    LinkRecord,
    RunRecord,
    SpanRecord,
    StageRecord,
    TermRecord,
)
from memcore.store.schema import VERSION, migrations, open_workspace, transaction, workspace_id
from memcore.types import Decision, Drop, Entry, EvolutionEdge, Membership, Person, Question, Turn


def test_a_new_workspace_has_the_id_it_was_given(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db", new_id="w7") as db:
        assert workspace_id(db) == "w7"
    with open_workspace(tmp_path / "a.db", new_id="other") as db:
        assert workspace_id(db) == "w7"


def test_a_workspace_is_in_wal_mode_with_foreign_keys_and_a_version(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as db:
        assert db.journal_mode == "wal"
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert len(migrations.applied(db)) == VERSION


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("turns", Turn),
        ("persons", Person),
        ("questions", Question),
        ("memberships", Membership),
        ("entries", Entry),
        ("decisions", Decision),
        ("edges", EvolutionEdge),
        ("drops", Drop),
        ("runs", RunRecord),
        ("stages", StageRecord),
        ("events", EventRecord),
        ("terms", TermRecord),
        ("links", LinkRecord),
        ("spans", SpanRecord),
    ],
)
def test_every_field_of_a_stored_value_has_a_column(tmp_path: Path, table: str, kind: type) -> None:
    with open_workspace(tmp_path / "a.db") as db:
        assert set(columns(kind)) <= set(db.table(table).columns_dict)


def test_a_text_file_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("Ana: hello\n" * 100)
    with (
        pytest.raises(StoreError, match=r"notes\.db is not a memcore workspace"),
        open_workspace(path),
    ):
        pass
    assert path.read_text() == "Ana: hello\n" * 100


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE turns (id)")
    connection.close()
    with (
        pytest.raises(StoreError, match="is not a memcore workspace"),
        open_workspace(tmp_path / "other.db"),
    ):
        pass


def test_a_newer_schema_is_refused_with_both_versions(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as db:
        db.execute("PRAGMA user_version = 99")
    with (
        pytest.raises(StoreError, match=f"schema 99.* knows schema {VERSION}"),
        open_workspace(tmp_path / "a.db"),
    ):
        pass


def test_a_locked_workspace_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with (
        open_workspace(path) as first,
        transaction(first),
        pytest.raises(StoreError, match="is in use by another program"),
        open_workspace(path, wait=0.0) as second,
        transaction(second),
    ):
        pass


def test_a_reader_may_read_while_another_writes(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_workspace(path) as first, transaction(first):
        first.execute("UPDATE workspace SET title = 'new'")
        with open_workspace(path, read_only=True, wait=0.0) as second:
            assert second.execute("SELECT title FROM workspace").fetchone() == ("",)


def test_a_read_only_workspace_takes_no_row(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db"):
        pass
    with (
        pytest.raises(StoreError, match="cannot be written"),
        open_workspace(tmp_path / "a.db", read_only=True) as db,
    ):
        db.execute("DELETE FROM workspace")


def test_reading_a_workspace_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="no such workspace"),
        open_workspace(tmp_path / "a.db", read_only=True),
    ):
        pass
    assert not (tmp_path / "a.db").exists()


def test_a_folder_that_is_not_there_is_named_as_the_trouble(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="cannot be opened; check that the folder exists"),
        open_workspace(tmp_path / "none" / "a.db"),
    ):
        pass


def fill(path: Path) -> None:
    with open_workspace(path) as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        with transaction(db):
            db.execute("UPDATE workspace SET title = ?", ("x" * 100_000,))


def test_a_full_disk_stores_nothing_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StoreError, match="the disk is full; nothing was stored"):
        fill(path)
    with open_workspace(path, read_only=True) as db:
        assert db.execute("SELECT title FROM workspace").fetchone() == ("",)


def half(db: Database) -> None:
    with transaction(db):
        db.execute("UPDATE workspace SET title = 'half'")
        raise ZeroDivisionError


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as db:
        with pytest.raises(ZeroDivisionError):
            half(db)
        assert db.execute("SELECT title FROM workspace").fetchone() == ("",)
