"""Memories in and out of the store: what was built, step by step, and the whole for a question.

A memory is made of five builds, each a row: `annotations`, `vectors` (of turns), `tokens` (their
vectors by token), `edgemem` (the hypergraph) and `ariadnemem` (the evolution graph). All but the
last are shared by all settings, so the presets `paper` and `safe` of one dialogue differ in the last one only. A build remembers the
last session that it holds; every step is one transaction, and only the last one marks the build
`complete`. Readers see complete builds only.
One row a whole memory was turned down: a second preset would then store the hypergraph twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import product
from typing import Final, TypeVar, cast

from sqlite_utils import Database

from memcore.embedders.in_context import WAY
from memcore.errors import StoreError
from memcore.evolution.build import Standing
from memcore.evolution.states import until
from memcore.settings import BUILD_FIELDS, Settings
from memcore.store import codec, evolutions, hypergraphs, token_vectors
from memcore.store.conversations import digest, load
from memcore.store.evolutions import blob, matrix
from memcore.store.rows import get, insert, put, select
from memcore.store.schema import transaction
from memcore.store.stale import take_back
from memcore.types import (
    NO_TOKENS,
    Annotation,
    EvolutionGraph,
    Hypergraph,
    Memory,
    Mention,
    TimeExpression,
    Turn,
    TurnId,
    Vectors,
)

_T = TypeVar("_T")

CODE: Final = "2"
"""The version of the building code: raised when the same dialogue gives other rows."""
LAST: Final = 2**62
"""A number that no session has."""


class Kind(StrEnum):
    """What a build makes."""

    ANNOTATIONS = "annotations"
    VECTORS = "vectors"
    TOKENS = "tokens"
    EDGEMEM = "edgemem"
    ARIADNEMEM = "ariadnemem"


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes two builds the same: kind, the settings that act, embedder and part names."""

    kind: Kind
    settings: str = ""
    embedder: str = ""
    parts: str = ""

    @property
    def digest(self) -> str:
        """The digest of the settings; empty where none act."""
        return codec.digest(self.settings) if self.settings else ""


@dataclass(frozen=True, slots=True)
class Build:
    """One build; `sessions` is the last session that it holds."""

    id: int
    conversation: int
    kind: Kind
    digest: str
    settings: str
    embedder: str
    parts: str
    code: str
    sessions: int
    state: str
    fingerprint: str

    @property
    def complete(self) -> bool:
        """Whether readers see it."""
        return self.state == "complete"


@dataclass(frozen=True, slots=True)
class Grown:
    """An evolution graph, or what one session added to it, with the vectors of its entries."""

    graph: EvolutionGraph
    vectors: Vectors


def build_settings(settings: Settings) -> str:
    """Return the fields that change the evolution graph, as JSON; 1 and 1.0 are one value."""
    values = (getattr(settings, f.name) for f in fields(settings) if f.name in BUILD_FIELDS)
    numbers = (v if isinstance(v, bool) else float(v) for v in values)
    names = (f.name for f in fields(settings) if f.name in BUILD_FIELDS)
    return codec.dump(tuple(zip(names, numbers, strict=True)))


# ---------------------------------------------------------------- build rows


def start(db: Database, dialogue: int, plan: Plan) -> Build:
    """Return the build of this plan, made if it is not there; one of older code is made anew."""
    found = _build(db, dialogue, plan)
    if found is not None and found.code == CODE:
        return found
    with transaction(db):
        for old in (found,) if found else _outdated(db, dialogue, plan):
            _drop(db, old)
        db.execute(
            """INSERT INTO builds (conversation, kind, digest, settings, embedder, parts, code,
                sessions, state, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 'building', '')""",
            (dialogue, plan.kind, plan.digest, plan.settings, plan.embedder, plan.parts, CODE),
        )
    return cast("Build", _build(db, dialogue, plan))


def complete(db: Database, build: Build, *, told: str = "") -> None:
    """Mark a build as whole: from now on readers see it.

    `told` stands for what a served model said; it varies where all else is equal.
    """
    name = codec.digest(
        digest(db, build.conversation),
        build.kind,
        build.settings,
        build.embedder,
        build.parts,
        CODE,
        *((told,) if told else ()),
    )
    with transaction(db):
        db.execute(
            "UPDATE builds SET state = 'complete', fingerprint = ? WHERE id = ?", (name, build.id)
        )


