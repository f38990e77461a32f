"""`memcore import`: read transcripts into the workspace."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from memcore.cli.common import DONE, now, opened, print_json, say
from memcore.errors import MemcoreError, TranscriptError
from memcore.store import codec, conversations
from memcore.store.again import Changed
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import MARK, read_all
from memcore.transcripts.read import read, require_whole
from memcore.transcripts.sources import Source, from_path
from memcore.types import Count, ImportReport, ReadResult


def import_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore import`."""
    one.add_argument("files", nargs="+", type=Path, metavar="FILE")
    one.add_argument("--format", default="", help="the format, instead of the one detected")
    one.add_argument("--timezone", default="", help="the zone of times without one: Europe/Lisbon")
    one.add_argument("--date-order", default="", choices=("dmy", "mdy", "ymd"))
    one.add_argument("--session", default="own", help="own, pause:HOURS, day or none")
    one.add_argument("--encoding", default="", help="instead of the one found")
    one.add_argument("--owner", default="", help='whom "me" stands for')
    one.add_argument("--changed", type=Changed, choices=list(Changed), default=Changed.REPLACE)
    one.add_argument("--allow-partial", action="store_true", help="store what could be read")
    one.add_argument("--skipped", type=Path, metavar="FILE", help="write every skipped record")
    one.add_argument("--dry-run", action="store_true", help="report, and store nothing")


def import_command(arguments: argparse.Namespace) -> int:
    """Run `memcore import` and return its exit code."""
    began = time.perf_counter()
    options = Options(
        format=arguments.format,
        session=arguments.session,
        date_order=arguments.date_order,
        timezone=arguments.timezone,
        encoding=arguments.encoding,
        owner=arguments.owner,
        allow_partial=arguments.allow_partial,
        moment=now(),
    )
    result = read_files(arguments.files, options)
    if arguments.skipped:
        lines = (f"{codec.dump(record)}\n" for record in result.skipped)
        arguments.skipped.write_text("".join(lines), encoding="utf-8")
    dialogues: tuple[int, ...] = ()
    try:
        require_whole(result.report, options)
        report, dialogues = _stored(arguments, result)
    except TranscriptError:
        _print_report(arguments, result.report)
        raise
    seconds = round(time.perf_counter() - began, 3)
    _print_report(arguments, replace(report, seconds=seconds), dialogues)
    return DONE


def read_files(files: Sequence[Path], options: Options) -> ReadResult:
    """Return what the files hold; own questions among them are laid to their dialogues."""
    return read_together([_source(path) for path in files], options)


def read_together(sources: Sequence[Source], options: Options) -> ReadResult:
    """Return what the sources hold; own questions among them are laid to their dialogues."""
    asked = [source for source in sources if MARK.encode() in source.head(4096).split(b"\n")[0]]
    result = read([source for source in sources if source not in asked], options)
    for source in asked:
        found = read_all(source, result.conversations, options)
        report = replace(result.report, gold=found.gold)
        joined = (*result.questions, *found.questions)
        skipped = (*result.skipped, *found.skipped)
        result = replace(result, questions=joined, report=report, skipped=skipped)
    return result


def _source(path: Path) -> Source:
    if not path.is_file():
        msg = f"{path.name}: there is no such file; expected the path of a transcript"
        raise MemcoreError(msg)
    return from_path(path)


def _stored(
    arguments: argparse.Namespace, result: ReadResult
) -> tuple[ImportReport, tuple[int, ...]]:
    if not arguments.dry_run:
        with opened(arguments) as db:
            saved = conversations.save(db, result, now(), arguments.changed)
            return saved.report, saved.dialogues
    if not arguments.workspace.exists():
        return result.report, ()
    with opened(arguments) as db:
        return conversations.preview(db, result, now(), arguments.changed), ()


def _print_report(
    arguments: argparse.Namespace, report: ImportReport, dialogues: tuple[int, ...] = ()
) -> None:
    if arguments.json:
        print_json(report)
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
        say(f"stored as dialogue {', '.join(map(str, dialogues))}")
    else:
        say("nothing was stored")


def _counted(counts: Iterable[Count]) -> str:
    return ", ".join(f"{c.n} {c.name}" for c in counts) or "nothing"
