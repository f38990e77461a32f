"""Typed values in and out of tables: a column a field, keys before them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from sqlite_utils import Database

from memcore.store.codec import Cell, cells, columns, row_reader

T = TypeVar("T")


def insert(db: Database, table: str, names: str, rows: Iterable[tuple[Cell, ...]]) -> None:
    """Add rows of cells under the column names given, parted by blanks, in one statement."""
    listed = names.split()
    marks = ", ".join("?" * len(listed))
    sql = f"INSERT INTO {table} ({_quoted(listed)}) VALUES ({marks})"
    db.conn.executemany(sql, rows)


def put(
    db: Database, table: str, keys: str, rows: Iterable[tuple[tuple[Cell, ...], object]]
) -> None:
    """Add values, each with the cells of its keys; all values are of one type."""
    found = list(rows)
    if found:
        names = " ".join((keys, *columns(type(found[0][1]))))
        insert(db, table, names, ((*key, *cells(value)) for key, value in found))


def get(
    db: Database, kind: type[T], source: str, arguments: tuple[Cell, ...] = ()
) -> tuple[T, ...]:
    """Return the values of `source`: the rest of a select after its FROM, with an ORDER BY."""
    read = row_reader(kind)
    sql = f"SELECT {_quoted(columns(kind))} FROM {source}"
    return tuple(read(row) for row in db.execute(sql, arguments))


def select(db: Database, sql: str, arguments: tuple[Cell, ...] = ()) -> list[tuple[Cell, ...]]:
    """Return all rows of a select as tuples of cells."""
    return cast("list[tuple[Cell, ...]]", db.execute(sql, arguments).fetchall())


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
