"""`memcore trace` and `memcore export`: what happened in a run, and its files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from memcore import pipeline
from memcore.cli.common import DONE, USAGE, complain, opened, print_json, run_number, say
from memcore.exports import csv as csv_export
from memcore.exports import graphml
from memcore.exports import json as json_export
from memcore.exports.hif import hif
from memcore.exports.packet import packet
from memcore.exports.regression import regression
from memcore.store import conversations, memories, runs
from memcore.store.records import Records
from memcore.transcripts import own
from memcore.types import Memory


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
    for c in counts:
        numbers = f"{c.given} given + {c.entered} entered = {c.kept} kept + {c.dropped} dropped"
        say(f"{c.beat.value} {c.name}: {numbers if c.used else 'not used'}")
    for event in records.event:
        if event.final:
            say(f"{event.item}: {event.reason or event.kind}{_margin(event.value, event.limit)}")
    return DONE


def _margin(value: float | None, limit: float | None) -> str:
    return "" if value is None or limit is None else f" ({value:g}, limit {limit:g})"


TEXTS: Final[Mapping[str, Callable[[Records], str]]] = {
    "json": json_export.dump,
    "csv": csv_export.ledger,
    "packet": packet,
}
"""The exports of a run that are text."""

GRAPHS: Final[Mapping[str, Callable[[Memory], str]]] = {
    "graphml": graphml.evolution,
    "hif": hif,
}
"""The exports of the memory that a run asked."""


def export_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore export`."""
    one.add_argument("run", metavar="RUN", type=run_number, nargs="?")
    one.add_argument("--dialogue", metavar="D", help="export a dialogue instead of a run")
    one.add_argument("--to", required=True, choices=(*TEXTS, *GRAPHS, "test", "sqlite", "memcore"))
    one.add_argument("--output", type=Path, metavar="FILE", help="default: the terminal")


def export_command(arguments: argparse.Namespace) -> int:
    """Run `memcore export` and return its exit code."""
    whole = arguments.to == "memcore"
    if whole != bool(arguments.dialogue) or whole == (arguments.run is not None):
        complain("export takes a RUN, or --dialogue D with --to memcore")
        return USAGE
    with opened(arguments, there=True) as db:
        if whole:
            dialogue = conversations.find(db, arguments.dialogue)
            asked = conversations.questions(db, dialogue)
            text = own.dump(conversations.load(db, dialogue), asked)
        elif arguments.to == "sqlite":
            return _copy(arguments, db)
        else:
            text = _text(db, arguments)
    if arguments.output:
        arguments.output.write_bytes(text.encode())
    else:
        sys.stdout.write(text)
    return DONE


def _text(db: Database, arguments: argparse.Namespace) -> str:
    """Return a run as text, or the memory that it asked as a graph."""
    records = runs.load_records(db, arguments.run)
    run = records.run
    if arguments.to in TEXTS:
        return TEXTS[arguments.to](records)
    if arguments.to == "test":
        asked = conversations.questions(db, run.dialogue)
        gold = next((q.evidence_turns for q in asked if q.text == run.question), ())
        return regression(records, gold)
    memory = memories.load_memory(db, run.dialogue, run.settings)
    if arguments.to == "graphml" and not run.retriever.startswith(pipeline.ARIADNEMEM):
        return graphml.hypergraph(memory)
    return GRAPHS[arguments.to](memory)


def _copy(arguments: argparse.Namespace, db: Database) -> int:
    """Write the dialogue of a run, with its memories and runs, as a workspace of its own."""
    run = runs.load_records(db, arguments.run).run
    path = arguments.output or Path(f"run-{run.id}.db")
    conversations.backup(db, path, only=run.dialogue)
    say(str(path))
    return DONE
