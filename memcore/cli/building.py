"""`memcore build`: build the memories of a dialogue."""

from __future__ import annotations

import argparse
import time

from memcore import jobs, pipeline
from memcore.cli.common import DONE, REFUSED, Bar, opened, print_json, say, silent
from memcore.settings import PRESETS
from memcore.store import codec, conversations, memories
from memcore.store import jobs as job_rows
from memcore.store.jobs import State


def build_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore build`."""
    one.add_argument("dialogue", metavar="DIALOGUE", help="number, name or key")
    kinds = (pipeline.EDGEMEM, pipeline.ARIADNEMEM, "both")
    one.add_argument("--memory", choices=kinds, default="both")
    one.add_argument("--preset", choices=list(PRESETS), default="safe")
    one.add_argument("--job", type=int, help=argparse.SUPPRESS)  # set by the app for its child


def build_command(arguments: argparse.Namespace) -> int:
    """Run `memcore build` and return its exit code."""
    began = time.perf_counter()
    kinds = pipeline.BOTH if arguments.memory == "both" else (arguments.memory,)
    settings = PRESETS[arguments.preset]
    with opened(arguments, there=True) as db:
        dialogue = conversations.find(db, arguments.dialogue)
        job = arguments.job or job_rows.create(db, dialogue, kinds, settings, time.time())
    show = silent if arguments.job else Bar().show
    state = jobs.work(arguments.workspace, job, time.time, show)
    with opened(arguments, there=True) as db:
        built = memories.listing(db, dialogue)
    seconds = round(time.perf_counter() - began, 3)
    if arguments.json:
        shown = [codec.to_json(b) for b in built]
        print_json({"dialogue": dialogue, "state": state, "seconds": seconds, "builds": shown})
    elif not arguments.job:
        say(f"dialogue {dialogue}: {state} in {seconds:.1f} s")
    return DONE if state is State.DONE else REFUSED
