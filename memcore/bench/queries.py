"""How long a question takes, in every system and beside bm25s over the same texts.

The systems take turns question by question, so what else the machine does falls on all alike. A
question is timed to the ranked list; writing the trace is timed beside it. Questions that come
twice find caches warm, so each is asked once, after a few that are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from memcore.bench.copies import Annotated
from memcore.errors import MemcoreError
from memcore.retrieval.loop import Retriever, retrieve
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.types import EvolutionGraph, Hypergraph, Memory, Question

SYSTEMS: Final = ("edgemem", "best-lexical", "bm25")
"""What is timed: the systems that need no model."""
PEER: Final = "bm25s"
"""The search library beside them: its tokenizer and its retrieve, in one."""
PEER_ALONE: Final = "bm25s retrieve"
"""Its retrieve without the tokenizer."""
WARMING: Final = 3
"""Questions before the count begins."""

Clock = Callable[[], float]
"""Seconds that only grow."""
Asks = Callable[[Question], None]


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of a system at one size; None where nothing is written or there is no peer.

    `ratio` is p50 over that of bm25s, `prepared` the seconds of making its indexes.
    """

    turns: int
    system: str
    p50: float
    p95: float
    trace_p50: float | None
    trace_p95: float | None
    ratio: float | None
    prepared: float


@dataclass(frozen=True, slots=True)
class _Runner:
    asks: Asks
    writes: Asks | None
    prepared: float


def memory_of(source: Annotated, tied: Hypergraph) -> Memory:
    """Return a memory without vectors and without an evolution graph."""
    none = np.zeros((0, 0), dtype=np.float32)
    whole = source.conversation
    return Memory(whole, source.annotations, tied, EvolutionGraph(), none, none)


def timed(
    memory: Memory, questions: Sequence[Question], parts: Parts, clock: Clock
) -> tuple[Timed, ...]:
    """Return the times of every system, and of bm25s where it is installed."""
    runners = {name: _runner(name, memory, parts, clock) for name in SYSTEMS}
    runners.update(_peer(memory, clock))
    lists: dict[str, list[float]] = {name: [] for name in runners}
    traces: dict[str, list[float]] = {name: [] for name in runners}
    for n, question in enumerate((*questions[:WARMING], *questions)):
        for name, runner in runners.items():
            spent = _milliseconds(runner.asks, question, clock)
            wrote = _milliseconds(runner.writes, question, clock) if runner.writes else None
            if n >= WARMING:
                lists[name].append(spent)
                traces[name] += [] if wrote is None else [wrote]
    turns = len(memory.conversation.turns)
    peer = _quantile(lists[PEER], 0.5) if PEER in lists else 0.0
    return tuple(
        _row(turns, name, (lists[name], traces[name]), peer, runner.prepared)
        for name, runner in runners.items()
    )


def _row(
    turns: int, name: str, spent: tuple[list[float], list[float]], peer: float, prepared: float
) -> Timed:
    lists, traces = spent
    middle = _quantile(lists, 0.5)
    return Timed(
        turns,
        name,
        middle,
        _quantile(lists, 0.95),
        _quantile(traces, 0.5) if traces else None,
        _quantile(traces, 0.95) if traces else None,
        round(middle / peer, 2) if peer else None,
        round(prepared, 3),
    )


def _quantile(values: Sequence[float], share: float) -> float:
    return round(float(np.quantile(values, share)), 3)


def _milliseconds(act: Asks, question: Question, clock: Clock) -> float:
    start = clock()
    act(question)
    return (clock() - start) * 1000


def _runner(name: str, memory: Memory, parts: Parts, clock: Clock) -> _Runner:
    start = clock()
    made = RETRIEVERS[name](memory, SAFE, parts)
    prepared = clock() - start

    def asks(question: Question) -> None:
        _listing(made, question)

    def writes(question: Question) -> None:
        for _ in retrieve(made, question.text, question.asked_at.at):
            pass

    return _Runner(asks, writes, prepared)


def _listing(made: Retriever, question: Question) -> None:
    if made.listing is None:
        msg = f"{made.name} lists nothing without a trace; expected a retriever with a listing"
        raise MemcoreError(msg)
    made.listing(question.text, question.asked_at.at, None)


def _peer(memory: Memory, clock: Clock) -> Mapping[str, _Runner]:
    """Return bm25s over the texts of the turns; nothing where it is not installed."""
    try:
        import bm25s
    except ImportError:
        return {}
    k = min(SAFE.collect_k, len(memory.conversation.turns))
    start = clock()
    index = bm25s.BM25(k1=SAFE.bm25_k1, b=SAFE.bm25_b)
    texts = [f"{turn.speaker}: {turn.content}" for turn in memory.conversation.turns]
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    prepared = clock() - start
    read: dict[str, list[list[str]]] = {}

    def tokens(question: Question) -> list[list[str]]:
        found: list[list[str]] = bm25s.tokenize(
            question.text, return_ids=False, show_progress=False
        )
        read[question.text] = found
        return found

    def asks(question: Question) -> None:
        index.retrieve(tokens(question), k=k, show_progress=False)

    def alone(question: Question) -> None:
        index.retrieve(read[question.text], k=k, show_progress=False)

    return {PEER: _Runner(asks, None, prepared), PEER_ALONE: _Runner(alone, None, prepared)}


def asked_of(source: Annotated, questions: Sequence[Question], most: int) -> tuple[Question, ...]:
    """Return the questions to ask: those given, else the turns that hold a question, else all."""
    return (tuple(questions) or tuple(_heard(source)))[:most]


def _heard(source: Annotated) -> Iterator[Question]:
    turns = source.conversation.turns
    asking = [turn for turn in turns if "?" in turn.text or "？" in turn.text]
    for turn in asking or turns:
        yield Question(str(turn.id), turn.text, asked_at=turn.said)
