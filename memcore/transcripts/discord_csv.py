"""The table form of a Discord export: cells with line breaks, seven fraction digits, offsets."""

from __future__ import annotations

from collections.abc import Iterator

from memcore.transcripts import dates, tables, written
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.types import Attachment, SaidTime, TimeSource

HEAD = ("AuthorID", "Author", "Date", "Content", "Attachments", "Reactions")


def score(sample: Sample) -> Evidence:
    """Judge by the exact head."""
    first = sample.lines[0] if sample.lines else ""
    cells = tuple(c.strip().strip('"') for c in first.split(","))
    return Evidence(1.0, f"the head is {', '.join(HEAD)}") if cells == HEAD else NOTHING


def file(found: File, notes: Notes, format_: str) -> Iterator[DraftConversation]:
    """Yield the table as one conversation."""
    rows = tables.cells(found.text(), ",", found.name, found.limits.line)
    turns = []
    for n, (line, row) in enumerate(rows):
        if n == 0 or not any(row):
            continue
        notes.seen()
        place = f"line {line}"
        if len(row) < len(HEAD) - 1:
            notes.skip(Skip.BAD_RECORD, place, ",".join(row))
            continue
        turns.append(_turn(row, place, notes))
    session = DraftSession(tuple(turns))
    yield DraftConversation(found.stem, (session,), found.name, order=Order.TIME, format=format_)


def _turn(row: list[str], place: str, notes: Notes) -> DraftTurn:
    sent = tuple(Attachment(url, "file") for url in row[4].split(",") if url.strip())
    return DraftTurn(
        row[1],
        row[3],
        place,
        _time(row[2], notes),
        person=row[0].strip(),
        attachments=sent,
        media=True,
    )


def _time(text: str, notes: Notes) -> SaidTime:
    found = written.read_date(text, "dmy", TimeSource.TURN)
    return notes.time(found if found is not None else dates.value(text))
