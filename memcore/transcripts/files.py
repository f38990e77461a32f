"""One file of an import, checked: its encoding is known, and it is text that could hold talk.

What is no text is refused by its first bytes, a page of HTML by its first words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memcore.errors import TranscriptError
from memcore.transcripts import characters, json_text
from memcore.transcripts.characters import Encoding
from memcore.transcripts.codes import Refusal, Warn, trusted
from memcore.transcripts.json_text import Json
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Limits
from memcore.transcripts.sources import HEAD, Source
from memcore.types import SourceFile

MAGIC = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"%PDF", "a PDF"),
    (b"RIFF", "a sound or picture file"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound file"),
    (b"fLaC", "a sound file"),
    (b"SQLite format 3\0", "a database"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"Rar!", "an archive that is no zip"),
    (b"7z\xbc\xaf", "an archive that is no zip"),
    (b"\x1f\x8b", "an archive that is no zip"),
    (b"\x7fELF", "a program"),
)
CONTROL_SHARE, ODD_SHARE = 0.02, 0.1
"""Text has no control characters to speak of; it may have lost some others on its way."""
FEWEST, FEWEST_ODD = 4, 8
"""So many of them, at least, make no text; fewer are mended."""
LOOKED_AT = 64 * 1024
_CONTROL = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_ODD = re.compile("[\0\x01-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_HTML = re.compile(
    r"\s*(<\?xml[^>]*>\s*)?(?>(?:<!--.*?-->\s*))*+<(!doctype\s+html|html|head|body)\b", re.I | re.S
)
NAME_IT = "If it is text in an encoding of its own, choose that encoding and read it again."
SAVE_AS = "Save it as text or as VTT and import that."


@dataclass(frozen=True, slots=True)
class File:
    """A source whose encoding is decided, readable as UTF-8, as text, as lines or as JSON."""

    source: Source
    encoding: Encoding
    limits: Limits

    @property
    def name(self) -> str:
        """The name, as it was given."""
        return self.source.name

    @property
    def stem(self) -> str:
        """The name without folders and ending, a title for want of a better one."""
        base = self.name.replace("\\", "/").rpartition("/")[2]
        return base.rpartition(".")[0] or base

    def strings(self) -> Iterator[str]:
        """The text, a stretch at a time."""
        with self.source.open() as stream:
            yield from characters.decoded(stream, self.encoding)

    def text(self) -> str:
        """The whole text."""
        return "".join(self.strings())

    def utf8(self) -> Iterator[bytes]:
        """The bytes as UTF-8 without a mark, a stretch at a time."""
        if self.encoding.name == "utf-8":
            with self.source.open() as stream:
                stream.read(self.encoding.mark)
                yield from characters.chunks(stream)
        else:
            for words in self.strings():
                yield words.encode("utf-8", "replace")

    def lines(self) -> tuple[str, ...]:
        """All lines."""
        return characters.lines(self.text())

    def stream_lines(self) -> Iterator[str]:
        """The lines, one at a time, cut at line feeds."""
        rest = ""
        for part in self.strings():
            *whole, rest = (rest + part).split("\n")
            yield from (line.removesuffix("\r") for line in whole)
        yield rest

    def json(self) -> Json:
        """The one JSON value of the file."""
        return json_text.whole(self.utf8(), self.limits, self.name)

    def elements(self) -> Iterator[Json]:
        """The elements of the top-level array, one at a time, or the one value that is none."""
        return json_text.elements(self.utf8(), self.limits, self.name)

    def head(self) -> str:
        """The text of the first megabyte."""
        return self.source.head()[self.encoding.mark :].decode(self.encoding.name, "replace")


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that can be read, and its row in the report."""

    file: File
    row: SourceFile


