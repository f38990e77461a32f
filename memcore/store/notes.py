"""Notes that people write on a run; a run itself is never edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store.rows import get, select
from memcore.store.schema import transaction


@dataclass(frozen=True, slots=True)
class Note:
    """One note on a run; `n` counts from 1 within the run."""

    n: int
    text: str
    written_at: datetime


def add(db: Database, run: int, text: str, at: datetime) -> None:
    """Write a note on a run.

    Raises:
        StoreError: if the note is blank.
    """
    if not text.strip():
        msg = "the note is blank; expected at least one letter"
        raise StoreError(msg)
    with transaction(db):
        db.execute(
            """INSERT INTO run_notes SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3
                FROM run_notes WHERE run = ?1""",
            (run, text.strip(), at.isoformat()),
        )


def of(db: Database, run: int) -> tuple[Note, ...]:
    """Return the notes on a run, oldest first."""
    return get(db, Note, "run_notes WHERE run = ? ORDER BY n", (run,))


def delete(db: Database, run: int, n: int) -> None:
    """Delete one note."""
    with transaction(db):
        db.execute("DELETE FROM run_notes WHERE run = ? AND n = ?", (run, n))


def counts(db: Database) -> Mapping[int, int]:
    """Return how many notes each run has, by run; one without notes is not there."""
    rows = select(db, "SELECT run, count(*) FROM run_notes GROUP BY run ORDER BY run")
    return {cast("int", run): cast("int", n) for run, n in rows}
