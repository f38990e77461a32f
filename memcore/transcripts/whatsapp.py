"""WhatsApp chats as text, of both systems and many languages; or the zip that holds one.

There is no specification. The form of the first header is the form of the file: whatever else
looks like a header continues the message above.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memcore.transcripts import walk, written
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.phrases import matcher
from memcore.transcripts.samples import NOTHING, Evidence, Sample
from memcore.transcripts.written import Written
from memcore.types import Attachment, SaidTime, TimeSource

name = "whatsapp"

HEAD_LENGTH = 80
"""A header stands within so many characters."""

MARK = "\u200e"
MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff"
ENOUGH = 0.3
"""The share of lines that open a message; the others continue long ones."""

_HEAD = re.compile(
    r"(?P<open>\[)?(?P<date>\d{1,4}(?P<sep>\. ?|[/-])\d{1,2}(?P=sep)\d{1,4}\.?)(?P<comma>[,،]?)\s+"
    r"(?P<time>[^\]\n]{0,14}?\d{1,2}[:.]\d\d(?:[:.]\d\d)?[^\]\d\n:]{0,9}?)"
    r"(?(open)\]\s?|\s[-–]\s)",
)
_ATTACHED = re.compile(r"<(?:[^<>:]{2,30}):\s*(?P<file>[^<>]+\.\w{1,5})>")
_FILE = re.compile(r"(?P<file>\S.*\.\w{1,5}) \((?P<phrase>[^()]+)\)")
_QUOTED = re.compile('["“”„«»「『]')

MEDIA = matcher("whatsapp_media")
DELETED = matcher("whatsapp_deleted")
EDITED = matcher("whatsapp_edited")
ENCRYPTION = matcher("whatsapp_encryption")
ATTACHED = matcher("whatsapp_attached")


@dataclass(frozen=True, slots=True)
class Form:
    """How the headers of a file are written."""

    bracket: bool
    separator: str
    seconds: bool
    halves: bool
    year_first: bool
    year_digits: int


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a line: what it says of the time, its form, and the rest of the line."""

    said: Written
    form: Form
    rest: str


def header_of(line: str) -> Header | None:
    """Return the header that opens a line, None for another line.

    >>> header_of("[02.03.21, 16:05:06] Noor: hi").rest
    'Noor: hi'
    """
    raw = line.lstrip(MARKS)
    found = _HEAD.match(written.ascii_digits(raw[:HEAD_LENGTH]))
    if not found:
        return None
    said = written.written_of(f"{found['date']} {found['time']}")
    if said is None or said.clock is None:
        return None
    original = raw[found.start("date") : found.end("time")]
    return Header(replace(said, original=original), _form(found, said.clock), raw[found.end() :])


def _form(found: re.Match[str], clock: written.Clock) -> Form:
    numbers = re.findall(r"\d+", found["date"])
    first = len(numbers[0]) > 2
    return Form(
        bool(found["open"]),
        found["sep"].strip(),
        clock.second is not None,
        clock.twelve or clock.unknown,
        first,
        len(numbers[0 if first else -1]),
    )


def score(sample: Sample) -> Evidence:
    """Judge by the lines that open as the first one does."""
    lines = [line for line in sample.lines if line.strip()][:400]
    headers = [h for line in lines if (h := header_of(line))]
    if not headers:
        return NOTHING
    same = sum(h.form == headers[0].form for h in headers)
    named = sum(":" in h.rest for h in headers)
    words = f"{same} of {len(lines)} lines open with a date, a time and a name"
    first = header_of(lines[0]) is not None
    if named and first and same >= ENOUGH * len(lines):
        return Evidence(0.95, words)
    return Evidence(0.8 if named > 1 and first else round(0.5 * same / len(lines), 3), words)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each file as a conversation."""
    return walk.files(files, notes, _file)


@dataclass(slots=True)
class _Message:
    """A message before it is judged: its header and its lines."""

    said: Written
    place: str
    name: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its lines."""
        return "\n".join(self.lines)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    messages = list(_messages(file.lines(), notes))
    names = Counter(fold(m.name) for m in messages if m.name)
    phrases = Counter(m.text.strip(MARKS + " ") for m in messages if m.name)
    order = written.order_of([m.said for m in messages], notes)
    turns = []
    for message in messages:
        said = notes.time(written.time_of(message.said, order, TimeSource.TURN))
        turn = _turn(message, said, names, phrases, notes)
        if turn is not None:
            turns.append(turn)
    session = DraftSession(tuple(turns))
    yield DraftConversation(
        _title(file), (session,), file.name, order=Order.TIME_IF_ALL, format=name
    )


