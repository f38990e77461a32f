"""Evaluations as rows: the plan, how far it is, one result a question and system, and remarks.

Results do not belong to an evaluation: they are found by a fingerprint of dialogue, settings, code,
system and reader, so that a second evaluation asks only what no earlier one has asked. A `unit` is
one system on one dialogue; workers claim units one by one. What is read often (the ranks of the
gold) is apart from what is exported (the whole ranking).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store import codec
from memcore.store.conversations import add_questions, load, questions
from memcore.store.jobs import DEAD_SECONDS, State
from memcore.store.rows import get, insert, put, select
from memcore.store.schema import transaction
from memcore.types import Question, TurnId

# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared.

    Args:
        systems: names of the table of retrievers or of ablations (`edgemem~no-temporal`).
        dialogues: numbers of dialogues.
        questions: ids; none means all.
        settings: JSON object of the settings that are changed from each system's own.
        budget: tokens that every packet may hold; None leaves each system its own limits.
        reader: empty to retrieve only, else `extractive`.
    """

    systems: tuple[str, ...]
    dialogues: tuple[int, ...]
    questions: tuple[str, ...] = ()
    settings: str = "{}"
    budget: int | None = None
    reader: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation and how far it is, in questions; `began` is when its worker began to ask."""

    id: int
    plan: Plan
    fingerprint: str
    state: State
    phase: str
    done: int
    total: int
    began: float
    heartbeat: float
    stop: bool
    error: str

    def alive(self, now: float) -> bool:
        """Whether a worker is at it, by the heartbeat; `now` in seconds of the same clock."""
        return self.state in (State.WAITING, State.RUNNING) and now - self.heartbeat <= DEAD_SECONDS


class UnitState(StrEnum):
    """What a unit is; a skipped one says why and is in no mean."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Unit:
    """One system on one dialogue; `cached` of its questions were answered by earlier results."""

    evaluation: int
    conversation: int
    system: str
    n: int
    fingerprint: str
    state: UnitState
    reason: str
    cached: int
    total: int


