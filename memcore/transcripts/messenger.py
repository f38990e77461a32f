"""Facebook Messenger threads of the JSON download."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import meta_threads
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import NOTHING, Evidence, Sample

name = "messenger"


def score(sample: Sample) -> Evidence:
    """Judge by participants and messages with `sender_name` and `timestamp_ms`."""
    found = meta_threads.messages_of(sample)
    if not found or any(meta_threads.GEOBLOCKED in m.values for m in found):
        return NOTHING
    return Evidence(0.95, f"{len(found)} messages have sender_name and timestamp_ms")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each thread as a conversation."""
    return meta_threads.read(files, notes, name)
