"""Memory: both memories of the dialogue on one time axis, and what each turn gave."""

from __future__ import annotations

import streamlit as st

from memcore.types import AnchorKind, Hyperedge, Memory, TurnId
from memcore.views import memory_rows, panorama
from memcore.views.memory_rows import AnchorFacets, Scoring
from pages import cards, frame, network
from pages.frame import words

VIEWS = ("picture", "network", "facts", "anchors", "decisions", "combinations")
ROWS_A_PAGE = 12
PLAY_SECONDS = 1.5


def page() -> None:
    frame.routed("memory")
    st.title(words("page.memory"))
    st.markdown(words("memory.purpose"))
    frame.notices()
    whole, memory = frame.memory(), frame.memory(as_of=frame.state().as_of)
    if whole is None or memory is None:
        cards.missing_memory("memory.empty")
        return
    if not frame.built():
        st.info(words("memory.half_built"))
        if st.button(words("frame.go_start"), type="primary"):
            st.switch_page("pages/start.py")
    st.caption(memory_rows.sentence(memory))
    as_of(whole)
    board(whole, memory)


# ---------------------------------------------------------------- as of


def as_of(whole: Memory) -> None:
    """The as-of session over the density of facts; Play goes on one session at a time."""
    here, last = frame.state(), len(whole.conversation.sessions)
    if last < 2:
        return
    now = min(here.as_of or last, last)
    st.session_state["memory_as_of"] = now
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    with left:
        figure = panorama.density(whole, now, frame.palette())
        cards.still(figure, "density", words("memory.density_alt"))
        label = words("frame.as_of")
        st.slider(
            label,
            1,
            last,
            format="D%d",
            key="memory_as_of",
            on_change=take_as_of,
            args=(last,),
        )
    with right:
        if not here.still:
            label = words("memory.pause" if here.playing else "memory.play")
            st.button(label, on_click=play, args=(last,), key="memory_play")
    st.caption(words("memory.density_sentence", now=now, last=last))
    if here.playing and not here.still:
        player(last)


def take_as_of(last: int) -> None:
    value = st.session_state["memory_as_of"]
    frame.state().as_of = None if value == last else value


def play(last: int) -> None:
    """Start or pause; at the end it begins again with the first session."""
    here = frame.state()
    here.playing = not here.playing
    if here.playing and here.as_of is None:
        here.as_of = 1
    here.ticked = False


@frame.fragment(run_every=PLAY_SECONDS)
def player(last: int) -> None:
    """Go on by one session each time but the first, and stop behind the last."""
    here = frame.state()
    if not here.ticked:
        here.ticked = True
        return
    now = (here.as_of or last) + 1
    here.as_of, here.playing = (None, False) if now >= last else (now, True)
    here.ticked = False
    st.rerun()


# ---------------------------------------------------------------- board


@frame.fragment()
def board(whole: Memory, memory: Memory) -> None:
    """Picture or table, and the reader below it."""
    view = st.segmented_control(
        words("step.view"),
        VIEWS,
        default="picture",
        required=True,
        format_func=lambda v: words(f"memory.{v}"),
        key="memory_view",
        label_visibility="collapsed",
    )
    if view == "facts":
        facts(memory)
    elif view == "anchors":
        anchors(memory)
    elif view == "decisions":
        decisions(memory)
    elif view == "combinations":
        combined(memory)
    elif view == "network":
        network.tab(memory, "memory")
    else:
        picture(whole, memory)
    reader(memory, frame.state().selected)
    cards.updates(memory, frame.state().selected)
    frame.write_link()


