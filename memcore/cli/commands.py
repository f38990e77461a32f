"""The table of commands, and what reads a line of arguments and runs one of them."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import memcore
from memcore.cli import asking, benching, building, evaluating, fitting, importing, opening, showing
from memcore.cli.common import DONE, PARTIAL, REFUSED, Command, complain
from memcore.errors import MemcoreError, TranscriptError

COMMANDS: Final[Mapping[str, Command]] = {
    "import": Command(
        "read transcripts into the workspace", importing.import_arguments, importing.import_command
    ),
    "build": Command(
        "build the memories of a dialogue", building.build_arguments, building.build_command
    ),
    "ask": Command("ask a dialogue a question", asking.ask_arguments, asking.ask_command),
    "trace": Command("show what happened in a run", showing.trace_arguments, showing.trace_command),
    "export": Command(
        "write a run or a dialogue as a file", showing.export_arguments, showing.export_command
    ),
    "evaluate": Command(
        "compare retrievers on questions",
        evaluating.evaluate_arguments,
        evaluating.evaluate_command,
    ),
    "fit": Command(
        "find the weights of best and best-lexical anew", fitting.fit_arguments, fitting.fit_command
    ),
    "bench": Command(
        "measure how fast questions and builds are",
        benching.bench_arguments,
        benching.bench_command,
    ),
    "app": Command("open the app in the browser", opening.app_arguments, opening.app_command),
}
"""The table of commands; a new one is a row here."""


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
    complain(said)
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
