"""The vectors of tokens in and out of the store: one row a turn, int8.

A unit row is stored as its largest component made 127 and the others in proportion, rounded;
only the direction is kept, and the reader makes it a unit row again. No component of the unit row
moves by more than 1/254 of the largest one, and no cosine of two rows of 384 by more than 0.005
(measured; the bound is in the tests). float16 was turned down: twice the bytes (16 MB for 600
turns of 34 tokens), and the same ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from sqlite_utils import Database

from memcore.store.rows import insert, select
from memcore.types import NO_TOKENS, SmallVectors, TokenVectors, Turn, Vectors


def small(rows: Vectors) -> SmallVectors:
    """Return rows as int8, the largest component of each made 127.

    >>> small(np.array([[0.6, -0.8]], dtype=np.float32)).tolist()
    [[95, -127]]
    """
    top = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    scaled: SmallVectors = np.rint(rows * (127 / np.maximum(top, 1e-12))).astype(np.int8)
    return scaled


def put(
    db: Database, dialogue: int, embedder: str, turns: Sequence[Turn], found: Sequence[Vectors]
) -> None:
    """Store the token vectors of turns, one matrix a turn, in place of any made in another way."""
    sql = "DELETE FROM token_vectors WHERE conversation = ? AND embedder = ? AND session = ?"
    for session in sorted({turn.id.session for turn in turns}):
        db.execute(sql, (dialogue, embedder, session))
    rows = (
        (dialogue, t.id.session, t.id.turn, embedder, len(v), small(v).tobytes())
        for t, v in zip(turns, found, strict=True)
    )
    insert(db, "token_vectors", "conversation session turn embedder tokens vectors", rows)


def get(db: Database, dialogue: int, embedder: str) -> TokenVectors:
    """Return the token vectors of a dialogue by this embedder, in the order of the turns."""
    found = select(
        db,
        "SELECT tokens, vectors FROM token_vectors WHERE conversation = ? AND embedder = ?"
        " ORDER BY session, turn",
        (dialogue, embedder),
    )
    ends = np.cumsum([cast("int", n) for n, _ in found], dtype=np.int64)
    if not len(ends) or not ends[-1]:
        return NO_TOKENS
    joined = b"".join(cast("bytes", blob) for _, blob in found)
    rows = np.frombuffer(joined, dtype=np.int8).reshape(int(ends[-1]), -1)
    return TokenVectors(rows, ends, embedder)
