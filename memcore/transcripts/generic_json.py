"""Records of any JSON with a text and a speaker: JSON lines, or a list somewhere near the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from memcore.transcripts import columns, json_text, walk
from memcore.transcripts.columns import Row
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.json_lines import is_lines, values
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Limits
from memcore.transcripts.samples import LOOKED_AT, NOTHING, Evidence, Sample, share
from memcore.transcripts.sources import Source

name = "jsonl"

LIKELY = 0.6
"""Below every format whose records have names of their own."""

KEYS = {
    "text": ("text", "content", "message", "body", "value"),
    "speaker": ("speaker", "author", "name", "sender", "from", "role"),
    "time": ("ts", "time", "timestamp", "date", "created_at"),
    "session": ("session", "session_id"),
    "conversation": ("conversation", "conversation_id", "chat", "thread"),
    "id": ("id",),
}
SHOWN = 20
"""The keys of so many records are offered for a mapping."""
LISTS = ("messages", "conversation", "turns", "data", "chat", "dialogue", "dialog", "records")


def score(sample: Sample) -> Evidence:
    """Judge by records with a key for text and one for the speaker."""
    found = sample.rows if is_lines(sample) else tuple(_list(sample.json)[0])
    looked = found[:LOOKED_AT]
    if not looked:
        return NOTHING
    fitting = sum(_fits(v) for v in looked)
    fits = share(fitting, len(looked), "records have a text and a speaker")
    return Evidence(LIKELY if 2 * fitting >= len(looked) else 0.0, fits.words)


def _fits(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    return all(any(_is_text(value.get(k)) for k in KEYS[role]) for role in ("text", "speaker"))


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _list(value: Json) -> tuple[list[Json], str]:
    """Return the list of records and the name it stands under."""
    if isinstance(value, list):
        return value, "record"
    if isinstance(value, dict):
        for key in LISTS:
            found = value.get(key)
            if isinstance(found, list):
                return found, key
    return [], "record"


def heads(source: Source) -> tuple[str, ...]:
    """Return the keys that the first records have, none where a file holds no records."""
    text = source.head().decode("utf-8-sig", "replace")
    found: list[Json] = [json_text.loads_or_none(line) for line in text.split("\n")[:SHOWN]]
    if sum(isinstance(v, dict) for v in found) < 2:
        found = _list(json_text.prefix(text, Limits()))[0][:SHOWN]
    records = (v for v in found if isinstance(v, dict))
    return tuple(dict.fromkeys(k for v in records for k, w in v.items() if _is_cell(w)))


def _is_cell(value: Json) -> bool:
    return isinstance(value, str | int | Decimal) and not isinstance(value, bool)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the conversations of each file."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    rows = []
    chosen = dict(notes.options.columns)
    for value, place in _records(file, notes):
        notes.seen()
        with notes.guard(place, value):
            rows.append(_row(fields_of(value), place, chosen, notes))
    yield from columns.conversations(rows, file.stem, notes, name)


def _records(file: File, notes: Notes) -> Iterator[tuple[Json, str]]:
    for value, place in values(file, notes):
        found, key = _list(value) if isinstance(value, dict) and not _fits(value) else ([], "")
        if key and found:
            yield from ((v, f"{key} {n}") for n, v in enumerate(found, 1))
        else:
            yield value, place


def _row(record: Fields, place: str, chosen: dict[str, str], notes: Notes) -> Row:
    keys = {role: _key(record, role, chosen) for role in KEYS}
    notes.ignore(record, frozenset(keys.values()))
    cells = {role: _cell(record, key) for role, key in keys.items() if key and role != "time"}
    if "text" not in cells or not cells.get("speaker", "").strip():
        msg = "no text or no speaker"
        raise BadRecordError(msg)
    return Row(cells, record.value(keys["time"]) if keys["time"] else None, place)


def _key(record: Fields, role: str, chosen: dict[str, str]) -> str:
    if role in chosen:
        return chosen[role] if chosen[role] in record.values else ""
    for key in KEYS[role]:
        value = record.value(key)
        if value is not None and not isinstance(value, list | dict | bool):
            return key
    return ""


def _cell(record: Fields, key: str) -> str:
    value = record.value(key)
    return str(value) if isinstance(value, str | int | Decimal) else ""
