"""An evaluation as files: run files, answers, CSV, JSON and Markdown tables.

Run files are the shape that other tools read: question ids and turn ids of the source file, best
turn first. Figures are written as shares (0 to 1) in CSV and JSON, as percentages in Markdown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlite_utils import Database

from memcore.evaluation import report
from memcore.evaluation.judging import Judged, Judgement
from memcore.evaluation.report import Cell, Cost, Found, Funnel, Mark, Row
from memcore.exports import csv
from memcore.store import codec, conversations, evaluations
from memcore.store.evaluations import Outcome
from memcore.types import TurnId

LEADERBOARD: Final = ("R@5", "R@10", "MRR", "NDCG@10", "R in 1000", "R packed")
"""The metrics of the leaderboard; all others are in CSV and JSON."""


# ---------------------------------------------------------------- run files


def run_file(db: Database, found: Found, system: str) -> Mapping[str, object]:
    """Return a system's ranked lists by question id, in the file's own turn ids, best first.

    Questions that failed, or of a dialogue that was skipped, are not in it. `build_s` is null
    where the memory was built before it could be timed.
    """
    lists: dict[str, object] = {}
    for unit in found.units:
        if unit.system != system:
            continue
        own = _own_ids(db, unit.conversation)
        rankings = evaluations.rankings(db, unit)
        for asked in found.asked:
            result = found.result(system, asked) if asked.dialogue == unit.conversation else None
            if result is not None and result.outcome is Outcome.DONE:
                turns = rankings[result.question, result.asked]
                lists[result.question] = {"turns": [own[t] for t in turns], "ms": result.ms}
    return {**lists, "_meta": {"name": system, "build_s": found.built[system]}}


def _own_ids(db: Database, dialogue: int) -> Mapping[TurnId, str]:
    turns = conversations.load(db, dialogue).turns
    return {t.id: t.source_id or str(t.id) for t in turns}


def answers(
    found: Found, system: str, judgement: Judgement | None = None
) -> Iterator[Mapping[str, object]]:
    """Yield what a system's reader answered, a question at a time; with the verdict if judged."""
    rows = judgement.judged if judgement else ()
    said = {(j.dialogue, j.question): j for j in rows if j.system == system}
    for asked in found.asked:
        result = found.result(system, asked)
        if result is not None and result.answer is not None:
            yield {
                "id": asked.question.id,
                "question": asked.question.text,
                "answer": result.answer,
                "gold": asked.question.answer,
                "citations": list(result.citations),
                "refused": result.refused,
                "f1_official": result.f1_official,
                "f1_set": result.f1_set,
                **(_verdict(judgement, said.get(asked.key)) if judgement else {}),
            }


def _verdict(judgement: Judgement, judged: Judged | None) -> Mapping[str, object]:
    """Return what the judge said; null where it said nothing, or was not asked."""
    verdict = judged.verdict if judged else None
    return {
        "judge": judgement.judge,
        "judged_right": verdict.right if verdict else None,
        "judge_reason": verdict.reason if verdict else "",
    }


# ---------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of an evaluation, as values: what `--json` prints and the page shows."""

    evaluation: int
    fingerprint: str
    questions: int
    leaderboard: tuple[Row, ...]
    categories: tuple[Row, ...]
    dated: tuple[Row, ...]
    funnels: tuple[Funnel, ...]
    costs: tuple[Cost, ...]
    skipped: tuple[tuple[str, str], ...]
    cautions: tuple[report.Caution, ...]


def tables(found: Found, ks: Sequence[int] = report.KS) -> Tables:
    """Return every table of an evaluation."""
    metrics = {**report.figures(ks), **report.ANSWERS, **report.REFUSALS, **report.EVOLUTION}
    return Tables(
        found.evaluation.id,
        found.evaluation.fingerprint,
        len(found.asked),
        report.table(found, metrics),
        report.table(found, metrics, report.Group.CATEGORY),
        report.table(found, metrics, report.Group.DATED),
        report.funnels(found),
        report.costs(found),
        tuple((s, reason) for s in found.systems for reason in found.skipped(s)),
        report.cautions(found, ks),
    )


