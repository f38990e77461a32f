"""The account of one import: what was seen, skipped, mended and assumed.

This is the one mutable value of an import: readers stream, and the account grows with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from memcore.errors import TranscriptError
from memcore.transcripts.characters import clean, mended
from memcore.transcripts.codes import FILE_SKIPS, Refusal, Skip, Warn
from memcore.transcripts.dates import Read
from memcore.transcripts.json_text import BadRecordError, Fields, Json
from memcore.transcripts.options import Options
from memcore.types import DateOrder, SaidTime, Skipped

EXCERPT = 80
GRAVE = frozenset({Refusal.ZIP_BOMB, Refusal.TOO_LARGE, Refusal.TOO_MANY_FILES, Refusal.CANCELLED})
"""Refusals that end an import even among good files."""


@dataclass(slots=True)
class Notes:
    """What is known of an import so far; `file` names the file being read."""

    options: Options
    file: str = ""
    records: int = 0
    turns: int = 0
    merged: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    warnings: Counter[Warn] = field(default_factory=Counter)
    parts: Counter[Skip] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    ignored: set[str] = field(default_factory=set)
    date_order: DateOrder = field(default_factory=DateOrder)
    start_source: str = ""
    session_rules: dict[str, None] = field(default_factory=dict)
    repaired_evidence: int = 0
    bad_questions: int = 0
    alone: bool = True

    def seen(self, n: int = 1) -> None:
        """Count records, whatever becomes of them."""
        self.records += n

    def skip(self, reason: Skip, place: str, excerpt: str = "") -> None:
        """Say of a seen record why it is no turn."""
        words = " ".join(clean(excerpt).text.split())[:EXCERPT]
        self.skipped.append(Skipped(reason.value, self.file, place, words))

    def warn(self, code: Warn, n: int = 1) -> None:
        """Count a warning."""
        if n:
            self.warnings[code] += n

    def part(self, reason: Skip) -> None:
        """Count a part that was dropped from a turn with words."""
        self.parts[reason] += 1

    def ignore(self, record: Fields, known: frozenset[str]) -> None:
        """Note the keys of a record that no rule reads."""
        self.ignored.update(clean(k).text for k in record.values.keys() - known)

    def clean(self, text: str) -> str:
        """Return the string as it is stored, counting what was mended."""
        if not text:
            return text
        done = clean(text)
        if done.nuls or done.halves:
            self.repairs["nul"] += done.nuls
            self.repairs["surrogate"] += done.halves
            self.warn(Warn.CHARACTERS_REPLACED, done.nuls + done.halves)
        return done.text

    def mend(self, text: str) -> str:
        """Return the string with wrongly decoded UTF-8 put right, unless that is switched off."""
        if self.options.mojibake == "off":
            return text
        better = mended(text)
        if better != text:
            self.repairs["mojibake"] += 1
            self.warn(Warn.MOJIBAKE_REPAIRED)
        return better

    def time(self, read: Read) -> SaidTime:
        """Return the time, counting its warning."""
        if read.warning is not None:
            self.warn(read.warning)
        return read.said

    def bad(self, place: str, value: Json, why: str) -> None:
        """Count one record that could not be read at all."""
        self.seen()
        self.skip(Skip.BAD_RECORD, place, f"{why}: {_excerpt(value)}")

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Name the file being read; one bad file among several is noted and passed over."""
        self.file = name
        try:
            yield
        except TranscriptError as error:
            if self.alone or error.kind in GRAVE:
                raise
            self.skip(Skip.UNREADABLE_FILE, name, str(error.args[0]))

    def mark(self) -> tuple[int, int]:
        """Where the account of records stands."""
        return self.records, len(self.skipped)

    def back_to(self, mark: tuple[int, int]) -> None:
        """Forget the records counted since: they belong to a larger one that is bad."""
        self.records = mark[0]
        del self.skipped[mark[1] :]

    def counted(self) -> Counter[str]:
        """The skipped records by reason."""
        return Counter(s.reason for s in self.skipped)

    def lost(self) -> int:
        """How many seen records became no turn."""
        return sum(n for reason, n in self.counted().items() if reason not in FILE_SKIPS)

    @contextmanager
    def guard(self, place: str, value: Json = None) -> Iterator[None]:
        """Skip what goes wrong inside as one bad record."""
        try:
            yield
        except BadRecordError as error:
            self.skip(Skip.BAD_RECORD, place, f"{error}: {_excerpt(value)}")


def _excerpt(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k}: {v}" for k, v in value.items() if not isinstance(v, dict | list))
    return "" if value is None else str(value)[: 2 * EXCERPT]
