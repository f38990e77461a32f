"""Runs in and out of the store: a reply as its records, and the list of runs.

A run is never edited, only named, pinned or deleted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store.codec import Cell
from memcore.store.recalling import reply_of
from memcore.store.recording import records_of
from memcore.store.records import (
    EventRecord,
    LinkRecord,
    Records,
    RunMeta,
    RunRecord,
    SpanRecord,
    StageRecord,
    TermRecord,
)
from memcore.store.rows import get, put, select
from memcore.store.schema import transaction
from memcore.types import Beat, Reply


@dataclass(frozen=True, slots=True)
class StageCount:
    """One step on the strip: given + entered = kept + dropped."""

    seq: int
    beat: Beat
    name: str
    used: bool
    given: int
    entered: int
    kept: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Run:
    """One row of the list of runs."""

    id: int
    dialogue: int
    name: str
    pinned: bool
    created_at: datetime | None
    question: str
    retriever: str
    preset: str
    changed: tuple[str, ...]
    as_of: int | None
    outcome: str
    fingerprint: str
    memory: str
    reader: str
    tokens: int
    answer: str
    milliseconds: tuple[float, ...]


def save_run(db: Database, dialogue: int, reply: Reply, meta: RunMeta = RunMeta()) -> int:  # noqa: B008 - frozen
    """Store a reply in one transaction and return the number of its run.

    Raises:
        StoreError: if a step breaks the law of the trace, or the file cannot be written.
    """
    records = records_of(reply, dialogue, meta)
    with transaction(db):
        number = _next(db)
        put(db, "runs", "", [((), replace(records.run, id=number))])
        _put(db, "stages", number, records.stage)
        _put(db, "events", number, records.event)
        _put(db, "terms", number, records.term)
        _put(db, "links", number, records.link)
        _put(db, "spans", number, records.span)
    return number


def add_records(db: Database, dialogue: int, records: Records) -> int:
    """Store the records of an export as a new run of a dialogue, and return its number."""
    run = records.run
    meta = RunMeta(run.kind, run.preset, None, run.name, run.memory, run.code, run.created_at)
    return save_run(db, dialogue, reply_of(records), meta)


def load_records(db: Database, run: int) -> Records:
    """Return all records of a run.

    Raises:
        StoreError: if there is no such run.
    """
    found = get(db, RunRecord, "runs WHERE id = ? ORDER BY id", (run,))
    if not found:
        raise StoreError(_no_run(db, run))
    key = (run,)
    return Records(
        found[0],
        get(db, StageRecord, "stages WHERE run = ? ORDER BY seq", key),
        get(db, EventRecord, "events WHERE run = ? ORDER BY seq, n", key),
        get(db, TermRecord, "terms WHERE run = ? ORDER BY seq, event, n", key),
        get(db, LinkRecord, f"links WHERE run = ? ORDER BY {_LINK_ORDER}", key),
        get(db, SpanRecord, "spans WHERE run = ? ORDER BY n", key),
    )


_IN_SIGHT: Final = "id NOT IN (SELECT run FROM run_trash)"

_LINK_ORDER: Final = """seq, CASE kind WHEN 'edge' THEN 1 WHEN 'path' THEN 2 WHEN 'hop' THEN 2
    ELSE 3 END, n, position"""


def load_run(db: Database, run: int) -> Reply:
    """Return the reply of a run, equal to what was saved.

    Raises:
        StoreError: if there is no such run.
    """
    return reply_of(load_records(db, run))


def counts(db: Database, run: int) -> tuple[StageCount, ...]:
    """Return what each stage of a run was given, took in, kept and dropped, from its events."""
    return get(
        db,
        StageCount,
        """(SELECT seq, beat, name, used, entered, dropped,
                sum(entered - dropped) OVER (ORDER BY seq) AS kept,
                sum(entered - dropped) OVER (ORDER BY seq) - entered + dropped AS given
            FROM (SELECT s.seq, s.beat, s.name, s.used,
                    (SELECT count(*) FROM events e WHERE e.run = s.run AND e.seq = s.seq
                        AND e.kind = 'entered') AS entered,
                    (SELECT count(*) FROM events e WHERE e.run = s.run AND e.seq = s.seq
                        AND e.kind = 'left') AS dropped
                FROM stages s WHERE s.run = ?)) ORDER BY seq""",
        (run,),
    )


def exists(db: Database, run: int) -> bool:
    """Whether there is a run of this number."""
    return bool(select(db, "SELECT 1 FROM runs WHERE id = ? ORDER BY 1", (run,)))


def asked_before(db: Database, dialogue: int, fingerprint: str) -> int | None:
    """Return the last run of a dialogue with this fingerprint, or None.

    One whose reader failed does not count: who asks again wants an answer.
    """
    rows = select(
        db,
        f"SELECT max(id) FROM runs WHERE dialogue = ? AND fingerprint = ? AND {_IN_SIGHT}"
        " AND outcome != 'failed' ORDER BY 1",
        (dialogue, fingerprint),
    )
    return cast("int | None", rows[0][0])


def listing(db: Database, dialogue: int | None = None) -> tuple[Run, ...]:
    """Return the runs of one dialogue, or of all, newest first, pinned ones before the others."""
    where, key = ("", ()) if dialogue is None else ("AND dialogue = ?", (dialogue,))
    source = f"runs WHERE {_IN_SIGHT} {where} ORDER BY pinned DESC, id DESC"
    return get(db, Run, source, cast("tuple[Cell, ...]", key))


def rename(db: Database, run: int, name: str) -> None:
    """Give a run a name; an empty one takes it away."""
    _update(db, run, "name", name.strip())


def pin(db: Database, run: int, *, pinned: bool) -> None:
    """Keep a run at the top of the list, or no longer."""
    _update(db, run, "pinned", int(pinned))


def delete(db: Database, run: int) -> None:
    """Delete a run with its records.

    Raises:
        StoreError: if there is no such run.
    """
    with transaction(db):
        if not db.execute("DELETE FROM runs WHERE id = ?", (run,)).rowcount:
            raise StoreError(_no_run(db, run))


def _put(db: Database, table: str, run: int, values: Iterable[object]) -> None:
    put(db, table, "run", (((run,), value) for value in values))


def _next(db: Database) -> int:
    """Return a number that no run ever had, so that a link never opens another run."""
    sql = "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'runs' ORDER BY 1"
    return cast("int", select(db, sql)[0][0])


def _update(db: Database, run: int, column: str, value: Cell) -> None:
    with transaction(db):
        if not db.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, run)).rowcount:
            raise StoreError(_no_run(db, run))


_ENDS: Final = "SELECT min(id), max(id) FROM runs ORDER BY 1"


def _no_run(db: Database, run: int) -> str:
    first, last = (cast("int | None", n) for n in select(db, _ENDS)[0])
    known = f"expected a number from {first} to {last}" if last else "ask a question first"
    return f"there is no run {run}; {known}"
