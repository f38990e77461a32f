"""Cues of VTT and SRT files: their lines, their voices, and the turns that they join to.

webvtt-py and srt were turned down: one loses cues with `-->` in their words, both glue a last bare
number to the text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcore.transcripts import starts
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import NAMELESS, fold, kind_of
from memcore.transcripts.talk_lines import opening, vouched
from memcore.types import PersonKind, SaidTime

GAP = 30.0
LONG = 2000

TIMING = re.compile(
    r"\s*(?P<from>(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})\s+-->\s+(?P<to>(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})(?:\s.*)?"
)
_LOOSE = re.compile(r"\s*\d[^\s>]*\s*-{1,2}>\s*\d.*")
_ASIDE = re.compile(r"(NOTE|STYLE|REGION)(\s|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]*)>")
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]*>|\{\\[^{}]*\}")
_NOTICE = re.compile(r"\[[^\]]*\]|\([^)]*\)|[♪♫][^♪♫]*[♪♫]?")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: its id, when it begins and ends as written, and its lines."""

    id: str
    start: str
    end: str
    lines: tuple[str, ...]
    place: str


def cues(lines: Sequence[str]) -> list[Cue]:
    """Return the cues; a cue's text goes on to the next timing line, blank lines included."""
    timing = [(n, m) for n, line in enumerate(lines) if (m := TIMING.fullmatch(line))]
    found = []
    for k, (n, match) in enumerate(timing):
        end = timing[k + 1][0] if k + 1 < len(timing) else len(lines)
        body = list(lines[n + 1 : end])
        while body and not body[-1].strip() and k + 1 == len(timing):
            body.pop()
        if k + 1 < len(timing) and body and _is_id(body):
            body.pop()
        elif k + 1 == len(timing) and len(body) > 1 and body[-1].strip().isdigit() and not body[-2]:
            body.pop()  # a bare number at the end of the file is nothing
        id_ = lines[n - 1].strip() if n and _is_id(lines[:n]) else ""
        found.append(Cue(id_, match["from"], match["to"], _spoken(body), f"line {n + 1}"))
    return found


def _is_id(before: Sequence[str]) -> bool:
    """Tell whether the line before a timing line is the cue's id, and no spoken words."""
    last = before[-1].strip()
    if not last or last.startswith("WEBVTT"):
        return False
    return last.isdigit() or len(before) == 1 or not before[-2].strip()


def _spoken(body: Sequence[str]) -> tuple[str, ...]:
    """Return the lines without the blocks that are no speech."""
    found: list[str] = []
    aside = False
    for n, line in enumerate(body):
        if not line.strip():
            aside = False
        elif n and not body[n - 1].strip() and _ASIDE.match(line):
            aside = True
        if line.strip() and not aside:
            found.append(line.strip())
    return tuple(found)


def lost(lines: Sequence[str], found: Sequence[Cue]) -> int:
    """Return how many lines look like timing lines but are none."""
    return sum(_LOOSE.fullmatch(line) is not None for line in lines) - len(found)


# ---------------------------------------------------------------- voices


@dataclass(frozen=True, slots=True)
class Piece:
    """What one voice says in one cue; an empty speaker stands for an unknown one."""

    cue: Cue
    speaker: str
    text: str
    dash: bool = False


def plain(text: str) -> str:
    """Return the words without tags, their entities decoded once."""
    return html.unescape(_TAG.sub("", text)).strip()


def pieces(cue: Cue, names: frozenset[str] = frozenset()) -> Iterator[Piece]:
    """Yield the voices of a cue: tagged, on dashed lines of their own, or named before a colon.

    `names` are the odd names that the file vouches for.
    """
    joined = " ".join(cue.lines)
    tags = list(_VOICE.finditer(joined))
    if tags:
        before = plain(joined[: tags[0].start()])
        if before:
            yield Piece(cue, "", before)
        ends = [v.start() for v in tags[1:]] + [len(joined)]
        for voice, end in zip(tags, ends, strict=True):
            yield Piece(cue, html.unescape(voice[1]).strip(), plain(joined[voice.end() : end]))
        return
    dashed = [line for line in cue.lines if plain(line).startswith("- ")]
    if dashed and len(dashed) == len(cue.lines):
        for line in dashed:
            yield _named(cue, plain(line)[2:].strip(), names, dash=len(dashed) > 1)
    else:
        yield _named(cue, plain(joined), names, dash=False)


