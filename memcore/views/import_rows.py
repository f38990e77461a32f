"""The import report in words and rows: what was read, skipped and assumed."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from memcore.types import Conversation, ImportReport, SaidTime, Skipped, Turn
from memcore.views.strings import day, say

ENDS = 5
"""Turns shown from each end of a conversation."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """How often something was skipped, dropped, repaired or warned of."""

    what: str
    name: str
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class EndRow:
    """One of the first or last turns of a conversation."""

    turn: str
    speaker: str
    said: str
    text: str


def lines(report: ImportReport, language: str = "") -> tuple[str, ...]:
    """Return what was understood, one sentence a line."""
    skipped = sum(c.n for c in report.skipped)
    return (
        say(
            "start.evidence",
            language,
            format=report.format,
            evidence=report.detection.evidence,
        ),
        say(
            "start.counts",
            language,
            sessions=report.sessions,
            turns=report.turns,
            speakers=len(report.persons),
        ),
        say(
            "start.kept",
            language,
            turns=report.turns,
            skipped=skipped,
            questions=report.gold.questions,
            scoreable=report.gold.with_evidence,
        ),
        say(
            "start.times",
            language,
            first=said(report.first_time, language),
            last=said(report.last_time, language),
            missing=report.turns_without_time,
        ),
        *(say("start.file", language, name=f.name, encoding=f.encoding) for f in report.files),
    )


def said(time: SaidTime, language: str = "") -> str:
    """Return a said time as a date, or the word for none."""
    return day(time.at, language)


def counts(report: ImportReport, language: str = "") -> tuple[CountRow, ...]:
    """Return all counted reasons of a report."""
    groups = (
        ("start.skipped", report.skipped),
        ("start.parts", report.parts_dropped),
        ("start.repairs", report.repairs),
        ("start.warnings", report.warnings),
    )
    return tuple(
        CountRow(say(what, language), c.name, c.n, c.sentence)
        for what, found in groups
        for c in found
    )


def ends(conversation: Conversation) -> tuple[EndRow, ...]:
    """Return the first and last five turns."""
    turns = conversation.turns
    chosen = turns if len(turns) <= 2 * ENDS else (*turns[:ENDS], *turns[-ENDS:])
    return tuple(_end(t) for t in chosen)


def _end(turn: Turn) -> EndRow:
    return EndRow(str(turn.id), turn.speaker, turn.said.original, turn.content)


def counted(conversation: Conversation, questions: int, language: str = "") -> str:
    """Return sessions, turns and questions of a dialogue, counted."""
    return say(
        "frame.dialogue_counts",
        language,
        sessions=len(conversation.sessions),
        turns=len(conversation.turns),
        questions=questions,
    )


def skipped_csv(found: Sequence[Skipped]) -> bytes:
    """Return the skipped records as CSV with a mark; a cell that could be a formula is defused."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["reason", "file", "place", "excerpt"])
    for row in found:
        writer.writerow([defused(v) for v in (row.reason, row.file, row.place, row.excerpt)])
    return out.getvalue().encode("utf-8-sig")


def defused(cell: str) -> str:
    """Return a cell that no spreadsheet runs.

    >>> defused("=1+1"), defused("plain")
    ("'=1+1", 'plain')
    """
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
