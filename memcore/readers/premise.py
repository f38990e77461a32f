"""Whether the evidence can answer at all: asked about X but said by Y, unknown names, weak support.

Where the whole memory was asked (`Context.premise`, see `retrieval.premise`), its score decides, both
for the warning above every answer and for the refusal of the local reader. A packet without it, as
one from outside, is judged by itself (`judge`): support is the share of the question's keys, weighted
by rarity, that one item and the item before it hold. On five dialogues that refuses 40 % of the 235
unanswerable questions and 9 % of the 764 answerable ones; a floor on the support refuses both kinds
alike, so it is off by default. Unknown names are a warning and no refusal: 3 % of both kinds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memcore.annotate.families import canonical
from memcore.annotate.keys import stem
from memcore.readers.evidence import Piece
from memcore.readers.match import Match, keys_of
from memcore.retrieval.premise import OTHER_SPEAKER, UNTOLD_THING
from memcore.settings import Settings
from memcore.types import (
    AnchorKind,
    Context,
    EntryId,
    Memory,
    Premise,
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
    """One item of the packet: who speaks, which keys it tells, and which it only asks about."""

    speaker: str
    keys: frozenset[str]
    asked: frozenset[str] = frozenset()


def check(trace: Trace, context: Context, memory: Memory) -> tuple[Warning, ...]:
    """Return what a reader of the answer should know before it, worst first."""
    notes = {a.turn: frozenset(canonical(m.key) for m in a.mentions) for a in memory.annotations}
    speakers = {t.id: t.speaker for t in memory.conversation.turns}
    spans = [s for s in context.spans if s.part is SpanPart.ITEM]
    if not spans:
        return (_empty(trace),)
    counts = Counter(k for keys in notes.values() for k in keys)
    if context.premise is not None:
        return (*unknown_names(trace.query, counts.keys()), *doubts(context.premise))
    subject = trace.query.subject
    held = [
        Held(subject if _names(context, s, subject) else _speaker(s, speakers), _keys(s, notes))
        for s in spans
    ]
    weights = rarity(keys_of(trace.query), counts, len(notes))
    found = judge(trace.query, held, weights, trace.settings)
    return (*unknown_names(trace.query, counts.keys()), *found)


_WARNINGS: Final[Mapping[str, Warning]] = {
    OTHER_SPEAKER: Warning.OTHER_SUBJECT,
    UNTOLD_THING: Warning.UNTOLD_THING,
}


def doubts(premise: Premise) -> tuple[Warning, ...]:
    """Return the warnings of the terms that make at least half of a score above its limit."""
    if not premise.doubtful:
        return ()
    return tuple(_WARNINGS[t.name] for t in premise.terms if 2 * t.amount >= premise.score)


def _empty(trace: Trace) -> Warning:
    """Return why the packet is empty: nothing fitted the budget, or nothing was found."""
    over = {Reason.OVER_TOKEN_BUDGET, Reason.OVER_TURN_BUDGET}
    dropped = {d.reason for step in trace.steps for d in step.dropped}
    return Warning.OVER_BUDGET if dropped & over else Warning.NOTHING_FOUND


def _names(context: Context, span: Span, subject: str) -> bool:
    """Whether a fact is about the subject; a turn is by who speaks."""
    fact = isinstance(span.item, EntryId)
    return fact and bool(subject) and subject.casefold() in context.words(span).casefold()


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


_GIVEN: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+|[\"“]|叫")
_UNITS: Final = frozenset({"day", "date", "week", "month", "year", "time"})
_NAMING: Final = frozenset({"name", "call", "名字", "叫"})


def names_it(query: Query, found: Sequence[Match]) -> bool:
    """Whether an item that holds a word of a question for a name holds any name at all."""
    places = {m.piece.place for m in found if set(m.shared) - _NAMING}
    return any(
        m.piece.place in places
        and (
            any(n.casefold() not in query.text.casefold() for n in m.piece.names)
            or _GIVEN.search(m.piece.text)
        )
        for m in found
    )


def unsupported(query: Query, found: Sequence[Piece], settings: Settings) -> bool:
    """Whether what a question asks about a third person is told, but only of others.

    An item is about the person if it names them, or follows one that does and names nobody else.
    """
    name = _third_person(query)
    rest = {canonical(m.key) for m in query.mentions if not name & _words(m.key)} - _UNITS
    if query.subject or not name or not rest:
        return False
    items = {p.place: p for p in found}
    naming = {place for place, p in items.items() if name <= _words(*p.around)}
    if not naming:  # perhaps a name that the packet does not use
        return False
    named = {p.place for p in found if p.names}
    own = naming | {place for place in items if place - 1 in naming and place not in named}
    held = tuple(
        Held("own" if place in own else "", frozenset(p.around)) for place, p in items.items()
    )
    counts = Counter(k for h in held for k in h.keys)
    asked = replace(query, subject="own")
    return Warning.OTHER_SUBJECT in judge(asked, held, rarity(rest, counts, len(held)), settings)


def _third_person(query: Query) -> frozenset[str]:
    """Return the words of the first name in a question, a role right before it included."""
    names = [m for m in query.mentions if m.kind is AnchorKind.ENTITY]
    if not names:
        return frozenset()
    first = max((m for m in names if m.start == names[0].start), key=lambda m: m.end)
    role = [m.key for m in query.mentions if m.end == first.start]
    return _words(first.key, *role)


def _words(*keys: str) -> frozenset[str]:
    return frozenset(stem(word) for key in keys for word in key.split())


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
    before = held[n - 1].keys | held[n - 1].asked if n else frozenset()
    parts = (w * (1.0 if k in own else _HELP * (k in before)) for k, w in sorted(weights.items()))
    return round(math.fsum(parts) / whole, 6)
