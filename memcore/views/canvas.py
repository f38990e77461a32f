"""The still frame of all pictures: the theme's ink, no tools, no dragging, fixed axes.

The pictures of Step are put together from plain parts: Plotly's check of each property took ten
times as long as all the rest of a step, and copying a figure a third of it; a test checks the
parts instead. The other pictures are made of Plotly's own objects, since they are drawn once a
page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memcore.views.theme import Palette

if TYPE_CHECKING:
    import plotly.graph_objects as go

STILL: Final[Mapping[str, object]] = {"showgrid": False, "zeroline": False, "fixedrange": True}
"""An axis that draws no lines and cannot be moved."""


Lit = frozenset[str]
"""Ids that stand out as selected; `selections.lit` says which."""

NONE: Final[Lit] = frozenset()

Part = dict[str, object]
"""A trace or a layout as Plotly's JSON has it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that stands still, in the words of Plotly's JSON: its traces and its layout."""

    traces: tuple[Part, ...]
    layout: Part

    @property
    def height(self) -> int:
        """The pixels from top to bottom."""
        found = self.layout["height"]
        assert isinstance(found, int)
        return found

    @property
    def ids(self) -> frozenset[str]:
        """The ids that a click can choose: the first customdata of each mark."""
        found: set[str] = set()
        for trace in self.traces:
            marks = trace.get("customdata", ())
            assert isinstance(marks, Sequence)
            found.update(str(mark[0]) for mark in marks)
        return frozenset(found - {""})

    def figure(self) -> go.Figure:
        """Return the picture as Plotly's own figure, which checks every property."""
        import plotly.graph_objects as go  # Step draws without it

        return go.Figure(list(self.traces), self.layout)


def layout(palette: Palette, height: int, left: int = 132, legend: bool = False) -> go.Layout:
    """Return the still frame that all pictures share: no tools, no dragging, the theme's ink."""
    import plotly.graph_objects as go  # Step draws without it

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


def picture(parts: Sequence[Part], frame: Part) -> Picture:
    """Return a picture of plain parts, none of which Plotly checks."""
    return Picture(tuple(parts), frame)
