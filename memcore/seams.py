"""The places where a part can be exchanged: Protocols one method wide.

A part that breaks its promise raises SeamError with the part's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from memcore.errors import ServerError
from memcore.types import Annotation, Answer, Context, Entry, Extraction, Turn, TurnId, Vectors


class Embedder(Protocol):
    """Text to vectors: float32 (n, d), unit rows, same order; equal text, equal row."""

    @property
    def name(self) -> str:
        """What the vectors are stored under; vectors of another name are refused."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one unit row a text."""


class TokenEmbedder(Protocol):
    """Text to one vector a token, for late interaction: each (tokens, d), unit rows."""

    @property
    def name(self) -> str:
        """What the vectors are stored under."""

    def encode_tokens(self, texts: Sequence[str], /) -> tuple[Vectors, ...]:
        """Return one matrix a text, same order."""

    def pieces(self, texts: Sequence[str], /) -> tuple[tuple[str, ...], ...]:
        """Return what each row stands for; a piece that goes on a word begins with ##."""


class Annotator(Protocol):
    """Turns to annotations: one a turn, same order; mentions inside the content, by start."""

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        """Return one annotation a turn."""


@runtime_checkable
class LearningAnnotator(Protocol):
    """An annotator that can read questions by what it found in the turns of a memory: faster."""

    def learned(self, turns: Sequence[Turn], annotations: Sequence[Annotation], /) -> Annotator:
        """Return an annotator of questions; a word of the turns gets the key that it has there."""


class WindowError(ServerError):
    """An extractor could not read some turns of a window; `entries` are those of the others."""

    def __init__(
        self, message: str, turns: tuple[TurnId, ...], entries: tuple[Entry, ...] = ()
    ) -> None:
        super().__init__(message)
        self.turns = turns
        self.entries = entries


class Extractor(Protocol):
    """One window of turns to entries: by id from 1, sources among its turns; none is fine.

    `earlier` are the last entries before the window, as context. The builder renumbers, and
    records the turns of a WindowError as `extraction_failed`.
    """

    def extract(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> tuple[Entry, ...]:
        """Return the facts of the window, in the order of their turns."""


@runtime_checkable
class AskingExtractor(Protocol):
    """An extractor that asks a server: its windows are read ahead, several at once.

    `read_window` is called from threads, and reads turns before they met the gate.
    """

    @property
    def name(self) -> str:
        """What its extractions are stored under."""

    def read_window(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> Extraction:
        """Return what came of a window; turns without a usable reply are named in it."""

    def asks(self, turns: Sequence[Turn], earlier: Sequence[Entry], /) -> str:
        """Return the text that would be sent for a window, to count its tokens."""


class Reader(Protocol):
    """Question and packet to an answer that cites only the packet; it may refuse."""

    def read(self, question: str, context: Context, /) -> Answer:
        """Return the answer."""


@runtime_checkable
class StreamingReader(Protocol):
    """A reader that can yield the text of its answer as it comes, the Answer at last."""

    def stream(self, question: str, context: Context, /) -> Iterator[str | Answer]:
        """Yield pieces of the answer's text, then the whole Answer."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that a build and a question use; without a token embedder nothing is by token."""

    embedder: Embedder
    annotator: Annotator
    extractor: Extractor
    reader: Reader
    token_embedder: TokenEmbedder | None = None
