"""How well each sentence of a packet fits the question: a few plain sums over shared keys.

A key counts by how rare it is among the items of the packet. Chosen: sentence before item before
neighbour, since the answer stands in or beside the words of the question. Turned down: cosines of
an encoder, which need a model to be loaded and gain nothing inside a packet that was chosen by it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memcore.annotate.families import HOMES, canonical
from memcore.annotate.languages import CHINESE
from memcore.readers import chinese
from memcore.readers.evidence import Piece
from memcore.types import Query, QuestionType

_ITEM: Final = 0.5
_NEIGHBOUR: Final = 0.35
_SUBJECT: Final = 0.8
_KIND: Final = 0.8
_ASKS: Final = -0.8
_UNREAL: Final = 0.75
_IN_TIME: Final = 1.0
_WORDING: Final = 0.8
_POLARITY: Final = -0.4
_CAPTION: Final = 0.8
_NO_CAPTION: Final = -0.4
_OTHER: Final = re.compile(r"(?:[A-Z]\w+ )+(?:is|was|has|had|[a-z]+(?:s|ed)) ")
_SPEAKER: Final = re.compile(r"\b(?:I|me|my|mine|we|us|our)\b|\bI['\u2019]", re.IGNORECASE)
_PLANNED: Final = re.compile(
    r"(?:\b(?:am|is|are)|['\u2019](?:m|re)) (?:not |still )?\w+ing\b|\bwill\b|['\u2019]ll\b"
    r"|n['\u2019]t\b|\bnot\b|\bnever\b|\b(?:might|want to|plan to|hope to|would like)\b",
    re.IGNORECASE,
)
_MOVED: Final = re.compile(
    r"\b(?:moved|relocated)\b(?: \w+){0,4}? (?:to|into) (?:the )?[A-Z]|\bsettled (?:down )?in [A-Z]"
)


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence and its score; `shared` are the question's keys in its item, `own` in itself.

    `about` says whether the sentence is by, or names, the person asked about.
    """

    piece: Piece
    score: float
    shared: tuple[str, ...]
    own: tuple[str, ...] = ()
    about: bool = False


def keys_of(query: Query) -> tuple[str, ...]:
    """Return the question's keys, names of the speakers left out, sorted."""
    return tuple(sorted({canonical(m.key) for m in query.mentions}))


def matches(query: Query, found: Sequence[Piece], *, past: bool = False) -> tuple[Match, ...]:
    """Return every sentence with its score, best first; ties go to the earlier one.

    A question about the `past` is not answered by what is only planned, or denied.
    """
    asked = keys_of(query)
    items = {p.place: p for p in found}
    held = Counter(k for p in items.values() for k in p.around)
    weights = {k: math.log(1 + (len(items) + 1) / (held[k] + 0.5)) for k in asked}
    scored = [
        Match(
            p,
            round(_real(query, p, past=past) * _score(query, p, items, weights), 6),
            _shared(asked, p.around),
            _shared(asked, p.keys),
            _about_subject(query, p),
        )
        for p in found
    ]
    return tuple(sorted(scored, key=lambda m: -m.score))


