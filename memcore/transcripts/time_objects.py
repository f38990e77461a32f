"""The JSON of a time, and small helps of the own format and of question files."""

from __future__ import annotations

from datetime import UTC
from enum import StrEnum
from typing import TypeVar

from memcore.transcripts import dates
from memcore.transcripts.json_text import Fields, Json
from memcore.transcripts.notes import Notes
from memcore.types import Precision, SaidTime, TimeKind, TimeSource

Kind = TypeVar("Kind", bound=StrEnum)


def some(**values: Json) -> dict[str, Json]:
    """Return the fields that say something."""
    return {k: v for k, v in values.items() if v not in ("", None, False) and v != []}


def member(kinds: type[Kind], word: str, default: Kind) -> Kind:
    """Return the member of that value, else the default."""
    return next((k for k in kinds if k.value == word), default)


def write_time(said: SaidTime) -> Json:
    """Return the object that `read_time` reads as an equal time; null where nothing is known."""
    if said == SaidTime():
        return None
    wall = None if said.at is None else said.at.astimezone(UTC).replace(tzinfo=None).isoformat()
    aware = said.kind is TimeKind.AWARE
    found = some(
        kind=said.kind.value,
        utc=f"{wall}Z" if aware and wall else None,
        local=None if aware else wall,
        precision=said.precision and said.precision.value,
        source=said.source and said.source.value,
        original=said.original,
    )
    return {**found, **({} if said.offset is None else {"utc_offset": said.offset})}


def read_time(value: Json, source: TimeSource, notes: Notes) -> SaidTime:
    """Return the time of an object, of an ISO text, or a missing one.

    An object with a `kind` was written by memcore and is taken word for word.
    """
    if not isinstance(value, dict):
        return notes.time(dates.value(value, source))
    record = Fields(value)
    original, stated = (
        notes.clean(record.maybe("original")),
        record.maybe("utc") or record.maybe("local"),
    )
    read = dates.iso(stated, source) if stated else dates.missing(original, None)
    if read is None or (stated and read.said.at is None):
        return notes.time(dates.missing(original or stated))
    return _said(record, read.said, original, source)


def _said(record: Fields, read: SaidTime, original: str, source: TimeSource) -> SaidTime:
    exact = "kind" in record.values
    kind = TimeKind.AWARE if record.maybe("utc") else read.kind
    offset = record.value("utc_offset")
    precision, where = record.maybe("precision"), record.maybe("source")
    if not exact:
        precision = precision or (read.precision or "")
        where = where or source.value
        original = original or read.original
    return SaidTime(
        read.at,
        original,
        member(TimeKind, record.maybe("kind"), kind),
        offset if isinstance(offset, int) and not isinstance(offset, bool) else None,
        next((p for p in Precision if p.value == precision), None),
        next((s for s in TimeSource if s.value == where), None),
    )
