"""Systems side by side over the dialogues of a workspace: build what is missing, list, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sqlite_utils import Database

from memcore import pipeline
from memcore.evaluation.run import Listed, SystemRun, list_questions
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts
from memcore.store import conversations, memories
from memcore.types import Memory, Progress, Question

parts = cache(pipeline.offline_parts)
"""The parts for a language, made once: their models are heavy."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared: systems by name, dialogues by number, questions by id (none: all)."""

    systems: tuple[str, ...]
    dialogues: tuple[int, ...]
    questions: frozenset[str] = frozenset()


def evaluate(
    db: Database, plan: Plan, clock: Callable[[], float]
) -> Iterator[Progress | SystemRun]:
    """Yield progress in questions, and after each system its run; `clock` gives milliseconds.

    Only questions with evidence that resolves are asked: the others have no recall.
    """
    for system in plan.systems:
        listed: list[Listed] = []
        build, total = 0.0, sum(len(_questions(db, d, plan)) for d in plan.dialogues)
        for dialogue in plan.dialogues:
            began = clock()
            yield from _built(db, dialogue, system)
            build += (clock() - began) / 1000
            memory = memories.load_memory(db, dialogue, pipeline.settings_of(system))
            for found in _listed(memory, system, _questions(db, dialogue, plan), clock):
                listed.append(found)
                yield Progress(system, len(listed), total)
        yield SystemRun(system, tuple(listed), build)


def _questions(db: Database, dialogue: int, plan: Plan) -> tuple[Question, ...]:
    return tuple(
        q
        for q in conversations.questions(db, dialogue)
        if q.evidence_turns and (not plan.questions or q.id in plan.questions)
    )


def _built(db: Database, dialogue: int, system: str) -> Iterator[Progress]:
    """Build what the system reads; a build that is complete costs nothing."""
    kinds = pipeline.BOTH if system.startswith(pipeline.ARIADNEMEM) else (pipeline.EDGEMEM,)
    settings = pipeline.settings_of(system)
    yield from pipeline.build(db, dialogue, _parts(db, dialogue), settings, kinds)


def _parts(db: Database, dialogue: int) -> Parts:
    return parts(pipeline.language_spoken(conversations.load(db, dialogue)))


def _listed(
    memory: Memory, system: str, questions: Sequence[Question], clock: Callable[[], float]
) -> Iterator[Listed]:
    tools = parts(pipeline.language_spoken(memory.conversation))
    retriever = RETRIEVERS[system](memory, pipeline.settings_of(system), tools)
    if questions:  # the first question loads the models: that time is no retrieval's
        next(list_questions(retriever, questions[:1], clock))
    yield from list_questions(retriever, questions, clock)