def check(source: Source, notes: Notes, *, hashed: bool = True) -> Checked:
    """Return the file with its encoding decided.

    Raises:
        TranscriptError: `empty`, `too_large`, `not_text`, `html_page` or `bad_encoding`.
    """
    limits = notes.options.limits
    size = source.size
    if size > limits.file_bytes:
        msg = f"the file has {size:,} bytes, the limit is {limits.file_bytes:,}."
        raise TranscriptError(Refusal.TOO_LARGE, msg, file=source.name, hint=trusted("file_bytes"))
    head = source.head(HEAD)
    refuse_binary(head, source.name)
    encoding = encoding_of(source, head, notes.options.encoding)
    if size == encoding.mark:
        msg = "the file is empty; expected a transcript."
        raise TranscriptError(Refusal.EMPTY, msg, file=source.name)
    file = File(source, encoding, limits)
    refuse_page(file.head(), source.name)
    if encoding.guessed:
        notes.warn(Warn.ENCODING_GUESSED)
    lost = _undecodable(file)
    notes.warn(Warn.UNDECODABLE_BYTES, lost)
    notes.repairs["bytes"] += lost
    row = SourceFile(
        source.name, size, digest(source) if hashed else "", encoding.name, encoding.rule
    )
    return Checked(file, row)


def digest(source: Source) -> str:
    """Return the SHA-256 of the bytes."""
    found = hashlib.sha256()
    with source.open() as stream:
        for part in characters.chunks(stream):
            found.update(part)
    return found.hexdigest()


def refuse_binary(head: bytes, name: str) -> None:
    """Refuse pictures, sound, documents and databases by their first bytes."""
    what = next((w for magic, w in MAGIC if head.startswith(magic)), "")
    if not what and head[4:8] == b"ftyp":
        what = "a film or sound file"
    if what:
        hint = SAVE_AS if what in {"a PDF", "an office document"} else ""
        msg = f"the file is {what}; expected text or JSON."
        raise TranscriptError(Refusal.NOT_TEXT, msg, file=name, hint=hint)


def refuse_page(head: str, name: str) -> None:
    """Refuse pages of HTML, and bytes that are no text at all."""
    if _HTML.match(head[:4096]):
        msg = "the file is a web page; expected text or JSON."
        hint = "Export the chat as JSON or text and import that."
        raise TranscriptError(Refusal.HTML_PAGE, msg, file=name, hint=hint)
    start = head[:LOOKED_AT]
    controls, odd = len(_CONTROL.findall(start)), len(_ODD.findall(start))
    binary = controls >= FEWEST and controls > CONTROL_SHARE * len(start)
    if binary or (odd >= FEWEST_ODD and odd > ODD_SHARE * len(start)):
        msg = (
            f"the file is no text: {round(100 * odd / len(start))} % of its first {len(start):,}"
            " characters are control or undecodable characters; expected text or JSON."
        )
        raise TranscriptError(Refusal.NOT_TEXT, msg, file=name, hint=NAME_IT)


def encoding_of(source: Source, head: bytes, forced: str) -> Encoding:
    """Return the encoding: the forced one, a mark, the zeros of UTF-16, UTF-8, windows-1252."""
    found = characters.marked(head)
    if forced:
        return _forced(source, forced, found)
    if found is not None:
        return found
    with source.open() as stream:
        if characters.is_utf8(characters.chunks(stream)):
            return Encoding("utf-8", "utf-8")
    return Encoding("cp1252", "fallback")


def _forced(source: Source, name: str, found: Encoding | None) -> Encoding:
    mark = (
        found.mark if found and name.casefold().replace("_", "-").startswith(found.name[:5]) else 0
    )
    try:
        with source.open() as stream:
            stream.read(mark)
            stream.read().decode(name)
    except UnicodeDecodeError as error:
        msg = f"the file is not {name}: byte {error.start + mark} cannot be decoded."
        raise TranscriptError(Refusal.BAD_ENCODING, msg, file=source.name) from None
    except LookupError:
        msg = f"{name!r} is no encoding; expected a name such as utf-8 or cp1252."
        raise TranscriptError(Refusal.BAD_ENCODING, msg, file=source.name) from None
    return Encoding(name, "user", mark)


def _undecodable(file: File) -> int:
    """Return how many U+FFFD the decoding made; none where it was checked strictly."""
    if file.encoding.rule in {"utf-8", "user"}:
        return 0
    made = sum(part.count("\ufffd") for part in file.strings())
    return made if not made else made - _own_replacements(file)


def _own_replacements(file: File) -> int:
    if file.encoding.name == "cp1252":
        return 0
    sign = "\ufffd".encode(file.encoding.name)
    with file.source.open() as stream:
        return stream.read().count(sign)
