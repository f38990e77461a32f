"""SubRip subtitles: numbered cues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import cues, walk
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "srt"


def score(sample: Sample) -> Evidence:
    """Judge by timing lines, of which the first stands at the beginning."""
    lines = [line for line in sample.lines if line.strip()]
    found = sum(cues.TIMING.fullmatch(line) is not None for line in lines)
    if not found or lines[0].startswith("WEBVTT"):
        return NOTHING
    early = any(cues.TIMING.fullmatch(line) for line in lines[:2])
    return Evidence(0.95 if early else 0.4, f"{found} timing lines")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    yield cues.conversation(file, notes, name)
