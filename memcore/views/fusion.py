"""Rank fusion as a slope chart: the rank of each item in every list, and its rank in the union.

An item is one line through its ranks, so that one sees which list lifted it. Ranks below the
picture's end stand on its last row with their number in the hover text and in the table; a scale
down to rank 200 would press the ranks that matter into a tenth of the height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcore.types import Beat, Item, Reply, Step, TurnId
from memcore.views.canvas import STILL, Lit, Part, Picture, picture, scatter, still_frame
from memcore.views.marks import FULL
from memcore.views.strings import say
from memcore.views.theme import Palette, faded, plain

MOST_FUSED = 25
"""Final ranks drawn; the selected item and gold are drawn beyond it too."""

DEEPEST = 30
"""The last rank with a row of its own."""


@dataclass(frozen=True, slots=True)
class FusedRow:
    """One item: its rank in the union, in each list, its fused score, whether it was packed."""

    id: str
    gold: str
    rank: int
    lists: str
    score: float
    packed: str


@dataclass(frozen=True, slots=True)
class Fused:
    """The lists of a fusion and its items in final order; `ranks` are per list, None if absent."""

    stage: str
    lists: tuple[str, ...]
    items: tuple[Item, ...]
    ranks: tuple[tuple[int | None, ...], ...]
    scores: tuple[float, ...]
    packed: int


def fused(reply: Reply) -> Fused | None:
    """Return what the fusion of a run joined, None where no ranks were fused."""
    step = next((s for s in reply.trace.steps if _joins(s)), None)
    if step is None:
        return None
    names = tuple(dict.fromkeys(p.list for c in step.kept for p in c.placements))
    places = [{p.list: p.rank for p in c.placements} for c in step.kept]
    inside = set(reply.context.items)
    return Fused(
        step.name,
        names,
        tuple(c.item for c in step.kept),
        tuple(tuple(held.get(name) for name in names) for held in places),
        tuple(c.score for c in step.kept),
        max((n for n, c in enumerate(step.kept, 1) if c.item in inside), default=0),
    )


def _joins(step: Step) -> bool:
    return step.beat is Beat.COLLECT and any(len(c.placements) > 1 for c in step.kept)


def shown(found: Fused, lit: Lit, gold: Sequence[TurnId]) -> tuple[int, ...]:
    """Return the final ranks that are drawn, from 0: the best, the selected item, and gold."""
    golden = set(gold)
    return tuple(
        n
        for n, item in enumerate(found.items)
        if n < MOST_FUSED or str(item) in lit or item in golden
    )


def rows(found: Fused, drawn: Sequence[int], gold: Sequence[TurnId]) -> tuple[FusedRow, ...]:
    """Return the drawn items as a table."""
    golden = set(gold)
    return tuple(
        FusedRow(
            str(found.items[n]),
            "★" if found.items[n] in golden else "",
            n + 1,
            " · ".join(
                f"{say(f'stage.{name}')} {f'#{rank}' if rank else '–'}"
                for name, rank in zip(found.lists, found.ranks[n], strict=True)
            ),
            found.scores[n],
            "✓" if n < found.packed else "",
        )
        for n in drawn
    )


def figure(
    found: Fused, drawn: Sequence[int], palette: Palette, lit: Lit, gold: Sequence[TurnId]
) -> Picture:
    """Return one line an item over the lists to its final rank, with the cut of the packet."""
    golden = set(gold)
    lines = [
        _line(found, n, _ink(found.items[n], n < found.packed, palette, lit, golden)) for n in drawn
    ]
    lists = len(found.lists)
    names = [plain(say(f"stage.{name}"), 18) for name in (*found.lists, found.stage)]
    deepest = max((y for line in lines for y in _ranks(line)), default=1)
    axes: Part = {
        "margin": {"l": 60, "r": 90, "t": 34, "b": 12},
        "xaxis": {
            **STILL,
            "range": [-0.3, lists + 0.3],
            "tickvals": list(range(lists + 1)),
            "ticktext": names,
            "side": "top",
        },
        "yaxis": {
            **STILL,
            "range": [deepest + 0.8, 0.2],
            "title": {"text": say("ledger.rank")},
            "tickvals": [1, *range(5, int(deepest) + 1, 5)],
        },
        "shapes": _cut(found, palette),
    }
    height = max(240, min(620, 80 + 14 * int(deepest)))
    return picture(lines, still_frame(palette, height) | axes)


def _ranks(line: Part) -> list[float]:
    found = line["y"]
    return [float(y) for y in found] if isinstance(found, list) else []


def _line(found: Fused, n: int, ink: str) -> Part:
    item, ranks = found.items[n], (*found.ranks[n], n + 1)
    points = [(x, rank) for x, rank in enumerate(ranks) if rank is not None]
    names = (*found.lists, found.stage)
    last = len(points) - 1
    return scatter(
        x=[x for x, _ in points],
        y=[min(rank, DEEPEST) for _, rank in points],
        mode="lines+markers+text",
        line={"color": ink, "width": 1.5},
        marker={"color": ink, "size": 7},
        text=[str(item) if k == last else "" for k in range(len(points))],
        textposition="middle right",
        textfont={"color": ink, "size": 11},
        customdata=[[str(item)] for _ in points],
        hovertext=[plain(f"{item} · {say(f'stage.{names[x]}')} #{rank}") for x, rank in points],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        **FULL,
    )


def _ink(item: Item, packed: bool, palette: Palette, lit: Lit, golden: set[TurnId]) -> str:
    if str(item) in lit:
        return palette.accent
    if item in golden:
        return palette.gold
    return faded(palette.ink, 0.75 if packed else 0.3)


def _cut(found: Fused, palette: Palette) -> list[Part]:
    """The dashed line under the last final rank that was packed."""
    if not found.packed or found.packed >= len(found.items) or found.packed > DEEPEST:
        return []
    at = found.packed + 0.5
    across = {"x0": len(found.lists) - 0.25, "x1": len(found.lists) + 0.3}
    line = {"color": palette.quiet, "width": 1.5, "dash": "dash"}
    return [{"type": "line", "xref": "x", "yref": "y", "y0": at, "y1": at, **across, "line": line}]