def as_json(found: Found, ks: Sequence[int] = report.KS) -> str:
    """Return every table of an evaluation as JSON text."""
    return json.dumps(codec.to_json(tables(found, ks)), ensure_ascii=False, indent=1)


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV: one line a system, group and metric, with n and interval."""
    names = ("system", "group", "metric", "state", "value", "low", "high", "n", "failed")
    lines = (
        (row.system, row.group, m.name, c.mark.value, m.value, m.low, m.high, m.n, c.failed)
        for row in rows
        for c in row.cells
        for m in (c.metric,)
    )
    return csv.table(names, lines)


def questions_csv(found: Found) -> str:
    """Return one line a question and system: ranks of the gold, its fate, and what it cost."""
    names = (
        *("question", "category", "text", "system", "outcome", "fate", "gold_ranks", "packed"),
        *("tokens", "ms", "refused", "answer", "f1_official", "f1_set", "note", "gold_is_wrong"),
    )
    return csv.table(names, _question_lines(found))


def _question_lines(found: Found) -> Iterator[Sequence[object]]:
    for row in report.matrix(found):
        question, remark = row.asked.question, row.asked.remark
        for system, fate in zip(found.systems, row.cells, strict=True):
            r = found.result(system, row.asked)
            told = (remark.note, int(remark.wrong))
            head = (question.id, question.category, question.text, system)
            if r is None:
                yield (*head, fate, fate, *([None] * 8), *told)
                continue
            ranks = " ".join(map(str, r.ranks))
            packed = r.survived[4] if r.survived else None
            read = (int(r.refused), r.answer, r.f1_official, r.f1_set)
            yield (*head, r.outcome.value, fate, ranks, packed, r.tokens, r.ms, *read, *told)


# ---------------------------------------------------------------- Markdown


def markdown(found: Found, ks: Sequence[int] = report.KS) -> str:
    """Return the tables that fit a page as Markdown, with what a reader must know of them."""
    every = {**report.figures(ks), **report.ANSWERS, **report.REFUSALS}
    read = tuple(report.ANSWERS) if found.evaluation.plan.reader else ()
    wide = (*(f"R@{k}" for k in ks), *LEADERBOARD, *read, *report.REFUSALS)
    brief = ("R@5", "R@10", "MRR", *read)
    parts = [
        _table(report.table(found, _some(every, wide))),
        _table(report.table(found, _some(every, brief), report.Group.CATEGORY)),
        _funnels(report.funnels(found)),
        _costs(report.costs(found)),
    ]
    notes = [f"skipped: {s}: {r}" for s in found.systems for r in found.skipped(s)]
    notes += [f"{c.kind}: {c.n}: {', '.join(c.places[:5])}" for c in report.cautions(found, ks)]
    return "\n\n".join([*("\n".join(p) for p in parts), "\n".join(f"- {n}" for n in notes)]).strip()


def _some(every: Mapping[str, report.Figure], names: Iterable[str]) -> Mapping[str, report.Figure]:
    return {name: every[name] for name in names if name in every}


def _table(rows: Sequence[Row]) -> Sequence[str]:
    names = [c.metric.name for c in rows[0].cells] if rows else []
    body = (
        [
            r.system,
            r.group,
            str(max((c.metric.n for c in r.cells), default=0)),
            *map(shown, r.cells),
        ]
        for r in rows
    )
    return lines(("system", "questions of", "n", *names), body)


def shown(cell: Cell) -> str:
    """Return a cell as text: `83.1 (80.0–86.2)`, a percentage, or why it is none."""
    m = cell.metric
    failed = f", {cell.failed} failed" if cell.failed and cell.mark is Mark.FIGURE else ""
    if m.value is None:
        return cell.mark.value
    span = "" if m.low is None or m.high is None else f" ({100 * m.low:.1f}–{100 * m.high:.1f})"
    return f"{100 * m.value:.1f}{span}{failed}"


def _funnels(funnels: Sequence[Funnel]) -> Sequence[str]:
    names = [s.name for s in funnels[0].stages] if funnels else []
    body = (
        [
            f.system,
            *(f"{_mean(s.cell)}{'' if s.used else ' ='} (−{s.lost})" for s in f.stages),
            str(f.whole),
        ]
        for f in funnels
    )
    return lines(("system", *names, "whole"), body)


def _mean(cell: Cell) -> str:
    return cell.mark.value if cell.metric.value is None else f"{100 * cell.metric.value:.1f}"


def _costs(costs: Sequence[Cost]) -> Sequence[str]:
    names = ("build s", "turns/s", "ms p50", "ms p95", "trace ms p50", "tokens", "turns")
    body = (
        [
            c.system,
            *map(
                _number,
                (
                    *(c.build_seconds, c.turns_per_second, c.ms_p50, c.ms_p95),
                    *(c.trace_ms_p50, c.tokens, c.turns),
                ),
            ),
            str(sum(c.model_calls)),
        ]
        for c in costs
    )
    return lines(("system", *names, "model calls"), body)


def _number(value: float | None) -> str:
    return "n.a." if value is None else f"{value:.1f}"


def lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Sequence[str]:
    """Return a Markdown table as lines; a bar inside a cell is escaped."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"

    return [line(names), line(["---"] * len(names)), *map(line, rows)]
