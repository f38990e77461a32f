"""The still frame of all pictures: the theme's ink, no tools, no dragging, fixed axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import plotly.graph_objects as go

from memcore.views.theme import Palette

STILL: Final[Mapping[str, object]] = {"showgrid": False, "zeroline": False, "fixedrange": True}
"""An axis that draws no lines and cannot be moved."""


def layout(palette: Palette, height: int, left: int = 132, legend: bool = False) -> go.Layout:
    """Return the still frame that all pictures share: no tools, no dragging, the theme's ink."""
    return go.Layout(
        height=height,
        showlegend=legend,
        legend={
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
            "x": 0,
            "itemclick": False,
            "itemdoubleclick": False,
            "font": {"size": 11, "color": palette.quiet},
        },
        dragmode=False,
        clickmode="event+select",
        hovermode="closest",
        margin={"l": left, "r": 12, "t": 40 if legend else 12, "b": 40},
        paper_bgcolor=palette.paper,
        plot_bgcolor=palette.paper,
        font={"color": palette.ink, "size": 12},
        hoverlabel={"bgcolor": palette.band, "font": {"color": palette.ink}, "align": "left"},
    )
