"""The short answer to a question, by its kind: one row a kind, each a function of the evidence.

A date is shown as fine as the evidence gives it. A number, a name or a reason is taken from the
words; where a kind finds nothing of its own, the best phrase answers, and last the best sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memcore.annotate.languages import CHINESE
from memcore.evolution.times import shown
from memcore.readers.asked import LASTS, State, Wish
from memcore.readers.chain import chain
from memcore.readers.chinese import LENGTH, clause_of, count_in, denies, names_measure
from memcore.readers.evidence import Resolved
from memcore.readers.frames import fill
from memcore.readers.guesses import Options, options
from memcore.readers.listed import listed
from memcore.readers.match import Match
from memcore.readers.states import rivals
from memcore.readers.weights import WEIGHTS
from memcore.types import Grain, Interval, Query, QuestionType, SaidTime


@dataclass(frozen=True, slots=True)
class Short:
    """An answer in few words and the sentences that it was taken from, the first one first."""

    text: str
    by: tuple[Match, ...]


Way = Callable[[Wish, Sequence[Match]], Short | None]

_SENTENCES: Final = 3
"""How many of the best sentences are searched for a number, or for what fills a gap."""
_SAME: Final = 0.75
"""Days are listed of sentences that have at least this share of the best score."""


def short(
    wish: Wish,
    found: Sequence[Match],
    weights: Mapping[str, float] = WEIGHTS,
    given: Options | None = None,
) -> Short:
    """Return the answer that the evidence gives; `found` is not empty, best first.

    `given` are the options of the same sentences, for one who has parsed them already.
    """
    query = wish.query
    chinese = query.language == CHINESE
    links = chain(query, found) if wish.links else ()
    if links:
        texts = (m.piece.text.rstrip(".。") for m in links)
        return Short(("；" if chinese else "; ").join(texts), links)
    ways = CHINESE_WAYS if chinese else ENGLISH_WAYS
    way = _days if wish.days else ways.get(query.kind)
    answer = way(wish, found) if way else None
    if answer is None and chinese:
        answer = framed(query, found)
    elif answer is None:
        answer = _phrase(wish, found, given or options(wish, found), weights)
    return answer or Short(found[0].piece.text, (found[0],))


def guessed(wish: Wish) -> bool:
    """Return whether an English question has no way of its own: the best guess answers it."""
    return not wish.links and not wish.days and wish.query.kind not in ENGLISH_WAYS


def framed(query: Query, found: Sequence[Match]) -> Short | None:
    """Return what stands in a Chinese sentence where the question has its question word."""
    for match in found[:_SENTENCES]:
        text = fill(query.text, match.piece.text, match.piece.speaker)
        if text:
            return Short(text, (match,))
    return None


def _when(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the time of the best sentence, else of its item, else the day on which it was said."""
    best = found[0].piece
    same = [m for m in found if m.piece.item == best.item]
    timed = next((m for m in same if m.piece.times and not _aside(m, wish)), None)
    if timed is not None:
        return Short(_told(timed, wish), (timed,))
    if best.said.at is None:
        return None
    return Short(_day(best.said.at, wish.query.language), (found[0],))


def _aside(match: Match, wish: Wish) -> bool:
    """Whether the time of a Chinese sentence is of another clause than what is asked about."""
    piece, words = match.piece, match.piece.times[0].words
    if wish.query.language != CHINESE or not match.own:
        return False
    clause = clause_of(piece.text, piece.text.find(words))
    rest = clause.replace(words, "", 1)
    return len(rest) > 1 and not any(key in clause for key in match.own)


def _told(match: Match, wish: Wish) -> str:
    """Return a time as the words tell it: "last week" from the day on which it was said.

    What people call last week need not begin on a Monday, so no such day is made up.
    """
    time, said = match.piece.times[0], match.piece.said.at
    loose = _LOOSE.fullmatch(time.words)
    if loose and said is not None:
        side = _SIDES[loose["side"].casefold()]
        return f"the {loose['unit'].casefold()} {side} {_day(said, wish.query.language)}"
    return _date(_ahead(match, time, past=wish.past), wish.query.language)


_LOOSE: Final = re.compile(
    r"(?:the |over the |during the )?(?P<side>last|past|previous|this|next|coming)"
    r" (?P<unit>week|weekend)",
    re.IGNORECASE,
)
_SIDES: Final = {
    **dict.fromkeys(("last", "past", "previous"), "before"),
    "this": "of",
    **dict.fromkeys(("next", "coming"), "after"),
}


