"""One uploaded file, opened: a file of one format, or an archive with the entries that hold talk."""

from __future__ import annotations

from dataclasses import dataclass

from memcore.errors import TranscriptError
from memcore.transcripts import archives
from memcore.transcripts.codes import Refusal, Skip, trusted
from memcore.transcripts.detect import by_name, chosen, decided, ranked
from memcore.transcripts.files import File, check, digest
from memcore.transcripts.notes import GRAVE, Notes
from memcore.transcripts.samples import sample
from memcore.transcripts.sources import Source
from memcore.types import Detection, SourceFile


@dataclass(frozen=True, slots=True)
class Upload:
    """The files of an upload that are of its format, and its row in the report."""

    row: SourceFile
    detection: Detection
    files: tuple[File, ...]


def opened(source: Source, notes: Notes) -> Upload:
    """Return what an uploaded file holds.

    Raises:
        TranscriptError: if it is no transcript, or cannot be read.
    """
    if archives.is_archive(source):
        return _archive(source, notes)
    checked = check(source, notes)
    forced = _forced(notes)
    return Upload(checked.row, forced or chosen(checked.file), (checked.file,))


def _forced(notes: Notes) -> Detection | None:
    if not notes.options.format:
        return None
    return Detection(by_name(notes.options.format).name, 0.0, "asked for", forced=True)


def _archive(source: Source, notes: Notes) -> Upload:
    notes.file = source.name
    if source.size > notes.options.limits.file_bytes:
        msg = (
            f"the file has {source.size:,} bytes, the limit is {notes.options.limits.file_bytes:,}."
        )
        raise TranscriptError(Refusal.TOO_LARGE, msg, file=source.name, hint=trusted("file_bytes"))
    found = [(f, fits) for f in _checked(source, notes) if (fits := _fits(f, notes)) is not None]
    detection = _forced(notes) or decided([(f.name, d) for f, ds in found for d in ds], source.name)
    files = []
    for file, fits in found:
        if any(d.format == detection.format for d in fits):
            files.append(file)
        else:
            notes.skip(Skip.NOT_TRANSCRIPT, file.name)
    if source.is_folder:
        row = SourceFile(source.name, source.size, "", "", "folder")
    else:
        row = SourceFile(source.name, source.size, digest(source), "", "archive")
    return Upload(row, detection, tuple(files))


def _fits(file: File, notes: Notes) -> tuple[Detection, ...] | None:
    """Return the formats that an entry fits, None for JSON that breaks."""
    looked = sample(file)
    found = ranked(looked)
    if not found and looked.is_json and len(looked.rows) < 2:
        try:
            file.json()
        except TranscriptError as error:
            if error.kind in GRAVE:
                raise
            notes.skip(Skip.UNREADABLE_FILE, file.name, str(error.args[0]))
            return None
    return found


def _checked(source: Source, notes: Notes) -> list[File]:
    """Return the entries that are text; pages and pictures are no transcripts."""
    files = []
    for entry in archives.entries(source, notes):
        try:
            files.append(check(entry, notes, hashed=False).file)
        except TranscriptError as error:
            if error.kind in {Refusal.HTML_PAGE, Refusal.NOT_TEXT, Refusal.EMPTY}:
                notes.skip(Skip.NOT_TRANSCRIPT, entry.name, str(error.args[0]))
            elif error.kind == Refusal.ZIP_DAMAGED:
                notes.skip(Skip.UNREADABLE_FILE, entry.name, str(error.args[0]))
            else:
                raise
    return files
