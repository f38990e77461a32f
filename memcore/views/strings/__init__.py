"""Every word of the screen, by key; a page holds no literal.

One module a page, each with one mapping a language; the keys are the same in all languages.
A key that ends in `.one` or `.other` is a plural form, chosen by the value `n`.
Placeholders are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Final

from memcore.views.strings import (
    ask,
    compare,
    errors,
    frame,
    legend,
    memory,
    reasons,
    stages,
    start,
    step,
    terms,
)

_MODULES: Final[tuple[ModuleType, ...]] = (
    frame,
    start,
    ask,
    step,
    compare,
    stages,
    terms,
    reasons,
    memory,
    legend,
    errors,
)

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {key: text for module in _MODULES for key, text in module.ENGLISH.items()}
)
CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {key: text for module in _MODULES for key, text in module.CHINESE.items()}
)

CATALOGUES: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "zh-CN": CHINESE}


def say(key: str, language: str = "en", **values: object) -> str:
    """Return the words of a key with its placeholders filled in.

    Raises:
        KeyError: if the catalogue has no such key: a bug, and a test finds it first.

    >>> say("frame.selected", id="D3:7")
    'Selected: D3:7'
    """
    catalogue = CATALOGUES[language]
    if "n" in values and f"{key}.one" in catalogue:
        key = f"{key}.one" if values["n"] == 1 else f"{key}.other"
    return catalogue[key].format(**values)


def term_words(name: str, language: str = "en") -> str:
    """Return the words of a term; one that is named by a key of the memory is quoted as it is."""
    key = f"term.{name}"
    return CATALOGUES[language].get(key, f"“{name}”")
