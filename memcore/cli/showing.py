"""`memcore trace` and `memcore export`: what happened in a run, and its files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sqlite_utils import Database

import memcore
from memcore import pipeline
from memcore.cli.common import DONE, USAGE, complain, opened, print_json, run_number, say
from memcore.exports.choice import Choice, Scope, subject_of
from memcore.exports.menu import EXPORTS
from memcore.exports.redaction import Redaction
from memcore.store import conversations, runs
from memcore.transcripts import own
from memcore.views.strings import CATALOGUES


def trace_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore trace`."""
    one.add_argument("run", metavar="RUN", type=run_number)


def trace_command(arguments: argparse.Namespace) -> int:
    """Run `memcore trace` and return its exit code."""
    with opened(arguments, there=True) as db:
        records = runs.load_records(db, arguments.run)
        counts = runs.counts(db, arguments.run)
    if arguments.json:
        print_json(records)
        return DONE
    run = records.run
    say(f"run {run.id}: {run.question}")
    say(f"{run.retriever}, preset {run.preset}, {run.outcome}, fingerprint {run.fingerprint}")
    more = {stage.seq: sum(rest.count for rest in stage.rest) for stage in records.stage}
    for c in counts:
        rest = more.get(c.seq, 0)
        entered, dropped = c.entered + rest, c.dropped + rest
        numbers = f"{c.given} given + {entered} entered = {c.kept} kept + {dropped} dropped"
        numbers += f" ({rest} of them counted, not listed)" if rest else ""
        say(f"{c.beat.value} {c.name}: {numbers if c.used else 'not used'}")
    for event in records.event:
        if event.final:
            say(f"{event.item}: {event.reason or event.kind}{_margin(event.value, event.limit)}")
    return DONE


def _margin(value: float | None, limit: float | None) -> str:
    return "" if value is None or limit is None else f" ({value:g}, limit {limit:g})"


EITHER: Final[Mapping[str, tuple[str, str]]] = {
    "graphml": ("graphml-facts", "graphml-anchors"),
    "network": ("network-facts", "network-anchors"),
}
"""Names that stand for the memory that the run read: facts, or anchors."""

SQLITE, MEMCORE = "sqlite", "memcore"


def export_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore export`."""
    one.add_argument("run", metavar="RUN", type=run_number, nargs="?")
    one.add_argument("--dialogue", metavar="D", help="export a dialogue instead of a run")
    one.add_argument("--to", required=True, choices=(*EXPORTS, *EITHER, SQLITE, MEMCORE))
    one.add_argument("--output", type=Path, metavar="FILE", help="default: the terminal")
    one.add_argument(
        "--redaction",
        type=Redaction,
        choices=list(Redaction),
        default=Redaction.FULL,
        help="how much text: full, the first 80 characters of each, or ids only",
    )
    one.add_argument(
        "--scope",
        type=Scope,
        choices=list(Scope),
        default=Scope.WHOLE,
        help="the whole memory, or only what the run touched",
    )
    one.add_argument("--language", choices=list(CATALOGUES), default="en", help="of a page's words")


def export_command(arguments: argparse.Namespace) -> int:
    """Run `memcore export` and return its exit code."""
    whole = arguments.to == MEMCORE
    if whole != bool(arguments.dialogue) or whole == (arguments.run is not None):
        complain("export takes a RUN, or --dialogue D with --to memcore")
        return USAGE
    if arguments.to in (SQLITE, MEMCORE) and arguments.redaction is not Redaction.FULL:
        complain(f"--to {arguments.to} holds all text; choose another file, or --redaction full")
        return USAGE
    with opened(arguments, there=True) as db:
        if arguments.to == SQLITE:
            return _copy(arguments, db)
        data = _dialogue(db, arguments) if whole else _run(db, arguments)
    if arguments.output:
        arguments.output.write_bytes(data)
    else:
        sys.stdout.write(data.decode())
    return DONE


def _dialogue(db: Database, arguments: argparse.Namespace) -> bytes:
    dialogue = conversations.find(db, arguments.dialogue)
    asked = conversations.questions(db, dialogue)
    return own.dump(conversations.load(db, dialogue), asked).encode()


def _run(db: Database, arguments: argparse.Namespace) -> bytes:
    """Return the file of a run, or of the memory that it asked."""
    subject = subject_of(db, arguments.run)
    reads_facts = subject.records.run.retriever.startswith(pipeline.ARIADNEMEM)
    facts, anchors = EITHER.get(arguments.to, (arguments.to, arguments.to))
    choice = Choice(
        arguments.redaction, arguments.scope, arguments.language, version=memcore.__version__
    )
    return EXPORTS[facts if reads_facts else anchors].data(subject, choice)


def _copy(arguments: argparse.Namespace, db: Database) -> int:
    """Write the dialogue of a run, with its memories and runs, as a workspace of its own."""
    run = runs.load_records(db, arguments.run).run
    path = arguments.output or Path(f"run-{run.id}.db")
    conversations.backup(db, path, only=run.dialogue)
    say(str(path))
    return DONE
