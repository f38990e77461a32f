"""Verb forms of English: what a clause needs when its subject becomes a name.

A table of irregular verbs was taken over an inflection library: only two forms are ever made,
the third person of the present and the simple past, and the table fits on a page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_THIRD: Final[Mapping[str, str]] = {
    "am": "is", "are": "is", "be": "is", "'m": "is", "'re": "is", "have": "has", "'ve": "has",
    "do": "does", "go": "goes", "were": "was", "m": "is", "re": "is", "ve": "has", "ai": "is",
    "wanna": "wants to", "gonna": "is going to",
}  # fmt: skip
_IRREGULAR_PAST: Final = """
be was|become became|begin began|bite bit|blow blew|break broke|bring brought|build built|buy bought
catch caught|choose chose|come came|cost cost|cut cut|deal dealt|dig dug|do did|draw drew
drink drank|drive drove|eat ate|fall fell|feed fed|feel felt|fight fought|find found|fly flew
forget forgot|get got|give gave|go went|grow grew|hang hung|have had|hear heard|hide hid|hit hit
hold held|hurt hurt|keep kept|know knew|lead led|learn learned|leave left|lend lent|let let|lie lay
lose lost|make made|mean meant|meet met|pay paid|put put|quit quit|read read|ride rode|ring rang
run ran|say said|see saw|sell sold|send sent|set set|shake shook|shoot shot|show showed|shut shut
sing sang|sit sat|sleep slept|speak spoke|spend spent|stand stood|steal stole|swim swam|take took
teach taught|tear tore|tell told|think thought|throw threw|understand understood|wake woke
wear wore|win won|write wrote
"""
_PAST: Final[Mapping[str, str]] = {
    pair.split()[0]: pair.split()[1] for pair in re.split(r"[|\n]", _IRREGULAR_PAST.strip())
}
_PASTS: Final = frozenset(_PAST.values()) - frozenset(_PAST)
_VOWELS: Final = "aeiou"
_DOUBLED: Final = frozenset(
    [
        "stop",
        "plan",
        "chat",
        "shop",
        "drop",
        "trip",
        "hug",
        "jog",
        "skip",
        "grab",
        "swap",
        "quit",
        "step",
        "travel",
        "prefer",
        "rob",
        "clap",
        "knit",
    ]
)


def third_person(verb: str) -> str:
    """Return the present form that a name takes.

    >>> [third_person(v) for v in ("am", "have", "try", "watch", "play", "were")]
    ['is', 'has', 'tries', 'watches', 'plays', 'was']
    """
    low = verb.lower()
    if low in _THIRD:
        return _THIRD[low]
    if low in _PASTS or not low.isalpha():
        return verb
    if low.endswith("y") and len(low) > 1 and low[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb + "s"


def past(lemma: str) -> str:
    """Return the simple past.

    >>> [past(v) for v in ("go", "stop", "try", "like", "visit")]
    ['went', 'stopped', 'tried', 'liked', 'visited']
    """
    if lemma in _PAST:
        return _PAST[lemma]
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ied"
    if lemma in _DOUBLED:
        return lemma + lemma[-1] + "ed"
    return lemma + "ed"


def is_past(sentence: str, subject: str) -> bool:
    """Whether the first verb after the subject, or a perfect form, tells of something past.

    >>> is_past("Last week Ana just took a class", "ana"), is_past("Ana takes a class", "ana")
    (True, False)
    """
    text = sentence.casefold()
    if _PERFECT.search(text):
        return True
    rest = text[text.find(subject.casefold()) + len(subject) :]
    return any(_past_form(word) for word in re.findall(r"[a-z']+", rest)[:4])


def past_only(word: str) -> bool:
    """Whether the word is a past form and no base form.

    >>> [past_only(w) for w in ("lost", "visited", "cut", "feed")]
    [True, True, False, False]
    """
    return word not in _PAST and _past_form(word) and not word.endswith("eed")


def _past_form(word: str) -> bool:
    return word in _PASTS or (word.endswith("ed") and len(word) > 4)


_PERFECT: Final = re.compile(
    r"\b(?:has|have|had) (?:just |finally |already |also |\w+ly )*(?:\w{3,}ed|been|gone|done|seen"
    rf"|taken|given|written|chosen|become|begun|{'|'.join(sorted(_PASTS))})\b"
)
