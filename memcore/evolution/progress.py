"""Whether a newer fact takes an undertaking further: intended, begun, done, failed.

Few talks say that something replaces something; most updates are of this kind: "we are thinking
about going camping" in May, "I took my family camping" in June. The words decide, by closed lists
of general English: who, how far it is, which kind of act, and about what thing. A cosine was
turned down: of the pairs of LoCoMo above 0.75, plan before and statement after, one in ten is an
update, the rest are two wishes of one kind.

A count by ordinals is a state as well: whoever won a fourth race has no longer won two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from enum import IntEnum
from typing import Final

from memcore.annotate.keys import STOP_WORDS, stem
from memcore.evolution.inflection import is_past
from memcore.evolution.lexicon import TIME_NOUN, VAGUE_NOUN
from memcore.types import Entry, Modality


class Stage(IntEnum):
    """How far an undertaking is."""

    INTENDED = 0
    BEGUN = 1
    DONE = 2
    FAILED = 3


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_UNDONE: Final = "not "
_EVENT: Final = "event"
"""Under this a planned event is looked up by its own name, whoever planned it."""
_LEAST_HOURS: Final = timedelta(hours=1)
"""What is told sooner belongs to the same telling."""
_EARLY: Final = timedelta(days=1)
_PARTICLES: Final = frozenset(
    "to for in at on up out over with about from into of by off down after around back".split()  # noqa: SIM905 - a word list
)
_INQUIRING: Final = _stems("research look consider search")
_WISHING: Final = _stems("want hope plan think dream wish aim intend decide")
_INTENDING: Final = _INQUIRING | _WISHING | _stems("gon try need love like will wan wanna work")
_GOING_ON: Final = _stems("keep continue pursue remember be feel stay remain")
"""Who keeps on intends nothing new, and a mood is no undertaking."""
_BEGINNING: Final = _stems("start begin apply submit audition interview train register enter")
_LASTING: Final = _stems("prepare practice practise work learn write")
"""Begun while they go on; told as past they are done."""
_ENDING: Final = _stems(
    "finish complete wrap publish accept pass release graduate admit approve finalize hire"
)
_FAILING: Final = _stems("reject fail lose abandon deny")
_CHOOSING: Final = _stems("apply get find buy join sign choose adopt rent book accept pick order")
_ATTENDING: Final = _stems(
    "host organize organise hold throw run put have attend go win play enter"
)
_FAMILIES: Final = (
    _ATTENDING,
    _stems("go visit travel attend take camp hike fly drive head tour"),
    _stems("get adopt buy find sign acquire receive accept choose collaborate partner"),
    _stems("write create build finish complete publish release record paint draw compose"),
    _stems("start open launch begin found set run own"),
    _stems("join enrol enroll register sign start begin"),
    _stems("submit send apply"),
    _stems("move relocate settle"),
    _stems("marry wed"),
    _stems("cook bake make"),
)
"""Verbs of which one may carry out what another announced."""
_SAYING: Final = _stems("say suggest share recommend let tell")
_VAGUE: Final = frozenset(map(stem, VAGUE_NOUN | TIME_NOUN)) | _stems(
    "photo picture work world life dream goal difference friend family support help experience"
    " journey project event trip hand plan recipe game passion writing new more best way shot talk"
)
"""Things of which everybody has several, so that equal words are no equal thing."""
_LABOUR: Final = frozenset(
    ["writing", "work", "draft", "edits", "recording", "editing", "painting"]
)
"""What is done on a thing: the thing follows it."""
_OWNING: Final = _stems("run own have")
"""Who runs a studio of their own has opened it."""
_SHORT: Final[Mapping[str, str]] = {
    "mtg": "meeting", "biz": "business", "comp": "competition", "tourney": "tournament",
    "fam": "family", "uni": "university", "appt": "appointment",
}  # fmt: skip
_ENDS_PHRASE: Final = re.compile(
    r"\b(?:in|on|at|for|of|to|with|from|that|who|which|and|or|where|when|by|about|into|near|as|since"
    r"|because|so|after|before|this|last|next)\b|[,(:;]| -"
)
_ACTIVITY: Final = re.compile(
    r"\b(?:go(?:es|ing)?|went|do(?:ing)?|tak(?:e|ing)|took|tr(?:y|ied|ying))"
    r"(?: \w+'s)?(?: \w+)? ([a-z]+ing)\b"
)
_GOING_TO: Final = re.compile(r"\bgoing to\b")
_TO_DO: Final = re.compile(r"\bto ([a-z]{2,})|\b([a-z]{2,})ing\b")
_HAS_GOT: Final = re.compile(r"\b(?:has|have) got\b")
_KEEPS: Final = re.compile(r"\b(?:keep(?:s|ing)?|continu(?:e|es|ing)) \w+ing\b")
_GOES_ON: Final = re.compile(r"\bbeen \w+ing\b")
_OWN: Final = re.compile(r"^(?:\S+'s|their) own\b")
_NOT_YET: Final = re.compile(r"\byet\b|\bnever\b")
_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_ORDINAL: Final = re.compile(rf"\b(?:({'|'.join(_ORDINALS)})|(\d{{1,3}})(?:st|nd|rd|th))\b")


def _words(text: str) -> list[str]:
    return [_SHORT.get(w, w) for w in re.findall(r"[^\W\d_]{3,}", text.casefold())]


def _names(entry: Entry) -> frozenset[str]:
    return frozenset(w for p in (entry.subject, *entry.persons) for w in _words(p))


def _spoken(entry: Entry) -> frozenset[str]:
    """The stems of its keywords, without names and without words that only describe another."""
    chunks = [k.casefold().split() for k in entry.keywords if " " in k]
    front = {w for words in chunks for w in words[:-1]} - {words[-1] for words in chunks}
    words = {w for k in entry.keywords for w in _words(k)} - front - _names(entry)
    return frozenset(stem(w) for w in words if w not in STOP_WORDS) - _VAGUE


def _phrase(entry: Entry) -> list[str]:
    """The words of the noun phrase that the value begins with, or of an activity.

    Of work on something they are those of the thing: of "her writing for her book" the book.
    """
    activity = _ACTIVITY.search(entry.restatement.casefold())
    if activity:
        return [activity[1]]
    value = entry.value.casefold().replace("'s", "")
    parts = [_words(part) for part in _ENDS_PHRASE.split(f"{value} ")[:2]]
    labour = len(parts) > 1 and parts[0] and parts[0][-1] in _LABOUR
    return parts[1] if labour else parts[0]


def thing(entry: Entry) -> str:
    """Return the stem of the noun that an act is done to, nothing where it says too little.

    An entry without a topic has no noun: "got allergic".

    >>> from memcore.types import EntryId
    >>> thing(Entry(EntryId(1), "", (), topic="interview", value="interviews for a new book"))
    'interview'
    """
    if not entry.topic:
        return ""
    words = _phrase(entry)
    found = words[-1] if words else ""
    empty = not found or found in STOP_WORDS or found in _names(entry)
    return "" if empty or stem(found) in _VAGUE else stem(found)


def _acts(entry: Entry) -> frozenset[str]:
    """The stems of the verbs in its attribute, without those that only intend."""
    words = entry.attribute.removeprefix("plan:").split()
    if len(words) > 1 and words[0] == "go" and words[1] not in _PARTICLES:
        del words[0]
    return frozenset(stem(w) for w in words if w not in _PARTICLES) - _INTENDING


def _announced(entry: Entry) -> frozenset[str]:
    """The stems of all acts that an intention names."""
    found = set(_verbs_named(entry))
    if _HAS_GOT.search(entry.restatement.casefold()):
        found.add("have")
    events = _ATTENDING if entry.attribute.startswith("plan:") else frozenset()
    return (_acts(entry) | found | _spoken(entry) | events) - _WISHING


def _verbs_named(entry: Entry) -> frozenset[str]:
    """The stems of the infinitives and -ing forms in its sentence."""
    text = _GOING_TO.sub("to", entry.restatement.casefold())
    named = {w for pair in _TO_DO.findall(text) for w in pair if w}
    return frozenset({stem(w) for w in named} | {stem(f"{w}e") for w in named})


def stage(entry: Entry) -> Stage | None:
    """Return how far the undertaking of an entry is, or None if it tells of none."""
    words = [stem(w) for w in entry.attribute.split()]
    if not words or words[0] in _SAYING or not _GOING_ON.isdisjoint(words[:2]):
        return None
    if _KEEPS.search(entry.restatement):
        return None
    if _intends(entry, words):
        return Stage.INTENDED
    return _reached(entry, frozenset(words)) if entry.modality is Modality.ASSERTED else None


def _intends(entry: Entry, words: list[str]) -> bool:
    if entry.modality is Modality.PLANNED:
        return True
    if entry.modality is Modality.NEGATED:
        return bool(_NOT_YET.search(entry.restatement))
    return words[0] in _WISHING or _inquires(entry)


def _inquires(entry: Entry) -> bool:
    words = entry.attribute.split()
    searches = not _INQUIRING.isdisjoint(map(stem, words))
    return searches and ("look" not in words or not {"into", "for"}.isdisjoint(words))


def _reached(entry: Entry, words: frozenset[str]) -> Stage | None:
    if words & _OWNING and _OWN.search(entry.value):
        return Stage.DONE
    past = is_past(entry.restatement, entry.subject)
    if past and (words & _FAILING or "rejection" in entry.value):
        return Stage.FAILED
    if words & _LASTING and (not past or _GOES_ON.search(entry.restatement)):
        return Stage.BEGUN
    if words & _BEGINNING or "interview for" in entry.value:
        return Stage.DONE if past and words & _ENDING else Stage.BEGUN
    return Stage.DONE if past else None


def open_keys(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return under what an open undertaking is looked up: its subject with each of its nouns.

    What was "not yet" done has keys of its own, so that it hides nothing that was begun.
    """
    if stage(entry) not in {Stage.INTENDED, Stage.BEGUN}:
        return ()
    subject = entry.subject.casefold()
    mark = _UNDONE if entry.modality is Modality.NEGATED else ""
    words = sorted((_spoken(entry) | {thing(entry)}) - {""})
    event = entry.attribute.removeprefix("plan:")
    named = ((_EVENT, event),) if event != entry.attribute else ()
    return (*((subject, f"{mark}{word}") for word in words), *named)


