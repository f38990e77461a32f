from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store import notes, runs, trash
from memcore.store.schema import open_workspace
from tests.store.test_runs import REPLY, dialogue

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def run(db: Database) -> int:
    return runs.save_run(db, dialogue(db), REPLY)


def test_notes_are_kept_in_the_order_of_writing(db: Database, run: int) -> None:
    notes.add(db, run, " first ", NOW)
    notes.add(db, run, "second", NOW)
    assert [(n.n, n.text) for n in notes.of(db, run)] == [(1, "first"), (2, "second")]
    assert notes.counts(db) == {run: 2}
    notes.delete(db, run, 1)
    assert [n.text for n in notes.of(db, run)] == ["second"]


def test_a_blank_note_is_refused(db: Database, run: int) -> None:
    with pytest.raises(StoreError, match="blank"):
        notes.add(db, run, " \n", NOW)


def test_a_run_in_the_trash_is_in_no_list_and_comes_back_as_it_was(db: Database, run: int) -> None:
    before = runs.listing(db)
    trash.put(db, run, NOW)
    assert runs.listing(db) == ()
    assert runs.asked_before(db, 1, "f1") is None
    assert trash.listing(db) == (run,)
    trash.take_out(db, run)
    assert runs.listing(db) == before


def test_only_the_runs_named_and_those_of_long_ago_are_deleted(db: Database) -> None:
    number = dialogue(db)
    old, new, named = (runs.save_run(db, number, REPLY) for _ in range(3))
    trash.put(db, old, NOW - timedelta(hours=2))
    trash.put(db, new, NOW)
    trash.put(db, named, NOW)
    assert trash.empty(db, (named,), NOW - timedelta(hours=1)) == 2
    assert trash.listing(db) == (new,)
    assert not runs.exists(db, old)
    assert runs.exists(db, new)


def test_a_run_that_is_not_in_the_trash_is_never_deleted_by_emptying_it(
    db: Database, run: int
) -> None:
    assert trash.empty(db, (run,)) == 0
    assert runs.exists(db, run)


def test_no_byte_of_a_deleted_run_and_its_notes_stays_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "memcore.db"
    with open_workspace(file, new_id="w") as db:
        run = runs.save_run(db, dialogue(db), REPLY)
        notes.add(db, run, "zqnote", NOW)
        runs.rename(db, run, "zqname")
        trash.put(db, run, NOW)
        trash.empty(db, (run,))
    held = b"".join(part.read_bytes() for part in tmp_path.iterdir())
    assert b"zqnote" not in held
    assert b"zqname" not in held
