"""Which turns each side of a comparison has at a beat, in rank order, and how their ranks cross.

A fact counts as its source turns, so that a memory of facts and one of turns can be compared. A
turn has the rank of the first item that brings it: its own, or the best fact that was made of it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from memcore.types import Beat, EntryId, Item, TurnId
from memcore.views.compare import Side
from memcore.views.strings import say
from memcore.views.theme import Palette, faded, plain

MOST_SLOPES: Final = 25
"""Turns drawn in the slope chart, the best of either side first; the table holds all."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One turn of one side at a beat: its rank from 1, and the facts that brought it."""

    turn: TurnId
    rank: int
    facts: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True)
class OneRow:
    """A turn that only one side has."""

    id: str
    gold: str
    rank: int
    via: str
    words: str


@dataclass(frozen=True, slots=True)
class BothRow:
    """A turn that both sides have, with its rank on each."""

    id: str
    gold: str
    left: int
    right: int
    change: str
    words: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The turns of a beat: only left, on both sides, only right, each in rank order."""

    left: tuple[OneRow, ...]
    both: tuple[BothRow, ...]
    right: tuple[OneRow, ...]


def placed(side: Side, beat: Beat) -> tuple[Placed, ...]:
    """Return the turns that a side has after a beat, in rank order; cues and anchors are none."""
    sources = {e.id: e.source_turns for e in side.memory.evolution.entries}
    found: dict[TurnId, list[EntryId]] = {}
    for item in _items(side, beat):
        if isinstance(item, TurnId):
            found.setdefault(item, [])
            continue
        for turn in sources.get(item, ()):
            found.setdefault(turn, []).append(item)
    return tuple(Placed(t, n, tuple(facts)) for n, (t, facts) in enumerate(found.items(), 1))


def _items(side: Side, beat: Beat) -> tuple[Item, ...]:
    if beat is Beat.ANSWER:
        return tuple(side.reply.answer.citations) if side.reply.answer else ()
    steps = [s for s in side.reply.trace.steps if s.beat <= beat]
    mine = [s for s in steps if s.beat is beat and s.used]
    last = (mine or steps)[-1:]
    return tuple(c.item for step in last for c in step.kept)


def columns(left: Side, right: Side, beat: Beat, *, different: bool = False) -> Columns:
    """Return the three columns of a beat; `different` leaves out turns of equal rank."""
    ours = {p.turn: p for p in placed(left, beat)}
    theirs = {p.turn: p for p in placed(right, beat)}
    both = tuple(
        _both(left, ours[turn], theirs[turn])
        for turn in ours
        if turn in theirs and not (different and ours[turn].rank == theirs[turn].rank)
    )
    return Columns(
        tuple(_one(left, p) for p in ours.values() if p.turn not in theirs),
        both,
        tuple(_one(right, p) for p in theirs.values() if p.turn not in ours),
    )


def apart(left: Side, right: Side, beat: Beat) -> Columns:
    """Return all turns of each side: what is shown where nothing can be compared."""
    ours, theirs = placed(left, beat), placed(right, beat)
    return Columns(tuple(_one(left, p) for p in ours), (), tuple(_one(right, p) for p in theirs))


def _words(side: Side, turn: TurnId) -> str:
    found = (
        t for s in side.memory.conversation.sessions if s.index == turn.session for t in s.turns
    )
    return next((f"{t.speaker}: {t.content}" for t in found if t.id == turn), "")


def _one(side: Side, place: Placed) -> OneRow:
    via = " ".join(map(str, place.facts))
    words = _words(side, place.turn)
    return OneRow(str(place.turn), _star(side, place.turn), place.rank, via, words)


def _both(side: Side, one: Placed, other: Placed) -> BothRow:
    moved = other.rank - one.rank
    change = "=" if not moved else f"{'▼' if moved > 0 else '▲'} {abs(moved)}"
    words, star = _words(side, one.turn), _star(side, one.turn)
    return BothRow(str(one.turn), star, one.rank, other.rank, change, words)


def _star(side: Side, turn: TurnId) -> str:
    return "★" if turn in side.gold else ""


def opened(side: Side, turn: str, beat: Beat) -> str:
    """Return what a click on a turn selects on its side: the fact that brought it, or the turn."""
    place = next((p for p in placed(side, beat) if str(p.turn) == turn), None)
    return str(place.facts[0]) if place and place.facts else turn


# ---------------------------------------------------------------- slopes


@dataclass(frozen=True, slots=True)
class Slopes:
    """The ranks of both sides: the turns drawn, and three counts over all turns.

    There are `total` turns, `both` of them on both sides, and `crossings` pairs of those stand in
    the other order on the other side, drawn or not.
    """

    left: tuple[Placed, ...]
    right: tuple[Placed, ...]
    total: int
    both: int
    crossings: int


def slopes(left: Side, right: Side, beat: Beat) -> Slopes:
    """Return how the ranks of two sides differ after a beat."""
    return ranked(placed(left, beat), placed(right, beat))


def ranked(ours: Sequence[Placed], theirs: Sequence[Placed]) -> Slopes:
    """Return the best turns of both sides with their ranks, and the counts over all."""
    total = len({p.turn for p in (*ours, *theirs)})
    both = len(ours) + len(theirs) - total
    best = tuple(ours[:MOST_SLOPES]), tuple(theirs[:MOST_SLOPES])
    return Slopes(*best, total, both, crossings(ours, theirs))


def crossings(left: Sequence[Placed], right: Sequence[Placed]) -> int:
    """Return how many pairs of turns stand in the other order on the other side."""
    ranks = {p.turn: p.rank for p in right}
    found, above = 0, list[int]()
    for rank in (ranks[p.turn] for p in left if p.turn in ranks):
        found += len(above) - bisect_right(above, rank)
        insort(above, rank)
    return found


def slope_sentence(found: Slopes, language: str = "") -> str:
    """Return the slope chart in a sentence, and where turns are left out how many are drawn."""
    shown = len({p.turn for p in (*found.left, *found.right)})
    said = say("compare.slope_said", language, both=found.both, crossings=found.crossings)
    if shown == found.total:
        return said
    cut = say("compare.slope_cut", language, shown=shown, total=found.total, most=MOST_SLOPES)
    return f"{said} {cut}"


def slope_figure(
    found: Slopes, names: tuple[str, str], look: Palette, marked: tuple[str, frozenset[TurnId]]
) -> go.Figure:
    """Return ranks left and right with a line for each turn on both sides.

    `marked` are the selected id and the gold turns. The first customdata of a mark is its turn,
    the second its side.
    """
    figure = go.Figure()
    right = {p.turn: p.rank for p in found.right}
    for one in found.left:
        if one.turn in right:
            figure.add_trace(_line(one, right[one.turn], look, marked))
    for n, side in enumerate((found.left, found.right)):
        figure.add_trace(_points(side, n, names[n], look, marked))
    deepest = max((p.rank for p in (*found.left, *found.right)), default=1)
    figure.update_layout(
        paper_bgcolor=look.paper,
        plot_bgcolor=look.paper,
        font={"color": look.ink, "size": 13},
        margin={"l": 10, "r": 10, "t": 34, "b": 10},
        height=max(240, min(640, 90 + 16 * deepest)),
        showlegend=False,
        dragmode=False,
        hovermode="closest",
    )
    figure.update_xaxes(
        range=[-0.35, 1.35],
        tickvals=[0, 1],
        ticktext=[plain(name) for name in names],
        side="top",
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_yaxes(
        range=[deepest + 0.8, 0.2],
        showticklabels=False,
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    return figure


def _line(
    one: Placed, other: int, look: Palette, marked: tuple[str, frozenset[TurnId]]
) -> go.Scatter:
    selected, gold = marked
    colour = look.accent if str(one.turn) == selected else look.gold
    if str(one.turn) != selected and one.turn not in gold:
        colour = faded(look.ink, 0.35)
    return go.Scatter(
        x=[0, 1],
        y=[one.rank, other],
        mode="lines",
        line={"color": colour, "width": 1.5, "dash": "solid" if other <= one.rank else "dot"},
        hoverinfo="skip",
    )


def _points(
    side: Sequence[Placed],
    n: int,
    name: str,
    look: Palette,
    marked: tuple[str, frozenset[TurnId]],
) -> go.Scatter:
    selected, gold = marked
    colours = [_colour(p.turn, look, selected, gold) for p in side]
    return go.Scatter(
        x=[n] * len(side),
        y=[p.rank for p in side],
        mode="markers+text",
        name=plain(name),
        text=[_label(p, gold, n) for p in side],
        textposition="middle left" if n == 0 else "middle right",
        textfont={"color": colours, "size": 11},
        marker={
            "symbol": "circle" if n == 0 else "circle-open",
            "size": 9,
            "color": colours,
            "line": {"color": colours, "width": 2},
        },
        customdata=[[str(p.turn), ("l", "r")[n]] for p in side],
        hovertemplate="%{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _label(place: Placed, gold: frozenset[TurnId], n: int) -> str:
    star = "★ " if place.turn in gold else ""
    turn = f"{star}{place.turn}"
    return f"{turn}  {place.rank}" if n == 0 else f"{place.rank}  {turn}"


def _colour(turn: TurnId, look: Palette, selected: str, gold: frozenset[TurnId]) -> str:
    if str(turn) == selected:
        return look.accent
    return look.gold if turn in gold else look.ink
