"""`memcore import`: read transcripts into the workspace.

Each conversation is stored as soon as it is read, in one transaction: a file larger than memory
can be imported, and what stops the import leaves the workspace as it was.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from memcore.cli import import_options
from memcore.cli.common import DONE, Bar, now, opened, say
from memcore.errors import MemcoreError, TranscriptError
from memcore.store import codec, conversations
from memcore.store.again import Changed
from memcore.transcripts import report_json
from memcore.transcripts.codes import Refusal
from memcore.transcripts.meter import Meter
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import MARK, read_all
from memcore.transcripts.read import Reading, read, require_whole
from memcore.transcripts.sources import Source, from_path
from memcore.types import (
    Conversation,
    Count,
    ImportReport,
    Progress,
    Question,
    ReadResult,
    Skipped,
)

LARGE = 5_000_000
"""From this many bytes on, progress is shown."""
MEGABYTE = 1_000_000
MEND = "note: most words with letters outside of ASCII look wrongly decoded; try --mojibake on"
SHOWN = 20
"""So many numbers of dialogues are listed one by one."""


def import_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore import`."""
    one.add_argument("files", nargs="+", type=Path, metavar="FILE")
    import_options.add(one)
    one.add_argument("--changed", type=Changed, choices=list(Changed), default=Changed.REPLACE)
    one.add_argument("--skipped", type=Path, metavar="FILE", help="write every skipped record")
    one.add_argument("--dry-run", action="store_true", help="report, and store nothing")


def import_command(arguments: argparse.Namespace) -> int:
    """Run `memcore import` and return its exit code."""
    began = time.perf_counter()
    options = import_options.read(arguments)
    found = _found([source(path) for path in arguments.files], options)
    try:
        report, dialogues = _stored(arguments, found, options)
    except TranscriptError as error:
        if error.kind == Refusal.PARTIAL_REFUSED:
            _print_report(arguments, found.report())
        raise
    except KeyboardInterrupt:
        msg = "the import was stopped; nothing was stored."
        raise TranscriptError(Refusal.CANCELLED, msg) from None
    seconds = round(time.perf_counter() - began, 3)
    _print_report(arguments, replace(report, seconds=seconds), dialogues)
    for note in () if arguments.json else found.notes():
        say(note)
    return DONE


@dataclass(frozen=True, slots=True)
class _Found:
    """What the files hold: conversations with their questions, and after the last the account."""

    pairs: Iterator[tuple[Conversation, Sequence[Question]]]
    report: Callable[[], ImportReport]
    skipped: Callable[[], Sequence[Skipped]]
    notes: Callable[[], Sequence[str]] = tuple


def _found(sources: Sequence[Source], options: Options) -> _Found:
    """Return what is found, its formats decided: most refusals come before the store is opened."""
    if any(_is_questions(one) for one in sources):
        return _at_once(read_together(sources, options))
    size = sum(one.size for one in sources)
    reading = Reading(tuple(sources), options, Meter(_Shown().show) if size >= LARGE else None)
    reading.open()
    pairs = ((found.conversation, found.questions) for found in reading)

    def notes() -> Sequence[str]:
        offered = reading.mending.likely and options.mojibake != "on"
        return (MEND,) if offered else ()

    return _Found(pairs, reading.report, lambda: reading.notes.skipped, notes)


def _at_once(result: ReadResult) -> _Found:
    pairs = ((c, conversations.questions_of(result, c)) for c in result.conversations)
    return _Found(pairs, lambda: result.report, lambda: result.skipped)


class _Shown(Bar):
    """Progress in megabytes."""

    def show(self, progress: Progress) -> None:
        """Write how much has been read."""
        done, total = progress.done // MEGABYTE, progress.total // MEGABYTE
        super().show(Progress(f"{progress.phase} (MB)", done, total))


def read_files(files: Sequence[Path], options: Options) -> ReadResult:
    """Return what the files hold; own questions among them are laid to their dialogues."""
    return read_together([source(path) for path in files], options)


