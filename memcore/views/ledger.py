"""The facets of the ledger: each narrows it, none reorders it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memcore.views.rows import LedgerRow
from memcore.views.strings import ENGLISH, say


@dataclass(frozen=True, slots=True)
class Facets:
    """What the rows shown have in common; an empty facet asks for nothing.

    `only` are the ids that a count of the present beat names, `near` those of the near misses.
    """

    search: str = ""
    left: str = ""
    reason: str = ""
    gold: bool = False
    only: frozenset[str] | None = None
    near: frozenset[str] | None = None


def codes(kind: str, shown: Iterable[str], language: str = "") -> Mapping[str, str]:
    """Return the codes of a kind, `stage` or `reason`, whose words are shown, in that order."""
    prefix = f"{kind}."
    known = [key.removeprefix(prefix) for key in ENGLISH if key.startswith(prefix)]
    words = {say(f"{prefix}{code}", language): code for code in reversed(known)}
    return {words[said]: said for said in dict.fromkeys(shown) if said in words}


def matching(found: Sequence[LedgerRow], facets: Facets) -> tuple[LedgerRow, ...]:
    """Return the rows that every facet lets pass, in their order."""
    wanted = facets.search.casefold().strip()
    return tuple(
        row
        for row in found
        if wanted in f"{row.id} {row.words}".casefold()
        and facets.left in {"", row.left}
        and facets.reason in {"", row.reason}
        and (row.gold or not facets.gold)
        and (facets.only is None or row.id in facets.only)
        and (facets.near is None or row.id in facets.near)
    )
