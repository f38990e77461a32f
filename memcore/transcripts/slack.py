"""Slack exports: a zip or folder of channel lists, users, and one file of messages a day.

Day files are unsorted, and a reply stands under the day it was written, not beside its parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memcore.transcripts import dates
from memcore.transcripts.archives import natural
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample, share
from memcore.types import Attachment, PersonKind, Role

name = "slack"

LISTS = frozenset({"channels.json", "groups.json", "dms.json", "mpims.json"})
USERS = frozenset({"users.json", "org_users.json"})
TALK = frozenset({"", "bot_message", "me_message", "thread_broadcast", "file_share"})
KNOWN = frozenset(
    [
        "type",
        "subtype",
        "user",
        "bot_id",
        "username",
        "text",
        "ts",
        "thread_ts",
        "edited",
        "files",
        "user_profile",
        "team",
        "blocks",
        "reply_count",
        "replies",
        "reply_users",
        "reply_users_count",
        "latest_reply",
        "parent_user_id",
        "reactions",
        "client_msg_id",
        "bot_profile",
        "attachments",
        "upload",
        "display_as_bot",
        "source_team",
        "user_team",
        "is_locked",
        "subscribed",
        "last_read",
        "icons",
        "app_id",
        "hidden",
    ]
)

_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
_MARK = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")


def score(sample: Sample) -> Evidence:
    """Judge by the lists of channels and users, and by messages with a decimal `ts`."""
    base = sample.name.rpartition("/")[2]
    objects = sample.objects
    if base in LISTS | USERS and objects and all("id" in o.values for o in objects[:5]):
        return Evidence(0.9, f"{base} lists ids")
    if not objects:
        return NOTHING
    fitting = sum(_is_message(o) for o in objects)
    fits = share(fitting, len(objects), "records are messages with a decimal ts")
    return fits if _DAY.fullmatch(base) else Evidence(round(0.8 * fits.score, 3), fits.words)


def _is_message(record: Fields) -> bool:
    ts = record.value("ts")
    return isinstance(ts, str) and "type" in record.values and bool(re.fullmatch(r"\d+\.\d+", ts))


@dataclass(slots=True)
class _Export:
    """What the lists of an export say, and the files of each channel's folder."""

    users: dict[str, Fields] = field(default_factory=dict)
    channels: dict[str, Fields] = field(default_factory=dict)
    days: dict[str, list[File]] = field(default_factory=dict)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each channel and direct message as a conversation."""
    export = _Export()
    for file in sorted(files, key=lambda f: natural(f.name)):
        _sort_in(file, export, notes)
    for folder in sorted({*export.days, *export.channels}):
        yield _conversation(folder, export, notes)


def _sort_in(file: File, export: _Export, notes: Notes) -> None:
    path, _, base = file.name.rpartition("/")
    if base not in LISTS | USERS:
        export.days.setdefault(path.rpartition("/")[2], []).append(file)
        return
    with notes.reading(file.name):
        found = file.json()
        for value in found if isinstance(found, list) else ():
            if not isinstance(value, dict):
                continue
            record = Fields(value)
            if base in USERS:
                export.users[record.maybe("id")] = record
            else:
                named = record.value("name")
                folder = named if isinstance(named, str) and named else record.maybe("id")
                export.channels[folder] = record


def _conversation(folder: str, export: _Export, notes: Notes) -> DraftConversation:
    channel = export.channels.get(folder, Fields({}))
    members = channel.value("members")
    title = str(channel.value("name") or "")
    if not title and isinstance(members, list):
        title = ", ".join(_label(str(m), Fields({}), export.users) for m in members)
    turns: list[DraftTurn] = []
    met: set[str] = set()
    for file in export.days.get(folder, []):
        with notes.reading(file.name):
            turns.extend(_day(file, export, met, notes))
    return DraftConversation(
        title or folder or "messages",
        (DraftSession(tuple(turns)),),
        export.days[folder][0].name if folder in export.days else notes.file,
        str(channel.value("id") or ""),
        order=Order.TIME,
        format=name,
    )


def _day(file: File, export: _Export, met: set[str], notes: Notes) -> Iterator[DraftTurn]:
    for n, value in enumerate(file.elements(), 1):
        place = f"{file.name} message {n}"
        notes.seen()
        with notes.guard(place, value):
            record = fields_of(value, "the message")
            notes.ignore(record, KNOWN)
            reason = _reason(record, met)
            if reason is not None:
                notes.skip(reason, place, record.maybe("text"))
                continue
            yield _turn(record, place, export, notes)


def _reason(record: Fields, met: set[str]) -> Skip | None:
    ts = record.text("ts")
    subtype = record.maybe("subtype")
    if subtype == "tombstone":
        return Skip.DELETED
    if subtype not in TALK or record.maybe("type") != "message":
        return Skip.NOTICE
    if ts in met:
        return Skip.PRINTED_TWICE
    met.add(ts)
    return None


def _turn(record: Fields, place: str, export: _Export, notes: Notes) -> DraftTurn:
    ts, thread = record.text("ts"), record.maybe("thread_ts")
    bot = record.maybe("bot_id") if not record.maybe("user") else ""
    person = record.maybe("user") or bot or record.maybe("username")
    label = _label(person, record, export.users)
    is_bot = record.maybe("subtype") == "bot_message" or bool(bot)
    is_bot = is_bot or export.users.get(person, Fields({})).flag("is_bot")
    sent = tuple(
        Attachment(str(f.get("name") or f.get("title") or ""), str(f.get("mimetype") or "file"))
        for f in record.items("files")
        if isinstance(f, dict)
    )
    return DraftTurn(
        label,
        _words(record.maybe("text"), export),
        place,
        notes.time(dates.value(ts)),
        source_id=ts,
        person=person,
        kind=PersonKind.BOT if is_bot else PersonKind.HUMAN,
        role=Role.BOT if is_bot else Role.PERSON,
        attachments=sent,
        reply_to=thread if thread != ts else "",
        edited=isinstance(record.value("edited"), dict),
        media=bool(sent),
    )


def _label(id_: str, record: Fields, users: Mapping[str, Fields]) -> str:
    known = users.get(id_)
    sent = record.value("user_profile")
    found: list[Json] = [record.value("username")] if known is None else []
    for user in (known, Fields(sent) if isinstance(sent, dict) else None):
        if user is not None:
            profile = user.value("profile")
            inner = profile if isinstance(profile, dict) else {}
            found += [inner.get("display_name"), user.value("display_name")]
            found += [user.value("real_name"), inner.get("real_name"), user.value("name")]
    return next((f for f in found if isinstance(f, str) and f.strip()), id_)


def _words(text: str, export: _Export) -> str:
    """Return the text with Slack's marks as a reader saw them, then its entities decoded once."""
    plain = _MARK.sub(lambda m: _mark(m[1], m[2] or "", export), text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _mark(target: str, label: str, export: _Export) -> str:
    if target.startswith("@"):
        return "@" + (label or _label(target[1:], Fields({}), export.users)).removeprefix("@")
    if target.startswith("#"):
        names = {c.maybe("id"): n for n, c in export.channels.items()}
        return "#" + (label or names.get(target[1:], target[1:])).removeprefix("#")
    if target.startswith("!"):
        return label or "@" + target[1:].partition("^")[0]
    return f"{label} ({target})" if label and label != target else target
