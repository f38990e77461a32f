"""JSON that strangers wrote: scanned before it is parsed, streamed where it is long.

One scan over the bytes checks depth and length of numbers, and finds where each element of an array
begins and ends; the standard parser then reads one element at a time. So the streamed and the
whole-file path are the same path. ijson was turned down: it needs the same scan before it (a
long integer kills the process), and it reads lone halves and NaN otherwise than `json` does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from memcore.errors import TranscriptError
from memcore.transcripts.codes import Refusal
from memcore.transcripts.options import Limits

Json = None | bool | int | Decimal | str | list["Json"] | dict[str, "Json"]

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{},]', re.DOTALL)
_OPEN, _CLOSE, _QUOTE, _COMMA = b"[{", b"]}", b'"', b","
_BLANK = b" \t\r\n"
_CONTINUES = bytes(range(0x80, 0xC0))


class BadRecordError(ValueError):
    """A record whose fields are missing or of the wrong type; caught where records are read."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object, read with a demand on the type of each field."""

    values: Mapping[str, Json]

    def value(self, key: str) -> Json:
        """The field as it is, None where absent."""
        return self.values.get(key)

    def text(self, key: str) -> str:
        """A string that must be there."""
        found = self.values.get(key)
        if not isinstance(found, str):
            msg = f'no "{key}"; expected a string'
            raise BadRecordError(msg)
        return found

    def maybe(self, key: str) -> str:
        """A string or a number as its digits; empty where absent or null."""
        found = self.values.get(key)
        if found is None:
            return ""
        if isinstance(found, bool | list | dict):
            msg = f'"{key}" is no text; expected a string'
            raise BadRecordError(msg)
        return str(found)

    def items(self, key: str) -> tuple[Json, ...]:
        """The elements of a list; none where absent or null."""
        found = self.values.get(key)
        if found is None:
            return ()
        if not isinstance(found, list):
            msg = f'"{key}" is no list'
            raise BadRecordError(msg)
        return tuple(found)

    def record(self, key: str) -> Fields:
        """An inner object; one without fields where absent or null."""
        found = self.values.get(key)
        return Fields({}) if found is None else fields_of(found, key)

    def flag(self, key: str) -> bool:
        """Whether the field is true."""
        return self.values.get(key) is True


def fields_of(value: Json, name: str = "the record") -> Fields:
    """Return the object.

    Raises:
        BadRecordError: if it is none.
    """
    if not isinstance(value, dict):
        msg = f"{name} is no object"
        raise BadRecordError(msg)
    return Fields(value)


def loads(text: str) -> Json:
    """Return the value; NaN and Infinity are null, other fractions keep their digits.

    Raises:
        json.JSONDecodeError: if the syntax breaks.
        RecursionError: if it is very deep; scan first.
    """
    found: Json = json.loads(text, parse_float=Decimal, parse_constant=_null, strict=False)
    return found


def _null(_word: str) -> None:
    return None


def _characters(utf8: bytes) -> int:
    return len(utf8.translate(None, _CONTINUES))


@dataclass(slots=True)
class _Scan:
    """Where a scan stands: bytes not yet given out, the depth, and the lines before them."""

    limits: Limits
    file: str
    digits: re.Pattern[bytes]
    waiting: bytearray
    at: int = 0
    depth: int = 0
    line: int = 1
    column: int = 0

    def drop(self, n: int) -> None:
        """Forget the first `n` waiting bytes, but count their lines."""
        gone = bytes(self.waiting[:n])
        breaks = gone.count(b"\n")
        self.line += breaks
        tail = gone.rpartition(b"\n")[2] if breaks else gone
        self.column = _characters(tail) + (0 if breaks else self.column)
        del self.waiting[:n]
        self.at -= n

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column, from 1, of a waiting byte."""
        before = bytes(self.waiting[:offset])
        breaks = before.count(b"\n")
        tail = before.rpartition(b"\n")[2]
        return self.line + breaks, _characters(tail) + 1 + (0 if breaks else self.column)

    def broken(self, offset: int, what: str) -> TranscriptError:
        """The refusal that names a waiting byte."""
        line, column = self.place(offset)
        return TranscriptError(
            Refusal.BAD_JSON,
            f"the JSON breaks here: {what}.",
            file=self.file,
            line=line,
            column=column,
        )

    def check_numbers(self, part: bytes) -> None:
        """Refuse a number too long in a stretch outside of strings."""
        if self.digits.search(part):
            msg = f"a number has more than {self.limits.digits} digits, the limit."
            raise TranscriptError(Refusal.NUMBER_TOO_LONG, msg, file=self.file)

    def nest(self, token: bytes) -> None:
        """Count a bracket; refuse what is too deep."""
        self.depth += 1 if token in _OPEN else -1
        if self.depth > self.limits.depth:
            msg = f"the JSON is nested deeper than {self.limits.depth} levels, the limit."
            raise TranscriptError(Refusal.TOO_DEEP, msg, file=self.file)


def _scan(limits: Limits, file: str) -> _Scan:
    return _Scan(limits, file, re.compile(rb"\d{%d}" % (limits.digits + 1)), bytearray())


def _borders(scan: _Scan, parts: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield each bracket or comma outside of strings and its place among the waiting bytes.

    The receiver may drop waiting bytes up to that place before it asks for the next one.
    """
    enough = 0
    for part in parts:
        scan.waiting += part
        if len(scan.waiting) - scan.at >= enough:  # a long string is not searched at each chunk
            yield from _tokens(scan)
            enough = 2 * (len(scan.waiting) - scan.at)
    yield from _tokens(scan)
    rest = bytes(scan.waiting[scan.at :])
    scan.check_numbers(rest.partition(_QUOTE)[0])


