"""Speakers' names in running text: "Mel", "Melanie's" and "melanie" all name Melanie.

A nickname is the beginning of a name, three letters or more, or in Chinese 阿, 小 or 老 with one
character of it, and fits one speaker only. A table
of nicknames was turned down: it would join a speaker with third persons ("Bill", "Will").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from memcore.annotate.keys import STOP_WORDS
from memcore.annotate.languages import HAN

_WORD: Final = re.compile(rf"[^\W\d_{HAN}]+|[{HAN}]+")
_ROLES: Final = frozenset({"user", "assistant", "ai", "bot", "system", "speaker", "human", "model"})
_FAMILIAR: Final = "阿小老"
"""Before one character of a name they make a nickname: 小远, 老周 for 周远."""
_FAMILIAR_WORDS: Final = frozenset(
    [
        "小心",
        "小时",
        "小说",
        "小学",
        "小区",
        "小吃",
        "小孩",
        "小雨",
        "小雪",
        "小路",
        "小鸟",
        "小气",
        "小麦",
        "小米",
        "小人",
        "小伙",
        "小月",
        "小河",
        "小山",
        "小明星",
        "小云",
        "小马",
        "小白",
        "老师",
        "老家",
        "老板",
        "老人",
        "老实",
        "老年",
        "老婆",
        "老公",
        "老虎",
        "老鼠",
        "老天",
        "老外",
        "老乡",
        "老大",
        "老二",
        "老王八",
        "老友",
        "阿姨",
    ]
)
_SHORTEST: Final = 3
"""Letters that a nickname has at least."""


@cache
def _words(label: str) -> tuple[str, ...]:
    words = (w.casefold() for w in _WORD.findall(label))
    return tuple(w for w in words if w not in _ROLES and w not in STOP_WORDS and len(w) > 1)


def speaker_named(word: str, speakers: Iterable[str]) -> str:
    """Return the label of the one speaker whom the word names, else an empty string.

    >>> speaker_named("Mel", ("Caroline", "Melanie")), speaker_named("Ann", ("Anna", "Annette"))
    ('Melanie', '')
    """
    folded = word.casefold()
    labels = [(label, _words(label)) for label in speakers]
    whole = [label for label, words in labels if folded in words]
    short = [label for label, words in labels if _is_nickname(folded, words)]
    fits = whole or short
    return fits[0] if len(fits) == 1 else ""


def _is_nickname(folded: str, words: tuple[str, ...]) -> bool:
    if len(folded) == 2 and folded[0] in _FAMILIAR:
        return folded not in _FAMILIAR_WORDS and any(folded[1] in word for word in words)
    return len(folded) >= _SHORTEST and bool(words) and words[0].startswith(folded)


def is_name(word: str, speakers: Iterable[str]) -> bool:
    """Whether the word is, or shortens, the name of any speaker."""
    folded = word.casefold()
    names = (_words(label) for label in speakers)
    return any(folded in words or _is_nickname(folded, words) for words in names)