def housed(query: Query, found: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return the sentences, where a home is asked about, with its key on those that tell of a move.

    Who moved to a place lives there, though the sentence has no word of the question.
    """
    home = next((k for k in keys_of(query) if k in HOMES), "")
    moved = {p.place for p in found if _MOVED.search(p.text)}
    if query.kind not in {QuestionType.WHERE, QuestionType.YES_NO} or not home or not moved:
        return tuple(found)
    return tuple(
        replace(
            p,
            keys=(*p.keys, home) if home not in p.keys and _MOVED.search(p.text) else p.keys,
            around=(*p.around, home) if home not in p.around and p.place in moved else p.around,
        )
        for p in found
    )


def _score(
    query: Query, piece: Piece, items: Mapping[int, Piece], weights: Mapping[str, float]
) -> float:
    own = _sum(weights, piece.keys)
    item = _sum(weights, piece.around) - own
    before = items.get(piece.place - 1)
    beside = _sum(weights, set(before.around) - set(piece.around)) if before else 0.0
    return math.fsum(
        (
            own,
            _ITEM * item,
            _NEIGHBOUR * beside,
            _SUBJECT * _about_subject(query, piece),
            _KIND * fits_kind(query.kind, piece),
            _ASKS * piece.asks,
            _IN_TIME * in_time(query, piece),
            (_CAPTION if of_picture(query) else _NO_CAPTION) * piece.caption,
            _in_chinese(query, piece),
        )
    )


def _in_chinese(query: Query, piece: Piece) -> float:
    """Return what the wording of a Chinese sentence adds: its characters, and what it denies."""
    if query.language != CHINESE:
        return 0.0
    other = query.kind is QuestionType.WHY and chinese.denies(query.text) != chinese.denies(
        piece.text
    )
    return _WORDING * chinese.overlap(query.text, piece.text) + _POLARITY * other


def _real(query: Query, piece: Piece, *, past: bool) -> float:
    """Return the share of its score that a sentence keeps: less for a plan if the past is asked."""
    told = query.kind in {QuestionType.WHY, QuestionType.YES_NO}
    return _UNREAL if past and not told and is_unreal(piece.text) else 1.0


def in_time(query: Query, piece: Piece) -> bool:
    """Whether a sentence was said, or tells of something, in the time that the question names."""
    asked, said = query.interval, piece.said.at
    if asked is None:
        return False
    told = any(t.interval.start < asked.end and asked.start < t.interval.end for t in piece.times)
    return told or bool(said and asked.start <= said < asked.end)


def of_picture(query: Query) -> bool:
    """Whether the question is about a picture."""
    return any(k in PICTURES for m in query.mentions for k in m.key.split())


def _sum(weights: Mapping[str, float], keys: Sequence[str] | set[str]) -> float:
    return math.fsum(weights[k] for k in sorted(keys) if k in weights)


def _shared(asked: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(k for k in asked if k in keys)


def _about_subject(query: Query, piece: Piece) -> bool:
    """Whether the sentence is by the person asked about, or names them."""
    subject = query.subject.casefold()
    return bool(subject) and (
        subject in piece.text.casefold()
        or (piece.speaker.casefold() == subject and not of_another(piece.text))
    )


def of_another(text: str) -> bool:
    """Whether a sentence begins with a name that does something and says nothing of its speaker.

    >>> of_another("Ruth lives in Lisbon."), of_another("Ruth rang me."), of_another("Ruth, I ran.")
    (True, False, False)
    """
    return bool(_OTHER.match(text)) and not _SPEAKER.search(text)


def is_unreal(text: str) -> bool:
    """Whether a sentence tells a plan, a wish or a denial, nothing that took place."""
    return bool(_PLANNED.search(text))


def fits_kind(kind: QuestionType, piece: Piece) -> bool:
    """Whether the sentence holds what a question of the kind asks for."""
    if kind is QuestionType.WHEN:
        return bool(piece.times)
    if kind in {QuestionType.HOW_MANY, QuestionType.HOW_LONG}:
        return any(
            w.strip(".,!?").casefold() in NUMBERS or w[:1].isdigit() for w in piece.text.split()
        ) or bool(_CHINESE_COUNTS[kind].search(piece.text))
    if kind in {QuestionType.WHO, QuestionType.WHERE}:
        return bool(piece.names)
    if kind is QuestionType.WHY:
        return any(word in piece.text.casefold() for word in REASONS)
    return False


_CHINESE_COUNTS: Final = {
    QuestionType.HOW_MANY: chinese.MEASURED,
    QuestionType.HOW_LONG: chinese.LENGTH,
}
_COUNTS: Final = """
one two three four five six seven eight nine ten eleven twelve twenty thirty once twice several
couple few dozen hundred thousand
"""
NUMBERS: Final = frozenset(_COUNTS.split())
REASONS: Final = ("because", "since ", "so that", "to ", "因为", "所以", "为了")
_PICTURE_STEMS: Final = "photo pictur pic imag share show poster sign paint draw"
PICTURES: Final = frozenset((*_PICTURE_STEMS.split(), "照片", "相片", "图片", "图"))
