"""How many bytes of the files have been read, told while a reader reads them.

A reader need not know of it: the sources that it is given count what they give out. A place passed
twice counts once, so that the total is the size of the files.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

from memcore.transcripts.sources import Source
from memcore.types import Progress

PHASE = "read"
STEPS = 200
"""How often a whole reading is told of, at most."""
BUFFER = 256 * 1024


@dataclass(slots=True)
class Meter:
    """What of the files was read, and whom to tell."""

    tell: Callable[[Progress], None]
    total: int = 0
    places: dict[str, int] = field(default_factory=dict)
    told: int = 0

    def over(self, source: Source) -> Source:
        """Return the source, counted as it is read."""
        self.total += source.size
        mark = f"{source.archive}\n{source.name}\n{len(self.places)}"
        self.places[mark] = 0

        def opened() -> BinaryIO:
            return io.BufferedReader(_Counted(self, mark, source.open()), BUFFER)

        return replace(source, entry=opened, entry_size=source.size)

    def reached(self, mark: str, place: int) -> None:
        """Take note that a file was read up to there."""
        if place <= self.places[mark]:
            return
        self.places[mark] = place
        done = sum(self.places.values())
        if done - self.told >= self.total / STEPS:
            self.told = done
            self.tell(Progress(PHASE, min(done, self.total), self.total))

    def finish(self) -> None:
        """Tell that all was read, if that was not told."""
        if self.told < self.total:
            self.told = self.total
            self.tell(Progress(PHASE, self.total, self.total))


class _Counted(io.RawIOBase):
    """A stream that tells how far it was read."""

    def __init__(self, meter: Meter, mark: str, stream: BinaryIO) -> None:
        super().__init__()
        self._meter, self._mark, self._stream, self._n = meter, mark, stream, 0

    def readable(self) -> bool:
        """True: it is there to be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer and return how many bytes that took."""
        view = memoryview(buffer)
        part = self._stream.read(len(view))
        view[: len(part)] = part
        self._n += len(part)
        self._meter.reached(self._mark, self._n)
        return len(part)

    def close(self) -> None:
        """Close the stream."""
        if not self.closed:
            self._stream.close()
        super().close()
