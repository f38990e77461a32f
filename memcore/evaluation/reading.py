"""Fit the guesses of the local reader to questions with known answers, and tell what they give.

Each question is read twice: in the packet of a retriever, and with its gold evidence alone. All
stretches of a packet compete in a softmax; its target is their F1 cubed, so that a stretch that
says half of the answer counts an eighth of one that says it all. The weights are held near zero by
a square penalty; the loss has one minimum, and nothing is drawn at random.
Turned down, each a dialogue left out: the stretches with the highest F1 alone as target (1.4 points
less at penalty 1, 0.3 at 3), the expected F1 itself (2.4 less at penalty 1), features
of list questions apart from those of others, and for lists the F1 of the best single item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import fsum
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from memcore.annotate.languages import CHINESE
from memcore.context import pack
from memcore.evaluation.answers import official_f1, set_f1
from memcore.evaluation.asking import ADVERSARIAL
from memcore.pipeline import ask
from memcore.readers.extractive import ExtractiveReader, Weighed
from memcore.readers.guesses import Option, Options, options
from memcore.readers.refusals import refused
from memcore.readers.short import guessed, short
from memcore.retrieval.loop import Retriever
from memcore.types import Candidate, Context, Question, Reply

PENALTY: Final = 3.0
"""Of the squares of the weights, as a share of one question; 6 gives a point less."""
LEAST: Final = 20
"""A feature is fitted if it was met in so many packets; 8 gives the same, 40 and 80 less."""
_STEPS: Final = 500
_ENOUGH: Final = 1e-9

Weights = Mapping[str, float]
Matrix = NDArray[np.float64]


class Packet(StrEnum):
    """What a question was read in."""

    FOUND = "found"
    GOLD = "gold evidence"


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a dialogue in one packet: its sentences weighed, their stretches, if guessed."""

    dialogue: int
    question: Question
    packet: Packet
    weighed: Weighed
    options: Options | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The mean F1 of the answers to the questions of a category; an empty one stands for all."""

    packet: Packet
    category: str
    n: int
    official: float
    as_set: float


def cases(
    dialogue: int, retriever: Retriever, reader: ExtractiveReader, asked: Sequence[Question]
) -> Iterator[Case]:
    """Yield each answerable question of a dialogue in both packets."""
    for question in asked:
        if not is_answerable(question):
            continue
        for packet, context in _contexts(retriever, question):
            weighed = reader.weigh(question.text, context)
            yield Case(dialogue, question, packet, weighed, _options(weighed))


def _options(weighed: Weighed) -> Options | None:
    """Return the stretches of a packet that answers by a guess, None of any other."""
    wish = weighed.wish
    if not weighed.found or wish.query.language == CHINESE or not guessed(wish):
        return None
    return options(wish, weighed.found)


def is_answerable(question: Question) -> bool:
    """Whether an answer of words is expected."""
    expected = bool(question.answer) and not question.abstain
    return expected and question.category_code != ADVERSARIAL


def _contexts(retriever: Retriever, question: Question) -> Iterator[tuple[Packet, Context]]:
    *_, reply = ask(retriever.memory, question.text, retriever, None, question.asked_at.at)
    if not isinstance(reply, Reply):  # pragma: no cover - the last one always is
        raise TypeError
    yield Packet.FOUND, reply.context
    if question.evidence_turns:
        gold = tuple(Candidate(turn, 0.0) for turn in question.evidence_turns)
        *steps, last = reply.trace.steps
        trace = replace(reply.trace, steps=(*steps, replace(last, kept=gold, paths=())))
        yield Packet.GOLD, pack(retriever.memory, trace)


# ---------------------------------------------------------------- fit


@dataclass(frozen=True, slots=True, eq=False)
class _Examples:
    """All packets side by side: a row a stretch; `holds` tells which features each packet has."""

    names: tuple[str, ...]
    rows: tuple[sparse.csr_matrix, ...]
    targets: tuple[Matrix, ...]
    holds: NDArray[np.bool_]
    dialogues: tuple[int, ...]

    def without(self, dialogue: int | None) -> list[int]:
        """Return the places of the packets of all other dialogues."""
        return [n for n, one in enumerate(self.dialogues) if one != dialogue]


def fitted(found: Sequence[Case], least: int = LEAST) -> Weights:
    """Return the weights of all dialogues together, by name."""
    return _fitted(_examples(found), None, least)


def left_out(found: Sequence[Case], least: int = LEAST) -> tuple[Score, ...]:
    """Return the figures of each dialogue read with the weights of the others."""
    examples = _examples(found)
    weights = {d: _fitted(examples, d, least) for d in sorted({c.dialogue for c in found})}
    return _scores([(c, _text(c, weights[c.dialogue])) for c in found])


def read(found: Sequence[Case], weights: Weights) -> tuple[Score, ...]:
    """Return the figures of all dialogues read with some weights."""
    return _scores([(c, _text(c, weights)) for c in found])


def _text(case: Case, weights: Weights) -> str:
    weighed = case.weighed
    if weighed.refused:
        return refused(weighed.wish.query.language, "").text
    return short(weighed.wish, weighed.found, weights, case.options).text


def _examples(found: Sequence[Case]) -> _Examples:
    """Return the packets that guesses answer from and in which some stretch has an F1."""
    kept: list[tuple[int, tuple[Option, ...], Matrix]] = []
    for case in found:
        given = case.options.given if case.options else ()
        worth = np.array([_worth(o.text, case.question) for o in given]) ** 3
        if worth.sum() > 0:
            kept.append((case.dialogue, given, worth / worth.sum()))
    names = tuple(sorted({name for _, given, _ in kept for o in given for name, _ in o.features}))
    rows = tuple(_matrix(given, names) for _, given, _ in kept)
    holds = np.array([row.getnnz(axis=0) > 0 for row in rows]).reshape(len(rows), len(names))
    return _Examples(
        names, rows, tuple(target for *_, target in kept), holds, tuple(d for d, *_ in kept)
    )


def _worth(text: str, question: Question) -> float:
    return fsum(_f1(text, question)) / 2


def _f1(text: str, question: Question) -> tuple[float, float]:
    official = official_f1(text, question.answer, question.category_code)
    return official, set_f1(text, question.answer)


def _matrix(given: Sequence[Option], names: Sequence[str]) -> sparse.csr_matrix:
    place = {name: n for n, name in enumerate(names)}
    cells = [(n, place[f], v) for n, o in enumerate(given) for f, v in o.features if v]
    rows, columns, values = zip(*cells, strict=True)
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(given), len(names)))


def _fitted(examples: _Examples, dialogue: int | None, least: int) -> Weights:
    """Return the weights that all dialogues but one give."""
    chosen = examples.without(dialogue)
    met = np.flatnonzero(examples.holds[chosen].sum(axis=0) >= least)
    if not len(met):
        return {}
    rows = sparse.vstack([examples.rows[n] for n in chosen]).tocsr()[:, met]
    turned, target = rows.T.tocsr(), np.concatenate([examples.targets[n] for n in chosen])
    sizes = np.array([len(examples.targets[n]) for n in chosen])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        scores = rows @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        chance = np.exp(scores)
        total = np.add.reduceat(chance, starts)
        chance /= np.repeat(total, sizes)
        value = np.log(total).sum() - target @ scores + PENALTY / 2 * (weights @ weights)
        return float(value), turned @ (chance - target) + PENALTY * weights

    way = {"maxiter": _STEPS, "ftol": _ENOUGH}
    found = minimize(loss, np.zeros(len(met)), jac=True, method="L-BFGS-B", options=way)
    return {
        examples.names[n]: round(float(weight), 2) + 0.0
        for n, weight in zip(met.tolist(), found.x, strict=True)
    }


# ---------------------------------------------------------------- figures


def _scores(texts: Sequence[tuple[Case, str]]) -> tuple[Score, ...]:
    """Return a figure a packet and category, then one of all its categories."""
    found: list[Score] = []
    for packet in Packet:
        mine = [(c.question, _f1(text, c.question)) for c, text in texts if c.packet is packet]
        order = sorted({(q.category_code or 0, q.category) for q, _ in mine})
        found += (
            _mean(packet, name, [f for q, f in mine if q.category == name]) for _, name in order
        )
        found += [_mean(packet, "", [f for _, f in mine])] if mine else []
    return tuple(found)


def _mean(packet: Packet, category: str, values: Sequence[tuple[float, float]]) -> Score:
    official, as_set = (100 * fsum(column) / len(values) for column in zip(*values, strict=True))
    return Score(packet, category, len(values), round(official, 1), round(as_set, 1))
