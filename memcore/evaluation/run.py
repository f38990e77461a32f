"""Run the questions of a dialogue through a system, and put the figures in a table.

Only the ranked list is timed: from the question to the list, without the writing of a trace.
An entry counts as its source turns, in the order of the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memcore.annotate.tokens import tokens
from memcore.evaluation.metrics import (
    Scored,
    mean,
    recall,
    recall_within,
    reciprocal_rank,
)
from memcore.retrieval.listing import ranked_list
from memcore.retrieval.loop import Retriever
from memcore.types import Conversation, EntryId, Item, Metric, Question, TurnId

ALL = "all"
BUDGETS = (500, 1000, 2500)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a system listed for one question: turns, best first, and the milliseconds it took."""

    question: Question
    turns: tuple[TurnId, ...]
    costs: tuple[int, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class SystemRun:
    """All that one system listed over the conversations of a run."""

    name: str
    listed: tuple[Listed, ...]
    build_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TableRow:
    """One category of one system with its metrics."""

    system: str
    category: str
    metrics: tuple[Metric, ...]


def list_questions(
    retriever: Retriever, questions: Sequence[Question], clock: Callable[[], float]
) -> Iterator[Listed]:
    """Yield what the retriever lists for each question; `clock` gives milliseconds."""
    memory = retriever.memory
    behind = {e.id: e.source_turns for e in memory.evolution.entries}
    costs = {t.id: tokens(f"{t.speaker}: {t.content}") for t in memory.conversation.turns}
    for question in questions:
        began = clock()
        items = ranked_list(retriever, question.text, question.asked_at.at)
        took = clock() - began
        turns = as_turns(items, behind)
        yield Listed(question, turns, tuple(costs[t] for t in turns), round(took, 3))


def as_turns(
    items: Sequence[Item], behind: Mapping[EntryId, tuple[TurnId, ...]]
) -> tuple[TurnId, ...]:
    """Return the turns of a list of items, each once; an entry stands for its source turns."""
    found = (t for i in items for t in ((i,) if isinstance(i, TurnId) else behind.get(i, ())))
    return tuple(dict.fromkeys(found))


def table(run: SystemRun, ks: Sequence[int]) -> tuple[TableRow, ...]:
    """Return a row for all categories together, then one for each category."""
    categories = sorted({(x.question.category_code or 0, _category(x)) for x in run.listed})
    rows = [_row(run.name, ALL, run.listed, ks)]
    for _, category in categories:
        mine = [x for x in run.listed if _category(x) == category]
        rows.append(_row(run.name, category, mine, ks))
    return tuple(rows)


def _category(listed: Listed) -> str:
    return listed.question.category or "–"


def _row(system: str, category: str, listed: Sequence[Listed], ks: Sequence[int]) -> TableRow:
    figures = [_figures(x, ks) for x in listed]
    names = [name for name, _ in figures[0]] if figures else []
    metrics = tuple(
        mean(
            name,
            [
                Scored(x.question.conversation, x.question.id, category, figure[n][1])
                for x, figure in zip(listed, figures, strict=True)
            ],
        )
        for n, name in enumerate(names)
    )
    return TableRow(system, category, metrics)


def _figures(x: Listed, ks: Sequence[int]) -> tuple[tuple[str, float | None], ...]:
    gold = x.question.evidence_turns
    return (
        *((f"R@{k}", recall(x.turns, gold, k)) for k in ks),
        ("MRR", reciprocal_rank(x.turns, gold)),
        *((f"R in {b}", recall_within(x.turns, gold, x.costs, b)) for b in BUDGETS),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5)
    2.0
    """
    found = sorted(values)
    return found[max(0, -(-int(share * 1000) * len(found) // 1000) - 1)] if found else 0.0


def run_file(run: SystemRun, conversations: Sequence[Conversation]) -> Mapping[str, object]:
    """Return the run in the shape of evaluation.md; turn ids are the file's own, best first."""
    own = {name: _own_ids(c) for c in conversations for name in (c.key, c.name)}
    found: dict[str, object] = {
        x.question.id: {
            "turns": [own[x.question.conversation][t] for t in x.turns],
            "ms": x.milliseconds,
        }
        for x in run.listed
    }
    return found | {"_meta": {"name": run.name, "build_s": round(run.build_seconds, 1)}}


def _own_ids(conversation: Conversation) -> Mapping[TurnId, str]:
    return {t.id: t.source_id or str(t.id) for t in conversation.turns}


def lines(rows: Sequence[TableRow]) -> tuple[str, ...]:
    """Return rows as a Markdown table, percentages with one digit, `n.a.` where none applies."""
    if not rows:
        return ()
    names = [m.name for m in rows[0].metrics]
    head = ("| system | category | n | " + " | ".join(names) + " |",)
    rule = ("| --- | --- | ---: |" + " ---: |" * len(names),)
    body = tuple(
        f"| {r.system} | {r.category} | {max(m.n for m in r.metrics)} | "
        + " | ".join(_shown(m) for m in r.metrics)
        + " |"
        for r in rows
    )
    return (*head, *rule, *body)


def _shown(metric: Metric) -> str:
    if metric.value is None:
        return "n.a."
    shown = f"{100 * metric.value:.1f}"
    if metric.low is None or metric.high is None:
        return shown
    return f"{shown} ({100 * metric.low:.1f}–{100 * metric.high:.1f})"
