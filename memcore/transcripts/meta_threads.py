"""What Messenger and Instagram threads share: newest first, in parts, with mojibake in each string."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memcore.transcripts import dates
from memcore.transcripts.archives import natural
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.phrases import matcher
from memcore.transcripts.samples import Sample
from memcore.types import Attachment

GEOBLOCKED = "is_geoblocked_for_viewer"
MEDIA = ("photos", "videos", "audio_files", "gifs", "files")
KNOWN = frozenset(
    [
        "sender_name",
        "timestamp_ms",
        "content",
        "photos",
        "videos",
        "audio_files",
        "gifs",
        "files",
        "sticker",
        "share",
        "reactions",
        "is_unsent",
        "title",
        "type",
        "is_taken_down",
        "bumped_message_metadata",
        "is_geoblocked_for_viewer",
        "is_unsent_image_by_messenger_kid_parent",
        "call_duration",
    ]
)
REACTION = matcher("meta_reactions")
STAND_IN = matcher("meta_stand_ins")


def messages_of(sample: Sample) -> list[Fields]:
    """Return the messages of a thread's beginning; none where it is no thread."""
    if not isinstance(sample.json, dict) or "participants" not in sample.json:
        return []
    found = sample.json.get("messages")
    messages = [Fields(m) for m in found if isinstance(m, dict)] if isinstance(found, list) else []
    return [m for m in messages if "sender_name" in m.values and "timestamp_ms" in m.values]


@dataclass(slots=True)
class _Thread:
    title: str
    file: str
    newest_first: list[tuple[Json, str]] = field(default_factory=list)


def read(files: Sequence[File], notes: Notes, name: str) -> Iterator[DraftConversation]:
    """Yield each thread as a conversation; its parts are joined by the path they name."""
    threads: dict[str, _Thread] = {}
    for file in sorted(files, key=lambda f: natural(f.name)):
        with notes.reading(file.name):
            _file(file, threads, notes)
    for path, thread in threads.items():
        notes.file = thread.file
        turns = tuple(_turns(reversed(thread.newest_first), notes))
        yield DraftConversation(
            thread.title, (DraftSession(turns),), thread.file, path, order=Order.TIME, format=name
        )


def _file(file: File, threads: dict[str, _Thread], notes: Notes) -> None:
    whole = file.json()
    record = Fields(whole) if isinstance(whole, dict) else Fields({})
    path, title = record.value("thread_path"), record.value("title")
    key = path if isinstance(path, str) and path else file.name
    shown = notes.mend(title) if isinstance(title, str) else ""
    thread = threads.setdefault(key, _Thread(shown or file.stem, file.name))
    found = record.value("messages")
    for n, value in enumerate(found if isinstance(found, list) else (), 1):
        notes.seen()
        thread.newest_first.append((value, f"{file.name} message {n}"))


def _turns(values: Iterator[tuple[Json, str]], notes: Notes) -> Iterator[DraftTurn]:
    for value, place in values:
        with notes.guard(place, value):
            turn = _turn(fields_of(value, "the message"), place, notes)
            if turn is not None:
                yield turn


def _turn(record: Fields, place: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(record, KNOWN)
    content = notes.mend(record.maybe("content"))
    reason = _reason(record, content)
    if reason is not None:
        notes.skip(reason, place, content)
        return None
    sender = record.text("sender_name")
    return DraftTurn(
        notes.mend(sender),
        content,
        place,
        notes.time(dates.value(record.value("timestamp_ms"))),
        attachments=_media(record, notes),
        media=True,
    )


def _reason(record: Fields, content: str) -> Skip | None:
    if record.flag("is_unsent"):
        return Skip.DELETED
    if REACTION(content):
        return Skip.NOTICE
    if isinstance(record.value("share"), dict) and STAND_IN(content):
        return Skip.MEDIA_ONLY
    return None


def _media(record: Fields, notes: Notes) -> tuple[Attachment, ...]:
    found: list[Attachment] = []
    for key in MEDIA:
        found.extend(
            Attachment(notes.mend(str(value.get("uri") or "")), key.rstrip("s"))
            for value in record.items(key)
            if isinstance(value, dict)
        )
    for key, inner in (("sticker", "uri"), ("share", "link")):
        record_ = record.value(key)
        if isinstance(record_, dict) and isinstance(record_.get(inner), str):
            found.append(Attachment(notes.mend(str(record_.get(inner))), key))
    return tuple(found)
