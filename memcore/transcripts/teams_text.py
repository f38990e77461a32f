"""Teams transcripts saved as text: a head of title, date and length, then blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import stamped_blocks, walk, written
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "teams_text"


def score(sample: Sample) -> Evidence:
    """Judge by `Name   m:ss` lines after a dated head, or with three blanks between."""
    found = stamped_blocks.gaps(sample.lines)
    if not found or any(stamped_blocks.FOOT.fullmatch(line) for line in sample.lines):
        return NOTHING
    words = f"{len(found)} lines of name and offset"
    first = next(n for n, line in enumerate(sample.lines) if stamped_blocks.block_of(line))
    if any(written.written_of(line.strip()) for line in sample.lines[:first]):
        return Evidence(0.95, f"{words} after a dated head")
    return Evidence(0.85 if min(found) > 2 else 0.4, words)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    yield stamped_blocks.conversation(file, notes, name)
