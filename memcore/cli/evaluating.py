"""`memcore evaluate`: compare retrievers on questions."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils import Database

from memcore.cli.common import DONE, Bar, now, opened, print_json, say
from memcore.cli.importing import read_files
from memcore.errors import MemcoreError
from memcore.evaluation.run import SystemRun, lines, run_file, table
from memcore.evaluation.systems import Plan, evaluate
from memcore.retrieval.table import RETRIEVERS
from memcore.store import codec, conversations
from memcore.transcripts.options import Options
from memcore.types import Progress


def evaluate_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore evaluate`."""
    one.add_argument("files", nargs="+", type=Path, metavar="FILE", help="dialogues and questions")
    one.add_argument("--systems", default="edgemem,bm25", help=f"of {', '.join(RETRIEVERS)}")
    one.add_argument("--runs", type=Path, required=True, metavar="DIR", help="one file a system")
    one.add_argument("--k", default="5,10,25,50", help="cut-offs of recall")
    one.add_argument("--questions", default="", metavar="IDS", help="only these, by comma")
    one.set_defaults(workspace=None)


def evaluate_command(arguments: argparse.Namespace) -> int:
    """Run `memcore evaluate` and return its exit code."""
    systems = tuple(name for name in arguments.systems.split(",") if name)
    unknown = [name for name in systems if name not in RETRIEVERS]
    if unknown:
        msg = f"{unknown[0]} is no system; expected some of {', '.join(RETRIEVERS)}"
        raise MemcoreError(msg)
    ks = tuple(int(k) for k in arguments.k.split(",") if k.isdecimal()) or (5, 10, 25, 50)
    asked = frozenset(q for q in arguments.questions.split(",") if q)
    with tempfile.TemporaryDirectory() as folder:
        arguments.workspace = arguments.workspace or Path(folder) / "evaluation.db"
        with opened(arguments) as db:
            result = read_files(arguments.files, Options(moment=now()))
            if not any(q.evidence_turns for q in result.questions):
                msg = "no question with evidence here; give a questions file beside the dialogue"
                raise MemcoreError(msg)
            saved = conversations.save(db, result, now())
            plan = Plan(systems, saved.dialogues, asked)
            rows = [r for run in _runs(db, plan, arguments.runs) for r in table(run, ks)]
    if arguments.json:
        print_json([codec.to_json(row) for row in rows])
    else:
        for line in lines(rows):
            say(line)
    return DONE


def _runs(db: Database, plan: Plan, folder: Path) -> Iterator[SystemRun]:
    """Yield each system's run once its file is written; progress goes to stderr."""
    folder.mkdir(parents=True, exist_ok=True)
    talks = tuple(conversations.load(db, number) for number in plan.dialogues)
    bar = Bar()
    for found in evaluate(db, plan, lambda: time.perf_counter() * 1000):
        if isinstance(found, Progress):
            bar.show(found)
            continue
        text = json.dumps(run_file(found, talks), ensure_ascii=False)
        (folder / f"{found.name}.json").write_text(text, encoding="utf-8")
        yield found