def _ahead(match: Match, time: Resolved, *, past: bool) -> Interval:
    """Return the time; a day without year in a question about the future is the next one."""
    said, found = match.piece.said.at, time.interval
    day = found.grain is Grain.DAY and re.search(r"\d", time.words)
    if past or said is None or not day or re.search(r"\d{4}|ago", time.words):
        return found
    if found.end > said or said.month * 31 + said.day <= found.start.month * 31 + found.start.day:
        return found if found.end > said else _in_year(found, said.year)
    return found


def _in_year(found: Interval, year: int) -> Interval:
    if (found.start.month, found.start.day) == (2, 29):
        return found
    start = found.start.replace(year=year)
    return replace(found, start=start, end=start + (found.end - found.start))


def _days(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return every day on which a sentence that fits as well as the best one puts it."""
    near = [m for m in found if m.score >= _SAME * found[0].score and m.own == found[0].own]
    texts: dict[str, Match] = {}
    for match in sorted(near, key=lambda m: m.piece.place):
        told = _when(wish, (match,))
        if told:
            texts.setdefault(told.text, match)
    word = "、" if wish.query.language == CHINESE else ", "
    return Short(word.join(texts), tuple(texts.values())) if texts else None


def _date(interval: Interval, language: str) -> str:
    if language != CHINESE:
        return shown(interval)
    first, last = interval.start, interval.end
    if (last - first).days <= 1:
        return _day(first, language)
    if (last - first).days >= 365:
        return f"{first.year}年"
    if first.day == 1 and last.day == 1:
        return f"{first.year}年{first.month}月"
    return f"{_day(first, language)}起的{(last - first).days}天"


def _day(at: datetime, language: str) -> str:
    if language == CHINESE:
        return f"{at.year}年{at.month}月{at.day}日"
    return f"{at.day} {at:%B} {at.year}"


_COUNT: Final = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen|a couple"
    r"(?: of)?|several|a few|few|many|half a|an?)"
)
_LENGTH: Final = re.compile(
    rf"\b(?:(?:about|almost|nearly|over|around|more than) )?{_COUNT}\s+(?:\w+ )?"
    r"(?:years?|months?|weeks?|days?|hours?|minutes?|decades?)\b"
    rf"(?: and (?:a half\b|{_COUNT} (?:months?|weeks?|days?|minutes?|seconds?)\b))?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(?:\d[\d,.]*|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|forty|fifty|hundred|thousand|several|a couple|a few|dozens?)\b",
    re.IGNORECASE,
)


def _counted(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the count that a Chinese question asks for, of the first sentence that has it."""
    reach = len(found) if names_measure(wish.query.text) else _SENTENCES
    for match in found[:reach]:
        count = count_in(wish.query.text, match.piece.text)
        if count:
            return Short(count, (match,))
    return None


def _matched(pattern: re.Pattern[str]) -> Way:
    """Return the way that takes the first fit of a pattern in the best sentences."""

    def way(_wish: Wish, found: Sequence[Match]) -> Short | None:
        for match in found[:_SENTENCES]:
            fit = pattern.search(match.piece.text)
            if fit:
                return Short(fit[0].strip(), (match,))
        return None

    return way


_REASON: Final = re.compile(
    r"\b(?:because|since)\s+(?:of\s+)?(?P<en>[^.!?]+)|\b(?P<aim>so that [^.!?]+|in order to [^.!?]+"
    r"|had to [^.!?]+)|因为(?P<zh>[^。！？，]+)|(?P<for>为了[^。！？，]+)",
    re.IGNORECASE,
)


def _why(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the stated reason or aim, else what the speaker told just before, else the sentence."""
    best = found[0]
    fit = _REASON.search(best.piece.text)
    if fit:
        return Short(next(g for g in fit.groups() if g).strip(), (best,))
    if wish.query.language == CHINESE:
        return _cause(found)
    earlier = [m for m in found if _tells_before(m, best)]
    if wish.past and earlier and best.own:
        cause = max(earlier, key=lambda m: (m.piece.place, m.score))
        return Short(cause.piece.text, (cause, best))
    return Short(best.piece.text, (best,))


def _cause(found: Sequence[Match]) -> Short:
    """Return what a Chinese turn tells beside the best sentence, else what 所以 goes back to."""
    best = found[0]
    beside = [m for m in found if m.piece.place == best.piece.place and m is not best]
    told = [m for m in beside if not m.piece.asks and not m.piece.caption]
    if not told and best.piece.text.startswith(("所以", "因此", "于是")):
        told = (
            [max(earlier, key=lambda m: m.piece.place)]
            if (earlier := [m for m in found if _tells_before(m, best)])
            else []
        )
    if not told:
        return Short(best.piece.text, (best,))
    return Short(told[0].piece.text, (told[0], best))


def _tells_before(match: Match, best: Match) -> bool:
    """Whether a sentence is of the same speaker and talk as the best one, and comes before it."""
    one, other = match.piece, best.piece
    same = one.speaker == other.speaker and _of_one_day(one.said, other.said)
    return same and one.place < other.place and not one.asks and len(one.keys) > 1


def _of_one_day(one: SaidTime, other: SaidTime) -> bool:
    return bool(one.at and other.at and one.at.date() == other.at.date())


_NO: Final = re.compile(
    r"\b(?:not|no|never|n't|nothing|nobody|hardly|stopped|quit)\b|n['’]t\b", re.IGNORECASE
)


def _yes_no(wish: Wish, found: Sequence[Match]) -> Short:
    query = wish.query
    text = found[0].piece.text
    if query.language == CHINESE:
        newer = _gone(wish, found)
        if newer is not None:
            return Short("没有", (newer, found[0]))
        other = denies(text) != denies(query.text)
        return Short("没有" if other else "是的", (found[0],))
    other = bool(_NO.search(text)) != bool(_NO.search(query.text))
    return Short("No" if other else "Yes", (found[0],))


def _gone(wish: Wish, found: Sequence[Match]) -> Match | None:
    """Return the later sentence by which a state that a Chinese question asks about is over."""
    best, text = found[0], wish.query.text
    lasting = {k for k in best.own if LASTS.search(k)}
    rest = set(best.own) - lasting
    if not lasting or not rest or _BACK.search(text):
        return None
    newer = [
        m
        for m in found
        if m.about == best.about
        and lasting <= set(m.own)
        and not rest & set(m.own)
        and m.piece.place > best.piece.place
        and not m.piece.asks
    ]
    return max(newer, key=lambda m: m.piece.place, default=None)


_BACK: Final = re.compile("以前|之前|曾|过|了|当时|那时|[去前]年|上[个次周]")


def _phrase(
    wish: Wish, found: Sequence[Match], given: Options, weights: Mapping[str, float]
) -> Short | None:
    """Return the best guess, or several; of several states only the one asked about may give it."""
    other = rivals(found)[1:] if wish.state is not State.ANY else ()
    places = {m.piece.place for m in other} - {found[0].piece.place}
    ranked = given.ranked(weights)
    fitting = [g for g in ranked if given.many or g.match.piece.place not in places]
    kept = listed(fitting, wish.query.text) if given.many else tuple(fitting[:1])
    if not kept:
        return None
    return Short(", ".join(g.text for g in kept), tuple(dict.fromkeys(g.match for g in kept)))


def _named(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return what fills the question's gap, else the first name that the question does not hold."""
    filled = framed(wish.query, found)
    if filled:
        return filled
    for match in found[:_SENTENCES]:
        new = [n for n in match.piece.names if n.casefold() not in wish.query.text.casefold()]
        if new:
            return Short(new[0], (match,))
    return None


ENGLISH_WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.WHEN: _when,
    QuestionType.HOW_LONG: _matched(_LENGTH),
    QuestionType.HOW_MANY: _matched(_NUMBER),
    QuestionType.WHY: _why,
    QuestionType.YES_NO: _yes_no,
}
"""How each kind of question is answered; a kind without a row takes the best phrase."""

CHINESE_WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.WHEN: _when,
    QuestionType.HOW_LONG: _matched(LENGTH),
    QuestionType.HOW_MANY: _counted,
    QuestionType.YES_NO: _yes_no,
    QuestionType.WHY: _why,
    QuestionType.WHO: _named,
    QuestionType.WHERE: _named,
}
"""The same for Chinese, which has no parser here: the best sentence answers what has no row."""
