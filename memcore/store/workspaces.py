"""The workspaces of a folder: the files beside the one that the app was started with.

A page and a link name a workspace by its opaque id; the id is looked up among these files, so
that no path ever comes from outside. Other files are passed over, damaged and foreign ones too; a
file of a newer memcore is listed, and refused with both versions when it is opened.
New files are numbered, not named after their titles: a title may hold what a file name may not.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store.schema import APPLICATION_ID, open_workspace, transaction


@dataclass(frozen=True, slots=True)
class Workspace:
    """A file of ours: its name in the folder, its opaque id, and its title, empty if it has none."""

    file: str
    id: str
    title: str


def beside(path: Path) -> tuple[Workspace, ...]:
    """Return the workspaces in the folder of a file, by file name; the file itself among them."""
    folder = path.resolve().parent
    files = {p for p in folder.glob("*.db") if p.is_file()} | {folder / path.name}
    found = (_read(file) for file in sorted(files) if file.is_file())
    return tuple(workspace for workspace in found if workspace is not None)


def create(folder: Path, title: str, new_id: str) -> str:
    """Make an empty workspace in a folder and return the name of its file.

    Raises:
        StoreError: if the title is blank, or the folder cannot be written.
    """
    _check(title)
    names = (f"workspace-{n}.db" for n in count(1))
    name = next(name for name in names if not (folder / name).exists())
    with open_workspace(folder / name, new_id=new_id) as db:
        rename(db, title)
    return name


def rename(db: Database, title: str) -> None:
    """Give a workspace another title; its file keeps its name, and its links stay good.

    Raises:
        StoreError: if the title is blank.
    """
    _check(title)
    with transaction(db):
        db.execute("UPDATE workspace SET title = ?", (title.strip(),))


def delete(path: Path) -> None:
    """Remove the file of a workspace with the log beside it.

    Raises:
        StoreError: if another program writes to it now, or the file cannot be removed.
    """
    with open_workspace(path, wait=0.0) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        with transaction(db):  # takes the lock of writers: refused while a build or import has it
            db.execute("SELECT id FROM workspace").fetchone()
    try:
        for end in ("-wal", "-shm", ""):
            path.with_name(path.name + end).unlink(missing_ok=True)
    except OSError as error:
        msg = f"{path.name} cannot be removed; give yourself write access to its folder"
        raise StoreError(msg) from error


def _check(title: str) -> None:
    if not title.strip():
        msg = "the name is blank; expected at least one letter"
        raise StoreError(msg)


def _read(path: Path) -> Workspace | None:
    """Return what a file says of itself, None if it is not ours."""
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return None
            row = connection.execute("SELECT id, title FROM workspace ORDER BY id").fetchone()
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return None
    return Workspace(path.name, str(row[0]), str(row[1]))
