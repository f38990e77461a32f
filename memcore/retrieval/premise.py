"""Whether a question takes for granted what the memory does not tell: a score against a limit.

The memory is asked once more, whatever the retriever: every turn is scored by the lexical terms of
`features`, this time without regard to who speaks. Two kinds of doubt add up to the score:

* `other_speaker`: how much likelier than a turn of the person asked about a turn of anybody else
  is to be the evidence (`margin`: both likelihoods are sums over all turns, softmax of the
  scores), and how much more of the question a single turn of theirs holds (`gap`).
* `untold_thing`: the rarest noun that the question takes for granted (`annotate.things`) and that
  the turns about the person, the best three with their neighbours, never mention.

Each is log(1 + e^(weights * signals + bias)), so their sum is -log of the chance that neither doubt is
justified. Weights are fitted on five dialogues by likelihood; tests/benchmarks/bench_premise.py
fits them anew and prints the trade-off that leaves each dialogue out in turn.

Not asked: whose evidence it is where two persons are named (either's will do), and questions for a
guess (would, might, likely), since what is inferred was said by nobody. Turned down: the margin of
the best two turns alone (3 points less), weights of the terms fitted to this end (no gain), cosines
of MiniLM's token vectors as a third kind (2 to 3 points more for 20 ms a question), the kind of the
question (it tells how the questions were made, not whether they have an answer).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.annotate.families import kin
from memcore.annotate.things import things
from memcore.errors import MemcoreError
from memcore.hypergraph.cues import asked, cues
from memcore.hypergraph.incidence import Incidence, counted, names, of_counts
from memcore.retrieval.features import NAMES, Looks, looks, matrix
from memcore.retrieval.loop import Check
from memcore.settings import Settings
from memcore.types import Anchor, AnchorKind, Memory, Premise, Query, Term, Trace, TurnId

OTHER_SPEAKER: Final = "other_speaker"
UNTOLD_THING: Final = "untold_thing"

WEIGHTS: Final[Mapping[str, float]] = {
    "turn": 0.139,
    "window": -0.044,
    "wide_window": 0.31,
    "answer": 0.093,
    "cover": 2.033,
    "session": 0.531,
    "date": 4.193,
    "length": 0.5,
    "is_question": -0.5,
    "holds_question": -0.156,
    "after_question": 0.611,
    "first": 0.883,
    "first_person": 0.477,
    "name": 0.232,
    "time_asked": 1.837,
    "number_asked": 1.672,
    "name_asked": 0.517,
    "reason_asked": 0.652,
    "quoted_asked": 1.258,
}
"""Those of `best-lexical`, without the speaker's: fitted on the five tuning dialogues."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """The weights of signals and a bias: the doubt is log(1 + e^(weights * signals + bias))."""

    weights: tuple[float, ...]
    bias: float

    def of(self, *signals: float) -> float:
        """Return the doubt, at least 0, rounded as scores are."""
        pairs = zip(self.weights, signals, strict=True)
        total = math.fsum((*(weight * signal for weight, signal in pairs), self.bias))
        return round(float(np.logaddexp(0.0, total)), 6)


OTHER: Final = Doubt((2.067, 1.971), -1.528)
"""Of margin and gap."""
UNTOLD: Final = Doubt((3.589,), -3.757)
"""Of the rarity of the thing."""

