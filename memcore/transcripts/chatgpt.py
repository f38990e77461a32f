"""ChatGPT exports: conversations as trees of messages, in one array, in parts or in a zip.

The order of the nodes means nothing: the talk is the path from the current node up to the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from memcore.transcripts import dates, trees, walk
from memcore.transcripts.chat_parts import without_thoughts
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import Evidence, Sample, share
from memcore.types import Attachment, Role, SaidTime, TimeSource

name = "chatgpt"

TALK = frozenset({"text", "multimodal_text"})
HIDDEN = frozenset({"user_editable_context", "model_editable_context"})
THINKING = frozenset({"thoughts", "reasoning_recap"})
KNOWN = frozenset(
    ["title", "create_time", "update_time", "id", "conversation_id", "current_node", "mapping"]
)
KNOWN_MESSAGE = frozenset(
    [
        "id",
        "author",
        "create_time",
        "update_time",
        "content",
        "recipient",
        "metadata",
        "status",
        "end_turn",
        "weight",
    ]
)


def score(sample: Sample) -> Evidence:
    """Judge by `mapping` with nodes that have parents and children."""
    objects = sample.objects
    return share(sum(_is_tree(o) for o in objects), len(objects), "objects hold a mapping of nodes")


def _is_tree(record: Fields) -> bool:
    mapping = record.value("mapping")
    if not isinstance(mapping, dict):
        return False
    nodes = [n for n in mapping.values() if isinstance(n, dict)]
    return not nodes or any("children" in n or "parent" in n for n in nodes)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the conversations of all parts."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    def one(record: Fields, place: str) -> DraftConversation:
        return _conversation(record, place, file, notes)

    return walk.conversations(file.elements(), "conversation", notes, one)


def _conversation(record: Fields, place: str, file: File, notes: Notes) -> DraftConversation:
    notes.ignore(record, KNOWN)
    mapping = record.value("mapping")
    if not isinstance(mapping, dict):
        msg = "no mapping of nodes"
        raise BadRecordError(msg)
    nodes = {k: Fields(v) for k, v in mapping.items() if isinstance(v, dict)}
    id_ = record.maybe("conversation_id") or record.maybe("id")
    title = record.maybe("title") or id_ or file.stem
    started = notes.time(dates.value(record.value("create_time"), TimeSource.SESSION))
    leaf = record.maybe("current_node")
    found = _nodes(nodes, dated=leaf not in nodes)
    seen = trees.path(found, leaf, notes) if nodes else ()
    turns = tuple(_turns([(k, nodes[k]) for k in seen], place, notes))
    sessions = [DraftSession(turns, id_, title, started)]
    others = [(k, n) for k, n in nodes.items() if k not in set(seen)]
    if notes.options.branches == "all":
        more = tuple(_turns(others, place, notes))
        sessions += [DraftSession(more, id_, f"{title} (other branches)")] if more else []
    else:
        _leave(others, place, notes)
    return DraftConversation(title, tuple(sessions), file.name, id_, own=True, format=name)


def _nodes(nodes: dict[str, Fields], *, dated: bool) -> list[trees.Node]:
    """Return the nodes; their times count only where no leaf is marked."""
    places: dict[str, int] = {}
    for node in nodes.values():
        children = node.value("children")
        if isinstance(children, list):
            places.update({c: n for n, c in enumerate(children) if isinstance(c, str)})
    return [
        trees.Node(
            k, _parent(node), places.get(k, 0), _at(node.value("message")) if dated else None
        )
        for k, node in nodes.items()
    ]


def _parent(node: Fields) -> str:
    found = node.value("parent")
    return found if isinstance(found, str) else ""


def _at(message: Json) -> datetime | None:
    if not isinstance(message, dict):
        return None
    return dates.value(message.get("create_time")).said.at


def _time(value: Json, notes: Notes) -> SaidTime:
    return notes.time(dates.value(value))


def _leave(others: Sequence[tuple[str, Fields]], place: str, notes: Notes) -> None:
    for key, node in others:
        if isinstance(node.value("message"), dict):
            notes.seen()
            notes.skip(Skip.OTHER_BRANCH, f"{place} node {key[:60]}")


def _turns(nodes: Sequence[tuple[str, Fields]], place: str, notes: Notes) -> Iterator[DraftTurn]:
    for key, node in nodes:
        message = node.value("message")
        if message is None:
            continue
        notes.seen()
        where = f"{place} node {key[:60]}"
        with notes.guard(where, message):
            turn = _turn(key, fields_of(message, "the message"), where, notes)
            if turn is not None:
                yield turn


def _turn(key: str, message: Fields, where: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(message, KNOWN_MESSAGE)
    role = message.record("author").maybe("role")
    content = message.record("content")
    text = _words(content)
    reason = _reason(message, role, content)
    if reason is not None:
        notes.skip(reason, where, text)
        return None
    who = role_of(role)
    if who is Role.ASSISTANT:
        text = without_thoughts(text, notes)
    media = _media(content, message.record("metadata"))
    return DraftTurn(
        role,
        text,
        where,
        _time(message.value("create_time"), notes),
        source_id=message.maybe("id") or key,
        kind=kind_of(role),
        role=who,
        attachments=media,
        media=bool(media),
    )


def _reason(message: Fields, role: str, content: Fields) -> Skip | None:
    kind = content.maybe("content_type")
    hidden = message.record("metadata").flag("is_visually_hidden_from_conversation")
    if role in {"system", "developer"} or kind in HIDDEN or hidden:
        return Skip.HIDDEN_CONTEXT
    if kind in THINKING:
        return Skip.THINKING
    if role == "tool" or kind == "execution_output" or kind.startswith("tether_"):
        return Skip.TOOL_OUTPUT
    if kind == "code" or message.maybe("recipient") not in {"", "all"}:
        return Skip.TOOL_CALL
    return _no_talk(role, kind)


def _no_talk(role: str, kind: str) -> Skip | None:
    if role not in {"user", "assistant"}:
        msg = f'its role is "{role[:20]}"; expected user or assistant'
        raise BadRecordError(msg)
    return None if kind in TALK or not kind else Skip.NOTICE


def _words(content: Fields) -> str:
    parts = content.value("parts")
    if not isinstance(parts, list):
        return content.maybe("text")
    return "\n".join(w for p in parts if (w := _part(p)))


def _part(part: Json) -> str:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _media(content: Fields, metadata: Fields) -> tuple[Attachment, ...]:
    parts = content.value("parts")
    found = [
        Attachment("", str(p.get("content_type") or "file"))
        for p in (parts if isinstance(parts, list) else ())
        if isinstance(p, dict) and not isinstance(p.get("text"), str)
    ]
    sent = metadata.value("attachments")
    named = [
        Attachment(str(a.get("name") or ""), str(a.get("mime_type") or "file"))
        for a in (sent if isinstance(sent, list) else ())
        if isinstance(a, dict)
    ]
    return tuple(found + named)
