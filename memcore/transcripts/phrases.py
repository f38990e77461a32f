"""The words that apps and people write around talk, by language: phrases.toml as tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from types import MappingProxyType


def _load() -> Mapping[str, Mapping[str, object]]:
    text = files("memcore.transcripts").joinpath("phrases.toml").read_text("utf-8")
    return tomllib.loads(text)


def words(table: str) -> Mapping[str, tuple[str, ...]]:
    """Return the word lists of a table of the file, by their keys.

    Raises:
        KeyError: if there is no such table.
    """
    found = _load()[table]
    return MappingProxyType(
        {k: tuple(str(w) for w in v) for k, v in found.items() if isinstance(v, list)}
    )


def bare(word: str) -> str:
    """Return a word as it is looked up: case-folded, without blanks and dots.

    >>> bare("P. M.")
    'pm'
    """
    return "".join(word.casefold().replace(".", "").split())


MONTHS: Mapping[str, int] = MappingProxyType(
    {
        name.casefold(): n
        for names in words("months").values()
        for n, entry in enumerate(names, 1)
        for name in entry.split("|")
    }
)
"""Names and short names of months, case-folded, in the languages of the table."""

LABELS = frozenset(w.casefold() for ws in words("labels").values() for w in ws)
"""Words before a colon that are no speakers."""

TITLES = frozenset(w for ws in words("titles").values() for w in ws)
"""Titles and short words of names that end in a dot, without it."""

SESSION_WORDS = frozenset(w.casefold() for ws in words("sessions").values() for w in ws)
"""Words that open the head of a session, before its number."""

DAYPARTS: Mapping[str, str] = MappingProxyType(
    {bare(w): half for half, ws in words("dayparts").items() for w in ws}
)
"""Words beside an hour, bare of blanks and dots, to `am`, `pm` or `noon`."""

PLACEHOLDERS = frozenset(w.casefold() for ws in words("placeholders").values() for w in ws)
"""Sentences that exporters put in place of a block, case-folded."""

COLUMNS: Mapping[str, tuple[str, ...]] = words("columns")
"""Heads of tables and keys of records by role; the earlier word wins."""


def matcher(table: str) -> Callable[[str], bool]:
    """Return whether a whole text is one of a table's phrases, in which * stands for any words."""
    patterns = [
        re.escape(w.strip()).replace(r"\*", ".+") for ws in words(table).values() for w in ws
    ]
    whole = re.compile("|".join(patterns), re.IGNORECASE)

    def matches(text: str) -> bool:
        return whole.fullmatch(text.strip()) is not None

    return matches
