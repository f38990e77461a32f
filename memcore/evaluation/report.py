"""Results to figures: leaderboard, categories, gold-loss funnel, matrix, costs, refusals.

A cell is a figure, or one of three things that are no figure: not applicable, failed, skipped.
Failed questions are in no mean and are counted beside it. Means are over questions; intervals are
a bootstrap over conversations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from sqlite_utils import Database

from memcore.evaluation import ranks
from memcore.evaluation.asking import BUDGETS
from memcore.evaluation.metrics import Scored, mean
from memcore.evaluation.refusals import Judged, TradeOff, trade_off
from memcore.evaluation.survival import KEPT, LETTERS, STAGES, first_loss
from memcore.evaluation.work import build_seconds, chosen
from memcore.store import conversations, evaluations
from memcore.store.evaluations import (
    Evaluation,
    Outcome,
    Remark,
    Result,
    Unit,
    UnitState,
    asked_digest,
)
from memcore.types import Metric, Question

ALL: Final = "all"
KS: Final = (5, 10, 20, 25, 30, 50)
SESSION_KS: Final = (1, 3, 5, 10)


# ---------------------------------------------------------------- what was found


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the dialogue it belongs to and what people say of it."""

    dialogue: int
    conversation: str
    lengths: Mapping[int, int]
    question: Question
    remark: Remark

    @property
    def turns(self) -> int:
        """How many turns the dialogue has; `lengths` has those of each session."""
        return sum(self.lengths.values())

    @property
    def key(self) -> tuple[int, str]:
        """What results are looked up by."""
        return self.dialogue, self.question.id

    @property
    def answerable(self) -> bool:
        """Whether the dialogue answers it, as far as the gold says."""
        return not self.question.abstain


@dataclass(frozen=True, slots=True)
class Found:
    """All that an evaluation has found so far; `results` by system, then by dialogue and id."""

    evaluation: Evaluation
    units: tuple[Unit, ...]
    asked: tuple[Asked, ...]
    results: Mapping[str, Mapping[tuple[int, str], Result]]
    built: Mapping[str, float | None]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the plan."""
        return self.evaluation.plan.systems

    def result(self, system: str, asked: Asked) -> Result | None:
        """Return the result of a question, None if it was not asked (yet)."""
        return self.results[system].get(asked.key)

    def skipped(self, system: str) -> tuple[str, ...]:
        """Return why a system was skipped, once for each reason."""
        reasons = (u.reason for u in self.units if u.system == system and u.reason)
        return tuple(dict.fromkeys(reasons))

    def without(self, keep: Callable[[Asked], bool]) -> Found:
        """Return the same with only some of the questions."""
        return replace(self, asked=tuple(a for a in self.asked if keep(a)))

    def undisputed(self) -> Found:
        """Return the same without the questions whose gold people hold for wrong."""
        return self.without(lambda a: not a.remark.wrong)


def found(db: Database, number: int) -> Found:
    """Return what an evaluation has found so far."""
    whole = evaluations.evaluation(db, number)
    units = evaluations.units(db, number)
    asked = tuple(a for dialogue in whole.plan.dialogues for a in _asked(db, dialogue, whole))
    digests = {a.key: asked_digest(a.question) for a in asked}
    results: dict[str, dict[tuple[int, str], Result]] = {s: {} for s in whole.plan.systems}
    for unit in units:
        for result in evaluations.results(db, unit):
            key = (unit.conversation, result.question)
            if digests.get(key) == result.asked:
                results[unit.system][key] = result
    built = {s: _built(db, whole, s) for s in whole.plan.systems}
    return Found(whole, units, asked, results, built)


def _asked(db: Database, dialogue: int, whole: Evaluation) -> Iterable[Asked]:
    conversation = conversations.load(db, dialogue)
    said = {r.question: r for r in evaluations.remarks(db, dialogue)}
    name = conversation.key or conversation.name
    lengths = {session.index: len(session.turns) for session in conversation.sessions}
    for question in chosen(db, dialogue, whole.plan):
        yield Asked(dialogue, name, lengths, question, said.get(question.id, Remark(question.id)))


def _built(db: Database, whole: Evaluation, system: str) -> float | None:
    times = [build_seconds(db, d, system, whole.plan) for d in whole.plan.dialogues]
    known = [t for t in times if t is not None]
    return round(sum(known), 3) if times and len(known) == len(times) else None


# ---------------------------------------------------------------- cells


class Mark(StrEnum):
    """What a cell holds."""

    FIGURE = "figure"
    NOT_APPLICABLE = "n.a."
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Cell:
    """A metric, or why there is none; `failed` questions are in no mean."""

    mark: Mark
    metric: Metric
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one system over one group of questions."""

    system: str
    group: str
    questions: int
    cells: tuple[Cell, ...]


