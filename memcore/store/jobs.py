"""Jobs as rows: what a build is doing, how far it is, and whether somebody asked it to stop.

The clock is the caller's: a worker writes its heartbeat, a reader says what time it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.settings import Settings
from memcore.store import codec
from memcore.store.rows import get
from memcore.store.schema import transaction
from memcore.types import Progress

DEAD_SECONDS: Final = 90.0
"""A worker that has not written for so long is taken for dead."""


class State(StrEnum):
    """What a job is; a dead one is `running` with an old heartbeat."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One build asked for: of which dialogue, which memories, with which settings and extractor.

    The extractor is `local` or `model`; which model on which server, the worker is told.
    """

    id: int
    conversation: int
    memories: tuple[str, ...]
    settings: Settings
    state: State
    phase: str
    done: int
    total: int
    note: str
    heartbeat: float
    stop: bool
    error: str
    extractor: str

    def alive(self, now: float) -> bool:
        """Whether a worker is at it, by the heartbeat; `now` in seconds of the same clock."""
        return self.state in (State.WAITING, State.RUNNING) and now - self.heartbeat <= DEAD_SECONDS


def create(  # noqa: PLR0913 - one argument for each thing that is asked for
    db: Database,
    dialogue: int,
    memories: tuple[str, ...],
    settings: Settings,
    now: float,
    extractor: str = "local",
) -> int:
    """Add a job that waits for its worker, and return its number."""
    with transaction(db, counted=False):
        cursor = db.execute(
            """INSERT INTO jobs (conversation, memories, settings, state, phase, done, total, note,
                heartbeat, stop, error, extractor)
                VALUES (?, ?, ?, 'waiting', '', 0, 0, '', ?, 0, '', ?)""",
            (dialogue, codec.dump(memories), codec.dump(settings), now, extractor),
        )
        return cast("int", cursor.lastrowid)


def job(db: Database, number: int) -> Job:
    """Return a job.

    Raises:
        StoreError: if there is no such job.
    """
    found = get(db, Job, "jobs WHERE id = ? ORDER BY id", (number,))
    if not found:
        msg = f"there is no job {number}"
        raise StoreError(msg)
    return found[0]


def listing(db: Database, dialogue: int) -> tuple[Job, ...]:
    """Return the jobs of a dialogue, newest first."""
    return get(db, Job, "jobs WHERE conversation = ? ORDER BY id DESC", (dialogue,))


def report(db: Database, number: int, progress: Progress, now: float) -> bool:
    """Write how far a job is, and return whether somebody asked it to stop."""
    with transaction(db, counted=False):
        db.execute(
            """UPDATE jobs SET state = 'running', phase = ?, done = ?, total = ?, note = ?,
                heartbeat = ? WHERE id = ?""",
            (progress.phase, progress.done, progress.total, progress.note, now, number),
        )
    return job(db, number).stop


def beat(db: Database, number: int, now: float) -> None:
    """Say that the worker is alive."""
    with transaction(db, counted=False):
        db.execute("UPDATE jobs SET heartbeat = ? WHERE id = ?", (now, number))


def end(db: Database, number: int, state: State, now: float, error: str = "") -> None:
    """Write how a job ended."""
    with transaction(db, counted=False):
        db.execute(
            "UPDATE jobs SET state = ?, heartbeat = ?, error = ? WHERE id = ?",
            (state, now, error, number),
        )


def ask_to_stop(db: Database, number: int) -> None:
    """Ask the worker of a job to end after its present step."""
    with transaction(db, counted=False):
        db.execute("UPDATE jobs SET stop = 1 WHERE id = ?", (number,))


def wait_again(db: Database, number: int, now: float) -> None:
    """Put a stopped, failed or dead job back to waiting; what it built stays."""
    with transaction(db, counted=False):
        db.execute(
            "UPDATE jobs SET state = 'waiting', stop = 0, error = '', heartbeat = ? WHERE id = ?",
            (now, number),
        )
