"""The network tab: pyvis's lists in a component whose click selects, with sentence and table twin.

The component is constant: the vis-network that pyvis ships and a few lines of glue. What came from
a dialogue travels as data only. The library is sent once; a click or a step sends the lists.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from memcore.exports import network as export
from memcore.types import Memory, Reply, TurnId
from memcore.views import network as views
from memcore.views.network import Focus, Net
from memcore.views.theme import Palette
from pages import cards, frame
from pages.frame import words

KINDS = {"facts": views.evolution, "anchors": views.hypergraph}
HEIGHT = 520
STYLE = """
.network { border: 1px solid var(--st-border-color); border-radius: 6px; }
div.vis-tooltip { position: absolute; visibility: hidden; padding: 4px 8px; white-space: pre-wrap;
  max-width: 420px; font: 13px var(--st-font); color: var(--st-text-color); z-index: 5;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: 6px; pointer-events: none; }
"""
COMPONENT = st.components.v2.component(
    "memcore_network",
    html='<div class="network" role="img"></div>',
    css=STYLE,
    js=export.vis() + (Path(__file__).parent / "network.js").read_text("utf-8"),
)


def tab(
    memory: Memory,
    place: str,
    run: int | None = None,
    reply: Reply | None = None,
    gold: tuple[TurnId, ...] = (),
) -> None:
    """The chosen network around the selection or the run; `place` names the page it is on."""
    facts = reply is not None and reply.trace.retriever.startswith("ariadnemem")
    kind = st.segmented_control(
        words("network.which"),
        tuple(KINDS),
        default="facts" if facts or not memory.hypergraph.hyperedges else "anchors",
        required=True,
        format_func=lambda k: words(f"network.{k}"),
        key=f"network_kind_{place}",
        label_visibility="collapsed",
    )
    here = frame.state()
    net = KINDS[kind or "anchors"](memory, Focus(reply, gold, here.selected))
    if not net.total:
        st.info(words("network.empty"))
        return
    st.caption(export.said(net, here.language))
    draw(net, f"network_{place}", f"{kind} {here.selected} {run}", frame.palette())
    with st.expander(words("network.twin")):
        found = views.node_rows(net)
        cards.table(found, key=f"network_rows_{place}", alt=words("network.twin"), names="node")


def draw(net: Net, key: str, view: str, palette: Palette) -> None:
    """Mount the component; a click on a node that is drawn selects it."""
    known = {node.id for node in net.nodes}

    def pick() -> None:
        chosen = st.session_state[key].get("picked")
        if chosen in known:
            frame.select(chosen)

    lists = views.drawn(net, frame.state().selected)
    styles = [{"name": s.name, "colour": s.colour} for s in views.styles(palette)]
    COMPONENT(
        key=key,
        data={
            "nodes": lists.nodes,
            "edges": lists.edges,
            "styles": styles,
            "view": view,
            "height": HEIGHT,
        },
        on_picked_change=pick,
        height=HEIGHT + 4,
    )
