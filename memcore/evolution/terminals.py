"""Terminals (Eq. 7): the best entries by cosine and the best by BM25, each once.

Each list is a stage of its own with its own candidates, so that one sees which way an entry came;
the union drops the second way. An entry that does not name the asked person loses a share of its
score, as a negative term.

The paper's union has no order. In the `safe` preset it is ranked by reciprocal rank fusion of both
lists, so that what is cut later is the worst of all and not what only BM25 found; in `paper` the
list by cosine comes first. Measured on conv-26 of LoCoMo: R@10 is 61.0 fused and 46.6 not. A sum of
cosine and BM25 was turned down: at its best weight R@10 is 60.0, and an entry that is in one list
only needs a made-up score for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from memcore.evolution.facts import Facts, lexical_keys
from memcore.scoring import Scores
from memcore.seams import Embedder
from memcore.types import (
    Anchor,
    AnchorKind,
    Beat,
    Candidate,
    Drop,
    Item,
    Memory,
    Placement,
    Query,
    Reason,
    Rest,
    Step,
    Term,
    Trace,
    ranked,
    scored,
)

Stage = Callable[[Memory, Trace], Step]


def asked_persons(query: Query) -> frozenset[str]:
    """Return whom the question is about, case-folded: the subject, else all speakers named."""
    names = (query.subject,) if query.subject else query.speakers
    return frozenset(name.casefold() for name in names)


@dataclass(frozen=True, slots=True)
class Listed:
    """One ranked list over all entries: summands by name or key, (names, entries), and its members."""

    channel: str
    names: tuple[str | Anchor, ...]
    amounts: Scores
    mask: NDArray[np.bool_]

    def step(self, facts: Facts, trace: Trace, k: int) -> Step:
        """Return the step that keeps the best k, lists those just below and counts the rest."""
        totals = np.round(self.amounts.sum(axis=0), 6)
        order = np.lexsort((np.arange(len(totals)), -totals))
        order = order[self.mask[order]]
        listed = [self._candidate(facts, int(n)) for n in order[: max(k, trace.settings.collect_k)]]
        dropped = tuple(
            Drop(c.item, Reason.BELOW_TOP_K, rank, k, self.channel)
            for rank, c in enumerate(listed[k:], k + 1)
        )
        rest = totals[order[len(listed) :]]
        limit = listed[k - 1].score if 0 < k <= len(listed) else 0.0
        counted = (Rest(len(rest), Reason.BELOW_TOP_K, float(rest[0]), limit),) if len(rest) else ()
        kept = (*trace.candidates, *listed[:k])
        return Step(
            self.channel,
            Beat.COLLECT,
            trace.candidates,
            tuple(listed),
            kept,
            dropped,
            rest=counted,
        )

    def _candidate(self, facts: Facts, place: int) -> Candidate:
        pairs = zip(self.names, self.amounts[:, place], strict=True)
        terms = [_term(name, float(amount)) for name, amount in pairs if amount]
        return scored(facts.entries[place].id, terms, self.channel)


def _term(name: str | Anchor, amount: float) -> Term:
    """Return the summand of a name, or of a key of the question."""
    return Term("key", amount, name) if isinstance(name, Anchor) else Term(name, amount)


def _weighed(
    facts: Facts, query: Query, channel: str, names: Sequence[str | Anchor], by: Scores
) -> Listed:
    """Return the list with one more summand: what an entry loses if it names another person.

    `by` has one row a name. The mask has every entry; it is narrowed by the caller.
    """
    loss = (facts.settings.other_person_factor - 1) * np.maximum(by.sum(axis=0), 0.0)
    loss = np.where(facts.names_none(asked_persons(query)), np.round(loss, 6), 0.0)
    amounts: Scores = np.vstack([by, loss])
    everyone = np.ones(len(facts.entries), dtype=np.bool_)
    return Listed(channel, (*names, "other_person"), amounts, everyone)


def dense(facts: Facts, embedder: Embedder) -> Stage:
    """Return the stage that collects the best entries by cosine with the question."""

    def collect(_memory: Memory, trace: Trace) -> Step:
        known = facts.at(trace.as_of).known
        cosines = np.zeros(0)
        if facts.entries:
            vector = embedder.encode([trace.question])[0]
            cosines = np.clip(facts.vectors @ vector, -1.0, 1.0).astype(np.float64)
        by: Scores = np.round(cosines, 6)[np.newaxis]
        found = _weighed(facts, trace.query, "dense", ("cosine",), by)
        return replace(found, mask=known).step(facts, trace, facts.settings.semantic_k)

    return collect


def _anchors(keys: Sequence[str]) -> tuple[Anchor, ...]:
    return tuple(Anchor(AnchorKind.LEXICAL, key) for key in keys)


def lexical(facts: Facts) -> Stage:
    """Return the stage that adds the best entries by BM25; one without a shared key is none."""

    def collect(_memory: Memory, trace: Trace) -> Step:
        known = facts.at(trace.as_of).known
        keys = facts.index.matched(lexical_keys(trace.question))
        rows = [np.round(facts.index.scores((key,)), 6) for key in keys]
        by: Scores = np.array(rows).reshape(len(keys), len(facts.entries))
        found = _weighed(facts, trace.query, "lexical", _anchors(keys), by)
        mask = known & (by.sum(axis=0) > 0)
        return replace(found, mask=mask).step(facts, trace, facts.settings.lexical_k)

    return collect


def terminals(_memory: Memory, trace: Trace) -> Step:
    """Keep each entry once: the way it came first stays, the second is dropped as duplicate."""
    kept: dict[Item, Candidate] = {}
    dropped: list[Drop] = []
    for found in trace.candidates:
        if found.item in kept:
            dropped.append(
                Drop(found.item, Reason.DUPLICATE, channel=found.channel, other=found.item)
            )
        else:
            kept[found.item] = found
    union = tuple(kept.values())
    return Step(
        "terminals",
        Beat.COLLECT,
        trace.candidates,
        kept=_fused(trace, union) if trace.settings.fuse_terminals else union,
        dropped=tuple(dropped),
    )


def _fused(trace: Trace, union: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the union by the sum of 1 / (k + rank) over the lists that kept an entry."""
    places: dict[Item, list[Placement]] = {}
    for name in ("dense", "lexical"):
        mine = [c.item for c in trace.candidates if c.channel == name]
        for rank, item in enumerate(mine, 1):
            places.setdefault(item, []).append(Placement(name, rank))
    k = trace.settings.rrf_k

    def placed(c: Candidate) -> Candidate:
        found = tuple(places.get(c.item, ()))
        score = round(fsum(1 / (k + place.rank) for place in found), 6)
        return Candidate(c.item, score, channel=c.channel, placements=found)

    return ranked(placed(c) for c in union)