Figure = Callable[[Asked, Result], float | None]


def figures(ks: Sequence[int] = KS) -> Mapping[str, Figure]:
    """Return every retrieval metric by name, in the order of the tables."""
    found: dict[str, Figure] = {}
    for k in ks:
        found[f"R@{k}"] = _at(ranks.recall, k)
    found["MRR"] = lambda _, r: ranks.reciprocal_rank(r.ranks)
    for k in ks:
        found[f"NDCG@{k}"] = _at(ranks.ndcg, k)
    for k in ks:
        found[f"all@{k}"] = _at(ranks.all_gold, k)
    for k in ks:
        found[f"any@{k}"] = _at(ranks.any_gold, k)
    for n, budget in enumerate(BUDGETS):
        found[f"R in {budget}"] = _within(n)
    found["R packed"] = _packed
    return {**found, **_session_figures()}


def _session_figures() -> Mapping[str, Figure]:
    found: dict[str, Figure] = {}
    for name, metric in (
        ("any", ranks.any_gold),
        ("all", ranks.all_gold),
        ("share", ranks.recall),
    ):
        for k in SESSION_KS:
            found[f"session {name}@{k}"] = _session_at(metric, k)
    found["session NDCG@3"] = _session_at(ranks.ndcg, 3)
    found["session NDCG@3 (LongMemEval)"] = _session_at(ranks.ndcg_longmemeval, 3)
    return found


def _at(metric: Callable[[ranks.Ranks, int], float | None], k: int) -> Figure:
    return lambda _, r: metric(r.ranks, k)


def _session_at(metric: Callable[[ranks.Ranks, int], float | None], k: int) -> Figure:
    return lambda _, r: metric(r.session_ranks, k)


def _within(n: int) -> Figure:
    return lambda _, r: r.within[n] if r.within else None


def _packed(_: Asked, result: Result) -> float | None:
    return result.survived[STAGES.index("packed")] / len(result.ranks) if result.ranks else None


ANSWERS: Final[Mapping[str, Figure]] = {
    "F1 official": lambda _, r: r.f1_official,
    "F1 set": lambda _, r: r.f1_set,
    "BLEU-1": lambda _, r: r.bleu1,
}
"""Metrics of what a reader wrote; not applicable where nobody read or there is no gold answer."""

REFUSALS: Final[Mapping[str, Figure]] = {
    "unanswerable refused": lambda a, r: None if a.answerable else float(r.refused),
    "answerable refused": lambda a, r: float(r.refused) if a.answerable else None,
}
"""Never one without the other. Without a reader, the premise check decides."""

EVOLUTION: Final[Mapping[str, Figure]] = {
    "updates shown": lambda _, r: r.updates_shown / r.updates if r.updates else None,
    "gold joined": lambda _, r: None if r.joined is None else float(r.joined),
}
"""Packed facts that were replaced whose newest state is marked; gold joined by edges or paths."""


class Group(StrEnum):
    """By what the rows of a table are parted."""

    NONE = "none"
    CATEGORY = "category"
    DATED = "dated"
    DIALOGUE = "dialogue"


_ORDER: Final = 99


def table(
    found: Found, metrics: Mapping[str, Figure], group: Group = Group.NONE
) -> tuple[Row, ...]:
    """Return a row for each system and group of questions, all questions together first."""
    groups = _groups(found, group)
    return tuple(
        Row(
            system,
            name,
            len(members),
            tuple(cell(found, system, members, metric) for metric in metrics.items()),
        )
        for system in found.systems
        for name, members in groups
    )