def voices(cue: Cue, names: frozenset[str] = frozenset()) -> Iterator[Piece]:
    """Yield the voices of a cue; the id belongs to the first of them."""
    for n, piece in enumerate(pieces(cue, names)):
        yield replace(piece, cue=replace(cue, id="")) if n else piece


def _named(cue: Cue, text: str, names: frozenset[str], *, dash: bool) -> Piece:
    opened = opening(text, names)
    if opened is None:
        return Piece(cue, "", text, dash)
    return Piece(cue, opened.name, opened.text)


# ---------------------------------------------------------------- turns


@dataclass(slots=True)
class _Talk:
    """The turns so far; `end` is when the last cue ended, in seconds."""

    notes: Notes
    start: SaidTime
    known: tuple[str, ...]
    turns: list[DraftTurn]
    speaker: str = ""
    end: float = 0.0

    def add(self, piece: Piece) -> None:
        """Take one piece: skipped, joined to the turn above, or a turn."""
        self.notes.seen()
        if not piece.text or _NOTICE.fullmatch(piece.text):
            reason = Skip.NOTICE if piece.text else Skip.EMPTY_TEXT
            self.notes.skip(reason, piece.cue.place, piece.text)
            return
        speaker, guessed = self._speaker(piece)
        begins = starts.seconds_of(piece.cue.start) or 0.0
        if self._joins(piece, speaker, begins):
            self._join(piece)
        else:
            self.turns.append(self._turn(piece, speaker, guessed=guessed))
        self.speaker = speaker
        self.end = starts.seconds_of(piece.cue.end) or begins

    def _speaker(self, piece: Piece) -> tuple[str, bool]:
        if piece.speaker:
            return piece.speaker, False
        if not piece.dash:
            return self.speaker, False
        if len(self.known) != 2:
            return "", False
        self.notes.warn(Warn.SPEAKER_GUESSED)
        other = self.known[1] if fold(self.speaker) == fold(self.known[0]) else self.known[0]
        return other, True

    def _joins(self, piece: Piece, speaker: str, begins: float) -> bool:
        if not self.turns or piece.dash or self.turns[-1].speaker_guessed:
            return False
        last = self.turns[-1]
        near = begins - self.end <= GAP
        return near and fold(speaker) == fold(self.speaker) and len(last.text) < LONG

    def _join(self, piece: Piece) -> None:
        last = self.turns[-1]
        ids = f"{last.source_id} {piece.cue.id}".strip()
        self.turns[-1] = replace(last, text=f"{last.text} {piece.text}", source_id=ids)
        self.notes.merged += 1

    def _turn(self, piece: Piece, speaker: str, *, guessed: bool) -> DraftTurn:
        return DraftTurn(
            speaker or NAMELESS,
            piece.text,
            piece.cue.place,
            starts.at_offset(self.start, piece.cue.start),
            source_id=piece.cue.id,
            kind=kind_of(speaker) if speaker else PersonKind.LABEL,
            speaker_guessed=guessed,
        )


def conversation(file: File, notes: Notes, format_: str) -> DraftConversation:
    """Return a file of cues as a conversation of one session."""
    lines = file.lines()
    found = cues(lines)
    notes.warn(Warn.CUES_LOST, max(0, lost(lines, found)))
    first = next((n for n, line in enumerate(lines) if TIMING.fullmatch(line)), len(lines))
    start = starts.start_of(file.name, lines[:first], notes)
    odd = vouched(plain(" ".join(cue.lines)) for cue in found)
    spoken = [p for cue in found for p in voices(cue, odd)]
    names = tuple({fold(p.speaker): p.speaker for p in spoken if p.speaker}.values())
    talk = _Talk(notes, start, names, [])
    for piece in spoken:
        talk.add(piece)
    session = DraftSession(tuple(talk.turns), started=start if start.at else None)
    return DraftConversation(file.stem, (session,), file.name, own=True, format=format_)
