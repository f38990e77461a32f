"""Mentions in Chinese turns: names and content words by jieba's tags.

A Chinese spaCy pipeline was turned down because none can be had from the package index; jieba
brings its dictionary along. Time expressions are cut out first, since jieba tags 上周三 a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memcore.annotate.keys import CHINESE_STOP_WORDS, STOP_WORDS, normalise, stem
from memcore.annotate.names import is_name
from memcore.annotate.pipelines import chinese, chinese_inside
from memcore.types import AnchorKind, Mention, TimeExpression

_ENTITY_TAGS: Final = ("nr", "ns", "nt")
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任"
    "沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "阿小老"
)
"""First characters of a Chinese name; jieba calls many a word outside its dictionary a name."""
_NO_NAME: Final = re.compile(r".*(?:先|里|子|哥|姐|弟|妹)$")
"""Half of 先生, places such as 雾里, and kin: 孙子, 哥哥 are tagged as names and places."""
_LONGEST_NAME: Final = 3
_LEXICAL_TAGS: Final = ("n", "v", "a", "i", "l", "j", "s", "eng", "x")
_SHORT_TAGS: Final = ("n", "v", "a", "ng")
"""Tags under which a single character is a word of content."""


def mentions(
    text: str, times: Sequence[TimeExpression], speakers: Sequence[str]
) -> tuple[Mention, ...]:
    """Return the mentions of a turn, by start; speakers' names give none."""
    found = {
        mention
        for start, word, tag in _words(text, times, speakers)
        if not is_name(word, speakers)
        for mention in _mentions(start, word, tag)
    }
    return tuple(sorted(found))


def _words(
    text: str, times: Sequence[TimeExpression], names: Sequence[str]
) -> Iterator[tuple[int, str, str]]:
    """Yield (start, word, tag) outside of the time expressions."""
    starts = [0, *(t.end for t in times)]
    ends = [*(t.start for t in times), len(text)]
    for start, end in zip(starts, ends, strict=True):
        place = start
        for word, tag in chinese(text[start:end], names):
            yield place, word, tag
            place += len(word)


def _is_entity(word: str, tag: str) -> bool:
    if _NO_NAME.match(word):
        return False
    return tag != "nr" or (word[0] in _SURNAMES and len(word) <= _LONGEST_NAME)


def _mentions(start: int, word: str, tag: str) -> Iterator[Mention]:
    folded, end = word.casefold(), start + len(word)
    if not any(c.isalnum() for c in word) or folded in CHINESE_STOP_WORDS or folded in STOP_WORDS:
        return
    if tag in _ENTITY_TAGS and len(word) > 1 and _is_entity(word, tag):
        yield Mention(start, end, AnchorKind.ENTITY, normalise(word))
    if tag.startswith(_LEXICAL_TAGS) and (len(word) > 1 or tag in _SHORT_TAGS):
        yield Mention(start, end, AnchorKind.LEXICAL, stem(word) if word.isascii() else folded)
        for place, part in chinese_inside(word) if tag not in _ENTITY_TAGS else ():
            if part not in CHINESE_STOP_WORDS:
                at = start + place
                yield Mention(at, at + len(part), AnchorKind.LEXICAL, part)
