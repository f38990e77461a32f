"""Which language a text is in, by its characters alone.

A detector library was turned down: turns are a few words long, where such guesses are poor, and
only two languages have rules here.
"""

from __future__ import annotations

import re
from typing import Final

ENGLISH: Final = "en"
CHINESE: Final = "zh"

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""The ranges of Han characters, for use inside a regular expression's brackets."""

_HAN: Final = re.compile(f"[{HAN}]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def language_of(text: str) -> str:
    """Return `zh` if Han characters outnumber Latin words, else `en`.

    >>> language_of("我用 Python 写代码"), language_of("I love 火锅"), language_of("?!")
    ('zh', 'en', 'en')
    """
    han = len(_HAN.findall(text))
    return CHINESE if han > len(_LATIN_WORD.findall(text)) else ENGLISH