def read_together(sources: Sequence[Source], options: Options) -> ReadResult:
    """Return what the sources hold; own questions among them are laid to their dialogues."""
    asked = [one for one in sources if _is_questions(one)]
    result = read([one for one in sources if one not in asked], options)
    for one in asked:
        found = read_all(one, result.conversations, options)
        report = replace(result.report, gold=found.gold)
        joined = (*result.questions, *found.questions)
        skipped = (*result.skipped, *found.skipped)
        result = replace(result, questions=joined, report=report, skipped=skipped)
    return result


def _is_questions(one: Source) -> bool:
    return not one.is_folder and MARK.encode() in one.head(4096).split(b"\n")[0]


def source(path: Path) -> Source:
    """Return the file or folder at a path.

    Raises:
        MemcoreError: if there is none.
    """
    if not path.exists():
        msg = f"{path.name}: there is no such file; expected the path of a transcript"
        raise MemcoreError(msg)
    return from_path(path)


def _stored(
    arguments: argparse.Namespace, found: _Found, options: Options
) -> tuple[ImportReport, tuple[int, ...]]:
    def finish() -> ImportReport:
        _write_skipped(arguments, found)
        report = found.report()
        require_whole(report, options)
        return report

    if arguments.dry_run and not arguments.workspace.exists():
        for _ in found.pairs:
            pass
        return finish(), ()
    with _as_it_was(arguments.workspace), opened(arguments) as db:
        if arguments.dry_run:
            report = conversations.preview_each(db, found.pairs, finish, now(), arguments.changed)
            return report, ()
        saved = conversations.save_each(db, found.pairs, finish, now(), arguments.changed)
        return saved.report, saved.dialogues


def _write_skipped(arguments: argparse.Namespace, found: _Found) -> None:
    if arguments.skipped:
        with arguments.skipped.open("w", encoding="utf-8") as out:
            out.writelines(f"{codec.dump(record)}\n" for record in found.skipped())


@contextmanager
def _as_it_was(workspace: Path) -> Iterator[None]:
    """Remove a workspace that was made for an import which then was refused or stopped."""
    there = workspace.exists()
    try:
        yield
    except BaseException:
        for ending in () if there else ("", "-wal", "-shm"):
            workspace.with_name(workspace.name + ending).unlink(missing_ok=True)
        raise


def _print_report(
    arguments: argparse.Namespace, report: ImportReport, dialogues: tuple[int, ...] = ()
) -> None:
    if arguments.json:
        print(report_json.dump(report), end="")
        return
    d, again = report.detection, report.again
    say(f"format: {report.format} ({d.evidence})")
    say(f"{report.conversations} dialogues, {report.sessions} sessions, {report.turns} turns")
    people = ", ".join(f"{p.label} {p.turns}" for p in report.persons[:12])
    say(f"speakers: {people}")
    say(f"skipped: {_counted(report.skipped)}")
    if report.gold.questions:
        say(f"questions: {report.gold.questions}, {report.gold.with_evidence} with evidence")
    if again.unchanged or again.appended or again.changed or again.missing:
        say(
            f"known before: {again.unchanged} turns unchanged, {again.appended} appended, "
            f"{again.changed} changed, {again.missing} missing in the file"
        )
    for warning in report.warnings:
        say(f"note: {warning.sentence or f'{warning.name}: {warning.n}'}")
    if dialogues:
        say(f"stored as {_numbers(dialogues)}")
    else:
        say("nothing was stored")


def _numbers(dialogues: Sequence[int]) -> str:
    if len(dialogues) <= SHOWN:
        return f"dialogue {', '.join(map(str, dialogues))}"
    return f"{len(dialogues):,} dialogues, {min(dialogues)} to {max(dialogues)}"


def _counted(counts: Iterable[Count]) -> str:
    return ", ".join(f"{c.n} {c.name}" for c in counts) or "nothing"
