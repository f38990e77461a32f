"""What is imported: named bytes, in memory, on disk or in an archive, read as a stream.

Bytes that are not in memory are opened only when they are asked for, so that a file larger than
memory can be read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

HEAD = 1024 * 1024
"""How much of a file the detection looks at."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file: a name and its bytes, or a path or an archive's entry from which they come."""

    name: str
    data: bytes = field(default=b"", repr=False)
    path: Path | None = None
    entry: Callable[[], BinaryIO] | None = field(default=None, repr=False, compare=False)
    entry_size: int = 0
    archive: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of files, as an unpacked export."""
        return self.entry is None and self.path is not None and self.path.is_dir()

    def open(self) -> BinaryIO:
        """A new stream over the bytes, at their beginning; the caller closes it."""
        if self.entry is not None:
            return self.entry()
        return io.BytesIO(self.data) if self.path is None else self.path.open("rb")

    @property
    def size(self) -> int:
        """The number of bytes; of an archive's entry, the number that it claims."""
        if self.entry is not None:
            return self.entry_size
        if self.path is not None and self.is_folder:
            return sum(f.stat().st_size for f in inside(self.path) if not f.is_symlink())
        return len(self.data) if self.path is None else self.path.stat().st_size

    def head(self, n: int = HEAD) -> bytes:
        """The first `n` bytes."""
        with self.open() as stream:
            return stream.read(n)


def from_path(path: Path) -> Source:
    """Return the file or folder at `path`, opened when it is read."""
    return Source(path.name or path.resolve().name, path=path)


def inside(folder: Path) -> tuple[Path, ...]:
    """Return the files and links below a folder, sorted; links are not followed."""
    found = (Path(root) / name for root, _, names in os.walk(folder) for name in names)
    return tuple(sorted(found))
