"""Memory: both memories of the dialogue on one time axis, and what each turn gave."""

from __future__ import annotations

import streamlit as st

from memcore.types import AnchorKind, Hyperedge, Memory, TurnId
from memcore.views import memory_rows, panorama
from pages import cards, frame
from pages.frame import words

VIEWS = ("picture", "facts", "anchors", "decisions")
MOST_ANCHORS = 16


def page() -> None:
    frame.routed("memory")
    st.title(words("page.memory"))
    st.markdown(words("memory.purpose"))
    frame.notices()
    memory = frame.memory(as_of=frame.state().as_of)
    if memory is None:
        cards.empty("memory.empty", "frame.go_start", "pages/start.py")
        return
    if not frame.built():
        st.info(words("memory.half_built"))
        if st.button(words("frame.go_start"), type="primary"):
            st.switch_page("pages/start.py")
    st.caption(memory_rows.sentence(memory, frame.state().language))
    board(memory)


@frame.fragment()
def board(memory: Memory) -> None:
    """Picture or table on the left, the reader on the right."""
    here = frame.state()
    view = st.segmented_control(
        words("step.view"),
        VIEWS,
        default="picture",
        required=True,
        format_func=lambda v: words(f"memory.{v}"),
        key="memory_view",
        label_visibility="collapsed",
    )
    left, right = st.columns([5, 3], gap="medium")
    with left:
        {"facts": facts, "anchors": anchors, "decisions": decisions}.get(view or "", picture)(
            memory
        )
    with right:
        reader(memory, here.selected)
    frame.write_link()


def chosen_anchors(memory: Memory) -> tuple[Hyperedge, ...]:
    """The anchors that match search and kinds, the largest first."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(words("memory.search"), key="anchor_search", width=220)
        kinds = st.multiselect(
            words("memory.kinds"),
            tuple(AnchorKind),
            default=(AnchorKind.ENTITY, AnchorKind.MONTH),
            key="anchor_kinds",
        )
    return memory_rows.anchors(memory, search, tuple(kinds))


def picture(memory: Memory) -> None:
    edges = chosen_anchors(memory)
    shown = edges[:MOST_ANCHORS]
    st.caption(words("memory.rows", shown=len(shown), total=len(memory.hypergraph.hyperedges)))
    places = panorama.panorama(memory)
    figure = panorama.figure(memory, places, shown, frame.palette(), frame.state().selected)
    cards.chart(figure, key="panorama", alt=words("memory.picture_alt"))
    cards.legend()


def facts(memory: Memory) -> None:
    found = memory_rows.facts(memory, frame.state().language)
    search = st.text_input(words("memory.search"), key="fact_search", width=260)
    shown = [r for r in found if search.casefold() in f"{r.id} {r.fact}".casefold()]
    st.caption(words("memory.facts_shown", shown=len(shown), total=len(found)))
    cards.table(shown, key="facts", alt=words("memory.facts"), height=560, names="fact")


def anchors(memory: Memory) -> None:
    edges = chosen_anchors(memory)
    st.caption(words("memory.rows", shown=len(edges), total=len(memory.hypergraph.hyperedges)))
    found = memory_rows.anchor_rows(edges)
    cards.table(found, key="anchors", alt=words("memory.anchors"), height=560, names="anchor")


def decisions(memory: Memory) -> None:
    here = frame.state()
    found = memory_rows.decisions(memory, frame.settings(), here.language)
    everything = words("step.all")
    actions = (everything, *dict.fromkeys(r.action for r in found))
    action = st.selectbox(words("decision.action"), actions, key="decision_action", width=220)
    shown = [r for r in found if action in {everything, r.action}]
    st.caption(words("memory.decisions_shown", shown=len(shown), total=len(found)))
    alt = words("memory.decisions")
    cards.table(shown, key="decisions", alt=alt, height=560, names="decision")


def reader(memory: Memory, selected: str) -> None:
    """The selected turn with its anchors marked, its facts and the decisions on them."""
    st.subheader(words("memory.reader"))
    if not selected:
        st.caption(words("memory.none"))
        return
    if not selected.startswith("D"):
        cards.item(memory, selected)
        return
    turn = TurnId.parse(selected)
    cards.marked_turn(memory, turn)
    edges = tuple(memory.hypergraph.of(turn))
    st.markdown(words("memory.anchors_of"))
    found = memory_rows.anchor_rows(edges)
    cards.table(found, key="turn_anchors", alt=words("memory.anchors_of"), names="anchor")
    ledger = memory_rows.ledger_of(memory, turn, frame.settings(), frame.state().language)
    st.markdown(words("memory.ledger"))
    for line in memory_rows.dropped(memory, turn, frame.state().language):
        st.text(line)
    if ledger:
        cards.table(ledger, key="turn_ledger", alt=words("memory.ledger"), names="decision")


page()
