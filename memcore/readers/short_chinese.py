"""The ways to a short answer that are Chinese alone: by order of words, classifiers, closed lists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from memcore.readers.asked import BACK, LASTS, Wish
from memcore.readers.chinese import LENGTH, clause_of, count_in, denies, names_measure
from memcore.readers.frames import fill
from memcore.readers.match import Match
from memcore.readers.ways import SENTENCES, Short, Way, gone, matched, tells_before
from memcore.types import Query, QuestionType


def framed(query: Query, found: Sequence[Match]) -> Short | None:
    """Return what stands in a Chinese sentence where the question has its question word."""
    for match in found[:SENTENCES]:
        text = fill(query.text, match.piece.text, match.piece.speaker)
        if text:
            return Short(text, (match,))
    return None


def counts_nothing(wish: Wish, found: Sequence[Match]) -> bool:
    """Whether a question asks for a number and no likely sentence has one."""
    return wish.query.kind is QuestionType.HOW_MANY and _counted(wish, found) is None


def aside(match: Match) -> bool:
    """Whether the time of a Chinese sentence is of another clause than what is asked about."""
    piece, words = match.piece, match.piece.times[0].words
    if not match.own:
        return False
    clause = clause_of(piece.text, piece.text.find(words))
    rest = clause.replace(words, "", 1)
    return len(rest) > 1 and not any(key in clause for key in match.own)


def _counted(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the count that a Chinese question asks for, of the first sentence that has it."""
    reach = len(found) if names_measure(wish.query.text) else SENTENCES
    for match in found[:reach]:
        count = count_in(wish.query.text, match.piece.text)
        if count:
            return Short(count, (match,))
    return None


_REASON: Final = re.compile(r"因为(?P<why>[^。！？，]+)|(?P<aim>为了[^。！？，]+)")


def _why(_wish: Wish, found: Sequence[Match]) -> Short:
    """Return the stated reason or aim, else what stands beside the sentence that it explains."""
    fit = _REASON.search(found[0].piece.text)
    if fit:
        return Short((fit["why"] or fit["aim"]).strip(), (found[0],))
    return _cause(found)


def _cause(found: Sequence[Match]) -> Short:
    """Return what a Chinese turn tells beside the best sentence, else what 所以 goes back to."""
    best = found[0]
    beside = [m for m in found if m.piece.place == best.piece.place and m is not best]
    told = [m for m in beside if not m.piece.asks and not m.piece.caption]
    if not told and best.piece.text.startswith(("所以", "因此", "于是")):
        told = (
            [max(earlier, key=lambda m: m.piece.place)]
            if (earlier := [m for m in found if tells_before(m, best)])
            else []
        )
    if not told:
        return Short(best.piece.text, (best,))
    return Short(told[0].piece.text, (told[0], best))


def _yes_no(wish: Wish, found: Sequence[Match]) -> Short:
    newer = _gone(wish, found)
    if newer is not None:
        return Short("没有", (newer, found[0]))
    other = denies(found[0].piece.text) != denies(wish.query.text)
    return Short("没有" if other else "是的", (found[0],))


def _gone(wish: Wish, found: Sequence[Match]) -> Match | None:
    """Return the later sentence by which a state that a Chinese question asks about is over."""
    if BACK.search(wish.query.text):
        return None
    return gone(found, frozenset(k for k in found[0].own if LASTS.search(k)))


_IDENTITY: Final = re.compile(r"是谁[？?。 ]*$")
"""After it no other name of the sentence is the answer."""


def _named(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return what fills the question's gap, else the first name that the question does not hold."""
    filled = framed(wish.query, found)
    if filled or _IDENTITY.search(wish.query.text):
        return filled
    for match in found[:SENTENCES]:
        new = [n for n in match.piece.names if n.casefold() not in wish.query.text.casefold()]
        if new:
            return Short(new[0], (match,))
    return None


WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.HOW_LONG: matched(LENGTH),
    QuestionType.HOW_MANY: _counted,
    QuestionType.YES_NO: _yes_no,
    QuestionType.WHY: _why,
    QuestionType.WHO: _named,
    QuestionType.WHERE: _named,
}
"""How each kind of Chinese question is answered; the best sentence answers what has no row."""
