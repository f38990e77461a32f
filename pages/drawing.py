"""Pictures as SVG: a constant component that draws Plotly's own JSON, and whose click selects.

Plotly's script of 4.7 MB and its way to mount each changed figure anew were what a step waited
for. The pictures of Step stand still (no zoom, no tools), so a few hundred lines draw them, and
a step changes only what differs. What came from a dialogue travels as data only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from memcore.views.canvas import Picture

STYLE = """
.memcore-picture { position: relative; width: 100%; font-family: var(--st-font); }
.memcore-picture > svg { display: block; }
.memcore-tip { display: none; position: absolute; z-index: 5; max-width: 420px; padding: 3px 8px;
  font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; pointer-events: none;
  color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: 4px; }
"""
COMPONENT = st.components.v2.component(
    "memcore_picture",
    html='<div class="memcore-picture" role="img"></div>',
    css=STYLE,
    isolate_styles=False,
    js=(Path(__file__).parent / "picture.js").read_text("utf-8"),
)
UNUSED = ("selected", "unselected", "hovertemplate")


def draw(picture: Picture, key: str, alt: str, pick: Callable[[str], None]) -> None:
    """Mount a picture; a click on a mark gives its id to `pick`."""
    traces = [{k: v for k, v in t.items() if k not in UNUSED} for t in picture.traces]

    def picked() -> None:
        found = st.session_state[key].get("picked")
        if found in picture.ids:
            pick(found)

    COMPONENT(
        key=key,
        data={"data": traces, "layout": picture.layout, "alt": alt},
        on_picked_change=picked,
        height=picture.height,
    )
