"""Which stored conversation a read one is: by its own id, else by its turns (transcripts.md 1.11.1).

All stored ones are looked over once for an import. Laying each read conversation over every stored
one was turned down: a data set of ten thousand short talks would be compared a hundred million times.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from sqlite_utils import Database

from memcore.store.again import SAME_SHARE, is_copy
from memcore.store.rows import select
from memcore.types import Conversation, Turn

_Print = bytes

CROWD = 100
"""A turn that so many conversations hold, such as a greeting, tells nothing if another one does."""
TRIED = 8
"""So many of the likeliest conversations are compared turn by turn."""


@dataclass(slots=True)
class Known:
    """The stored conversations as an import meets them.

    `named` leads from format and id to the number, `holders` from the print of a turn to the
    conversations without an id that hold it, `sizes` to how many turns those have.
    """

    named: dict[tuple[str, str], int]
    holders: dict[_Print, list[int]] = field(default_factory=dict)
    sizes: Counter[int] = field(default_factory=Counter)
    added: set[int] = field(default_factory=set)

    def candidates(self, read: Conversation) -> tuple[int, ...]:
        """Return the likeliest conversations without an id: those that share most turns first.

        Those that share too few turns to be the same, whatever their order, are left out.
        """
        times = Counter(_prints(read.turns))
        met = sorted((m for m in times if m in self.holders), key=lambda m: len(self.holders[m]))
        rare = [m for m in met if len(self.holders[m]) <= CROWD] or met[:1]
        counts: Counter[int] = Counter()
        for mark in rare:
            for number in self.holders[mark]:
                counts[number] += times[mark]
        size = len(read.turns)
        unseen = sum(times[m] for m in met) - sum(times[m] for m in rare)
        found = [
            n for n, c in counts.items() if c + unseen >= SAME_SHARE * min(size, self.sizes[n])
        ]
        found.sort(key=lambda n: (-counts[n], abs(self.sizes[n] - size), n))
        return tuple(found[:TRIED])

    def is_same(self, number: int, turns: Sequence[Turn], read: Conversation) -> bool:
        """Tell whether the read conversation is the one of that number, which has these turns.

        Two of one import are the same only if all their turns are: people begin alike.
        """
        if number in self.added and len(turns) != len(read.turns):
            return False
        return is_copy(turns, read.turns)

    def add(self, number: int, conversation: Conversation) -> None:
        """Take note of a conversation that was stored just now."""
        self.added.add(number)
        if conversation.key:
            self.named[conversation.format, conversation.key] = number
        for mark in () if conversation.key else _prints(conversation.turns):
            self.hold(number, mark)

    def hold(self, number: int, mark: _Print) -> None:
        """Take note of a turn of a conversation without an id."""
        self.sizes[number] += 1
        found = self.holders.setdefault(mark, [])
        if not found or found[-1] != number:
            found.append(number)


def stored(db: Database) -> Known:
    """Return what the workspace holds."""
    rows = select(db, "SELECT format, key, id FROM conversations WHERE key <> '' ORDER BY id DESC")
    named = {(str(kind), str(key)): cast("int", n) for kind, key, n in rows}
    found = Known(named)
    sql = """SELECT conversation, speaker, text, caption FROM turns
        JOIN conversations c ON c.id = conversation AND c.key = ''
        ORDER BY conversation, session, turn"""
    for number, speaker, text, caption in db.execute(sql):
        found.hold(number, _print(speaker, text, caption))
    return found


def _prints(turns: Iterable[Turn]) -> tuple[_Print, ...]:
    return tuple(_print(t.speaker, t.text, t.caption) for t in turns)


def _print(speaker: str, text: str, caption: str) -> _Print:
    words = f"{speaker}\x1f{text}\x1f{caption}"
    return hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).digest()
