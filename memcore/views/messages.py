"""A sentence of the library in the language of the screen.

A sentence is met whole, not by its template, so the template is found again: each is a pattern
whose places hold anything. A sentence behind a place (`chat.json:3: …`), two sentences one behind
the other, and a sentence within a sentence are told in turn. What fits no template stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from memcore.views.strings import CATALOGUES, ENGLISH, spoken

_PLACE: Final = re.compile(r"\{(\w+)\}")
_ANY: Final = r"(?:(?![.:] ).)+?"
"""What a place may hold: no end of a sentence, and no place before one."""


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The templates as patterns with their keys, the one with most words of its own first."""
    found = [(text, key) for key, text in ENGLISH.items() if key.startswith("message.")]
    found.sort(key=lambda pair: (-len(_PLACE.sub("", pair[0])), pair[1]))
    return tuple((re.compile(_pattern(text), re.DOTALL), key) for text, key in found)


def _pattern(template: str) -> str:
    parts = _PLACE.split(template)
    return "".join(
        f"(?P<{part}>{_ANY})" if n % 2 else re.escape(part) for n, part in enumerate(parts)
    )


def told(text: str, language: str = "") -> str:
    """Return a sentence of the library in a language, else in the one in use.

    >>> told('chat.json: no list "conversations".', "zh-CN")
    'chat.json：没有列表“conversations”。'
    >>> told("a sentence of nobody", "zh-CN"), told("no list of theirs", "en")
    ('a sentence of nobody', 'no list of theirs')
    """
    language = language or spoken()
    return text if language == "en" else _told(text, language)


def _told(text: str, language: str) -> str:
    for pattern, key in _patterns():
        found = pattern.fullmatch(text)
        if found:
            parts = {name: _told(part, language) for name, part in found.groupdict().items()}
            return CATALOGUES[language][key].format(**parts)
    for sign, joint in ((". ", ""), (": ", "：")):
        head, _, rest = text.partition(sign)
        ended = head + sign.strip() if sign == ". " else head
        before, behind = _told(ended, language) if rest else text, rest and _told(rest, language)
        if rest and (behind != rest or before != ended):
            return f"{before}{joint}{behind}"
    return text
