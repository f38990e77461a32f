"""The Memory page's picture: all facts in lanes, anchors as rows, the dialogue below.

Positions depend on the memory alone: a fact stands at its first source turn, in the lane of its
chain; a replaced fact keeps its place and is joined to its successor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from memcore.types import EntryId, Hyperedge, Memory, Reason, TurnId
from memcore.views.axis import Axis, axis, spread
from memcore.views.sheet import ANCHOR_SYMBOLS, CROWDED, FULL, LANES, STILL, listed, ticks
from memcore.views.theme import ANCHOR_MARKS, Palette, faded, plain

FACTS_HEIGHT, ROW_HEIGHT, STRIP_HEIGHT = 190, 20, 56


@dataclass(frozen=True, slots=True)
class Panorama:
    """The places of everything on the Memory page; made once a memory."""

    axis: Axis
    facts: tuple[tuple[EntryId, float, float], ...]


def panorama(memory: Memory) -> Panorama:
    """Return the fixed places of all facts."""
    places = axis(memory.conversation)
    lanes = _lanes(memory)
    taken: dict[tuple[float, float], int] = {}
    facts: list[tuple[EntryId, float, float]] = []
    for entry in memory.evolution.entries:
        x = places.x(entry.source_turns[0])
        if x is None:
            continue
        lane = lanes[entry.id]
        n = taken.get((x, lane), 0)
        taken[x, lane] = n + 1
        facts.append((entry.id, x + 0.28 * n, lane))
    return Panorama(places, tuple(facts))


def _lanes(memory: Memory) -> dict[EntryId, float]:
    """Facts joined by stored links share the lane of the oldest of them."""
    roots = {e.id: e.id for e in memory.evolution.entries}
    for edge in memory.evolution.edges:
        if edge.older in roots and edge.newer in roots:
            roots[edge.newer] = roots[edge.older]
    return {entry: float(root.n % LANES) for entry, root in roots.items()}


def figure(
    memory: Memory,
    places: Panorama,
    anchors: Sequence[Hyperedge],
    palette: Palette,
    selected: str = "",
) -> go.Figure:
    """Return both memories on one axis; `anchors` are the rows to show, `selected` an id."""
    lit = _lit(memory, selected)
    traces = [
        *_updates(memory, places, palette),
        _facts(memory, places, palette, selected, lit),
        *(_row(n, h, places.axis, palette, selected) for n, h in enumerate(anchors)),
        _dialogue(memory, places.axis, palette, selected, lit),
    ]
    return go.Figure(data=traces, layout=_layout(memory, places.axis, anchors, palette))


def _lit(memory: Memory, selected: str) -> frozenset[str]:
    """The ids that belong to the selection: a turn's facts, a fact's turns, an anchor's turns."""
    found: set[str] = set()
    for entry in memory.evolution.entries:
        turns = {str(t) for t in entry.source_turns}
        if str(entry.id) == selected:
            found |= turns
        if selected in turns:
            found.add(str(entry.id))
    for edge in memory.hypergraph.hyperedges if selected.startswith("A") else ():
        if str(edge.id) == selected:
            found |= {str(t) for t in edge.members}
    return frozenset(found)


def _updates(memory: Memory, places: Panorama, palette: Palette) -> list[go.Scatter]:
    at = {fact: (x, y) for fact, x, y in places.facts}
    kinds = ((True, palette.fact, "dash"), (False, faded(palette.quiet, 0.5), "solid"))
    found: list[go.Scatter] = []
    for supersedes, colour, dash in kinds:
        xs: list[float | None] = []
        ys: list[float | None] = []
        for edge in memory.evolution.edges:
            if edge.supersedes is supersedes and edge.older in at and edge.newer in at:
                (x0, y0), (x1, y1) = at[edge.older], at[edge.newer]
                xs += [x0, x1, None]
                ys += [y0, y1, None]
        line = {"color": colour, "width": 1.5 if supersedes else 1, "dash": dash}
        found.append(go.Scatter(x=xs, y=ys, mode="lines", yaxis="y3", hoverinfo="skip", line=line))
    return found


def _facts(
    memory: Memory, places: Panorama, palette: Palette, selected: str, lit: frozenset[str]
) -> go.Scatter:
    words = {e.id: e.restatement for e in memory.evolution.entries}
    replaced = {e.older for e in memory.evolution.edges if e.supersedes}
    ids = [fact for fact, _, _ in places.facts]
    chosen = [str(f) == selected for f in ids]
    near = [str(f) in lit for f in ids]
    return go.Scatter(
        x=[x for _, x, _ in places.facts],
        y=[y for _, _, y in places.facts],
        mode="markers",
        name="facts",
        yaxis="y3",
        customdata=[[str(f)] for f in ids],
        text=[plain(f"{f} {words[f]}", 110) for f in ids],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["circle-x-open" if f in replaced else "circle" for f in ids],
            "size": [12 if c or n else 8 for c, n in zip(chosen, near, strict=True)],
            "color": [
                palette.accent if c else faded(palette.fact, 1 if n or not lit else 0.55)
                for c, n in zip(chosen, near, strict=True)
            ],
        },
        **FULL,
    )


