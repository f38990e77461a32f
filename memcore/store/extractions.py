"""What a served model made of the windows of a dialogue: asked once, kept for every preset.

A row is one window under the name of its extractor, written when its reply was taken. It belongs
to the dialogue and not to a build, since the windows are the same under all presets: a second
preset asks nobody, and a later build asks only for what failed. It stays when the dialogue changes:
the row knows what was asked, and the window is asked for again only where that is no longer so.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlite_utils import Database

from memcore.evolution.ahead import Place
from memcore.store import codec
from memcore.store.rows import select
from memcore.store.schema import transaction
from memcore.types import Extraction, Usage


def keep(db: Database, dialogue: int, extractor: str, found: Extraction) -> None:
    """Store what came of a window, in place of what came of it before."""
    row = (dialogue, extractor, found.first.session, found.first.turn, found.last.turn)
    with transaction(db):
        db.execute(
            """INSERT OR REPLACE INTO extractions
                (conversation, extractor, session, first, last, extraction, seconds)
                VALUES (?, ?, ?, ?, ?, ?, ?)""",
            (*row, codec.dump(found), found.seconds),
        )


def of(db: Database, dialogue: int, extractor: str) -> tuple[Extraction, ...]:
    """Return what an extractor made of a dialogue, in the order of the talk."""
    rows = select(
        db,
        "SELECT extraction FROM extractions WHERE conversation = ? AND extractor = ?"
        " ORDER BY session, first, last",
        (dialogue, extractor),
    )
    return tuple(codec.load(Extraction, str(row[0])) for row in rows)


def extractors(db: Database, dialogue: int) -> tuple[str, ...]:
    """Return the names of the extractors that read windows of a dialogue, sorted."""
    rows = select(
        db,
        "SELECT DISTINCT extractor FROM extractions WHERE conversation = ? ORDER BY extractor",
        (dialogue,),
    )
    return tuple(str(row[0]) for row in rows)


def forget_unsure(db: Database, dialogue: int, session: int) -> None:
    """Delete, from a session on, windows that failed or do not know what was asked; in a transaction.

    One that failed may have no place any more when the session is cut anew, and would be told as
    failed for ever. What was read stays, and is checked against what would be asked now.
    """
    db.execute(
        """DELETE FROM extractions WHERE conversation = ? AND session >= ?
            AND (json_array_length(extraction, '$.failed') > 0
                OR coalesce(json_extract(extraction, '$.request'), '') = '')""",
        (dialogue, session),
    )


def by_place(found: Sequence[Extraction]) -> dict[Place, Extraction]:
    """Return the extractions by the first and last turn of their windows."""
    return {(e.first, e.last): e for e in found}


def usage(found: Sequence[Extraction]) -> Usage:
    """Return what all windows cost together."""
    return sum((e.usage for e in found), Usage())
