"""A reader whose answer is shown while it grows, for a page that waits for it.

The flow asks a reader for an answer; who wants to see it grow wraps the reader. Turned down: a
second kind of question that yields pieces, which every caller would have to know.
"""

from __future__ import annotations

from collections.abc import Callable

from memcore.errors import SeamError
from memcore.seams import StreamingReader
from memcore.types import Answer, Context


class ShownReader:
    """Reads with a streaming reader and shows the answer's text so far, piece by piece."""

    def __init__(self, reader: StreamingReader, show: Callable[[str], object]) -> None:
        self._reader = reader
        self._show = show
        self.name = str(getattr(reader, "name", type(reader).__name__))

    def read(self, question: str, context: Context, /) -> Answer:
        """Return the reader's answer.

        Raises:
            SeamError: if the stream ends without one.
        """
        grown = ""
        for piece in self._reader.stream(question, context):
            if isinstance(piece, Answer):
                return piece
            grown += piece
            self._show(grown)
        msg = f"reader {self.name} must end its stream with the answer"
        raise SeamError(msg)
