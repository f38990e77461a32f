"""What is exported, and how much of it: the run with the memory it asked, redaction and scope.

Redaction and scope are applied here once, to the values, before any file is made of them; each
export then only writes. What every file says of itself is made here too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from sqlite_utils import Database

from memcore.exports import redaction
from memcore.exports.redaction import Redaction
from memcore.store import codec, conversations, memories, runs
from memcore.store.recalling import reply_of
from memcore.store.records import Records
from memcore.types import (
    Anchor,
    EntryId,
    EvolutionGraph,
    Hyperedge,
    Hypergraph,
    Item,
    Memory,
    Reply,
    TurnId,
)
from memcore.views.life import turns_of


class Scope(StrEnum):
    """Whether a file holds the whole memory, or only what the run touched."""

    WHOLE = "whole"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class Choice:
    """How an export is wanted; `version` is that of memcore, `language` that of a page's words."""

    redaction: Redaction = Redaction.FULL
    scope: Scope = Scope.WHOLE
    language: str = "en"
    version: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A run, the memory that it asked, and the known evidence of its question."""

    records: Records
    memory: Memory
    gold: tuple[TurnId, ...] = ()

    @property
    def reply(self) -> Reply:
        """The reply that the records were made of."""
        return reply_of(self.records)


@dataclass(frozen=True, slots=True)
class Shown:
    """How many of something a file holds: n of all."""

    what: str
    n: int
    of: int

    def __str__(self) -> str:
        return f"{self.n} of {self.of}"


@dataclass(frozen=True, slots=True)
class About:
    """One thing that a file says of itself."""

    name: str
    value: str


def subject_of(db: Database, run: int) -> Subject:
    """Return a stored run with the memory that it asked and the gold of its question.

    Raises:
        StoreError: if there is no such run.
    """
    records = runs.load_records(db, run)
    found = records.run
    memory = memories.load_memory(db, found.dialogue, found.settings, found.as_of)
    asked = conversations.questions(db, found.dialogue)
    gold = next((q.evidence_turns for q in asked if q.text == found.question), ())
    return Subject(records, memory, gold)


def prepared(subject: Subject, choice: Choice) -> Subject:
    """Return what may go out: narrowed to the scope, its text cut."""
    memory = subject.memory
    if choice.scope is Scope.SHOWN:
        memory = narrowed(memory, subject.reply, subject.gold)
    known = redaction.names(subject.memory)
    return replace(
        subject,
        records=redaction.run(subject.records, choice.redaction, known),
        memory=redaction.memory(memory, choice.redaction),
    )


def about(subject: Subject, choice: Choice, whole: Memory | None = None) -> tuple[About, ...]:
    """Return what a file says of itself: versions, settings, hashes, redaction, N of M.

    `whole` is the memory before it was narrowed; without it the file holds no memory.
    """
    run = subject.records.run
    counted = shown(subject.memory, whole) if whole else _events(subject.records)
    found = (
        About("memcore", choice.version or run.code or "unknown"),
        About("run", str(run.id)),
        About("dialogue", str(run.dialogue)),
        About("retriever", run.retriever),
        About("preset", run.preset),
        About("changed", ", ".join(run.changed) or "nothing"),
        About("settings", codec.dump(run.settings)),
        About("reader", run.reader or "none"),
        About("run fingerprint", run.fingerprint),
        About("memory fingerprint", run.memory or subject.memory.fingerprint),
        About("code", run.code or "unknown"),
        About("redaction", choice.redaction),
        About("scope", choice.scope if whole else Scope.WHOLE),
        *(About(s.what, str(s)) for s in counted),
    )
    return tuple(About(a.name, " ".join(a.value.split())) for a in found)  # one line each


def shown(part: Memory, whole: Memory) -> tuple[Shown, ...]:
    """Return how many turns, facts and anchors of the whole memory a part holds."""
    return (
        Shown("turns", len(part.conversation.turns), len(whole.conversation.turns)),
        Shown("facts", len(part.evolution.entries), len(whole.evolution.entries)),
        Shown("anchors", len(part.hypergraph.hyperedges), len(whole.hypergraph.hyperedges)),
    )


def _events(records: Records) -> tuple[Shown, ...]:
    return (Shown("events", len(records.event), len(records.event)),)


# ---------------------------------------------------------------- only what the run touched


def narrowed(memory: Memory, reply: Reply, gold: tuple[TurnId, ...] = ()) -> Memory:
    """Return the part of a memory that a run touched: scored turns and facts, their anchors."""
    items = _touched(reply)
    turns = turns_of(memory, tuple(items)) | set(gold)
    facts = {i for i in items if isinstance(i, EntryId)}
    sessions = tuple(
        replace(s, turns=tuple(t for t in s.turns if t.id in turns))
        for s in memory.conversation.sessions
    )
    return replace(
        memory,
        conversation=replace(memory.conversation, sessions=tuple(s for s in sessions if s.turns)),
        annotations=tuple(a for a in memory.annotations if a.turn in turns),
        hypergraph=_anchors(memory.hypergraph, reply, turns),
        evolution=_facts(memory.evolution, facts),
        vectors=memory.vectors[:0],
        turn_vectors=memory.turn_vectors[:0],
    )


def _touched(reply: Reply) -> frozenset[Item]:
    steps = reply.trace.steps
    scored = {c.item for s in steps for c in s.entered}
    mined = {e for s in steps for p in s.paths for e in p.entries}
    ends = {e for s in steps for g in s.gaps for e in (g.older, g.newer)}
    return frozenset(scored | mined | ends)


def _anchors(whole: Hypergraph, reply: Reply, turns: frozenset[TurnId] | set[TurnId]) -> Hypergraph:
    cued = {a for cue in reply.trace.cues for a in cue.anchors}
    scored = {
        t.source
        for s in reply.trace.steps
        for c in s.entered
        for t in c.terms
        if isinstance(t.source, Anchor)
    }
    wanted = (h for h in whole.hyperedges if h.id in cued or h.anchor in scored)
    cut = (_among(h, turns) for h in wanted)
    return Hypergraph(tuple(h for h in cut if h.memberships))


def _among(edge: Hyperedge, turns: frozenset[TurnId] | set[TurnId]) -> Hyperedge:
    return replace(edge, memberships=tuple(m for m in edge.memberships if m.turn in turns))


def _facts(whole: EvolutionGraph, facts: set[EntryId]) -> EvolutionGraph:
    return EvolutionGraph(
        entries=tuple(e for e in whole.entries if e.id in facts),
        merged=tuple(e for e in whole.merged if e.id in facts),
        decisions=tuple(d for d in whole.decisions if d.entry in facts),
        edges=tuple(e for e in whole.edges if e.older in facts and e.newer in facts),
    )
