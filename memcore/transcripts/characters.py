"""Bytes to characters, characters to what can be stored, and text to lines.

The order of the decoding rules is fixed (mark, zeros, strict UTF-8, windows-1252); a detector was
turned down, since it reads short Western texts wrongly with great confidence.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

CHUNK = 1024 * 1024
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ZERO_SHARE = 0.3
ZERO_BYTES = 4096

_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_HALF = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"\r+\n")
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Encoding:
    """A codec, the rule that chose it, and how many bytes of a mark to pass over."""

    name: str
    rule: str
    mark: int = 0

    @property
    def guessed(self) -> bool:
        """Whether nothing in the file vouches for it."""
        return self.rule in {"zeros", "fallback"}


def marked(head: bytes) -> Encoding | None:
    """Return the encoding that the first bytes give away: a mark, or the zeros of UTF-16."""
    for mark, name in MARKS:
        if head.startswith(mark):
            return Encoding(name, "mark", len(mark))
    start = head[:ZERO_BYTES]
    for first, name in ((0, "utf-16-be"), (1, "utf-16-le")):
        half = start[first::2]
        if half and half.count(0) >= ZERO_SHARE * len(half) and len(start) > 1:
            return Encoding(name, "zeros")
    return None


def chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[bytes]:
    """Yield the bytes of a stream, a chunk at a time."""
    while chunk := stream.read(size):
        yield chunk


def is_utf8(parts: Iterable[bytes]) -> bool:
    """Tell whether the bytes are strict UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for part in parts:
            decoder.decode(part)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decoded(stream: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """Yield the text of a stream without its mark; bytes that the codec lacks become U+FFFD."""
    stream.read(encoding.mark)
    decoder = codecs.getincrementaldecoder(encoding.name)(errors="replace")
    for part in chunks(stream):
        yield decoder.decode(part)
    yield decoder.decode(b"", final=True)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A string that can be stored, and what had to be replaced in it."""

    text: str
    nuls: int = 0
    halves: int = 0


def repair(text: str) -> Cleaned:
    r"""Return the text with NULs and lone halves as U+FFFD and two halves as their character.

    >>> repair("a\0b").text == "a\ufffdb"
    True
    """
    nuls = text.count("\0")
    if nuls:
        text = text.replace("\0", "\ufffd")
    halves = 0
    if not text.isascii() and _HALF.search(text):
        text = _PAIR.sub(
            lambda m: (m[1] + m[2]).encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text
        )
        text, halves = _HALF.subn("\ufffd", text)
    return Cleaned(text, nuls, halves)


def clean(text: str) -> Cleaned:
    r"""Return the text as it is stored: repaired, `\r\n` as `\n`, outer blank space cut.

    Cleaning twice changes nothing more.
    """
    done = repair(text)
    words = _BREAK.sub("\n", done.text) if "\r" in done.text else done.text
    return Cleaned(words.strip(), done.nuls, done.halves)


def mended(text: str) -> str:
    """Return the text with UTF-8 that was read as latin-1 put right, or as it is.

    >>> mended("Zo\u00c3\u00ab"), mended("Zo\u00eb")
    ('Zoë', 'Zoë')
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


@dataclass(frozen=True, slots=True)
class Mending:
    """How many texts hold more than ASCII, and how many of those `mended` would change."""

    texts: int = 0
    wrong: int = 0

    def look(self, text: str) -> Mending:
        """Return the counts with one more text looked at."""
        if text.isascii():
            return self
        return Mending(self.texts + 1, self.wrong + (mended(text) != text))

    @property
    def likely(self) -> bool:
        """Whether mending is worth an offer: more than half of them would change."""
        return 2 * self.wrong > self.texts


def visible(text: str) -> str:
    """Return the text without direction marks and zero-width byte order marks."""
    return _INVISIBLE.sub("", text)


def lines(text: str) -> tuple[str, ...]:
    r"""Return the lines, cut at `\n` with or without `\r` before it, and nowhere else.

    A text with `\r` and no `\n` is cut at `\r`.
    """
    if "\n" not in text:
        return tuple(text.split("\r"))
    return tuple(line.removesuffix("\r") for line in text.split("\n"))
