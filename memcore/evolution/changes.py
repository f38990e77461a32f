"""What differs between two entries, and whether they speak of the same thing.

Rules over the entry's fields and the words of its restatement, English and Chinese. A cosine was
turned down for this: "at 2 pm" and "at 3 pm" have a cosine of 0.99.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from memcore.annotate.languages import HAN
from memcore.evolution.attribute_names import attribute_key, one_valued
from memcore.evolution.lexicon import VAGUE_NOUN
from memcore.evolution.progress import goes_further
from memcore.types import Change, Entry, Modality

_MONTHS: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_DATE: Final = re.compile(
    rf"\d{{4}}-\d\d(?:-\d\d)?|\b\d{{1,2}}(?:-\d{{1,2}})? (?:{_MONTHS})\b(?:,? \d{{4}})?"
    rf"|\b(?:{_MONTHS})\.? (?:\d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,? ?\d{{4}})?"
    r"|\b(?:19|20)\d\d\b|\d+年(?:\d+月)?(?:\d+[日号])?|\d+月(?:\d+[日号])?|\d+[日号]",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\b\d{1,2}:\d\d\b"
    r"|[上下]午[零一二两三四五六七八九十\d]+[点时]半?|[零一二两三四五六七八九十\d]+[点时](?:半|\d+分)?",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_NUMBERS: Final = {word: str(n) for n, word in enumerate(_NUMBER_WORDS.split())} | {
    "once": "1", "twice": "2", "dozen": "12", "thirty": "30", "forty": "40", "fifty": "50",
    "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000",
}  # fmt: skip
_CHINESE_NUMBER: Final = re.compile(
    r"([一二两三四五六七八九十百千万]+)(?=[个只条次岁年天本杯位名口套间斤公里块元])"
)
_CHINESE: Final = {c: str(n) for n, c in enumerate("零一二三四五六七八九十")} | {"两": "2"}
_NEGATED: Final = re.compile(
    r"\b(?:not|never|no longer|nobody|nothing|cannot|without)\b|n't\b|n’t\b|没|不(?:再|是|想|会|去|喜欢|要|能|住)|别",
    re.IGNORECASE,
)
_ENDED: Final = re.compile(
    r"\bno longer\b|\b(?:not|n't)\b.*\bany ?more(?=[.,!]|$)|\bcancel|\bcall(?:s|ed)? off\b"
    r"|\bquit(?:s|ted|ting)?\b|\bstop(?:s|ped)?\b"
    r"|\bg[ai]ven? up\b|\bbroke up\b|\bdropped out\b|\bresign|\blet go of\b"
    r"|取消|不再|辞[职掉去了]|停止|放弃|分手|作罢|不去了|泡汤",
    re.IGNORECASE,
)
_HOLDING: Final = frozenset(("have", "own", "need", "want", "prefer", "有", "养", "想要", "需要"))
"""Verbs whose count is a state: three cats replace two, three runs do not."""
_NOBODY: Final = frozenset(
    ("", "it", "that", "this", "these", "those", "they", "there", "everyone", "everything")
)
_GOES_ON: Final = re.compile(
    r"(?:\b(?:not|never)|cannot)\b.*\b(?:quit|stop|give up|cancel)|n't .*\bquit", re.IGNORECASE
)
_HAN: Final = re.compile(f"[{HAN}]{{1,3}}")
_UNSAYING: Final = frozenset(("是", "说", "想", "觉得", "在", "建议"))
"""Chinese verbs of which one who says otherwise takes nothing back."""
_VAGUE: Final = frozenset(("be", "feel", "seem", "look"))
SAY: Final = "say"
"""The attribute of a quote: it changes nothing, for what is meant is not known."""
_INTENDING: Final = frozenset(
    ("go", "gon", "want", "plan", "hope", "intend", "decide", "wish", "consider", "think")
)
_SAME_VALUE: Final = 0.75
"""Share of the shorter value's words that another statement about the same thing repeats."""
_AGREES: Final = 0.5
"""Share of the shorter side's words that two values must have in common."""
_EMPTY: Final = VAGUE_NOUN | frozenset(
    "the and for with from about that this very really just new old her his its their".split()  # noqa: SIM905 - a word list
)


class Kinship(StrEnum):
    """Whether two entries speak of the same thing, and the newer one replaces the older."""

    SAME_ATTRIBUTE = "same_attribute"
    SAME_SUBJECT = "same_subject"
    OTHER = "other"


