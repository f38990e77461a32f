"""Mentions in Chinese turns: names and content words by jieba's tags.

A Chinese spaCy pipeline was turned down because none can be had from the package index; jieba
brings its dictionary along. Time expressions are cut out first, since jieba tags 上周三 a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memcore.annotate.keys import CHINESE_STOP_WORDS, STOP_WORDS, normalise, stem
from memcore.annotate.names import is_name
from memcore.annotate.pipelines import chinese
from memcore.types import AnchorKind, Mention, TimeExpression

_ENTITY_TAGS: Final = ("nr", "ns", "nt", "nz")
_LEXICAL_TAGS: Final = ("n", "v", "a", "i", "l", "j", "s", "eng", "x")
_SHORT_TAGS: Final = ("n", "v", "a", "ng")
"""Tags under which a single character is a word of content."""


def mentions(
    text: str, times: Sequence[TimeExpression], speakers: Sequence[str]
) -> tuple[Mention, ...]:
    """Return the mentions of a turn, by start; speakers' names give none."""
    found = {
        mention
        for start, word, tag in _words(text, times)
        if not is_name(word, speakers)
        for mention in _mentions(start, word, tag)
    }
    return tuple(sorted(found))


def _words(text: str, times: Sequence[TimeExpression]) -> Iterator[tuple[int, str, str]]:
    """Yield (start, word, tag) outside of the time expressions."""
    starts = [0, *(t.end for t in times)]
    ends = [*(t.start for t in times), len(text)]
    for start, end in zip(starts, ends, strict=True):
        place = start
        for word, tag in chinese(text[start:end]):
            yield place, word, tag
            place += len(word)


def _mentions(start: int, word: str, tag: str) -> Iterator[Mention]:
    folded, end = word.casefold(), start + len(word)
    if not any(c.isalnum() for c in word) or folded in CHINESE_STOP_WORDS or folded in STOP_WORDS:
        return
    if tag in _ENTITY_TAGS and len(word) > 1:
        yield Mention(start, end, AnchorKind.ENTITY, normalise(word))
    if tag.startswith(_LEXICAL_TAGS) and (len(word) > 1 or tag in _SHORT_TAGS):
        yield Mention(start, end, AnchorKind.LEXICAL, stem(word) if word.isascii() else folded)
