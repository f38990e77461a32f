"""Chats as Markdown: headings of dates and roles, or names in bold before a colon.

Nothing inside a fence of code is a heading or a speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memcore.transcripts import dates, starts, walk, written
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.people import kind_of as kind_of_label
from memcore.transcripts.plain import HEAD_LENGTH, Head, head_of
from memcore.transcripts.roles import ROLES, kind_of, role_of
from memcore.transcripts.samples import LOOKED_AT, NOTHING, Evidence, Sample
from memcore.transcripts.talk_lines import could_be_name, is_name, warn_of_names
from memcore.types import PersonKind, Quote, SaidTime, TimeSource

name = "markdown"

_FENCE = re.compile(r"\s*(```+|~~~+)")
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*\s*")
_BOLD = re.compile(
    r"(?:\*\*|__)(?P<name>[^*_\n]{1,60}?)(?P<in>[:：]?)(?:\*\*|__)\s*"
    r"(?:[(\[](?P<time>[^()\[\]]*\d[^()\[\]]*)[)\]])?\s*(?P<out>[:：]?)\s*(?P<text>.*)"
)
_TIMED = re.compile(r"(?P<name>.+?)\s*[(\[](?P<time>[^()\[\]]*\d[^()\[\]]*)[)\]]")
_ITEM = re.compile(r"\d{1,3}[.)]\s")
"""A numbered step in bold is no speaker."""
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])")
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Opened:
    """A line that opens a turn: who, when as written, and the words on the line."""

    name: str
    time: str
    text: str


def bold_of(line: str) -> Opened | None:
    """Return the turn that a bold name opens, None for another line.

    >>> bold_of("**Noor** (16:05): The hedge is cut.")
    Opened(name='Noor', time='16:05', text='The hedge is cut.')
    """
    found = _BOLD.fullmatch(line)
    if not found or not (found["in"] or found["out"]):
        return None
    name_ = found["name"].strip()
    if not is_name(name_) and not (could_be_name(name_) and not _ITEM.match(name_)):
        return None
    return Opened(name_, (found["time"] or "").strip(), found["text"])


def _heading(line: str) -> re.Match[str] | None:
    return _HEADING.fullmatch(line) if len(line) <= HEAD_LENGTH else None


def score(sample: Sample) -> Evidence:
    """Judge by bold names and by headings that are roles or names met twice."""
    if sample.is_json:
        return NOTHING
    lines = list(_outside(sample.lines[: 5 * LOOKED_AT]))
    bold = sum(bold_of(line) is not None for line in lines)
    speakers = _speakers(lines)
    heads = sum(_heading_speaker(line, speakers) is not None for line in lines)
    if bold + heads < 1:
        return NOTHING
    words = f"{bold} bold names with a colon, {heads} headings that are speakers"
    return Evidence(0.9 if bold + heads > 1 else 0.5, words)


def _outside(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines outside of fences of code."""
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield line


def _speakers(lines: Sequence[str]) -> frozenset[str]:
    """Return the folded headings that speak: roles, and names met twice."""
    names = Counter(
        fold(_timed(m["text"])[0])
        for line in lines
        if (m := _heading(line)) and head_of(line) is None
    )
    return frozenset(
        n for n, times in names.items() if n in ROLES or (times > 1 and could_be_name(n))
    )


def _timed(text: str) -> tuple[str, str]:
    found = _TIMED.fullmatch(text)
    return (found["name"].strip(), found["time"].strip()) if found else (text.strip(": "), "")


def _heading_speaker(line: str, speakers: frozenset[str]) -> Opened | None:
    found = _heading(line)
    if not found:
        return None
    label, time = _timed(found["text"])
    return Opened(label, time, "") if fold(label) in speakers else None


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    lines = file.lines()
    outside = list(_outside(lines))
    found = [w for line in outside if (h := head_of(line)) and (w := written.written_of(h.date))]
    reading = _Reading(notes, written.order_of(found, notes), _speakers(outside))
    for n, line in enumerate(lines, 1):
        reading.line(line, n)
    yield reading.conversation(file)