def wanted_keys(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return under what the open undertakings stand that an entry may take further."""
    held = ((_EVENT, entry.subject.casefold()),) if _took_place(entry) else ()
    if stage(entry) in {None, Stage.INTENDED}:
        return held
    subject, about = entry.subject.casefold(), [thing(entry), *map(stem, _phrase(entry)[:-1])]
    if stage(entry) is Stage.FAILED:
        about += sorted(_spoken(entry))
    words = [word for word in dict.fromkeys(about) if word and word not in _VAGUE]
    marks = ("", _UNDONE)
    return (*((subject, f"{mark}{word}") for mark in marks for word in words), *held)


def _took_place(entry: Entry) -> bool:
    """Whether it tells how something went: its subject is what may have been planned."""
    told = entry.attribute.split()[:1] in (["be"], ["go"], ["turn"], ["happen"])
    past = is_past(entry.restatement, entry.subject)
    return told and past and entry.modality is Modality.ASSERTED


def _was_held(new: Entry, old: Entry) -> bool:
    """Whether the newer entry tells how the event went that its speaker planned before."""
    planned = old.attribute == f"plan:{new.subject.casefold()}"
    mine = old.subject.casefold() in {p.casefold() for p in new.persons}
    open_yet = old.modality is Modality.PLANNED and old.value != "postponed"
    return planned and mine and open_yet and _took_place(new) and _in_time(new, old)


def goes_further(new: Entry, old: Entry) -> bool:
    """Whether the newer entry takes the older one's undertaking further, or counts it higher."""
    if not _told_later(new, old):
        return False
    if _was_held(new, old):
        return True
    same = new.subject.casefold() == old.subject.casefold()
    return same and (_counts_higher(new, old) or _advances(new, old))


def _advances(new: Entry, old: Entry) -> bool:
    now, before = stage(new), stage(old)
    if now is None or before is None or now <= before or not _in_time(new, old):
        return False
    if before is Stage.BEGUN:
        return _ends(new, old)
    about = thing(new)
    shared = bool(about) and about in _spoken(old) | {thing(old)}
    return shared and now is not Stage.FAILED and _carries_out(new, old)


def _ends(new: Entry, old: Entry) -> bool:
    """Whether what was begun is finished or failed: applied to agencies, passed their interviews."""
    about, acts = thing(old), _acts(new)
    if stage(new) is Stage.FAILED:
        return bool(about) and about in _spoken(new)
    same = bool(about) and about in map(stem, _phrase(new))
    named = _announced(old) - _acts(old) - _spoken(old)
    shared = same or (bool(thing(new)) and thing(new) in _spoken(old))
    return shared and bool(acts & (_ENDING | named))


def _carries_out(new: Entry, old: Entry) -> bool:
    acts, named = _acts(new), _announced(old)
    if old.modality is Modality.NEGATED:
        return bool(acts & named)
    if thing(new) in _verbs_named(old) and acts & _ATTENDING:
        return True  # "to perform" was said before, and now "had that performance"
    chosen = _inquires(old) and bool(acts & _CHOOSING)
    return chosen or bool(acts & named) or any(acts & f and named & f for f in _FAMILIES)


def _told_later(new: Entry, old: Entry) -> bool:
    if new.source_turns == old.source_turns:
        return False
    if new.said_at is None or old.said_at is None:
        return True
    return new.said_at - old.said_at >= _LEAST_HOURS


def _in_time(new: Entry, old: Entry) -> bool:
    """Whether the newer event lies after the older was told, and near the date it was told for."""
    if new.time is None or old.said_at is None:
        return True
    if new.time.end <= old.said_at:
        return False
    if old.time is None or old.time.end <= old.said_at:
        return True
    return old.time.start - _EARLY <= new.time.start < old.time.end


def _counts_higher(new: Entry, old: Entry) -> bool:
    """Whether both tell the same act of the same thing, and the newer has the higher ordinal."""
    if not 0 < ordinal(old.value) < ordinal(new.value):
        return False
    asserted = new.modality is old.modality is Modality.ASSERTED
    same = new.attribute.casefold() == old.attribute.casefold() and thing(new) == thing(old)
    return asserted and same and bool(thing(new))


def ordinal(value: str) -> int:
    """Return the ordinal in a value, 0 if there is none.

    >>> [ordinal(v) for v in ("her second marathon", "the 4th race", "a race")]
    [2, 4, 0]
    """
    found = _ORDINAL.search(value.casefold())
    if found is None:
        return 0
    return int(found[2]) if found[2] else _ORDINALS.index(found[1]) + 1
