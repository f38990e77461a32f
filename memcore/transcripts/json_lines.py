"""JSON lines, and files that are either lines of JSON or one JSON value."""

from __future__ import annotations

from collections.abc import Iterator

from memcore.errors import TranscriptError
from memcore.transcripts import json_text
from memcore.transcripts.codes import Skip
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Json
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import Sample, sample


def is_lines(sample_: Sample) -> bool:
    """Tell whether the lines of a file are JSON values of their own.

    Broken lines may stand among them, but not first.
    """
    return len(sample_.rows) > 1


def values(file: File, notes: Notes) -> Iterator[tuple[Json, str]]:
    """Yield each line's value, or the elements of the one array, with its place.

    A line that is no JSON is a bad record.
    """
    if not is_lines(sample(file)):
        for n, value in enumerate(file.elements(), 1):
            yield value, f"record {n}"
        return
    for n, line in enumerate(file.stream_lines(), 1):
        if not line.strip():
            continue
        if len(line) > file.limits.line:
            notes.seen()
            notes.skip(Skip.OVER_LIMIT, f"line {n}")
            continue
        value = _line(line, n, file, notes)
        if value is not None:
            yield value, f"line {n}"


def _line(line: str, n: int, file: File, notes: Notes) -> Json:
    try:
        return json_text.whole((line.encode("utf-8", "replace"),), file.limits, file.name)
    except TranscriptError as error:
        notes.bad(f"line {n}", line, str(error.args[0]))
        return None
