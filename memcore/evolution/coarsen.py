"""Conflict-aware coarsening (Eq. 5-6): what becomes of a new entry beside a similar stored one.

Two tables decide. `AS_PRINTED` is Eq. 5-6 with one exception, that a number, date, place or
negation that differs is never merged away. `NEEDS_CHANGE` (the `safe` preset) links only where
subject and attribute agree and the value differs: by Eq. 6 alone 61 % of the facts of LoCoMo
become links, so a link would say nothing.

Only an edge that passes the second test says that the newer entry replaces the older one, in
both presets. A replaced entry absorbs nothing: saying its fact again is a change back, a third
state that is compared with the newest one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memcore.evolution.changes import Kinship, change, kinship, says_more
from memcore.evolution.gate import is_hashing
from memcore.settings import Settings
from memcore.types import Action, Change, Comparison, Decision, Entry, EvolutionEdge

COMPARED: Final = 5
"""How many of the nearest partners a decision lists."""


class Differs(StrEnum):
    """How a new entry differs from its partner: HARD is never merged away, in either preset."""

    NOTHING = "nothing"
    HARD = "hard"
    OBJECT = "object"


OF: Final[Mapping[Change, Differs]] = {
    Change.SAME_FACT: Differs.NOTHING,
    Change.NEGATION_DIFFERS: Differs.HARD,
    Change.STATUS_DIFFERS: Differs.HARD,
    Change.NUMBER_DIFFERS: Differs.HARD,
    Change.TIME_DIFFERS: Differs.HARD,
    Change.PLACE_DIFFERS: Differs.HARD,
    Change.OBJECT_DIFFERS: Differs.OBJECT,
}
"""The class of each difference."""

AS_PRINTED: Final[Mapping[tuple[bool, Differs], Action]] = {
    (True, Differs.NOTHING): Action.MERGE,
    (True, Differs.HARD): Action.LINK,
    (True, Differs.OBJECT): Action.MERGE,
    (False, Differs.NOTHING): Action.LINK,
    (False, Differs.HARD): Action.LINK,
    (False, Differs.OBJECT): Action.LINK,
}
"""(overlap above lambda_ovlp, difference) to action, for a partner above lambda_coal."""

NEEDS_CHANGE: Final[Mapping[tuple[Kinship, bool, Differs], Action]] = {
    (Kinship.SAME_ATTRIBUTE, True, Differs.NOTHING): Action.MERGE,
    (Kinship.SAME_ATTRIBUTE, True, Differs.HARD): Action.LINK,
    (Kinship.SAME_ATTRIBUTE, True, Differs.OBJECT): Action.LINK,
    (Kinship.SAME_ATTRIBUTE, False, Differs.NOTHING): Action.ADD,
    (Kinship.SAME_ATTRIBUTE, False, Differs.HARD): Action.LINK,
    (Kinship.SAME_ATTRIBUTE, False, Differs.OBJECT): Action.LINK,
    (Kinship.SAME_SUBJECT, True, Differs.NOTHING): Action.MERGE,
    (Kinship.SAME_SUBJECT, True, Differs.HARD): Action.ADD,
    (Kinship.SAME_SUBJECT, True, Differs.OBJECT): Action.ADD,
    (Kinship.SAME_SUBJECT, False, Differs.NOTHING): Action.ADD,
    (Kinship.SAME_SUBJECT, False, Differs.HARD): Action.ADD,
    (Kinship.SAME_SUBJECT, False, Differs.OBJECT): Action.ADD,
    (Kinship.OTHER, True, Differs.NOTHING): Action.ADD,
    (Kinship.OTHER, True, Differs.HARD): Action.ADD,
    (Kinship.OTHER, True, Differs.OBJECT): Action.ADD,
    (Kinship.OTHER, False, Differs.NOTHING): Action.ADD,
    (Kinship.OTHER, False, Differs.HARD): Action.ADD,
    (Kinship.OTHER, False, Differs.OBJECT): Action.ADD,
}
"""(kinship, overlap above lambda_ovlp, difference) to action, for a partner above lambda_coal."""


@dataclass(frozen=True, slots=True)
class Partner:
    """A stored entry beside a new one, and the newest state of it if it was replaced.

    One that is not `similar` holds the same one-valued attribute: it may be linked, not merged.
    """

    entry: Entry
    similarity: float
    newest: Entry | None = None
    similar: bool = True


def coarsen_limit(settings: Settings, embedder: str) -> float:
    """Return lambda_coal for the vectors of an embedder."""
    return (
        settings.hashing_coarsen_similarity if is_hashing(embedder) else settings.coarsen_similarity
    )


def overlap(new: Entry, old: Entry) -> float:
    """Return |K_new and K_old| / max(1, |K_new|) over case-folded keywords (Eq. 5).

    It is normalised by the new entry's keywords, so it changes when the two are swapped.
    """
    ours = {k.casefold() for k in new.keywords}
    theirs = {k.casefold() for k in old.keywords}
    return round(len(ours & theirs) / max(1, len(ours)), 6)


@dataclass(frozen=True, slots=True)
class Limits:
    """What Eq. 5 and 6 compare with; both comparisons are strict."""

    similarity: float
    overlap: float
    needs_change: bool
    by_attribute: bool = False


def limits(settings: Settings, embedder: str) -> Limits:
    """Return the limits for the vectors of an embedder; switched off, nothing is similar."""
    similarity = coarsen_limit(settings, embedder) if settings.coarsen else math.inf
    by_attribute = settings.coarsen and settings.link_attribute
    return Limits(similarity, settings.coarsen_overlap, settings.link_needs_change, by_attribute)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one partner asks for."""

    partner: Partner
    action: Action
    change: Change
    overlap: float
    supersedes: bool

    @property
    def old(self) -> Entry:
        """The entry that the new one is joined to: the newest state of the partner."""
        return self.partner.newest or self.partner.entry


