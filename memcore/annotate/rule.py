"""What a rule for time expressions is: a pattern, and what its match means at a moment.

Rules are tried in the order of their table, and the first to claim a stretch of text keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from memcore.types import Interval, TimeExpression

_SENTENCE: Final = re.compile(r"[^.!?\n。！？]*")

NOWHEN: Final = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for the moment in rules that do not look at it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a rule may look at: the moment of the talk, and whether the sentence speaks of later.

    `fine` says whether the moment is known to the hour. `at` is None where the talk has no date.
    `coming` are stretches of the text that speak of later by the tense of their verb.
    """

    at: datetime | None
    fine: bool = True
    future: bool = False
    coming: tuple[tuple[int, int], ...] = ()

    @property
    def moment(self) -> datetime:
        """The moment of the talk, for rules that are not absolute."""
        return self.at or NOWHEN


Resolve = Callable[[re.Match[str], Scene], Interval | None]
Extend = Callable[[re.Match[str], Interval, Scene], Interval | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its meaning; `absolute` if it needs no moment.

    A group named `at` is the stretch that names the time; without it, the whole match is.
    """

    pattern: re.Pattern[str]
    resolve: Resolve
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Affix:
    """A pattern beside a resolved expression that changes its meaning ("the week before …")."""

    pattern: re.Pattern[str]
    extend: Extend


@dataclass(frozen=True, slots=True)
class Grammar:
    """The rules of one language; `later` marks sentences that speak of what is to come.

    `present` marks clauses that do so by their verb, unless `past` is in them as well; `back` is
    what stands before an expression that is past whatever the verb ("since March"). A text without
    a `cue` fits no rule, which one search tells instead of forty.
    """

    rules: Sequence[Rule]
    prefixes: Sequence[Affix]
    suffixes: Sequence[Affix]
    later: re.Pattern[str]
    present: re.Pattern[str] | None = None
    past: re.Pattern[str] | None = None
    back: re.Pattern[str] | None = None
    cue: re.Pattern[str] | None = None


def find(grammar: Grammar, text: str, scene: Scene) -> list[TimeExpression]:
    """Return the time expressions of a text, by start, none overlapping."""
    if grammar.cue and not grammar.cue.search(text):
        return []
    found: list[TimeExpression] = []
    taken: list[tuple[int, int]] = []
    for rule in grammar.rules:
        if scene.at is None and not rule.absolute:
            continue
        for match in rule.pattern.finditer(text):
            start, end = match.span("at" if "at" in rule.pattern.groupindex else 0)
            if any(start < last and first < end for first, last in taken):
                continue
            here = replace(scene, future=_is_coming(grammar, text, start, scene))
            interval, exists = _attempt(partial(rule.resolve, match, here))
            if interval or not exists:
                taken.append((start, end))
            if interval:
                found.append(TimeExpression(start, end, interval))
    return _apart(_grow(grammar, text, t, scene) for t in sorted(found))


def _attempt(resolve: Callable[[], Interval | None]) -> tuple[Interval | None, bool]:
    """Return the interval, if any, and False for a date that does not exist, such as 31 June.

    Of such a date no other rule may take a part: it is not "June".
    """
    try:
        return resolve(), True
    except (ValueError, OverflowError):
        return None, False


def _is_coming(grammar: Grammar, text: str, start: int, scene: Scene) -> bool:
    """Whether an expression at `start` means the next such time: by a word, or by the verb."""
    if _later(grammar, text, start):
        return True
    if grammar.back and grammar.back.search(text[max(0, start - _REACH) : start]):
        return False
    if grammar.present and grammar.past:
        clause = _clause(text, start)
        return bool(grammar.present.search(clause)) and not grammar.past.search(clause)
    return any(first <= start < last for first, last in scene.coming)


def _clause(text: str, start: int) -> str:
    first = max(text.rfind(mark, 0, start) for mark in _CLAUSE_ENDS) + 1
    ends = (found for mark in _CLAUSE_ENDS if (found := text.find(mark, start)) >= 0)
    return text[first : min(ends, default=len(text))]


_CLAUSE_ENDS: Final = "，,.!?;；\n。！？…"


def _later(grammar: Grammar, text: str, start: int) -> bool:
    """Whether the sentence around `start` speaks of what is to come."""
    first = max(text.rfind(mark, 0, start) for mark in ".!?\n。！？") + 1
    sentence = _SENTENCE.match(text, first)
    return bool(sentence and grammar.later.search(sentence[0]))


def _grow(grammar: Grammar, text: str, found: TimeExpression, scene: Scene) -> TimeExpression:
    """Return the expression with the words beside it that change its meaning."""
    before = text[max(0, found.start - _REACH) : found.start]
    tries = [
        *((a, a.pattern.match(text, found.end)) for a in grammar.suffixes),
        *((a, a.pattern.search(before)) for a in grammar.prefixes),
    ]
    for affix, match in tries:
        if not match:
            continue
        interval, _ = _attempt(partial(affix.extend, match, found.interval, scene))
        if not interval:
            continue
        is_prefix = match.string is before
        start = found.start - len(match[0]) if is_prefix else found.start
        end = found.end if is_prefix else match.end()
        return _grow(grammar, text, TimeExpression(start, end, interval), scene)
    return found


_REACH: Final = 60
"""Characters before an expression that a prefix may take."""


def _apart(found: Iterable[TimeExpression]) -> list[TimeExpression]:
    """Return the expressions without those that a longer one covers in part."""
    kept: list[TimeExpression] = []
    for t in sorted(found, key=lambda t: (t.start - t.end, t.start)):
        if not any(t.start < k.end and k.start < t.end for k in kept):
            kept.append(t)
    return sorted(kept)
