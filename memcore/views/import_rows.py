"""The import report in words and rows: what was read, skipped and assumed."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice, pairwise

from memcore.transcripts.characters import Mending
from memcore.transcripts.order import keys
from memcore.types import (
    Conversation,
    ImportReport,
    Precision,
    ReadResult,
    SaidTime,
    Skipped,
    Turn,
)
from memcore.views.messages import told
from memcore.views.strings import day, minute, say

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
            evidence=told(report.detection.evidence, language),
            sure=_sure(report, language),
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
        say(
            "start.rules",
            language,
            zone=report.zone or say("start.zone_none", language),
            session=_rules(report.session_rule, language),
        ),
        *(say("start.file", language, name=f.name, encoding=f.encoding) for f in report.files),
    )


def _sure(report: ImportReport, language: str) -> str:
    if report.detection.forced or any(name == "format" for name, _ in report.options):
        return say("start.forced", language)
    other = report.detection.runner_up
    sure = say("start.sure", language, share=round(100 * report.detection.score))
    return (
        f"{sure} · {say('start.runner_up', language, other=told(other, language))}"
        if other
        else sure
    )


def _rules(rules: str, language: str) -> str:
    """Return the rule, or rules, by which sessions were cut, in words.

    >>> _rules("own + pause:6", "en")
    "the format's own, pause of 6 h"
    """
    return ", ".join(
        say("start.rule_pause", language, hours=rule.partition(":")[2])
        if rule.startswith("pause:")
        else say(f"start.rule_{rule or 'own'}", language)
        for rule in rules.split(" + ")
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
        CountRow(say(what, language), c.name, c.n, say(f"code.{c.name}", language))
        for what, found in groups
        for c in found
    )


def ends(conversation: Conversation, language: str = "") -> tuple[EndRow, ...]:
    """Return the first and last five turns."""
    turns = conversation.turns
    chosen = turns if len(turns) <= 2 * ENDS else (*turns[:ENDS], *turns[-ENDS:])
    return tuple(_end(t, language) for t in chosen)


def _end(turn: Turn, language: str) -> EndRow:
    return EndRow(str(turn.id), turn.speaker, moment(turn.said, language), turn.content)


def moment(time: SaidTime, language: str = "") -> str:
    """Return a said time to the minute, as it is known: a day alone, a clock alone, or nothing."""
    if time.at is None:
        return time.original
    if time.precision in {Precision.DAY, Precision.SESSION}:
        return day(time.at, language)
    return minute(time.at, language)


# ---------------------------------------------------------------- choices


@dataclass(frozen=True, slots=True)
class TalkRow:
    """One conversation of a file: what tells whether it is wanted."""

    name: str
    turns: int
    sessions: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class SpeakerRow:
    """One speaker: the name to show, which joins two who get the same, or no speaker at all."""

    name: str
    turns: int
    shown_as: str
    struck: bool = False


@dataclass(frozen=True, slots=True)
class PauseRow:
    """How many sessions a pause of so many hours makes."""

    hours: int
    sessions: int


@dataclass(frozen=True, slots=True)
class OrderRow:
    """What a file becomes under one order of day and month."""

    order: str
    dates: str
    last: str
    sessions: int
    undated: int


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A stored turn whose words differ in the file."""

    turn: str
    speaker: str
    stored: str
    read: str


def talk(conversation: Conversation, language: str = "") -> TalkRow:
    """Return a conversation as a row, with the first and last day that it holds."""
    found = sorted(t.said_at for t in conversation.turns if t.said_at is not None)
    first, last = (found[0], found[-1]) if found else (None, None)
    return TalkRow(
        conversation.name,
        len(conversation.turns),
        len(conversation.sessions),
        day(first, language),
        day(last, language),
    )


def option(place: int, row: TalkRow, language: str = "") -> str:
    """Return a conversation as one line of a list; its place tells equal names apart."""
    span = row.first if row.first == row.last else f"{row.first} – {row.last}"
    turns = say("start.talk_turns", language, n=row.turns)
    return f"{place + 1} · {row.name} · {turns} · {span}"