def numbers(text: str) -> tuple[str, ...]:
    """Return the distinct numbers of a text without its dates and clock times, sorted.

    >>> numbers("Ana bought two lamps for 30 euros on 3 May 2023")
    ('2', '30')
    """
    rest = _CLOCK.sub(" ", _DATE.sub(" ", text))
    words = re.findall(r"[a-z]+", rest.casefold())
    found = {_NUMBERS[w] for w in words if w in _NUMBERS}
    found |= {_CHINESE.get(n, n) for n in _CHINESE_NUMBER.findall(rest)}
    return tuple(sorted(found | set(_DIGITS.findall(rest))))


def clocks(text: str) -> tuple[str, ...]:
    """Return the clock times of a text, blanks taken out, sorted.

    >>> clocks("The meeting is at 2 pm")
    ('2pm',)
    """
    return tuple(sorted({re.sub(r"\s", "", c).casefold() for c in _CLOCK.findall(text)}))


def negated(entry: Entry) -> bool:
    """Whether an entry denies what it speaks of."""
    if entry.attribute:
        return entry.modality is Modality.NEGATED
    return entry.modality is Modality.NEGATED or bool(_NEGATED.search(entry.restatement))


def ended(entry: Entry) -> bool:
    """Whether an entry says that something is over: no longer, cancelled, quit."""
    text = entry.restatement
    return bool(_ENDED.search(text)) and not _GOES_ON.search(text)


def _other_time(new: Entry, old: Entry) -> bool:
    if clocks(new.restatement) != clocks(old.restatement):
        return True
    if new.time is None or old.time is None:
        return new.time is not old.time and new.time is not None
    return not new.time.meets(old.time)


def _other_place(new: Entry, old: Entry) -> bool:
    return bool(new.location) and new.location.casefold() != old.location.casefold()


def _other_object(new: Entry, old: Entry) -> bool:
    ours, theirs = _bare(new.value), _bare(old.value)
    return (
        bool(ours and theirs) and not _holds_words(ours, theirs) and not _holds_words(theirs, ours)
    )


def _bare(value: str) -> str:
    return attribute_key(value).strip("的了 ")


def _holds_words(long: str, short: str) -> bool:
    """Whether one value is part of the other in whole words; "art" is no part of "party"."""
    if short.isascii():
        return f" {short} " in f" {long} "
    return short == long or (len(short) > 1 and short in long)


def _other_numbers(new: Entry, old: Entry) -> bool:
    ours, theirs = numbers(new.restatement), numbers(old.restatement)
    return bool(ours) and ours != theirs


def change(new: Entry, old: Entry) -> Change:
    """Return the first difference that counts, or SAME_FACT; keywords are not looked at.

    What the new entry leaves out is no difference; what it adds is one.
    """
    tests = (
        (Change.NEGATION_DIFFERS, negated(new) != negated(old)),
        (Change.STATUS_DIFFERS, _other_status(new, old)),
        (Change.NUMBER_DIFFERS, _other_numbers(new, old)),
        (Change.TIME_DIFFERS, _other_time(new, old)),
        (Change.PLACE_DIFFERS, _other_place(new, old)),
        (Change.OBJECT_DIFFERS, _other_object(new, old)),
    )
    return next((name for name, holds in tests if holds), Change.SAME_FACT)


def _other_status(new: Entry, old: Entry) -> bool:
    if ended(new) != ended(old) or new.modality is not old.modality:
        return True
    return goes_further(new, old)


