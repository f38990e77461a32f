"""Google Chat exports: `messages.json` of a group, with `group_info.json` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memcore.transcripts import dates, written
from memcore.transcripts.archives import natural
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.dates import Read
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample, share
from memcore.types import Attachment, PersonKind, Quote, Role, SaidTime, TimeKind, TimeSource

name = "google_chat"

INFO = "group_info.json"
KNOWN = frozenset(
    [
        "creator",
        "created_date",
        "updated_date",
        "text",
        "topic_id",
        "message_id",
        "attached_files",
        "annotations",
        "quoted_message_metadata",
        "message_state",
        "previous_message_versions",
        "reactions",
        "deletion_metadata",
    ]
)
_ENGLISH = re.compile(r"(?:[A-Z][a-z]+day, )?[A-Z][a-z]+ \d|\d{4}-")
_UTC = re.compile(r"\s*(?:UTC|GMT)\s*$")


def score(sample: Sample) -> Evidence:
    """Judge by messages with a creator and a written date."""
    if not isinstance(sample.json, dict):
        return NOTHING
    if sample.name.rpartition("/")[2] == INFO and "members" in sample.json:
        return Evidence(0.6, "a group's members")
    found = sample.json.get("messages")
    messages = [m for m in found if isinstance(m, dict)] if isinstance(found, list) else []
    if not messages:
        return NOTHING
    fitting = sum("creator" in m and ("created_date" in m or "updated_date" in m) for m in messages)
    return share(fitting, len(messages), "messages have a creator and a date")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each group or direct message as a conversation."""
    titles = {}
    for file in files:
        if file.name.endswith(INFO):
            with notes.reading(file.name):
                titles[_folder(file.name)] = _title(file)
    for file in sorted(files, key=lambda f: natural(f.name)):
        if not file.name.endswith(INFO):
            with notes.reading(file.name):
                yield _conversation(file, titles, notes)


def _folder(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]


def _title(file: File) -> str:
    whole = file.json()
    found = whole.get("name") if isinstance(whole, dict) else None
    return found if isinstance(found, str) else ""


def _conversation(file: File, titles: dict[str, str], notes: Notes) -> DraftConversation:
    folder = _folder(file.name)
    whole = file.json()
    found = whole.get("messages") if isinstance(whole, dict) else None
    turns = []
    for n, value in enumerate(found if isinstance(found, list) else (), 1):
        place = f"message {n}"
        notes.seen()
        with notes.guard(place, value):
            turn = _turn(fields_of(value, "the message"), place, notes)
            if turn is not None:
                turns.append(turn)
    return DraftConversation(
        titles.get(folder) or folder or file.stem,
        (DraftSession(tuple(turns)),),
        file.name,
        folder,
        order=Order.TIME,
        format=name,
    )


def _turn(record: Fields, place: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(record, KNOWN)
    text = record.maybe("text")
    if record.maybe("message_state") == "DELETED" or record.record("deletion_metadata").values:
        notes.skip(Skip.DELETED, place, text)
        return None
    creator = record.record("creator")
    bot = creator.maybe("user_type").casefold() == "bot"
    email = creator.maybe("email")
    quoted = record.record("quoted_message_metadata")
    author = quoted.record("creator")
    quote = Quote(quoted.maybe("text"), author.maybe("name") or author.maybe("email"))
    sent = tuple(
        Attachment(str(f.get("original_name") or f.get("export_name") or ""), "file")
        for f in record.items("attached_files")
        if isinstance(f, dict)
    )
    return DraftTurn(
        creator.maybe("name") or email,
        text,
        place,
        _time(record, notes),
        source_id=record.maybe("message_id"),
        person=email,
        kind=PersonKind.BOT if bot else PersonKind.HUMAN,
        role=Role.BOT if bot else Role.PERSON,
        attachments=sent,
        quotes=(quote,) if quote.text else (),
        edited="updated_date" in record.values,
        media=bool(sent),
    )


def _time(record: Fields, notes: Notes) -> SaidTime:
    created, updated = record.maybe("created_date"), record.maybe("updated_date")
    source = TimeSource.TURN if created else TimeSource.EDIT
    return notes.time(_read(created or updated, source))


def _read(text: str, source: TimeSource) -> Read:
    if not text.strip():
        return Read(SaidTime())
    plain = _UTC.sub("", text) if len(text) <= written.LONGEST else text
    read = written.read_date(plain, "mdy", source) if _ENGLISH.match(text) else None
    if read is None or read.said.at is None:
        return dates.missing(text, Warn.BAD_TIME)
    said = replace(read.said, original=text)
    if plain != text:
        said = replace(said, kind=TimeKind.AWARE, offset=0)
    return Read(said, read.warning)
