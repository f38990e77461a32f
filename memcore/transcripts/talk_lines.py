"""Lines that open a turn in plain, Markdown and call texts: `[time] NAME [(time)] : text`.

A colon proves little, so the name before it has to look like one; the report lists who was found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memcore.transcripts.codes import Warn
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.phrases import LABELS

NAME_LENGTH = 60
NAME_WORDS = 6
HEAD_LENGTH = 200
"""Time and name stand within so many characters."""

FEW_TURNS = 20
MANY_NAMES = 50
ONCE_SHARE = 0.4

_COLON = re.compile(r"[:：]")
_SET_APART = re.compile(r"\s|[-*+•·]\s|>|\d{1,3}[.)]\s|```|~~~|\|")
_STAMP = re.compile(
    r"\[(?P<boxed>[^\]]{4,40})\]\s*(?:-\s*)?"
    r"|(?P<bare>(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[APap]\.?[Mm]\.?|Z|[+-]\d\d:?\d\d)?)\s+(?:-\s+)?"
    r"|\((?P<round>\d[^)]{3,40})\)\s*"
)
_AFTER = re.compile(r"\s*[(\[](?P<time>[^()\[\]]*\d[^()\[\]]*)[)\]]$")
_PHONE = re.compile(r"\+?\d[\d\s().-]{5,20}\d")
_STOP = re.compile(r"(\S+)[.?!]\s")
_TITLES = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "jr",
        "sr",
        "hr",
        "fr",
        "sra",
        "dra",
        "mme",
        "mlle",
        "ing",
        "dott",
        "sig",
        "sig.ra",
    ]
)
_SCHEMES = frozenset({"http", "https", "ftp", "file", "mailto", "tel", "ws", "wss"})


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a turn: who, the words on the line, and a time as written."""

    name: str
    text: str
    stamp: str = ""


def opening(line: str) -> Opening | None:
    """Return how a line opens a turn, None where it continues the one above.

    >>> opening("Noor Haddad (16:05): The hedge is cut.")
    Opening(name='Noor Haddad', text='The hedge is cut.', stamp='16:05')
    >>> opening("see https://example.org") is None
    True
    """
    if not line or _SET_APART.match(line):
        return None
    stamp, rest = _stamped(line[:HEAD_LENGTH])
    rest += line[HEAD_LENGTH:]
    for colon in _COLON.finditer(rest):
        place = colon.start()
        if place > HEAD_LENGTH:
            return None
        if rest[place + 1 : place + 3] == "//":
            continue
        if rest[place - 1 : place].isdigit() and rest[place + 1 : place + 2].isdigit():
            continue
        return _named(rest[:place], rest[place + 1 :], stamp)
    return None


def _stamped(line: str) -> tuple[str, str]:
    found = _STAMP.match(line)
    if not found or not any(c.isdigit() for c in found[0]):
        return "", line
    stamp = found["boxed"] or found["bare"] or found["round"]
    return stamp, line[found.end() :]


def _named(name: str, text: str, stamp: str) -> Opening | None:
    after = _AFTER.search(name)
    if after:
        name, stamp = name[: after.start()], stamp or after["time"].strip()
    name = name.strip()
    return Opening(name, text.strip(), stamp) if is_name(name) else None


def is_name(name: str) -> bool:
    """Tell whether words before a colon could be a speaker.

    >>> [is_name(n) for n in ("Dr. J. Haddad", "+49 170 1234567", "Note", "I see. And then")]
    [True, True, False, False]
    """
    if not name or len(name) > NAME_LENGTH or len(name.split()) > NAME_WORDS:
        return False
    if _PHONE.fullmatch(name):
        return True
    if not name[0].isalpha() or fold(name) in LABELS or name.casefold() in _SCHEMES:
        return False
    return all(_is_short(m[1]) for m in _STOP.finditer(f"{name} "))


def _is_short(word: str) -> bool:
    bare = word.rpartition(".")[2].casefold()
    return len(bare) == 1 or bare in _TITLES


def warn_of_names(names: Sequence[str], notes: Notes) -> None:
    """Report names met once, and more names than a talk has."""
    counts = Counter(fold(n) for n in names)
    once = sum(n == 1 for n in counts.values())
    if len(names) > FEW_TURNS:
        notes.warn(Warn.RARE_SPEAKER, once)
        if len(counts) > MANY_NAMES or once > ONCE_SHARE * len(counts):
            notes.warn(Warn.MANY_SPEAKERS)