def cell(found: Found, system: str, asked: Sequence[Asked], metric: tuple[str, Figure]) -> Cell:
    """Return the mean of a metric over questions of a system, or why there is none."""
    name, figure = metric
    pairs = [(a, r) for a in asked if (r := found.result(system, a)) is not None]
    failed = sum(r.outcome is Outcome.FAILED for _, r in pairs)
    scored = [
        Scored(a.conversation, a.question.id, a.question.category, figure(a, r))
        for a, r in pairs
        if r.outcome is Outcome.DONE
    ]
    value = mean(name, scored)
    if value.value is not None:
        return Cell(Mark.FIGURE, value, failed)
    if not pairs and found.skipped(system):
        return Cell(Mark.SKIPPED, value)
    return Cell(Mark.FAILED if failed and not scored else Mark.NOT_APPLICABLE, value, failed)


def _groups(found: Found, group: Group) -> Sequence[tuple[str, Sequence[Asked]]]:
    every = (ALL, found.asked)
    if group is Group.NONE:
        return (every,)
    name = _namers(found)[group]
    order = {name(a): (a.question.category_code or _ORDER, name(a)) for a in found.asked}
    names = sorted(order, key=lambda n: order[n] if group is Group.CATEGORY else (0, n))
    return (every, *((n, [a for a in found.asked if name(a) == n]) for n in names))


def _namers(found: Found) -> Mapping[Group, Callable[[Asked], str]]:
    dated = {a.key for a in found.asked if _dated(found, a)}
    return {
        Group.CATEGORY: lambda a: a.question.category or "–",
        Group.DATED: lambda a: "dated" if a.key in dated else "undated",
        Group.DIALOGUE: lambda a: a.conversation,
    }


def _dated(found: Found, asked: Asked) -> bool:
    results = (found.result(system, asked) for system in found.systems)
    return any(r.dated for r in results if r is not None)


def category_macro(found: Found, system: str, metric: tuple[str, Figure]) -> float | None:
    """Return the mean over the means of categories 1 to 4; None where one has no figure."""
    groups: dict[int, list[Asked]] = {}
    for a in found.asked:
        if a.question.category_code in (1, 2, 3, 4):
            groups.setdefault(a.question.category_code, []).append(a)
    values = [cell(found, system, members, metric).metric.value for members in groups.values()]
    known = [v for v in values if v is not None]
    return round(sum(known) / len(known), 6) if known and len(known) == len(values) else None


# ---------------------------------------------------------------- gold loss


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the funnel: the mean share of gold that is left, and the questions lost here.

    `used` is False where the system has no such stage: it repeats the one before.
    """

    name: str
    letter: str
    cell: Cell
    used: bool
    lost: int


@dataclass(frozen=True, slots=True)
class Funnel:
    """The way of the gold through one system; `whole` questions lost none."""

    system: str
    questions: int
    whole: int
    stages: tuple[Stage, ...]


def funnels(found: Found) -> tuple[Funnel, ...]:
    """Return the gold-loss funnel of each system."""
    return tuple(_funnel(found, system) for system in found.systems)


def _funnel(found: Found, system: str) -> Funnel:
    rows = [(a, r) for a in found.asked if (r := found.result(system, a)) is not None and r.ranks]
    losses = [first_loss(r.fates) for _, r in rows]
    read = bool(found.evaluation.plan.reader)
    stages = tuple(
        Stage(
            name,
            LETTERS[n],
            cell(found, system, found.asked, (name, _surviving(n, read=read))),
            any(r.used[n] for _, r in rows),
            losses.count(LETTERS[n]),
        )
        for n, name in enumerate(STAGES)
    )
    return Funnel(system, len(rows), losses.count(KEPT), stages)


def _surviving(n: int, *, read: bool) -> Figure:
    def share(_: Asked, result: Result) -> float | None:
        if not result.ranks or (STAGES[n] == "cited" and not read):
            return None
        return result.survived[n] / len(result.ranks)

    return share


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A question and the fate of its gold in each system.

    A cell is the letter of the stage of first loss, X (all gold packed but the answer wrong or
    not citing it), `+`, or one of `n.a.`, `failed`, `skipped`; empty while it is not asked yet.
    """

    asked: Asked
    cells: tuple[str, ...]


def matrix(found: Found) -> tuple[MatrixRow, ...]:
    """Return a row a question, in the order of dialogues and files."""
    return tuple(
        MatrixRow(a, tuple(_fate(found, system, a) for system in found.systems))
        for a in found.asked
    )


def differing(rows: Sequence[MatrixRow], a: int, b: int) -> tuple[MatrixRow, ...]:
    """Return the rows in which two systems, by place, fare differently."""
    return tuple(row for row in rows if row.cells[a] != row.cells[b])


