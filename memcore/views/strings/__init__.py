"""Every word of the screen, by key; a page holds no literal.

One module a page, each with one mapping a language; the keys are the same in all languages.
A key that ends in `.one` or `.other` is a plural form, chosen by the value `n`; where a sentence
counts several things, each has its two forms in its placeholder: `{turns:turn|turns}`.
Placeholders are named.

The language is a context variable that the frame sets when a run of the script or of a fragment
begins: a view deep in a figure says its words without a parameter handed down to it, and two
browser sessions, each on a thread of its own, cannot speak for each other. A language that is
named in the call goes before. What is cached in words has the language in its key.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime
from types import MappingProxyType, ModuleType
from typing import Final

from memcore.views.strings import (
    ask,
    compare,
    dates,
    errors,
    evaluate,
    frame,
    imports,
    legend,
    memory,
    messages,
    models,
    network,
    pictures,
    present,
    reasons,
    share,
    stages,
    start,
    step,
    terms,
    what_if,
    workspace,
)

_MODULES: Final[tuple[ModuleType, ...]] = (
    frame,
    start,
    ask,
    models,
    step,
    compare,
    what_if,
    pictures,
    stages,
    terms,
    reasons,
    memory,
    legend,
    errors,
    share,
    evaluate,
    imports,
    network,
    present,
    workspace,
    messages,
)

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {key: text for module in _MODULES for key, text in module.ENGLISH.items()}
)
CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {key: text for module in _MODULES for key, text in module.CHINESE.items()}
)

CATALOGUES: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "zh-CN": CHINESE}

NAMES: Final[Mapping[str, str]] = {"en": "English", "zh-CN": "简体中文"}
"""The languages of the screen, each by its own name."""

_SPOKEN: ContextVar[str] = ContextVar("spoken", default="en")


def speak(language: str) -> None:
    """Say the words that follow in this language, where a call names none."""
    _SPOKEN.set(language if language in CATALOGUES else "en")


def spoken() -> str:
    """Return the language in use."""
    return _SPOKEN.get()


def nearest(locale: str) -> str:
    """Return the language of the screen for a browser's locale, English for all others.

    >>> nearest("zh-Hans-CN"), nearest("pt-BR")
    ('zh-CN', 'en')
    """
    return "zh-CN" if locale.casefold().startswith("zh") else "en"


def say(key: str, language: str = "", **values: object) -> str:
    """Return the words of a key with its placeholders filled in; no language: the one in use.

    Raises:
        KeyError: if the catalogue has no such key: a bug, and a test finds it first.

    >>> say("frame.selected", id="D3:7")
    'Selected: D3:7'
    >>> say("start.counts", "en", sessions=1, turns=1200, speakers=2)
    '1 session · 1200 turns · 2 speakers'
    """
    catalogue = CATALOGUES[language or spoken()]
    if "n" in values and f"{key}.one" in catalogue:
        key = f"{key}.one" if values["n"] == 1 else f"{key}.other"
    counted = {k: _Counted(v) if type(v) is int else v for k, v in values.items()}
    return catalogue[key].format(**counted)


class _Counted(int):
    """A whole number that writes the noun behind it, where its placeholder has the two forms."""

    def __format__(self, form: str) -> str:
        one, bar, other = form.partition("|")
        return f"{int(self)} {one if self == 1 else other}" if bar else format(int(self), form)


def term_words(name: str, language: str = "") -> str:
    """Return the words of a term; one that is named by a key of the memory is quoted as it is."""
    key = f"term.{name}"
    return CATALOGUES[language or spoken()].get(key, f"“{name}”")


def day(at: datetime | None, language: str = "") -> str:
    """Return a date as the screen writes it, or the word for none.

    >>> day(datetime(2023, 5, 8))
    '8 May 2023'
    """
    return dates.day(at, language or spoken()) if at else say("start.no_time", language)


def minute(at: datetime | None, language: str = "") -> str:
    """Return a date with its time, or the word for none."""
    return dates.minute(at, language or spoken()) if at else say("start.no_time", language)


def month(at: datetime, language: str = "") -> str:
    """Return a month of a year as the screen writes it."""
    return dates.month(at, language or spoken())
