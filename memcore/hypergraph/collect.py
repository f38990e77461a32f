"""All channels of one question, ranked: what the stages record and the listing reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from memcore.hypergraph import channels
from memcore.hypergraph.channels import Channel
from memcore.hypergraph.cues import SPREAD_KINDS, Asked
from memcore.hypergraph.fuse import in_order, shares, spread
from memcore.hypergraph.incidence import Incidence
from memcore.hypergraph.terms import Places, candidates, total
from memcore.scoring import Scores, best
from memcore.settings import Settings
from memcore.types import Candidate

_NOWHERE: Final[Places] = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The best turns of a channel: its parts, the places best first, and the score of each.

    `reached` counts the turns with a score, `passed` those left out for their session.
    """

    name: str
    parts: Channel
    places: Places
    scores: Scores
    reached: int
    passed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """The ranked channels of one question."""

    core: Ranked
    co_occurrence: Ranked
    hop: Ranked
    temporal: Ranked


def collect(index: Incidence, asked: Asked, settings: Settings) -> Collected:
    """Return every channel's best `collect_k` turns."""
    core = channels.episodic(index, asked, settings)
    first = _ranked("core", index, core if settings.core else (), settings)
    lead = first.places[: settings.lead_turns]
    joined, passed = channels.co_occurrence(index, asked, settings, lead)
    hop = channels.hop(index, asked, settings, first.places)
    dated = channels.temporal(index, asked, settings, core)
    return Collected(
        first,
        _ranked("co_occurrence", index, joined, settings, passed),
        _ranked("hop", index, hop, settings),
        _ranked("temporal", index, dated, settings),
    )


def _ranked(
    name: str, index: Incidence, parts: Channel, settings: Settings, passed: int = 0
) -> Ranked:
    if not parts:
        return Ranked(name, parts, _NOWHERE, np.zeros(0), 0, passed)
    scores = total(len(index.turns), parts)
    places = best(scores, settings.collect_k)
    return Ranked(name, parts, places, scores[places], int(np.count_nonzero(scores)), passed)


def written(index: Incidence, ranked: Ranked) -> tuple[Candidate, ...]:
    """Return the candidates of a channel with all their terms."""
    return candidates(index.turns, ranked.places, ranked.parts, ranked.name)


def listed(index: Incidence, asked: Asked, settings: Settings) -> tuple[int, ...]:
    """Return the places in the order in which an unlimited budget is filled, each once."""
    found = collect(index, asked, settings)
    core = tuple(found.core.places.tolist())
    if asked.kind in SPREAD_KINDS:
        core = spread(core, index.session[found.core.places].tolist(), settings.spread_turns)
    return in_order(
        core,
        merged(found.co_occurrence, found.hop),
        tuple(found.temporal.places.tolist()),
        shares(settings),
    )


def merged(co_occurrence: Ranked, hop: Ranked) -> tuple[int, ...]:
    """Return the places of two channels by score; ties to the earlier turn, then to the first."""
    if not len(hop.places):
        return tuple(co_occurrence.places.tolist())
    rows = [
        (-score, place, n)
        for n, ranked in enumerate((co_occurrence, hop))
        for score, place in zip(ranked.scores.tolist(), ranked.places.tolist(), strict=True)
    ]
    return tuple(dict.fromkeys(place for _, place, _ in sorted(rows)))
