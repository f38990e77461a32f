"""Discord exports of one channel, as JSON or CSV; parts of a channel are joined by its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memcore.transcripts import dates, discord_csv
from memcore.transcripts.archives import natural
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample, sample, share
from memcore.types import Attachment, PersonKind, Role

name = "discord"

TALK = frozenset({"Default", "Reply"})
KNOWN = frozenset(
    [
        "id",
        "type",
        "timestamp",
        "timestampEdited",
        "callEndedTimestamp",
        "isPinned",
        "content",
        "author",
        "attachments",
        "embeds",
        "stickers",
        "reactions",
        "mentions",
        "reference",
        "inlineEmojis",
        "interaction",
    ]
)


def score(sample: Sample) -> Evidence:
    """Judge by guild, channel and messages, or by the head of the table."""
    if not sample.is_json:
        return discord_csv.score(sample)
    objects = [o for o in sample.objects if {"guild", "channel", "messages"} <= o.values.keys()]
    if not objects or not isinstance(sample.json, dict):
        return NOTHING
    found = objects[0].value("messages")
    messages = [m for m in found if isinstance(m, dict)] if isinstance(found, list) else []
    if not messages:
        return Evidence(0.8, "guild, channel and no message")
    fitting = sum("author" in m and "timestamp" in m for m in messages)
    return share(fitting, len(messages), "messages of a guild's channel have an author")


@dataclass(slots=True)
class _Channel:
    title: str
    file: str
    turns: list[DraftTurn] = field(default_factory=list)
    met: set[str] = field(default_factory=set)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each channel as a conversation."""
    channels: dict[str, _Channel] = {}
    for file in sorted(files, key=lambda f: natural(f.name)):
        with notes.reading(file.name):
            if sample(file).is_json:
                _file(file, channels, notes)
            else:
                yield from discord_csv.file(file, notes, name)
    for id_, channel in channels.items():
        session = DraftSession(tuple(channel.turns))
        yield DraftConversation(
            channel.title, (session,), channel.file, id_, order=Order.TIME, format=name
        )


def _file(file: File, channels: dict[str, _Channel], notes: Notes) -> None:
    whole = file.json()
    record = Fields(whole) if isinstance(whole, dict) else Fields({})
    info = record.value("channel")
    about = Fields(info) if isinstance(info, dict) else Fields({})
    id_ = str(about.value("id") or "")
    title = str(about.value("name") or "") or file.stem
    channel = channels.setdefault(id_, _Channel(title, file.name))
    found = record.value("messages")
    for n, value in enumerate(found if isinstance(found, list) else (), 1):
        place = f"{file.name} message {n}"
        notes.seen()
        with notes.guard(place, value):
            turn = _turn(fields_of(value, "the message"), place, channel, notes)
            if turn is not None:
                channel.turns.append(turn)


def _turn(record: Fields, place: str, channel: _Channel, notes: Notes) -> DraftTurn | None:
    notes.ignore(record, KNOWN)
    id_, content = record.maybe("id"), record.maybe("content")
    kind = record.maybe("type") or "Default"
    reason = None
    if kind not in TALK and not (kind.isdigit() and content.strip()):
        reason = Skip.NOTICE
    elif id_ and id_ in channel.met:
        reason = Skip.PRINTED_TWICE
    if reason is not None:
        notes.skip(reason, place, content)
        return None
    channel.met.add(id_)
    author = record.record("author")
    bot = author.flag("isBot")
    return DraftTurn(
        author.maybe("nickname") or author.maybe("name"),
        content,
        place,
        notes.time(dates.value(record.value("timestamp"))),
        source_id=id_,
        person=author.maybe("id"),
        kind=PersonKind.BOT if bot else PersonKind.HUMAN,
        role=Role.BOT if bot else Role.PERSON,
        attachments=_media(record),
        reply_to=record.record("reference").maybe("messageId"),
        edited=record.value("timestampEdited") is not None,
        media=True,
    )


def _media(record: Fields) -> tuple[Attachment, ...]:
    files = [a for a in record.items("attachments") if isinstance(a, dict)]
    stickers = [s for s in record.items("stickers") if isinstance(s, dict)]
    return (
        *(Attachment(str(a.get("fileName") or a.get("url") or ""), "file") for a in files),
        *(Attachment(str(s.get("name") or ""), "sticker") for s in stickers),
    )
