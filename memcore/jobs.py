"""Builds and evaluations as jobs: a child process does the work, rows say how far it is.

A child was taken over a thread, since it may be killed at any moment, leaves the app's memory
alone, and runs the same function as the command line. What it has finished is in the workspace,
so a job begun again goes on. The caller gives the clock: seconds, any origin, the same for all.
An evaluation may have a second child that claims rows of work beside the first.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from memcore import pipeline
from memcore.chat import Chat, Server
from memcore.errors import MemcoreError, ServerError
from memcore.evaluation.work import Tools, prepare
from memcore.evaluation.work import work as ask_units
from memcore.evolution.extract_model import ModelExtractor
from memcore.settings import Settings
from memcore.store import conversations, evaluations
from memcore.store import jobs as rows
from memcore.store.evaluations import Plan, UnitState
from memcore.store.jobs import Job, State
from memcore.store.schema import open_workspace
from memcore.types import Progress

Clock = Callable[[], float]
Environment = Mapping[str, str] | None
LOCAL: Final = "local"
MODEL: Final = "model"
EXTRACTORS: Final = (LOCAL, MODEL)
"""The extractors of a job: ours, or that of the model server which the worker is told."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_CHILDREN: Final[list[subprocess.Popen[bytes]]] = []  # kept until they end, else they stay zombies


def start(  # noqa: PLR0913 - one argument for each thing that is asked for
    path: Path,
    dialogue: int,
    settings: Settings,
    kinds: tuple[str, ...],
    clock: Clock,
    extractor: str = LOCAL,
    environment: Environment = None,
) -> int:
    """Begin to build memories in a child process; return the number of the job.

    A job of this dialogue that is alive is returned instead of a second one. The environment is
    the child's, None for a copy of ours: it tells the server of a model, and no row holds it.
    """
    with open_workspace(path) as db:
        alive = [job.id for job in rows.listing(db, dialogue) if job.alive(clock())]
        number = (
            alive[0] if alive else rows.create(db, dialogue, kinds, settings, clock(), extractor)
        )
    if not alive:
        _spawn(path, dialogue, number, environment)
    return number


def resume(path: Path, number: int, clock: Clock, environment: Environment = None) -> None:
    """Begin a stopped, failed or dead job again in a new child; one that is alive is left alone."""
    with open_workspace(path) as db:
        job = rows.job(db, number)
        if job.alive(clock()):
            return
        rows.wait_again(db, number, clock())
    _spawn(path, job.conversation, number, environment)


def work(
    path: Path,
    number: int,
    clock: Clock,
    show: Callable[[Progress], None] = lambda _: None,
    server: Server | None = None,
) -> State:
    """Do a job here and now, and return how it ended.

    `server` is where a job asks that was made for the extractor `model`.

    Raises:
        MemcoreError: what stopped the build; the job's row says it too.
    """
    with open_workspace(path) as db:
        return _ended(
            lambda: _build(db, rows.job(db, number), clock, show, server),
            lambda state, error: rows.end(db, number, state, clock(), error),
        )


def _build(
    db: Database,
    job: Job,
    clock: Clock,
    show: Callable[[Progress], None],
    server: Server | None,
) -> State:
    rows.beat(db, job.id, clock())  # loading models takes a while
    spoken = pipeline.language_spoken(conversations.load(db, job.conversation))
    parts = pipeline.offline_parts(spoken)
    if job.extractor == MODEL:
        parts = replace(parts, extractor=model_extractor(server, clock))
    for progress in pipeline.build(db, job.conversation, parts, job.settings, job.memories):
        show(progress)
        if rows.report(db, job.id, progress, clock()):
            return State.STOPPED
    return State.DONE


def model_extractor(server: Server | None, clock: Clock = lambda: 0.0) -> ModelExtractor:
    """Return the extractor of a model server.

    Raises:
        ServerError: if there is no server to ask.
    """
    if server is None:
        raise no_server()
    return ModelExtractor(Chat(server), clock=clock)


def no_server() -> ServerError:
    """Return the error of one who asks a model without a server."""
    return ServerError("no model server is set; set MEMCORE_BASE_URL and MEMCORE_MODEL")


def _spawn(path: Path, dialogue: int, number: int, environment: Environment) -> None:
    _child(path, ("build", str(dialogue), "--job", str(number)), environment)


