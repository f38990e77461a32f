"""`memcore fit`: find the weights of `best` and `best-lexical` anew, and what each term is worth.

With `--reader` those of the local reader's guesses, and the F1 that they give.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import astuple
from typing import Final

from memcore import pipeline
from memcore.cli import reading
from memcore.cli.common import DONE, opened, print_json, say
from memcore.errors import MemcoreError
from memcore.retrieval.fitted import BEST, LEXICAL, Weights
from memcore.retrieval.fitting import Figures, Fold, Worth, fitted, fold, left_out, worths
from memcore.settings import SAFE
from memcore.store import conversations, memories

SUMS: Final = {"best": BEST, "best-lexical": LEXICAL}
"""The sums that can be fitted, with the weights that they have."""


def fit_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore fit`."""
    one.add_argument("--system", choices=tuple(SUMS), default="best")
    one.add_argument("--reader", action="store_true", help="the weights of the local reader")
    one.add_argument("--worth", action="store_true", help="leave out each term in turn: minutes")


def fit_command(arguments: argparse.Namespace) -> int:
    """Run `memcore fit` and return its exit code: the workspace's built dialogues are the folds."""
    if arguments.reader:
        return reading.fit_reader(arguments)
    shipped = SUMS[arguments.system]
    folds = _folds(arguments, shipped)
    weights = fitted(folds, shipped.names)
    every = range(len(weights.names))
    rows = tuple(worths(folds, weights.names)) if arguments.worth else ()
    rows = rows or (Worth("", left_out(folds, every)),)
    if arguments.json:
        print_json((weights, rows))
        return DONE
    _print(weights, rows)
    return DONE


def _folds(arguments: argparse.Namespace, weights: Weights) -> tuple[Fold, ...]:
    found = []
    with opened(arguments, there=True) as db:
        for row in conversations.listing(db):
            questions = conversations.questions(db, row.id)
            memory = memories.load_memory(db, row.id, SAFE)
            if not any(q.evidence_turns for q in questions):
                continue
            if not pipeline.is_built(memory, arguments.system):
                msg = f"{row.name} is not built for {arguments.system}; run: memcore build {row.id}"
                raise MemcoreError(msg)
            parts = pipeline.offline_parts(pipeline.language_spoken(memory.conversation))
            found.append(fold(memory, questions, SAFE, parts, weights))
    if len(found) < 2:
        msg = "fitting leaves one dialogue out; expected two or more with questions and evidence"
        raise MemcoreError(msg)
    return tuple(found)


def _print(weights: Weights, rows: Sequence[Worth]) -> None:
    say("| term | weight |")
    say("| --- | ---: |")
    for name, value in zip(weights.names, weights.values, strict=True):
        say(f"| {name} | {value:.3f} |")
    say("")
    say("| without | R@5 | R@10 | MRR | in 1,000 tokens | multi-hop R@10 |")
    say("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        say(f"| {row.term or '(all terms)'} | {_shown(row.figures)} |")


def _shown(figures: Figures) -> str:
    return " | ".join("–" if math.isnan(v) else f"{v:.1f}" for v in astuple(figures))
