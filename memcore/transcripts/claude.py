"""Claude exports: conversations of `chat_messages`, whose words stand in typed blocks.

The flat `text` is read only where no block holds words: it loses whole sides of talks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memcore.transcripts import chat_parts, dates, trees, walk
from memcore.transcripts.characters import clean
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.phrases import PLACEHOLDERS
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import Evidence, Sample, share
from memcore.types import Attachment, TimeSource

name = "claude"

ROOT = "00000000-0000-4000-8000-000000000000"
KNOWN = frozenset(
    ["uuid", "name", "created_at", "updated_at", "current_leaf_message_uuid", "chat_messages"]
)
KNOWN_MESSAGE = frozenset(
    [
        "uuid",
        "sender",
        "text",
        "content",
        "created_at",
        "updated_at",
        "attachments",
        "files",
        "parent_message_uuid",
    ]
)


def score(sample: Sample) -> Evidence:
    """Judge by `chat_messages`."""
    objects = sample.objects
    fitting = sum(isinstance(o.value("chat_messages"), list) for o in objects)
    return share(fitting, len(objects), "objects hold chat_messages")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the conversations of each file."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    def one(record: Fields, place: str) -> DraftConversation:
        return _conversation(record, place, file, notes)

    return walk.conversations(file.elements(), "conversation", notes, one)


def _conversation(record: Fields, place: str, file: File, notes: Notes) -> DraftConversation:
    notes.ignore(record, KNOWN)
    id_ = record.maybe("uuid")
    title = record.maybe("name") or id_ or file.stem
    leaf = record.maybe("current_leaf_message_uuid")
    started = notes.time(dates.value(record.value("created_at"), TimeSource.SESSION))
    messages: list[tuple[Fields, str]] = []
    for n, value in enumerate(record.items("chat_messages"), 1):
        where = f"{place} message {n}"
        notes.seen()
        with notes.guard(where, value):
            messages.append((fields_of(value, "the message"), where))
    path, others = _branches(messages, leaf, notes)
    sessions = [DraftSession(tuple(_turns(path, notes)), id_, title, started)]
    if notes.options.branches == "all":
        more = tuple(_turns(others, notes))
        sessions += [DraftSession(more, id_, f"{title} (other branches)")] if more else []
    else:
        for message, where in others:
            notes.skip(Skip.OTHER_BRANCH, where, str(message.value("text") or ""))
    return DraftConversation(title, tuple(sessions), file.name, id_, own=True, format=name)


Message = tuple[Fields, str]


def _branches(
    messages: Sequence[Message], leaf: str, notes: Notes
) -> tuple[list[Message], list[Message]]:
    """Return the messages on the visible path, and the others; without parents all are visible."""
    if not any(_id(m, "parent_message_uuid") for m, _ in messages):
        return list(messages), []
    nodes: list[trees.Node] = []
    by_id: dict[str, Message] = {}
    for n, (message, where) in enumerate(messages):
        id_ = _id(message, "uuid") or f"message {n}"
        by_id.setdefault(id_, (message, where))
        parent = _id(message, "parent_message_uuid")
        at = dates.value(message.value("created_at")).said.at
        nodes.append(trees.Node(id_, "" if parent == ROOT else parent, n, at))
    path = trees.path(nodes, leaf, notes)
    seen = [by_id[i] for i in path]
    places = {where for _, where in seen}
    return seen, [m for m in messages if m[1] not in places]


def _id(message: Fields, key: str) -> str:
    found = message.value(key)
    return found if isinstance(found, str) else ""


def _turns(messages: Sequence[Message], notes: Notes) -> Iterator[DraftTurn]:
    for message, where in messages:
        with notes.guard(where):
            turn = _turn(message, where, notes)
            if turn is not None:
                yield turn


def _turn(message: Fields, where: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(message, KNOWN_MESSAGE)
    sender = message.text("sender")
    said = _said(message, notes)
    if said.without is not None and not said.text and said.without is not Skip.MEDIA_ONLY:
        notes.skip(said.without, where, message.maybe("text"))
        return None
    sent = (*_attachments(message), *said.attachments)
    return DraftTurn(
        sender,
        said.text,
        where,
        notes.time(dates.value(message.value("created_at"))),
        source_id=message.maybe("uuid"),
        kind=kind_of(sender),
        role=role_of(sender),
        attachments=sent,
        media=bool(sent),
    )


def _said(message: Fields, notes: Notes) -> chat_parts.Said:
    said = chat_parts.said(message.value("content"), notes, joint="\n\n")
    if said.text:
        return said
    flat = message.maybe("text")
    if clean(flat).text.casefold() in PLACEHOLDERS:
        return replace(said, without=said.without or Skip.PLACEHOLDER)
    return replace(said, text=flat) if flat.strip() else said


def _attachments(message: Fields) -> tuple[Attachment, ...]:
    texts = [fields_of(a, "an attachment") for a in message.items("attachments")]
    files = [fields_of(a, "a file") for a in message.items("files")]
    return (
        *(Attachment(a.maybe("file_name"), "text", a.maybe("extracted_content")) for a in texts),
        *(Attachment(a.maybe("file_name"), "file") for a in files),
    )
