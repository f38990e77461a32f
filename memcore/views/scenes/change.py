"""A fact changed: one lane with what was and what replaced it, both with their quotes."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from memcore.types import Entry, EntryId, EvolutionEdge
from memcore.views import life
from memcore.views.canvas import STILL
from memcore.views.scenes.shown import FONT, Scene, Shown
from memcore.views.strings import day
from memcore.views.theme import plain

MOST_LETTERS = 60
"""Letters of a value in the sentence; the table and the quotes hold all."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One value of a fact: what it was or is, said when and where."""

    id: str
    state: str
    fact: str
    said: str
    turns: str


def changed(shown: Shown) -> Scene | None:
    """Return one lane of the evolution graph: what was, and what replaced it."""
    edge = _change(shown)
    if edge is None:
        return None
    entries = {e.id: e for e in shown.memory.evolution.entries}
    older, newer = entries[edge.older], entries[edge.newer]
    pair = ((older, "was"), (newer, "is"))
    table = tuple(
        ChangeRow(
            str(e.id),
            shown.say(f"present.{word}"),
            e.restatement,
            _date(shown, e),
            " ".join(str(t) for t in e.source_turns),
        )
        for e, word in pair
    )
    said = shown.say(
        "present.2.said",
        was=_cut(_value(older)),
        until=day(older.said_at, shown.language),
        now=_cut(_value(newer)),
        since=day(newer.said_at, shown.language),
    )
    quotes = shown.quotes((*older.source_turns[:1], *newer.source_turns[:1]))
    return Scene(2, said, _figure(shown, older, newer), table, "change_row", quotes)


def _figure(shown: Shown, older: Entry, newer: Entry) -> go.Figure:
    """Both marks with their words over and their dates under them; nothing leaves the frame."""
    palette = shown.palette
    shared = {"x": [0, 1], "hoverinfo": "skip", "cliponaxis": False}
    ids = [[str(older.id)], [str(newer.id)]]
    words = [f"{shown.say(f'present.{w}')} {_value(e)}" for w, e in (("was", older), ("is", newer))]
    marks = go.Scatter(
        **shared,
        y=[0, 0],
        mode="markers",
        marker={
            "size": 34,
            "symbol": ["circle-x-open", "circle"],
            "color": palette.fact,
            "line": {"width": 3, "color": palette.fact},
        },
        customdata=ids,
    )
    above, below = (
        go.Scatter(
            **shared,
            y=[height, height],
            mode="text",
            text=text,
            textposition=["middle right", "middle left"],
            textfont={"size": size, "color": colour},
            customdata=ids,
        )
        for height, text, size, colour in (
            (0.62, [plain(w, 34) for w in words], 26, palette.ink),
            (-0.6, [_date(shown, e) for e in (older, newer)], FONT - 1, palette.quiet),
        )
    )
    line = go.Scatter(
        x=[0.035, 0.965],
        y=[0, 0],
        mode="lines",
        line={"dash": "dash", "width": 3, "color": palette.fact},
        hoverinfo="skip",
    )
    tip = go.Scatter(
        x=[0.965],
        y=[0],
        mode="markers",
        marker={"symbol": "triangle-right", "size": 20, "color": palette.fact},
        hoverinfo="skip",
    )
    layout = shown.frame(230) | {
        "margin": {"l": 30, "r": 30, "t": 20, "b": 20},
        "xaxis": {**STILL, "range": [-0.03, 1.03], "visible": False},
        "yaxis": {**STILL, "range": [-1, 1], "visible": False},
    }
    return go.Figure([line, tip, marks, above, below], layout)


def _change(shown: Shown) -> EvolutionEdge | None:
    """The replaced fact that this run came nearest to: in its packet, among its candidates."""
    graph = shown.memory.evolution
    known = {e.id for e in graph.entries}
    packed = set(life.turns_of(shown.memory, shown.reply.context.items))
    found = [e for e in graph.edges if e.supersedes and {e.older, e.newer} <= known]
    sources = {e.id: set(e.source_turns) for e in graph.entries}

    def near(edge: EvolutionEdge) -> tuple[int, float, EntryId]:
        both = sources[edge.older] | sources[edge.newer]
        hits = len(both & set(shown.gold)) * 2 + len(both & packed)
        return (-hits, -edge.similarity, edge.older)

    return min(found, key=near, default=None)


def _value(entry: Entry) -> str:
    """The value in the case of the sentence; without one, the sentence."""
    at = entry.restatement.casefold().find(entry.value.casefold())
    if not entry.value or at < 0:
        return entry.value or entry.restatement
    return entry.restatement[at : at + len(entry.value)]


def _cut(value: str) -> str:
    return value if len(value) <= MOST_LETTERS else f"{value[: MOST_LETTERS - 1]}…"


def _date(shown: Shown, entry: Entry) -> str:
    return f"{entry.source_turns[0]} · {day(entry.said_at, shown.language)}"
