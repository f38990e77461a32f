"""What a Chinese question has in common with a sentence beyond its keys, and its counts.

There is no parser of Chinese here: characters in order, closed lists and the classifier of a count
stand for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memcore.annotate.languages import HAN
from memcore.types import AnchorKind, Mention, Query

_EITHER: Final = re.compile(r"([\u4e00-\u9fff])[不没]\1|有没有")
_DENIES: Final = re.compile(r"[不没别]|取消|放弃|停止")
_ASKING: Final = re.compile(
    "哪里|哪儿|什么时候|什么地方|什么|为什么|为何|怎么|谁|多少|多久|几|吗|呢|是不是|有没有|[的了]"
)
_RUN: Final = re.compile(f"[{HAN}]+")
_LIKE: Final = 0.6
"""The share of characters in common from which one key stands for another: 教书 and 教."""

_DIGITS: Final = r"(?:\d[\d,.]*|[零一二两三四五六七八九十百千万半几]+)"
LENGTH: Final = re.compile(
    rf"(?<!\d)(?!\d{{4}}年){_DIGITS}\s*多?(?:个?(?:小时|钟头|星期|礼拜)|个(?:多?月|半月|下午|上午|晚上)|年多?|周|天|分钟|秒|整天)(?!前|后|以)"
    r"|一整[天夜年]|半天"
)
"""How long something takes; 四月 is no length."""
_MARKS: Final = "，。！？；,!?;"
_MEASURES: Final = "个|次|件|本|只|位|种|首|家|条|张|块|杯|瓶|岁|层|台|辆|封|部|句|元|斤|公斤|公里|米|遍|场|幅|门|支|名|套|份"
MEASURED: Final = re.compile(rf"{_DIGITS}\s*多?(?:{_MEASURES})(?!月|小时|星期)")
"""A number with a classifier."""
COUNT: Final = re.compile(rf"{MEASURED.pattern}|\d+|[一二两三四五六七八九十][百千万]")
"""How many of something."""
_ASKED_COUNT: Final = re.compile(rf"(?:几|多少)(?P<of>{_MEASURES})|几(?P<line>号[线楼]?)")


def denies(text: str) -> bool:
    """Return whether a Chinese text denies; 是不是 and 有没有 only ask.

    >>> denies("他是不是老师？"), denies("我今年不去黄山。")
    (False, True)
    """
    return bool(_DENIES.search(_EITHER.sub("", text)))


def overlap(question: str, text: str) -> float:
    """Return the share of the question's pairs of characters that a text has, 0 to 1.

    >>> overlap("箱子里有什么？", "箱子里藏着信。")
    0.666667
    """
    pairs = _pairs(_ASKING.sub("\n", question))
    return round(len(pairs & _pairs(text)) / len(pairs), 6) if pairs else 0.0


def _pairs(text: str) -> frozenset[str]:
    return frozenset(run[n : n + 2] for run in _RUN.findall(text) for n in range(len(run) - 1))


def mended(query: Query, known: Iterable[str]) -> Query:
    """Return the question with unknown Chinese keys replaced by the known ones that are most like.

    Only a key that is mostly the same characters stands for another: 教 for 教书, not 电话 for 电影.
    """
    keys = sorted(key for key in set(known) if _RUN.fullmatch(key))
    held = frozenset(keys)
    return replace(query, mentions=tuple(_mended(m, keys, held) for m in query.mentions))


def _mended(mention: Mention, keys: list[str], held: frozenset[str]) -> Mention:
    key = mention.key
    if mention.kind is not AnchorKind.LEXICAL or key in held or not _RUN.fullmatch(key):
        return mention
    like = max(keys, key=lambda k: _alike(key, k), default="")
    return replace(mention, key=like) if _alike(key, like) >= _LIKE else mention


def _alike(one: str, other: str) -> float:
    return 2 * len(set(one) & set(other)) / (len(one) + len(other) or 1)


def count_in(question: str, text: str) -> str:
    """Return the count of a text that a question asks for, by its classifier if it has one.

    >>> count_in("他会几首曲子？", "一个月只学会三首。"), count_in("几号线停了？", "二号线停运。")
    ('三首', '二号线')
    """
    asked = _ASKED_COUNT.search(question)
    if asked:
        found = re.search(f"{_DIGITS}\\s*多?{asked['of'] or asked['line']}", text)
        return found[0] if found else ""
    plain = LENGTH.sub("", text) if not LENGTH.search(question) else text
    found = COUNT.search(plain)
    return found[0] if found else ""


def names_measure(question: str) -> bool:
    """Return whether a question names what is counted by its classifier: 几首, 几号线."""
    return bool(_ASKED_COUNT.search(question))


def clause_of(text: str, start: int) -> str:
    """Return the clause of a text around a place, without the marks at its ends.

    >>> clause_of("我辞职了，下个月换地方。", 5)
    '下个月换地方'
    """
    first = max(text.rfind(mark, 0, start) for mark in _MARKS) + 1
    ends = (place for mark in _MARKS if (place := text.find(mark, start)) >= 0)
    return text[first : min(ends, default=len(text))]
