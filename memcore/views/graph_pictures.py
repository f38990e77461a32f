"""Pictures of Connect on the time axis: arcs with gaps, the ladder of a bridge, lanes of paths.

x is the session axis of every other picture, so an item stands where it stands on the sheet.
Arcs are thin lines that no click meets; the marks at their feet carry the ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log1p

from memcore.types import EdgeKind, EntryId, Gap, GraphEdge, Item, Memory, Reply, Step, TurnId
from memcore.views.axis import Axis, axis, sources
from memcore.views.canvas import NONE, STILL, Lit, Part, Picture, picture, scatter, still_frame
from memcore.views.marks import FULL, listed, ticks
from memcore.views.pictures import ROW
from memcore.views.strings import say
from memcore.views.theme import Palette, faded, plain

MOST_EDGES = 160
"""Edges drawn; those of the selection, bridges and links come first."""

MOST_PATHS = 12
BEND = 9
"""Points of an arc."""

OVER, UNDER = "top center", "bottom center"

GAP_ROWS = 4
"""Rows of gaps under the arcs; of more gaps none is named."""

FIRST = (EdgeKind.BRIDGE, EdgeKind.LINK, EdgeKind.SUCCESSOR, EdgeKind.ENTITY, EdgeKind.TIME)
DASHES: Mapping[EdgeKind, str] = {
    EdgeKind.BRIDGE: "solid",
    EdgeKind.LINK: "dash",
    EdgeKind.SUCCESSOR: "dash",
    EdgeKind.ENTITY: "solid",
    EdgeKind.TIME: "dot",
}


@dataclass(frozen=True, slots=True)
class GapRow:
    """Two facts that nothing joins, how far apart they are, and what the search for a bridge gave."""

    id: str
    older: str
    newer: str
    hours: float | None
    bridge: str
    reason: str


def gap_rows(gaps: Sequence[Gap]) -> tuple[GapRow, ...]:
    """Return the gaps of a step in the order searched."""
    return tuple(
        GapRow(
            f"G{n}",
            str(g.older),
            str(g.newer),
            g.hours,
            str(g.bridge or ""),
            say(f"reason.{g.reason}")
            if g.reason
            else say("bridge.won" if g.bridge else "bridge.none"),
        )
        for n, g in enumerate(gaps, 1)
    )


def edges_shown(steps: Sequence[Step], lit: Lit = NONE) -> tuple[GraphEdge, ...]:
    """Return the edges to draw: those of the selection first, then bridges, links and the rest."""
    every = dict.fromkeys(e for step in steps for e in step.edges)

    def order(edge: GraphEdge) -> tuple[bool, int]:
        return lit.isdisjoint((str(edge.source), str(edge.target))), FIRST.index(edge.kind)

    return tuple(sorted(every, key=order)[:MOST_EDGES])


def _places(memory: Memory, items: Sequence[Item], places: Axis) -> dict[Item, float]:
    found: dict[Item, float] = {}
    for item in dict.fromkeys(items):
        behind = sources(memory, item)
        x = places.x(behind[0]) if behind else None
        if x is not None:
            found[item] = x
    return found


def arcs(memory: Memory, steps: Sequence[Step], palette: Palette, lit: Lit = NONE) -> Picture:
    """Return the edges of steps as arcs over the time axis, gaps as red segments with their hours."""
    places = axis(memory.conversation)
    edges = edges_shown(steps, lit)
    gaps = tuple(g for step in steps for g in step.gaps)
    ends = [i for e in edges for i in (e.source, e.target)] + [
        i for g in gaps for i in (g.older, g.newer)
    ]
    at = _places(memory, ends, places)
    bridges = {g.bridge for g in gaps if g.bridge}
    drawn = [
        *(_arc_lines(kind, [e for e in edges if e.kind is kind], at, palette) for kind in FIRST),
        *([_gap_lines(gaps, at, palette), _gap_marks(gaps, at, (palette, lit))] if gaps else []),
        _feet(memory, at, bridges, (palette, lit)),
    ]
    rows = min(len(gaps), GAP_ROWS)
    frame = still_frame(palette, 280 + 20 * rows, left=24, legend=True)
    return picture(drawn, frame | _on_axis(places, palette, [-0.1 - 0.1 * rows, 1.1]))


def _on_axis(places: Axis, palette: Palette, height: Sequence[float]) -> Part:
    """The axes of a picture on the time axis, the sessions shaded; its rows have no names yet."""
    fill: Part = {"fillcolor": palette.band, "line": {"width": 0}, "layer": "below"}
    ends = {"type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    shades = [{**ends, "x0": b.left, "x1": b.right, **fill} for b in places.bands]
    return {
        "xaxis": {**STILL, "range": [-1, places.end + 1], **ticks(places.bands, palette)},
        "yaxis": {**STILL, "range": list(height), "tickvals": []},
        "shapes": shades,
    }


def _arc_lines(
    kind: EdgeKind, edges: Sequence[GraphEdge], at: Mapping[Item, float], palette: Palette
) -> Part:
    xs: list[float | None] = []
    ys: list[float | None] = []
    widest = log1p(max(at.values(), default=1.0))
    for edge in edges:
        if edge.source not in at or edge.target not in at:
            continue
        x0, x1 = at[edge.source], at[edge.target]
        top = 0.15 + 0.85 * log1p(abs(x1 - x0)) / widest if widest else 0.2
        for n in range(BEND):
            share = n / (BEND - 1)
            xs.append(x0 + (x1 - x0) * share)
            ys.append(4 * top * share * (1 - share))
        xs.append(None)
        ys.append(None)
    strong = kind is EdgeKind.BRIDGE
    ink = palette.bridge if strong else palette.fact if DASHES[kind] == "dash" else palette.quiet
    line = {"color": ink if strong else faded(ink, 0.6), "width": 2.5 if strong else 1}
    return scatter(
        x=xs,
        y=ys,
        mode="lines",
        name=say(f"edge.{kind}"),
        hoverinfo="skip",
        showlegend=bool(edges),
        line={**line, "dash": DASHES[kind]},
    )


def _gap_lines(gaps: Sequence[Gap], at: Mapping[Item, float], palette: Palette) -> Part:
    """Red segments under the feet, in rows, so that two gaps over one time stay apart."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    names: list[str] = []
    for n, gap in enumerate(gaps):
        if gap.older in at and gap.newer in at:
            hours = "" if gap.hours is None else say("edge.hours", hours=f"{gap.hours:,.0f}")
            named = f"G{n + 1} {hours}".strip() if len(gaps) <= GAP_ROWS else ""
            xs += [at[gap.older], at[gap.newer], None]
            ys += [_gap_row(n), _gap_row(n), None]
            names += [named, "", ""]  # the last fact may stand at the edge
    return scatter(
        x=xs,
        y=ys,
        mode="lines+text",
        text=names,
        textposition="middle left",
        textfont={"size": 11, "color": palette.defect},
        name=say("arc.gap"),
        hoverinfo="skip",
        line={"color": palette.defect, "width": 3, "dash": "dashdot"},
    )