def prefer(db: Database, build: Build) -> None:
    """Make a build the one that readers take, among those that differ in extractor only."""
    last = select(
        db,
        "SELECT id, used FROM builds WHERE conversation = ? AND kind = ? AND digest = ?"
        " ORDER BY used DESC, id DESC LIMIT 1",
        (build.conversation, build.kind, build.digest),
    )[0]
    if last[0] != build.id:
        with transaction(db):
            used = cast("int", last[1]) + 1
            db.execute("UPDATE builds SET used = ? WHERE id = ?", (used, build.id))


def rewind(db: Database, build: Build, session: int) -> Build:
    """Take back what a session and those after it added to an evolution graph."""
    with transaction(db):
        take_back(db, build.id, session)
        db.execute(
            "UPDATE builds SET state = 'building', fingerprint = '', sessions = ? WHERE id = ?",
            (session - 1, build.id),
        )
    return replace(build, state="building", fingerprint="", sessions=session - 1)


def listing(db: Database, dialogue: int) -> tuple[Build, ...]:
    """Return all builds of a dialogue, complete or not, oldest first."""
    return get(db, Build, "builds WHERE conversation = ? ORDER BY id", (dialogue,))


def delete(db: Database, build: Build) -> None:
    """Delete one build with its rows."""
    with transaction(db):
        _drop(db, build)


def _build(db: Database, dialogue: int, plan: Plan) -> Build | None:
    where = "builds WHERE conversation = ? AND kind = ? AND digest = ? AND embedder = ?"
    arguments = (dialogue, plan.kind, plan.digest, plan.embedder)
    found = get(db, Build, f"{where} AND parts = ? ORDER BY id", (*arguments, plan.parts))
    return found[0] if found else None


def _outdated(db: Database, dialogue: int, plan: Plan) -> tuple[Build, ...]:
    """Return the builds whose rows those of a plan for token vectors take the place of."""
    if plan.kind is not Kind.TOKENS:
        return ()
    where = "builds WHERE conversation = ? AND kind = ? AND embedder = ? ORDER BY id"
    return get(db, Build, where, (dialogue, plan.kind, plan.embedder))


_SHARED: Final = {
    Kind.ANNOTATIONS: ("annotations", "mentions", "times"),
    Kind.EDGEMEM: ("anchors", "memberships"),
    Kind.VECTORS: (),
    Kind.TOKENS: (),
    Kind.ARIADNEMEM: (),
}

_VECTOR_TABLES: Final = {Kind.VECTORS: "turn_vectors", Kind.TOKENS: "token_vectors"}


def _drop(db: Database, build: Build) -> None:
    for table in _SHARED[build.kind]:
        db.execute(f"DELETE FROM {table} WHERE conversation = ?", (build.conversation,))
    if build.kind in _VECTOR_TABLES:
        sql = f"DELETE FROM {_VECTOR_TABLES[build.kind]} WHERE conversation = ? AND embedder = ?"
        db.execute(sql, (build.conversation, build.embedder))
    db.execute("DELETE FROM builds WHERE id = ?", (build.id,))


def _advance(db: Database, build: Build, session: int) -> Build:
    """Claim the step from where the build stood, before its rows are written."""
    sql = "UPDATE builds SET sessions = ? WHERE id = ? AND sessions = ?"
    if not db.execute(sql, (session, build.id, build.sessions)).rowcount:
        msg = "another program builds this memory at the same time; wait until it ends"
        raise StoreError(msg)
    return replace(build, sessions=session)


# ---------------------------------------------------------------- steps of a build


def add_annotations(db: Database, build: Build, session: int, found: Sequence[Annotation]) -> Build:
    """Store the annotations of the turns up to a session; return the build as it now is."""
    key = build.conversation
    mentions = ((a.turn, n, m) for a in found for n, m in enumerate(a.mentions, 1))
    times = ((a.turn, n, t) for a in found for n, t in enumerate(a.times, 1))
    with transaction(db):
        build = _advance(db, build, session)
        insert(
            db,
            "annotations",
            "conversation session turn language",
            ((key, a.turn.session, a.turn.turn, a.language) for a in found),
        )
        _put_marks(db, "mentions", key, mentions)
        _put_marks(db, "times", key, times)
    return build


def add_vectors(
    db: Database, build: Build, session: int, turns: Sequence[Turn], vectors: Vectors
) -> Build:
    """Store one vector a turn, for the turns up to a session; return the build as it now is."""
    rows = (
        (build.conversation, t.id.session, t.id.turn, build.embedder, blob(v))
        for t, v in zip(turns, vectors, strict=True)
    )
    with transaction(db):
        build = _advance(db, build, session)
        insert(db, "turn_vectors", "conversation session turn embedder vector", rows)
    return build


