"""The Evaluate page as values and figures: grids of text, the funnel, intervals, the curve.

A cell that is no figure says which kind it is: not applicable, failed, skipped; empty while it is
not asked yet. Text of questions goes into grids only, never into a figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from memcore.evaluation import report
from memcore.evaluation.refusals import TradeOff
from memcore.evaluation.report import Asked, Cell, Cost, Found, Funnel, MatrixRow, Row
from memcore.evaluation.survival import KEPT, LETTERS, STAGES
from memcore.store.evaluations import Result
from memcore.types import Question, TurnId
from memcore.views.canvas import STILL, layout
from memcore.views.marks import FULL
from memcore.views.strings import say
from memcore.views.theme import Palette, faded, plain

LEADERBOARD: Final = ("R@5", "R@10", "R@50", "MRR", "NDCG@10", "R in 1000", "R packed")
"""The metrics of the leaderboard at first; any other can be chosen."""

BRIEF: Final = ("R@5", "R@10", "MRR")
"""The metrics of the tables by group at first."""

NAMED: Final = {
    "unanswerable refused": "evaluate.unanswerable_refused",
    "answerable refused": "evaluate.answerable_refused",
    "updates shown": "evaluate.updates_shown",
    "gold joined": "evaluate.gold_joined",
}
"""The metrics that are named in words."""

ROW_HEIGHT: Final = 34
_ANSWERED: Final = (*report.ANSWERS, *report.REFUSALS)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text: column names, and rows of as many cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def metrics(names: Sequence[str]) -> Mapping[str, report.Figure]:
    """Return the metrics of these names, in the order of the tables; unknown names are left out."""
    return {name: figure for name, figure in every().items() if name in set(names)}


def every() -> Mapping[str, report.Figure]:
    """Return all metrics: of ranking, of answers, of refusals, of updates."""
    return {**report.figures(), **report.ANSWERS, **report.REFUSALS, **report.EVOLUTION}


def first(found: Found) -> tuple[str, ...]:
    """Return the metrics to show at first: those of answers where a reader ran."""
    return (*LEADERBOARD, *(_ANSWERED if found.evaluation.plan.reader else ()))


def shown(cell: Cell) -> str:
    """Return `83.1 (80.0 to 86.2)`, a percentage alone, or what the cell is instead."""
    m = cell.metric
    if m.value is None:
        return say(f"evaluate.cell.{cell.mark.value}")
    value = f"{100 * m.value:.1f}"
    if m.low is not None and m.high is not None:
        value = say("evaluate.interval", value=value, low=100 * m.low, high=100 * m.high)
    return say("evaluate.with_failed", value=value, n=cell.failed) if cell.failed else value


def board(rows: Sequence[Row], *, grouped: bool) -> Grid:
    """Return rows of metrics as text, one row a system, or one a system and group."""
    names = tuple(c.metric.name for c in rows[0].cells) if rows else ()
    head = ("evaluate.system", *(("evaluate.group",) if grouped else ()), "evaluate.n")
    body = (
        (
            r.system,
            *((group_name(r.group),) if grouped else ()),
            str(_most(r)),
            *(_counted(c, _most(r)) for c in r.cells),
        )
        for r in rows
    )
    return Grid((*map(say, head), *map(metric_name, names)), tuple(body))


def _most(row: Row) -> int:
    """Return over how many questions the metrics of a row are, most of them."""
    return max((c.metric.n for c in row.cells), default=0)


def _counted(cell: Cell, n: int) -> str:
    """Return a cell, with its own number of questions where that is not the one of the row."""
    alone = cell.metric.value is None or cell.metric.n == n
    return shown(cell) if alone else say("evaluate.of_n", value=shown(cell), n=cell.metric.n)


def refused_grid(rows: Sequence[Row]) -> Grid:
    """Return each share of refusals with its own number of questions, which differ by kind."""
    kinds = ("unanswerable", "answerable")
    names = (say(f"evaluate.{kind}_{part}") for kind in kinds for part in ("n", "refused"))
    body = (
        (r.system, *(text for c in r.cells for text in (str(c.metric.n), shown(c)))) for r in rows
    )
    return Grid((say("evaluate.system"), *names), tuple(body))


def metric_name(name: str) -> str:
    """Return the words for a metric that has some, else its name, which all languages share."""
    return say(NAMED[name]) if name in NAMED else name


def group_name(group: str) -> str:
    """Return the words for a group that is ours, or the name that the file gave it."""
    own = {report.ALL: "all", "dated": "dated", "undated": "undated"}
    return say(f"evaluate.group.{own[group]}") if group in own else group


def costs(found: Sequence[Cost]) -> Grid:
    """Return what each system costs; what is not known is said so, never 0."""
    head = ("system", "build_seconds", "turns_per_second", "ms_p50", "ms_p95", "trace_ms")
    names = (*head, "tokens", "turns", "calls", "model_tokens")
    body = (
        (
            c.system,
            *(
                _number(v)
                for v in (
                    *(c.build_seconds, c.turns_per_second, c.ms_p50, c.ms_p95),
                    *(c.trace_ms_p50, c.tokens, c.turns),
                )
            ),
            " / ".join(map(str, c.model_calls)),
            " / ".join(map(str, c.model_tokens)),
        )
        for c in found
    )
    return Grid(tuple(say(f"evaluate.cost.{n}") for n in names), tuple(body))


def _number(value: float | None) -> str:
    return say("evaluate.cell.n.a.") if value is None else f"{value:,.1f}"


def funnel_grid(found: Sequence[Funnel]) -> Grid:
    """Return the funnel as a table: the mean share of gold left, and the questions lost there."""
    names = tuple(say(f"evaluate.stage.{s}") for s in STAGES)
    body = (
        (
            f.system,
            *(_left(s, asked=bool(f.questions)) for s in f.stages),
            str(f.whole),
            str(f.questions),
        )
        for f in found
    )
    head = (say("evaluate.system"), *names, say("evaluate.whole"), say("evaluate.n"))
    return Grid(head, tuple(body))


def _left(stage: report.Stage, *, asked: bool) -> str:
    value = shown_share(stage.cell)
    if not asked:
        return value
    return say("evaluate.left" if stage.used else "evaluate.left_unused", value=value, n=stage.lost)


def shown_share(cell: Cell) -> str:
    """Return a share as a percentage, or what the cell is instead."""
    value = cell.metric.value
    return say(f"evaluate.cell.{cell.mark.value}") if value is None else f"{100 * value:.1f}"


def letter_words(letter: str) -> str:
    """Return what a cell of the matrix means."""
    known = {**dict(zip(LETTERS, STAGES, strict=True)), KEPT: "kept"}
    if letter in known:
        return say(f"evaluate.fate.{known[letter]}")
    return say(f"evaluate.cell.{letter}") if letter else say("evaluate.fate.waiting")


# ---------------------------------------------------------------- the matrix


@dataclass(frozen=True, slots=True)
class Facets:
    """What of the matrix is shown: words in question or id, a category, a letter, A against B.

    The letter is that of `system`, of any where none is named.
    """

    search: str = ""
    category: str = ""
    letter: str = ""
    system: str = ""
    differs: tuple[str, str] | None = None


def matching(found: Found, facets: Facets) -> tuple[MatrixRow, ...]:
    """Return the rows of the matrix that match all facets, in their order."""
    rows = report.matrix(found)
    if facets.differs:
        a, b = (found.systems.index(s) for s in facets.differs)
        rows = report.differing(rows, a, b)
    at = found.systems.index(facets.system) if facets.system in found.systems else None
    return tuple(r for r in rows if _matches(r, facets, at))


def _matches(row: MatrixRow, facets: Facets, at: int | None) -> bool:
    question = row.asked.question
    wanted = facets.search.casefold().split()
    text = f"{question.id} {question.text}".casefold()
    return (
        all(word in text for word in wanted)
        and facets.category in ("", question.category)
        and (not facets.letter or facets.letter in (row.cells if at is None else row.cells[at]))
    )


def matrix_grid(found: Found, rows: Sequence[MatrixRow]) -> Grid:
    """Return the matrix as text: question, category, remark, and a letter for each system."""
    head = tuple(say(f"evaluate.{n}") for n in ("question", "category", "text", "remark"))
    body = (
        (
            r.asked.question.id,
            r.asked.question.category or "–",
            r.asked.question.text,
            _remark(r.asked),
            *map(_brief, r.cells),
        )
        for r in rows
    )
    return Grid((*head, *found.systems), tuple(body))


def _brief(mark: str) -> str:
    """The letter of a stage, a tick where nothing was lost, else what the cell is instead."""
    if mark == KEPT:
        return "✓"
    return mark if not mark or mark in LETTERS else say(f"evaluate.cell.{mark}")


def _remark(asked: Asked) -> str:
    wrong = (say("evaluate.wrong"),) if asked.remark.wrong else ()
    return " · ".join((*wrong, *((asked.remark.note,) if asked.remark.note else ())))


def lost(question: Question, result: Result | None) -> tuple[tuple[TurnId, str], ...]:
    """Return the gold turns that were lost and the letters of their stages, earliest stage first."""
    if result is None:
        return ()
    fates = zip(question.evidence_turns, result.fates, strict=False)  # a failed one has no fates
    gone = [(turn, fate) for turn, fate in fates if fate != KEPT]
    return tuple(sorted(gone, key=lambda pair: (LETTERS.index(pair[1]), pair[0])))


def told(question: Question, result: Result | None) -> Iterator[str]:
    """Yield what is known of a question and its result, a line each."""
    gold = ", ".join(map(str, question.evidence_turns))
    yield say("evaluate.gold", turns=gold) if gold else say("evaluate.gold_none")
    gone = lost(question, result)
    if gone:
        turns = ", ".join(f"{turn} ({letter_words(fate)})" for turn, fate in gone)
        yield say("evaluate.lost", turns=turns)
    if result is not None and result.trouble:
        yield result.trouble
    if result is not None and result.answer is not None:
        yield say("evaluate.answered", answer=result.answer)
    if question.answer:
        yield say("evaluate.expected", answer=question.answer)


# ---------------------------------------------------------------- figures


def _frame(palette: Palette, height: int, left: int) -> go.Layout:
    frame = layout(palette, height, left)
    return frame.update(margin={"r": 16, "t": 34, "b": 34}, font={"size": 13}, bargap=0.3)


_NAMES: Final = 150
_WIDTH: Final = 0.92
_NARROW: Final = 0.45
"""Bars below this share have their figure beside them."""


def funnel_figure(found: Sequence[Funnel], palette: Palette) -> go.Figure:
    """Return one row a system and one bar a stage: its length is the share of gold still there.

    A stage that the system does not use repeats the one before, pale. The id of a bar is
    `system stage`.
    """
    names = [f.system for f in found]
    bars = [_bars(n, found, palette) for n in range(len(STAGES))]
    figure = go.Figure(bars, _frame(palette, 70 + ROW_HEIGHT * len(found), _NAMES))
    figure.update_layout(barmode="overlay")
    figure.update_xaxes(
        **{**STILL, "showticklabels": True},
        range=[-0.02, len(STAGES)],
        side="top",
        tickvals=[n + _WIDTH / 2 for n in range(len(STAGES))],
        ticktext=[say(f"evaluate.stage.{s}") for s in STAGES],
    )
    figure.update_yaxes(
        **{**STILL, "showticklabels": True},
        categoryorder="array",
        categoryarray=names[::-1],
        range=[-0.6, len(names) - 0.4],
    )
    return figure


def _bars(n: int, found: Sequence[Funnel], palette: Palette) -> go.Bar:
    stages = [f.stages[n] for f in found]
    shares = [s.cell.metric.value or 0.0 for s in stages]
    hover = (
        say(
            "evaluate.funnel_hover",
            system=f.system,
            stage=say(f"evaluate.stage.{s.name}"),
            share=shown_share(s.cell),
            n=s.lost,
        )
        for f, s in zip(found, stages, strict=True)
    )
    return go.Bar(
        orientation="h",
        base=[float(n)] * len(found),
        x=[_WIDTH * share for share in shares],
        y=[f.system for f in found],
        customdata=[f"{f.system} {STAGES[n]}" for f in found],
        text=[shown_share(s.cell) for s in stages],
        textposition=["inside" if share > _NARROW else "outside" for share in shares],
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        insidetextanchor="start",
        insidetextfont={"color": palette.ink, "size": 12},
        outsidetextfont={"color": palette.quiet, "size": 12},
        hovertext=[plain(h, 200) for h in hover],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": [faded(palette.co_occurrence, 0.35 if s.used else 0.1) for s in stages],
            "line": {
                "width": [0 if s.cell.metric.value is None else 1 for s in stages],
                "color": [faded(palette.co_occurrence, 0.9 if s.used else 0.3) for s in stages],
            },
        },
        **FULL,
    )


def interval_figure(rows: Sequence[Row], palette: Palette) -> go.Figure:
    """Return the first metric of each system as a point with its interval, best system first."""
    drawn = [r for r in rows if r.cells and r.cells[0].metric.value is not None]
    drawn.sort(key=lambda r: (-(r.cells[0].metric.value or 0), r.system))
    cells = [r.cells[0] for r in drawn]
    values = [100 * (c.metric.value or 0) for c in cells]
    below = [v - _or(c.metric.low, v) for c, v in zip(cells, values, strict=True)]
    above = [_or(c.metric.high, v) - v for c, v in zip(cells, values, strict=True)]
    points = go.Scatter(
        x=values,
        y=[r.system for r in drawn],
        mode="markers+text",
        text=[f"{v:.1f}" for v in values],
        textposition="top center",
        textfont={"color": palette.ink, "size": 12},
        cliponaxis=False,
        marker={"size": 11, "color": palette.co_occurrence},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": above,
            "arrayminus": below,
            "color": palette.quiet,
            "thickness": 1.5,
        },
        hovertext=[plain(f"{r.system}: {shown(r.cells[0])}", 200) for r in drawn],
        hovertemplate="%{hovertext}<extra></extra>",
        customdata=[r.system for r in drawn],
    )
    figure = go.Figure([points], _frame(palette, 70 + 38 * len(drawn), _NAMES))
    name = cells[0].metric.name if cells else ""
    figure.update_xaxes(
        range=[-2, 102],
        fixedrange=True,
        gridcolor=palette.rule,
        zeroline=False,
        title={"text": say("evaluate.axis", metric=name), "font": {"size": 13}},
    )
    figure.update_yaxes(
        fixedrange=True,
        categoryorder="array",
        categoryarray=[r.system for r in drawn][::-1],
    )
    return figure


def _or(share: float | None, percent: float) -> float:
    return percent if share is None else 100 * share


def tradeoff_figure(curves: Mapping[str, Sequence[TradeOff]], palette: Palette) -> go.Figure:
    """Return what each threshold would refuse: answerable questions across, others upward.

    Retrievers that refuse alike share one line.
    """
    hues = (palette.co_occurrence, palette.episodic, palette.temporal, palette.fact, palette.bridge)
    dashes = ("solid", "dash", "dot", "dashdot")
    lines = [
        go.Scatter(
            x=[_percent(p.wrongly_refused) for p in points],
            y=[_percent(p.refused) for p in points],
            name=plain(systems, 60),
            mode="lines",
            line={
                "color": hues[n % len(hues)],
                "dash": dashes[n % len(dashes)],
                "shape": "hv",
            },
            hovertext=[
                say(
                    "evaluate.tradeoff_hover",
                    threshold=p.limit,
                    right=_percent(p.refused),
                    wrong=_percent(p.wrongly_refused),
                )
                for p in points
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
        for n, (systems, points) in enumerate(alike(curves).items())
    ]
    figure = go.Figure(lines, _frame(palette, 380, 70))
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.12})
    axis = {"range": [-1, 101], "fixedrange": True, "gridcolor": palette.rule, "zeroline": False}
    small = {"font": {"size": 13}}
    figure.update_xaxes(**axis, title={"text": say("evaluate.answerable_refused"), **small})
    figure.update_yaxes(**axis, title={"text": say("evaluate.unanswerable_refused"), **small})
    return figure


def alike(curves: Mapping[str, Sequence[TradeOff]]) -> Mapping[str, Sequence[TradeOff]]:
    """Return the curves, each once, under the names of the retrievers that share it."""
    names: dict[tuple[TradeOff, ...], list[str]] = {}
    for system, points in curves.items():
        names.setdefault(tuple(points), []).append(system)
    if len(names) == 1 < len(curves):
        return {say("evaluate.all_alike", n=len(curves)): next(iter(names))}
    return {", ".join(systems): points for points, systems in names.items()}


def refusal_sentence(system: str, at: TradeOff) -> str:
    """Return what one limit would refuse, rightly and wrongly, in words."""
    right, wrong = _percent(at.refused), _percent(at.wrongly_refused)
    return say(
        "evaluate.refusal_sentence", system=system, threshold=at.limit, right=right, wrong=wrong
    )


def tradeoff_grid(curves: Mapping[str, Sequence[TradeOff]], most: int) -> Grid:
    """Return at most `most` points of each curve, evenly spaced, ends included."""
    names = ("system", "threshold", "unanswerable_refused", "answerable_refused")
    body = (
        (
            system,
            f"{p.limit:.3f}",
            f"{_percent(p.refused):.1f}",
            f"{_percent(p.wrongly_refused):.1f}",
        )
        for system, points in alike(curves).items()
        for p in _spaced(points, most)
    )
    return Grid(tuple(say(f"evaluate.{n}") for n in names), tuple(body))


def _percent(share: float | None) -> float:
    return 100 * (share or 0.0)


def _spaced(points: Sequence[TradeOff], most: int) -> Sequence[TradeOff]:
    if len(points) <= most:
        return points
    last = len(points) - 1
    return [points[round(n * last / (most - 1))] for n in range(most)]
