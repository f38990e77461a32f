"""Settings under a name: saved from a what-if, offered in Ask, never changed again.

A saved one belongs to the retriever that it was tried with, since the same numbers mean other
things to another. Overwriting was turned down: a run or a link that names a setting must go on
meaning what it meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.settings import Settings
from memcore.store import codec
from memcore.store.rows import get, select
from memcore.store.schema import transaction

MOST_CHARACTERS: Final = 60
"""The longest name."""


@dataclass(frozen=True, slots=True)
class Named:
    """One saved setting; `run` is the run that it was tried on, None once that is deleted."""

    id: int
    name: str
    retriever: str
    settings: Settings
    run: int | None


def save(db: Database, name: str, retriever: str, settings: Settings, run: int | None) -> int:
    """Store settings under a name that no other has, and return their number.

    Raises:
        StoreError: if the name is empty, too long or taken.
    """
    chosen = " ".join(name.split())
    if not 0 < len(chosen) <= MOST_CHARACTERS:
        msg = f"a setting's name has 1 to {MOST_CHARACTERS} characters"
        raise StoreError(msg)
    with transaction(db):
        if select(db, "SELECT id FROM named_settings WHERE name = ? ORDER BY id", (chosen,)):
            msg = f"there is a setting of the name {chosen}; choose another name"
            raise StoreError(msg)
        cursor = db.execute(
            "INSERT INTO named_settings (name, retriever, settings, run) VALUES (?, ?, ?, ?)",
            (chosen, retriever, codec.dump(settings), run),
        )
        return cast("int", cursor.lastrowid)


def listing(db: Database) -> tuple[Named, ...]:
    """Return all saved settings in the order in which they were saved."""
    return get(db, Named, "named_settings ORDER BY id")


def delete(db: Database, number: int) -> None:
    """Delete a saved setting; runs made with it keep their own copy.

    Raises:
        StoreError: if there is no such setting.
    """
    with transaction(db):
        if not db.execute("DELETE FROM named_settings WHERE id = ?", (number,)).rowcount:
            msg = f"there is no saved setting {number}"
            raise StoreError(msg)
