"""WebVTT transcripts of Teams, Zoom and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import cues, walk
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "vtt"


def score(sample: Sample) -> Evidence:
    """Judge by the head WEBVTT and timing lines."""
    first = next((line for line in sample.lines if line.strip()), "")
    if not first.startswith("WEBVTT"):
        return NOTHING
    found = sum(cues.TIMING.fullmatch(line) is not None for line in sample.lines)
    return Evidence(1.0 if found else 0.5, f"WEBVTT and {found} timing lines")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    yield cues.conversation(file, notes, name)
