"""Everything that a fresh process must give again, as digests.

One process does all the work of one hash seed: it imports and builds a small dialogue with the
real annotator and extractor, asks each question of each retriever, stores the runs, draws them, and
prints one digest a table and a figure. Vectors are hashed words, so nothing here needs torch, and
a process that is told that there is none starts in a third of the time.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from memcore import pipeline
from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.evolution.extract import LocalExtractor
from memcore.readers.extractive import ExtractiveReader
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.store import conversations, memories, runs
from memcore.store.records import RunMeta
from memcore.store.schema import open_workspace
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Memory, ReadResult, Reply
from memcore.views import panorama, sheet, sheet_figure
from memcore.views.theme import LIGHT

NOW = datetime(2024, 1, 1, tzinfo=UTC)
TALK = """\
# 08/05/2023 10:00
Nora: I moved to Porto last week.
Tom: Nice! My brother Luis lives in Porto.
Nora: I work at the Harbour Museum now.
Tom: I adopted a dog called Biscuit yesterday.
# 14/06/2023 18:30
Tom: Biscuit ate my left shoe on Monday.
Nora: The Harbour Museum opened a room about lighthouses.
Tom: I booked a trip to Lisbon in July.
Nora: I play the cello every Sunday.
# 02/09/2023 09:15
Nora: I left the museum. I work at the Blue Bakery now.
Tom: I cancelled the trip to Lisbon.
Nora: Luis bought bread from me yesterday.
Tom: Biscuit found my left shoe again!
Nora: Hello there!
"""
QUESTIONS = (
    "Where does Nora work now?",
    "When did Tom adopt Biscuit?",
    "What happened in June 2023?",
    "Who knows Luis, and from where?",
)
SYSTEMS = ("edgemem", "ariadnemem-safe", "bm25", "hybrid")
ANNOTATOR = RulesAnnotator()
PARTS = Parts(HashingEmbedder(), ANNOTATOR, LocalExtractor(), ExtractiveReader(ANNOTATOR))


def imported() -> ReadResult:
    """The small dialogue, as the importer reads it."""
    return read((Source("talk.txt", TALK.encode()),), Options())


def stored(db: Database, sessions: int = 3) -> int:
    """Store the dialogue up to a session and return its number."""
    result = imported()
    (whole,) = result.conversations
    part = replace(whole, sessions=whole.sessions[:sessions])
    return conversations.save(db, replace(result, conversations=(part,)), NOW).dialogues[0]


def built(db: Database, sessions: int = 3) -> Memory:
    """Store and build the dialogue up to a session, and return both memories."""
    number = stored(db, sessions)
    list(pipeline.build(db, number, PARTS, SAFE))
    return memories.load_memory(db, number, SAFE)


def asked(db: Database, memory: Memory) -> Iterator[Reply]:
    """Ask each question of each retriever, and store the runs."""
    for system in SYSTEMS:
        retriever = RETRIEVERS[system](memory, SAFE, PARTS)
        for question in QUESTIONS:
            *_, reply = pipeline.ask(memory, question, retriever, PARTS.reader, NOW)
            assert isinstance(reply, Reply)
            number = runs.save_run(db, 1, reply, RunMeta(memory=memory.fingerprint, created_at=NOW))
            assert runs.load_run(db, number) == reply
            yield reply


def tables(db: Database) -> dict[str, str]:
    """A digest of all rows of each table, every column, in the order of the primary key.

    The table of migrations holds the time at which the file was made, and is left out.
    """
    names = sorted(n for n in db.table_names() if "migrations" not in n)
    found = {}
    for name in names:
        keys = ", ".join(f'"{k}"' for k in db.table(name).pks)
        rows = db.execute(f'SELECT * FROM "{name}" ORDER BY {keys}').fetchall()
        found[name] = f"{len(rows)} rows {_digest(repr(rows))}"
    return found


def figures(memory: Memory, replies: list[Reply]) -> dict[str, str]:
    """A digest of the JSON of each drawing: both memories, and the runs of the first question."""
    edges = memory.hypergraph.hyperedges[:16]
    places = panorama.panorama(memory)
    found = {"panorama": _digest(panorama.figure(memory, places, edges, LIGHT).to_json())}
    for reply in replies[:: len(QUESTIONS)]:
        look = sheet.Look(len(reply.trace.steps) - 1, LIGHT, frozenset({"D1:1"}))
        drawn = sheet_figure.figure(memory, reply, sheet.sheet(memory, reply), look).figure()
        found[reply.trace.retriever] = _digest(drawn.to_json())
    return found


def vectors(memory: Memory) -> str:
    """A digest of both matrices, which values compare without."""
    return _digest(memory.vectors.tobytes().hex() + memory.turn_vectors.tobytes().hex())


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def everything(folder: Path) -> dict[str, dict[str, str]]:
    """All digests of one process: first build and runs, a second build, one grown by session."""
    with open_workspace(folder / "first.db", new_id="w") as db:
        memory = built(db)
        fresh = tables(db)
        drawn = figures(memory, list(asked(db, memory)))
        found = {"tables": tables(db), "figures": drawn}
    with open_workspace(folder / "second.db", new_id="w") as db:
        again = built(db)
        same = (tables(db) == fresh, again == memory, vectors(again) == vectors(memory))
        found["second"] = dict(zip(("tables", "memory", "vectors"), map(str, same), strict=True))
    with open_workspace(folder / "grown.db", new_id="w") as db:
        for sessions in (1, 2, 3):
            grown = built(db, sessions)
        same = (grown == memory, vectors(grown) == vectors(memory))
        found["grown"] = dict(zip(("memory", "vectors"), map(str, same), strict=True))
    return found


def main(folder: str) -> None:
    """Print all digests as JSON."""
    sys.stdout.write(json.dumps(everything(Path(folder))))
