"""Step: the six beats of one run on a layout that never moves."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from memcore.types import Beat, Memory, Reply, TurnId
from memcore.views import beats, evidence, ledger, life, sheet, sheet_figure, story
from pages import address, cards, frame, holdings, network, pictures, reader, sides
from pages.frame import words

# shares of the beats' buttons by the length of their names, so that none is cut at 1000 pixels
WIDTHS = (5.0, 6.5, 5.8, 6.5, 5.0, 6.2)

VIEWS = ("picture", "ledger", "network", "packet", "raw")


def page() -> None:
    address.routed("step")
    st.title(words("step.title"))
    frame.notices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        found = cards.run_choice()
        if found is not None:
            sides.jumps(found[0])
    if found is None:
        cards.empty("step.empty", "frame.go_ask", "pages/ask.py")
        return
    run, reply, memory, _ = found
    cards.question(run, reply, border=False)
    cards.banners(run, reply, memory)
    if reply.trace.steps:
        stage(run, reply, memory)
    else:
        damaged(run, reply, memory)


def damaged(run: int, reply: Reply, memory: Memory) -> None:
    """A run whose records are not whole: what is missing, its answer and its packet."""
    cards.answer(reply)
    cards.packet(memory, reply, ())


@frame.fragment()
def stage(run: int, reply: Reply, memory: Memory) -> None:
    """Stepper, sheet and ledger in one fragment, so that a step redraws only these."""
    here, gold = frame.state(), cards.gold(reply)
    if here.stage not in stages(reply):
        here.stage = ""  # another run, or another beat
    stepper(here.beat)
    keys(run, reply, memory)
    counts = life.counts(memory, reply, gold)
    cards.strip(reply, counts, gold)
    left, right = st.columns(2, gap="medium")
    with left, st.container(height=reader.HEIGHT, border=False, gap="xsmall"):
        head(reply, memory, counts[here.beat - 1], gold)
    with right:
        chosen(run, reply, memory, gold)
    overview(run, reply, memory, gold)
    tables(run, reply, memory, gold)
    cards.selection(memory, reply, clear=False)
    address.write_link()


def stepper(now: int) -> None:
    """The six beats, as wide as the page, so that they never wrap."""
    for beat, column in zip(Beat, st.columns(WIDTHS, gap="xsmall"), strict=True):
        with column:
            st.button(
                words(f"beat.{beat.value}"),  # its number is the key shown beside it
                type="primary" if beat.value == now else "secondary",
                shortcut=str(beat.value),
                on_click=jump,
                args=(beat.value,),
                width="stretch",
            )


def keys(run: int, reply: Reply, memory: Memory) -> None:
    """One step, to the ends, gold marks, table twins, the next near miss: buttons with keys."""
    here = frame.state()
    now, last = here.beat, len(Beat)
    moves = (
        ("step.first", "Home", 1, now == 1),
        ("step.back", "K", now - 1, now == 1),
        ("step.earlier", "Left", now - 1, now == 1),
        ("step.later", "Right", now + 1, now == last),
        ("step.forward", "J", now + 1, now == last),
        ("step.last", "End", last, now == last),
    )
    with st.container(horizontal=True, gap="xsmall"):
        for key, shortcut, beat, ended in moves:
            label = words(key)
            st.button(label, shortcut=shortcut, on_click=jump, args=(beat,), disabled=ended)
        twin = words("step.pictures" if here.twin else "step.twin")
        st.button(twin, shortcut="T", on_click=frame.flip, args=("twin",))
        known = evidence.gold_of(holdings.questions(), reply.trace.question)
        if known and st.button(words("step.gold_marks"), shortcut="G"):
            frame.flip("gold")
            st.rerun()  # the switch in the sidebar turns with it
        near = cards.near_misses(run, memory, reply)
        label = words("step.near")
        st.button(label, shortcut="N", on_click=after, args=(near,), disabled=not near)


def after(near: tuple[str, ...]) -> None:
    """Select the near miss behind the selected one, the first after the last."""
    selected = frame.state().selected
    place = near.index(selected) + 1 if selected in near else 0
    frame.select(near[place % len(near)])


def jump(beat: int) -> None:
    frame.go(beat)


def stages(reply: Reply) -> tuple[str, ...]:
    """The fine stages of the present beat, in running order."""
    return tuple(s.name for s in beats.steps_of(reply.trace, Beat(frame.state().beat)))


def stage_choice(names: tuple[str, ...]) -> None:
    """One fine stage of a beat that has several, or the whole beat."""
    st.session_state["step_stage"] = frame.state().stage
    st.pills(
        words("step.stages"),
        ("", *names),
        required=True,
        format_func=lambda name: words(f"stage.{name}" if name else "step.whole"),
        key="step_stage",
        on_change=take_stage,
        label_visibility="collapsed",
    )


def take_stage() -> None:
    frame.state().stage = st.session_state["step_stage"] or ""


def head(reply: Reply, memory: Memory, count: life.BeatCount, gold: tuple[TurnId, ...]) -> None:
    """The beat in one sentence, made from a template and recorded counts, and the gold it lost."""
    here = frame.state()
    st.subheader(words("step.of", n=here.beat, name=words(f"beat.{here.beat}")))
    names = stages(reply)
    if len(names) > 1:
        stage_choice(names)
    step = next((s for s in reply.trace.steps if s.name == here.stage), None)
    st.markdown(beats.stage_sentence(step) if step else beats.sentence(memory, reply, count))
    lines = (
        beats.gold_met(reply, count, len(gold)),
        *beats.gold_lost(memory, reply, count.beat, gold),
    )
    for line in filter(None, lines):
        st.text(line)


def overview(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """The score sheet: places fixed by the run, ink by the step; a window of sessions below it."""
    here, above = frame.state(), st.container()
    first, last = window(memory)
    layout = cards.places(run, memory, reply)
    step = beats.last_step(reply.trace, Beat(here.beat), here.stage)
    look = sheet.Look(step, frame.palette(), cards.lit(reply), gold, first, last)
    with above:
        scored(run, reply, memory, layout, look)


def scored(run: int, reply: Reply, memory: Memory, layout: sheet.Sheet, look: sheet.Look) -> None:
    """The score sheet, or its table twin, each under its sentence."""
    st.caption(beats.sheet_sentence(memory, reply, layout, look))
    if frame.state().twin:
        found = sheet.table(memory, reply, look)
        total = len(memory.conversation.turns)
        st.caption(words("step.turns_shown", shown=len(found), total=total))
        cards.table(found, f"sheet_twin_{run}", words("step.sheet_alt"), 320, "turn_row")
        return
    if sheet.is_folded(memory, look):
        st.caption(words("step.folded", most=sheet.MOST_TURNS))
    figure = sheet_figure.figure(memory, reply, layout, look)
    cards.picture(figure, key=f"sheet_{run}", alt=words("step.sheet_alt"))


def window(memory: Memory) -> tuple[int, int]:
    """The sessions shown: our own slider, since pan and zoom are lost with each new figure."""
    sessions = len(memory.conversation.sessions)
    if sessions < 2:
        return 1, sessions
    here = frame.state()
    first, last = here.window or (1, sessions)
    st.session_state["step_window"] = (min(first, sessions), min(last, sessions))
    label = words("step.sessions")
    st.slider(label, 1, sessions, format="D%d", key="step_window", on_change=take_window)
    chosen: tuple[int, int] = st.session_state["step_window"]
    return chosen


def take_window() -> None:
    frame.state().window = st.session_state["step_window"]


def chosen(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """The selected item in a box of one height, and its life as a line: it stays while stepping."""
    selected = frame.state().selected
    found = tuple(dict.fromkeys(r.id for r in cards.ledger(run, memory, reply, gold)))
    lines = story.story(memory, reply, selected) if selected[:1] in {"D", "E"} else ()
    near = () if selected else cards.near_misses(run, memory, reply)
    reader.glance(memory, found, lines, reply, () if selected else beats.offers(reply, gold, near))


def tables(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """The beat's picture, the ledger, the packet or the raw records."""
    here = frame.state()
    view = here.view if here.view in VIEWS else "picture"
    chosen = st.segmented_control(
        words("step.view"),
        VIEWS,
        default=view,
        required=True,
        format_func=lambda v: words(f"step.{v}"),
        key="step_view",
        label_visibility="collapsed",
    )
    here.view = chosen or "picture"
    if here.view == "ledger":
        book(run, reply, memory, gold)
    elif here.view == "network":
        network.tab(memory, "step", run, reply, gold)
    elif here.view == "packet":
        cards.packet(memory, reply, gold)
    elif here.view == "raw":
        cards.raw(run, Beat(here.beat), here.stage)
    else:
        pictures.draw(run, reply, memory)


