"""What was built of a conversation, taken back from one session on.

Rows carry the session that made them and lie in its order, so a memory shrinks at its end to what
it was before that session, and grows again from there. What stays is not even read.
"""

from __future__ import annotations

from typing import cast

from sqlite_utils import Database

from memcore.store import extractions, hypergraphs
from memcore.store.rows import select

_BY_TURN = ("annotations", "mentions", "times")
_VECTORS = ("turn_vectors", "token_vectors")
_BY_BUILD = ("entries", "decisions", "edges", "drops", "entry_vectors")
"""The tables of an evolution graph; each row carries the session that made it."""


def forget_since(db: Database, conversation: int, session: int) -> None:
    """Delete what later sessions made and mark the builds as unfinished; inside a transaction."""
    for table in _BY_TURN:
        db.execute(
            f"DELETE FROM {table} WHERE conversation = ? AND session >= ?", (conversation, session)
        )
    builds = select(
        db, "SELECT id, embedder FROM builds WHERE conversation = ? ORDER BY id", (conversation,)
    )
    for embedder in sorted({str(embedder) for _, embedder in builds}):
        for table in _VECTORS:
            db.execute(
                f"DELETE FROM {table} WHERE conversation = ? AND embedder = ? AND session >= ?",
                (conversation, embedder, session),
            )
    for number, _ in builds:
        take_back(db, cast("int", number), session)
    hypergraphs.forget_since(db, conversation, session)
    extractions.forget_unsure(db, conversation, session)
    db.execute(
        """UPDATE builds SET state = 'building', fingerprint = '', sessions = min(sessions, ? - 1)
            WHERE conversation = ?""",
        (session, conversation),
    )


def take_back(db: Database, build: int, session: int) -> None:
    """Delete what a session and those after it added to an evolution graph; its rows lie last."""
    for table in _BY_BUILD:
        db.execute(
            f"""DELETE FROM {table} WHERE build = ?1 AND n > coalesce((SELECT n FROM {table}
                WHERE build = ?1 AND session < ?2 ORDER BY n DESC LIMIT 1), 0)""",
            (build, session),
        )
