"""`memcore build`: build the memories of a dialogue."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from sqlite_utils import Database

from memcore import jobs, pipeline
from memcore.chat import Server
from memcore.cli import servers
from memcore.cli.common import (
    DONE,
    REFUSED,
    Bar,
    complain,
    opened,
    print_json,
    say,
    silent,
)
from memcore.settings import PRESETS, Settings
from memcore.store import codec, conversations, extractions, memories
from memcore.store import jobs as job_rows
from memcore.store.jobs import State
from memcore.types import Estimate, Extraction


def build_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore build`."""
    one.add_argument("dialogue", metavar="DIALOGUE", help="number, name or key")
    kinds = (pipeline.EDGEMEM, pipeline.ARIADNEMEM, "both")
    one.add_argument("--memory", choices=kinds, default="both")
    one.add_argument("--preset", choices=list(PRESETS), default="safe")
    one.add_argument(
        "--extractor",
        choices=jobs.EXTRACTORS,
        default=jobs.LOCAL,
        help="who turns the talk into facts: this machine, or the model of MEMCORE_BASE_URL",
    )
    one.add_argument("--estimate", action="store_true", help="only say what the model would cost")
    one.add_argument("--job", type=int, help=argparse.SUPPRESS)  # set by the app for its child


def build_command(arguments: argparse.Namespace) -> int:
    """Run `memcore build` and return its exit code."""
    began = time.perf_counter()
    settings = PRESETS[arguments.preset]
    with opened(arguments, there=True) as db:
        dialogue = conversations.find(db, arguments.dialogue)
        asking = not arguments.job and arguments.extractor == jobs.MODEL
        if asking or arguments.estimate:
            cost = _estimate(db, dialogue, settings)
            if arguments.estimate:
                _print_estimate(arguments, cost)
                return DONE
        job = arguments.job or _job(db, dialogue, arguments, settings)
        extractor = job_rows.job(db, job).extractor
    server = servers.server() if extractor == jobs.MODEL else None
    show = silent if arguments.job else Bar().show
    state = jobs.work(arguments.workspace, job, time.time, show, server)
    seconds = round(time.perf_counter() - began, 3)
    with opened(arguments, there=True) as db:
        _print_end(db, dialogue, arguments, (state, seconds, extractor), server)
    return DONE if state is State.DONE else REFUSED


def _job(db: Database, dialogue: int, arguments: argparse.Namespace, settings: Settings) -> int:
    kinds = pipeline.BOTH if arguments.memory == "both" else (arguments.memory,)
    return job_rows.create(db, dialogue, kinds, settings, time.time(), arguments.extractor)


# ---------------------------------------------------------------- what a model costs


def _estimate(db: Database, dialogue: int, settings: Settings) -> tuple[Estimate, str]:
    """Return what asking will cost and the money in words; it is said on stderr."""
    server = servers.server()
    extractor = jobs.model_extractor(server)
    found = pipeline.estimate(db, dialogue, extractor, settings)
    money = servers.prices().shown(server.model if server else "", found.usage)
    words = (
        f"{found.calls} calls for {found.windows} windows, about {found.prompt_tokens:,} tokens "
        f"asked and {found.answer_tokens:,} answered" + (f", about {money}" if money else "")
    )
    complain(words)
    return found, money


def _print_estimate(arguments: argparse.Namespace, cost: tuple[Estimate, str]) -> None:
    found, money = cost
    if arguments.json:
        print_json({**_plain(found), "money": money or None})


def _plain(found: Estimate) -> dict[str, int]:
    return {
        "windows": found.windows,
        "calls": found.calls,
        "prompt_tokens": found.prompt_tokens,
        "answer_tokens": found.answer_tokens,
    }


def _print_end(
    db: Database,
    dialogue: int,
    arguments: argparse.Namespace,
    ended: tuple[State, float, str],
    server: Server | None,
) -> None:
    state, seconds, extractor = ended
    read: Sequence[Extraction] = ()
    if extractor == jobs.MODEL:
        read = extractions.of(db, dialogue, jobs.model_extractor(server).name)
    if arguments.json:
        found = {
            "dialogue": dialogue,
            "state": state,
            "seconds": seconds,
            "builds": [codec.to_json(b) for b in memories.listing(db, dialogue)],
        }
        if extractor == jobs.MODEL:
            found["extraction"] = _extraction(read, server)
        print_json(found)
    elif not arguments.job:
        say(f"dialogue {dialogue}: {state} in {seconds:.1f} s")
        _say_extraction(read, server)


def _extraction(read: Sequence[Extraction], server: Server | None) -> dict[str, object]:
    used = extractions.usage(read)
    model = server.model if server else ""
    return {
        "model": model,
        "windows": len(read),
        "calls": used.calls,
        "prompt_tokens": used.prompt_tokens,
        "answer_tokens": used.answer_tokens,
        "seconds": round(sum(e.seconds for e in read), 3),
        "money": servers.prices().shown(model, used) or None,
        "failed": [
            {"first": str(e.failed[0]), "last": str(e.failed[-1]), "why": e.trouble}
            for e in read
            if e.failed
        ],
    }


def _say_extraction(read: Sequence[Extraction], server: Server | None) -> None:
    if not read:
        return
    found = _extraction(read, server)
    money = f", {found['money']}" if found["money"] else ""
    say(
        f"model {found['model']}: {found['windows']} windows, {found['calls']} calls, "
        f"{found['prompt_tokens']} tokens asked, {found['answer_tokens']} answered, "
        f"{found['seconds']} s of calls{money}"
    )
    for window in (e for e in read if e.failed):
        say(f"failed: {window.failed[0]} to {window.failed[-1]}: {window.trouble}")
    if any(e.failed for e in read):
        say("build again to ask for the failed turns only")