def _tokens(scan: _Scan) -> Iterator[tuple[bytes, int]]:
    while found := _TOKEN.search(scan.waiting, scan.at):
        token, start, end = found[0], found.start(), found.end()
        found = None  # a match holds the buffer, which then cannot shrink
        if token == _QUOTE:  # a string that ends in a later chunk
            return
        if start - scan.at > scan.limits.digits:
            scan.check_numbers(bytes(scan.waiting[scan.at : start]))
        scan.at = end
        if len(token) > 1:
            continue
        if token != _COMMA:
            scan.nest(token)
        yield token, start


def whole(parts: Iterable[bytes], limits: Limits, file: str) -> Json:
    """Return the one JSON value of the bytes.

    Raises:
        TranscriptError: `too_deep`, `number_too_long`, or `bad_json` with line and column.
    """
    scan = _scan(limits, file)
    for _ in _borders(scan, parts):
        pass
    return _value(scan, 0, len(scan.waiting))


def _value(scan: _Scan, start: int, end: int) -> Json:
    text = scan.waiting[start:end].decode("utf-8", "replace")
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        raise scan.broken(start + len(text[: error.pos].encode()), error.msg) from None
    except (RecursionError, ValueError):
        raise scan.broken(start, "a value that cannot be read") from None


def elements(parts: Iterable[bytes], limits: Limits, file: str) -> Iterator[Json]:
    """Yield the elements of the top-level array, or the one value that is no array.

    Memory grows with one element, not with the file.

    Raises:
        TranscriptError: as `whole`, at the element that breaks; those before it have been given.
    """
    scan = _scan(limits, file)
    stream = _Peeked(iter(parts))
    if not stream.first().startswith(b"["):
        yield whole(stream.all(), limits, file)
        return
    count = 0
    for token, place in _borders(scan, stream.all()):
        if scan.depth == 1 and token == b"[" and count == 0:
            scan.drop(place + 1)
            count = 1
        elif scan.depth == 1 and token == _COMMA:
            yield _value(scan, 0, place)
            scan.drop(place + 1)
            count += 1
        elif scan.depth == 0:
            if count > 1 or scan.waiting[:place].strip(_BLANK):
                yield _value(scan, 0, place)
            scan.drop(place + 1)
            count = -1
        elif scan.depth < 0 or count == -1:
            break
    _ended(scan, done=count == -1)


def _ended(scan: _Scan, *, done: bool) -> None:
    if not done:
        raise scan.broken(len(scan.waiting), "it ends before the list is closed")
    rest = len(scan.waiting) - len(scan.waiting.lstrip(_BLANK))
    if rest < len(scan.waiting):
        raise scan.broken(rest, "something follows the end of the list")


@dataclass(slots=True)
class _Peeked:
    """A stream of chunks of which the first that is not blank was looked at."""

    parts: Iterator[bytes]
    seen: bytes = b""

    def first(self) -> bytes:
        """The beginning, without leading blanks; empty where all is blank."""
        while not self.seen.strip(_BLANK):
            part = next(self.parts, None)
            if part is None:
                return b""
            self.seen += part
        return self.seen.lstrip(_BLANK)

    def all(self) -> Iterator[bytes]:
        """All chunks, those already seen included."""
        yield self.seen
        yield from self.parts


def prefix(head: str, limits: Limits) -> Json:
    """Return the value of a JSON text that was cut anywhere, as far as it goes; None for no JSON.

    The text is cut after its last whole member, and the open brackets are closed: enough to see
    the shape of a file by its first megabyte.
    """
    data = head.encode("utf-8", "replace")
    scan = _scan(limits, "")
    stack: list[bytes] = []
    cut = (0, b"")
    try:
        for token, place in _borders(scan, (data,)):
            if token in _OPEN:
                stack.append(b"]" if token == b"[" else b"}")
                cut = (place + 1, b"".join(reversed(stack)))
            elif token in _CLOSE and stack:
                stack.pop()
                cut = (place + 1, b"".join(reversed(stack)))
            elif token == _COMMA:
                cut = (place, b"".join(reversed(stack)))
        return loads_or_none((data[: cut[0]] + cut[1]).decode("utf-8", "replace"))
    except TranscriptError:
        return None


def loads_or_none(text: str) -> Json:
    """Return the value, None where the syntax breaks."""
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None
