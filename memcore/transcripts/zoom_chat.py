"""Zoom's saved meeting chats: a clock time, who, to whom, and the words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memcore.transcripts import starts, walk
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import kind_of
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.types import Quote

name = "zoom_chat"

HEAD_LENGTH = 300
_FROM = re.compile(
    r"(?P<at>\d\d:\d\d:\d\d)\s+From\s+(?P<name>.+?)(?:\s+[Tt]o\s+(?P<whom>.+?))?\s*:\s*(?P<text>.*)"
)
_CLOUD = re.compile(r"(?P<at>\d\d:\d\d:\d\d)\t\s*(?P<name>[^\t]+?)\s*:\t(?P<text>.*)")
_DIRECT = re.compile(r"\s*\((?:direct message|privately)\)\s*", re.IGNORECASE)
_REPLY = re.compile(r'Replying to ["“](?P<quote>.*)["”]:?\s*', re.DOTALL)
_REACTION = re.compile(
    r'Reacted to ["“].*["”] with .+|Removed an? .+ reaction from ["“].*["”]', re.DOTALL
)


def score(sample: Sample) -> Evidence:
    """Judge by lines of a clock time with `From NAME`, or with tabs around the name."""
    lines = [line for line in sample.lines if line.strip()]
    found = [line for line in lines if _opening(line)]
    if not found:
        return NOTHING
    return Evidence(0.95, f"{len(found)} of {len(lines)} lines open with a clock time and a sender")


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


def _opening(line: str) -> re.Match[str] | None:
    head = line[:HEAD_LENGTH]
    return _FROM.fullmatch(head) or _CLOUD.fullmatch(head)


@dataclass(slots=True)
class _Message:
    match: re.Match[str]
    place: str
    lines: list[str] = field(default_factory=list)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    messages: list[_Message] = []
    head: list[str] = []
    for n, line in enumerate(file.lines(), 1):
        found = _opening(line)
        if found:
            text = found["text"] + line[HEAD_LENGTH:]
            messages.append(_Message(found, f"line {n}", [text]))
        elif messages:
            messages[-1].lines.append(line.strip("\t ") if line[:1] in "\t " else line)
        elif line.strip():
            head.append(line)
    clocks = starts.Clocks(starts.start_of(file.name, head, notes))
    turns = tuple(t for m in messages if (t := _turn(m, clocks, notes)) is not None)
    yield DraftConversation(file.stem, (DraftSession(turns),), file.name, own=True, format=name)


def _turn(message: _Message, clocks: starts.Clocks, notes: Notes) -> DraftTurn | None:
    notes.seen()
    said = clocks.at(message.match["at"])
    text = "\n".join(message.lines).strip()
    if _REACTION.fullmatch(text):
        notes.skip(Skip.NOTICE, message.place, text)
        return None
    groups = message.match.groupdict()
    whom = groups.get("whom") or ""
    direct = _DIRECT.sub("", whom).strip() if _DIRECT.search(whom) else ""
    first, _, rest = text.partition("\n")
    reply = _REPLY.fullmatch(first)
    sender = message.match["name"].strip()
    return DraftTurn(
        sender,
        rest.strip() if reply else text,
        message.place,
        said,
        kind=kind_of(sender),
        quotes=(Quote(reply["quote"]),) if reply else (),
        direct_to=direct,
    )
