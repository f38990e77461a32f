"""What a question asks: its kind, its keys, the dates it names and the speakers it is about.

The keys come from the same annotator as the turns', so that both sides agree; kinds are a table of
patterns, first fit first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memcore.annotate.intervals import hull
from memcore.annotate.languages import CHINESE, HAN, language_of
from memcore.annotate.names import is_name, speaker_named
from memcore.seams import Annotator
from memcore.types import (
    AnchorKind,
    Mention,
    Precision,
    Query,
    QuestionType,
    SaidTime,
    TimeKind,
    Turn,
    TurnId,
)

_AUXILIARY: Final = (
    "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must"
    "|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|can't|couldn't|won't"
)
_ENGLISH_KINDS: Final = (
    (r"\bhow\s+long\b(?!\s+ago)|\bfor\s+how\s+(?:long|many\s+(?:days|weeks|months|years))\b",
     QuestionType.HOW_LONG),
    (r"\bhow\s+long\s+ago\b|\b(?:what|which|in\s+what|in\s+which)\s+(?:exact\s+)?"
     r"(?:day|date|month|year|week|weekend|season|time)\b|^\W*(?:and\s+|so\s+)?when\b"
     r"|\b(?:since|until|by)\s+when\b|\bwhen\s+(?:did|does|do|is|was|were|are|will|has|have)\b",
     QuestionType.WHEN),
    (r"\bhow\s+(?:many|much|often|old)\b|\bwhat\s+(?:is|was)\s+the\s+number\s+of\b",
     QuestionType.HOW_MANY),
    (r"^\W*(?:list|name|enumerate)\b|\b(?:what|which)\s+(?:(?:are|were)\b|(?:[\w-]+\s+){0,3}?"
     r"(?:kinds|types|sorts|things|activities|hobbies|books|movies|places|items|events|games"
     r"|countries|cities|states|areas|ways|foods|dishes|instruments|pets|names|topics|projects"
     r"|sports|artists|bands|songs|people|friends|problems|goals|plans|symbols|classes)\b)",
     QuestionType.LIST),
    (r"^\W*(?:and\s+)?(?:who|whom|whose)\b|\b(?:with|to|for|by|from)\s+whom\b|\bwho\s+(?:is|was|did)\b",
     QuestionType.WHO),
    (r"^\W*(?:and\s+|from\s+|in\s+)?where\b|\b(?:what|which)\s+(?:place|city|country|town|state)\b",
     QuestionType.WHERE),
    (r"^\W*(?:and\s+)?why\b|\b(?:what\s+(?:is|was)\s+the\s+reason|how\s+come|for\s+what\s+reason)\b",
     QuestionType.WHY),
    (rf"^\W*(?:and\s+)?(?:{_AUXILIARY})\b", QuestionType.YES_NO),
)  # fmt: skip
_CHINESE_KINDS: Final = (
    (r"多久(?!以前|之前|前)|多长时间|几(?:天|周|个月|年|个?小时|分钟|个?星期)(?!前)", QuestionType.HOW_LONG),
    (r"什么时候|何时|哪一?[天年月日]|哪个(?:月|星期)|几(?:[月点]|号(?![线楼店房门院]))|多久(?:以前|之前|前)|什么时间",
     QuestionType.WHEN),
    (r"多少|几(?:[个次位件只本种首家条张块杯瓶岁层台辆封部句遍场幅门支名套份]|号[线楼店房门院])|多大", QuestionType.HOW_MANY),
    (r"哪些|哪几|列出|列举|有什么", QuestionType.LIST),
    (r"谁|哪位|什么人", QuestionType.WHO),
    (r"哪里|哪儿|什么地方|何处|在哪", QuestionType.WHERE),
    (r"为什么|为何|怎么会|什么原因", QuestionType.WHY),
    (r"吗[？?。]?\s*$|是不是|有没有|是否|能不能|会不会", QuestionType.YES_NO),
)  # fmt: skip


def _table(
    rows: Sequence[tuple[str, QuestionType]],
) -> tuple[tuple[re.Pattern[str], QuestionType], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in rows)


KINDS: Final = {"en": _table(_ENGLISH_KINDS), "zh": _table(_CHINESE_KINDS)}
"""The patterns of each language, the first that fits decides."""

_WORD: Final = re.compile(rf"[^\W\d_{HAN}]+|[{HAN}]+")


def kind_of(text: str) -> QuestionType:
    """Return what kind of answer a question asks for.

    >>> kind_of("When did Ann move?").value, kind_of("她去了哪里？").value
    ('when', 'where')
    """
    table = KINDS[language_of(text)]
    straight = text.replace("\u2019", "'")
    return next((kind for pattern, kind in table if pattern.search(straight)), QuestionType.OTHER)


def analyse(
    text: str, asked_at: datetime | None, speakers: Sequence[str], annotator: Annotator
) -> Query:
    """Return the question as local processing reads it; relative dates resolve against `asked_at`.

    Speakers come in the order in which the question names them; the first is the subject, for in
    "What did Ann give Bob?" the asker wants Ann's turn.
    """
    turns = (as_turn(text, asked_at), *(silent(speakers) if language_of(text) == CHINESE else ()))
    annotation = annotator.annotate(turns)[0]
    named = named_speakers(text, speakers)
    dates = tuple(t.interval for t in annotation.times)
    return Query(
        text=text,
        kind=kind_of(text),
        mentions=tuple(m for m in annotation.mentions if not _names_speaker(m, text, speakers)),
        interval=hull(dates) if dates else None,
        speakers=named,
        subject=named[0] if named else "",
        language=annotation.language,
        asked_at=asked_at,
    )


def as_turn(text: str, asked_at: datetime | None) -> Turn:
    """Return the question as the annotator is shown it: a turn that nobody speaks."""
    said = (
        SaidTime(asked_at, kind=TimeKind.LOCAL, precision=Precision.SECOND)
        if asked_at
        else SaidTime()
    )
    return Turn(TurnId(1, 1), "", text, said=said)


def silent(speakers: Sequence[str]) -> tuple[Turn, ...]:
    """Return a turn without words of each speaker: beside these a Chinese name is not cut."""
    return tuple(Turn(TurnId(1, n), name, "") for n, name in enumerate(speakers, 2))


def named_speakers(text: str, speakers: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of the speakers whom a text names, each once, in order."""
    if language_of(text) == CHINESE:
        places = ((text.find(label), label) for label in speakers if label)
        found = [label for place, label in sorted(places) if place >= 0]
    else:
        found = []
    words = (w for w in _WORD.findall(text) if not w.islower())
    found += [label for w in words if (label := speaker_named(w, speakers))]
    return tuple(dict.fromkeys(found))


def _names_speaker(mention: Mention, text: str, speakers: Sequence[str]) -> bool:
    words = _WORD.findall(text[mention.start : mention.end])
    capital = mention.kind is AnchorKind.ENTITY or not text[mention.start].islower()
    return capital and bool(words) and all(w == "s" or is_name(w, speakers) for w in words)