def book(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """Every candidate with entered, terms, rank, left, reason and margin; facets narrow it."""
    found = cards.ledger(run, memory, reply, gold)
    changes = life.moves(reply, Beat(frame.state().beat))
    groups = {name: len(getattr(changes, name)) for name in ("entered", "left", "moved")}
    since = st.pills(
        words("step.since"),
        tuple(groups),
        format_func=lambda name: words(f"since.{name}", n=groups[name]),
        key="ledger_since",
    )
    stages = ledger.codes("stage", (r.left for r in found if r.left))
    reasons = ledger.codes("reason", (r.reason for r in found))
    taken = facets(stages, reasons, gold=bool(gold))
    wanted = ledger.Facets(
        taken.get("q", ""),
        stages.get(taken.get("left", ""), ""),
        reasons.get(taken.get("reason", ""), ""),
        gold="star" in taken,
        only=None if not since else frozenset(str(i) for i in getattr(changes, since)),
        near=frozenset(cards.near_misses(run, memory, reply)) if "near" in taken else None,
    )
    shown = ledger.matching(found, wanted)
    st.caption(words("step.shown", shown=len(shown), total=len(found)))
    alt = words("step.ledger")
    cards.table(shown, "ledger", alt, height=420, names="ledger", widths=cards.LEDGER)


def facets(
    stages: Mapping[str, str], reasons: Mapping[str, str], *, gold: bool
) -> Mapping[str, str]:
    """Search and facets above the ledger; they are kept in the link, by their codes."""
    here = frame.state().ledger
    st.session_state.setdefault("ledger_q", here.get("q", ""))
    for name in ("star", "near"):
        st.session_state.setdefault(f"ledger_{name}", name in here)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        taken = {"q": st.text_input(words("step.filter"), key="ledger_q", width=200)}
        taken["left"] = code_box("left", "step.left_at", stages, 170)
        taken["reason"] = code_box("reason", "step.reason", reasons, 220)
        golden = gold and st.toggle(words("step.gold_only"), key="ledger_star")
        near = st.toggle(words("step.near_only"), key="ledger_near")
    taken |= {"star": "1" if golden else "", "near": "1" if near else ""}
    frame.state().ledger = {name: value for name, value in taken.items() if value}
    return frame.state().ledger


def code_box(name: str, label: str, shown: Mapping[str, str], width: int) -> str:
    """A facet with a closed list of codes; a link may name one that this run has not."""
    key = f"ledger_{name}"
    st.session_state.setdefault(key, frame.state().ledger.get(name, ""))
    if st.session_state[key] not in shown:
        st.session_state[key] = ""
    chosen: str = st.selectbox(
        words(label),
        ("", *shown),
        format_func=lambda code: shown.get(code, words("step.all")),
        key=key,
        width=width,
    )
    return chosen


page()
