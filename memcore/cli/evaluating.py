"""`memcore evaluate`: compare retrievers on questions."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from memcore import jobs
from memcore.cli.common import (
    DONE,
    REFUSED,
    Bar,
    complain,
    milliseconds,
    now,
    opened,
    print_json,
    say,
    silent,
)
from memcore.cli.importing import read_files
from memcore.cli.judging import (
    add_judge_arguments,
    judge_server,
    judged,
    judged_json,
    judged_lines,
)
from memcore.errors import MemcoreError
from memcore.evaluation import ablations, report
from memcore.evaluation.judging import Judgement
from memcore.evaluation.report import Found
from memcore.evaluation.work import KNOWN, LEAST_BUDGET, MOST_BUDGET, Tools, offline
from memcore.exports import evaluation as exports
from memcore.retrieval.table import RETRIEVERS
from memcore.store import codec, conversations, evaluations
from memcore.store.evaluations import Plan
from memcore.store.jobs import State
from memcore.transcripts.options import Options

TOOLS = Tools(offline, time.time, milliseconds)


def evaluate_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore evaluate`."""
    names = ", ".join(RETRIEVERS)
    one.add_argument("files", nargs="*", type=Path, metavar="FILE", help="dialogues and questions")
    one.add_argument("--systems", default="edgemem,bm25", help=f"all, or some of {names}")
    one.add_argument("--runs", type=Path, metavar="DIR", help="one file a system")
    one.add_argument("--k", default="5,10,25,50", help="cut-offs of the ranking metrics")
    one.add_argument("--budget", type=int, metavar="TOKENS", help="what every packet may hold")
    one.add_argument("--questions", default="", metavar="IDS", help="only these, by comma")
    one.add_argument("--settings", type=Path, metavar="FILE", help="JSON of changed settings")
    one.add_argument("--ablations", default="", metavar="NAMES", help="each part of these off")
    one.add_argument("--export", choices=["answers"], help="read, and write the answers too")
    add_judge_arguments(one)
    one.add_argument("--keep-disputed", action="store_true", help="count gold marked as wrong too")
    one.add_argument("--tables", type=Path, metavar="DIR", help="all tables: CSV, JSON, Markdown")
    one.add_argument("--workers", type=int, choices=(1, 2), default=2, help="processes that ask")
    one.add_argument("--job", type=int, help=argparse.SUPPRESS)  # set by the app for its child
    one.add_argument("--helper", action="store_true", help=argparse.SUPPRESS)
    one.set_defaults(workspace=None)


def evaluate_command(arguments: argparse.Namespace) -> int:
    """Run `memcore evaluate` and return its exit code."""
    if arguments.job:
        return _as_child(arguments)
    plain = _plan(arguments)
    server = judge_server(arguments)
    with _workspace(arguments):
        with opened(arguments) as db:
            plan = Plan(
                plain.systems,
                _dialogues(db, arguments),
                plain.questions,
                plain.settings,
                plain.budget,
                plain.reader,
            )
            number = evaluations.create(db, plan, time.time())
        state = jobs.evaluate(arguments.workspace, number, TOOLS, Bar().show, arguments.workers)
        with opened(arguments) as db:
            found = report.found(db, number)
        shown = found if arguments.keep_disputed else found.undisputed()
        judgement = judged(shown, server, arguments) if server else None
        with opened(arguments) as db:
            _write_runs(db, found, arguments, judgement)
    _print(shown, arguments, judgement)
    if judgement is not None and judgement.trouble:
        complain(f"{judgement.trouble} All the rest of the evaluation stands.")
        return REFUSED
    return DONE if state is State.DONE else REFUSED


def _as_child(arguments: argparse.Namespace) -> int:
    """Work on an evaluation that the app, or another worker, has planned."""
    path = arguments.workspace or Path("memcore.db")
    if arguments.helper:
        parent = os.getppid()
        jobs.help_evaluate(path, arguments.job, TOOLS, lambda: os.getppid() == parent)
        return DONE
    state = jobs.evaluate(path, arguments.job, TOOLS, silent, arguments.workers)
    return DONE if state is State.DONE else REFUSED


# ---------------------------------------------------------------- the plan


def _plan(arguments: argparse.Namespace) -> Plan:
    if not arguments.runs and not arguments.workspace:
        msg = "nothing would be left of the evaluation; give --runs DIR or --workspace FILE"
        raise MemcoreError(msg)
    _cutoffs(arguments)
    return Plan(
        _systems(arguments),
        (),
        _listed(arguments.questions),
        _settings(arguments.settings),
        _budget(arguments.budget),
        "extractive" if arguments.export == "answers" or arguments.judge else "",
    )