def matching(rows: Sequence[TalkRow], text: str) -> tuple[int, ...]:
    """Return the places of the conversations whose name or dates hold every word searched for.

    >>> garden, trip = TalkRow("Garden", 4, 1, "8 May 2023", ""), TalkRow("A trip", 2, 1, "", "")
    >>> matching((garden, trip), "gar may"), matching((garden, trip), "")
    ((0,), (0, 1))
    """
    wanted = text.casefold().split()
    lines_ = (f"{row.name} {row.first} {row.last}".casefold() for row in rows)
    return tuple(n for n, line in enumerate(lines_) if all(w in line for w in wanted))


def speakers(report: ImportReport) -> tuple[SpeakerRow, ...]:
    """Return all who speak, those who say most first."""
    return tuple(SpeakerRow(p.label, p.turns, p.label) for p in report.persons)


def renames(report: ImportReport, edited: Sequence[SpeakerRow]) -> tuple[tuple[str, str], ...]:
    """Return the (name, other name) pairs that an edited table asks for; struck: no other name.

    A person's further spellings follow the one that is shown.
    """
    aliases = {p.label: p.aliases for p in report.persons}
    found: dict[str, str] = {}
    for row in edited:
        other = "" if row.struck else row.shown_as.strip() or row.name
        if other != row.name:
            found.update(dict.fromkeys((row.name, *aliases.get(row.name, ())), other))
    return tuple(found.items())


def pauses(
    conversations: Sequence[Conversation], hours: Sequence[int] = (1, 3, 6, 12, 24, 48)
) -> tuple[PauseRow, ...]:
    """Return how many sessions each length of pause would make of these conversations."""
    gaps = [gap for c in conversations for gap in _gaps(c)]
    talks = sum(bool(c.turns) for c in conversations)
    return tuple(PauseRow(h, talks + sum(g > timedelta(hours=h) for g in gaps)) for h in hours)


def _gaps(conversation: Conversation) -> tuple[timedelta, ...]:
    found = [at for at in keys([t.said for t in conversation.turns]) if at is not None]
    return tuple(b - a for a, b in pairwise(found))


def order(name: str, result: ReadResult, language: str = "") -> OrderRow:
    """Return a reading under one order of day and month as a row."""
    found = result.report
    last = said(found.last_time, language)
    return OrderRow(name, first_dates(result), last, found.sessions, found.turns_without_time)


def owners(conversations: Sequence[Conversation]) -> tuple[str, ...]:
    """Return the names of those whom "me" stands for, in order."""
    found = (p.label for c in conversations for p in c.persons if c.owner and p.key == c.owner)
    return tuple(dict.fromkeys(found))


def mendable(result: ReadResult) -> bool:
    """Whether most texts with more than ASCII in them look wrongly decoded."""
    found = Mending()
    for conversation in result.conversations:
        for turn in conversation.turns:
            found = found.look(turn.text)
    return found.likely


def first_dates(result: ReadResult, n: int = 3) -> str:
    """Return the first different days that a reading gives."""
    found = (t.said_at for c in result.conversations for t in c.turns if t.said_at is not None)
    return ", ".join(islice(dict.fromkeys(day(at) for at in found), n))


def changed(old: Turn, new: Turn) -> ChangedRow:
    """Return a changed turn as a row: at its stored place, with both texts."""
    return ChangedRow(str(old.id), old.speaker, old.content, new.content)


def counted(conversation: Conversation, questions: int, language: str = "") -> str:
    """Return sessions, turns and questions of a dialogue, counted."""
    return say(
        "frame.dialogue_counts",
        language,
        sessions=len(conversation.sessions),
        turns=len(conversation.turns),
        questions=questions,
    )


MOST_SKIPPED = 100
"""Skipped records listed on the page; the file holds all that were noted one by one."""


@dataclass(frozen=True, slots=True)
class SkipRow:
    """One record that became no turn: why, where, and how it begins."""

    reason: str
    file: str
    place: str
    excerpt: str


def skipped(found: Sequence[Skipped], language: str = "") -> tuple[SkipRow, ...]:
    """Return the first skipped records as rows, each with its reason in words."""
    return tuple(
        SkipRow(say(f"code.{s.reason}", language), s.file, s.place, s.excerpt)
        for s in found[:MOST_SKIPPED]
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
