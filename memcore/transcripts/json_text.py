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
from memcore.transcripts.codes import Refusal, trusted
from memcore.transcripts.options import Limits

Json = None | bool | int | Decimal | str | list["Json"] | dict[str, "Json"]

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(_STRING + rb'|["\[\]{},]', re.DOTALL)
_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + _STRING + rb")*+[\[\]{}]", re.DOTALL)
_TO_BORDER = re.compile(rb'(?:[^"\[\]{},]++|' + _STRING + rb")*+[\[\]{},]", re.DOTALL)
_STRINGS = re.compile(_STRING, re.DOTALL)
_OPEN, _COMMA = frozenset(b"[{"), ord(",")
_BLANK = b" \t\r\n"
_CLOSERS = {b"[": b"]", b"{": b"}"}
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
    suspect: bool = False

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
            hint="It may have been cut on its way; export it again.",
        )

    def take(self, part: bytes) -> None:
        """Append bytes, and notice a run of digits that may be a number too long."""
        overlap = bytes(self.waiting[-self.limits.digits :])
        self.waiting += part
        self.suspect = self.suspect or self.digits.search(overlap + part) is not None

    def check_numbers(self, part: bytes) -> None:
        """Refuse a number too long, if one was suspected, outside of strings."""
        if self.suspect and self.digits.search(_STRINGS.sub(b'""', part)):
            msg = f"a number has more than {self.limits.digits} digits, the limit."
            raise TranscriptError(
                Refusal.NUMBER_TOO_LONG, msg, file=self.file, hint=trusted("digits")
            )

    def nest(self, bracket: int) -> None:
        """Count a bracket; refuse what is too deep."""
        self.depth += 1 if bracket in _OPEN else -1
        if self.depth > self.limits.depth:
            msg = f"the JSON is nested deeper than {self.limits.depth} levels, the limit."
            raise TranscriptError(Refusal.TOO_DEEP, msg, file=self.file, hint=trusted("depth"))


def _scan(limits: Limits, file: str) -> _Scan:
    return _Scan(limits, file, re.compile(rb"\d{%d}" % (limits.digits + 1)), bytearray())


def _borders(scan: _Scan, parts: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Yield each border outside of strings: a bracket that ends at most one level deep, a comma there.

    With the byte comes its place among the waiting bytes, which may be dropped up to there before
    the next one is asked for.
    """
    enough = 0
    for part in parts:
        scan.take(part)
        if len(scan.waiting) - scan.at >= enough:  # a long string is not searched at each chunk
            yield from _shallow(scan)
            enough = 2 * (len(scan.waiting) - scan.at)
    yield from _shallow(scan)


def _shallow(scan: _Scan) -> Iterator[tuple[int, int]]:
    while _rise(scan):
        found = _TO_BORDER.match(scan.waiting, scan.at)
        if found is None:  # what is waiting ends inside a value
            return
        scan.at = found.end()
        found = None  # a match holds the buffer, which then cannot shrink
        border = scan.waiting[scan.at - 1]
        if border != _COMMA:
            scan.nest(border)
        if scan.depth <= 1:
            yield border, scan.at - 1


def _rise(scan: _Scan) -> bool:
    """Pass over what lies deeper than one level; false where the waiting bytes end there."""
    while scan.depth > 1:
        found = _TO_BRACKET.match(scan.waiting, scan.at)
        if found is None:
            return False
        scan.at = found.end()
        scan.nest(scan.waiting[scan.at - 1])
        if scan.depth == 1:
            break
    return True


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
    data = bytes(scan.waiting[start:end])
    scan.check_numbers(data)
    text = data.decode("utf-8", "replace")
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
        if scan.depth == 1 and token == ord("[") and count == 0:
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
    stack: list[bytes] = []
    cut = (0, b"")
    for found in _TOKEN.finditer(data):
        token = found[0]
        if token == b'"' or len(stack) > limits.depth:
            break
        if len(token) > 1:
            continue
        if token in _CLOSERS:
            stack.append(_CLOSERS[token])
        elif token != b"," and stack:
            stack.pop()
        place = found.start() if token == b"," else found.end()
        cut = (place, b"".join(reversed(stack)))
    return loads_or_none((data[: cut[0]] + cut[1]).decode("utf-8", "replace"))


def loads_or_none(text: str) -> Json:
    """Return the value, None where the syntax breaks."""
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None
