"""The workspaces of a folder: listed by id, made, named and removed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memcore.errors import StoreError
from memcore.store import workspaces
from memcore.store.schema import open_workspace, transaction, workspace_id
from memcore.store.workspaces import Workspace


def made(path: Path, new_id: str) -> Path:
    with open_workspace(path, new_id=new_id):
        return path


def test_the_workspaces_beside_a_file_are_listed_and_other_files_passed_over(tmp_path: Path):
    first = made(tmp_path / "memcore.db", "one")
    made(tmp_path / "b.db", "two")
    (tmp_path / "notes.db").write_text("no database")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (x)").connection.close()
    assert workspaces.beside(first) == (
        Workspace("b.db", "two", ""),
        Workspace("memcore.db", "one", ""),
    )


def test_before_the_first_file_there_is_none(tmp_path: Path):
    assert workspaces.beside(tmp_path / "memcore.db") == ()


def test_a_new_workspace_has_the_next_number_and_its_title_and_id(tmp_path: Path):
    made(tmp_path / "workspace-1.db", "one")
    name = workspaces.create(tmp_path, " ../../A: <b>/\\title ", "new")
    assert name == "workspace-2.db"
    assert workspaces.beside(tmp_path / name)[1] == Workspace(name, "new", "../../A: <b>/\\title")


@pytest.mark.parametrize("title", ["", "  \t"])
def test_a_blank_title_is_refused_and_makes_no_file(title: str, tmp_path: Path):
    with pytest.raises(StoreError, match="blank"):
        workspaces.create(tmp_path, title, "new")
    assert list(tmp_path.iterdir()) == []


def test_a_new_title_leaves_the_id_as_it_was(tmp_path: Path):
    file = made(tmp_path / "memcore.db", "one")
    with open_workspace(file) as db:
        workspaces.rename(db, "Garden")
        assert workspace_id(db) == "one"
    assert workspaces.beside(file) == (Workspace("memcore.db", "one", "Garden"),)


def test_a_deleted_workspace_leaves_no_file(tmp_path: Path):
    workspaces.delete(made(tmp_path / "memcore.db", "one"))
    assert list(tmp_path.iterdir()) == []


def test_a_workspace_that_is_being_written_is_not_deleted(tmp_path: Path):
    file = made(tmp_path / "memcore.db", "one")
    with (
        open_workspace(file) as db,
        transaction(db),
        pytest.raises(StoreError, match="in use by another program"),
    ):
        workspaces.delete(file)
    assert file.is_file()
