"""Memory: both memories of the dialogue on one time axis, and what each turn gave."""

from __future__ import annotations

from datetime import date

import streamlit as st

from memcore.types import AnchorKind, Hyperedge, Memory, Reply, TurnId
from memcore.views import memory_rows, panorama, reading, selections
from memcore.views.memory_rows import AnchorFacets, Scoring
from pages import address, cards, frame, holdings, network, reader
from pages.frame import words

VIEWS = ("picture", "network", "facts", "anchors", "decisions", "combinations")
ROWS_A_PAGE = 12
PLAY_SECONDS = 1.5
# pixels of columns, so that those behind them are in sight too
FACT = {"id": 56, "state": 70, "fact": 330, "modality": 84, "when": 96, "said": 96, "turns": 90}
DECISION = {
    "id": 56, "action": 64, "target": 70, "similarity": 96, "overlap": 96, "why": 210,
    "compared": 200,
}  # fmt: skip


def page() -> None:
    address.routed("memory")
    st.title(words("page.memory"))
    st.markdown(words("memory.purpose"))
    frame.notices()
    whole, memory = holdings.memory(), holdings.memory(as_of=frame.state().as_of)
    if whole is None or memory is None:
        cards.missing_memory("memory.empty")
        return
    if not holdings.built():
        st.info(words("memory.half_built"))
        if st.button(words("frame.go_start"), type="primary"):
            st.switch_page("pages/start.py")
    st.caption(memory_rows.sentence(memory))
    as_of(whole)
    board(whole, memory)


# ---------------------------------------------------------------- as of


def as_of(whole: Memory) -> None:
    """The as-of session over the density of facts, or a day; Play goes on by one session."""
    here, last = frame.state(), len(whole.conversation.sessions)
    if last < 2:
        return
    now = min(here.as_of or last, last)
    st.session_state["memory_as_of"] = now
    left, middle, right = st.columns([5, 2.6, 1.4], vertical_alignment="bottom")
    with left:
        figure = panorama.density(whole, now, frame.palette())
        cards.still(figure, "density", words("memory.density_alt"))
        st.slider(
            words("frame.as_of"),
            1,
            last,
            format="D%d",
            key="memory_as_of",
            on_change=take_as_of,
            args=(last,),
            help=words("memory.density_sentence", now=now, last=last),
        )
    with middle:
        day_box(whole, now)
    with right:
        if not here.still:
            label = words("memory.pause" if here.playing else "memory.play")
            st.button(label, on_click=play, args=(last,), key="memory_play")
    if here.playing and not here.still:
        player(last)


def day_box(whole: Memory, now: int) -> None:
    """The as-of session by a day; nothing where no session has a date."""
    days = memory_rows.session_days(whole.conversation)
    if not days:
        return
    dated = [day for session, day in days if session <= now]
    st.session_state["memory_day"] = dated[-1] if dated else days[0][1]
    st.date_input(
        words("memory.as_of_date"),
        min_value=min(day for _, day in days),
        max_value=max(day for _, day in days),
        key="memory_day",
        on_change=take_day,
        args=(days,),
        help=words("memory.as_of_date_help"),
    )


def take_day(days: tuple[tuple[int, date], ...]) -> None:
    """Take the last session that began on or before the chosen day."""
    chosen = st.session_state["memory_day"]
    known = [session for session, day in days if chosen and day <= chosen]
    if known:
        now = max(known)
        frame.state().as_of = None if now == max(session for session, _ in days) else now


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
    """The reader over picture or table, so that a click is answered where it was made."""
    kept = taken()
    st.session_state.setdefault("memory_view", kept["view"])
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            words("step.view"),
            VIEWS,
            required=True,
            format_func=lambda v: words(f"memory.{v}"),
            key="memory_view",
            label_visibility="collapsed",
        )
        with st.popover(words("memory.filters"), icon=":material/filter_list:"):
            filters(kept)
        cards.legend()
    keep(view or "picture")
    selected = frame.state().selected
    reader.glance(memory, reading.items(memory), reply=run_of(selected))
    if view in TABLES:
        TABLES[view](memory)
    elif view == "network":
        network.tab(memory, "memory")
    else:
        picture(whole, memory)
    written(memory, selected)
    cards.updates(memory, selected)
    address.write_link()


def run_of(selected: str) -> Reply | None:
    """The open run, where what is selected is a thing of it."""
    run = frame.state().run
    return holdings.reply(run) if run is not None and selected[:1] in selections.OF_RUN else None


def taken() -> dict[str, str]:
    """What the link says of view and filters; what is of no use is said and left out."""
    here = frame.state()
    closed = {
        "view": set(VIEWS),
        "kinds": {k.value for k in AnchorKind},
        "scoring": {s.value for s in Scoring},
    }
    for name, allowed in closed.items():
        found = here.memory.get(name, "")
        bad = [v for v in found.split(",") if found and v not in allowed]
        if bad:
            here.memory.pop(name)
            with st.container(border=True):
                st.text(words("memory.bad_value", name=name, value=bad[0][:20]))
    least = here.memory.get("least", "")
    if not (least.isascii() and least.isdecimal() and 1 <= int(least) <= 1000):
        here.memory.pop("least", None)
    return {"view": "picture", "kinds": "entity,lexical", "least": "2"} | here.memory