def _fate(found: Found, system: str, asked: Asked) -> str:
    result = found.result(system, asked)
    if result is None:
        mine = (u for u in found.units if u.system == system)
        skipped = any(
            u.conversation == asked.dialogue and u.state is UnitState.SKIPPED for u in mine
        )
        return Mark.SKIPPED.value if skipped else ""
    if result.outcome is Outcome.FAILED:
        return Mark.FAILED.value
    return first_loss(result.fates) or Mark.NOT_APPLICABLE.value


# ---------------------------------------------------------------- costs


@dataclass(frozen=True, slots=True)
class Cost:
    """What a system costs; None is unknown or not applicable, never 0.

    Query times run from the question to the ranked list; the trace is timed beside it.
    `model_calls` and tokens are those of build, retrieval and answer.
    """

    system: str
    build_seconds: float | None
    turns_per_second: float | None
    ms_p50: float | None
    ms_p95: float | None
    trace_ms_p50: float | None
    tokens: float | None
    turns: float | None
    model_calls: tuple[int, int, int]
    model_tokens: tuple[int, int, int]


def costs(found: Found) -> tuple[Cost, ...]:
    """Return the costs of each system."""
    return tuple(_cost(found, system) for system in found.systems)


def _cost(found: Found, system: str) -> Cost:
    rows = [r for a in found.asked if (r := found.result(system, a)) and r.outcome is Outcome.DONE]
    times = [r.ms for r in rows]
    seconds = found.built[system]
    turns = sum({a.dialogue: a.turns for a in found.asked}.values())
    n = len(rows)
    return Cost(
        system,
        seconds,
        round(turns / seconds, 1) if seconds else None,
        percentile(times, 0.5),
        percentile(times, 0.95),
        percentile([r.trace_ms for r in rows], 0.5),
        round(sum(r.tokens for r in rows) / n, 1) if n else None,
        round(sum(r.turns for r in rows) / n, 1) if n else None,
        (0, 0, sum(r.calls for r in rows)),
        (0, 0, sum(r.prompt_tokens + r.answer_tokens for r in rows)),
    )


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least `share` of the values do not exceed.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5)
    2.0
    """
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)] if ordered else None


# ---------------------------------------------------------------- refusals


def tradeoff(found: Found, system: str) -> tuple[TradeOff, ...]:
    """Return what each limit on the recorded scores would refuse; none without both kinds."""
    judged = [
        Judged(result.refusal, asked.answerable)
        for asked in found.asked
        if (result := found.result(system, asked)) is not None and result.refusal is not None
    ]
    both = {j.answerable for j in judged} == {True, False}
    return trade_off(judged) if both else ()


# ---------------------------------------------------------------- cautions


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader of the tables should know: a kind, how many questions, and which ones."""

    kind: str
    n: int
    places: tuple[str, ...]


def cautions(found: Found, ks: Sequence[int] = KS) -> tuple[Caution, ...]:
    """Return the warnings about data and cut-offs; none where there is nothing to say.

    `k_reaches_all` names cut-offs that list a whole dialogue, `gold_is_session` questions whose
    gold is every turn of a session, `unresolved` evidence ids that no turn has, `no_gold`
    questions that nothing can be scored on, `disputed` gold that people hold for wrong.
    """
    turns = {a.conversation: a.turns for a in found.asked}
    kinds = (
        ("k_reaches_all", [f"k={k}: {c}" for c, n in turns.items() for k in ks if k >= n]),
        ("gold_is_session", [a.question.id for a in found.asked if _whole_session(a)]),
        (
            "unresolved",
            [f"{a.question.id}: {e}" for a in found.asked for e in a.question.evidence_unresolved],
        ),
        ("no_gold", [a.question.id for a in found.asked if not _scoreable(a.question)]),
        ("disputed", [a.question.id for a in found.asked if a.remark.wrong]),
    )
    return tuple(Caution(kind, len(places), tuple(places)) for kind, places in kinds if places)


def _scoreable(question: Question) -> bool:
    return bool(question.evidence_turns or question.evidence_sessions)


def _whole_session(asked: Asked) -> bool:
    """Whether the gold is all turns of a session, or sessions only."""
    gold = asked.question.evidence_turns
    if not gold:
        return bool(asked.question.evidence_sessions)
    counts = Counter(turn.session for turn in set(gold))
    return any(1 < n == asked.lengths.get(session) for session, n in counts.items())
