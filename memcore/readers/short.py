"""The short answer to a question, by its kind: one row a kind, each a function of the evidence.

A date is shown as fine as the evidence gives it. A number, a name or a reason is taken from the
words; where a kind finds nothing of its own, the best phrase answers, and last the best sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from memcore.annotate.families import HOMES, canonical
from memcore.annotate.languages import CHINESE
from memcore.evolution.times import shown
from memcore.readers.asked import State, Wish
from memcore.readers.chain import chain
from memcore.readers.evidence import Resolved
from memcore.readers.guesses import Options, options
from memcore.readers.listed import listed
from memcore.readers.match import Match
from memcore.readers.short_chinese import WAYS, aside, framed
from memcore.readers.states import rivals
from memcore.readers.ways import Short, Way, gone, matched, tells_before
from memcore.readers.weights import WEIGHTS
from memcore.types import Grain, Interval, Query, QuestionType

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


def _when(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the time of the best sentence, else of its item, else the day on which it was said."""
    best = found[0].piece
    same = [m for m in found if m.piece.item == best.item]
    timed = next(
        (m for m in same if m.piece.times and not (wish.query.language == CHINESE and aside(m))),
        None,
    )
    if timed is not None:
        return Short(_told(timed, wish), (timed,))
    if best.said.at is None:
        return None
    return Short(_day(best.said.at, wish.query.language), (found[0],))


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


_REASON: Final = re.compile(
    r"\b(?:because|since)\s+(?:of\s+)?(?P<en>[^.!?]+)|\b(?P<aim>so that [^.!?]+|in order to [^.!?]+"
    r"|had to [^.!?]+)",
    re.IGNORECASE,
)


def _why(wish: Wish, found: Sequence[Match]) -> Short | None:
    """Return the stated reason or aim, else what the speaker told just before, else the sentence."""
    best = found[0]
    fit = _REASON.search(best.piece.text)
    if fit:
        return Short(next(g for g in fit.groups() if g).strip(), (best,))
    earlier = [m for m in found if tells_before(m, best)]
    if wish.past and earlier and best.own:
        cause = max(earlier, key=lambda m: (m.piece.place, m.score))
        return Short(cause.piece.text, (cause, best))
    return Short(best.piece.text, (best,))


_NO: Final = re.compile(
    r"\b(?:not|no|never|n't|nothing|nobody|hardly|stopped|quit)\b|n['’]t\b", re.IGNORECASE
)


_ONE_AT_A_TIME: Final = HOMES | {canonical("work")}


def _person(query: Query) -> frozenset[str]:
    """Return the keys of the first name in a question that is about nobody who speaks."""
    starts = [m.start for m in query.mentions if query.text[m.start].isupper()]
    if query.subject or not starts:
        return frozenset()
    return frozenset(canonical(m.key) for m in query.mentions if m.start == min(starts))


_TELLS: Final = re.compile(
    r"\b(?:work(?:s|ed|ing)?|job|career|live[sd]?|living|home|moved|relocated|settled)\b"
    r"(?: \w+){0,3} (?:at|for|as|with|in|to|into|near)\b",
    re.IGNORECASE,
)
"""Forms that tell where somebody lives or works; "take it to work" and "it works" do not."""


def _yes_no(wish: Wish, found: Sequence[Match]) -> Short:
    query, text = wish.query, found[0].piece.text
    if wish.state is State.NEWEST and _TELLS.search(text):
        newer = gone(
            [m for m in found if _TELLS.search(m.piece.text)], _ONE_AT_A_TIME, _person(query)
        )
        if newer is not None:
            return Short("No", (newer, found[0]))
    other = bool(_NO.search(text)) != bool(_NO.search(query.text))
    return Short("No" if other else "Yes", (found[0],))


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


ENGLISH_WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.WHEN: _when,
    QuestionType.HOW_LONG: matched(_LENGTH),
    QuestionType.HOW_MANY: matched(_NUMBER),
    QuestionType.WHY: _why,
    QuestionType.YES_NO: _yes_no,
}
"""How each kind of question is answered; a kind without a row takes the best phrase."""

CHINESE_WAYS: Final[Mapping[QuestionType, Way]] = {**WAYS, QuestionType.WHEN: _when}
"""The same for Chinese, which has no parser here."""
