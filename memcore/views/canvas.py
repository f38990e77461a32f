"""The still frame of all pictures: the theme's ink, no tools, no dragging, fixed axes.

The pictures of Step are put together from plain parts: Plotly's check of each property took ten
times as long as all the rest of a step, and a test checks the parts instead. The other pictures
are made of Plotly's own objects, since they are drawn once a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from memcore.views.theme import Palette

STILL: Final[Mapping[str, object]] = {"showgrid": False, "zeroline": False, "fixedrange": True}
"""An axis that draws no lines and cannot be moved."""


Part = dict[str, object]
"""A trace or a layout as Plotly's JSON has it."""


def layout(palette: Palette, height: int, left: int = 132, legend: bool = False) -> go.Layout:
    """Return the still frame that all pictures share: no tools, no dragging, the theme's ink."""
    return go.Layout(still_frame(palette, height, left, legend))


def still_frame(palette: Palette, height: int, left: int = 132, legend: bool = False) -> Part:
    """Return the frame as a plain part, for `picture`."""
    return {
        "height": height,
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
            "x": 0,
            "itemclick": False,
            "itemdoubleclick": False,
            "font": {"size": 11, "color": palette.quiet},
        },
        "dragmode": False,
        "clickmode": "event+select",
        "hovermode": "closest",
        "margin": {"l": left, "r": 12, "t": 40 if legend else 12, "b": 40},
        "paper_bgcolor": palette.paper,
        "plot_bgcolor": palette.paper,
        "font": {"color": palette.ink, "size": 12},
        "hoverlabel": {"bgcolor": palette.band, "font": {"color": palette.ink}, "align": "left"},
    }


def scatter(**properties: object) -> Part:
    """Return a trace of lines or marks."""
    return {"type": "scatter", **properties}


def bar(**properties: object) -> Part:
    """Return a trace of bars."""
    return {"type": "bar", **properties}


def picture(parts: Sequence[Part], frame: Part) -> go.Figure:
    """Return a figure of plain parts, none of which Plotly checks."""
    return go.Figure({"data": list(parts), "layout": frame}, _validate=False)
