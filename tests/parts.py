"""Parts made from functions: what a test puts into a seam instead of a real part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from memcore.seams import Parts
from memcore.types import Annotation, Answer, Context, Entry, Turn, Vectors

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class FunctionEmbedder:
    """An embedder that asks a function for each text's vector and brings it to length 1."""

    vector: Callable[[str], Vector]
    name: str = "function"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        rows = np.array([self.vector(text) for text in texts], dtype=np.float32)
        if not len(texts):
            return np.zeros((0, len(self.vector(""))), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class FunctionTokenEmbedder:
    """A token embedder whose pieces are the blank-separated words, each with a vector of its own."""

    vector: Callable[[str], Vector]
    name: str = "function"

    def encode_tokens(self, texts: Sequence[str], /) -> tuple[Vectors, ...]:
        one = FunctionEmbedder(self.vector)
        return tuple(one.encode(words) for words in self.pieces(texts))

    def pieces(self, texts: Sequence[str], /) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(text.casefold().split()) for text in texts)


@dataclass(frozen=True, slots=True)
class FunctionExtractor:
    """An extractor that asks a function of the window's turns."""

    entries: Callable[[Sequence[Turn]], Sequence[Entry]]

    def extract(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> tuple[Entry, ...]:
        return tuple(self.entries(turns))


@dataclass(frozen=True, slots=True)
class FunctionAnnotator:
    """An annotator that asks a function of each turn."""

    annotation: Callable[[Turn], Annotation] = lambda turn: Annotation(turn.id)

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        return tuple(self.annotation(turn) for turn in turns)


@dataclass(frozen=True, slots=True)
class SilentReader:
    """A reader that answers nothing; for tests that never come to the answer."""

    def read(self, question: str, context: Context, /) -> Answer:
        return Answer("", refused=True)


def made_parts(
    vector: Callable[[str], Vector],
    entries: Callable[[Sequence[Turn]], Sequence[Entry]] = lambda turns: (),
    name: str = "function",
) -> Parts:
    """Return parts made from functions: of a text's vector, and of a window's entries."""
    embedder, extractor = FunctionEmbedder(vector, name), FunctionExtractor(entries)
    return Parts(embedder, FunctionAnnotator(), extractor, SilentReader())
