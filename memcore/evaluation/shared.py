"""Parts that read all questions of a dialogue at once, and then only look them up.

A trace costs an annotation and a vector of its question; of eleven systems, ten would pay for what
the first has read. The reading is the same as one by one: an annotation depends on its text alone
where nobody speaks, and equal texts have equal vectors. What is timed never uses these parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from memcore.annotate.questions import as_turn
from memcore.seams import Annotator, Embedder, Parts, TokenEmbedder
from memcore.types import Annotation, Question, Turn, Vectors


class ReadAnnotator:
    """An annotator that knows some turns by heart."""

    def __init__(self, inner: Annotator, turns: Sequence[Turn]) -> None:
        self._inner = inner
        self._known: Mapping[Turn, Annotation] = dict(
            zip(turns, inner.annotate(turns), strict=True)
        )

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        """Return one annotation a turn, same order."""
        if len(turns) == 1 and turns[0] in self._known:
            return (self._known[turns[0]],)
        return self._inner.annotate(turns)


class ReadEmbedder:
    """An embedder that knows some texts by heart; it goes by the name of the real one."""

    def __init__(self, inner: Embedder, texts: Sequence[str]) -> None:
        self._inner = inner
        self._known: Mapping[str, Vectors] = dict(zip(texts, inner.encode(texts), strict=True))
        self.name = inner.name

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one unit row a text."""
        if texts and all(text in self._known for text in texts):
            return np.stack([self._known[text] for text in texts])
        return self._inner.encode(texts)


class ReadTokens:
    """A token embedder that knows some texts by heart; it goes by the name of the real one."""

    def __init__(self, inner: TokenEmbedder, texts: Sequence[str]) -> None:
        self._inner = inner
        found = zip(texts, inner.encode_tokens(texts), strict=True)
        self._known: Mapping[str, Vectors] = dict(found)
        self.name = inner.name

    def encode_tokens(self, texts: Sequence[str], /) -> tuple[Vectors, ...]:
        """Return one matrix a text, same order."""
        if all(text in self._known for text in texts):
            return tuple(self._known[text] for text in texts)
        return self._inner.encode_tokens(texts)

    def pieces(self, texts: Sequence[str], /) -> tuple[tuple[str, ...], ...]:
        """Return what each row stands for, as the real one says."""
        return self._inner.pieces(texts)


@lru_cache(maxsize=2)
def reading(parts: Parts, questions: tuple[Question, ...]) -> Parts:
    """Return the parts with all questions already annotated and embedded, each in one batch.

    The last dialogues are kept: their systems follow each other.
    """
    turns = tuple(dict.fromkeys(as_turn(q.text, q.asked_at.at) for q in questions))
    texts = tuple(dict.fromkeys(q.text for q in questions))
    by_token = parts.token_embedder
    return replace(
        parts,
        annotator=ReadAnnotator(parts.annotator, turns),
        embedder=ReadEmbedder(parts.embedder, texts),
        token_embedder=ReadTokens(by_token, texts) if by_token else None,
    )
