"""What all commands share: exit codes, the workspace, the clock, and how a line is said."""

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store import codec
from memcore.store.schema import open_workspace
from memcore.types import Progress

DONE, REFUSED, USAGE, PARTIAL = 0, 1, 2, 3

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `memcore`: its help, its arguments, and what it does (to an exit code)."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class Bar:
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


def silent(_: Progress) -> None:
    """Show nothing."""


def opened(
    arguments: argparse.Namespace, *, there: bool = False
) -> AbstractContextManager[Database]:
    """Open the workspace; `there` refuses to make one, since an empty one cannot answer."""
    path: Path = arguments.workspace
    if there and not path.is_file():
        msg = f"{path.name}: there is no such workspace here; run: memcore import FILE"
        raise StoreError(msg)
    return open_workspace(path, new_id=secrets.token_hex(8))


def session_number(text: str) -> int:
    """Return a session from an argument."""
    return _from_one(text, "session")


def session_or_day(text: str) -> int | date:
    """Return a session or a day from an argument."""
    if _DAY.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    try:
        return session_number(text)
    except argparse.ArgumentTypeError:
        msg = f"{text[:20]!r} is neither session nor day; expected a number from 1 or YYYY-MM-DD"
        raise argparse.ArgumentTypeError(msg) from None


def run_number(text: str) -> int:
    """Return a run from an argument."""
    return _from_one(text, "run")


def _from_one(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):
        msg = f"{text[:20]!r} is no {what}; expected a number from 1"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def now() -> datetime:
    """Return the time of now, in UTC."""
    return datetime.now(UTC)


def milliseconds() -> float:
    """Return a running count of milliseconds."""
    return time.perf_counter() * 1000


def print_json(value: object) -> None:
    """Print a value as JSON."""
    plain = value if isinstance(value, dict) else codec.to_json(value)
    print(json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False))


def say(line: str) -> None:
    """Print one line of an answer; a file or a pipe gets it as it is."""
    print(shown(line) if sys.stdout.isatty() else line)


def complain(line: str) -> None:
    """Print one line of trouble on stderr."""
    print(f"memcore: {shown(line)}", file=sys.stderr)


def shown(line: str) -> str:
    r"""Return a line with marks in place of what would steer a terminal; its breaks stay.

    >>> shown("a\x1b[31mb\n\tc\x9b")
    'a\ufffd[31mb\n\tc\ufffd'
    """
    return _STEERING.sub("\ufffd", line)
