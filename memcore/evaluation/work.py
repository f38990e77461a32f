"""The work of an evaluation: build what is missing, plan the units, ask question by question.

    plan -> builds -> units (one system on one dialogue) -> results

Workers claim units as rows and write results as they find them, so that any of them may be killed
at any moment. Two workers share nothing but the file. A unit asks only the questions whose results
are not stored under its fingerprint: dialogue, settings, code, system, parts and reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

from sqlite_utils import Database

from memcore import pipeline
from memcore.errors import MemcoreError
from memcore.evaluation.ablations import Variant, changed, variant
from memcore.evaluation.asking import Asker
from memcore.evaluation.code import code_version
from memcore.evaluation.shared import reading
from memcore.pipeline import part_name
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts
from memcore.settings import Settings, settings_of
from memcore.store import codec, conversations, evaluations, memories
from memcore.store.evaluations import (
    Answered,
    BuildTime,
    Evaluation,
    Plan,
    Unit,
    UnitState,
    asked_digest,
)
from memcore.types import Memory, Progress, Question

KNOWN = (
    *("edgemem", "best", "best-lexical", "ariadnemem-paper", "ariadnemem-safe", "ariadnemem-best"),
    *("bm25", "dense", "hybrid", "ppr", "recency", "full"),
)
"""The systems of the contract, in the order of its tables; not all need be there."""

BEST = "best"
"""The one system that reads token vectors: they are built for no other."""

BATCH = 20
"""Results a worker keeps before it writes them."""

BATCH_MILLISECONDS = 2000.0
"""A worker writes at least so often, so that a kill costs little and a stop is heard."""

MANY_TURNS = 1_000_000
"""The turn limit under a budget of tokens: none, so that all systems have the same room."""

LEAST_BUDGET = max(
    int(f.metadata["low"]) for f in fields(Settings) if f.name in {"token_budget", "graph_tokens"}
)
MOST_BUDGET = 1_000_000
"""The range of a budget: what both settings that it stands for allow, and no more than any talk."""

offline = cache(pipeline.offline_parts)
"""The parts for a language, made once: their models are heavy."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker is given: parts for a language, and clocks in seconds and milliseconds."""

    parts: Callable[[str], Parts]
    now: Callable[[], float]
    milliseconds: Callable[[], float]


def settings_for(plan: Plan, one: Variant) -> Settings:
    """Return the settings of a variant in a plan: its own, the plan's changes, then what is off.

    A budget holds for every system: as tokens of turns, and as tokens of the serialized graph.

    Raises:
        MemcoreError: if the plan names no setting, or a value out of range.
    """
    found = changed(settings_of(one.retriever), json.loads(plan.settings))
    if plan.budget is not None:
        found = replace(
            found,
            token_budget=plan.budget,
            graph_tokens=plan.budget,
            turn_budget=MANY_TURNS,
        )
    return one.settings(found)


def prepare(db: Database, number: int, tools: Tools) -> Iterator[Progress]:
    """Build what the systems of an evaluation read, and store its units.

    Raises:
        MemcoreError: if the plan names a dialogue, ablation or setting that is not there.
    """
    whole = evaluations.evaluation(db, number)
    made: list[Unit] = []
    for dialogue in whole.plan.dialogues:
        for name in whole.plan.systems:
            site = _Site(db, whole, dialogue, variant(name), tools)
            reason = yield from _ready(site)
            made.append(replace(_unit(site, reason), n=len(made) + 1))
    evaluations.plan_units(db, number, made, tools.now())


def work(db: Database, number: int, tools: Tools) -> Iterator[Progress]:
    """Ask the questions of the units that are not taken; yield after each batch that is stored."""
    plan = evaluations.evaluation(db, number).plan
    while (unit := evaluations.claim(db, number)) is not None:
        try:
            yield from _asked(db, plan, unit, tools)
        except MemcoreError as error:
            evaluations.finish(db, unit, str(error))
        else:
            evaluations.finish(db, unit)
        yield _progress(db, unit)


def chosen(db: Database, dialogue: int, plan: Plan) -> tuple[Question, ...]:
    """Return the questions of a dialogue that a plan asks."""
    found = conversations.questions(db, dialogue)
    return tuple(q for q in found if not plan.questions or q.id in plan.questions)


# ---------------------------------------------------------------- builds


@dataclass(frozen=True, slots=True)
class _Site:
    """One system on one dialogue of an evaluation, and with what it is made ready."""

    db: Database
    evaluation: Evaluation
    dialogue: int
    one: Variant
    tools: Tools

    @property
    def settings(self) -> Settings:
        return settings_for(self.evaluation.plan, self.one)

    @property
    def parts(self) -> Parts:
        spoken = pipeline.language_spoken(conversations.load(self.db, self.dialogue))
        return self.tools.parts(spoken)


def _ready(site: _Site) -> Generator[Progress, None, str]:
    """Build what a system reads; return why it is skipped, or nothing."""
    if site.one.retriever not in RETRIEVERS:
        return f"{site.one.retriever} is not in this memcore"
    try:
        yield from _built(site)
    except MemcoreError as error:
        return str(error)
    return ""


