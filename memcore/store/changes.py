"""What an import would find stored already, without writing: the report asks before it stores.

`conversations.preview` gives the same counts by saving and rolling back; that is too dear for a
page that is drawn again with each switch, and it does not list the turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from memcore.store.again import Changed, differing, lay
from memcore.store.conversations import load, match
from memcore.store.known import stored as stored_ones
from memcore.types import Again, Conversation, Turn


@dataclass(frozen=True, slots=True)
class ChangedTurn:
    """A stored turn and the turn of the file that has its place and other words."""

    dialogue: int
    stored: Turn
    read: Turn


@dataclass(frozen=True, slots=True)
class Compared:
    """Counts of what is known, the changed turns, and the dialogues that are known."""

    again: Again
    changed: tuple[ChangedTurn, ...]
    dialogues: tuple[int, ...]

    @property
    def same(self) -> bool:
        """Whether the file holds nothing that is not stored."""
        found = self.again
        return bool(self.dialogues) and not (found.new or found.appended or found.changed)


def compared(db: Database, read: Sequence[Conversation]) -> Compared:
    """Return what of these conversations is stored, and what differs."""
    counts: list[Again] = []
    changed: list[ChangedTurn] = []
    dialogues: list[int] = []
    found = stored_ones(db)
    for conversation in read:
        number = match(db, conversation, found)
        if number is None:
            counts.append(Again(new=1))
            continue
        stored = load(db, number)
        counts.append(lay(stored, conversation, Changed.KEEP).again)
        pairs = differing(stored, conversation)
        changed.extend(ChangedTurn(number, old, new) for old, new in pairs)
        dialogues.append(number)
    again = Again(
        new=sum(c.new for c in counts),
        appended=sum(c.appended for c in counts),
        unchanged=sum(c.unchanged for c in counts),
        changed=sum(c.changed for c in counts),
        missing=sum(c.missing for c in counts),
    )
    return Compared(again, tuple(changed), tuple(dialogues))
