"""Lines that open a turn in plain, Markdown and call texts: `[time] NAME [(time)] : text`.

A colon proves little, so the name before it has to look like one; the report lists who was found.
Names that look like none of these (an emoji first, a number, brackets) are taken where the file
vouches for them: it opens two lines with that name, or nearly all of its lines open so. A list of
allowed signs was turned down, since people put any sign into a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memcore.transcripts import dates, written
from memcore.transcripts.codes import Warn
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.phrases import LABELS, TITLES

NAME_LENGTH = 60
NAME_WORDS = 6
HEAD_LENGTH = 200
"""Time and name stand within so many characters."""

FEW_TURNS = 20
MANY_NAMES = 50
ONCE_SHARE = 0.4
MOST_LINES = 0.8
"""From this share of lines on, a file is a list of `Name: text`, and odd names are names."""

_COLON = re.compile(r"[:：]")
_SET_APART = re.compile(r"\s|[-*+•·]\s|>|\d{1,3}[.)]\s|```|~~~|\||\*\*|__|#+\s")
_STAMP = re.compile(
    r"\[(?P<boxed>[^\]]{4,40})\]\s*(?:-\s*)?"
    r"|(?P<bare>(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[APap]\.?[Mm]\.?|Z|[+-]\d\d:?\d\d)?)\s+(?:-\s+)?"
    r"|\((?P<round>\d[^)]{3,40})\)\s*"
)
_AFTER = re.compile(r"\s*[(\[](?P<time>[^()\[\]]*\d[^()\[\]]*)[)\]]$")
_ASIDE = re.compile(r"\s*[(\[（【][^()\[\]（）【】]*[)\]）】]$")
_TIMELIKE = re.compile(r"\d{1,2}[:.hH點点时時]\d\d|\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_PHONE = re.compile(r"\+?\d[\d\s().-]{5,20}\d")
_STOP = re.compile(r"(\S+)[.?!]\s")
_WIDE_STOP = re.compile("[。！？；，؟؛،।]")
_SCHEMES = frozenset({"http", "https", "ftp", "file", "mailto", "tel", "ws", "wss"})


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a turn: who, the words on the line, and a time as written."""

    name: str
    text: str
    stamp: str = ""


def opening(line: str, vouched: frozenset[str] = frozenset()) -> Opening | None:
    """Return how a line opens a turn, None where it continues the one above.

    `vouched` are folded names that are speakers although they look like none.

    >>> opening("Noor Haddad (16:05): The hedge is cut.")
    Opening(name='Noor Haddad', text='The hedge is cut.', stamp='16:05')
    >>> opening("see https://example.org") is None
    True
    """
    found = _split(line)
    return None if found is None else _accepted(found, vouched)


def _split(line: str) -> Opening | None:
    """Return a line at its first fitting colon, whatever stands before it."""
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
    if not found:
        return "", line
    stamp = found["boxed"] or found["bare"] or found["round"]
    return (stamp, line[found.end() :]) if is_stamp(stamp) else ("", line)


def is_stamp(text: str) -> bool:
    """Tell whether words in brackets are a time, and no part of a name.

    >>> [is_stamp(t) for t in ("16:05", "2 March 2021", "3.2.21, 4 pm", "Room 2", "Sales")]
    [True, True, True, False, False]
    """
    if not any(c.isdigit() for c in text):
        return False
    timelike = _TIMELIKE.search(text) is not None or dates.iso(text) is not None
    return timelike or written.written_of(text) is not None


def _named(name: str, text: str, stamp: str) -> Opening:
    after = _AFTER.search(name)
    if after and is_stamp(after["time"].strip()):
        name, stamp = name[: after.start()], stamp or after["time"].strip()
    return Opening(name.strip(), text.strip(), stamp)


def _accepted(found: Opening, vouched: frozenset[str]) -> Opening | None:
    if is_name(found.name) or fold(found.name) in vouched:
        return found
    return found if found.stamp and could_be_name(found.name) else None


def is_name(name: str) -> bool:
    """Tell whether words before a colon could be a speaker.

    >>> [is_name(n) for n in ("Dr. J. Haddad (Sales)", "+49 170 1234567", "Note", "I see. And then")]
    [True, True, False, False]
    """
    if _PHONE.fullmatch(name) and len(name) <= NAME_LENGTH:
        return True
    return name[:1].isalpha() and _is_short(name) and not _has_stop(f"{_bare(name)} ")


def could_be_name(name: str) -> bool:
    """Tell whether words before a colon are a speaker if the file vouches for them.

    >>> [could_be_name(n) for n in ("🌸 Mia", "[Bot] Max", "42", "I see. And then", "https")]
    [True, True, True, False, False]
    """
    if not any(c.isalnum() or not c.isascii() for c in name):
        return False
    return _is_short(name) and not _TIMELIKE.search(name) and not _has_stop(_bare(name))


def _is_short(name: str) -> bool:
    if not name or len(name) > NAME_LENGTH or len(_bare(name).split()) > NAME_WORDS:
        return False
    return fold(name) not in LABELS and name.casefold() not in _SCHEMES


def _bare(name: str) -> str:
    """Return a name without the words in brackets at its end, such as (Sales)."""
    return _ASIDE.sub("", name) or name


def _has_stop(name: str) -> bool:
    """Tell whether a sentence ends in a name, titles and initials apart."""
    if _WIDE_STOP.search(name):
        return True
    return not all(_is_title(m[1]) for m in _STOP.finditer(name))


def _is_title(word: str) -> bool:
    bare = word.rpartition(".")[2].casefold().lstrip("([\"'")
    return len(bare) == 1 or bare in TITLES


def vouched(lines: Iterable[str]) -> frozenset[str]:
    """Return the folded odd names that the lines of a file vouch for.

    >>> sorted(vouched(["🌸 Mia: Hello.", "Edda: Hi.", "🌸 Mia: Bye.", "and: so on."]))
    ['🌸 mia']
    """
    counts: Counter[str] = Counter()
    opened = whole = 0
    for line in lines:
        if not line.strip():
            continue
        whole += 1
        found = _candidate(line)
        if found is not None:
            opened += 1
            if not is_name(found.name):
                counts[fold(found.name)] += 1
    least = 1 if opened >= max(2, MOST_LINES * whole) else 2
    return frozenset(name for name, n in counts.items() if n >= least)


def _candidate(line: str) -> Opening | None:
    """Return how a line would open a turn if anything that could be a name were one."""
    found = _split(line)
    return found if found and (is_name(found.name) or could_be_name(found.name)) else None


def warn_of_names(names: Sequence[str], notes: Notes) -> None:
    """Report names met once, and more names than a talk has."""
    counts = Counter(fold(n) for n in names)
    once = sum(n == 1 for n in counts.values())
    if len(names) > FEW_TURNS:
        notes.warn(Warn.RARE_SPEAKER, once)
        if len(counts) > MANY_NAMES or once > ONCE_SHARE * len(counts):
            notes.warn(Warn.MANY_SPEAKERS)