def _gap_row(n: int) -> float:
    return -0.1 - 0.1 * (n % GAP_ROWS)


def _gap_marks(gaps: Sequence[Gap], at: Mapping[Item, float], look: tuple[Palette, Lit]) -> Part:
    """A mark in the middle of each gap: a line alone cannot be clicked."""
    palette, lit = look
    found = {
        n: (at[gap.older] + at[gap.newer]) / 2
        for n, gap in enumerate(gaps)
        if gap.older in at and gap.newer in at
    }
    names = [f"G{n + 1}" for n in found]
    return scatter(
        x=list(found.values()),
        y=[_gap_row(n) for n in found],
        mode="markers",
        showlegend=False,
        customdata=[[name] for name in names],
        text=[
            plain(f"{name} · {gaps[n].older} → {gaps[n].newer}")
            for name, n in zip(names, found, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["square"] * len(found),
            "size": [9] * len(found),
            "color": [palette.accent if name in lit else palette.defect for name in names],
        },
        **FULL,
    )


def _feet(
    memory: Memory, at: Mapping[Item, float], bridges: set[EntryId], look: tuple[Palette, Lit]
) -> Part:
    palette, lit = look
    words = {e.id: e.restatement for e in memory.evolution.entries}
    said = {t.id: f"{t.speaker}: {t.text}" for t in memory.conversation.turns}
    items = list(at)
    return scatter(
        x=list(at.values()),
        y=[0.0] * len(at),
        mode="markers",
        showlegend=False,
        customdata=[[str(i)] for i in items],
        text=[plain(f"{i} {_text(i, words, said)}", 110) for i in items],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["diamond" if i in bridges else "circle" for i in items],
            "size": [12 if i in bridges or str(i) in lit else 8 for i in items],
            "color": [
                palette.accent
                if str(i) in lit
                else palette.bridge
                if i in bridges
                else palette.fact
                for i in items
            ],
        },
        **FULL,
    )


