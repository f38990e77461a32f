"""Values to JSON and to table cells, and back by their declared types.

One codec reads the dataclasses of `types.py`, so a new field needs a column but no code here.
pydantic and cattrs were turned down: both coerce, and a stored value must come back equal.
Ids are written as they print (`D3:7`, `E12`, `A4`), times as ISO text, enums by their value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import NoneType, UnionType
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

from memcore.types import AnchorId, EntryId, TurnId

T = TypeVar("T")
Json = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Cell = int | float | str | bytes | None
_Read = Callable[[object], object]

_IDS = (TurnId, EntryId, AnchorId)


def to_json(value: object) -> Json:
    """Return a value as JSON builds it: dataclasses as objects with all their fields."""
    if isinstance(value, Enum):
        return cast("Json", value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime | TurnId | EntryId | AnchorId):
        return value.isoformat() if isinstance(value, datetime) else str(value)
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if is_dataclass(value):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    msg = f"a {type(value).__name__} cannot be stored"
    raise TypeError(msg)


def dump(value: object) -> str:
    """Return the value as JSON text, on one line, keys in field order."""
    return json.dumps(to_json(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def load(kind: type[T], text: str) -> T:
    """Return the value of this type that `dump` wrote."""
    return from_json(kind, json.loads(text))


def from_json(kind: type[T], plain: object) -> T:
    """Return the value of this type that `to_json` made; a field that is not there is default."""
    return cast("T", _reader(cast("Hashable", kind))(plain))


def digest(*values: object) -> str:
    """Return 32 hexadecimal digits that stand for the content of the values."""
    found = blake2b(digest_size=16)
    for value in values:
        found.update(dump(value).encode() + b"\n")
    return found.hexdigest()


def columns(kind: type) -> tuple[str, ...]:
    """Return the names of the columns of a dataclass: its fields."""
    return tuple(f.name for f in fields(kind))


def cells(value: object) -> tuple[Cell, ...]:
    """Return one table cell a field; tuples and nested values as JSON text."""
    return tuple(_cell(getattr(value, name)) for name in columns(type(value)))


def row_reader(kind: type[T]) -> Callable[[tuple[Cell, ...]], T]:
    """Return the function from the cells of a row, in field order, to the value."""
    return cast("Callable[[tuple[Cell, ...]], T]", _row_reader(cast("Hashable", kind)))


@cache
def _row_reader(kind: Hashable) -> Callable[[tuple[Cell, ...]], object]:
    made = cast("type", kind)
    hints = get_type_hints(made)
    names = columns(made)
    readers = tuple(_cell_reader(hints[name]) for name in names)

    def read(row: tuple[Cell, ...]) -> object:
        return made(**{n: r(c) for n, r, c in zip(names, readers, row, strict=True)})

    return read


def _cell(value: object) -> Cell:
    plain = to_json(value)
    if isinstance(plain, list | dict):
        return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return int(plain) if isinstance(plain, bool) else plain


def _cell_reader(hint: object) -> _Read:
    read = _reader(hint)
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if any(get_origin(k) is tuple or (is_dataclass(k) and k not in _IDS) for k in kinds):
        return lambda cell: None if cell is None else read(json.loads(cast("str", cell)))
    return read


@cache
def _reader(hint: Hashable) -> _Read:
    if get_origin(hint) in (Union, UnionType):
        return _union(get_args(hint))
    if get_origin(hint) is tuple:
        return _tuple(get_args(hint))
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass(hint)
    return _scalar(hint)


def _scalar(hint: object) -> _Read:
    if hint is datetime:
        return lambda plain: datetime.fromisoformat(cast("str", plain))
    if hint is NoneType:
        return lambda plain: plain
    return cast("_Read", hint)  # str, int, float, bool and the enums call themselves


def _tuple(kinds: tuple[object, ...]) -> _Read:
    if kinds[-1] is Ellipsis:
        read = _reader(kinds[0])
        return lambda plain: tuple(read(item) for item in cast("list[object]", plain))
    readers = tuple(_reader(kind) for kind in kinds)
    return lambda plain: tuple(
        r(item) for r, item in zip(readers, cast("list[object]", plain), strict=True)
    )


def _dataclass(kind: type) -> _Read:
    if kind in (TurnId, EntryId):
        return cast("_Read", kind.parse)
    if kind is AnchorId:
        return lambda plain: AnchorId(int(str(plain)[1:]))
    hints = get_type_hints(kind)
    readers = {name: _reader(hints[name]) for name in columns(kind)}

    def read(plain: object) -> object:
        found = cast("dict[str, object]", plain)
        return kind(**{n: r(found[n]) for n, r in readers.items() if n in found})

    return read


def _union(kinds: tuple[object, ...]) -> _Read:
    """Return a reader that tells the kinds apart by shape: null, an object, an id by its letter."""
    readers = {_shape(kind): _reader(kind) for kind in kinds}

    def read(plain: object) -> object:
        if plain is None:
            return None
        if isinstance(plain, dict):
            return readers["object"](plain)
        return (readers.get(str(plain)[:1]) or readers["value"])(plain)

    return read


def _shape(kind: object) -> str:
    letters: dict[object, str] = {TurnId: "D", EntryId: "E", AnchorId: "A", NoneType: "null"}
    return letters.get(kind) or ("object" if is_dataclass(kind) else "value")
