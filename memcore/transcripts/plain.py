"""Plain text: `Name: words`, with dates on lines of their own as the heads of sessions.

There is no specification of such files; what is no head and opens no turn continues the one above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import islice

from memcore.transcripts import dates, walk, written
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.people import kind_of as kind_of_label
from memcore.transcripts.phrases import SESSION_WORDS
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import LOOKED_AT, NOTHING, Evidence, Sample
from memcore.transcripts.talk_lines import Opening, opening, vouched, warn_of_names
from memcore.types import PersonKind, SaidTime, TimeKind, TimeSource

name = "plain"

HEAD_LENGTH = 120
SURE, LIKELY = 0.6, 0.5
"""Below what any format with a form of its own scores."""

_RULE = re.compile(r"^[#=*_~–—\s-]+|[#=*_~–—\s-]+$")
_SESSION = re.compile(
    r"(?P<word>[^\W\d_]+)\s*(?P<n>\d{1,5})\s*(?:次|回|日目)?\s*(?:[(:,（：–—-]\s*(?P<date>.*?)\s*[)）]?)?"
)
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a session: its title and its date as written, either of them empty."""

    title: str
    date: str = ""


def head_of(line: str) -> Head | None:
    """Return the head that a line is, None for another line.

    >>> head_of("Session 2 (3 March 2021)"), head_of("--- 2021-03-03 ---")
    (Head(title='Session 2', date='3 March 2021'), Head(title='', date='2021-03-03'))
    """
    core = _RULE.sub("", line) if len(line) <= HEAD_LENGTH else ""
    if not core:
        return None
    if _is_date(core):
        return Head("", core)
    found = _SESSION.fullmatch(core)
    if not found or fold(found["word"]) not in SESSION_WORDS:
        return None
    date = found["date"] or ""
    if date and not _is_date(date):
        return Head(core) if line != core or not opening(core) else None
    title = core[: found.start("date")] if date else core
    return Head(title.rstrip(" (:,（：–—-"), date)


def _is_date(text: str) -> bool:
    return dates.iso(text) is not None or written.written_of(text) is not None


def score(sample: Sample) -> Evidence:
    """Judge by the first line that is no head, else by two lines that open a turn."""
    if sample.is_json:
        return NOTHING
    lines = (line for line in sample.lines if line.strip() and head_of(line) is None)
    talk = list(islice(lines, LOOKED_AT))
    names = vouched(talk)
    opens = sum(opening(line, names) is not None for line in talk)
    words = f"{opens} of {len(talk)} lines open with a name and a colon"
    if talk and opening(talk[0], names) is not None:
        return Evidence(SURE, words)
    return Evidence(LIKELY, words) if opens > 1 else NOTHING


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    lines = file.lines()
    names = vouched(line for line in lines if head_of(line) is None)
    order = _order(lines, names, notes)
    yield _Reading(notes, order, names).conversation(file, lines)


def _order(lines: Sequence[str], names: frozenset[str], notes: Notes) -> str:
    """Return the order of day and month in all dates of the file that are in digits."""
    found = []
    for line in lines:
        head, opened = head_of(line), opening(line, names)
        text = head.date if head else opened.stamp if opened else ""
        said = written.written_of(text) if text else None
        if said is not None and not said.fixed:
            found.append(said)
    return written.order_of(found, notes)


@dataclass(slots=True)
class _Reading:
    """Where the reading of a file stands."""

    notes: Notes
    order: str
    names: frozenset[str]
    title: str = ""
    sessions: list[DraftSession] = field(default_factory=list)
    turns: list[DraftTurn] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    head: Head | None = None
    started: SaidTime = field(default_factory=SaidTime)
    days: int = 0
    last: int = -1
    fenced: bool = False

    def conversation(self, file: File, lines: Sequence[str]) -> DraftConversation:
        """The conversation of the file."""
        for n, line in enumerate(lines, 1):
            self._line(line, n)
        self._close()
        named = [t for s in self.sessions for t in s.turns]
        warn_of_names([t.label for t in named], self.notes)
        if named and all(t.said.at is None for t in named):
            self.notes.warn(Warn.NO_DATE)
        own = any(s.title or s.started is not None for s in self.sessions)
        return DraftConversation(
            self.title or file.stem, tuple(self.sessions), file.name, own=own, format=name
        )

    def _line(self, line: str, n: int) -> None:
        fence = bool(_FENCE.match(line))
        if fence:
            self.fenced = not self.fenced
        head = None if self.fenced or fence else head_of(line)
        opened = None if self.fenced or fence or head else opening(line, self.names)
        if head is not None:
            self._close()
            self._open(head)
        elif opened is not None:
            self._finish()
            self.turns.append(self._turn(opened, n))
        elif self.turns:
            self.words.append(line)
        elif line.strip():
            self._before(line, n)

    def _before(self, line: str, n: int) -> None:
        """Take words before the first turn for the title, or for a notice."""
        if not self.title and not self.sessions and self.head is None:
            self.title = line.strip("#= \t")
            return
        self.notes.seen()
        self.notes.skip(Skip.NOTICE, f"line {n}", line)

    def _open(self, head: Head) -> None:
        self.head, self.days, self.last = head, 0, -1
        read = written.read_date(head.date, self.order, TimeSource.SESSION) if head.date else None
        self.started = SaidTime() if read is None else self.notes.time(read)

    def _finish(self) -> None:
        """Give the last turn the lines that continue it, all at once: turns may be long."""
        if self.turns and self.words:
            above = self.turns[-1]
            self.turns[-1] = replace(above, text="\n".join((above.text, *self.words)))
        self.words = []

    def _close(self) -> None:
        self._finish()
        if self.turns:
            title = self.head.title if self.head else ""
            dated = self.head is not None and bool(self.head.date)
            started = self.started if dated else None
            self.sessions.append(DraftSession(tuple(self.turns), "", title, started))
        elif self.head is not None:
            self.notes.warn(Warn.SESSION_WITHOUT_TURNS)
        self.turns = []

    def _turn(self, opened: Opening, n: int) -> DraftTurn:
        self.notes.seen()
        kind = kind_of(opened.name)
        if kind is PersonKind.HUMAN:
            kind = kind_of_label(opened.name)
        role = role_of(opened.name)
        said = self._said(opened.stamp)
        return DraftTurn(opened.name, opened.text, f"line {n}", said, kind=kind, role=role)

    def _said(self, stamp: str) -> SaidTime:
        if not stamp:
            return dates.of_session(self.started)
        full = written.read_date(stamp, self.order, TimeSource.TURN)
        if full is not None:
            return self.notes.time(full)
        clock = written.clock_of(stamp)
        if clock is None:
            self.notes.warn(Warn.BAD_TIME)
            return SaidTime(original=stamp)
        if self.started.at is None:
            return SaidTime(None, stamp, TimeKind.CLOCK)
        minute = clock.hour * 60 + clock.minute
        if self.last - minute > 12 * 60:  # a jump back over half a day is the next day
            self.days += 1
        self.last = minute
        day = (self.started.at + timedelta(days=self.days)).date()
        return written.at_clock(day, clock, stamp, TimeSource.TURN)
