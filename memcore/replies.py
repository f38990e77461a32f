"""What a reply of a model says: JSON read leniently, however it was wrapped.

Servers fence, think aloud, forget a comma, wrap an object in another or stop in the middle; each is
mended where only one reading is possible. Turned down: a library that repairs any JSON, since it
also invents values where nothing was said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object of a reply, asked for by name and kind; what is missing is empty.

    `cut` says that the text ended before the object did.
    """

    values: tuple[tuple[str, object], ...] = ()
    cut: bool = False

    def has(self, name: str) -> bool:
        """Whether the object holds the name."""
        return any(key == name for key, _ in self.values)

    def text(self, name: str) -> str:
        """The value as text; a list is joined by commas, `null` and "null" are empty."""
        return ", ".join(self.texts(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """The value as texts; one scalar stands for a list of one."""
        value = self._value(name)
        listed = value if isinstance(value, list) else [value]
        texts = (str(v).strip() for v in listed if isinstance(v, str | int | float))
        return tuple(t for t in texts if t and t.casefold() not in _NOTHING)

    def objects(self, name: str) -> tuple[Fields, ...]:
        """The value as objects; one object stands for a list of one."""
        value = self._value(name)
        listed = value if isinstance(value, list) else [value]
        return tuple(_fields(v) for v in listed if isinstance(v, dict))

    def _value(self, name: str) -> object:
        return next((value for key, value in self.values if key == name), None)


_NOTHING: Final = frozenset({"null", "none", "n/a"})
_THOUGHT: Final = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_THOUGHT_END: Final = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL)
_THOUGHT_OPEN: Final = re.compile(r"<(think|thinking|reasoning)>.*\Z", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return the reply without what the model thought aloud between tags.

    >>> without_thoughts("<think>hm {} </think>{}")
    '{}'
    """
    said = _THOUGHT_END.sub("", _THOUGHT.sub("", text))
    return _THOUGHT_OPEN.sub("", said)


def fields_of(text: str, wanted: str) -> Fields | None:
    r"""Return the last object of a reply that holds the name `wanted`; None if there is none.

    The last one, since a model that thinks aloud may show an example first. A bare list counts as
    an object that holds the list under `wanted`.

    >>> fields_of('Sure: ```json\n{"answer": "Porto", "cited": [1,]}\n```', "answer").text("cited")
    '1'
    """
    found = [f for o in _objects(without_thoughts(text), wanted) if (f := _within(o, wanted))]
    return found[-1] if found else None


def _within(fields: Fields, wanted: str, depth: int = 3) -> Fields | None:
    """Return the object itself or the first one wrapped in it that holds the name, else None.

    Some models answer as if they called a tool: the object is the value of "arguments", or even
    text in it.
    """
    if fields.has(wanted):
        return fields
    for _, value in fields.values if depth else ():
        inner = value
        if isinstance(value, str) and value.lstrip().startswith("{") and wanted in value:
            inner = _loaded((value,))
        if isinstance(inner, dict) and (
            found := _within(_fields(inner, cut=fields.cut), wanted, depth - 1)
        ):
            return found
    return None


def _objects(text: str, wanted: str) -> Iterator[Fields]:
    at = 0
    while opening := _OPENING.search(text, at):
        mended, end, cut = _mended(text, opening.start())
        value = _loaded(mended)
        if value is None:
            at = opening.start() + 1
            continue
        at = end
        if isinstance(value, dict):
            yield _fields(value, cut=cut)
        elif isinstance(value, list) and all(isinstance(v, dict) for v in value):
            yield Fields(((wanted, value),), cut)


_OPENING: Final = re.compile(r'[{\[](?=\s*["{}\]])')
_CLOSER: Final = {"{": "}", "[": "]"}


def _fields(value: dict[str, object], *, cut: bool = False) -> Fields:
    return Fields(tuple(value.items()), cut)


def _loaded(mended: tuple[str, ...]) -> object:
    """Return the value of the first version that is JSON, else None."""
    for version in mended:
        try:
            loaded: object = json.loads(version, strict=False)
        except (json.JSONDecodeError, RecursionError):
            continue
        return loaded
    return None


def _mended(text: str, start: int) -> tuple[tuple[str, ...], int, bool]:
    """Return the value at `start` without commas before a bracket, its end, and if it was cut.

    A cut one comes in two versions: closed where the text ends, and closed after its last comma.
    """
    out: list[str] = []
    stack: list[str] = []
    comma: tuple[int, tuple[str, ...]] = (0, ())
    for token in _TOKEN.finditer(text, start):
        piece = token[0]
        if piece in _CLOSER:
            stack.append(_CLOSER[piece])
        elif piece in {"}", "]"}:
            _drop_comma(out)
            if stack.pop() != piece:
                return (), token.end(), False
        elif piece == ",":
            comma = (len(out), tuple(stack))
        out.append(_closed(piece))
        if not stack:
            return ("".join(out),), token.end(), False
    upto, open_then = comma
    shorter = "".join(out[:upto]) + "".join(reversed(open_then))
    _drop_comma(out)
    return ("".join(out) + "".join(reversed(stack)), shorter), len(text), True


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"\Z', re.DOTALL)
_BROKEN_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")


def _closed(piece: str) -> str:
    """Return a string that the end of the text cut with its closing quote; else the piece."""
    if not piece.startswith('"') or _STRING.match(piece):
        return piece
    return _BROKEN_ESCAPE.sub(r"\1", piece) + '"'


def _drop_comma(out: list[str]) -> None:
    while out and not out[-1].strip():
        out.pop()
    if out and out[-1] == ",":
        out.pop()


def text_so_far(text: str, name: str) -> str:
    """Return what a growing reply holds so far of the text field `name`.

    >>> text_so_far('{"reasoning": "x", "answer": "In Por', "answer")
    'In Por'
    """
    said = without_thoughts(text)
    opening = re.search(rf'(?<!\\)"{re.escape(name)}"\s*:\s*(?=")', said)
    if not opening:
        return ""
    literal = _TOKEN.match(said, opening.end())
    loaded = _loaded((_closed(literal[0]),)) if literal else None
    return loaded if isinstance(loaded, str) else ""
