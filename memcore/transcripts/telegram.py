"""Telegram exports: one chat, or all of them; each chat is a conversation of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC

from memcore.transcripts import dates, walk
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample, share
from memcore.types import Attachment, SaidTime, TimeKind

name = "telegram"

QUARTER = 15 * 60
MEDIA = ("photo", "file", "location_information", "contact_information", "poll")
KNOWN = frozenset(
    [
        "id",
        "type",
        "date",
        "date_unixtime",
        "edited",
        "edited_unixtime",
        "from",
        "from_id",
        "actor",
        "actor_id",
        "action",
        "text",
        "text_entities",
        "forwarded_from",
        "forwarded_from_id",
        "reply_to_message_id",
        "media_type",
        "photo",
        "file",
        "file_name",
        "file_size",
        "sticker_emoji",
        "mime_type",
        "duration_seconds",
        "width",
        "height",
        "thumbnail",
        "thumbnail_file_size",
        "photo_file_size",
        "reactions",
        "via_bot",
        "saved_from",
        "performer",
        "title",
    ]
)


def score(sample: Sample) -> Evidence:
    """Judge by messages with `from_id` or `date_unixtime`, in one chat or a list of chats."""
    if not isinstance(sample.json, dict):
        return NOTHING
    whole = Fields(sample.json)
    chats = _chats(whole)
    found = [m for chat in chats for m in _messages(chat) if isinstance(m, dict)][:400]
    if not found:
        return Evidence(0.6, "a list of chats") if _is_full(whole) else NOTHING
    fitting = sum("from_id" in m or "date_unixtime" in m or "actor_id" in m for m in found)
    return share(fitting, len(found), "messages have from_id or date_unixtime")


def _is_full(whole: Fields) -> bool:
    chats = whole.value("chats")
    return isinstance(chats, dict) and isinstance(chats.get("list"), list)


def _chats(whole: Fields) -> list[Json]:
    if isinstance(whole.value("messages"), list):
        return [dict(whole.values)]
    found: list[Json] = []
    for key in ("chats", "left_chats"):
        inner = whole.value(key)
        listed = inner.get("list") if isinstance(inner, dict) else None
        found += listed if isinstance(listed, list) else []
    return found


def _messages(chat: Json) -> list[Json]:
    found = chat.get("messages") if isinstance(chat, dict) else None
    return found if isinstance(found, list) else []


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each chat as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    whole = file.json()
    record = Fields(whole) if isinstance(whole, dict) else Fields({})
    me = record.value("personal_information")
    user = me.get("user_id") if isinstance(me, dict) else None
    owner = _person(str(user)) if isinstance(user, int | str) and not isinstance(user, bool) else ""

    def one(chat: Fields, place: str) -> DraftConversation:
        return _conversation(chat, place, owner, notes)

    return walk.conversations(_chats(record), "chat", notes, one)


def _person(id_: str) -> str:
    """Return the id as newer exports write it: numbers are users."""
    return f"user{id_}" if id_.isdigit() else id_


def _conversation(chat: Fields, place: str, owner: str, notes: Notes) -> DraftConversation:
    id_ = chat.maybe("id")
    title = chat.maybe("name") or chat.maybe("type").replace("_", " ") or id_
    turns = []
    for n, value in enumerate(chat.items("messages"), 1):
        where = f"{place} message {n}"
        notes.seen()
        with notes.guard(where, value):
            turn = _turn(fields_of(value, "the message"), where, notes)
            if turn is not None:
                turns.append(turn)
    return DraftConversation(
        title,
        (DraftSession(tuple(turns)),),
        notes.file,
        id_,
        order=Order.TIME,
        owner=owner if any(t.person == owner for t in turns) else "",
        format=name,
    )


def _turn(record: Fields, where: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(record, KNOWN)
    text = _words(record.value("text"))
    if record.maybe("type") not in {"", "message"}:
        notes.skip(Skip.NOTICE, where, text or record.maybe("action"))
        return None
    id_ = _person(record.maybe("from_id"))
    reply = record.maybe("reply_to_message_id")
    media = _media(record)
    forwarded = ""
    if "forwarded_from" in record.values:
        forwarded = record.maybe("forwarded_from") or "unknown"
    return DraftTurn(
        record.maybe("from") or id_,
        text,
        where,
        _time(record, notes),
        source_id=record.maybe("id"),
        person=id_,
        attachments=media,
        reply_to=reply,
        forwarded_from=forwarded,
        edited="edited" in record.values or "edited_unixtime" in record.values,
        media=True,
    )


def _words(value: Json) -> str:
    """Return a text, or its pieces joined without a space.

    Raises:
        BadRecordError: if it is neither.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        msg = "its text is neither a string nor a list of pieces"
        raise BadRecordError(msg)
    return "".join(p if isinstance(p, str) else _piece(p) for p in value)


def _piece(piece: Json) -> str:
    text = piece.get("text") if isinstance(piece, dict) else None
    return text if isinstance(text, str) else ""


def _media(record: Fields) -> tuple[Attachment, ...]:
    kind = record.maybe("media_type")
    name_ = record.maybe("file_name") or next(
        (v for k in ("file", "photo") if isinstance(v := record.value(k), str)), ""
    )
    if kind or name_ or any(k in record.values for k in MEDIA):
        found = kind or next((k for k in MEDIA if k in record.values), "file")
        return (Attachment(name_, found),)
    return ()


def _time(record: Fields, notes: Notes) -> SaidTime:
    unix, wall = record.maybe("date_unixtime"), record.maybe("date")
    if not unix:
        return notes.time(dates.value(wall))
    said = notes.time(dates.value(unix))
    shown = dates.iso(wall)
    if said.at is None or shown is None or shown.said.at is None:
        return said
    seconds = (shown.said.at.astimezone(UTC) - said.at).total_seconds()
    exact = shown.said.kind is TimeKind.LOCAL and seconds % QUARTER == 0 and abs(seconds) < 86400
    return replace(said, offset=round(seconds / 60), original=wall) if exact else said
