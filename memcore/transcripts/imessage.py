"""iMessage chats as text: blocks of a time line, a sender line, and the words.

There is no specification; blocks that are indented are copies of replies, printed twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memcore.transcripts import dates, walk, written
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.phrases import matcher
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.types import Attachment, TimeSource

name = "imessage"

INDENT = "    "
_TIME = re.compile(
    r"(?P<at>[A-Z][a-z]{2,8} \d{1,2}, \d{4}\s{1,2}\d{1,2}:\d\d:\d\d\s?[AP]M)(?P<rest>.*)"
)
_READ = re.compile(r"\s*\((?:Read|Delivered) by .*\)", re.IGNORECASE)
_REPLY = re.compile(r"This message responded to an earlier message\.?", re.IGNORECASE)
_REACTIONS = re.compile(r"(?:Reactions|Tapbacks):", re.IGNORECASE)
_SENT = re.compile(r"Sent with .{1,40}")
_PATH = re.compile(r"(?:[~/]|[A-Za-z]:[\\/]|attachments/)\S.*\.\w{1,5}|\S+/\S+\.\w{1,5}")
_MISSING = re.compile(r"Attachment missing!?", re.IGNORECASE)
UNSENT = matcher("imessage_unsent")
OWNER = fold("Me")


def score(sample: Sample) -> Evidence:
    """Judge by time lines of their own, above a sender."""
    lines = [line for line in sample.lines if line.strip()]
    found = sum(_TIME.match(line) is not None for line in lines)
    if not found or not _TIME.match(lines[0]):
        return NOTHING
    return Evidence(0.95, f"{found} of {len(lines)} lines are a date and time of their own")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


@dataclass(slots=True)
class _Block:
    """A block: its time line, and the lines below it."""

    at: str
    rest: str
    place: str
    copied: bool
    lines: list[str] = field(default_factory=list)


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    block: _Block | None = None
    for n, line in enumerate(lines, 1):
        indented = line.startswith(INDENT)
        found = _TIME.fullmatch(line.strip() if indented else line) if len(line) < 400 else None
        if found:
            if block is not None:
                yield block
            block = _Block(found["at"], found["rest"], f"line {n}", indented)
        elif block is not None and (indented or not block.copied or not line.strip()):
            block.lines.append(line.strip() if block.copied else line)
    if block is not None:
        yield block


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    turns = [t for b in _blocks(file.lines()) if (t := _turn(b, notes)) is not None]
    mine = any(fold(t.label) == OWNER for t in turns)
    session = DraftSession(tuple(turns))
    yield DraftConversation(
        file.stem,
        (session,),
        file.name,
        order=Order.TIME_IF_ALL,
        owner=OWNER if mine else "",
        format=name,
    )


def _turn(block: _Block, notes: Notes) -> DraftTurn | None:
    notes.seen()
    rest = _READ.sub("", block.rest).strip()
    sender = block.lines[0].strip() if block.lines else ""
    text, files = _words(block.lines[1:])
    reason = _reason(block, rest, text)
    if reason is not None or not sender:
        notes.skip(reason or Skip.NOTICE, block.place, rest or text)
        return None
    at = " ".join(block.at.split())
    read = written.read_date(at, "mdy", TimeSource.TURN) or dates.missing(block.at)
    said = replace(notes.time(read), original=block.at)
    return DraftTurn(sender, text, block.place, said, attachments=files, media=bool(files))


def _reason(block: _Block, rest: str, text: str) -> Skip | None:
    if block.copied:
        return Skip.PRINTED_TWICE
    if rest:
        return Skip.NOTICE
    return Skip.DELETED if UNSENT(text) else None


def _words(lines: Sequence[str]) -> tuple[str, tuple[Attachment, ...]]:
    """Return the words of a block without the exporter's lines, and the files it names."""
    words: list[str] = []
    files: list[Attachment] = []
    reacting = False
    for line in lines:
        plain = line.strip()
        if _REACTIONS.fullmatch(plain):
            reacting = True
        elif reacting and " by " in plain:
            continue
        elif _MISSING.fullmatch(plain) or (len(plain) < 400 and _PATH.fullmatch(plain)):
            files.append(Attachment("" if _MISSING.fullmatch(plain) else plain, "file"))
        elif not _REPLY.fullmatch(plain) and not _SENT.fullmatch(plain):
            reacting = False
            words.append(line)
    return "\n".join(words).strip(), tuple(files)
