"""Months of talk on one line: the dialogue as ticks, filling up with facts; counts only."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from memcore.views import marks
from memcore.views.axis import axis
from memcore.views.canvas import STILL
from memcore.views.scenes.shown import Scene, Shown
from memcore.views.strings import day
from memcore.views.theme import plain


@dataclass(frozen=True, slots=True)
class TalkRow:
    """One session: when, how much was said, and how many facts it gave."""

    session: str
    date: str
    turns: int
    facts: int


def talk(shown: Shown) -> Scene | None:
    """Return the dialogue as ticks on one line, filling up with facts."""
    memory, palette = shown.memory, shown.palette
    if not memory.conversation.turns:
        return None
    places, speakers = axis(memory.conversation), memory.conversation.speakers
    found = _talk_rows(shown)
    rising, total = [], 0
    for row in found:
        total += row.facts
        rising.append(total)
    ticks = go.Scatter(
        x=list(places.places),
        y=[-min(speakers.index(t.speaker), 3) for t in memory.conversation.turns],
        mode="markers",
        marker={
            "symbol": "line-ns",
            "size": 26,
            "line": {"width": 2.4, "color": palette.ink},
            "color": palette.ink,
        },
        customdata=[[str(t.id)] for t in memory.conversation.turns],
        hoverinfo="skip",
        yaxis="y",
    )
    filled = go.Scatter(
        x=[b.right for b in places.bands],
        y=rising,
        mode="lines+markers",
        line={"shape": "hv", "color": palette.fact, "width": 3},
        fill="tozeroy",
        hoverinfo="skip",
        yaxis="y2",
    )
    layout = shown.frame(460) | {
        "xaxis": {
            **STILL,
            "range": [-1, places.end + 1],
            **marks.ticks(places.bands, palette),
            "tickfont": {"size": 14, "color": palette.quiet},
        },
        "yaxis": {
            **STILL,
            "domain": [0, 0.34],
            **marks.listed([plain(s, 14) for s in speakers[:4]], len(speakers[:4])),
        },
        "yaxis2": {
            **STILL,
            "domain": [0.42, 1],
            "rangemode": "tozero",
            "title": shown.say("present.facts_so_far"),
        },
    }
    counts = {
        "sessions": len(found),
        "turns": len(memory.conversation.turns),
        "facts": len(memory.evolution.entries),
        "anchors": len(memory.hypergraph.hyperedges),
        "first": found[0].date or found[0].session,
        "last": found[-1].date or found[-1].session,
    }
    figure = go.Figure([ticks, filled], layout)
    return Scene(1, shown.say("present.1.said", **counts), figure, found, "talk")


def _talk_rows(shown: Shown) -> tuple[TalkRow, ...]:
    memory, given = shown.memory, dict[int, int]()
    for e in memory.evolution.entries:
        given[e.source_turns[0].session] = given.get(e.source_turns[0].session, 0) + 1
    return tuple(
        TalkRow(
            f"D{s.index}",
            day(s.started_at, shown.language) if s.started_at else "",
            len(s.turns),
            given.get(s.index, 0),
        )
        for s in memory.conversation.sessions
    )
