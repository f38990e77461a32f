"""What the Evaluate page does: start, stop and read evaluations, keep remarks and questions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

import memcore
from memcore import jobs
from memcore.errors import MemcoreError
from memcore.evaluation import ablations as table
from memcore.evaluation import report
from memcore.evaluation.opening import Place, open_run
from memcore.evaluation.work import Tools
from memcore.store import conversations, evaluations
from memcore.store.evaluations import Evaluation, Plan, Remark
from memcore.store.jobs import State
from memcore.store.records import RunMeta
from memcore.store.schema import open_workspace
from memcore.transcripts.questions_file import read_questions
from memcore.transcripts.sources import Source
from memcore.types import Question
from pages import acts, frame, holdings
from pages.frame import words

DEFAULT = ("edgemem", "best", "ariadnemem-safe", "bm25", "dense")
"""The retrievers that are chosen at first."""


def ablations(systems: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the switched-off parts of the chosen retrievers."""
    return tuple(name for system in systems for name in table.names(system))


def plan(
    systems: Sequence[str], dialogues: Sequence[int], budget: int | None, *, read: bool
) -> Plan:
    """Return what is to be compared."""
    reader = "extractive" if read else ""
    return Plan(tuple(systems), tuple(sorted(dialogues)), budget=budget, reader=reader)


def start(wanted: Plan) -> int:
    """Start an evaluation in a child process, and return its number."""
    return jobs.start_evaluation(holdings.path(), wanted, time.time)


@frame.refusing
def resume(number: int) -> None:
    """Go on with an evaluation that was stopped or interrupted."""
    jobs.resume_evaluation(holdings.path(), number, time.time)


@frame.refusing
def stop(number: int) -> None:
    """Ask an evaluation to end; what it has asked stays."""
    with holdings.opened(read_only=False) as db:
        evaluations.ask_to_stop(db, number)


@frame.refusing
def delete(number: int) -> None:
    """Delete an evaluation; results that others share stay."""
    with holdings.opened(read_only=False) as db:
        evaluations.delete(db, number)
    frame.state().evaluation = None


def listing() -> tuple[Evaluation, ...]:
    """Return the evaluations of the workspace."""
    with holdings.opened() as db:
        return evaluations.listing(db)


def evaluation(number: int) -> Evaluation:
    """Return one evaluation as it stands now."""
    with holdings.opened() as db:
        return evaluations.evaluation(db, number)


def running(whole: Evaluation) -> bool:
    """Whether a worker is at it now."""
    return whole.alive(time.time())


def line(whole: Evaluation) -> str:
    """Return an evaluation in one line of a select box."""
    dead = whole.state in (State.WAITING, State.RUNNING) and not running(whole)
    state = words(f"evaluate.state.{'dead' if dead else whole.state.value}")
    names = ", ".join(whole.plan.systems)
    shown = names if len(names) <= 80 else f"{names[:79]}…"
    if running(whole):  # its bar counts; the box would keep the counts of the last full run
        return words("evaluate.running_line", id=whole.id, systems=shown)
    return words(
        "evaluate.stored_line",
        id=whole.id,
        systems=shown,
        done=whole.done,
        total=whole.total,
        state=state,
    )


def progress_line(whole: Evaluation) -> str:
    """Return how far it is, at what, and how long it may take."""
    kind, _, rest = whole.phase.partition(": ")
    name = kind if kind in ("build", "ask") else "prepare"
    phase = words(f"evaluate.phase.{name}") + (f" · {rest}" if rest else "")
    if not whole.total:
        return phase
    text = words("evaluate.progress", done=whole.done, total=whole.total, phase=phase)
    with holdings.opened() as db:
        seconds = evaluations.seconds_left(db, whole.id)
    if seconds is None:
        return text
    minutes = words("evaluate.minutes", n=max(1, round(seconds / 60)))
    return f"{text} · {words('evaluate.left_time', minutes=minutes)}"


def found(number: int) -> report.Found:
    """Return what an evaluation has found, read once for each state of it and its remarks."""
    whole = evaluation(number)
    with holdings.opened() as db:
        said = tuple(r for d in whole.plan.dialogues for r in evaluations.remarks(db, d))
    return _found(str(holdings.path()), number, (whole.done, whole.total, whole.state.value), said)


@st.cache_resource(max_entries=4, show_spinner=False)
def _found(
    file: str, number: int, stand: tuple[int, int, str], said: tuple[Remark, ...]
) -> report.Found:
    with open_workspace(Path(file), read_only=True) as db:
        return report.found(db, number)


def remark(dialogue: int, question: str, note: str, *, wrong: bool) -> None:
    """Keep a note on a question, and whether its gold is held for wrong."""
    with holdings.opened(read_only=False) as db:
        evaluations.remark(db, dialogue, Remark(question, note, wrong))


def open_trace(place: Place) -> int | None:
    """Ask a question of an evaluation again with its trace, and return the run."""
    tools = Tools(acts.parts, time.time, lambda: time.perf_counter() * 1000)
    meta = RunMeta(code=memcore.__version__, created_at=datetime.now(UTC))
    try:
        with st.spinner(words("evaluate.opening")), holdings.opened(read_only=False) as db:
            return open_run(db, place, tools, meta)
    except MemcoreError as error:
        frame.state().notices.append(str(error))
        return None


def take_questions(name: str, data: bytes) -> None:
    """Add the questions of a file to the open dialogue; say what was added or what is wrong."""
    here = frame.state()
    here.uploads += 1
    talk = holdings.conversation()
    if talk is None or here.dialogue is None:
        return
    try:
        read = read_questions(Source(name, data), talk)
        with holdings.opened(read_only=False) as db:
            conversations.add_questions(db, here.dialogue, read)
    except MemcoreError as error:
        here.notices.append(str(error))
        return
    gold = sum(bool(q.evidence_turns) for q in read)
    here.notices.append(words("evaluate.added", n=len(read), gold=gold))


def keep_question(dialogue: int, wanted: Question) -> None:
    """Store a question with its gold turns."""
    here = frame.state()
    try:
        with holdings.opened(read_only=False) as db:
            made = evaluations.add_own_question(db, dialogue, wanted)
    except MemcoreError as error:
        here.notices.append(str(error))
        return
    here.notices.append(words("own.added", id=made.id))