def _systems(arguments: argparse.Namespace) -> tuple[str, ...]:
    wanted = tuple(RETRIEVERS) if arguments.systems == "all" else _listed(arguments.systems)
    bases = _listed(arguments.ablations)
    names = dict.fromkeys((*wanted, *(n for base in bases for n in (base, *_ablations(base)))))
    for name in names:
        if ablations.variant(name).retriever not in (*RETRIEVERS, *KNOWN):
            msg = f"{name} is no system; expected some of {', '.join(RETRIEVERS)}"
            raise MemcoreError(msg)
    return tuple(names)


def _ablations(base: str) -> tuple[str, ...]:
    found = ablations.names(base)
    if not found:
        msg = f"{base} has no ablations; expected some of {', '.join(ablations.ABLATIONS)}"
        raise MemcoreError(msg)
    return found


def _listed(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w.strip() for w in words.split(",") if w.strip()))


def _budget(tokens: int | None) -> int | None:
    if tokens is not None and not LEAST_BUDGET <= tokens <= MOST_BUDGET:
        msg = f"--budget {tokens}: expected {LEAST_BUDGET} to {MOST_BUDGET} tokens"
        raise MemcoreError(msg)
    return tokens


def _settings(path: Path | None) -> str:
    if path is None:
        return "{}"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        msg = f"{path.name}: no JSON; expected an object of changed settings"
        raise MemcoreError(msg) from error
    if not isinstance(found, dict):
        msg = f"{path.name}: expected an object of changed settings"
        raise MemcoreError(msg)
    return json.dumps(found, sort_keys=True)


def _cutoffs(arguments: argparse.Namespace) -> tuple[int, ...]:
    words = _listed(arguments.k)
    if not words or not all(w.isascii() and w.isdecimal() and 0 < int(w) < 10**6 for w in words):
        msg = f"--k {arguments.k}: expected whole numbers from 1, by comma"
        raise MemcoreError(msg)
    return tuple(int(w) for w in words)


def _dialogues(db: Database, arguments: argparse.Namespace) -> tuple[int, ...]:
    """Import what is given; without files, take the dialogues of the workspace with questions."""
    if not arguments.files:
        found = tuple(d.id for d in conversations.listing(db) if d.questions)
    else:
        result = read_files(arguments.files, Options(moment=now()))
        found = conversations.save(db, result, now()).dialogues
    asked = [q for d in found for q in conversations.questions(db, d)]
    if not any(q.evidence_turns or q.evidence_sessions for q in asked):
        msg = "no question with evidence here; give a questions file beside the dialogue"
        raise MemcoreError(msg)
    wanted = set(_listed(arguments.questions))
    lost = sorted(wanted - {q.id for q in asked})
    if lost:
        msg = f"there is no question {lost[0]!r}"
        raise MemcoreError(msg)
    return found


@contextmanager
def _workspace(arguments: argparse.Namespace) -> Iterator[None]:
    """Give the evaluation a workspace of its own if none is named."""
    if arguments.workspace is not None:
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        arguments.workspace = Path(folder) / "evaluation.db"
        yield


# ---------------------------------------------------------------- what is left


def _write_runs(
    db: Database, found: Found, arguments: argparse.Namespace, judgement: Judgement | None
) -> None:
    if arguments.runs:
        arguments.runs.mkdir(parents=True, exist_ok=True)
        for system in found.systems:
            run = exports.run_file(db, found, system)
            _write(arguments.runs / f"{system}.json", json.dumps(run, ensure_ascii=False))
            if arguments.export == "answers":
                rows = exports.answers(found, system, judgement)
                text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
                _write(arguments.runs / f"{system}.answers.jsonl", text)
    if arguments.tables:
        arguments.tables.mkdir(parents=True, exist_ok=True)
        kept = found if arguments.keep_disputed else found.undisputed()
        ks = _cutoffs(arguments)
        _write(arguments.tables / "evaluation.json", exports.as_json(kept, ks))
        _write(arguments.tables / "evaluation.md", exports.markdown(kept, ks) + "\n")
        table = exports.tables(kept, ks).categories
        _write(arguments.tables / "evaluation.csv", exports.as_csv(table))
        _write(arguments.tables / "questions.csv", exports.questions_csv(kept))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _print(found: Found, arguments: argparse.Namespace, judgement: Judgement | None) -> None:
    ks = _cutoffs(arguments)
    if arguments.json:
        plain = codec.to_json(exports.tables(found, ks))
        more = {"judge": judged_json(judgement)} if judgement else {}
        print_json({**plain, **more} if isinstance(plain, dict) else plain)
        return
    for line in exports.markdown(found, ks).splitlines():
        say(line)
    for line in judged_lines(judgement) if judgement else ():
        say(line)
