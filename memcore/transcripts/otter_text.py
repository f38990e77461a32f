"""Otter transcripts saved as text: blocks, and a foot that names the maker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import stamped_blocks, teams_text, walk
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "otter_text"


def score(sample: Sample) -> Evidence:
    """Judge by `Name  m:ss` lines and the foot."""
    found = stamped_blocks.gaps(sample.lines)
    if not found:
        return NOTHING
    words = f"{len(found)} lines of name and offset"
    if any(stamped_blocks.FOOT.fullmatch(line) for line in sample.lines):
        return Evidence(0.95, f"{words} and the foot")
    return Evidence(0.85, words) if teams_text.score(sample).score < 0.5 else NOTHING


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    yield stamped_blocks.conversation(file, notes, name)
