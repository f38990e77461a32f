"""The two loops that most readers share: over files, and over the records of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes

FileReader = Callable[[File, Notes], Iterable[DraftConversation]]
RecordReader = Callable[[Fields, str], DraftConversation]


def files(found: Sequence[File], notes: Notes, read: FileReader) -> Iterator[DraftConversation]:
    """Yield the conversations of each file; a bad one among several is passed over."""
    for file in found:
        with notes.reading(file.name):
            yield from read(file, notes)


def conversations(
    values: Iterable[Json], name: str, notes: Notes, read: RecordReader
) -> Iterator[DraftConversation]:
    """Yield the conversation of each record; one of the wrong shape is one bad record."""
    for n, value in enumerate(values, 1):
        place = f"{name} {n}"
        mark = notes.mark()
        try:
            yield read(fields_of(value), place)
        except BadRecordError as error:
            notes.back_to(mark)
            notes.bad(place, value, str(error))