def _title(file: File) -> str:
    if file.stem != "_chat":
        return file.stem
    outer = file.source.archive.replace("\\", "/").rpartition("/")[2]
    return outer.rpartition(".")[0] or file.stem


def _messages(lines: Sequence[str], notes: Notes) -> Iterator[_Message]:
    form: Form | None = None
    message: _Message | None = None
    for n, line in enumerate(lines, 1):
        header = header_of(line)
        if header is not None and form in (None, header.form):
            form = header.form
            if message is not None:
                yield message
            name_, text = _split(header.rest, notes)
            message = _Message(header.said, f"line {n}", name_, [text])
            notes.seen()
        elif message is not None:
            message.lines.append(line)
        elif line.strip():
            notes.seen()
            notes.skip(Skip.NOTICE, f"line {n}", line)
    if message is not None:
        yield message


def _split(rest: str, notes: Notes) -> tuple[str, str]:
    """Return the name and the text; the name is empty for a notice."""
    before, colon, text = rest.partition(":")
    plain = before.strip(MARKS).removeprefix("~").strip("\u202f\u00a0 " + MARKS)
    if not colon or not plain or len(plain) > notes.options.limits.text_name:
        return "", rest
    return plain, text.removeprefix(" ")


def _turn(
    message: _Message, said: SaidTime, names: Counter[str], phrases: Counter[str], notes: Notes
) -> DraftTurn | None:
    body = _body(message, names, phrases, notes)
    if body.reason is not None:
        notes.skip(body.reason, message.place, f"{message.name}: {message.text}".strip(": "))
        return None
    return DraftTurn(
        message.name,
        body.text,
        message.place,
        said,
        attachments=body.files,
        edited=body.edited,
        media=bool(body.files),
    )


@dataclass(frozen=True, slots=True)
class _Body:
    """What a message holds, or why it is no turn."""

    text: str = ""
    files: tuple[Attachment, ...] = ()
    edited: bool = False
    reason: Skip | None = None


def _body(message: _Message, names: Counter[str], phrases: Counter[str], notes: Notes) -> _Body:
    if not message.name or _is_notice(message.name, names):
        return _Body(reason=Skip.NOTICE)
    raw = message.text
    text = raw.replace(MARK, "").strip()
    reason = _phrase(text, phrases[raw.strip(MARKS + " ")], notes)
    if reason is not None:
        return _Body(reason=reason)
    if raw.lstrip().startswith(MARK) and not _ATTACHED.search(text):
        return _Body(reason=Skip.NOTICE)
    return _words(text)


def _is_notice(label: str, names: Counter[str]) -> bool:
    """Tell whether a "name" met once is the start of a notice with a colon in it."""
    key = fold(label)
    if names[key] > 1:
        return False
    words = key.split()
    return bool(_QUOTED.search(label)) or any(
        " ".join(words[:n]) in names for n in range(1, len(words))
    )


def _phrase(text: str, times: int, notes: Notes) -> Skip | None:
    if DELETED(text):
        return Skip.DELETED
    if MEDIA(text):
        return Skip.MEDIA_ONLY
    if ENCRYPTION(text):
        return Skip.NOTICE
    if text.startswith("<") and text.endswith(">") and "\n" not in text and times > 1:
        notes.warn(Warn.UNKNOWN_PHRASES)
        return Skip.MEDIA_ONLY
    return None


def _words(text: str) -> _Body:
    edited = False
    for mark in re.findall(r"<[^<>\n]+>$", text):
        if EDITED(mark):
            edited, text = True, text.removesuffix(mark).rstrip()
    files = tuple(Attachment(m["file"].strip(), "file") for m in _ATTACHED.finditer(text))
    text = _ATTACHED.sub("", text).strip()
    first, _, rest = text.partition("\n")
    sent = _FILE.fullmatch(first.strip())
    if sent and ATTACHED(sent["phrase"]):
        return _Body(rest.strip(), (*files, Attachment(sent["file"], "file")), edited)
    return _Body(text, files, edited)