def kinds_of(retriever: str) -> tuple[str, ...]:
    """Return the memories that a retriever reads."""
    return pipeline.BOTH if retriever.startswith(pipeline.ARIADNEMEM) else (pipeline.EDGEMEM,)


def _built(site: _Site) -> Iterator[Progress]:
    """Build what a system reads, and keep how long each phase took that was built from its start.

    A build that is complete costs nothing and tells nothing of its time.
    """
    kinds, clock = kinds_of(site.one.retriever), site.tools.milliseconds
    spent: dict[str, float] = {}
    whole: dict[str, bool] = {}
    turns, began = 0, clock()
    parts = site.parts if site.one.retriever == BEST else replace(site.parts, token_embedder=None)
    steps = pipeline.build(site.db, site.dialogue, parts, site.settings, kinds)
    for progress in steps:
        now = clock()
        whole.setdefault(progress.phase, progress.done == 0)
        spent[progress.phase] = spent.get(progress.phase, 0.0) + now - began
        turns = max(turns, progress.total)
        if whole[progress.phase]:
            note = f"{site.one.name}: {progress.phase}"
            yield Progress("build", progress.done, progress.total, note)
        began = clock()
    times = (
        BuildTime(phase, _plan_of(phase, site.settings), round(ms / 1000, 3), turns)
        for phase, ms in spent.items()
        if whole[phase] and phase != "complete"
    )
    evaluations.add_build_times(site.db, site.dialogue, times)


def _plan_of(phase: str, settings: Settings) -> str:
    """Return the settings that act on a phase; only the evolution graph has any."""
    return codec.digest(memories.build_settings(settings)) if phase == "evolution" else ""


def build_seconds(db: Database, dialogue: int, name: str, plan: Plan) -> float | None:
    """Return how long the build took that a system reads; None if it was not timed here."""
    one = variant(name)
    settings = settings_for(plan, one)
    known = {(t.phase, t.plan): t.seconds for t in evaluations.build_times(db, dialogue)}
    phases = ["annotate", "hypergraph", "turn_vectors"]
    if pipeline.ARIADNEMEM in kinds_of(one.retriever):
        phases.append("evolution")
    if one.retriever == BEST:
        phases.append("token_vectors")
    times = [known.get((phase, _plan_of(phase, settings))) for phase in phases]
    found = [t for t in times if t is not None]
    return round(sum(found), 3) if len(found) == len(times) else None


# ---------------------------------------------------------------- units


def _unit(site: _Site, reason: str) -> Unit:
    plan, parts = site.evaluation.plan, site.parts
    name = codec.digest(
        conversations.digest(site.db, site.dialogue),
        (site.one.retriever, code_version(), memories.CODE),
        site.settings,
        tuple(part_name(p) for p in (parts.embedder, parts.annotator, parts.extractor)),
        plan.reader,
    )
    questions = chosen(site.db, site.dialogue, plan)
    state = UnitState.SKIPPED if reason else UnitState.WAITING
    number, total = site.evaluation.id, len(questions)
    plain = Unit(number, site.dialogue, site.one.name, 0, name, state, reason, 0, total)
    return replace(plain, cached=total - len(_unasked(site.db, plain, questions)))


def _unasked(db: Database, unit: Unit, questions: Sequence[Question]) -> tuple[Question, ...]:
    known = {(r.question, r.asked) for r in evaluations.results(db, unit)}
    return tuple(q for q in questions if (q.id, asked_digest(q)) not in known)


# ---------------------------------------------------------------- asking


def asker(
    memory: Memory, unit: Unit, plan: Plan, tools: Tools, known: tuple[Question, ...]
) -> Asker:
    """Return a system of a plan on a dialogue, ready to be asked."""
    one = variant(unit.system)
    settings = settings_for(plan, one)
    make = RETRIEVERS[one.retriever]
    parts = tools.parts(pipeline.language_spoken(memory.conversation))
    timed = make(memory, settings, parts)
    lists = timed.listing is not None
    traced = make(memory, settings, reading(parts, known)) if lists else timed
    return Asker(timed, traced, parts.reader if plan.reader else None, tools.milliseconds)


def _asked(db: Database, plan: Plan, unit: Unit, tools: Tools) -> Iterator[Progress]:
    questions = chosen(db, unit.conversation, plan)
    left = _unasked(db, unit, questions)
    if not left:
        return
    memory = memories.load_memory(db, unit.conversation, settings_for(plan, variant(unit.system)))
    system = asker(memory, unit, plan, tools, questions)
    ready: list[Answered] = []
    written = tools.milliseconds()
    for found in system.all(left):
        ready.append(found)
        if len(ready) == BATCH or tools.milliseconds() - written > BATCH_MILLISECONDS:
            evaluations.add(db, unit, ready)
            ready.clear()
            written = tools.milliseconds()
            yield _progress(db, unit)
    evaluations.add(db, unit, ready)


def _progress(db: Database, unit: Unit) -> Progress:
    found = evaluations.evaluation(db, unit.evaluation)
    return Progress("ask", found.done, found.total, unit.system)
