"""Which terms of a score are drawn as pieces of its bar, and in which hue.

A picture has seven hues, and some retrievers more terms: the six that move the scores most are told
apart, all others are one piece, their sum, so that the pieces still add up to the score. Receipts,
ledgers and hover texts name every term.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from memcore.types import Candidate, Reply
from memcore.views.canvas import Part, bar
from memcore.views.strings import say, term_words
from memcore.views.theme import Palette, mixed

MOST_PIECES: Final = 7
REST_INK: Final = 0.35
"""Ink of all other terms together, as a share of full ink."""


def hue(palette: Palette, n: int) -> str:
    """Return the n-th of the hues that tell pieces apart."""
    hues = (
        *(palette.co_occurrence, palette.episodic, palette.temporal, palette.fact),
        *(palette.bridge, palette.quiet, palette.ink),
    )
    return hues[n % MOST_PIECES]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a bar: a term, or all that have no hue of their own; no term is the score."""

    names: frozenset[str] = frozenset()
    n: int = 0

    @property
    def words(self) -> str:
        """Return the words of the legend."""
        if len(self.names) > 1:
            return say("term.rest", count=len(self.names))
        return term_words(*self.names) if self.names else say("ledger.score")

    def hue(self, palette: Palette) -> str:
        """Return the ink of the piece."""
        if len(self.names) > 1:
            return mixed(palette.ink, palette.paper, REST_INK)
        return hue(palette, self.n)

    def amount(self, candidate: Candidate) -> float:
        """Return what the piece gives a candidate; a score that is no sum is one piece."""
        if not candidate.terms:
            return 0.0 if self.names else candidate.score
        return fsum(t.amount for t in candidate.terms if t.name in self.names)


def pieces(reply: Reply) -> tuple[Piece, ...]:
    """Return the pieces of every bar of a run, in the order in which they are stacked.

    They depend on the run alone, never on the step, so that no hue changes from beat to beat.
    """
    every = [c for step in reply.trace.steps for c in step.entered]
    amounts: dict[str, list[float]] = defaultdict(list)
    for candidate in every:
        for term in candidate.terms:
            amounts[term.name].append(abs(term.amount))
    totals = {name: fsum(found) for name, found in amounts.items()}
    names = sorted(totals)
    if len(names) > MOST_PIECES:
        names = sorted(sorted(totals, key=lambda name: (-totals[name], name))[: MOST_PIECES - 1])
    shown = [Piece(frozenset({name}), n) for n, name in enumerate(names)]
    rest = frozenset(totals) - set(names)
    if rest:
        shown.append(Piece(rest, len(shown)))
    if any(not c.terms and c.score for c in every) or not shown:
        shown.append(Piece(n=len(shown)))
    return tuple(shown)


def legend_of(shown: Sequence[Piece], palette: Palette, axis_name: str = "y") -> list[Part]:
    """Return the legend of terms in their full hues, as bars without a mark.

    Plotly colours a legend by the first mark, which may be faded. One piece alone needs no legend.
    """
    if not any(piece.names for piece in shown):
        return []
    return [
        bar(
            x=[None],
            y=[None],
            yaxis=axis_name,
            name=piece.words,
            showlegend=True,
            hoverinfo="skip",
            marker={"color": piece.hue(palette)},
        )
        for piece in shown
    ]
