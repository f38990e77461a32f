"""The hypergraph in and out of the store; it grows and shrinks at its end, session by session.

What later sessions bring is joined by key: an anchor that is there gets members, a new one the
next number. Since anchors are numbered as they appear, that gives the rows of a build at once.
Memberships lie in order of the turns, so that a session writes one stretch of the table, whatever
the size of the rest. Keeping them by anchor was turned down: a session would touch a page for
each of its keys, and taking it back would read them all.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Final, cast

from sqlite_utils import Database

from memcore.store import codec
from memcore.store.rows import insert, select
from memcore.types import (
    Anchor,
    AnchorId,
    AnchorKind,
    DateRole,
    Hyperedge,
    Hypergraph,
    Membership,
    TurnId,
)

_KINDS: Final = {kind.value: kind for kind in AnchorKind}
_ROLES: Final = {role.value: role for role in DateRole}
_NO_SPANS: Final = codec.dump(())


def add(db: Database, dialogue: int, later: Hypergraph) -> None:
    """Join the hypergraph of later sessions, numbered for itself, to the stored one."""
    top = select(db, "SELECT max(id) FROM anchors WHERE conversation = ?", (dialogue,))[0][0]
    number = cast("int", top or 0)
    numbers: list[int] = []
    fresh: list[Hyperedge] = []
    for edge in later.hyperedges:
        known = _number(db, dialogue, edge.anchor)
        if known is None:
            fresh.append(edge)
        numbers.append(known or number + len(fresh))
    insert(
        db,
        "anchors",
        "conversation id session kind key label",
        (
            (dialogue, n, h.memberships[0].turn.session, h.anchor.kind, h.anchor.key, h.label)
            for n, h in enumerate(fresh, number + 1)
        ),
    )
    members = sorted(
        (m.turn, number, m.role, m)
        for number, edge in zip(numbers, later.hyperedges, strict=True)
        for m in edge.memberships
    )
    insert(
        db,
        "memberships",
        "conversation session turn anchor role count spans",
        (
            (dialogue, turn.session, turn.turn, number, role, m.count, codec.dump(m.spans))
            for turn, number, role, m in members
        ),
    )


def get(db: Database, dialogue: int) -> Hypergraph:
    """Return the stored hypergraph; empty if none was built."""
    members: defaultdict[int, list[Membership]] = defaultdict(list)
    rows = cast(
        "list[tuple[int, int, int, str, int, str]]",
        select(
            db,
            "SELECT session, turn, anchor, role, count, spans FROM memberships"
            " WHERE conversation = ? ORDER BY session, turn, anchor, role",
            (dialogue,),
        ),
    )
    turn = TurnId(0, 0)
    read: dict[str, tuple[tuple[int, int], ...]] = {}  # few differ, and JSON takes its time
    for session, place, anchor, role, count, spans in rows:
        if spans not in read:
            read[spans] = _spans(spans)
        if place != turn.turn or session != turn.session:
            turn = TurnId(session, place)
        members[anchor].append(Membership(turn, count, _ROLES[role], read[spans]))
    found = cast(
        "list[tuple[int, str, str, str]]",
        select(
            db,
            "SELECT id, kind, key, label FROM anchors WHERE conversation = ? ORDER BY id",
            (dialogue,),
        ),
    )
    return Hypergraph(
        tuple(
            Hyperedge(AnchorId(n), Anchor(_KINDS[kind], key), tuple(members[n]), label)
            for n, kind, key, label in found
        )
    )


def forget_since(db: Database, dialogue: int, session: int) -> None:
    """Take back what a session and those after it brought; inside a transaction."""
    db.execute(
        "DELETE FROM memberships WHERE conversation = ? AND session >= ?", (dialogue, session)
    )
    db.execute(
        """DELETE FROM anchors WHERE conversation = ?1 AND id > coalesce((SELECT id FROM anchors
            WHERE conversation = ?1 AND session < ?2 ORDER BY id DESC LIMIT 1), 0)""",
        (dialogue, session),
    )


def _number(db: Database, dialogue: int, anchor: Anchor) -> int | None:
    sql = "SELECT id FROM anchors WHERE conversation = ? AND kind = ? AND key = ? ORDER BY id"
    found = db.conn.execute(sql, (dialogue, anchor.kind, anchor.key)).fetchone()
    return found[0] if found else None


def _spans(text: str) -> tuple[tuple[int, int], ...]:
    if text == _NO_SPANS:
        return ()
    return tuple((start, end) for start, end in json.loads(text))
