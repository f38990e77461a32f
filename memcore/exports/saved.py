"""A run that was exported, stored again: it then opens on the same pages.

It goes to the dialogue that it asked, which is known by the fingerprint of its memory; a run of a
dialogue that is not here is refused, since its ids would point at the words of another.
"""

from __future__ import annotations

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.exports import json
from memcore.retrieval.table import RETRIEVERS
from memcore.store import conversations, memories, runs
from memcore.store.records import Records
from memcore.types import Item, Memory

NOWHERE = (
    "the run asked a memory that is not in this workspace; import its dialogue and build its "
    "memories first, with the same settings"
)


def store(db: Database, data: bytes) -> int:
    """Store an exported run as a new run of its dialogue, and return its number.

    Raises:
        StoreError: if the file is no whole run, or no dialogue here has the memory that it asked.
    """
    try:
        records = json.load(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        msg = "the file is no text in UTF-8; expected a run that memcore exported as JSON"
        raise StoreError(msg) from error
    if records.run.retriever not in RETRIEVERS:
        msg = f"the run is by {records.run.retriever[:40]!r}, which this memcore does not know"
        raise StoreError(msg)
    dialogue = dialogue_of(db, records)
    try:
        return runs.add_records(db, dialogue, records)
    except (ValueError, LookupError, TypeError) as error:
        msg = "the records of the run do not fit together; export it again"
        raise StoreError(msg) from error


def dialogue_of(db: Database, records: Records) -> int:
    """Return the dialogue whose memory a run asked, and which holds every item of it.

    Raises:
        StoreError: if there is none.
    """
    run = records.run
    items = {e.item for e in records.event} | {s.item for s in records.span if s.item}
    listed = sorted(conversations.listing(db), key=lambda row: (row.id != run.dialogue, row.id))
    for row in listed:
        memory = memories.load_memory(db, row.id, run.settings)
        known = memories.as_known(memory, run.as_of or 10**9)
        asked = run.memory in {memory.fingerprint, known.fingerprint}
        if asked and items <= _items(memory):
            return row.id
    raise StoreError(NOWHERE)


def _items(memory: Memory) -> frozenset[Item]:
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    return frozenset((*(t.id for t in memory.conversation.turns), *(e.id for e in entries)))
