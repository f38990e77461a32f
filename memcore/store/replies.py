"""Replies of a served model to questions, kept so that an equal request asks nobody.

A reply is known by the key of its request: prompt, model, server and settings. It belongs to a
dialogue and goes with it. Only the key and the reply are stored, not the prompt, which the runs
hold. Extraction has its own rows: a reply of no use must not come back there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memcore.chat import Completion
from memcore.store.rows import get
from memcore.store.schema import open_workspace, transaction


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """The kept replies of one dialogue; the file is opened for each act; `fresh` finds none."""

    path: Path
    dialogue: int
    fresh: bool = False

    def find(self, key: str, /) -> Completion | None:
        """Return the kept reply, None if there is none."""
        if self.fresh:
            return None
        where = "replies WHERE conversation = ? AND key = ? ORDER BY key"
        with open_workspace(self.path, read_only=True) as db:
            found = get(db, Completion, where, (self.dialogue, key))
        return found[0] if found else None

    def keep(self, key: str, completion: Completion, /) -> None:
        """Keep a reply, in place of one of the same key."""
        row = (completion.text, completion.prompt_tokens, completion.answer_tokens, completion.cut)
        with open_workspace(self.path) as db, transaction(db, counted=False):
            db.execute(
                """INSERT OR REPLACE INTO replies
                    (conversation, key, text, prompt_tokens, answer_tokens, cut)
                    VALUES (?, ?, ?, ?, ?, ?)""",
                (self.dialogue, key, *row),
            )
