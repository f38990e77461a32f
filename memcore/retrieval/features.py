"""The named terms that `best` and `best-lexical` weigh, all but those of the token vectors.

Keys count over the turn, over windows and over the session, each standardised over the turns of
the dialogue; the rest is what a turn looks like and whether it can hold the kind of answer asked
for. Nothing here knows a weight. Trees over the same terms were turned down: they overfit.

The keys of the hypergraph leave out the small words, "make", "want", "feel"; `words` brings them
back, weighed by their rarity, for this sum only: worth 1.5 points of R@5 and 1 of R@10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.hypergraph.cues import Asked
from memcore.hypergraph.incidence import Counted, Incidence, Keys, beside
from memcore.retrieval import latent, words
from memcore.scoring import Scores, bm25_weights
from memcore.types import Interval, QuestionType, Turn

K1: Final = 1.2
B: Final = 0.75
WINDOWS: Final = (("turn", 0, 0), ("window", -2, 1), ("wide_window", -2, 2))
"""The documents that are weighed by BM25: name, turns before, turns after."""

FADES_AFTER: Final = 10.0
"""Days after a date range in which the fit falls to 1/e: people tell of what was."""
FADES_BEFORE: Final = 2.0
"""The same before it."""

_DAY: Final = 86_400.0
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|twice|once)\b|[一二三四五六七八九十两]",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“«《「][^\"”»》」]{2,}[\"”»》」]")
_REASON: Final = re.compile(
    r"\b(?:because|since|so that|wanted to|want to|in order|feel|felt|inspired|helps?|love)\b|因为|为了|想",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b|我", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_TITLED: Final = re.compile(
    r"\b(?:book|movie|film|song|show|game|title|album|series|poem)s?\b|书|电影|歌", re.IGNORECASE
)

_LOOKS: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    ("number", lambda text: bool(_NUMBER.search(text))),
    ("quoted", lambda text: bool(_QUOTED.search(text))),
    ("reason", lambda text: bool(_REASON.search(text))),
    ("first_person", lambda text: bool(_FIRST_PERSON.search(text))),
    ("name", lambda text: bool(_NAME.search(text))),
)
_ANSWERS: Final[tuple[tuple[str, str, tuple[QuestionType, ...]], ...]] = (
    ("time_asked", "time", (QuestionType.WHEN, QuestionType.HOW_LONG)),
    ("number_asked", "number", (QuestionType.HOW_MANY, QuestionType.HOW_LONG)),
    ("name_asked", "name", (QuestionType.WHO, QuestionType.WHERE)),
    ("reason_asked", "reason", (QuestionType.WHY,)),
)
"""What a turn has that a kind of question asks for: term, look, kinds."""

NAMES: Final = (
    *(name for name, _, _ in WINDOWS),
    "answer",
    *words.NAMES,
    latent.NAME,
    "cover",
    "session",
    "date",
    "subject",
    "length",
    "is_question",
    "holds_question",
    "after_question",
    "first",
    "first_person",
    "name",
    *(name for name, _, _ in _ANSWERS),
    "quoted_asked",
)
"""The terms, in the order in which they are written."""

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What the turns of a memory look like, made once: each row is one number a turn."""

    windows: tuple[Keys, ...]
    words: words.Words
    latent: latent.Latent
    length: Row
    first: Row
    after_question: Row
    time: Row
    named: tuple[tuple[str, Row], ...]

    def row(self, name: str) -> Row:
        """Return a named row."""
        return self.time if name == "time" else next(row for n, row in self.named if n == name)


def looks(found: Counted, index: Incidence) -> Looks:
    """Return what the turns look like."""
    texts = [turn.text for turn in found.turns]
    time = np.zeros(len(texts))
    time[index.dates.places] = 1
    keys = np.diff(found.counts.indptr)
    held = words.words([turn.content for turn in found.turns], index.session, index.asks)
    return Looks(
        windows=tuple(_window(found, lo, hi) for _, lo, hi in WINDOWS),
        words=held,
        latent=latent.latent(held),
        length=np.log1p(keys.astype(np.float64)),
        first=_first(found.turns),
        after_question=index.shifted(index.asks.astype(np.float64), -1),
        time=time,
        named=tuple(
            (name, np.array([1.0 if holds(text) else 0.0 for text in texts]))
            for name, holds in _LOOKS
        ),
    )


def _first(turns: Sequence[Turn]) -> Row:
    before = [None, *(turn.id.session for turn in turns)]
    return np.array(
        [1.0 if turn.id.session != last else 0.0 for turn, last in zip(turns, before, strict=False)]
    )


def _window(found: Counted, low: int, high: int) -> Keys:
    groups = beside(found.session, -low, high)
    return Keys(bm25_weights(found.joined(groups), K1, B).tocsc())


def standard(row: Row) -> Row:
    """Return the row with mean 0 and deviation 1; all zeros where it does not vary."""
    deviation = float(row.std()) if len(row) else 0.0
    return (row - row.mean()) / deviation if deviation > 1e-9 else np.zeros(len(row))


def _summed(keys: Keys, columns: Sequence[int], size: int) -> Scores:
    found = np.zeros(size)
    for n in columns:
        places, amounts = keys.column(n)
        found[places] += amounts
    return found


def _cover(index: Incidence, window: Keys, columns: Sequence[int]) -> Row:
    """The share of the question's keys, by their idf, that the window of each turn holds."""
    found = np.zeros(len(index.turns))
    for n in columns:
        found[window.column(n)[0]] += index.idf(n)
    return found / (sum(index.idf(n) for n in columns) or 1.0)


def matrix(
    index: Incidence, seen: Looks, asked: Asked, question: str, called: frozenset[str]
) -> NDArray[np.float64]:
    """Return one row a term, in the order of NAMES, and one column a turn.

    `called` are the speakers' names, case-folded.
    """
    n = len(index.turns)
    session = _summed(index.by_session, asked.columns, len(index.sessions))
    subject = np.zeros(n)
    for speaker in asked.speakers[:1]:
        subject[index.speakers.get(speaker, np.zeros(0, np.intp))] = 1
    date = np.zeros(n) if asked.interval is None else _date(index, asked.interval)
    windows = [_summed(keys, asked.columns, n) for keys in seen.windows]
    rows = [standard(row) for row in windows]
    rows.append(standard(index.shifted(windows[0] * index.asks, -1)))
    spoken = seen.words.asked(question, called)
    rows += [standard(row) for row in seen.words.rows(spoken)]
    rows.append(standard(seen.latent.row(spoken)))
    rows.append(_cover(index, seen.windows[1], asked.columns))
    rows += [standard(session[index.session]), date, subject, seen.length]
    rows += [(~index.tells).astype(np.float64), index.asks.astype(np.float64)]
    rows += [seen.after_question, seen.first, seen.row("first_person"), seen.row("name")]
    rows += [seen.row(look) * (asked.kind in kinds) for _, look, kinds in _ANSWERS]
    rows.append(seen.row("quoted") * bool(_TITLED.search(question)))
    return np.array(rows)


def _date(index: Incidence, interval: Interval) -> Row:
    """How well the time of the talk fits a date range: 1 inside, fading after and faster before."""
    said = index.dates.said
    start, end = interval.start.timestamp(), interval.end.timestamp()
    past = np.minimum((end - said) / (_DAY * FADES_AFTER), 0)
    ahead = np.minimum((said - start) / (_DAY * FADES_BEFORE), 0)
    fit: Row = np.nan_to_num(np.minimum(np.exp(past), np.exp(ahead)))
    return fit
