"""Lists of messages with role and content, as OpenAI's interface takes them: JSON or JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memcore.transcripts import chat_parts, dates, walk
from memcore.transcripts.chat_parts import without_thoughts
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.json_lines import is_lines, values
from memcore.transcripts.json_text import Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import NOTHING, Evidence, Sample, share
from memcore.types import Role

name = "openai"

SURE = 0.9
"""Below the formats that have marks of their own beside role and content."""

ROLES = frozenset(["system", "developer", "user", "assistant", "tool", "function"])
HIDDEN = frozenset({"system", "developer"})
OUTPUT = frozenset({"tool", "function"})
TIMES = ("created_at", "create_time", "timestamp", "ts")
KNOWN = frozenset(
    [
        "role",
        "content",
        "name",
        "tool_calls",
        "function_call",
        "tool_call_id",
        "refusal",
        "weight",
        "id",
    ]
) | frozenset(TIMES)


def score(sample: Sample) -> Evidence:
    """Judge by messages with a role that the interface knows."""
    rows = sample.rows if is_lines(sample) else None
    found: Sequence[Json] = rows or (
        sample.json if isinstance(sample.json, list) else [sample.json]
    )
    talks = [m for v in found[:400] if (m := _messages(v))]
    messages = [m for ms in talks for m in ms]
    if not messages:
        return NOTHING
    fitting = sum(_is_message(m) for m in messages)
    fits = share(fitting, len(messages), "messages have a role and a content")
    return Evidence(round(min(fits.score, SURE), 3), fits.words)


def _messages(value: Json) -> list[Json]:
    """Return the messages of a talk, or a lone message as one."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return []
    inner = value.get("messages")
    return inner if isinstance(inner, list) else [value]


def _is_message(value: Json) -> bool:
    role = value.get("role") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(role, str) or role not in ROLES:
        return False
    return "content" in value or "tool_calls" in value or "function_call" in value


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each list of messages as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    lone: list[tuple[Json, str]] = []
    for n, (value, place) in enumerate(values(file, notes), 1):
        if _is_talk(value):
            yield _conversation(value, place, n, file, notes)
        else:
            lone.append((value, place))
    if lone:
        turns = tuple(_turns(lone, notes))
        yield DraftConversation(file.stem, (DraftSession(turns),), file.name, own=True, format=name)


def _is_talk(value: Json) -> bool:
    if isinstance(value, list):
        return True
    return isinstance(value, dict) and isinstance(value.get("messages"), list)


def _conversation(value: Json, place: str, n: int, file: File, notes: Notes) -> DraftConversation:
    record = Fields(value) if isinstance(value, dict) else Fields({"messages": value})
    id_ = record.value("id")
    source = str(id_) if isinstance(id_, str | int) and not isinstance(id_, bool) else ""
    title = record.value("title")
    named = [(m, f"{place} message {k}") for k, m in enumerate(record.items("messages"), 1)]
    turns = tuple(_turns(named, notes))
    label = title if isinstance(title, str) and title.strip() else source
    return DraftConversation(
        label or (file.stem if n == 1 else f"{file.stem} {n}"),
        (DraftSession(turns),),
        file.name,
        source,
        own=True,
        format=name,
    )


def _turns(messages: Iterable[tuple[Json, str]], notes: Notes) -> Iterator[DraftTurn]:
    for value, where in messages:
        notes.seen()
        with notes.guard(where, value):
            turn = _turn(fields_of(value, "the message"), where, notes)
            if turn is not None:
                yield turn


def _turn(message: Fields, where: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(message, KNOWN)
    role = message.text("role")
    said = chat_parts.said(message.value("content"), notes)
    reason = _reason(message, role, said)
    if reason is not None:
        notes.skip(reason, where, said.text)
        return None
    if said.text and _calls(message):
        notes.part(Skip.TOOL_CALL)
    text = said.text or message.maybe("refusal")
    if role_of(role) is Role.ASSISTANT:
        text = without_thoughts(text, notes)
    time = next((message.value(k) for k in TIMES if message.value(k) is not None), None)
    return DraftTurn(
        message.maybe("name") or role,
        text,
        where,
        notes.time(dates.value(time)),
        source_id=message.maybe("id"),
        kind=kind_of(role),
        role=role_of(role),
        attachments=said.attachments,
        media=bool(said.attachments),
    )


def _calls(message: Fields) -> bool:
    return bool(message.value("tool_calls") or message.value("function_call"))


def _reason(message: Fields, role: str, said: chat_parts.Said) -> Skip | None:
    if role in HIDDEN:
        return Skip.HIDDEN_CONTEXT
    if role in OUTPUT:
        return Skip.TOOL_OUTPUT
    if said.text.strip() or message.maybe("refusal").strip():
        return None
    if _calls(message):
        return Skip.TOOL_CALL
    return None if said.without is Skip.MEDIA_ONLY else said.without
