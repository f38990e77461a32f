"""memcore's own JSON: everything that was read, written down so that reading it gives it again.

Hand-written files may say `speaker` for `person`, an ISO text for a time, and leave ids out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memcore.errors import TranscriptError
from memcore.transcripts import questions_file, walk
from memcore.transcripts.characters import repair
from memcore.transcripts.codes import Refusal
from memcore.transcripts.drafts import (
    DraftConversation,
    DraftQuestion,
    DraftSession,
    DraftTurn,
)
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.questions_file import question_of
from memcore.transcripts.roles import role_of
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.transcripts.time_objects import member, read_time, some, write_time
from memcore.types import (
    Attachment,
    Conversation,
    Person,
    PersonKind,
    Question,
    Quote,
    Role,
    Session,
    TimeSource,
    Turn,
)

name = "memcore"

MARK = "memcore-transcript"
VERSION = 1
TEMPLATE = """\
{
  "format": "memcore-transcript",
  "version": 1,
  "conversations": [
    {
      "title": "My dialogue",
      "sessions": [
        {
          "started": "2024-05-08T10:00",
          "turns": [
            {"speaker": "Ana", "time": "2024-05-08T10:00", "text": "I moved to Lisbon last week."},
            {"speaker": "Ben", "time": "2024-05-08T10:02", "text": "How is the flat?"}
          ]
        },
        {
          "started": "2024-06-02T18:30",
          "turns": [
            {"speaker": "Ana", "time": "2024-06-02T18:30", "text": "Quiet, and I have a job."}
          ]
        }
      ]
    }
  ]
}
"""
"""The least that a dialogue written by hand needs; a test reads it."""

KNOWN_TURN = frozenset(
    [
        "id",
        "key",
        "person",
        "speaker",
        "text",
        "time",
        "role",
        "caption",
        "attachments",
        "quotes",
        "reply_to",
        "forwarded_from",
        "direct_to",
        "edited",
        "speaker_guessed",
    ]
)


# ---------------------------------------------------------------- write


def dump(conversation: Conversation, questions: Sequence[Question] = ()) -> str:
    """Return one conversation with its questions as a file of the own format."""
    return dump_all(((conversation, tuple(questions)),))


def dump_all(pairs: Sequence[tuple[Conversation, Sequence[Question]]]) -> str:
    """Return conversations with their questions as one file of the own format."""
    whole = {
        "format": MARK,
        "version": VERSION,
        "conversations": [_conversation(c, q) for c, q in pairs],
    }
    return repair(json.dumps(whole, ensure_ascii=False, indent=1)).text + "\n"


def dump_questions(questions: Sequence[Question]) -> str:
    """Return questions as a questions file: a head, then one JSON object a line."""
    head = {"format": questions_file.MARK, "version": questions_file.VERSION}
    lines = (json.dumps(line, ensure_ascii=False) for line in (head, *map(_question, questions)))
    return repair("".join(f"{line}\n" for line in lines)).text


def _conversation(conversation: Conversation, questions: Sequence[Question]) -> Json:
    return {
        **some(id=conversation.key, owner=conversation.owner, source_format=conversation.format),
        "title": conversation.name,
        "persons": [_person(p) for p in conversation.persons],
        "sessions": [_session(s) for s in conversation.sessions],
        "questions": [_question(q) for q in questions],
    }


def _person(person: Person) -> Json:
    kind = "" if person.kind is PersonKind.HUMAN else person.kind.value
    return {
        "key": person.key,
        "label": person.label,
        **some(aliases=list(person.aliases), kind=kind),
    }


def _session(session: Session) -> Json:
    return {
        **some(id=session.source_id, title=session.title),
        "started": write_time(session.started),
        "turns": [_turn(t) for t in session.turns],
    }


def _turn(turn: Turn) -> Json:
    role = "" if turn.role is Role.PERSON else turn.role.value
    who: dict[str, Json] = {"person": turn.person} if turn.person else {"speaker": turn.speaker}
    return {
        **some(id=turn.source_id, key="" if turn.key == turn.source_id else turn.key),
        **who,
        "text": turn.text,
        **some(
            time=write_time(turn.said),
            role=role,
            caption=turn.caption,
            attachments=[some(name=a.name, kind=a.kind, text=a.text) for a in turn.attachments],
            quotes=[some(text=q.text, author=q.author) for q in turn.quotes],
            reply_to=turn.reply_to,
            forwarded_from=turn.forwarded_from,
            direct_to=turn.direct_to,
            edited=turn.edited,
            speaker_guessed=turn.speaker_guessed,
        ),
    }


def _question(question: Question) -> Json:
    return {
        "id": question.id,
        "text": question.text,
        "evidence_turns": [str(t) for t in question.evidence_turns],
        "evidence_sessions": list(question.evidence_sessions),
        **some(
            conversation=question.conversation,
            answer=question.answer,
            category_code=question.category_code,
            category=question.category,
            evidence_raw=list(question.evidence_raw),
            evidence_unresolved=list(question.evidence_unresolved),
            abstain=question.abstain,
            bait=question.bait,
            asked_at=write_time(question.asked_at),
        ),
    }


# ---------------------------------------------------------------- read


def score(sample: Sample) -> Evidence:
    """Judge by the file's own word."""
    if any(o.value("format") == MARK for o in sample.objects[:1]):
        return Evidence(1.0, f'"format" is "{MARK}"')
    return NOTHING


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the conversations of each file.

    Raises:
        TranscriptError: `unsupported_version`, or `wrong_shape` without a list of conversations.
    """
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    whole = file.json()
    record = Fields(whole) if isinstance(whole, dict) else Fields({})
    version = record.value("version")
    if version != VERSION:
        msg = f'"version" is {str(version)[:20]}; expected {VERSION}.'
        raise TranscriptError(Refusal.UNSUPPORTED_VERSION, msg, file=file.name)
    found = record.value("conversations")
    if not isinstance(found, list):
        msg = 'no list "conversations".'
        raise TranscriptError(Refusal.WRONG_SHAPE, msg, file=file.name)

    def one(inner: Fields, place: str) -> DraftConversation:
        return _read_conversation(inner, place, file, notes)

    return walk.conversations(found, "conversation", notes, one)


def _read_conversation(record: Fields, place: str, file: File, notes: Notes) -> DraftConversation:
    id_ = record.maybe("id")
    title = record.maybe("title") or id_ or file.stem
    owner = record.maybe("owner")
    persons = tuple(_read_person(fields_of(p, "a person"), notes) for p in record.items("persons"))
    asked = record.items("questions")
    source_format = record.maybe("source_format") or name
    sessions = [fields_of(s, "a session") for s in record.items("sessions")]
    heads = [(s.maybe("id"), s.maybe("title"), s.items("turns")) for s in sessions]
    known = {p.key: p for p in persons}
    drafts = []
    for k, (session, (sid, stitle, turns)) in enumerate(zip(sessions, heads, strict=True), 1):
        where = f"{place} session {k}"
        started = read_time(session.value("started"), TimeSource.SESSION, notes)
        found = tuple(_turns(turns, known, where, notes))
        drafts.append(DraftSession(found, sid, stitle, started))
    return DraftConversation(
        title,
        tuple(drafts),
        file.name,
        id_,
        own=True,
        owner=owner,
        persons=persons,
        questions=tuple(_questions(asked, id_ or title, notes)),
        format=source_format,
    )


def _read_person(record: Fields, notes: Notes) -> Person:
    key = notes.clean(record.maybe("key"))
    label = notes.clean(record.maybe("label")) or key
    aliases = tuple(notes.clean(str(a)) for a in record.items("aliases"))
    kind = member(PersonKind, record.maybe("kind"), PersonKind.HUMAN)
    return Person(key or label, label, aliases, kind)


def _turns(
    values: Sequence[Json], known: dict[str, Person], where: str, notes: Notes
) -> Iterator[DraftTurn]:
    for n, value in enumerate(values, 1):
        place = f"{where} turn {n}"
        notes.seen()
        with notes.guard(place, value):
            yield _read_turn(fields_of(value, "the turn"), known, place, notes)


def _read_turn(record: Fields, known: dict[str, Person], place: str, notes: Notes) -> DraftTurn:
    notes.ignore(record, KNOWN_TURN)
    key = notes.clean(record.maybe("person"))
    label = record.maybe("speaker")
    if not key and not label:
        msg = 'neither "person" nor "speaker"'
        raise BadRecordError(msg)
    shown = known[key].label if key in known else label or key
    role = record.maybe("role") or role_of(shown).value
    return DraftTurn(
        shown,
        record.text("text"),
        place,
        read_time(record.value("time"), TimeSource.TURN, notes),
        source_id=record.maybe("id"),
        key=notes.clean(record.maybe("key")),
        person=key,
        role=member(Role, role, Role.PERSON),
        caption=record.maybe("caption"),
        attachments=tuple(_attachment(fields_of(a)) for a in record.items("attachments")),
        quotes=tuple(_quote(fields_of(q)) for q in record.items("quotes")),
        reply_to=record.maybe("reply_to"),
        forwarded_from=record.maybe("forwarded_from"),
        direct_to=record.maybe("direct_to"),
        edited=record.flag("edited"),
        speaker_guessed=record.flag("speaker_guessed"),
        keep=True,
    )


def _attachment(record: Fields) -> Attachment:
    return Attachment(record.maybe("name"), record.maybe("kind"), record.maybe("text"))


def _quote(record: Fields) -> Quote:
    return Quote(record.maybe("text"), record.maybe("author"))


def _questions(values: Sequence[Json], conversation: str, notes: Notes) -> Iterator[DraftQuestion]:
    for n, value in enumerate(values, 1):
        try:
            found = question_of(fields_of(value), n, notes)
        except BadRecordError:
            notes.bad_questions += 1
            continue
        named = found.question.conversation or conversation
        yield replace(found, question=replace(found.question, conversation=named))
