"""LangChain dumps of messages, read as plain data: nothing that `id[]` names is ever loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memcore.transcripts import chat_parts, walk
from memcore.transcripts.chat_parts import without_thoughts
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import NOTHING, Evidence, Sample, share
from memcore.types import Role

name = "langchain"

TYPES = frozenset(["human", "ai", "system", "tool", "function", "chat"])
SKIPS = {"system": Skip.HIDDEN_CONTEXT, "tool": Skip.TOOL_OUTPUT, "function": Skip.TOOL_OUTPUT}


@dataclass(frozen=True, slots=True)
class _Message:
    """A message whichever way it was dumped: the word for its type, and its fields."""

    word: str
    fields: Fields


def _message(value: Json) -> _Message:
    record = fields_of(value, "the message")
    if isinstance(record.value("kwargs"), dict):
        path = record.items("id")
        return _Message(_word(str(path[-1]) if path else ""), record.record("kwargs"))
    inner = record.record("data") if isinstance(record.value("data"), dict) else record
    return _Message(_word(record.text("type")), inner)


def _word(name_: str) -> str:
    bare = name_.removesuffix("Chunk").removesuffix("Message").casefold()
    if bare not in TYPES:
        msg = f'its type is "{name_[:30]}"; expected one of {", ".join(sorted(TYPES))}'
        raise BadRecordError(msg)
    return bare


def score(sample: Sample) -> Evidence:
    """Judge by messages with a type that the library knows."""
    found = _list(sample.json)
    if not found:
        return NOTHING
    looked = found[:400]
    return share(sum(_fits(v) for v in looked), len(looked), "messages are LangChain's")


def _list(value: Json) -> list[Json]:
    if isinstance(value, dict):
        value = value.get("messages")
    return value if isinstance(value, list) else []


def _fits(value: Json) -> bool:
    try:
        message = _message(value)
    except BadRecordError:
        return False
    return "content" in message.fields.values


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    turns = []
    for n, value in enumerate(_list(file.json()), 1):
        where = f"message {n}"
        notes.seen()
        with notes.guard(where, value):
            turn = _turn(_message(value), where, notes)
            if turn is not None:
                turns.append(turn)
    session = DraftSession(tuple(turns))
    yield DraftConversation(file.stem, (session,), file.name, own=True, format=name)


def _turn(message: _Message, where: str, notes: Notes) -> DraftTurn | None:
    fields = message.fields
    said = chat_parts.said(fields.value("content"), notes)
    word = (fields.maybe("role") or message.word) if message.word == "chat" else message.word
    reason = SKIPS.get(word)
    calls = bool(fields.value("tool_calls") or fields.record("additional_kwargs").values)
    if reason is None and not said.text.strip():
        reason = Skip.TOOL_CALL if calls else said.without
    if reason is not None and reason is not Skip.MEDIA_ONLY:
        notes.skip(reason, where, said.text)
        return None
    if fields.value("tool_calls"):
        notes.part(Skip.TOOL_CALL)
    role = role_of(word, Role.UNKNOWN)
    text = without_thoughts(said.text, notes) if role is Role.ASSISTANT else said.text
    return DraftTurn(
        fields.maybe("name") or word,
        text,
        where,
        source_id=fields.maybe("id"),
        kind=kind_of(word),
        role=role,
        attachments=said.attachments,
        media=bool(said.attachments),
    )
