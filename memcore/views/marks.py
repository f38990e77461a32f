"""What the pictures share beside the palette: symbols, sizes, the hues of terms, named axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memcore.types import AnchorKind
from memcore.views.axis import Band
from memcore.views.theme import Palette, plain

MOST_DATES = 5
"""Session dates under the axis; more would touch each other at a width of 1000 pixels."""

CROWDED = 60
"""Members from which a row's dots are small, so that they stay apart."""

QUIET = 0.2
"""Ink of what is not active, as a share of full ink."""

FULL: Mapping[str, object] = {
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
}
ANCHOR_SYMBOLS: Mapping[AnchorKind, str] = {
    AnchorKind.ENTITY: "triangle-up",
    AnchorKind.LEXICAL: "circle",
    AnchorKind.SPEAKER: "circle",
    AnchorKind.DAY: "square",
    AnchorKind.WEEK: "square",
    AnchorKind.MONTH: "square",
    AnchorKind.YEAR: "square",
    AnchorKind.SESSION: "line-ew-open",
    AnchorKind.WINDOW: "line-ew-open",
}


def ticks(bands: Sequence[Band], palette: Palette) -> dict[str, object]:
    """Return an x axis' ticks: session numbers with their dates, as many as have room."""
    shown: list[Band] = []
    room = (bands[-1].right - bands[0].left) / MOST_DATES if bands else 0.0
    for band in bands:
        if not shown or centre(band) - centre(shown[-1]) >= room:
            shown.append(band)
    return {
        "tickvals": [centre(b) for b in shown],
        "ticktext": ["<br>".join(plain(p) for p in b.label.split(" · ")) for b in shown],
        "tickfont": {"size": 11, "color": palette.quiet},
        "tickangle": 0,
    }


def centre(band: Band) -> float:
    """Return the middle of a session's band."""
    return (band.left + band.right) / 2


def listed(labels: Sequence[str], n: int) -> dict[str, object]:
    """Return a y axis of `n` labelled rows, the first on top."""
    return {
        "range": [-max(n, 1) + 0.4, 0.6],
        "tickvals": [-i for i in range(n)],
        "ticktext": list(labels),
    }
