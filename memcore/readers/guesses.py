"""Which stretch of which sentence of a packet answers: a sum of named, fitted weights.

A guess counts by its sentence (the words of the question in it and around it, how early the
retriever chose its item, who speaks) and by the stretch itself (see `spans`). Sentence and stretch
compete in one sum, since the best sentence often repeats the question while the next one answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.annotate.pipelines import english_parser
from memcore.readers.asked import Wish
from memcore.readers.evidence import Piece
from memcore.readers.many import asks_many
from memcore.readers.match import Match, fits_kind, in_time, is_unreal, keys_of, of_picture
from memcore.readers.spans import Asked, Features, asked_of, stretches
from memcore.types import Query

_SENTENCES: Final = 12
"""How many of the best sentences are searched."""
_LEADING: Final = 4
"""All sentences of so many items that the retriever chose first are searched too."""


@dataclass(frozen=True, slots=True)
class Option:
    """A stretch of a sentence that may answer, and the features of both."""

    text: str
    match: Match
    features: Features


@dataclass(frozen=True, slots=True)
class Guess:
    """A stretch of a sentence that may answer, and how much speaks for it."""

    text: str
    score: float
    match: Match


@dataclass(frozen=True, slots=True)
class Options:
    """All stretches that may answer, and whether the question asks for several."""

    given: tuple[Option, ...]
    many: bool = False

    def ranked(self, weights: Mapping[str, float]) -> tuple[Guess, ...]:
        """Return the stretches as guesses, best first."""
        made = (Guess(o.text, _sum(o.features, weights), o.match) for o in self.given)
        return tuple(sorted(made, key=lambda g: -g.score))


@dataclass(frozen=True, slots=True)
class _Packet:
    """The items of a packet by place, what each only asks, and the weight of each asked key."""

    items: Mapping[int, Piece]
    asking: Mapping[int, frozenset[str]]
    weights: Mapping[str, float]

    def share(self, keys: Sequence[str] | frozenset[str]) -> float:
        """Return the share of the asked weight that some keys hold."""
        whole = math.fsum(self.weights.values()) or 1.0
        return math.fsum(self.weights[k] for k in sorted(set(keys)) if k in self.weights) / whole


def options(wish: Wish, found: Sequence[Match]) -> Options:
    """Return every stretch of the sentences that fit, with its features; `found` is best first."""
    packet = _packet(wish.query, [m.piece for m in found])
    near = [(n, m) for n, m in enumerate(found) if n < _SENTENCES or 0 < m.piece.rank <= _LEADING]
    question, *docs = english_parser().pipe([wish.query.text, *(m.piece.text for _, m in near)])
    asked = asked_of(wish, question)
    best = found[0].score
    made: list[Option] = []
    for (n, match), doc in zip(near, docs, strict=True):
        told = (*_sentence(asked, match, packet), ("s first", float(n == 0)))
        fits = tuple((name, value) for name, value in told if value)
        fits = (*fits, ("s behind", best - match.score))
        made += (Option(s.text, match, (*fits, *s.features)) for s in stretches(asked, doc))
    return Options(tuple(made), asks_many(wish.query.kind, question))


def _sum(features: Features, weights: Mapping[str, float]) -> float:
    return round(math.fsum(weights.get(name, 0.0) * value for name, value in features), 6)


def _packet(query: Query, pieces: Sequence[Piece]) -> _Packet:
    items = {p.place: p for p in pieces}
    held = Counter(k for p in items.values() for k in p.around)
    weights = {k: math.log(1 + (len(items) + 1) / (held[k] + 0.5)) for k in keys_of(query)}
    asking: dict[int, frozenset[str]] = {}
    for piece in pieces:
        if piece.asks:
            asking[piece.place] = asking.get(piece.place, frozenset()) | set(piece.keys)
    return _Packet(items, asking, weights)


def _sentence(asked: Asked, match: Match, packet: _Packet) -> Iterator[tuple[str, float]]:
    """Yield what speaks for a sentence."""
    piece, query = match.piece, asked.wish.query
    yield from _ranks(piece, packet)
    yield from _words(piece, packet)
    yield "s none own", float(not match.own)
    yield "s asks", float(piece.asks)
    yield "s caption", float(piece.caption)
    yield "s about", float(match.about)
    yield "s verb", float(asked.verb in piece.keys)
    yield "s unreal", float(asked.wish.past and is_unreal(piece.text))
    yield "s intime", float(in_time(query, piece))
    yield "s kind", float(fits_kind(query.kind, piece))
    yield "s picture", float(of_picture(query) and piece.caption)
    other = bool(query.subject) and piece.speaker.casefold() != query.subject.casefold()
    yield "s other speaker", float(other)


def _ranks(piece: Piece, packet: _Packet) -> Iterator[tuple[str, float]]:
    if piece.rank:
        yield "s rank", 1 / piece.rank
        yield "s logrank", math.log(piece.rank) / 3
        yield "s top", float(piece.rank == 1)
    for name, place in (("s before rank", piece.place - 1), ("s after rank", piece.place + 1)):
        beside = packet.items.get(place)
        if beside is not None and beside.rank:
            yield name, 1 / beside.rank


def _words(piece: Piece, packet: _Packet) -> Iterator[tuple[str, float]]:
    own = packet.share(piece.keys)
    item = packet.share(piece.around) - own
    before = packet.items.get(piece.place - 1)
    beside = packet.share(frozenset(before.around) - set(piece.around)) if before else 0.0
    asked = packet.asking.get(piece.place - 1, frozenset()) - set(piece.keys)
    yield "s own", own
    yield "s item", item
    yield "s beside", beside
    yield "s asked before", packet.share(asked)
    yield "s all", own + item + beside
