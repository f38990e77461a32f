"""Whether the evidence can answer at all: asked about X but said by Y, unknown names, weak support.

One rule serves the warning above every answer (`check`, with the memory's own annotations) and the
refusal of the local reader (`judge`, with what it annotated itself). Support is the share of the
question's keys, weighted by rarity, that one item and the item before it hold.

Measured with edgemem on five dialogues (999 questions), margin of `judge` against the share of the
235 unanswerable questions refused, and of the 764 answerable ones wrongly refused: 0 refuses 59 and
15 %, 0.08 51 and 11 %, 0.16 40 and 9 %, 0.3 27 and 4 %. A floor on the support alone refuses both
kinds alike, so it is off by default. Unknown names are a warning and no refusal: 3 % of both kinds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.readers.match import keys_of
from memcore.settings import Settings
from memcore.types import (
    AnchorKind,
    Context,
    Memory,
    Query,
    Reason,
    Span,
    SpanPart,
    Trace,
    TurnId,
    Warning,
)

_HELP: Final = 0.2
"""What a key counts that only the item before holds: the question that this item answers."""


@dataclass(frozen=True, slots=True)
class Held:
    """One item of the packet: who speaks, and which keys it holds."""

    speaker: str
    keys: frozenset[str]


def check(trace: Trace, context: Context, memory: Memory) -> tuple[Warning, ...]:
    """Return what a reader of the answer should know before it, worst first."""
    notes = {a.turn: frozenset(m.key for m in a.mentions) for a in memory.annotations}
    speakers = {t.id: t.speaker for t in memory.conversation.turns}
    spans = [s for s in context.spans if s.part is SpanPart.ITEM]
    if not spans:
        return (_empty(trace),)
    held = [Held(_speaker(s, speakers), _keys(s, notes)) for s in spans]
    counts = Counter(k for keys in notes.values() for k in keys)
    weights = rarity(keys_of(trace.query), counts, len(notes))
    found = judge(trace.query, held, weights, trace.settings)
    return (*unknown_names(trace.query, counts.keys()), *found)


def _empty(trace: Trace) -> Warning:
    """Return why the packet is empty: nothing fitted the budget, or nothing was found."""
    over = {Reason.OVER_TOKEN_BUDGET, Reason.OVER_TURN_BUDGET}
    dropped = {d.reason for step in trace.steps for d in step.dropped}
    return Warning.OVER_BUDGET if dropped & over else Warning.NOTHING_FOUND


def _speaker(span: Span, speakers: Mapping[TurnId, str]) -> str:
    return span.speaker or next((speakers[t] for t in span.sources if t in speakers), "")


def _keys(span: Span, notes: Mapping[TurnId, frozenset[str]]) -> frozenset[str]:
    return frozenset(k for turn in span.sources for k in notes.get(turn, ()))


def rarity(asked: Iterable[str], counts: Mapping[str, int], n: int) -> Mapping[str, float]:
    """Return the weight of each asked key: the fewer of `n` items hold it, the more it counts."""
    return {k: math.log(1 + (n + 1) / (counts.get(k, 0) + 0.5)) for k in asked}


def unknown_names(query: Query, known: Iterable[str]) -> tuple[Warning, ...]:
    """Return a warning if the question names something that no known key names."""
    held = set(known)
    names = [m.key for m in query.mentions if m.kind is AnchorKind.ENTITY]
    unknown = [n for n in names if n not in held and not held.issuperset(n.split())]
    return (Warning.UNKNOWN_NAME,) if unknown else ()


def judge(
    query: Query, held: Sequence[Held], weights: Mapping[str, float], settings: Settings
) -> tuple[Warning, ...]:
    """Return the warnings that the items of a packet give rise to; each is a reason to refuse."""
    supports = [_support(held, n, weights) for n in range(len(held))]
    best = max(supports, default=0.0)
    if best == 0.0:
        return (Warning.NOTHING_FOUND,)
    found = [Warning.BELOW_FLOOR] if best < settings.refusal_floor else []
    own = [s for s, h in zip(supports, held, strict=True) if h.speaker == query.subject]
    if query.subject and best - max(own, default=0.0) > settings.premise_margin:
        found.insert(0, Warning.OTHER_SUBJECT)
    return tuple(found)


def _support(held: Sequence[Held], n: int, weights: Mapping[str, float]) -> float:
    """Return the share of the asked weight that an item, helped by the one before, holds."""
    whole = math.fsum(weights.values())
    if not whole:
        return 0.0
    own = held[n].keys
    before = held[n - 1].keys if n else frozenset()
    parts = (w * (1.0 if k in own else _HELP * (k in before)) for k, w in sorted(weights.items()))
    return round(math.fsum(parts) / whole, 6)
