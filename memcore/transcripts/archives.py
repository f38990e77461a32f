"""Zip archives as lists of sources: read as streams, never written to disk, never trusted.

Declared sizes are not believed: bytes are counted while they are unpacked.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

from memcore.errors import TranscriptError
from memcore.transcripts.codes import Refusal, Skip, trusted
from memcore.transcripts.files import SAVE_AS
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Limits
from memcore.transcripts.sources import Source, inside

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
TALK = (".json", ".jsonl", ".ndjson", ".txt", ".csv", ".tsv", ".vtt", ".srt", ".md", ".markdown")
"""The endings of entries that may hold talk; all others are not looked into."""

DOCUMENTS = (("word/document.xml", "a .docx document"), ("xl/workbook.xml", "a spreadsheet"))
LOCKED, UNLOCK = "it is locked with a password.", "Unpack it with its password, then import that."
AGAIN = "It may have been cut on its way; fetch it again."
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    struct.error,
    OSError,
    ValueError,
    IndexError,
)
"""What the library raises on bytes that are no archive, one way or another."""

_END = re.compile(rb"PK\x05\x06.{4}.{2}(.{2})(.{4})", re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:")
ENTRY_BYTES = 1024
"""A directory larger than this for each allowed entry is refused before it is read."""


def is_archive(source: Source) -> bool:
    """Tell by the first bytes whether a source is a zip archive; a folder is read as one."""
    return source.is_folder or source.head(4) in MAGIC


@dataclass(slots=True)
class _Archive:
    """An open archive and how many bytes came out of each entry."""

    source: Source
    zip: zipfile.ZipFile
    limits: Limits
    unpacked: dict[str, int] = field(default_factory=dict)

    def refuse(self, kind: Refusal, message: str, hint: str = "") -> TranscriptError:
        """The refusal that names the archive."""
        return TranscriptError(kind, message, file=self.source.name, hint=hint)

    def count(self, info: zipfile.ZipInfo, n: int) -> None:
        """Take note that `n` bytes of an entry were read; refuse what grows out of proportion."""
        self.unpacked[info.filename] = max(n, self.unpacked.get(info.filename, 0))
        if n > self.limits.ratio_from_bytes and n > self.limits.ratio * max(info.compress_size, 1):
            msg = f"an entry unpacks to more than {self.limits.ratio} times its size, the limit."
            raise self.refuse(Refusal.ZIP_BOMB, msg, trusted("ratio"))
        if sum(self.unpacked.values()) > self.limits.unpacked_bytes:
            msg = f"it unpacks to more than {self.limits.unpacked_bytes:,} bytes, the limit."
            raise self.refuse(Refusal.TOO_LARGE, msg, trusted("unpacked_bytes"))

    def open(self, info: zipfile.ZipInfo) -> BinaryIO:
        """A stream over an entry that counts what it gives."""
        return io.BufferedReader(_Counted(self, info))


class _Counted(io.RawIOBase):
    """An entry's bytes; damage is told as a refusal."""

    def __init__(self, archive: _Archive, info: zipfile.ZipInfo) -> None:
        super().__init__()
        self._archive, self._info, self._n = archive, info, 0
        try:
            self._stream = archive.zip.open(info)
        except DAMAGE as error:
            raise self._damaged() from error
        except RuntimeError as error:  # zipfile's word for a locked entry
            raise archive.refuse(Refusal.ZIP_ENCRYPTED, LOCKED, UNLOCK) from error

    def _damaged(self) -> TranscriptError:
        name = self._info.filename[-60:]
        return self._archive.refuse(Refusal.ZIP_DAMAGED, f"the entry {name} is damaged.", AGAIN)

    def readable(self) -> bool:
        """True: it is there to be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer and return how many bytes that took."""
        view = memoryview(buffer)
        try:
            part = self._stream.read(len(view))
        except DAMAGE as error:
            raise self._damaged() from error
        self._n += len(part)
        self._archive.count(self._info, self._n)
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        """Close the entry."""
        if not self.closed:
            self._stream.close()
        super().close()