def chosen_anchors(memory: Memory) -> tuple[Hyperedge, ...]:
    """The anchors that match the facets, the heaviest first."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(words("memory.search"), key="anchor_search", width=180)
        kinds = st.multiselect(
            words("memory.kinds"),
            tuple(AnchorKind),
            default=(AnchorKind.ENTITY, AnchorKind.LEXICAL),
            format_func=lambda k: words(f"kind.{k}"),
            placeholder=words("memory.any"),
            key="anchor_kinds",
            width=300,
        )
        scoring = st.multiselect(
            words("memory.scoring"),
            tuple(Scoring),
            format_func=lambda s: words(f"scoring.{s}"),
            placeholder=words("memory.any"),
            key="anchor_scoring",
            width=220,
        )
        least = st.number_input(words("memory.least"), 1, 1000, 2, key="anchor_least", width=120)
    facets = AnchorFacets(search, tuple(kinds), tuple(scoring), int(least))
    return memory_rows.anchors(memory, facets, frame.settings())


def picture(whole: Memory, memory: Memory) -> None:
    """Lanes, anchor rows and the dialogue; a session that is not known yet hides and moves none."""
    edges = chosen_anchors(memory)
    pages = max(1, -(-len(edges) // ROWS_A_PAGE))
    page = min(st.session_state.get("anchor_page", 1), pages)
    shown = edges[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    places = frame.panorama_of(whole)
    lanes = words("memory.lanes_sentence", lanes=len(places.lanes), folded=places.folded)
    total = len(memory.hypergraph.hyperedges)
    st.caption(f"{lanes} {words('memory.rows', shown=len(shown), total=total)}")
    figure = panorama.figure(memory, places, shown, frame.palette(), frame.state().selected)
    cards.chart(figure, key="panorama", alt=words("memory.picture_alt"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if pages > 1:
            st.session_state["anchor_page"] = page
            label = words("memory.page", total=pages)
            st.number_input(label, 1, pages, key="anchor_page", width=160)
        cards.legend()


def facts(memory: Memory) -> None:
    found = memory_rows.facts(memory)
    search = st.text_input(words("memory.search"), key="fact_search", width=260)
    shown = [r for r in found if search.casefold() in f"{r.id} {r.fact}".casefold()]
    st.caption(words("memory.facts_shown", shown=len(shown), total=len(found)))
    cards.table(shown, key="facts", alt=words("memory.facts"), height=420, names="fact")


def anchors(memory: Memory) -> None:
    edges = chosen_anchors(memory)
    st.caption(words("memory.rows", shown=len(edges), total=len(memory.hypergraph.hyperedges)))
    found = memory_rows.anchor_rows(edges, memory, frame.settings())
    cards.table(found, key="anchors", alt=words("memory.anchors"), height=420, names="anchor")


def combined(memory: Memory) -> None:
    """Which anchors stand in the same turns, as a sorted table."""
    edges = chosen_anchors(memory)
    found = memory_rows.combinations(edges)
    st.caption(words("memory.combinations_shown", shown=len(found), total=len(edges)))
    alt = words("memory.combinations")
    cards.table(found, key="combinations", alt=alt, height=420, names="combination")


def decisions(memory: Memory) -> None:
    found = memory_rows.decisions(memory, frame.settings())
    everything = words("step.all")
    actions = (everything, *dict.fromkeys(r.action for r in found))
    action = st.selectbox(words("decision.action"), actions, key="decision_action", width=220)
    shown = [r for r in found if action in {everything, r.action}]
    st.caption(words("memory.decisions_shown", shown=len(shown), total=len(found)))
    alt = words("memory.decisions")
    cards.table(shown, key="decisions", alt=alt, height=420, names="decision")


# ---------------------------------------------------------------- reader


def reader(memory: Memory, selected: str) -> None:
    """The selected turn with its anchors marked, its facts and the decisions on them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(words("memory.reader"))
        if selected:
            clear = words("frame.clear")
            st.button(clear, shortcut="Esc", on_click=frame.select, args=("",))
    if not selected:
        st.caption(words("memory.none"))
        return
    if not selected.startswith("D"):
        cards.item(memory, selected)
        return
    turn = TurnId.parse(selected)
    left, right = st.columns(2, gap="medium")
    with left:
        cards.marked_turn(memory, turn)
    with right:
        st.markdown(words("memory.anchors_of"))
        found = memory_rows.anchor_rows(tuple(memory.hypergraph.of(turn)), memory)
        alt = words("memory.anchors_of")
        cards.table(found, key="turn_anchors", alt=alt, height=220, names="anchor")
    st.markdown(words("memory.ledger"))
    for line in memory_rows.dropped(memory, turn):
        st.text(line)
    ledger = memory_rows.ledger_of(memory, turn, frame.settings())
    if ledger:
        cards.table(ledger, key="turn_ledger", alt=words("memory.ledger"), names="decision")


page()
