"""Fit the doubts of the premise check, and print the trade-off that leaves each dialogue out.

    python tests/benchmarks/bench_premise.py WORKSPACE [--terms]

takes the dialogues of a workspace with questions, some of which have no answer (LoCoMo's category
5). Both doubts are fitted on all dialogues but one and applied to that one; the curve is over all.
`--terms` fits the weights of the lexical terms anew too, leaving the same dialogue out, so that
nothing at all has seen the questions that it is scored on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from memcore.annotate.questions import analyse
from memcore.annotate.rules import RulesAnnotator
from memcore.evaluation.refusals import Judged, answerable, at_limit, best_limit, trade_off
from memcore.retrieval import premise
from memcore.retrieval.features import NAMES
from memcore.retrieval.premise import Evidence, Signals
from memcore.retrieval.weights import Example, fit
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.types import Memory, Query, Question

PENALTY = 1e-4
SHARES = (0.03, 0.05, 0.08, 0.10, 0.15, 0.20, 0.30)
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One question of a dialogue with what speaks against it."""

    dialogue: int
    question: Question
    query: Query
    signals: Signals


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A memory and its questions as they are read."""

    number: int
    memory: Memory
    asked: tuple[tuple[Question, Query], ...]


def dialogues(workspace: Path) -> tuple[Dialogue, ...]:
    """Return all dialogues with their questions."""
    annotator = RulesAnnotator()
    with open_workspace(workspace, read_only=True) as db:
        return tuple(
            Dialogue(
                row.id,
                memory := memories.load_memory(db, row.id, SAFE),
                tuple(
                    (q, analyse(q.text, q.asked_at.at, memory.conversation.speakers, annotator))
                    for q in conversations.questions(db, row.id)
                ),
            )
            for row in conversations.listing(db)
        )


def cases(
    found: Sequence[Dialogue], weights: Mapping[str, float] = premise.WEIGHTS
) -> tuple[Case, ...]:
    """Return every question with its signals, and print the processor time of one."""
    took: list[float] = []
    result: list[Case] = []
    for dialogue in found:
        evidence = Evidence(dialogue.memory, SAFE, weights)
        evidence.signals(dialogue.asked[0][1])
        for question, query in dialogue.asked:
            began = process_time()
            signals = evidence.signals(query)
            took.append(1000 * (process_time() - began))
            result.append(Case(dialogue.number, question, query, signals))
    took.sort()
    middle, late = took[len(took) // 2], took[len(took) * 95 // 100]
    sys.stdout.write(f"{len(took)} questions, {middle:.1f} ms each (p95 {late:.1f})\n")
    return tuple(result)


def _values(found: Sequence[Case]) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
    margin = np.array([(c.signals.margin or 0.0, c.signals.gap) for c in found])
    has_margin = np.array([c.signals.margin is not None for c in found], float)
    rarity = np.array([c.signals.rarity for c in found])
    has_thing = np.array([not c.signals.guess for c in found], float)
    wrong = np.array([not answerable(c.question) for c in found], float)
    return margin, has_margin, rarity, has_thing, wrong


def fitted(found: Sequence[Case]) -> Numbers:
    """Return weights and bias of both doubts: the likeliest, the chance of doubt being 1 - e^-sum."""
    margin, has_margin, rarity, has_thing, wrong = _values(found)

    def loss(w: Numbers) -> float:
        total = has_margin * np.logaddexp(0, margin @ w[:2] + w[2])
        total = np.maximum(total + has_thing * np.logaddexp(0, w[3] * rarity + w[4]), 1e-6)
        likely = np.where(wrong == 1, np.log(-np.expm1(-total)), -total)
        return float(-likely.mean() + PENALTY * (w[0] ** 2 + w[1] ** 2 + w[3] ** 2))

    best: Numbers = minimize(loss, np.array([1.0, 1.0, -1.0, 1.0, -2.0]), method="L-BFGS-B").x
    return best


def scores(found: Sequence[Case], w: Numbers) -> Numbers:
    """Return the sum of the doubts of each question."""
    margin, has_margin, rarity, has_thing, _ = _values(found)
    total: Numbers = has_margin * np.logaddexp(0, margin @ w[:2] + w[2])
    total += has_thing * np.logaddexp(0, w[3] * rarity + w[4])
    return total


def term_weights(found: Sequence[Dialogue]) -> Mapping[str, float]:
    """Return the weights of the lexical terms, fitted on these dialogues as `best-lexical`'s are."""
    weights = fit([e for dialogue in found for e in _examples(dialogue)])
    return {n: w for n, w in zip(NAMES, weights, strict=True) if n != "subject"}


def _examples(dialogue: Dialogue) -> Iterator[Example]:
    evidence = Evidence(dialogue.memory, SAFE)
    place = {turn.id: n for n, turn in enumerate(dialogue.memory.conversation.turns)}
    for question, query in dialogue.asked:
        if question.evidence_turns:
            gold = np.array([place[t] for t in question.evidence_turns])
            yield Example(evidence.terms(query), gold)


def left_out(found: Sequence[Dialogue], every: Sequence[Case], *, terms: bool) -> list[Judged]:
    """Return every question with the score that nothing fitted on its own dialogue gives."""
    judged: list[Judged] = []
    for out in found:
        rest = [d for d in found if d is not out]
        cut = cases(found, term_weights(rest)) if terms else every
        w = fitted([c for c in cut if c.dialogue != out.number])
        sys.stdout.write(f"without {out.number}: {np.round(w, 3).tolist()}\n")
        mine = [c for c in cut if c.dialogue == out.number]
        judged += [
            Judged(float(s), answerable(c.question))
            for c, s in zip(mine, scores(mine, w), strict=True)
        ]
    return judged


def main() -> None:
    """Print the fit of all dialogues and the curve that leaves each out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--terms", action="store_true")
    arguments = parser.parse_args()
    found = dialogues(arguments.workspace)
    every = cases(found)
    w = fitted(every)
    sys.stdout.write(
        f"all: weights and bias of other_speaker, untold_thing {np.round(w, 3).tolist()}\n"
    )
    judged = left_out(found, every, terms=arguments.terms)
    sys.stdout.write("| wrongly refused at most | limit | refused | wrongly refused |\n")
    sys.stdout.write("| ---: | ---: | ---: | ---: |\n")
    for share in SHARES:
        best = best_limit(trade_off(judged), share)
        if best and best.refused is not None and best.wrongly_refused is not None:
            sys.stdout.write(
                f"| {100 * share:.0f} % | {best.limit:.3f} | {100 * best.refused:.1f} % "
                f"| {100 * best.wrongly_refused:.1f} % |\n"
            )
    fixed = at_limit(judged, SAFE.premise_limit)
    sys.stdout.write(f"at the default limit: {fixed}\n")


if __name__ == "__main__":
    main()