def add_token_vectors(
    db: Database, build: Build, session: int, turns: Sequence[Turn], found: Sequence[Vectors]
) -> Build:
    """Store the token vectors of the turns up to a session; return the build as it now is."""
    with transaction(db):
        build = _advance(db, build, session)
        token_vectors.put(db, build.conversation, build.embedder, turns, found)
    return build


def add_hypergraph(db: Database, build: Build, session: int, later: Hypergraph) -> Build:
    """Join the hypergraph of the sessions up to one, that are not held yet, to the stored one."""
    with transaction(db):
        if not build.sessions:  # made by other parts
            hypergraphs.forget_since(db, build.conversation, 1)
        build = _advance(db, build, session)
        hypergraphs.add(db, build.conversation, later)
    return build


def add_evolution(db: Database, build: Build, session: int, added: Grown) -> Build:
    """Store what one session added to the evolution graph; return the build as it now is."""
    with transaction(db):
        build = _advance(db, build, session)
        evolutions.add(db, (build.id, session), added.graph, added.vectors)
    return build


def _put_marks(
    db: Database, table: str, key: int, rows: Iterable[tuple[TurnId, int, object]]
) -> None:
    keyed = (((key, turn.session, turn.turn, n), value) for turn, n, value in rows)
    put(db, table, "conversation session turn n", keyed)


# ---------------------------------------------------------------- reading


def marked(
    db: Database, dialogue: int, after: int = 0, until: int | None = None
) -> tuple[Annotation, ...]:
    """Return the stored annotations of the sessions after one and until one, in order of turns."""
    place = (dialogue, after, LAST if until is None else until)
    mentions = _marks(db, Mention, "mentions", place)
    times = _marks(db, TimeExpression, "times", place)
    rows = select(
        db,
        "SELECT session, turn, language FROM annotations"
        " WHERE conversation = ? AND session > ? AND session <= ? ORDER BY session, turn",
        place,
    )
    turns = ((TurnId(cast("int", s), cast("int", t)), str(language)) for s, t, language in rows)
    return tuple(
        Annotation(turn, tuple(mentions[turn]), tuple(times[turn]), language)
        for turn, language in turns
    )


def turn_vectors(db: Database, dialogue: int, embedder: str, after: int = 0) -> Vectors:
    """Return the stored vectors by this embedder of the turns after a session, (turns, d)."""
    sql = (
        "SELECT vector FROM turn_vectors WHERE conversation = ? AND embedder = ? AND session > ?"
        " ORDER BY session, turn"
    )
    return matrix(select(db, sql, (dialogue, embedder, after)))


def evolution(db: Database, build: Build) -> Grown:
    """Return what a build of AriadneMem holds so far."""
    return Grown(evolutions.graph(db, build.id), evolutions.vectors(db, build.id))


def standing(db: Database, build: Build) -> Standing:
    """Return what the next session must know of a build of AriadneMem."""
    return evolutions.standing(db, build.id)


def unread(db: Database, build: Build) -> tuple[TurnId, ...]:
    """Return the turns that the extractor of a build of AriadneMem could not read, as spoken."""
    return evolutions.unread(db, build.id)


def builds_of(
    db: Database, dialogue: int, settings: Settings, as_of: int | None, fingerprint: str
) -> tuple[Build, ...]:
    """Return the builds of the memory with a fingerprint, as a run keeps it.

    Where it is no longer there, or was not whole when it was read, they are those of today.
    """
    today = built(db, dialogue, settings)
    kinds = {b.kind for b in today}
    usable, about = _usable(db, dialogue, settings), digest(db, dialogue)
    known = [[b for b in usable if b.kind is kind] for kind in Kind if kind in kinds]
    for found in product(*known):
        whole = codec.digest(about, *(b.fingerprint for b in found))
        if fingerprint in (whole, codec.digest(whole, as_of)):
            return found
    return today


def built(db: Database, dialogue: int, settings: Settings, embedder: str = "") -> tuple[Build, ...]:
    """Return the complete builds that `load_memory` reads, each kind at most once.

    Of several embedders the named one is taken, else the one built last; of several extractors
    the one asked for last. Token vectors made in an older way are passed over: a question read in
    the new way would not meet them.
    """
    usable = [
        b for b in _usable(db, dialogue, settings) if not embedder or b.embedder in ("", embedder)
    ]
    last = {b.kind: b for b in usable}
    graph = last.get(Kind.ARIADNEMEM)
    if graph is not None:  # the turns' vectors must be of the embedder of the entries'
        same = [b for b in usable if b.kind is Kind.VECTORS and b.embedder == graph.embedder]
        last.update({b.kind: b for b in same})
    return tuple(last[kind] for kind in Kind if kind in last)


