"""Instagram threads of the JSON download: as Messenger's, told apart by one key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import meta_threads
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "instagram"


def score(sample: Sample) -> Evidence:
    """Judge by a Messenger thread whose messages hold `is_geoblocked_for_viewer`."""
    found = meta_threads.messages_of(sample)
    fitting = sum(meta_threads.GEOBLOCKED in m.values for m in found)
    if not fitting:
        return NOTHING
    return Evidence(0.95, f"{fitting} of {len(found)} messages have is_geoblocked_for_viewer")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each thread as a conversation."""
    return meta_threads.read(files, notes, name)