def judge(new: Entry, partner: Partner, bounds: Limits) -> Verdict:
    """Return what a partner above the similarity limit asks for.

    A replaced partner stands for its newest state: equal to that, the two may merge; else the
    new entry is a change, also where it equals the replaced one.
    """
    old = partner.newest or partner.entry
    shared = overlap(new, old)
    found, kin = change(new, old), kinship(new, old)
    if partner.newest is not None and _changes_back(new, partner.entry):
        kin = Kinship.SAME_ATTRIBUTE
    differs = OF[found]
    named_alone = kin is not Kinship.SAME_ATTRIBUTE and not says_more(new)
    overlaps = shared > bounds.overlap and not (bounds.needs_change and named_alone)
    replaces = kin is Kinship.SAME_ATTRIBUTE and differs is not Differs.NOTHING
    if not partner.similar or (partner.newest is not None and differs is not Differs.NOTHING):
        action = Action.LINK if replaces else Action.ADD
    elif bounds.needs_change:
        action = NEEDS_CHANGE[kin, overlaps, differs]
    else:
        action = AS_PRINTED[overlaps, differs]
    return Verdict(partner, action, _named(found, kin, overlaps), shared, replaces)


def _changes_back(new: Entry, replaced: Entry) -> bool:
    """Whether a new entry says again what was replaced."""
    return (
        change(new, replaced) is Change.SAME_FACT
        and kinship(new, replaced) is Kinship.SAME_ATTRIBUTE
    )


def _named(found: Change, kin: Kinship, overlaps: bool) -> Change:
    """Return the name of what decided: what differs, else whose fact it is, else the keywords."""
    if kin is Kinship.OTHER:
        return Change.OTHER_SUBJECT
    if found is Change.SAME_FACT and not overlaps:
        return Change.KEYWORDS_DIFFER
    return found


def decide(
    new: Entry, partners: Iterable[Partner], nearest: Sequence[Comparison], bounds: Limits
) -> tuple[Decision, EvolutionEdge | None]:
    """Return what becomes of an entry, and the edge if it is linked.

    `partners` are all stored entries above the similarity limit, best first, ties to the earlier
    id, then the holder of the same one-valued attribute if it is not among them; the first that asks for a merge or a link has it. `nearest` are the partners to list.
    """
    compared = tuple(nearest)
    best: Verdict | None = None
    for partner in partners:
        chosen = judge(new, partner, bounds)
        if chosen.action is not Action.ADD:
            break
        best = best or chosen
    else:
        return _added(new, best, compared), None
    similarity = chosen.partner.similarity
    decision = Decision(
        new.id, chosen.action, chosen.old.id, similarity, chosen.overlap, chosen.change, compared
    )
    if chosen.action is Action.MERGE:
        return decision, None
    edge = EvolutionEdge(chosen.old.id, new.id, similarity, chosen.overlap, chosen.supersedes)
    return decision, edge


def _added(new: Entry, best: Verdict | None, compared: tuple[Comparison, ...]) -> Decision:
    if best is not None:
        return Decision(
            new.id, Action.ADD, None, best.partner.similarity, best.overlap, best.change, compared
        )
    if compared:
        first = compared[0]
        name = Change.BELOW_SIMILARITY
        return Decision(new.id, Action.ADD, None, first.similarity, first.overlap, name, compared)
    return Decision(new.id, Action.ADD)
