"""Tables: CSV and TSV with a head, whose columns are found by their words or said by the user.

csv.Sniffer finds delimiters in prose, so columns are counted instead; an open quote swallows the
rest of a file without an error, so it is looked for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memcore.errors import TranscriptError
from memcore.transcripts import columns, walk
from memcore.transcripts.codes import Refusal, Skip
from memcore.transcripts.columns import Row
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.transcripts.sources import Source

name = "csv"

DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 50
SURE, LIKELY = 0.75, 0.55


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text is a table: its delimiter, the number of columns, and the head."""

    delimiter: str
    columns: int
    head: tuple[str, ...]


def shape_of(lines: Sequence[str]) -> Shape | None:
    """Return the delimiter that gives one column count over the first rows, most columns first."""
    text = "\n".join(lines[: 4 * LOOKED_AT])
    best: Shape | None = None
    for delimiter in DELIMITERS:
        rows = _first_rows(text, delimiter)
        counts = {len(r) for r in rows}
        if len(rows) > 1 and len(counts) == 1 and (width := counts.pop()) > 1:
            head = tuple(c.strip() for c in rows[0])
            if best is None or width > best.columns:
                best = Shape(delimiter, width, head)
    return best


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            if row:
                rows.append(row)
            if len(rows) > LOOKED_AT:
                return rows
    except csv.Error:
        return []
    return rows[:-1] if len(rows) > 2 and text.count('"') % 2 else rows


def score(sample: Sample) -> Evidence:
    """Judge by one column count and by heads that are known words."""
    if sample.is_json:
        return NOTHING
    shape = shape_of(sample.lines)
    if shape is None:
        return NOTHING
    known = columns.recognised(shape.head)
    words = (
        f"{shape.columns} columns in each row, heads {', '.join(h[:20] for h in shape.head[:8])}"
    )
    if {"text", "speaker"} <= known:
        return Evidence(SURE, words)
    tidy = len(set(shape.head)) == len(shape.head) and all(shape.head)
    named = sample.name.lower().endswith((".csv", ".tsv"))
    return Evidence(LIKELY, words) if tidy and (named or known) else NOTHING


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield the conversations of each table."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    text = file.text()
    shape = shape_of(text[: 1024 * 1024].split("\n"))
    if shape is None:
        msg = "no delimiter gives every row one number of columns."
        raise TranscriptError(Refusal.WRONG_SHAPE, msg, file=file.name)
    found = columns.mapping(shape.head, notes)
    places = {role: shape.head.index(head) for role, head in found.items()}
    rows = tuple(_rows(text, shape, places, notes))
    yield from columns.conversations(rows, file.stem, notes, name)


def heads(source: Source) -> tuple[str, ...]:
    """Return the heads of a table's columns, none where a file is no table."""
    lines = source.head().decode("utf-8-sig", "replace").splitlines()
    shape = shape_of(lines)
    return () if shape is None else shape.head


def cells(text: str, delimiter: str, file: str, limit: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it begins on.

    Raises:
        TranscriptError: `bad_csv` with the line of a quote that never ends.
    """
    csv.field_size_limit(limit)  # the library's own is 131,072 characters
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = last = 1
    try:
        for row in reader:
            yield line, row
            last, line = line, reader.line_num + 1
    except csv.Error as error:
        msg = f"the table breaks in the row that begins here: {error}."
        raise TranscriptError(Refusal.BAD_CSV, msg, file=file, line=line) from None
    if _is_open("\n".join(text.split("\n")[last - 1 :]), delimiter):
        msg = "a quote opens here and never ends."
        raise TranscriptError(Refusal.BAD_CSV, msg, file=file, line=last)


def _is_open(rest: str, delimiter: str) -> bool:
    """Tell whether the last row ends inside a quote; only a strict reader says so."""
    try:
        for _ in csv.reader(io.StringIO(rest, newline=""), delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _rows(text: str, shape: Shape, places: dict[str, int], notes: Notes) -> Iterator[Row]:
    limit = notes.options.limits.line
    for n, (line, row) in enumerate(cells(text, shape.delimiter, notes.file, limit)):
        if n == 0 or not any(c.strip() for c in row):
            continue
        notes.seen()
        place = f"line {line}"
        if len(row) < shape.columns:
            notes.skip(Skip.BAD_RECORD, place, f"{len(row)} cells, expected {shape.columns}")
            continue
        found = {role: row[at] for role, at in places.items() if role != "time"}
        if not found["speaker"].strip() and found["text"].strip():
            notes.skip(Skip.NOTICE, place, found["text"])
            continue
        yield Row(found, row[places["time"]] if "time" in places else None, place)
