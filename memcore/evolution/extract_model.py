"""Entries by a model server: one call a window.

Chosen: a reply that is cut or unusable is asked for once more, then the window is read in two
halves, then the turns of a half that still fails are named in a WindowError, with the entries of
the other half. An absent or unwilling server is not the window's fault: its ServerError passes
through, and the build stops where it can be resumed. Turned down: windows in parallel, since each
gets the last entries before it as context and meets the gate only after they are stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from string import Template
from typing import Final

from memcore.annotate.quoting import flat, quoted
from memcore.chat import Chat, Request, prompt
from memcore.errors import ReplyError
from memcore.replies import Fields, fields_of
from memcore.seams import WindowError
from memcore.types import (
    Annotation,
    Entry,
    EntryId,
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


class ModelExtractor:
    """Extracts with one model of an OpenAI-compatible server; `usage` counts what it cost."""

    def __init__(self, chat: Chat, prompt_name: str = PROMPT) -> None:
        self._chat = chat
        self._prompt = prompt("memcore.evolution", prompt_name)
        self.name = f"{chat.server.model} ({prompt_name})"
        self.usage = Usage()

    def extract(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> tuple[Entry, ...]:
        """Return the facts of the window, in the order of their turns.

        Raises:
            WindowError: if some turns gave no usable reply, even in half a window.
            ServerError: if the server is absent, late or unwilling.
        """
        window = _Window(tuple(turns), tuple(annotations), tuple(earlier))
        found: list[Entry] = []
        failed: list[TurnId] = []
        for part in self._readable(window):
            if isinstance(part, _Window):
                failed.extend(t.id for t in part.turns)
            else:
                found.extend(part)
        ordered = sorted(found, key=lambda e: (e.source_turns, e.restatement))
        entries = tuple(replace(e, id=EntryId(n)) for n, e in enumerate(ordered, 1))
        if failed:
            msg = f"{self.name} gave no usable reply for {len(failed)} of {len(turns)} turns"
            raise WindowError(msg, tuple(failed), entries)
        return entries

    def _readable(self, window: _Window) -> Iterator[tuple[Entry, ...] | _Window]:
        """Yield the entries of the window or of its halves; a half that failed stands for itself.

        A window of one turn cannot be halved.
        """
        whole = self._read(window)
        halves = window.halves()
        if whole is not None or not halves:
            yield window if whole is None else whole
            return
        for half in halves:
            read = self._read(half)
            yield half if read is None else read

    def _read(self, window: _Window) -> tuple[Entry, ...] | None:
        """Return the entries of a window, or None if no attempt gave a usable reply."""
        for attempt in range(ATTEMPTS):
            try:
                completion = self._chat.complete(self.request(window, attempt))
            except ReplyError:
                self.usage = replace(self.usage, calls=self.usage.calls + 1)
                continue
            self.usage = Usage(
                self.usage.calls + 1,
                self.usage.prompt_tokens + completion.prompt_tokens,
                self.usage.answer_tokens + completion.answer_tokens,
            )
            fields = fields_of(completion.text, "facts")
            if fields is None or fields.cut or completion.cut:
                continue
            facts = fields.objects("facts")
            entries = tuple(e for f in facts if (e := _entry(f, window)) is not None)
            if entries or not facts:
                return entries
        return None

    def request(self, window: _Window, attempt: int = 0) -> Request:
        """Return what the model is sent for a window."""
        words = {
            "earlier": "\n".join(f"- {flat(e.restatement)}" for e in window.earlier) or "- nothing",
            "dialogue": "\n".join(quoted(t, f"[{n}]") for n, t in enumerate(window.turns, 1)),
        }
        return Request(
            self._prompt.system, Template(self._prompt.user).safe_substitute(words), attempt
        )


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
