"""What was built of a conversation, taken back from one session on.

Rows carry the session that made them, so a memory shrinks to what it was before that session and
grows again from there; the hypergraph, which is cheap, is made anew.
"""

from __future__ import annotations

from sqlite_utils import Database

_BY_TURN = ("annotations", "mentions", "times", "turn_vectors", "token_vectors", "extractions")
BY_BUILD = ("entries", "decisions", "edges", "drops", "entry_vectors")
"""The tables of an evolution graph; each row carries the session that made it."""


def forget_since(db: Database, conversation: int, session: int) -> None:
    """Delete what later sessions made and mark the builds as unfinished; inside a transaction."""
    for table in _BY_TURN:
        db.execute(
            f"DELETE FROM {table} WHERE conversation = ? AND session >= ?", (conversation, session)
        )
    builds = "SELECT id FROM builds WHERE conversation = ?"
    for table in BY_BUILD:
        db.execute(
            f"DELETE FROM {table} WHERE build IN ({builds}) AND session >= ?",
            (conversation, session),
        )
    for table in ("memberships", "anchors"):
        db.execute(f"DELETE FROM {table} WHERE conversation = ?", (conversation,))
    db.execute(
        """UPDATE builds SET state = 'building', fingerprint = '',
            sessions = CASE kind WHEN 'edgemem' THEN 0 ELSE min(sessions, ? - 1) END
            WHERE conversation = ?""",
        (session, conversation),
    )