_BEST: Final = 3
"""So many of the person's best turns, with two neighbours on each side, are read for things."""
_BESIDE: Final = 2
_AS_OFS: Final = 4
_GUESS: Final = re.compile(
    r"\b(?:would|might|could|likely|probably|perhaps)\b|可能|也许|会不会", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks against a question: the log-odds of other speakers, and an untold thing.

    `margin` is None where no one person is asked about, `thing` where everything is told. `other`
    is the best turn of another speaker, `gap` how much more of the question, by rarity, the
    fullest turn of another speaker holds than that of the person, -1 to 1. `rarity` is 1 for a thing that no turn mentions.
    `guess` is a question to which neither applies.
    """

    margin: float | None = None
    other: TurnId | None = None
    gap: float = 0.0
    thing: str | None = None
    rarity: float = 0.0
    guess: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """The matrices of one as-of; `held` are the words of each turn's keys, `places` their turns."""

    index: Incidence
    seen: Looks
    speakers: NDArray[np.str_]
    held: tuple[frozenset[str], ...]
    places: Mapping[str, NDArray[np.intp]]

    def rarity(self, word: str) -> float:
        """Return 1 for a word that no turn holds, the less the more turns hold it."""
        n = len(self.held)
        df = len(self.places.get(word, ()))
        return math.log(1 + n / (df + 0.5)) / math.log(1 + 2 * n)

    def support(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return for each turn the share of the words, by rarity, that it holds."""
        found = np.zeros(len(self.held))
        for word in words:
            found[self.places.get(word, [])] += self.rarity(word)
        return found / (math.fsum(self.rarity(word) for word in words) or 1.0)


class Evidence:
    """A memory made ready to be asked what speaks against a question."""

    def __init__(
        self, memory: Memory, settings: Settings, weights: Mapping[str, float] = WEIGHTS
    ) -> None:
        self._memory, self._settings = memory, settings
        self._weights = np.array([weights.get(name, 0.0) for name in NAMES])
        unknown = sorted(weights.keys() - set(NAMES))
        if unknown:
            msg = f"there is no term {unknown[0]}; expected one of {', '.join(NAMES)}"
            raise MemcoreError(msg)
        self._anchors = {edge.anchor: edge.id for edge in memory.hypergraph.hyperedges}
        self._called = names(memory.conversation)
        self._speakers = memory.conversation.speakers
        self._ready = lru_cache(maxsize=_AS_OFS)(self._prepared)

    def _prepared(self, as_of: int | None) -> _Ready:
        found = counted(self._memory, self._settings, as_of)
        index = of_counts(self._memory, self._settings, found)
        notes = {a.turn: a for a in self._memory.annotations}
        own = [
            frozenset(w for m in notes[t].mentions for w in m.key.split()) if t in notes else _NONE
            for t in index.turns
        ]
        places: dict[str, list[int]] = {}
        for place, words in enumerate(own):
            for word in sorted(words):
                places.setdefault(word, []).append(place)
        arrays = {word: np.array(found_in, dtype=np.intp) for word, found_in in places.items()}
        speakers = np.array([t.speaker for t in found.turns])
        return _Ready(index, looks(found, index), speakers, tuple(own), arrays)

    def terms(self, query: Query, as_of: int | None = None) -> NDArray[np.float64]:
        """Return a row for each term of `features.NAMES` and a column for each turn."""
        ready = self._ready(as_of)
        found = cues(query, ready.index, self._anchors, self._called)
        looked_for = asked(ready.index, query, found)
        return matrix(ready.index, ready.seen, looked_for, query.text, self._called)

    def signals(self, query: Query, as_of: int | None = None) -> Signals:
        """Return what speaks against a question; nothing where a guess is asked for.

        What is asked in one word of a family may be told in another: that which fits best counts.
        """
        found = [self._signals(one, as_of) for one in (query, *_reworded(query))]
        return min(found, key=lambda signals: of_signals(signals, 0.0).score)

    def _signals(self, query: Query, as_of: int | None) -> Signals:
        ready = self._ready(as_of)
        n = len(ready.index.turns)
        if not n or _GUESS.search(query.text):
            return Signals(guess=True)
        scores = self._weights @ self.terms(query, as_of)
        own = ready.speakers == query.subject
        one = len(query.speakers) == 1 and own.any() and not own.all()
        thing, rarity = self._untold(query, ready, scores, own if one else np.ones(n, np.bool_))
        if not one:
            return Signals(thing=thing, rarity=rarity)
        margin = np.logaddexp.reduce(scores[~own]) - np.logaddexp.reduce(scores[own])
        best = int(np.argmax(np.where(own, -np.inf, scores)))
        held = ready.support(sorted({w for m in query.mentions for w in m.key.split()}))
        gap = held[~own].max() - held[own].max()
        return Signals(
            round(float(margin), 6), ready.index.turns[best], round(float(gap), 6), thing, rarity
        )

    def _untold(
        self, query: Query, ready: _Ready, scores: NDArray[np.float64], own: NDArray[np.bool_]
    ) -> tuple[str | None, float]:
        """Return the rarest noun that the best turns never mention, and how rare it is, 0 to 1."""
        places = np.flatnonzero(own)
        best = places[np.argsort(-np.round(scores[places], 6), kind="stable")[:_BEST]]
        told = frozenset().union(*(_around(ready, place) for place in best.tolist()))
        if all(m.key in told for m in query.mentions):  # tagging costs most of the time
            return None, 0.0
        missing = {
            m.key: ready.rarity(m.key) for m in things(query, self._speakers) if m.key not in told
        }
        if not missing:
            return None, 0.0
        key = min(missing, key=lambda k: (-missing[k], k))
        return key, round(missing[key], 6)


_NONE: Final[frozenset[str]] = frozenset()


def _reworded(query: Query) -> Iterator[Query]:
    """Yield the question with each word of a family replaced by each other word of it."""
    for word in dict.fromkeys(m.key for m in query.mentions):
        for other in kin(word):
            mentions = tuple(replace(m, key=other) if m.key == word else m for m in query.mentions)
            yield replace(query, mentions=mentions)


def _around(ready: _Ready, place: int) -> frozenset[str]:
    """Return the words of a turn and of its neighbours in the session."""
    session = ready.index.session
    near = range(max(0, place - _BESIDE), min(len(session), place + _BESIDE + 1))
    return _NONE.union(*(ready.held[n] for n in near if session[n] == session[place]))


def of_signals(found: Signals, limit: float) -> Premise:
    """Return the premise of a question: each doubt a term, named by what gave rise to it."""
    if found.guess:
        return Premise(0.0, limit)
    anchor = Anchor(AnchorKind.LEXICAL, found.thing) if found.thing else None
    terms = [Term(UNTOLD_THING, UNTOLD.of(found.rarity), anchor)]
    if found.margin is not None:
        terms.insert(0, Term(OTHER_SPEAKER, OTHER.of(found.margin, found.gap), found.other))
    return Premise(round(math.fsum(t.amount for t in terms), 6), limit, tuple(terms))


def premise(memory: Memory, settings: Settings) -> Check:
    """Return the check of a memory, made ready at its first question; None without a hypergraph."""

    @lru_cache(maxsize=1)
    def evidence() -> Evidence:
        return Evidence(memory, settings)

    def check(trace: Trace) -> Premise | None:
        if not memory.hypergraph.hyperedges:
            return None
        found = evidence().signals(trace.query, trace.as_of)
        return of_signals(found, trace.settings.premise_limit)

    return check
