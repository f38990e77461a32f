"""Small families of everyday words that people use for one another when they ask and when they tell.

Only what nearly every dialogue needs; a thesaurus was turned down, for it joins what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_FAMILY: Final = ("work job employ occup career", "上班 工作 职业")
FAMILIES: Final[Mapping[str, str]] = {
    word: row.split()[0] for row in _FAMILY for word in row.split()
}
"""Each stem and the one that stands for its family."""


def kin(key: str) -> tuple[str, ...]:
    """Return the other keys of a key's family, in the order of the table.

    >>> kin("job"), kin("harbour")
    (('work', 'employ', 'occup', 'career'), ())
    """
    family = next((row.split() for row in _FAMILY if key in row.split()), [])
    return tuple(word for word in family if word != key)


def canonical(key: str) -> str:
    """Return the key that stands for a key's family, else the key.

    >>> canonical("job"), canonical("harbour")
    ('work', 'harbour')
    """
    return FAMILIES.get(key, key)


HOMES: Final = frozenset(["live", "resid", "home"])
"""Stems by which a question asks where somebody lives."""
