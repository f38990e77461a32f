"""An embedder without a model: words hashed into buckets, for any language with words.

Chinese turns use it, since the cosine of an English encoder says nothing about them. Two turns are
as near as the words they share; there is no meaning in it. blake2b was taken over `hash()`, which
differs between runs. Counts enter as their square root, so that a word said thrice does not rule.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np

from memcore.embedders.words import words
from memcore.types import Vectors

DIMENSIONS: Final = 512
"""Length of a vector: with 20 words a turn, two words rarely share a bucket."""

_KNOWN_WORDS: Final = 100_000


class HashingEmbedder:
    """Embeds a text by its words; a text without words is the fixed unit vector of bucket 0."""

    @property
    def name(self) -> str:
        """What the vectors are stored under."""
        return f"hashing-{DIMENSIONS}"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one unit row a text, shape (n, 512), float32."""
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            _fill(row, text)
        return rows


def _fill(row: Vectors, text: str) -> None:
    sums = np.zeros(DIMENSIONS)
    for word, n in sorted(Counter(words(text)).items()):
        bucket, sign = _place(word)
        sums[bucket] += sign * math.sqrt(n)
    length = math.sqrt(math.fsum(float(x) * float(x) for x in sums[sums != 0]))
    if length:
        row[:] = sums / length
    else:
        row[0] = 1.0


@lru_cache(_KNOWN_WORDS)
def _place(word: str) -> tuple[int, int]:
    """Return the bucket of a word and its sign."""
    digest = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
    return digest // 2 % DIMENSIONS, 1 if digest % 2 else -1