class Outcome(StrEnum):
    """Whether a question was asked to its end."""

    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Result:
    """What one system did with one question.

    `ranks` are the places of the gold turns in the ranked list, 0 for one that is not in it;
    `session_ranks` the same for gold sessions. `within` are the shares of gold inside 500, 1,000
    and 2,500 tokens. `survived` counts the gold turns after each of the six stages, `used` says
    which stages the system has, and `fates` has a letter for each gold turn: the stage that lost
    it (W, A, C, N, P, X), or `+`. `tokens` and `turns` are those of the packet. `refusal` is the
    score by which the question was (not) refused, where there is one.
    """

    question: str
    asked: str
    outcome: Outcome = Outcome.DONE
    trouble: str = ""
    dated: bool = False
    ranks: tuple[int, ...] = ()
    session_ranks: tuple[int, ...] = ()
    listed: int = 0
    within: tuple[float, ...] = ()
    survived: tuple[int, ...] = ()
    used: tuple[bool, ...] = ()
    fates: str = ""
    turns: int = 0
    tokens: int = 0
    joined: bool | None = None
    updates: int = 0
    updates_shown: int = 0
    ms: float = 0.0
    trace_ms: float = 0.0
    warnings: tuple[str, ...] = ()
    refused: bool = False
    refusal: float | None = None
    answer: str | None = None
    citations: tuple[str, ...] = ()
    f1_official: float | None = None
    f1_set: float | None = None
    bleu1: float | None = None
    read_ms: float | None = None
    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """A result with its whole ranking: turns, best first."""

    result: Result
    ranking: tuple[TurnId, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildTime:
    """How long one phase of a build took, and over how many turns."""

    phase: str
    plan: str
    seconds: float
    turns: int


@dataclass(frozen=True, slots=True)
class Remark:
    """What people say about a question: a note, and whether they hold its gold for wrong."""

    question: str
    note: str = ""
    wrong: bool = False


def asked_digest(question: Question) -> str:
    """Return what stands for a question with its gold: another text or gold is another result."""
    return codec.digest(
        (question.text, question.answer),
        question.asked_at,
        question.evidence_turns,
        question.evidence_sessions,
        question.category_code,
    )


# ---------------------------------------------------------------- evaluations


def create(db: Database, plan: Plan, now: float) -> int:
    """Add an evaluation that waits for its worker, and return its number."""
    with transaction(db, counted=False):
        cursor = db.execute(
            """INSERT INTO evaluations (plan, fingerprint, state, phase, done, total, began,
                heartbeat, stop, error) VALUES (?, '', 'waiting', '', 0, 0, ?, ?, 0, '')""",
            (codec.dump(plan), now, now),
        )
        return cast("int", cursor.lastrowid)


def evaluation(db: Database, number: int) -> Evaluation:
    """Return an evaluation.

    Raises:
        StoreError: if there is no such evaluation.
    """
    found = get(db, Evaluation, "evaluations WHERE id = ? ORDER BY id", (number,))
    if not found:
        msg = f"there is no evaluation {number}"
        raise StoreError(msg)
    return found[0]


def listing(db: Database) -> tuple[Evaluation, ...]:
    """Return all evaluations, newest first."""
    return get(db, Evaluation, "evaluations ORDER BY id DESC")


def delete(db: Database, number: int) -> None:
    """Delete an evaluation; its results stay for others to find."""
    with transaction(db):
        db.execute("DELETE FROM evaluations WHERE id = ?", (number,))


def ask_to_stop(db: Database, number: int) -> None:
    """Ask the workers of an evaluation to end after their present question."""
    with transaction(db, counted=False):
        db.execute("UPDATE evaluations SET stop = 1 WHERE id = ?", (number,))


def wait_again(db: Database, number: int, now: float) -> None:
    """Put a stopped, failed or dead evaluation back to waiting; its results stay."""
    with transaction(db, counted=False):
        db.execute(
            """UPDATE evaluations SET state = 'waiting', stop = 0, error = '', heartbeat = ?
                WHERE id = ?""",
            (now, number),
        )


def end(db: Database, number: int, state: State, now: float, error: str = "") -> None:
    """Write how an evaluation ended."""
    with transaction(db):
        db.execute(
            "UPDATE evaluations SET state = ?, heartbeat = ?, error = ? WHERE id = ?",
            (state, now, error, number),
        )


def beat(db: Database, number: int, phase: str, now: float) -> bool:
    """Say what a worker is at and that it is alive; return whether somebody asked it to stop."""
    with transaction(db, counted=False):
        db.execute(
            """UPDATE evaluations SET state = 'running', phase = ?, heartbeat = ? WHERE id = ?""",
            (phase, now, number),
        )
    return evaluation(db, number).stop


# ---------------------------------------------------------------- units


def plan_units(db: Database, number: int, units: Sequence[Unit], now: float) -> None:
    """Store the units of an evaluation in place of those before, and begin to count."""
    fingerprint = codec.digest(tuple((u.conversation, u.system, u.fingerprint) for u in units))
    asked = [u for u in units if u.state is not UnitState.SKIPPED]
    with transaction(db, counted=False):
        db.execute("DELETE FROM units WHERE evaluation = ?", (number,))
        put(db, "units", "", (((), unit) for unit in units))
        db.execute(
            """UPDATE evaluations SET fingerprint = ?, total = ?, done = ?, began = ?,
                state = 'running', phase = 'ask' WHERE id = ?""",
            (fingerprint, sum(u.total for u in asked), sum(u.cached for u in asked), now, number),
        )


def units(db: Database, number: int) -> tuple[Unit, ...]:
    """Return the units of an evaluation, in the order of its plan."""
    return get(db, Unit, "units WHERE evaluation = ? ORDER BY n", (number,))


def claim(db: Database, number: int) -> Unit | None:
    """Take the next waiting unit for oneself; None if all are taken."""
    with transaction(db, counted=False):
        found = get(
            db,
            Unit,
            "units WHERE evaluation = ? AND state = 'waiting' ORDER BY n LIMIT 1",
            (number,),
        )
        if found:
            _mark(db, found[0], UnitState.RUNNING, "")
    return found[0] if found else None


def finish(db: Database, unit: Unit, reason: str = "") -> None:
    """Mark a unit as done, or as skipped for a reason."""
    state = UnitState.SKIPPED if reason else UnitState.DONE
    with transaction(db, counted=False):
        _mark(db, unit, state, reason)
        _count(db, unit.evaluation)


def release(db: Database, number: int) -> None:
    """Put the units of workers that are gone back to waiting."""
    with transaction(db, counted=False):
        db.execute(
            "UPDATE units SET state = 'waiting' WHERE evaluation = ? AND state = 'running'",
            (number,),
        )


def _mark(db: Database, unit: Unit, state: UnitState, reason: str) -> None:
    db.execute(
        """UPDATE units SET state = ?, reason = ?
            WHERE evaluation = ? AND conversation = ? AND system = ?""",
        (state, reason, unit.evaluation, unit.conversation, unit.system),
    )


_DONE: Final = """SELECT coalesce(sum(CASE u.state WHEN 'done' THEN u.total ELSE min(u.total,
    (SELECT count(*) FROM results r
        WHERE r.conversation = u.conversation AND r.fingerprint = u.fingerprint)) END), 0)
    FROM units u WHERE u.evaluation = ? AND u.state <> 'skipped'"""
_TOTAL: Final = """SELECT coalesce(sum(total), 0) FROM units
    WHERE evaluation = ? AND state <> 'skipped'"""


def _count(db: Database, number: int) -> None:
    db.execute(
        f"UPDATE evaluations SET done = ({_DONE}), total = ({_TOTAL}) WHERE id = ?",
        (number, number, number),
    )


def seconds_left(db: Database, number: int, workers: int = 1) -> float | None:
    """Return about how many seconds the workers still need; None before there is a measure.

    Each system's questions cost what its questions have cost so far, a new system's the mean.
    """
    rows = select(
        db,
        """SELECT u.state, u.total, count(r.question),
                coalesce(sum(r.ms + r.trace_ms + coalesce(r.read_ms, 0)), 0), u.system
            FROM units u LEFT JOIN results r
                ON r.conversation = u.conversation AND r.fingerprint = u.fingerprint
            WHERE u.evaluation = ? AND u.state <> 'skipped' GROUP BY u.n ORDER BY u.n""",
        (number,),
    )
    spent = [(str(s), cast("int", n), cast("float", ms)) for _, _, n, ms, s in rows]
    asked = sum(n for _, n, _ in spent)
    if not asked:
        return None
    mean = sum(ms for _, _, ms in spent) / asked

    def each(system: str) -> float:
        mine = [(n, ms) for s, n, ms in spent if s == system and n]
        return sum(ms for _, ms in mine) / sum(n for n, _ in mine) if mine else mean

    left = sum(
        max(cast("int", total) - cast("int", n), 0) * each(str(system))
        for state, total, n, _, system in rows
        if state != UnitState.DONE
    )
    return left / 1000 / max(workers, 1)


# ---------------------------------------------------------------- results


def add(db: Database, unit: Unit, found: Sequence[Answered]) -> None:
    """Store what a worker has found, each result with its ranking, in one transaction."""
    key = (unit.conversation, unit.fingerprint)
    with transaction(db, counted=False):
        for one in found:
            where = (*key, one.result.question, one.result.asked)
            for table in ("results", "rankings"):
                db.execute(
                    f"DELETE FROM {table} WHERE conversation = ? AND fingerprint = ?"
                    " AND question = ? AND asked = ?",
                    where,
                )
        put(db, "results", "conversation fingerprint", ((key, one.result) for one in found))
        insert(
            db,
            "rankings",
            "conversation fingerprint question asked ranking",
            (
                (*key, one.result.question, one.result.asked, " ".join(map(str, one.ranking)))
                for one in found
            ),
        )
        _count(db, unit.evaluation)


def results(db: Database, unit: Unit) -> tuple[Result, ...]:
    """Return all results under the fingerprint of a unit, by question."""
    return get(
        db,
        Result,
        "results WHERE conversation = ? AND fingerprint = ? ORDER BY question, asked",
        (unit.conversation, unit.fingerprint),
    )


def rankings(db: Database, unit: Unit) -> Mapping[tuple[str, str], tuple[TurnId, ...]]:
    """Return the rankings under the fingerprint of a unit, by question id and digest."""
    rows = select(
        db,
        """SELECT question, asked, ranking FROM rankings WHERE conversation = ?
            AND fingerprint = ? ORDER BY question, asked""",
        (unit.conversation, unit.fingerprint),
    )
    return {
        (str(question), str(asked)): tuple(map(TurnId.parse, str(ranking).split()))
        for question, asked, ranking in rows
    }


# ---------------------------------------------------------------- build times


def add_build_times(db: Database, dialogue: int, found: Iterable[BuildTime]) -> None:
    """Store how long phases took, in place of earlier times of the same phase and plan."""
    with transaction(db, counted=False):
        for time in found:
            db.execute(
                "DELETE FROM build_times WHERE conversation = ? AND phase = ? AND plan = ?",
                (dialogue, time.phase, time.plan),
            )
            put(db, "build_times", "conversation", [((dialogue,), time)])


def build_times(db: Database, dialogue: int) -> tuple[BuildTime, ...]:
    """Return the measured phases of a dialogue; what was built elsewhere is not there."""
    return get(
        db, BuildTime, "build_times WHERE conversation = ? ORDER BY phase, plan", (dialogue,)
    )


# ---------------------------------------------------------------- remarks and own questions


def remarks(db: Database, dialogue: int) -> tuple[Remark, ...]:
    """Return what people said about the questions of a dialogue, by question."""
    return get(db, Remark, "remarks WHERE conversation = ? ORDER BY question", (dialogue,))


def remark(db: Database, dialogue: int, said: Remark) -> None:
    """Keep a remark in place of the one before; an empty one takes it away.

    Raises:
        StoreError: if the dialogue has no such question.
    """
    if said.question not in {q.id for q in questions(db, dialogue)}:
        msg = f"dialogue {dialogue} has no question {said.question[:40]!r}"
        raise StoreError(msg)
    with transaction(db):
        db.execute(
            "DELETE FROM remarks WHERE conversation = ? AND question = ?",
            (dialogue, said.question),
        )
        if said.note.strip() or said.wrong:
            kept = replace(said, note=said.note.strip())
            put(db, "remarks", "conversation", [((dialogue,), kept)])


def add_own_question(db: Database, dialogue: int, wanted: Question) -> Question:
    """Store a question of one's own with its gold turns; equal text takes the place of the old.

    Of `wanted`, the text, gold turns, answer and time are read. Without gold turns and answer it
    is a question that the dialogue does not answer.

    Raises:
        StoreError: if there is no such dialogue or turn, or the question holds no word.
    """
    conversation = load(db, dialogue)
    lost = sorted(set(wanted.evidence_turns) - {turn.id for turn in conversation.turns})
    text = wanted.text.strip()
    if lost or not any(letter.isalnum() for letter in text):
        trouble = (
            f"dialogue {dialogue} has no turn {lost[0]}" if lost else "no word in the question"
        )
        raise StoreError(trouble)
    stored = questions(db, dialogue)
    before = next((q for q in stored if q.text == text), None)
    turns = tuple(sorted(set(wanted.evidence_turns)))
    made = replace(
        before or Question(_own_id(stored), text, category=OWN),
        conversation=conversation.key or conversation.name,
        answer=wanted.answer.strip(),
        evidence_turns=turns,
        evidence_sessions=tuple(sorted({t.session for t in turns})),
        evidence_raw=tuple(str(t) for t in turns),
        evidence_unresolved=(),
        abstain=not turns and not wanted.answer.strip(),
        asked_at=wanted.asked_at,
    )
    add_questions(db, dialogue, (made,))
    return made


OWN: Final = "own"
"""The category of questions that were added by hand."""


def _own_id(stored: Sequence[Question]) -> str:
    taken = {q.id for q in stored}
    return next(name for n in range(1, len(taken) + 2) if (name := f"{OWN}:{n}") not in taken)
