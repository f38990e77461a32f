"""The picture of an empty Start page: the sample's score sheet, pale, before anything is loaded.

Only what the dialogue itself tells is drawn: its sessions and turns, and a row for each of a few
words with a dot at every turn that says it. Scores come from a run, and there is none yet.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from memcore.types import AnchorKind, Conversation
from memcore.views.axis import axis, spread
from memcore.views.canvas import STILL, Part, picture, scatter, still_frame
from memcore.views.marks import QUIET, listed
from memcore.views.theme import ANCHOR_MARKS, Palette, faded, plain

WORDS = ("Ruth", "Bristol", "Lisbon", "Ghent", "museum", "marathon")
"""Words of the English sample that come back over many sessions."""

ROW, STRIP = 22, 52
"""Pixels of a row, and of the dialogue below the rows."""


def sample(conversation: Conversation, palette: Palette, words: Sequence[str] = WORDS) -> go.Figure:
    """Return the pale picture of a dialogue, with a row for each word that it holds."""
    places, ink = axis(conversation), faded(palette.ink, 2 * QUIET)
    said = {w: [t.id for t in conversation.turns if w.lower() in t.text.lower()] for w in words}
    held = [w for w in words if said[w]]
    blue = faded(palette.co_occurrence, 2 * QUIET)
    rows = [
        scatter(
            x=list(spread(places, said[w])),
            y=[-n] * len(said[w]),
            mode="lines+markers",
            yaxis="y2",
            hoverinfo="skip",
            line={"width": 1, "color": faded(palette.co_occurrence, QUIET)},
            marker={"symbol": "circle", "size": 7, "color": blue},
        )
        for n, w in enumerate(held)
    ]
    speakers = conversation.speakers
    ticks_ = scatter(
        x=list(spread(places, (t.id for t in conversation.turns))),
        y=[-speakers.index(t.speaker) for t in conversation.turns],
        mode="markers",
        hoverinfo="skip",
        marker={"symbol": "line-ns", "size": 8, "color": ink, "line": {"width": 1.4, "color": ink}},
    )
    split = STRIP / (STRIP + ROW * len(held))
    labels = [plain(f"{ANCHOR_MARKS[AnchorKind.LEXICAL]} {w}", 18) for w in held]
    names = [plain(s, 16) for s in speakers]
    over: Part = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1, "type": "rect", "layer": "below"}
    fill: Part = {"fillcolor": palette.band, "line": {"width": 0}}
    middles = [(b.left + b.right) / 2 for b in places.bands]
    sessions = {"tickvals": middles, "ticktext": [f"D{b.session}" for b in places.bands]}
    frame = still_frame(palette, STRIP + ROW * len(held) + 70, left=92) | {
        "font": {"color": palette.quiet, "size": 12},
        "xaxis": {
            **STILL,
            "range": [-1, places.end + 1],
            "anchor": "y",
            **sessions,
        },
        "yaxis": {**STILL, "domain": [0, split - 0.04], **listed(names, len(speakers))},
        "yaxis2": {**STILL, "domain": [split, 1], **listed(labels, len(held))},
        "shapes": [{**over, **fill, "x0": b.left, "x1": b.right} for b in places.bands],
    }
    return picture([*rows, ticks_], frame)