def filters(kept: dict[str, str]) -> None:
    """Search, kinds, whether a key scores, and the size: which anchors are shown."""
    start: dict[str, object] = {
        "q": kept.get("q", ""),
        "kinds": [AnchorKind(k) for k in kept["kinds"].split(",") if k],
        "scoring": [Scoring(s) for s in kept.get("scoring", "").split(",") if s],
        "least": int(kept["least"]),
    }
    for name, value in start.items():
        st.session_state.setdefault(f"anchor_{name}", value)
    st.text_input(words("memory.search"), key="anchor_q")
    st.multiselect(
        words("memory.kinds"),
        tuple(AnchorKind),
        format_func=lambda k: words(f"kind.{k}"),
        placeholder=words("memory.any"),
        key="anchor_kinds",
    )
    st.multiselect(
        words("memory.scoring"),
        tuple(Scoring),
        format_func=lambda s: words(f"scoring.{s}"),
        placeholder=words("memory.any"),
        key="anchor_scoring",
    )
    st.number_input(words("memory.least"), 1, 1000, key="anchor_least")


def keep(view: str) -> None:
    """Write view and filters into the link."""
    held = st.session_state
    frame.state().memory = {
        "view": view,
        "q": held["anchor_q"],
        "kinds": ",".join(held["anchor_kinds"]),
        "scoring": ",".join(held["anchor_scoring"]),
        "least": str(held["anchor_least"]),
    }


def chosen_anchors(memory: Memory) -> tuple[Hyperedge, ...]:
    """The anchors that match the filters, the heaviest first."""
    held = st.session_state
    facets = AnchorFacets(
        held["anchor_q"],
        tuple(held["anchor_kinds"]),
        tuple(held["anchor_scoring"]),
        held["anchor_least"],
    )
    return memory_rows.anchors(memory, facets, holdings.settings())


def picture(whole: Memory, memory: Memory) -> None:
    """Lanes, anchor rows and the dialogue; a session that is not known yet hides and moves none."""
    edges = chosen_anchors(memory)
    pages = max(1, -(-len(edges) // ROWS_A_PAGE))
    page = min(st.session_state.get("anchor_page", 1), pages)
    shown = edges[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    places = holdings.panorama_of(whole)
    lanes = words("memory.lanes_sentence", lanes=len(places.lanes), folded=places.folded)
    total = len(memory.hypergraph.hyperedges)
    st.caption(f"{lanes} {words('memory.rows', shown=len(shown), total=total)}")
    selected = frame.state().selected
    lit = selections.lit(run_of(selected), selected)
    figure = panorama.figure(memory, places, shown, frame.palette(), lit)
    cards.chart(figure, key="panorama", alt=words("memory.picture_alt"))
    if pages > 1:
        st.session_state["anchor_page"] = page
        st.number_input(words("memory.page", total=pages), 1, pages, key="anchor_page", width=160)


def facts(memory: Memory) -> None:
    found = memory_rows.facts(memory)
    search = st.session_state["anchor_q"].casefold()
    shown = [r for r in found if search in f"{r.id} {r.fact}".casefold()]
    st.caption(words("memory.facts_shown", shown=len(shown), total=len(found)))
    alt = words("memory.facts")
    cards.table(shown, key="facts", alt=alt, height=420, names="fact", widths=FACT)


def anchors(memory: Memory) -> None:
    edges = chosen_anchors(memory)
    st.caption(words("memory.rows", shown=len(edges), total=len(memory.hypergraph.hyperedges)))
    found = memory_rows.anchor_rows(edges, memory, holdings.settings())
    cards.table(found, key="anchors", alt=words("memory.anchors"), height=420, names="anchor")


def combined(memory: Memory) -> None:
    """Which anchors stand in the same turns, as a sorted table."""
    edges = chosen_anchors(memory)
    found = memory_rows.combinations(edges)
    st.caption(words("memory.combinations_shown", shown=len(found), total=len(edges)))
    alt = words("memory.combinations")
    cards.table(found, key="combinations", alt=alt, height=420, names="combination")


def decisions(memory: Memory) -> None:
    found = memory_rows.decisions(memory, holdings.settings())
    everything = words("step.all")
    actions = (everything, *dict.fromkeys(r.action for r in found))
    action = st.selectbox(words("decision.action"), actions, key="decision_action", width=220)
    shown = [r for r in found if action in {everything, r.action}]
    st.caption(words("memory.decisions_shown", shown=len(shown), total=len(found)))
    alt = words("memory.decisions")
    cards.table(shown, "decisions", alt, height=420, names="decision", widths=DECISION)


# ---------------------------------------------------------------- the write ledger


def written(memory: Memory, selected: str) -> None:
    """What became of the selected turn, or fact, when the memory was written, with the numbers."""
    if selected[:1] not in {"D", "E"}:
        return
    st.markdown(words("memory.ledger"))
    if selected.startswith("D"):
        for line in memory_rows.dropped(memory, TurnId.parse(selected)):
            st.text(line)
    found = memory_rows.ledger_of(memory, selected, holdings.settings())
    if found:
        alt = words("memory.ledger")
        cards.table(found, key="turn_ledger", alt=alt, names="decision", widths=DECISION)


TABLES = {"facts": facts, "anchors": anchors, "decisions": decisions, "combinations": combined}

page()