@dataclass(slots=True)
class _Reading:
    """Where the reading of a file stands."""

    notes: Notes
    order: str
    speakers: frozenset[str]
    title: str = ""
    sessions: list[DraftSession] = field(default_factory=list)
    turns: list[DraftTurn] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    head: Head | None = None
    started: SaidTime = field(default_factory=SaidTime)
    clocks: starts.Clocks = field(default_factory=lambda: starts.Clocks(SaidTime()))
    fenced: bool = False

    def line(self, line: str, n: int) -> None:
        """Take one line."""
        fence = bool(_FENCE.match(line))
        if self.fenced or fence:
            self.fenced = self.fenced != fence
            self._continue(line, n)
            return
        heading = _heading(line)
        opened = bold_of(line) or _heading_speaker(line, self.speakers)
        head = None if opened else self._head(line, heading)
        if opened is not None:
            self._finish()
            self.turns.append(self._turn(opened, n))
        elif head is not None:
            self._close()
            self._open(head)
        elif heading and not self.turns and not self.title:
            self.title = heading["text"]
        else:
            self._continue(line, n)

    def _head(self, line: str, heading: re.Match[str] | None) -> Head | None:
        found = head_of(line)
        if found is not None and (heading or found.date):
            return found
        return None

    def _continue(self, line: str, n: int) -> None:
        if self.turns:
            self.words.append(line)
        elif line.strip() and not line.strip(" -_*"):
            return
        elif line.strip():
            self.notes.seen()
            self.notes.skip(Skip.NOTICE, f"line {n}", line)

    def _open(self, head: Head) -> None:
        read = written.read_date(head.date, self.order, TimeSource.SESSION) if head.date else None
        self.head = head
        self.started = SaidTime() if read is None else self.notes.time(read)
        self.clocks = starts.Clocks(replace(self.started, source=TimeSource.TURN))

    def _finish(self) -> None:
        """Give the last turn the lines that continue it, all at once: turns may be long."""
        if self.turns and self.words:
            above = self.turns[-1]
            self.turns[-1] = replace(above, text="\n".join((above.text, *self.words)))
        self.words = []

    def _close(self) -> None:
        self._finish()
        if self.turns:
            dated = self.head is not None and bool(self.head.date)
            title = self.head.title if self.head else ""
            done = tuple(_finished(t) for t in self.turns)
            started = self.started if dated else None
            self.sessions.append(DraftSession(done, "", title, started))
        elif self.head is not None:
            self.notes.warn(Warn.SESSION_WITHOUT_TURNS)
        self.turns = []

    def _turn(self, opened: Opened, n: int) -> DraftTurn:
        self.notes.seen()
        kind = kind_of(opened.name)
        if kind is PersonKind.HUMAN:
            kind = kind_of_label(opened.name)
        said = self._said(opened.time)
        role = role_of(opened.name)
        return DraftTurn(opened.name, opened.text, f"line {n}", said, kind=kind, role=role)

    def _said(self, time: str) -> SaidTime:
        if not time:
            return dates.of_session(self.started)
        full = written.read_date(time, self.order, TimeSource.TURN)
        if full is not None:
            return self.notes.time(full)
        said = self.clocks.at(time)
        if said.at is None and written.clock_of(time) is None:
            self.notes.warn(Warn.BAD_TIME)
        return said

    def conversation(self, file: File) -> DraftConversation:
        """The conversation of the file."""
        self._close()
        turns = [t for s in self.sessions for t in s.turns]
        warn_of_names([t.label for t in turns], self.notes)
        if turns and all(t.said.at is None for t in turns):
            self.notes.warn(Warn.NO_DATE)
        own = any(s.title or s.started is not None for s in self.sessions)
        return DraftConversation(
            self.title or file.stem, tuple(self.sessions), file.name, own=own, format=name
        )


def _finished(turn: DraftTurn) -> DraftTurn:
    """Return a turn with its escapes resolved outside of code, and its quoted lines marked."""
    parts = _CODE.split(turn.text)
    plain = "".join(p if n % 2 else _ESCAPE.sub(r"\1", p) for n, p in enumerate(parts))
    quotes = [line.lstrip("> ") for line in plain.split("\n") if line.startswith(">")]
    marked = (Quote("\n".join(quotes)),) if quotes else ()
    return replace(turn, text=plain.strip(), quotes=marked)
