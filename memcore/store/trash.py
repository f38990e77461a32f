"""Runs that were deleted but can come back: hidden from every list, gone when the trash is emptied.

The mark lies in the file and not in a browser session, so that a closed tab does not bring a
deleted run back; whoever empties the trash later deletes it for good.
"""

from __future__ import annotations

from datetime import datetime
from typing import cast

from sqlite_utils import Database

from memcore.store.rows import select
from memcore.store.schema import transaction


def put(db: Database, run: int, at: datetime) -> None:
    """Hide a run; until the trash is emptied it can be taken out."""
    with transaction(db):
        db.execute(
            "INSERT OR IGNORE INTO run_trash (run, put_at) SELECT id, ? FROM runs WHERE id = ?",
            (at.isoformat(), run),
        )


def take_out(db: Database, run: int) -> None:
    """Bring a run back as it was."""
    with transaction(db):
        db.execute("DELETE FROM run_trash WHERE run = ?", (run,))


def listing(db: Database) -> tuple[int, ...]:
    """Return the runs in the trash, the last put there first."""
    rows = select(db, "SELECT run FROM run_trash ORDER BY put_at DESC, run DESC")
    return tuple(cast("int", row[0]) for row in rows)


def empty(db: Database, runs: tuple[int, ...] = (), before: datetime | None = None) -> int:
    """Delete runs that are in the trash for good, and return how many.

    Args:
        db: the open workspace.
        runs: these; the others stay.
        before: and those that were put there before this time.
    """
    marks = ", ".join("?" * len(runs))
    late = before.isoformat() if before else ""
    db.execute("PRAGMA secure_delete = ON")  # no words of a deleted run stay in free pages
    with transaction(db):
        chosen = f"SELECT run FROM run_trash WHERE run IN ({marks}) OR put_at < ?"
        found = db.execute(f"DELETE FROM runs WHERE id IN ({chosen})", (*runs, late)).rowcount
    if found:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return int(found)
