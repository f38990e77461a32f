"""The words of a text for embedding: stems in English, jieba's words in Chinese.

This stands beside the embedder and not with the annotator's keys: it needs no tagger, and the
layers let an embedder borrow nothing from annotation.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Protocol

import snowballstemmer

_RUN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[^\W_\u3400-\u9fff]+")
_STEMMER: Final = snowballstemmer.stemmer("english")
_FIRST_HAN: Final = "\u3400"


class _Cutter(Protocol):
    def cut(self, sentence: str, /) -> Iterator[str]: ...


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, case-folded, in order.

    >>> words("Hiking in 北京, 2023")
    ('hike', 'in', '北京', '2023')
    """
    return tuple(word for run in _RUN.findall(text.casefold()) for word in _split(run))


def _split(run: str) -> tuple[str, ...]:
    return tuple(_cutter().cut(run)) if run[0] >= _FIRST_HAN else (_stem(run),)


@cache
def _stem(word: str) -> str:
    stemmed: str = _STEMMER.stemWord(word)
    return stemmed


@cache
def _cutter() -> _Cutter:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    cutter: _Cutter = jieba.Tokenizer()
    return cutter
