"""Call transcripts as text: `Name   m:ss` on a line, the words below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from memcore.transcripts import starts
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import kind_of
from memcore.transcripts.phrases import matcher
from memcore.types import SaidTime

HEAD_LENGTH = 120
_HEAD = re.compile(
    r"(?P<name>\S(?:.{0,58}\S)?)(?P<gap>\s{2,}|\t+)(?P<at>(?:\d{1,3}:)?\d{1,2}:\d\d)\s*"
)
FOOT = re.compile(r"\s*Transcribed by\b.*", re.IGNORECASE)
STARTED = matcher("transcription")


@dataclass(frozen=True, slots=True)
class Block:
    """The line that opens a block: who, when, and how wide the gap between them is."""

    name: str
    at: str
    gap: int


def block_of(line: str) -> Block | None:
    """Return the opening of a block, None for another line."""
    found = _HEAD.fullmatch(line) if len(line) <= HEAD_LENGTH else None
    if not found or not any(c.isalpha() for c in found["name"]):
        return None
    return Block(found["name"], found["at"], len(found["gap"]))


def gaps(lines: Sequence[str]) -> list[int]:
    """Return the widths of the gaps of all openings."""
    return [b.gap for line in lines if (b := block_of(line))]


@dataclass(slots=True)
class _Reading:
    notes: Notes
    start: SaidTime
    turns: list[DraftTurn] = field(default_factory=list)
    block: Block | None = None
    place: str = ""
    words: list[str] = field(default_factory=list)

    def line(self, line: str, n: int) -> None:
        """Take one line."""
        opened = block_of(line)
        if opened is not None:
            self.close()
            self.block, self.place = opened, f"line {n}"
        elif FOOT.fullmatch(line) or STARTED(line):
            self.notes.seen()
            self.notes.skip(Skip.NOTICE, f"line {n}", line)
        elif self.block is not None:
            self.words.append(line)

    def close(self) -> None:
        """End the block, which is a turn."""
        if self.block is None:
            return
        self.notes.seen()
        self.turns.append(
            DraftTurn(
                self.block.name,
                "\n".join(self.words),
                self.place,
                starts.at_offset(self.start, self.block.at),
                kind=kind_of(self.block.name),
            )
        )
        self.block, self.words = None, []


def conversation(file: File, notes: Notes, format_: str) -> DraftConversation:
    """Return a file of blocks as a conversation of one session; its head is no turn."""
    lines = file.lines()
    first = next((n for n, line in enumerate(lines) if block_of(line)), len(lines))
    head = [line for line in lines[:first] if line.strip() and not STARTED(line)]
    start = starts.start_of(file.name, head, notes)
    reading = _Reading(notes, start)
    for n, line in enumerate(lines, 1):
        reading.line(line, n)
    reading.close()
    title = next((line.strip() for line in head if line.strip() != start.original), file.stem)
    session = DraftSession(tuple(reading.turns), started=start if start.at else None)
    return DraftConversation(title, (session,), file.name, own=True, format=format_)
