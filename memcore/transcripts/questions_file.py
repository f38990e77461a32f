"""Own questions, one JSON object a line: `question` is all that must be there.

Evidence is a source id, a place (`D1:1`, or session and turn), or a quote that one turn holds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memcore.errors import TranscriptError
from memcore.transcripts import gold
from memcore.transcripts.codes import Refusal
from memcore.transcripts.drafts import Citation, DraftQuestion
from memcore.transcripts.files import check
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of, loads
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Options
from memcore.transcripts.sources import Source
from memcore.transcripts.time_objects import read_time
from memcore.types import Conversation, GoldCount, Question, Skipped, TimeSource, TurnId

MARK = "memcore-questions"
VERSION = 1


@dataclass(frozen=True, slots=True)
class QuestionsRead:
    """The questions of a file, their account, and the lines that are none."""

    questions: tuple[Question, ...]
    gold: GoldCount
    skipped: tuple[Skipped, ...] = ()


def read_questions(source: Source, conversation: Conversation) -> tuple[Question, ...]:
    """Return the questions about one conversation.

    Raises:
        TranscriptError: if the file is no text, of another version, or holds no question.
    """
    return read_all(source, (conversation,), Options()).questions


def read_all(
    source: Source, conversations: Sequence[Conversation], options: Options
) -> QuestionsRead:
    """Return the questions about any of the conversations; with one, it need not be named."""
    notes = Notes(options, source.name)
    where = [gold.places(c) for c in conversations]
    found: list[gold.Resolved] = []
    file = check(source, notes).file
    for n, line in enumerate(file.lines(), 1):
        if line.strip():
            notes.seen()
            with notes.guard(f"line {n}", line):
                found.extend(_line(line, n, where, notes))
    questions = tuple(r.question for r in found)
    if not questions:
        msg = 'no question; expected one JSON object with "question" a line.'
        raise TranscriptError(Refusal.NO_TURNS, msg, file=source.name)
    return QuestionsRead(
        questions, counted(questions, sum(r.repaired for r in found)), tuple(notes.skipped)
    )


def counted(questions: Sequence[Question], repaired: int) -> GoldCount:
    """Return the account of questions; those with a resolved turn or session have evidence."""
    return GoldCount(
        len(questions),
        sum(bool(q.evidence_turns or q.evidence_sessions) for q in questions),
        repaired,
        tuple(f"{q.id}: {raw}" for q in questions for raw in q.evidence_unresolved),
    )


def _line(
    line: str, n: int, where: Sequence[gold.Places], notes: Notes
) -> tuple[gold.Resolved, ...]:
    try:
        record = fields_of(loads(line), "the line")
    except (json.JSONDecodeError, RecursionError):
        msg = "it is no JSON"
        raise BadRecordError(msg) from None
    if record.value("format") is not None:
        _head(record, notes)
        return ()
    draft = question_of(record, n, notes)
    if draft.question.abstain and draft.question.answer:
        msg = 'it has "abstain" and an "answer"'
        raise BadRecordError(msg)
    return (_resolved(draft, where),)


def _head(record: Fields, notes: Notes) -> None:
    notes.records -= 1  # the head is no record
    version = record.value("version")
    if record.value("format") != MARK or version not in (None, VERSION):
        msg = f'the head is no "{MARK}" of version {VERSION}.'
        raise TranscriptError(Refusal.UNSUPPORTED_VERSION, msg, file=notes.file, line=1)


def _resolved(draft: DraftQuestion, where: Sequence[gold.Places]) -> gold.Resolved:
    wanted = draft.question.conversation
    for places in where:
        talk = places.conversation
        if wanted in {talk.name, talk.key} or (not wanted and len(where) == 1):
            named = replace(draft.question, conversation=talk.key or talk.name)
            return gold.resolve(replace(draft, question=named), places, ())
    msg = f'no conversation "{wanted[:40]}"'
    raise BadRecordError(msg)


def question_of(record: Fields, n: int, notes: Notes) -> DraftQuestion:
    """Return the question of an object of a question file or of the own format.

    Raises:
        BadRecordError: if it has no text, or fields of the wrong type.
    """
    text = record.maybe("question") or record.text("text")
    code = record.value("category_code")
    listed = record.items("evidence") or record.items("evidence_turns")
    question = Question(
        notes.clean(record.maybe("id")) or f"q{n}",
        notes.clean(text),
        conversation=notes.clean(record.maybe("conversation")),
        answer=notes.clean(record.maybe("answer")),
        category_code=code if isinstance(code, int) and not isinstance(code, bool) else None,
        category=notes.clean(record.maybe("category")),
        evidence_sessions=tuple(s for s in record.items("evidence_sessions") if isinstance(s, int)),
        evidence_raw=tuple(notes.clean(str(e)) for e in record.items("evidence_raw")),
        evidence_unresolved=tuple(notes.clean(str(e)) for e in record.items("evidence_unresolved")),
        abstain=record.flag("abstain"),
        bait=notes.clean(record.maybe("bait")),
        asked_at=read_time(record.value("asked_at"), TimeSource.TURN, notes),
    )
    exact = "evidence_turns" in record.values
    return DraftQuestion(question, tuple(_citation(e) for e in listed), exact=exact)


def _citation(value: Json) -> Citation:
    if isinstance(value, str):
        return Citation(value, _place(value))
    record = fields_of(value, "the evidence")
    quote = record.maybe("quote")
    if quote:
        return Citation(quote, quote=quote)
    place = f"D{record.maybe('session')}:{record.maybe('turn')}"
    return Citation(place, _place(place))


def _place(text: str) -> TurnId | None:
    try:
        return TurnId.parse(text)
    except ValueError:
        return None