def _row(row: int, edge: Hyperedge, places: Axis, palette: Palette, selected: str) -> go.Scatter:
    colour = palette.anchor(edge.anchor.kind)
    members = [t for t in edge.members if places.x(t) is not None]
    chosen = str(edge.id) == selected
    words = f"{edge.id} {edge.label or edge.anchor.key}"
    inks = [palette.accent if chosen or str(t) == selected else colour for t in members]
    return go.Scatter(
        x=list(spread(places, members)),
        y=[-row] * len(members),
        mode="lines+markers",
        name=str(edge.id),
        yaxis="y2",
        customdata=[[str(edge.id), str(t)] for t in members],
        text=[plain(f"{words} · {t}") for t in members],
        hovertemplate="%{text}<extra></extra>",
        line={"width": 1, "color": faded(colour, 0.35)},
        marker={
            "size": 7 if len(members) < CROWDED else 4,
            "color": inks,
            "symbol": ANCHOR_SYMBOLS[edge.anchor.kind],
        },
        **FULL,
    )


def _dialogue(
    memory: Memory, places: Axis, palette: Palette, selected: str, lit: frozenset[str]
) -> go.Scatter:
    speakers = memory.conversation.speakers
    silent = {d.item for d in memory.evolution.dropped}
    gated = {d.item for d in memory.evolution.dropped if d.reason is Reason.GATED}
    turns = memory.conversation.turns
    return go.Scatter(
        x=list(places.places),
        y=[-min(speakers.index(t.speaker), 3) for t in turns],
        mode="markers",
        name="turns",
        customdata=[[str(t.id)] for t in turns],
        text=[plain(f"{t.id} {t.speaker}: {t.text}", 110) for t in turns],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["x-thin" if t.id in gated else "line-ns" for t in turns],
            "size": 9,
            "color": palette.ink,
            "line": {
                "width": [4 if str(t.id) == selected else 1.6 for t in turns],
                "color": [_tick(t.id, selected, lit, t.id in silent, palette) for t in turns],
            },
        },
        **FULL,
    )


def _tick(turn: TurnId, selected: str, lit: frozenset[str], silent: bool, palette: Palette) -> str:
    if str(turn) == selected or str(turn) in lit:
        return palette.accent
    return faded(palette.ink, 0.3) if silent else palette.ink


def _layout(
    memory: Memory, places: Axis, anchors: Sequence[Hyperedge], palette: Palette
) -> go.Layout:
    speakers = memory.conversation.speakers[:4]
    sizes = (STRIP_HEIGHT, ROW_HEIGHT * max(len(anchors), 1), FACTS_HEIGHT)
    total, at, domains = sum(sizes) + 20, 0.0, []
    for size in sizes:
        domains.append([at / total, min(1.0, (at + size) / total)])
        at += size + 10
    labels = [
        plain(f"{ANCHOR_MARKS[h.anchor.kind]} {h.label or h.anchor.key}", 18) for h in anchors
    ]
    fill = {"type": "rect", "fillcolor": palette.band, "line": {"width": 0}, "layer": "below"}
    over = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    names = [plain(s, 16) for s in speakers]
    return go.Layout(
        height=int(total) + 56,
        showlegend=False,
        dragmode=False,
        clickmode="event+select",
        hovermode="closest",
        margin={"l": 132, "r": 8, "t": 8, "b": 44},
        paper_bgcolor=palette.paper,
        plot_bgcolor=palette.paper,
        font={"color": palette.ink, "size": 12},
        hoverlabel={"bgcolor": palette.band, "font": {"color": palette.ink}, "align": "left"},
        xaxis={
            **STILL,
            "range": [-1, places.end + 1],
            "anchor": "y",
            **ticks(places.bands, palette),
        },
        yaxis={**STILL, "domain": domains[0], **listed(names, len(speakers))},
        yaxis2={**STILL, "domain": domains[1], **listed(labels, len(anchors))},
        yaxis3={**STILL, "domain": domains[2], "range": [-0.8, LANES - 0.2], "tickvals": []},
        shapes=[{**over, **fill, "x0": b.left, "x1": b.right} for b in places.bands],
    )
