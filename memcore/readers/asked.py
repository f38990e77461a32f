"""What a question wants beyond its kind: which state, a link of two things, a subject, a name.

Tables of patterns, as for the kinds: they can be read, tested and mended one by one. Turned down: a
classifier, since nothing here may be trained on the few data that we have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from memcore.annotate.families import canonical
from memcore.annotate.keys import stem
from memcore.annotate.languages import CHINESE
from memcore.types import AnchorKind, Mention, Query, QuestionType

_PRESENT: Final = re.compile(
    r"\b(?:now|currently|nowadays|at present|these days)\b"
    r"|^\W*(?:where|who|(?:what|which)(?! (?:is|was) the name)).{0,40}?(?:\b(?:does|do|is|are)\b|'s )"
    r"|^\W*(?:is|are|does|do)\b|现在|目前|如今|还.*吗",
    re.IGNORECASE,
)
_OLDEST: Final = re.compile(r"\b(?:used to|originally|formerly|previously)\b|原来|最初", re.I)
_BEFORE: Final = re.compile(r"\bbefore\b(?P<than>.+)|(?P<zh>.+?)(?:以前|之前)", re.IGNORECASE)
LASTS: Final = re.compile(
    r"\b(?:live[sd]?|living|reside[sd]?|stay(?:ed|ing)?|work(?:s|ed|ing)?|own(?:s|ed)?|ha(?:s|d|ve)"
    r"|job|home|(?:is|was|were) \w+(?:'s|’s)|belong(?:s|ed)?|stud(?:y|ie[sd]|ying)|teach|taught)\b"
    r"|住|上班|工作|任职|职业|读书|上学|就读|养",
    re.IGNORECASE,
)
"""Words of states that last until something else is told, unlike events, which have their day."""
_HELD: Final = frozenset(
    {QuestionType.WHERE, QuestionType.WHO, QuestionType.OTHER, QuestionType.YES_NO}
)
_PAST: Final = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_LINKS: Final = re.compile(
    r"\bto do with\b|\b(?:connect|link|relat)ed (?:with|to)\b|\blead(?:s|ing)? (?:\w+ ){0,3}to\b"
    r"|\bconnection between\b|怎么会?(?:通向|扯上|联系)|有什么(?:关系|联系)",
    re.IGNORECASE,
)
_DAYS: Final = re.compile(r"\b(?:what|which) (?:days|dates|months|years)\b|哪几[天个]", re.I)
_NAME: Final = re.compile(r"\b(?:is|are|was) the names? of\b|\bname is\b|叫什么", re.IGNORECASE)
_SHORTEST: Final = 3
"""Letters that the root of a pet name has at least."""
_SUBJECT: Final = re.compile(
    r"^\W*(?:who|what|which \w+) (?!did\b|does\b|do\b|is (?!\w+ing\b)|are (?!\w+ing\b)|was (?!\w+ing\b)"
    r"|were (?!\w+ing\b)|has\b|have\b|had\b|will\b|can\b|could\b|would\b|should\b|might\b)\w+",
    re.IGNORECASE,
)  # fmt: skip


_FAMILIAR: Final = re.compile(r"\b([A-Z][a-z]+?)([a-z])?\2?(?:y|ie)\b")


def full_names(text: str, speakers: Sequence[str]) -> str:
    """Return a question with pet names in -y or -ie written out, where one speaker's begins so.

    >>> full_names("What is Danny's job?", ("Clara", "Daniel"))
    "What is Daniel's job?"
    """

    def whole(match: re.Match[str]) -> str:
        base = (match[1] + (match[2] or "")).casefold()
        fits = [s for s in speakers if s.casefold().startswith(base) and " " not in s]
        known = match[0] in speakers or len(base) < _SHORTEST or len(fits) != 1
        return match[0] if known else fits[0]

    return _FAMILIAR.sub(whole, text)


class State(StrEnum):
    """Which of several states of one thing is asked about."""

    ANY = ""
    NEWEST = "newest"
    OLDEST = "oldest"
    BEFORE = "before"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked beyond the kind; `than` are the words of the state that came after.

    `query` is the question without the words that only name that later state, `whole` with them.
    """

    query: Query
    whole: Query
    state: State = State.ANY
    than: tuple[str, ...] = ()
    past: bool = False
    links: bool = False
    days: bool = False
    name: bool = False
    subject: bool = False


def wish_of(query: Query) -> Wish:
    """Return what a question wants beyond its kind.

    >>> wish_of(Query("Where does Ruth live now?")).state.value
    'newest'
    """
    text = query.text.replace("\u2019", "'")
    state, than = _state(query, text)
    left = [m for m in query.mentions if m not in than]
    keys = tuple(sorted({canonical(stem(w)) for m in _named(than) for w in m.key.split()}))
    return Wish(
        query=replace(query, mentions=tuple(left)) if than else query,
        whole=query,
        state=state,
        than=keys,
        past=bool(_PAST.search(text)),
        links=bool(_LINKS.search(text)),
        days=bool(_DAYS.search(text)),
        name=bool(_NAME.search(text)),
        subject=bool(_SUBJECT.search(text)),
    )


def _state(query: Query, text: str) -> tuple[State, tuple[Mention, ...]]:
    found = _BEFORE.search(text)
    if found and query.kind is not QuestionType.WHEN:
        part = "zh" if query.language == CHINESE else "than"
        start, end = found.span(part)
        than = tuple(m for m in query.mentions if start <= m.start and m.end <= end)
        if query.language == CHINESE:
            than = tuple(m for m in than if m.start > start)
        if than:
            return State.BEFORE, than
    if _OLDEST.search(text):
        return State.OLDEST, ()
    if query.interval is not None and query.kind in _HELD and LASTS.search(text):
        return State.THEN, ()
    present = _PRESENT.search(text) or (query.language == CHINESE and _lasts_now(text))
    if query.interval is None and query.kind is not QuestionType.WHEN and present:
        return State.NEWEST, ()
    return State.ANY, ()


def _lasts_now(text: str) -> bool:
    """Whether a Chinese question is about a state that lasts and has no word of the past."""
    return bool(LASTS.search(text)) and not BACK.search(text)


BACK: Final = re.compile("以前|之前|曾|过|了|当时|那时|原来|最初|[去前]年|上[个次周]")
"""Words of the past in a Chinese question."""


def _named(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Return the names among the mentions, or, if there is none, all single words."""
    names = tuple(m for m in mentions if m.kind is AnchorKind.ENTITY)
    return names or tuple(m for m in mentions if " " not in m.key)
