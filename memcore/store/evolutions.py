"""The evolution graph in and out of the store: a session appends its rows and changes none.

A build that goes on reads what the next session must know, `standing`: vectors, times and ids. An
entry is read when it is asked for; reading all of them would cost a long memory more than the
session that is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import cast

import numpy as np
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.evolution.build import Standing, held
from memcore.store.codec import Cell
from memcore.store.rows import get, insert, put, select
from memcore.types import (
    Action,
    Decision,
    Drop,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    Reason,
    TurnId,
    Vectors,
)


def add(db: Database, place: tuple[int, int], added: EvolutionGraph, vectors: Vectors) -> None:
    """Append what a session added to a build; `place` is the build and the session.

    Raises:
        StoreError: if an entry has a number that was given before.
    """
    build, session = place
    written = sorted((*added.entries, *added.merged), key=lambda e: e.id)
    if written and written[0].id.n <= _top(db, "entries", build):
        msg = f"{written[0].id} is there already; the evolution graph may only grow"
        raise StoreError(msg)
    merged = frozenset(e.id for e in added.merged)
    rows = (((build, e.id.n, session, int(e.id in merged)), e) for e in written)
    put(db, "entries", "build n session merged", rows)
    _append(db, "decisions", place, added.decisions)
    _append(db, "edges", place, added.edges)
    _append(db, "drops", place, added.dropped)
    insert(
        db,
        "entry_vectors",
        "build n session vector",
        ((build, e.id.n, session, blob(v)) for e, v in zip(added.entries, vectors, strict=True)),
    )


def graph(db: Database, build: int) -> EvolutionGraph:
    """Return all that a build holds so far."""
    where = "WHERE build = ? ORDER BY n"
    entries = "entries WHERE build = ? AND merged = {} ORDER BY n"
    return EvolutionGraph(
        get(db, Entry, entries.format(0), (build,)),
        get(db, Entry, entries.format(1), (build,)),
        get(db, Decision, f"decisions {where}", (build,)),
        get(db, EvolutionEdge, f"edges {where}", (build,)),
        get(db, Drop, f"drops {where}", (build,)),
    )


def vectors(db: Database, build: int) -> Vectors:
    """Return the vectors of the entries of a build, one row an entry."""
    sql = "SELECT vector FROM entry_vectors WHERE build = ? ORDER BY n"
    return matrix(select(db, sql, (build,)))


def standing(db: Database, build: int) -> Standing:
    """Return what the next session must know of a build."""
    rows = cast(
        "list[tuple[int, str | None]]",
        select(
            db,
            "SELECT n, said_at FROM entries WHERE build = ? AND merged = 0 ORDER BY n",
            (build,),
        ),
    )
    edges = select(
        db,
        "SELECT older, newer FROM edges WHERE build = ? AND supersedes = 1 ORDER BY n",
        (build,),
    )
    said = {n: _moment(at) for n, at in rows}
    for target, again in _said_again(db, build):
        said[target] = max((t for t in (said[target], again) if t is not None), default=None)
    return Standing(
        tuple(EntryId(n) for n, _ in rows),
        tuple(said.values()),
        _holders(db, build),
        tuple((EntryId.parse(str(older)), EntryId.parse(str(newer))) for older, newer in edges),
        _top(db, "entries", build),
        vectors(db, build),
        _reader(db, build),
    )


def unread(db: Database, build: int) -> tuple[TurnId, ...]:
    """Return the turns that the extractor could not read, as spoken."""
    rows = select(
        db,
        "SELECT item FROM drops WHERE build = ? AND reason = ? ORDER BY n",
        (build, Reason.EXTRACTION_FAILED),
    )
    return tuple(TurnId.parse(str(row[0])) for row in rows)


def blob(vector: Vectors) -> bytes:
    """Return a vector as the store holds it."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def matrix(rows: Sequence[tuple[Cell, ...]]) -> Vectors:
    """Return stored vectors, one a row, as one matrix."""
    if not rows:
        return np.zeros((0, 0), dtype=np.float32)
    joined = b"".join(cast("bytes", row[0]) for row in rows)
    return np.frombuffer(joined, dtype="<f4").reshape(len(rows), -1).astype(np.float32)


def _append(db: Database, table: str, place: tuple[int, int], added: Sequence[object]) -> None:
    build, session = place
    numbered = enumerate(added, _top(db, table, build) + 1)
    put(db, table, "build n session", (((build, n, session), value) for n, value in numbered))


def _top(db: Database, table: str, build: int) -> int:
    rows = select(db, f"SELECT max(n) FROM {table} WHERE build = ?", (build,))
    return cast("int", rows[0][0] or 0)


def _said_again(db: Database, build: int) -> list[tuple[int, datetime | None]]:
    """Return into which entry each merged one went, and when it was said; a decision an entry."""
    rows = select(
        db,
        "SELECT d.target, e.said_at FROM decisions d JOIN entries e"
        " ON e.build = d.build AND e.n = d.n WHERE d.build = ? AND d.action = ? ORDER BY d.n",
        (build, Action.MERGE),
    )
    return [(EntryId.parse(str(target)).n, _moment(at)) for target, at in rows]


def _holders(db: Database, build: int) -> tuple[tuple[tuple[str, ...], EntryId], ...]:
    """Return who may be replaced; what was only said, shown or valued never is."""
    where = "merged = 0 AND attribute NOT IN ('say', 'share photo', 'suggest', 'be') ORDER BY n"
    entries = get(db, Entry, f"entries WHERE build = ? AND {where}", (build,))
    return tuple((key, e.id) for e in entries for key in held(e))


def _reader(db: Database, build: int) -> Callable[[EntryId], Entry]:
    def read(wanted: EntryId) -> Entry:
        return get(db, Entry, "entries WHERE build = ? AND n = ? ORDER BY n", (build, wanted.n))[0]

    return read


def _moment(text: object) -> datetime | None:
    return None if text is None else datetime.fromisoformat(str(text))