def _words(text: str) -> frozenset[str]:
    plain = _CLOCK.sub(" ", _DATE.sub(" ", text.casefold()))
    words = {w for w in re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", plain) if w not in _NUMBERS}
    return frozenset(words - _EMPTY)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def _keywords(entry: Entry) -> frozenset[str]:
    words = (w for k in entry.keywords for w in k.casefold().split())
    return frozenset(w for w in words if not _ENDED.search(w))


def slot(entry: Entry) -> tuple[str, ...]:
    """Return subject and attribute, case-folded, where the attribute is one-valued; else nothing.

    Of what somebody does in Chinese, such as 弹吉他, the value is a part: the vectors there count
    words, and 不弹吉他了 has too few in common to be found by them.
    """
    subject, attribute = entry.subject.casefold(), attribute_key(entry.attribute)
    if not entry.value or subject in _NOBODY:
        return ()
    if one_valued(attribute):
        return (subject, attribute)
    done = _HAN.fullmatch(attribute) and attribute not in _UNSAYING
    return (subject, attribute, _bare(entry.value)) if done else ()


def _same_subject(new: Entry, old: Entry) -> bool:
    ours, theirs = new.subject.casefold(), old.subject.casefold()
    if not ours and not theirs:
        return new.persons == old.persons
    return ours == theirs and ours not in _NOBODY


def _same_attribute(new: Entry, old: Entry) -> bool:
    """Whether both are about one attribute, and, where it holds many values, about one value."""
    ours, theirs = attribute_key(new.attribute), attribute_key(old.attribute)
    if not ours and not theirs:
        return _share(_keywords(new), _keywords(old)) >= _AGREES
    if _open_before(old) and SAY not in {ours, theirs}:
        ours, theirs = _act(ours), _act(theirs)
    if ours != theirs and not _one_plan(ours, theirs):
        return False
    values = _words(new.value), _words(old.value)
    if ours == SAY:
        return _bare(new.value) == _bare(old.value)
    if one_valued(ours):
        return bool(new.value and old.value)
    return ours not in _VAGUE and all(values) and _share(*values) >= _SAME_VALUE


def _one_plan(ours: str, theirs: str) -> bool:
    """Whether two plans are one, named once more shortly: an LGBTQ art show, the art show."""
    if not (ours.startswith("plan:") and theirs.startswith("plan:")):
        return False
    first, second = (frozenset(a.removeprefix("plan:").split()) for a in (ours, theirs))
    return len(min(first, second, key=len)) > 1 and (first <= second or second <= first)


def _act(attribute: str) -> str:
    """Return the act without the words that only intend it: "go adopt" and "adopt" are one."""
    words = attribute.split()
    while len(words) > 1 and words[0] in _INTENDING:
        del words[0]
    return " ".join(words)


def happened(entry: Entry) -> bool:
    """Whether an entry tells of a dated event that lies before the talk."""
    if entry.time is None or entry.said_at is None:
        return False
    return entry.modality is Modality.ASSERTED and entry.time.start <= entry.said_at


def _holds(entry: Entry) -> bool:
    words = entry.attribute.casefold().split()
    return not words or one_valued(entry.attribute) or words[0] in _HOLDING


def _came_true(new: Entry, old: Entry) -> bool:
    """Whether a plan or a doubt was settled, or something is over."""
    settled = new.modality in {Modality.ASSERTED, Modality.NEGATED}
    thing = attribute_key(new.value) not in {p.casefold() for p in (*new.persons, *old.persons)}
    return (_open_before(old) and settled and thing) or ended(new)


def _open_before(old: Entry) -> bool:
    return old.modality in {Modality.PLANNED, Modality.HYPOTHETICAL}


def _both_timed(new: Entry, old: Entry) -> bool:
    if clocks(new.restatement) and clocks(old.restatement):
        return True
    return None not in {new.time, old.time} and not (happened(new) and happened(old))


_REPLACES: Final[Mapping[Change, Callable[[Entry, Entry], bool]]] = {
    Change.NEGATION_DIFFERS: lambda _new, _old: True,
    Change.STATUS_DIFFERS: _came_true,
    Change.NUMBER_DIFFERS: lambda new, old: _holds(new) and bool(numbers(old.restatement)),
    Change.TIME_DIFFERS: _both_timed,
    Change.PLACE_DIFFERS: lambda new, old: bool(old.location) and not happened(new),
    Change.OBJECT_DIFFERS: lambda new, _old: one_valued(new.attribute),
}
"""What a difference in one attribute must meet, so that the newer entry replaces the older one.

A visit in May does not replace a visit in March, nor a second run the first.
"""


def _updates(new: Entry, old: Entry) -> bool:
    found = change(new, old)
    if found is Change.SAME_FACT:
        return True
    if one_valued(new.attribute) and _other_object(new, old):
        return True
    return _REPLACES[found](new, old)


def _ends(new: Entry, old: Entry) -> bool:
    """Whether the new entry says that what the old one tells of is over; a quote says nothing."""
    if SAY in {new.attribute, old.attribute}:
        return False
    about_one = not frozenset(new.persons).isdisjoint(old.persons) or _same_subject(new, old)
    shared = _share(_keywords(new), _keywords(old))
    return ended(new) and not ended(old) and about_one and shared >= _AGREES


def says_more(entry: Entry) -> bool:
    """Whether an entry has keywords beyond the names in it: else any fact of that name overlaps."""
    names = {w for p in (entry.subject, *entry.persons) for w in p.casefold().split()}
    return any(not set(k.casefold().split()) <= names for k in entry.keywords)


def kinship(new: Entry, old: Entry) -> Kinship:
    """Return whether two entries agree in subject and attribute, in subject alone, or in neither.

    Where they differ, SAME_ATTRIBUTE also says that the difference is one that replaces.
    """
    if _ends(new, old) or goes_further(new, old):
        return Kinship.SAME_ATTRIBUTE
    if not _same_subject(new, old):
        return Kinship.OTHER
    if _same_attribute(new, old) and _updates(new, old):
        return Kinship.SAME_ATTRIBUTE
    return Kinship.SAME_SUBJECT
