"""Sums that a numpy product and a receipt agree on to the last digit.

A score is the sum of contributions, each a sparse column of amounts that are rounded to 6
decimals when made and added as whole millionths. So the fast path, which only adds arrays, and
the recorded terms give the same number, and a ranking needs no term to be written. Rounding the
total instead was turned down: its last digit differs from the sum of the rounded terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.scoring import Scores
from memcore.types import Anchor, Candidate, Term, TurnId, scored

Places = NDArray[np.intp]
Source = Callable[[int], Anchor | TurnId | None]
MILLION: Final = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """One kind of term: its name, the places it scores (ascending), and whole millionths.

    `source` gives what a place owes its amount to. Where all places are held, some amounts are 0:
    to leave them out takes longer than to add them.
    """

    name: str
    places: Places
    millionths: Scores
    source: Source


def contribution(name: str, places: Places, amounts: Scores, source: Source) -> Contribution:
    """Return the contribution of amounts that stand at ascending places; zeros are left out."""
    millionths = np.rint(amounts * MILLION)
    (there,) = millionths.nonzero()
    if len(there) < len(places):
        places, millionths = places[there], millionths[there]
    return Contribution(name, places, millionths, source)


def everywhere(name: str, amounts: Scores, source: Source) -> Contribution:
    """Return the contribution of one amount a place, zeros among them."""
    return Contribution(name, np.arange(len(amounts)), np.rint(amounts * MILLION), source)


def total(size: int, contributions: Sequence[Contribution]) -> Scores:
    """Return the score of each place, shape (size,), to 6 decimals."""
    found = np.zeros(size)
    for part in contributions:
        if len(part.places) == size:
            found += part.millionths
        else:
            found[part.places] += part.millionths
    found /= MILLION
    return found


def candidates(
    turns: Sequence[TurnId],
    places: Places,
    contributions: Sequence[Contribution],
    channel: str,
) -> tuple[Candidate, ...]:
    """Return the candidates at some places, in their order, with every term that they have."""
    terms: list[list[Term]] = [[] for _ in places]
    for part in contributions:
        at = np.searchsorted(part.places, places)
        inside = np.flatnonzero(at < len(part.places))
        for n in inside[part.places[at[inside]] == places[inside]].tolist():
            if amount := float(part.millionths[at[n]]) / MILLION:
                terms[n].append(Term(part.name, amount, part.source(int(places[n]))))
    return tuple(
        scored(turns[place], found, channel)
        for place, found in zip(places.tolist(), terms, strict=True)
    )