def _ended(work: Callable[[], State], end: Callable[[State, str], None]) -> State:
    """Do the work and tell its row how it ended, whatever happens; a fault of ours goes on up."""
    state, error = State.FAILED, "the worker met a fault of memcore itself"
    try:
        state, error = work(), ""
    except KeyboardInterrupt:
        state, error = State.STOPPED, ""
    except MemcoreError as trouble:
        error = str(trouble)
        raise
    finally:
        end(state, error)
    return state


# ---------------------------------------------------------------- evaluations


def start_evaluation(path: Path, plan: Plan, clock: Clock) -> int:
    """Begin an evaluation in a child process; return its number.

    One of an equal plan that is alive is returned instead of a second one.
    """
    with open_workspace(path) as db:
        same = (e for e in evaluations.listing(db) if e.plan == plan)
        alive = [e.id for e in same if e.alive(clock())]
        number = alive[0] if alive else evaluations.create(db, plan, clock())
    if not alive:
        _child(path, ("evaluate", "--job", str(number)))
    return number


def resume_evaluation(path: Path, number: int, clock: Clock) -> None:
    """Begin a stopped, failed or dead evaluation again; one that is alive is left alone."""
    with open_workspace(path) as db:
        if evaluations.evaluation(db, number).alive(clock()):
            return
        evaluations.wait_again(db, number, clock())
    _child(path, ("evaluate", "--job", str(number)))


def evaluate(
    path: Path,
    number: int,
    tools: Tools,
    show: Callable[[Progress], None] = lambda _: None,
    workers: int = 1,
) -> State:
    """Do an evaluation here and now, with a second child process if `workers` is 2.

    Raises:
        MemcoreError: what stopped it; its row says it too.
    """
    with open_workspace(path) as db:
        return _ended(
            lambda: _evaluate(db, path, number, tools, (show, workers)),
            lambda state, error: evaluations.end(db, number, state, tools.now(), error),
        )


def help_evaluate(path: Path, number: int, tools: Tools, wanted: Callable[[], bool]) -> None:
    """Claim units of an evaluation beside its first worker, while it is `wanted`."""
    with open_workspace(path) as db:
        for progress in ask_units(db, number, tools):
            if evaluations.beat(db, number, progress.phase, tools.now()) or not wanted():
                return


def _evaluate(
    db: Database,
    path: Path,
    number: int,
    tools: Tools,
    how: tuple[Callable[[Progress], None], int],
) -> State:
    show, workers = how
    evaluations.beat(db, number, "build", tools.now())
    if _until_stopped(db, number, prepare(db, number, tools), tools, show):
        return State.STOPPED
    helper = _helper(path, number) if workers > 1 and _worth_two(db, number) else None
    stopped = _until_stopped(db, number, ask_units(db, number, tools), tools, show)
    if helper is not None:
        helper.wait()  # what it had claimed and did not finish is taken up below
    if stopped:
        return State.STOPPED
    evaluations.release(db, number)
    stopped = _until_stopped(db, number, ask_units(db, number, tools), tools, show)
    return State.STOPPED if stopped else State.DONE


MANY_QUESTIONS: Final = 200
"""Fewer are asked before a second worker has loaded its models."""


def _worth_two(db: Database, number: int) -> bool:
    waiting = [u for u in evaluations.units(db, number) if u.state is UnitState.WAITING]
    return len(waiting) > 1 and sum(u.total - u.cached for u in waiting) >= MANY_QUESTIONS


def _helper(path: Path, number: int) -> subprocess.Popen[bytes]:
    return _child(path, ("evaluate", "--job", str(number), "--helper"))


def _until_stopped(
    db: Database,
    number: int,
    steps: Iterator[Progress],
    tools: Tools,
    show: Callable[[Progress], None],
) -> bool:
    """Take steps until they end or somebody asks to stop; return whether somebody did."""
    for progress in steps:
        show(progress)
        if evaluations.beat(db, number, progress.phase, tools.now()):
            return True
    return False


def _child(
    path: Path, arguments: tuple[str, ...], environment: Environment = None
) -> subprocess.Popen[bytes]:
    _CHILDREN[:] = [child for child in _CHILDREN if child.poll() is None]
    child = subprocess.Popen(
        [sys.executable, "-m", "memcore", *arguments, "--workspace", str(path.resolve())],
        cwd=_ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    _CHILDREN.append(child)
    return child