def _text(item: Item, words: Mapping[EntryId, str], said: Mapping[TurnId, str]) -> str:
    return said.get(item, "") if isinstance(item, TurnId) else words.get(item, "")


# ---------------------------------------------------------------- the ladder of a bridge


def ladder(memory: Memory, gap: Gap, palette: Palette, lit: Lit = NONE) -> Picture:
    """Return what was looked at for one gap: cosine upwards, the allowed interval shaded.

    The winner is a diamond, losers are hollow diamonds with their reason in the hover text.
    """
    places = axis(memory.conversation)
    tried = [c.item for c in gap.candidates]
    at = _places(memory, [gap.older, gap.newer, *tried], places)
    found = [c for c in gap.candidates if c.item in at]
    words = {e.id: e.restatement for e in memory.evolution.entries}
    won = [c.reason is None for c in found]
    top, low = (
        max((c.cosine for c in found), default=1.0),
        min((c.cosine for c in found), default=0.0),
    )
    room = max(top - low, 0.05)
    marks = scatter(
        x=[at[c.item] for c in found],
        y=[c.cosine for c in found],
        mode="markers+text",
        customdata=[[str(c.item)] for c in found],
        text=[str(c.item) for c in found],
        textposition=_sides([(at[c.item], (c.cosine - low) / room) for c in found], places.end),
        textfont={"size": 11},
        hovertext=[
            plain(f"{c.item} {c.cosine:.3f} · {_lost(c.reason)} · {words.get(c.item, '')}", 110)
            for c in found
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "symbol": ["diamond" if w else "diamond-open" for w in won],
            "size": 12,
            "color": [palette.accent if str(c.item) in lit else palette.bridge for c in found],
        },
        **FULL,
    )
    on = _on_axis(places, palette, [])
    rows: Part = {
        **STILL,
        "range": [low - 0.4 * room, top + 0.6 * room],
        "nticks": 4,
        "title": {"text": say("ladder.cosine")},
    }
    shades = [on["shapes"], _allowed(at, gap, palette)]
    shapes = [shape for group in shades if isinstance(group, list) for shape in group]
    frame = still_frame(palette, 240, left=60)
    return picture([marks], frame | on | {"yaxis": rows, "shapes": shapes})


def _sides(marks: Sequence[tuple[float, float]], end: float) -> list[str]:
    """Where each name stands: over its mark, or under it where another's would be in the way."""
    found: list[str] = []
    for n, (x, y) in enumerate(marks):
        near = [m for m in range(n) if _touch(marks[m], (x, y), end)]
        over = [m for m in near if found[m] == OVER]
        found.append(UNDER if over else OVER)
    return found


def _touch(one: tuple[float, float], other: tuple[float, float], end: float) -> bool:
    return abs(one[0] - other[0]) < 0.05 * end and abs(one[1] - other[1]) < 0.25