def entries(source: Source, notes: Notes) -> tuple[Source, ...]:
    """Return the entries that may hold talk, sorted by name; the others are noted.

    Raises:
        TranscriptError: `zip_damaged`, `zip_encrypted`, `too_many_files` or `not_text`.
    """
    if source.path is not None and source.is_folder:
        return tuple(_of_folder(source, source.path, notes))
    archive = _opened(source, notes.options.limits)
    infos = [i for i in archive.zip.infolist() if not i.is_dir()]
    if len(infos) > archive.limits.archive_entries:
        raise _too_many(archive.limits, source, len(infos))
    names = {i.filename for i in infos}
    for mark, what in DOCUMENTS:
        if mark in names:
            msg = f"the file is {what}; expected text or JSON."
            raise TranscriptError(Refusal.NOT_TEXT, msg, file=source.name, hint=SAVE_AS)
    return tuple(_entries(archive, infos, notes))


def _of_folder(source: Source, folder: Path, notes: Notes) -> Iterator[Source]:
    """Yield the files of an unpacked export; links are not followed."""
    limits, paths = notes.options.limits, inside(folder)
    if len(paths) > limits.archive_entries:
        raise _too_many(limits, source, len(paths))
    for path in sorted(paths, key=lambda p: natural(p.relative_to(folder).as_posix())):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            notes.skip(Skip.UNSAFE_PATH, name[-200:])
        elif not path.name.lower().endswith(TALK) or path.name.startswith("._"):
            notes.skip(Skip.NOT_TRANSCRIPT, name[-200:])
        else:
            yield Source(name, path=path, archive=source.name)


def _entries(archive: _Archive, infos: list[zipfile.ZipInfo], notes: Notes) -> Iterator[Source]:
    for info in sorted(infos, key=lambda i: natural(i.filename)):
        base = info.filename.rpartition("/")[2]
        if _unsafe(info):
            notes.skip(Skip.UNSAFE_PATH, info.filename[-200:])
        elif (
            not base.lower().endswith(TALK) or base.startswith("._") or "__MACOSX/" in info.filename
        ):
            notes.skip(Skip.NOT_TRANSCRIPT, info.filename[-200:])
        elif info.flag_bits & 1:
            raise archive.refuse(Refusal.ZIP_ENCRYPTED, LOCKED, UNLOCK)
        else:
            opened = _Entry(archive, info)
            yield Source(
                info.filename,
                entry=opened.open,
                entry_size=info.file_size,
                archive=archive.source.name,
            )


@dataclass(frozen=True, slots=True)
class _Entry:
    archive: _Archive
    info: zipfile.ZipInfo

    def open(self) -> BinaryIO:
        """A new stream over the entry."""
        return self.archive.open(self.info)


def _unsafe(info: zipfile.ZipInfo) -> bool:
    name = info.filename.replace("\\", "/")
    linked = stat.S_ISLNK(info.external_attr >> 16)
    return linked or name.startswith("/") or ".." in name.split("/") or bool(_DRIVE.match(name))


def _opened(source: Source, limits: Limits) -> _Archive:
    _refuse_crowd(source, limits)
    try:
        found = zipfile.ZipFile(source.path or io.BytesIO(source.data))
    except DAMAGE as error:
        msg = "the archive is damaged; expected a zip file."
        raise TranscriptError(Refusal.ZIP_DAMAGED, msg, file=source.name, hint=AGAIN) from error
    return _Archive(source, found, limits)


def _refuse_crowd(source: Source, limits: Limits) -> None:
    """Refuse an archive by the count and size of its directory, before that is read."""
    with source.open() as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - 65_557))
        tail = stream.read()
    ends = list(_END.finditer(tail))
    if not ends:
        return
    found = ends[-1]
    directory = int.from_bytes(found[2], "little")
    count = int.from_bytes(found[1], "little")
    wide = directory == 0xFFFFFFFF  # the true size stands in a record of its own
    if count > limits.archive_entries and count != 0xFFFF:
        raise _too_many(limits, source, count)
    if not wide and directory > limits.archive_entries * ENTRY_BYTES:
        raise _too_many(limits, source, directory // ENTRY_BYTES)


def _too_many(limits: Limits, source: Source, count: int) -> TranscriptError:
    msg = f"the archive has {count:,} entries, the limit is {limits.archive_entries:,}."
    hint = trusted("archive_entries")
    return TranscriptError(Refusal.TOO_MANY_FILES, msg, file=source.name, hint=hint)


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return the key by which part 2 stands before part 10.

    >>> sorted(["a-10.json", "a-2.json"], key=natural)
    ['a-2.json', 'a-10.json']
    """
    parts = re.split(r"(\d{1,12})", name)
    return tuple((1, int(p), "") if p.isdecimal() else (0, 0, p) for p in parts)
