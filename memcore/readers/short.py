"""The short answer to a question, by its kind: one row a kind, each a function of the evidence.

A date is shown as fine as the evidence gives it. A number, a name or a reason is taken from the
words; where a kind finds nothing of its own, the best phrase answers, and last the best sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memcore.annotate.languages import CHINESE
from memcore.evolution.times import shown
from memcore.readers.match import Match
from memcore.readers.phrases import Phrase, phrases
from memcore.types import Interval, Query, QuestionType


@dataclass(frozen=True, slots=True)
class Short:
    """An answer in few words and the sentences that it was taken from, the first one first."""

    text: str
    by: tuple[Match, ...]


Way = Callable[[Query, Sequence[Match]], Short | None]

_SENTENCES: Final = 3
"""How many of the best sentences are searched for a phrase."""
_SENTENCE: Final = 2.0
"""What a point of a sentence's score counts against one of a phrase's."""
_LISTED: Final = 0.6
"""A list takes items whose best sentence has at least this share of the best score."""
_MOST_LISTED: Final = 6


def short(query: Query, found: Sequence[Match]) -> Short:
    """Return the answer that the evidence gives; `found` is not empty, best first."""
    ways = CHINESE_WAYS if query.language == CHINESE else ENGLISH_WAYS
    answer = ways[query.kind](query, found) if query.kind in ways else None
    if answer is None and query.language != CHINESE:
        answer = _phrase(query, found)
    return answer or Short(found[0].piece.text, (found[0],))


def _when(query: Query, found: Sequence[Match]) -> Short | None:
    """Return the time of the best sentence, else of its item, else the day on which it was said."""
    best = found[0].piece
    same = [m for m in found if m.piece.item == best.item]
    timed = next((m for m in same if m.piece.times), None)
    if timed is not None:
        return Short(_date(timed.piece.times[0].interval, query.language), (timed,))
    if best.said.at is None:
        return None
    return Short(_day(best.said.at, query.language), (found[0],))


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
    r"(?:years?|months?|weeks?|days?|hours?|minutes?|decades?)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(?:\d[\d,.]*|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|forty|fifty|hundred|thousand|several|a couple|a few|dozens?)\b",
    re.IGNORECASE,
)
_CHINESE_NUMBER: Final = re.compile(
    r"[\d零一二两三四五六七八九十百千万半几]+\s*(?:多)?(?:个|次|件|本|只|位|种|年|月|天|周|小时|分钟|岁|元|块)+"
)


def _matched(pattern: re.Pattern[str]) -> Way:
    """Return the way that takes the first fit of a pattern in the best sentences."""

    def way(_query: Query, found: Sequence[Match]) -> Short | None:
        for match in found[:_SENTENCES]:
            fit = pattern.search(match.piece.text)
            if fit:
                return Short(fit[0].strip(), (match,))
        return None

    return way


def _why(_query: Query, found: Sequence[Match]) -> Short | None:
    """Return the stated reason or aim, else the whole best sentence."""
    best = found[0]
    fit = re.search(r"\bbecause\s+(?:of\s+)?([^.!?]+)", best.piece.text, re.IGNORECASE)
    return Short(fit[1].strip() if fit else best.piece.text, (best,))


_NO: Final = re.compile(
    r"\b(?:not|no|never|n't|nothing|nobody|hardly|stopped|quit)\b|n['’]t\b|不|没", re.IGNORECASE
)


def _yes_no(query: Query, found: Sequence[Match]) -> Short:
    denies = bool(_NO.search(found[0].piece.text)) != bool(
        _NO.search(query.text.removesuffix("吗"))
    )
    words = ("没有", "是的") if query.language == CHINESE else ("No", "Yes")
    return Short(words[0] if denies else words[1], (found[0],))


def _listed(query: Query, found: Sequence[Match]) -> Short | None:
    """Return the best phrase of each item that fits nearly as well as the best one."""
    firsts: dict[int, Match] = {}
    for match in found:
        if match.score >= _LISTED * found[0].score:
            firsts.setdefault(match.piece.place, match)
    chosen = sorted(list(firsts.values())[:_MOST_LISTED], key=lambda m: m.piece.place)
    texts: list[str] = []
    by: list[Match] = []
    for match in chosen:
        best = next(iter(phrases(query, match.piece)), None)
        if best is not None and best.text.casefold() not in map(str.casefold, texts):
            texts.append(best.text)
            by.append(match)
    return Short(", ".join(texts), tuple(by)) if texts else None


def _phrase(query: Query, found: Sequence[Match]) -> Short | None:
    """Return the best phrase of the best sentences."""
    best: tuple[float, Phrase, Match] | None = None
    for match in found[:_SENTENCES]:
        behind = _SENTENCE * (found[0].score - match.score)
        for phrase in phrases(query, match.piece)[:1]:
            if best is None or phrase.score - behind > best[0]:
                best = (phrase.score - behind, phrase, match)
    return Short(best[1].text, (best[2],)) if best else None


def _named(_query: Query, found: Sequence[Match]) -> Short | None:
    """Return the first name that the best sentences hold and the question does not."""
    for match in found[:_SENTENCES]:
        new = [n for n in match.piece.names if n.casefold() not in _query.text.casefold()]
        if new:
            return Short(new[0], (match,))
    return None


ENGLISH_WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.WHEN: _when,
    QuestionType.HOW_LONG: _matched(_LENGTH),
    QuestionType.HOW_MANY: _matched(_NUMBER),
    QuestionType.WHY: _why,
    QuestionType.YES_NO: _yes_no,
    QuestionType.LIST: _listed,
}
"""How each kind of question is answered; a kind without a row takes the best phrase."""

CHINESE_WAYS: Final[Mapping[QuestionType, Way]] = {
    QuestionType.WHEN: _when,
    QuestionType.HOW_LONG: _matched(_CHINESE_NUMBER),
    QuestionType.HOW_MANY: _matched(_CHINESE_NUMBER),
    QuestionType.YES_NO: _yes_no,
    QuestionType.WHO: _named,
    QuestionType.WHERE: _named,
}
"""The same for Chinese, which has no parser here: the best sentence answers what has no row."""
