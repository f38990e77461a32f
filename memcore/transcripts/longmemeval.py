"""LongMemEval: each question with its own haystack of sessions, which is its own conversation.

Sessions are sorted by date; `has_answer` and the evidence ids go to the question alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memcore.transcripts import dates, walk
from memcore.transcripts.codes import Warn
from memcore.transcripts.drafts import (
    DraftConversation,
    DraftQuestion,
    DraftSession,
    DraftTurn,
)
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import Evidence, Sample, share
from memcore.types import Question, SaidTime, TimeSource

name = "longmemeval"

KNOWN = frozenset(
    [
        "question_id",
        "question_type",
        "question",
        "answer",
        "question_date",
        "haystack_dates",
        "haystack_session_ids",
        "haystack_sessions",
        "answer_session_ids",
    ]
)
KNOWN_TURN = frozenset({"role", "content", "has_answer"})
ABSTAIN = "_abs"


def score(sample: Sample) -> Evidence:
    """Judge by `haystack_sessions`."""
    objects = sample.objects
    fitting = sum("haystack_sessions" in o.values for o in objects)
    return share(fitting, len(objects), "objects hold haystack_sessions")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the haystack of each question as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    def one(record: Fields, place: str) -> DraftConversation:
        return _instance(record, place, file, notes)

    return walk.conversations(file.elements(), "question", notes, one)


@dataclass(frozen=True, slots=True)
class _Haystack:
    """One session as the three parallel lists give it."""

    id: str
    started: SaidTime
    turns: tuple[Json, ...]


def _haystacks(record: Fields, notes: Notes) -> list[_Haystack]:
    lists = [record.items(f"haystack_{k}") for k in ("session_ids", "dates", "sessions")]
    ids, days, sessions = lists
    if not len(ids) == len(days) == len(sessions):
        msg = f"its lists have {len(ids)} ids, {len(days)} dates and {len(sessions)} sessions"
        raise BadRecordError(msg)
    if not all(isinstance(s, list) for s in sessions):
        msg = "a session is no list"
        raise BadRecordError(msg)
    found = [
        _Haystack(
            str(i), notes.time(dates.slashed(str(d))), tuple(s) if isinstance(s, list) else ()
        )
        for i, d, s in zip(ids, days, sessions, strict=True)
    ]
    first = datetime.min.replace(tzinfo=UTC)
    return sorted(found, key=lambda h: h.started.at or first)


def _instance(record: Fields, place: str, file: File, notes: Notes) -> DraftConversation:
    notes.ignore(record, KNOWN)
    id_ = record.text("question_id")
    asked = _question(record, id_, notes)
    sessions: list[DraftSession] = []
    gold: list[int] = []
    count = 0
    for number, hay in enumerate(_haystacks(record, notes), 1):
        found = list(_turns(hay, f"{place}, session {number}", notes))
        gold += [count + n for n, (_, answers) in enumerate(found) if answers]
        count += len(found)
        turns = tuple(turn for turn, _ in found)
        sessions.append(DraftSession(turns, hay.id, started=hay.started))
    _compare(asked.asked_at, sessions, notes)
    held = tuple(n for n, s in enumerate(sessions) if s.source_id in asked.evidence_raw)
    question = DraftQuestion(asked, turns=tuple(gold), sessions=held)
    return DraftConversation(
        id_, tuple(sessions), file.name, id_, own=True, questions=(question,), format=name
    )


def _turns(hay: _Haystack, place: str, notes: Notes) -> Iterator[tuple[DraftTurn, bool]]:
    """Yield the turns of a session, each with whether it holds the answer.

    A place names the session by its number: ids such as `answer_…` give the gold away.
    """
    for n, value in enumerate(hay.turns, 1):
        notes.seen()
        where = f"{place} turn {n}"
        with notes.guard(where, value):
            record = fields_of(value, "the turn")
            yield _turn(record, hay.started, where, notes), record.flag("has_answer")


def _turn(record: Fields, started: SaidTime, place: str, notes: Notes) -> DraftTurn:
    notes.ignore(record, KNOWN_TURN)
    word = record.text("role")
    said = dates.of_session(started)
    return DraftTurn(
        word, record.text("content"), place, said, role=role_of(word), kind=kind_of(word)
    )


def _question(record: Fields, id_: str, notes: Notes) -> Question:
    date = record.maybe("question_date")
    return Question(
        id_,
        record.text("question"),
        answer=record.maybe("answer"),
        category=record.maybe("question_type"),
        evidence_raw=tuple(str(i) for i in record.items("answer_session_ids")),
        abstain=id_.endswith(ABSTAIN),
        asked_at=notes.time(dates.slashed(date, TimeSource.TURN)) if date else SaidTime(),
    )


def _compare(asked: SaidTime, sessions: Sequence[DraftSession], notes: Notes) -> None:
    starts = [s.started.at for s in sessions if s.started is not None and s.started.at is not None]
    if asked.at is not None and starts and asked.at < max(starts):
        notes.warn(Warn.QUESTION_BEFORE_SESSION)
