"""A result opened as a run: asked again with its own settings, stored with its whole trace."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.evaluation.ablations import variant
from memcore.evaluation.survival import LETTERS, STAGES
from memcore.evaluation.work import Tools, chosen, settings_for
from memcore.pipeline import ask, language_spoken
from memcore.retrieval.table import RETRIEVERS
from memcore.store import evaluations, memories, runs
from memcore.store.records import RunMeta
from memcore.types import Beat, Reply


@dataclass(frozen=True, slots=True)
class Place:
    """One cell of the matrix."""

    evaluation: int
    dialogue: int
    system: str
    question: str


def open_run(db: Database, place: Place, tools: Tools, meta: RunMeta) -> int:
    """Return the number of a run with the trace of a result; one that is stored is opened again.

    Raises:
        StoreError: if the evaluation asks no such question.
    """
    plan = evaluations.evaluation(db, place.evaluation).plan
    found = [q for q in chosen(db, place.dialogue, plan) if q.id == place.question]
    if not found or place.system not in plan.systems:
        msg = f"evaluation {place.evaluation} has no {place.question[:40]!r} of {place.system[:40]}"
        raise StoreError(msg)
    question, one = found[0], variant(place.system)
    settings = settings_for(plan, one)
    memory = memories.load_memory(db, place.dialogue, settings)
    parts = tools.parts(language_spoken(memory.conversation))
    retriever = RETRIEVERS[one.retriever](memory, settings, parts)
    reader = parts.reader if plan.reader else None
    at = question.asked_at.at
    *_, reply = ask(memory, question.text, retriever, reader, at, clock=tools.milliseconds)
    if not isinstance(reply, Reply):  # pragma: no cover - the last one always is
        raise TypeError
    stored = runs.asked_before(db, place.dialogue, reply.trace.fingerprint)
    if stored is not None:
        return stored
    own = replace(meta, kind="eval", name=place.system, memory=memory.fingerprint)
    return runs.save_run(db, place.dialogue, reply, own)


def beat_of(letter: str) -> Beat:
    """Return the beat at which a letter of the matrix was lost; gold that is kept is at the end.

    >>> beat_of("C").name, beat_of("W").name
    ('COLLECT', 'CUE')
    """
    at = LETTERS.find(letter)
    return Beat(at + 1) if 0 <= at < len(STAGES) else Beat.ANSWER