def _allowed(at: Mapping[Item, float], gap: Gap, palette: Palette) -> list[Part]:
    """The interval in which a bridge may lie, shaded; nothing if an end has no place."""
    if gap.older not in at or gap.newer not in at:
        return []
    line = {"color": palette.defect, "width": 1.5, "dash": "dash"}
    ends = {"x0": at[gap.older], "x1": at[gap.newer], "y0": 0, "y1": 1}
    over = {"type": "rect", "xref": "x", "yref": "y domain", "layer": "below", "line": line}
    return [{**over, **ends, "fillcolor": faded(palette.defect, 0.08)}]


def _lost(reason: object) -> str:
    return say(f"reason.{reason}") if reason else say("bridge.won")


# ---------------------------------------------------------------- lanes of paths


def lanes(memory: Memory, reply: Reply, step: Step, palette: Palette, lit: Lit = NONE) -> Picture:
    """Return one lane a path with its stations at their time; shared stations stand in one column.

    A hop that is no edge of the question is a ghost hop: it jumps over a removed fact.
    """
    places = axis(memory.conversation)
    paths = step.paths[:MOST_PATHS]
    at = _places(memory, [e for p in paths for e in p.entries], places)
    words = {e.id: e.restatement for e in memory.evolution.entries}
    drawn: list[Part] = [_heads(len(paths), palette, lit)]
    for n, path in enumerate(paths):
        stations = [e for e in path.entries if e in at]
        ink = palette.accent if f"P{n + 1}" in lit else palette.fact
        drawn.append(
            scatter(
                x=[at[e] for e in stations],
                y=[-n] * len(stations),
                mode="lines+markers",
                showlegend=False,
                customdata=[[str(e)] for e in stations],
                text=[plain(f"{e} {words.get(e, '')}", 110) for e in stations],
                hovertemplate="%{text}<extra></extra>",
                line={"width": 3, "color": faded(ink, 0.5)},
                marker={
                    "size": 11,
                    "color": [palette.accent if str(e) in lit else palette.fact for e in stations],
                },
                **FULL,
            )
        )
    for n, path in enumerate(paths):
        for older, newer in ghosts(reply, path.entries):
            if older in at and newer in at:
                drawn.append(_ghost(at[older], at[newer], -n, palette))
    on = _on_axis(places, palette, [])
    names = [f"P{n}" for n in range(1, len(paths) + 1)]
    rows: Part = {**STILL, **listed(names, len(paths))}
    frame = still_frame(palette, 80 + ROW * max(len(paths), 1), left=90)
    return picture(drawn, frame | on | {"yaxis": rows})


def _heads(lanes_: int, palette: Palette, lit: Lit) -> Part:
    """A mark at the head of each lane, that selects the path as a whole."""
    names = [f"P{n}" for n in range(1, lanes_ + 1)]
    return scatter(
        x=[-1.0] * lanes_,
        y=[-n for n in range(lanes_)],
        mode="markers",
        showlegend=False,
        customdata=[[name] for name in names],
        text=names,
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["square"] * lanes_,
            "size": [9] * lanes_,
            "color": [palette.accent if name in lit else palette.quiet for name in names],
        },
        **FULL,
    )


def ghosts(reply: Reply, entries: Sequence[EntryId]) -> tuple[tuple[EntryId, EntryId], ...]:
    """Return the hops of a path that are no edge of the question."""
    edges = {frozenset((e.source, e.target)) for s in reply.trace.steps for e in s.edges}
    return tuple((a, b) for a, b in pairwise(entries) if frozenset((a, b)) not in edges)


def _ghost(x0: float, x1: float, y: float, palette: Palette) -> Part:
    return scatter(
        x=[x0, (x0 + x1) / 2, x1],
        y=[y] * 3,
        mode="lines+text",
        text=["", say("path.ghost"), ""],
        textfont={"size": 11, "color": palette.defect},
        textposition="top center",
        hoverinfo="skip",
        showlegend=False,
        line={"width": 3, "color": palette.defect, "dash": "dot"},
    )
