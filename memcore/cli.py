"""The command line: the same acts as the pages, on the same functions.

This is an edge: only here and in the app are the clock and the environment read. Answers go to
stdout, progress and troubles to stderr. Exit codes: 0 done, 1 refused with a sentence, 2 wrong
usage, 3 only a part of a file could be read and that was not agreed to.
argparse was taken over click and typer: no dependency, and the tests call `main` as a shell does.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlite_utils import Database

import memcore
from memcore import jobs, pipeline
from memcore.chat import Chat, Server
from memcore.errors import MemcoreError, ServerError, StoreError, TranscriptError
from memcore.evaluation.run import SystemRun, lines, run_file, table
from memcore.evaluation.systems import Plan, evaluate
from memcore.exports import csv as csv_export
from memcore.exports import graphml
from memcore.exports import json as json_export
from memcore.exports.hif import hif
from memcore.exports.packet import packet
from memcore.exports.regression import regression
from memcore.readers.openai_compatible import ModelReader
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts, Reader
from memcore.settings import PRESETS
from memcore.store import codec, conversations, memories, runs
from memcore.store import jobs as job_rows
from memcore.store.again import Changed
from memcore.store.jobs import State
from memcore.store.records import Records, RunMeta
from memcore.store.schema import open_workspace
from memcore.transcripts import own
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import MARK, read_all
from memcore.transcripts.read import read, require_whole
from memcore.transcripts.sources import Source, from_path
from memcore.types import Count, ImportReport, Memory, Progress, ReadResult, Reply, Trace

DONE, REFUSED, USAGE, PARTIAL = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `memcore`: its help, its arguments, and what it does (to an exit code)."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every refusal is one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    arguments = parser().parse_args(argv)
    try:
        return COMMANDS[arguments.command].run(arguments)
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (MemcoreError, KeyboardInterrupt, OSError) as error:
        return _refused(error)


def _refused(error: BaseException) -> int:
    """Say one sentence on stderr, and return the exit code."""
    said = str(error)
    if isinstance(error, KeyboardInterrupt):
        said = "stopped; what was finished is stored"
    elif isinstance(error, OSError):
        name = Path(str(error.filename)).name if error.filename else "a file"
        said = f"{name}: {(error.strerror or 'cannot be used').lower()}; choose another place"
    _complain(said)
    partial = isinstance(error, TranscriptError) and error.kind == "partial_refused"
    return PARTIAL if partial else REFUSED


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, from the table of commands."""
    whole = argparse.ArgumentParser(prog="memcore", description=str(memcore.__doc__).split("\n")[0])
    whole.add_argument("--version", action="version", version=f"memcore {memcore.__version__}")
    words = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        one = words.add_parser(name, help=command.help, description=command.help)
        one.add_argument(
            "--workspace",
            type=Path,
            default=Path("memcore.db"),
            metavar="FILE",
            help="the workspace (default: memcore.db in this folder)",
        )
        one.add_argument("--json", action="store_true", help="print JSON")
        command.arguments(one)
    return whole


# ---------------------------------------------------------------- import


def _import_arguments(one: argparse.ArgumentParser) -> None:
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


