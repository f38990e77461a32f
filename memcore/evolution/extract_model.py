"""Entries by a model server: one call a window.

Chosen: a reply that is cut or unusable is asked for once more, then the window is read in two
halves and those in two again; the turns of a piece that still fails are named, with the entries
of the others. A request that is too long, or whose reply comes too late, is split at once. An
absent or unwilling server is not the window's fault, nor is one that twice says nothing in time:
its ServerError passes through, and the build stops where it can be resumed.
Windows are read before their turns meet the gate, so that several can be asked for at once
(`ahead`); facts of turns that the gate then drops are let go. Turned down: gating first, which
makes every window wait for the one before it, to save the few turns that are redundant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from string import Template
from typing import Final

from memcore.annotate.quoting import flat, quoted
from memcore.chat import Chat, Completion, Request, prompt
from memcore.errors import LateError, ReplyError, TooLongError
from memcore.replies import Fields, fields_of
from memcore.seams import WindowError
from memcore.types import (
    Annotation,
    Entry,
    EntryId,
    Extraction,
    Grain,
    Interval,
    Modality,
    Turn,
    TurnId,
    Usage,
)

PROMPT: Final = "extract-1"
ATTEMPTS: Final = 2
"""How often one request is made before its window is split."""
SPLITS: Final = 2
"""How often a window is halved: four quarters at most."""


class ModelExtractor:
    """Extracts with one model of an OpenAI-compatible server; may be used from several threads.

    The clock counts seconds; without one no time is told.
    """

    def __init__(
        self, chat: Chat, prompt_name: str = PROMPT, clock: Callable[[], float] = lambda: 0.0
    ) -> None:
        self._chat = chat
        self._clock = clock
        self._prompt = prompt("memcore.evolution", prompt_name)
        self.name = f"{chat.server.model} ({prompt_name})"

    def extract(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> tuple[Entry, ...]:
        """Return the facts of the window, in the order of their turns.

        Raises:
            WindowError: if some turns gave no usable reply, even in a quarter of a window.
            ServerError: if the server is absent, late or unwilling.
        """
        found = self.read_window(turns, annotations, earlier)
        if found.failed:
            msg = f"{self.name} gave no usable reply for {len(found.failed)} of {len(turns)} turns"
            raise WindowError(msg, found.failed, found.entries)
        return found.entries

    def read_window(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> Extraction:
        """Return what came of the window: its facts, the turns that failed, and the cost.

        Raises:
            ServerError: if the server is absent, late or unwilling.
        """
        began = self._clock()
        pieces: list[_Piece] = []
        for piece in self._pieces(_Window(tuple(turns), tuple(annotations), tuple(earlier))):
            pieces.append(piece)
            if all(p.late for p in pieces) and (len(pieces) > 1 or piece.failed):
                raise LateError(piece.trouble)
        found = sorted(
            (e for p in pieces for e in p.entries), key=lambda e: (e.source_turns, e.restatement)
        )
        return Extraction(
            first=turns[0].id,
            last=turns[-1].id,
            entries=tuple(replace(e, id=EntryId(n)) for n, e in enumerate(found, 1)),
            failed=tuple(t for p in pieces for t in p.failed),
            trouble=next((p.trouble for p in reversed(pieces) if p.failed), ""),
            usage=sum((p.usage for p in pieces), Usage()),
            seconds=round(self._clock() - began, 3),
        )

    def asks(self, turns: Sequence[Turn], earlier: Sequence[Entry], /) -> str:
        """Return the text that would be sent for a window."""
        return self.request(_Window(tuple(turns), (), tuple(earlier))).text

    def _pieces(self, window: _Window, splits: int = SPLITS) -> Iterator[_Piece]:
        """Yield what came of the window, then of its halves, if the whole gave nothing."""
        piece = self._read(window)
        halves = window.halves() if piece.trouble and splits else ()
        if not halves:
            failed = tuple(t.id for t in window.turns) if piece.trouble else ()
            yield replace(piece, failed=failed)
            return
        yield piece
        for half in halves:
            yield from self._pieces(half, splits - 1)

    def _read(self, window: _Window) -> _Piece:
        """Return the entries of a window, or why no attempt gave a usable reply."""
        usage, trouble = Usage(), ""
        for attempt in range(ATTEMPTS):
            try:
                reply = self._chat.complete(self.request(window, attempt))
            except ReplyError as error:
                usage, trouble = usage + Usage(1), str(error)
                continue
            except (TooLongError, LateError) as error:
                late = isinstance(error, LateError)
                return _Piece(trouble=str(error), usage=usage + Usage(1), late=late)
            usage += Usage(1, reply.prompt_tokens, reply.answer_tokens)
            entries, trouble = _facts(reply, window)
            if not trouble:
                return _Piece(entries, usage=usage)
        return _Piece(trouble=trouble, usage=usage)

    def request(self, window: _Window, attempt: int = 0) -> Request:
        """Return what the model is sent for a window."""
        words = {
            "earlier": "\n".join(f"- {flat(e.restatement)}" for e in window.earlier) or "- nothing",
            "dialogue": "\n".join(quoted(t, f"[{n}]") for n, t in enumerate(window.turns, 1)),
        }
        return Request(
            self._prompt.system, Template(self._prompt.user).safe_substitute(words), attempt
        )


_NOTHING: Final = Usage()


@dataclass(frozen=True, slots=True)
class _Piece:
    """What came of a window or a part of it; with a `trouble` there are no entries."""

    entries: tuple[Entry, ...] = ()
    failed: tuple[TurnId, ...] = ()
    trouble: str = ""
    usage: Usage = _NOTHING
    late: bool = False


def _facts(reply: Completion, window: _Window) -> tuple[tuple[Entry, ...], str]:
    """Return the entries of a reply, and why it is of no use, empty if it is."""
    fields = fields_of(reply.text, "facts")
    if reply.cut or (fields is not None and fields.cut):
        return (), "the reply was cut before its end"
    if fields is None:
        return (), "the reply is not the form asked for"
    facts = fields.objects("facts")
    entries = tuple(e for f in facts if (e := _entry(f, window)) is not None)
    if not entries and (facts or fields.text("facts")):
        return (), "the reply named no turn of the window"
    return entries, ""


@dataclass(frozen=True, slots=True)
class _Window:
    """The turns to read, their annotations, and the entries before them."""

    turns: tuple[Turn, ...]
    annotations: tuple[Annotation, ...]
    earlier: tuple[Entry, ...]

    def halves(self) -> tuple[_Window, ...]:
        """Return both halves, or nothing of a single turn."""
        middle = len(self.turns) // 2
        if not middle:
            return ()
        return (
            replace(self, turns=self.turns[:middle], annotations=self.annotations[:middle]),
            replace(self, turns=self.turns[middle:], annotations=self.annotations[middle:]),
        )


def _entry(fields: Fields, window: _Window) -> Entry | None:
    """Return the entry of one fact; None without a sentence or without a turn of the window."""
    restatement = flat(fields.text("fact"))
    sources = _sources(fields.texts("turns"), window.turns)
    if not restatement or not sources:
        return None
    known = {t.id: t for t in window.turns}
    return Entry(
        id=EntryId(1),
        restatement=restatement,
        source_turns=sources,
        keywords=_folded(fields.texts("keywords")) or _keys(sources, window),
        persons=_folded(fields.texts("persons")),
        entities=_folded(fields.texts("entities")),
        location=fields.text("place"),
        topic=fields.text("topic"),
        time=_interval(fields.text("date")),
        modality=_MODALITIES.get(fields.text("modality").casefold(), Modality.ASSERTED),
        said_at=known[sources[0]].said_at,
        subject=fields.text("subject"),
        attribute=fields.text("attribute"),
        value=fields.text("value"),
    )


_MODALITIES: Final[Mapping[str, Modality]] = {m.value: m for m in Modality}


def _sources(labels: Sequence[str], turns: Sequence[Turn]) -> tuple[TurnId, ...]:
    """Return the turns named by number in the window or by id, as spoken, each once."""
    by_label = {str(n): t.id for n, t in enumerate(turns, 1)} | {str(t.id): t.id for t in turns}
    named = (n for label in labels for n in re.findall(r"D\d+:\d+|\d+", label.upper()))
    return tuple(sorted({by_label[n] for n in named if n in by_label}))


def _folded(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({flat(t).casefold() for t in texts}))


def _keys(sources: Sequence[TurnId], window: _Window) -> tuple[str, ...]:
    """Return the lexical keys of the source turns, for a model that named no keywords."""
    return tuple(sorted({k for a in window.annotations if a.turn in sources for k in a.lexical}))


_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?(?:[T ].*)?")


def _interval(text: str) -> Interval | None:
    """Return the year, month or day that a text names; None for any other text."""
    found = _DATE.fullmatch(text.strip())
    if not found:
        return None
    year, month, day = (int(p) if p else None for p in found.groups())
    try:
        start = datetime(year or 1, month or 1, day or 1, tzinfo=UTC)
        if day:
            return Interval(start, start + timedelta(days=1), Grain.DAY)
        if month:
            after = (start + timedelta(days=31)).replace(day=1)
            return Interval(start, after, Grain.MONTH)
        return Interval(start, start.replace(year=start.year + 1), Grain.YEAR)
    except (ValueError, OverflowError):
        return None
