"""The missing link: two islands, what joins them, and the quotes of all three."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from memcore.types import AnchorKind, Hyperedge, Item, TurnId
from memcore.views import life, rows
from memcore.views.canvas import STILL
from memcore.views.scenes.shown import Scene, Shown
from memcore.views.strings import day
from memcore.views.theme import ANCHOR_MARKS, plain


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One of the three: the two ends, and what joins them."""

    id: str
    part: str
    words: str


@dataclass(frozen=True, slots=True)
class _Join:
    """Two items and what lies between them: a bridge, a hop, or an anchor that both hold."""

    left: Item
    right: Item
    middle: str
    words: str
    kind: str
    quotes: tuple[TurnId, ...]


def link(shown: Shown) -> Scene | None:
    """Return two islands and what joins them: a bridge, else a hop or a key over sessions."""
    join = _bridge(shown) or _over_sessions(shown)
    if join is None:
        return None
    palette, words = shown.palette, rows.texts(shown.memory)
    hue = palette.bridge if join.kind == "bridge" else palette.co_occurrence
    ends = go.Scatter(
        x=[0, 0.5, 1],
        y=[0, 0.8, 0],
        mode="markers+lines+text",
        line={"width": 3, "color": hue},
        marker={
            "size": [30, 34, 30],
            "symbol": ["circle", "diamond" if join.kind == "bridge" else "triangle-up", "circle"],
            "color": [palette.fact, hue, palette.fact],
            "opacity": 1,
        },
        text=[_when(shown, join.left), plain(join.middle, 40), _when(shown, join.right)],
        textposition=["bottom center", "top center", "bottom center"],
        textfont={"size": 22, "color": palette.ink},
        customdata=[[str(join.left)], [_id(join.middle)], [str(join.right)]],
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = shown.frame(300) | {
        "xaxis": {**STILL, "range": [-0.15, 1.15], "visible": False},
        "yaxis": {**STILL, "range": [-0.8, 1.3], "visible": False},
    }
    said = shown.say(f"present.4.{join.kind}", left=join.left, right=join.right, middle=join.middle)
    table = (
        LinkRow(str(join.left), shown.say("present.end"), words.get(str(join.left), "")),
        LinkRow(_id(join.middle), shown.say("present.joins"), join.words),
        LinkRow(str(join.right), shown.say("present.end"), words.get(str(join.right), "")),
    )
    figure = go.Figure([ends], layout)
    return Scene(4, said, figure, table, "link_row", shown.quotes(join.quotes))


def _when(shown: Shown, item: Item) -> str:
    """An end's id with the day that it was said."""
    memory = shown.memory
    said = {str(e.id): e.said_at for e in memory.evolution.entries}
    said |= {str(t.id): t.said_at for t in memory.conversation.turns}
    return f"{item}<br>{plain(day(said.get(str(item)), shown.language))}"


def _id(text: str) -> str:
    return text.split(" ")[0] if text[:1] in {"A", "D", "E"} else ""


def _bridge(shown: Shown) -> _Join | None:
    """The bridge of the widest gap, one in the packet first."""
    packed = set(shown.reply.context.items)
    gaps = [g for s in shown.reply.trace.steps for g in s.gaps if g.bridge]
    entries = {e.id: e for e in shown.memory.evolution.entries}
    golden = {e.id for e in entries.values() if set(e.source_turns) & set(shown.gold)}
    order = sorted(
        gaps,
        key=lambda g: (
            -len({g.older, g.newer, g.bridge} & golden),
            g.bridge not in packed,
            -(g.hours or 0),
            g.older,
        ),
    )
    for gap in order:
        found = entries.get(gap.bridge) if gap.bridge else None
        if found is not None:
            three = (entries.get(gap.older), found, entries.get(gap.newer))
            turns = tuple(e.source_turns[0] for e in three if e)
            name, words = str(gap.bridge), found.restatement
            return _Join(gap.older, gap.newer, name, words, "bridge", turns)
    return None


def _over_sessions(shown: Shown) -> _Join | None:
    """The rarest name that two packed turns of different sessions hold, the evidence first."""
    packed = sorted(life.turns_of(shown.memory, shown.reply.context.items))
    gold = set(shown.gold)
    best: tuple[tuple[int, int, int], Hyperedge, TurnId, TurnId] | None = None
    for edge in shown.memory.hypergraph.hyperedges:
        if edge.anchor.kind is not AnchorKind.ENTITY:
            continue
        held = [t for t in packed if t in edge.members]
        first = min(held, key=lambda t: (t not in gold, t), default=None)
        others = [t for t in held if first and t.session != first.session]
        other = min(others, key=lambda t: (t not in gold, t), default=None)
        if first is None or other is None:
            continue
        rank = (-len({first, other} & gold), len(edge.members), edge.id.n)
        if best is None or rank < best[0]:
            best = (rank, edge, min(first, other), max(first, other))
    if best is None:
        return None
    _, edge, left, right = best
    name = f"{edge.id} {ANCHOR_MARKS[edge.anchor.kind]} {edge.label or edge.anchor.key}"
    words = " ".join(str(t) for t in edge.members)
    return _Join(left, right, name, words, "over", (left, right))