def _import(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    options = Options(
        format=arguments.format,
        session=arguments.session,
        date_order=arguments.date_order,
        timezone=arguments.timezone,
        encoding=arguments.encoding,
        owner=arguments.owner,
        allow_partial=arguments.allow_partial,
        moment=_now(),
    )
    result = _read(arguments.files, options)
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


def _read(files: Sequence[Path], options: Options) -> ReadResult:
    """Return what the files hold; own questions among them are laid to their dialogues."""
    sources = [_source(path) for path in files]
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
        with _opened(arguments) as db:
            saved = conversations.save(db, result, _now(), arguments.changed)
            return saved.report, saved.dialogues
    if not arguments.workspace.exists():
        return result.report, ()
    with _opened(arguments) as db:
        return conversations.preview(db, result, _now(), arguments.changed), ()


def _print_report(
    arguments: argparse.Namespace, report: ImportReport, dialogues: tuple[int, ...] = ()
) -> None:
    if arguments.json:
        _print_json(report)
        return
    d, again = report.detection, report.again
    _say(f"format: {report.format} ({d.evidence})")
    _say(f"{report.conversations} dialogues, {report.sessions} sessions, {report.turns} turns")
    people = ", ".join(f"{p.label} {p.turns}" for p in report.persons[:12])
    _say(f"speakers: {people}")
    _say(f"skipped: {_counted(report.skipped)}")
    if report.gold.questions:
        _say(f"questions: {report.gold.questions}, {report.gold.with_evidence} with evidence")
    if again.unchanged or again.appended or again.changed or again.missing:
        _say(
            f"known before: {again.unchanged} turns unchanged, {again.appended} appended, "
            f"{again.changed} changed, {again.missing} missing in the file"
        )
    for warning in report.warnings:
        _say(f"note: {warning.sentence or f'{warning.name}: {warning.n}'}")
    if dialogues:
        _say(f"stored as dialogue {', '.join(map(str, dialogues))}")
    else:
        _say("nothing was stored")


def _counted(counts: Iterable[Count]) -> str:
    return ", ".join(f"{c.n} {c.name}" for c in counts) or "nothing"


# ---------------------------------------------------------------- build


def _build_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("dialogue", metavar="DIALOGUE", help="number, name or key")
    kinds = (pipeline.EDGEMEM, pipeline.ARIADNEMEM, "both")
    one.add_argument("--memory", choices=kinds, default="both")
    one.add_argument("--preset", choices=list(PRESETS), default="safe")
    one.add_argument("--job", type=int, help=argparse.SUPPRESS)  # set by the app for its child


def _build(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    kinds = pipeline.BOTH if arguments.memory == "both" else (arguments.memory,)
    settings = PRESETS[arguments.preset]
    with _opened(arguments, there=True) as db:
        dialogue = conversations.find(db, arguments.dialogue)
        job = arguments.job or job_rows.create(db, dialogue, kinds, settings, time.time())
    show = _silent if arguments.job else _Bar().show
    state = jobs.work(arguments.workspace, job, time.time, show)
    with _opened(arguments, there=True) as db:
        built = memories.listing(db, dialogue)
    seconds = round(time.perf_counter() - began, 3)
    if arguments.json:
        shown = [codec.to_json(b) for b in built]
        _print_json({"dialogue": dialogue, "state": state, "seconds": seconds, "builds": shown})
    elif not arguments.job:
        _say(f"dialogue {dialogue}: {state} in {seconds:.1f} s")
    return DONE if state is State.DONE else REFUSED


class _Bar:
    """Progress on stderr: one line a phase, rewritten in place on a terminal."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._phase = ""

    def show(self, progress: Progress) -> None:
        """Write how far the build is."""
        ends = progress.done == progress.total
        if self._live or ends or progress.phase != self._phase:
            mark = "\n" if ends or not self._live else "\r"
            line = f"{progress.phase}: {progress.done} of {progress.total}"
            print(line, end=mark, file=sys.stderr, flush=True)
        self._phase = progress.phase


def _silent(_: Progress) -> None:
    """Show nothing."""


# ---------------------------------------------------------------- ask


def _ask_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("dialogue", metavar="DIALOGUE", help="number, name or key")
    one.add_argument("question", metavar="QUESTION")
    one.add_argument("--system", choices=list(RETRIEVERS), default=pipeline.EDGEMEM)
    one.add_argument("--as-of", type=_session, metavar="N", help="know only sessions 1 to N")
    one.add_argument("--retrieve-only", action="store_true", help="ask no reader")
    one.add_argument("--again", action="store_true", help="run anew what was asked before")


def _ask(arguments: argparse.Namespace) -> int:
    question = arguments.question.encode("utf-8", "replace").decode()
    with _opened(arguments, there=True) as db:
        dialogue = conversations.find(db, arguments.dialogue)
        settings = pipeline.settings_of(arguments.system)
        memory = memories.load_memory(db, dialogue, settings)
        if not pipeline.is_built(memory, arguments.system):
            msg = (
                f"{memory.conversation.name} has no memory for {arguments.system} yet; "
                f"run: memcore build {dialogue}"
            )
            raise StoreError(msg)
        parts = pipeline.offline_parts(pipeline.language_spoken(memory.conversation))
        reader = None if arguments.retrieve_only else _reader(parts)
        retriever = RETRIEVERS[arguments.system](memory, settings, parts)
        known = {q.text: q.asked_at.at for q in conversations.questions(db, dialogue)}
        asked = (known.get(question), arguments.as_of)
        name = pipeline.run_fingerprint(memory, question, retriever, reader, asked)
        run = None if arguments.again else runs.asked_before(db, dialogue, name)
        if run is None:
            stages = pipeline.ask(memory, question, retriever, reader, *asked, _milliseconds)
            reply = _last(stages)
            meta = RunMeta(memory=memory.fingerprint, code=memcore.__version__, created_at=_now())
            run = runs.save_run(db, dialogue, reply, meta)
        reply = runs.load_run(db, run)
    _print_reply(arguments, run, reply)
    return DONE


def _last(stages: Iterable[Trace | Reply]) -> Reply:
    """Run a question to its end and return the reply; a reader that failed is an error here."""
    *_, reply = stages
    if not isinstance(reply, Reply):
        msg = "the retriever ended without a reply"
        raise MemcoreError(msg)
    if reply.trouble:
        msg = f"{reply.trouble} Nothing was stored; --retrieve-only asks no model."
        raise ServerError(msg)
    return reply


def _reader(parts: Parts) -> Reader:
    """Return the reader of the model server that the environment names, else the local one."""
    url, model = os.environ.get("MEMCORE_BASE_URL", ""), os.environ.get("MEMCORE_MODEL", "")
    if not url:
        return parts.reader
    if not model:
        msg = "MEMCORE_BASE_URL is set but MEMCORE_MODEL is not; name the model to ask"
        raise ServerError(msg)
    return ModelReader(Chat(Server(url, model, os.environ.get("MEMCORE_API_KEY", ""))))


def _print_reply(arguments: argparse.Namespace, run: int, reply: Reply) -> None:
    answer = reply.answer
    sources = {span.item: span.sources for span in reply.context.spans}
    cited = dict.fromkeys(
        turn for item in (answer.citations if answer else ()) for turn in sources.get(item, ())
    )
    if arguments.json:
        _print_json(
            {
                "run": run,
                "system": reply.trace.retriever,
                "answer": answer.text if answer else None,
                "refused": answer.refused if answer else False,
                "citations": [str(turn) for turn in cited],
                "context": reply.context.text,
                "tokens": reply.context.tokens,
                "beats": [
                    {"beat": b.beat, "in": b.came, "out": b.went, "ms": b.ms}
                    for b in pipeline.beats(reply)
                ],
            }
        )
        return
    _say(answer.text if answer else reply.context.text)
    if cited:
        _say(f"cites {', '.join(map(str, cited))}")
    for warning in reply.warnings:
        _say(f"note: {warning.value.replace('_', ' ')}")
    _say(f"run {run}: {reply.trace.retriever}, {reply.context.tokens} tokens")


# ---------------------------------------------------------------- trace, export


def _trace_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("run", metavar="RUN", type=_run)


def _trace(arguments: argparse.Namespace) -> int:
    with _opened(arguments, there=True) as db:
        records = runs.load_records(db, arguments.run)
        counts = runs.counts(db, arguments.run)
    if arguments.json:
        _print_json(records)
        return DONE
    run = records.run
    _say(f"run {run.id}: {run.question}")
    _say(f"{run.retriever}, preset {run.preset}, {run.outcome}, fingerprint {run.fingerprint}")
    for c in counts:
        numbers = f"{c.given} given + {c.entered} entered = {c.kept} kept + {c.dropped} dropped"
        _say(f"{c.beat.value} {c.name}: {numbers if c.used else 'not used'}")
    for event in records.event:
        if event.final:
            _say(f"{event.item}: {event.reason or event.kind}{_margin(event.value, event.limit)}")
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


def _export_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("run", metavar="RUN", type=_run, nargs="?")
    one.add_argument("--dialogue", metavar="D", help="export a dialogue instead of a run")
    one.add_argument("--to", required=True, choices=(*TEXTS, *GRAPHS, "test", "sqlite", "memcore"))
    one.add_argument("--output", type=Path, metavar="FILE", help="default: the terminal")


def _export(arguments: argparse.Namespace) -> int:
    whole = arguments.to == "memcore"
    if whole != bool(arguments.dialogue) or whole == (arguments.run is not None):
        _complain("export takes a RUN, or --dialogue D with --to memcore")
        return USAGE
    with _opened(arguments, there=True) as db:
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
    _say(str(path))
    return DONE


# ---------------------------------------------------------------- app


def _app_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("--sample", action="store_true", help="load, build and open the sample")
    one.add_argument("--port", type=int, default=8501)


def _app(arguments: argparse.Namespace) -> int:
    root = Path(memcore.__file__).resolve().parent
    places = (root.parent / "app.py", root / "app" / "app.py")  # the repository, or the wheel
    script = next((place for place in places if place.is_file()), None)
    if script is None:
        msg = "this installation holds no app.py; install memcore again"
        raise MemcoreError(msg)
    server = ("--server.address", "127.0.0.1", "--server.port", str(arguments.port))
    quiet = ("--browser.gatherUsageStats", "false")
    rest = ["--", "--workspace", str(arguments.workspace)]
    rest += ["--sample"] if arguments.sample else []
    command = [sys.executable, "-m", "streamlit", "run", str(script), *server, *quiet, *rest]
    return subprocess.run(command, check=False).returncode


# ---------------------------------------------------------------- evaluate


def _evaluate_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("files", nargs="+", type=Path, metavar="FILE", help="dialogues and questions")
    one.add_argument("--systems", default="edgemem,bm25", help=f"of {', '.join(RETRIEVERS)}")
    one.add_argument("--runs", type=Path, required=True, metavar="DIR", help="one file a system")
    one.add_argument("--k", default="5,10,25,50", help="cut-offs of recall")
    one.add_argument("--questions", default="", metavar="IDS", help="only these, by comma")
    one.set_defaults(workspace=None)


def _evaluate(arguments: argparse.Namespace) -> int:
    systems = tuple(name for name in arguments.systems.split(",") if name)
    unknown = [name for name in systems if name not in RETRIEVERS]
    if unknown:
        msg = f"{unknown[0]} is no system; expected some of {', '.join(RETRIEVERS)}"
        raise MemcoreError(msg)
    ks = tuple(int(k) for k in arguments.k.split(",") if k.isdecimal()) or (5, 10, 25, 50)
    asked = frozenset(q for q in arguments.questions.split(",") if q)
    with tempfile.TemporaryDirectory() as folder:
        arguments.workspace = arguments.workspace or Path(folder) / "evaluation.db"
        with _opened(arguments) as db:
            result = _read(arguments.files, Options(moment=_now()))
            if not any(q.evidence_turns for q in result.questions):
                msg = "no question with evidence here; give a questions file beside the dialogue"
                raise MemcoreError(msg)
            saved = conversations.save(db, result, _now())
            plan = Plan(systems, saved.dialogues, asked)
            rows = [r for run in _runs(db, plan, arguments.runs) for r in table(run, ks)]
    if arguments.json:
        _print_json([codec.to_json(row) for row in rows])
    else:
        for line in lines(rows):
            _say(line)
    return DONE


def _runs(db: Database, plan: Plan, folder: Path) -> Iterator[SystemRun]:
    """Yield each system's run once its file is written; progress goes to stderr."""
    folder.mkdir(parents=True, exist_ok=True)
    talks = tuple(conversations.load(db, number) for number in plan.dialogues)
    bar = _Bar()
    for found in evaluate(db, plan, lambda: time.perf_counter() * 1000):
        if isinstance(found, Progress):
            bar.show(found)
            continue
        text = json.dumps(run_file(found, talks), ensure_ascii=False)
        (folder / f"{found.name}.json").write_text(text, encoding="utf-8")
        yield found


# ---------------------------------------------------------------- shared


COMMANDS: Final[Mapping[str, Command]] = {
    "import": Command("read transcripts into the workspace", _import_arguments, _import),
    "build": Command("build the memories of a dialogue", _build_arguments, _build),
    "ask": Command("ask a dialogue a question", _ask_arguments, _ask),
    "trace": Command("show what happened in a run", _trace_arguments, _trace),
    "export": Command("write a run or a dialogue as a file", _export_arguments, _export),
    "evaluate": Command("compare retrievers on questions", _evaluate_arguments, _evaluate),
    "app": Command("open the app in the browser", _app_arguments, _app),
}
"""The table of commands; a new one is a row here."""


def _opened(
    arguments: argparse.Namespace, *, there: bool = False
) -> AbstractContextManager[Database]:
    """Open the workspace; `there` refuses to make one, since an empty one cannot answer."""
    path: Path = arguments.workspace
    if there and not path.is_file():
        msg = f"{path.name}: there is no such workspace here; run: memcore import FILE"
        raise StoreError(msg)
    return open_workspace(path, new_id=secrets.token_hex(8))


def _session(text: str) -> int:
    return _from_one(text, "session")


def _run(text: str) -> int:
    return _from_one(text, "run")


def _from_one(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):
        msg = f"{text[:20]!r} is no {what}; expected a number from 1"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _now() -> datetime:
    return datetime.now(UTC)


def _milliseconds() -> float:
    return time.perf_counter() * 1000


def _print_json(value: object) -> None:
    plain = value if isinstance(value, dict) else codec.to_json(value)
    print(json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False))


def _say(line: str) -> None:
    print(line)


def _complain(line: str) -> None:
    print(f"memcore: {line}", file=sys.stderr)