def _usable(db: Database, dialogue: int, settings: Settings) -> list[Build]:
    """The complete builds under settings, the one asked for last at the end."""
    acting = codec.digest(build_settings(settings))
    return [
        b
        for b in get(db, Build, "builds WHERE conversation = ? ORDER BY used, id", (dialogue,))
        if b.complete
        and (b.kind is not Kind.ARIADNEMEM or b.digest == acting)
        and (b.kind is not Kind.TOKENS or b.parts == WAY)
    ]


def load_memory(
    db: Database,
    dialogue: int,
    settings: Settings,
    as_of: int | None = None,
    embedder: str = "",
) -> Memory:
    """Return all that a question reads; what is not completely built is empty.

    Args:
        db: the open workspace.
        dialogue: its number.
        settings: they choose among the builds of AriadneMem.
        as_of: the last session to know of; None for all.
        embedder: the name under which vectors must be stored; empty for the last built.

    Raises:
        StoreError: if there is no such dialogue.
    """
    return read_builds(db, dialogue, built(db, dialogue, settings, embedder), as_of)


def read_builds(
    db: Database, dialogue: int, builds: Sequence[Build], as_of: int | None = None
) -> Memory:
    """Return the memory that builds make together.

    Raises:
        StoreError: if there is no such dialogue.
    """
    conversation = load(db, dialogue)
    found = {build.kind: build for build in builds}
    vectors, graph = found.get(Kind.VECTORS), found.get(Kind.ARIADNEMEM)
    tokens = found.get(Kind.TOKENS)
    grown = evolution(db, graph) if graph else Grown(EvolutionGraph(), matrix([]))
    memory = Memory(
        conversation,
        marked(db, dialogue) if Kind.ANNOTATIONS in found else (),
        hypergraphs.get(db, dialogue) if Kind.EDGEMEM in found else Hypergraph(),
        grown.graph,
        grown.vectors,
        turn_vectors(db, dialogue, vectors.embedder) if vectors else matrix([]),
        vectors.embedder if vectors else "",
        codec.digest(digest(db, dialogue), *(b.fingerprint for b in found.values())),
        token_vectors.get(db, dialogue, tokens.embedder) if tokens else NO_TOKENS,
    )
    return memory if as_of is None else as_known(memory, as_of)


def as_known(memory: Memory, session: int) -> Memory:
    """Return the memory as it was after a session: what came later is not there.

    Rows are in the order of the sessions, so each part is the beginning of the whole one; ids stay.
    """
    sessions = tuple(s for s in memory.conversation.sessions if s.index <= session)
    if len(sessions) == len(memory.conversation.sessions):
        return memory
    turns = sum(len(s.turns) for s in sessions)
    graph = until(memory.evolution, session)
    return replace(
        memory,
        conversation=replace(memory.conversation, sessions=sessions),
        annotations=tuple(a for a in memory.annotations if a.turn.session <= session),
        hypergraph=_hypergraph_as_known(memory.hypergraph, session),
        evolution=graph,
        vectors=memory.vectors[: len(graph.entries)],
        turn_vectors=memory.turn_vectors[:turns],
        token_vectors=memory.token_vectors.of_first(turns),
        fingerprint=codec.digest(memory.fingerprint, session),
    )


def _hypergraph_as_known(whole: Hypergraph, session: int) -> Hypergraph:
    cut = (
        replace(h, memberships=tuple(m for m in h.memberships if m.turn.session <= session))
        for h in whole.hyperedges
    )
    return Hypergraph(tuple(h for h in cut if h.memberships))


def _marks(
    db: Database, kind: type[_T], table: str, place: tuple[int, int, int]
) -> dict[TurnId, list[_T]]:
    between = "conversation = ? AND session > ? AND session <= ?"
    where = f"{table} WHERE {between} ORDER BY session, turn, n"
    keys = select(db, f"SELECT session, turn FROM {where}", place)
    found: defaultdict[TurnId, list[_T]] = defaultdict(list)
    for (session, turn), value in zip(keys, get(db, kind, where, place), strict=True):
        found[TurnId(cast("int", session), cast("int", turn))].append(value)
    return found
