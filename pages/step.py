"""Step: the six beats of one run on a layout that never moves."""

from __future__ import annotations

import streamlit as st

from memcore.types import Beat, Memory, Reply, Step, TurnId
from memcore.views import beats, life, rows, sheet
from pages import cards, frame, sides
from pages.frame import words

VIEWS = ("ledger", "packet", "raw")


def page() -> None:
    frame.routed("step")
    st.title(words("step.title"))
    frame.notices()
    found = cards.run_choice()
    if found is None:
        cards.empty("step.empty", "frame.go_ask", "pages/ask.py")
        return
    sides.jumps(found[0])
    stage(*found)


@frame.fragment()
def stage(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """Stepper, sheet and ledger in one fragment, so that a step redraws only these."""
    here = frame.state()
    cards.question(run, reply)
    stepper(here.beat)
    counts = life.counts(memory, reply, gold)
    cards.strip(memory, reply, gold)
    head(reply, memory, counts[here.beat - 1])
    picture(run, reply, memory, gold)
    panel(reply, memory)
    cards.selection(memory, reply)
    tables(run, reply, memory, gold)
    frame.write_link()


def stepper(now: int) -> None:
    with st.container(horizontal=True, gap="small"):
        back, forward = words("step.back"), words("step.forward")
        st.button(back, shortcut="K", on_click=jump, args=(now - 1,), disabled=now == 1)
        for beat in Beat:
            st.button(
                f"{beat.value} {words(f'beat.{beat.value}')}",
                type="primary" if beat.value == now else "secondary",
                shortcut=str(beat.value),
                on_click=jump,
                args=(beat.value,),
            )
        st.button(forward, shortcut="J", on_click=jump, args=(now + 1,), disabled=now == 6)


def jump(beat: int) -> None:
    frame.state().beat = min(max(beat, 1), 6)


def picture(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """The score sheet: places fixed by the run, ink by the step."""
    here = frame.state()
    layout = sheet.sheet(memory, reply)
    step = beats.last_step(reply.trace, Beat(here.beat))
    look = sheet.Look(step, frame.palette(), here.selected, gold)
    st.caption(beats.sheet_sentence(memory, reply, layout, look, here.language))
    figure = sheet.figure(memory, reply, layout, look)
    cards.chart(figure, key=f"sheet_{run}", alt=words("step.sheet_alt"))


def head(reply: Reply, memory: Memory, count: life.BeatCount) -> None:
    """The beat in one sentence, made from a template and recorded counts."""
    here = frame.state()
    st.subheader(words("step.of", n=here.beat, name=words(f"beat.{here.beat}")))
    st.markdown(beats.sentence(memory, reply, count, here.language))


def panel(reply: Reply, memory: Memory) -> None:
    """What the beat did, as tables."""
    here = frame.state()
    beat, language = Beat(here.beat), here.language
    if beat is Beat.ANSWER:
        cards.answer(reply)
    elif beat in {Beat.CUE, Beat.ACTIVATE}:
        found = rows.cues(memory, reply, language)
        if found:
            cards.table(found, key="cues", alt=words("step.cues"), names="cue")
    steps = beats.steps_of(reply.trace, beat)
    if steps:
        stages = tuple(rows.stage(step, language) for step in steps)
        cards.table(stages, key="stages", alt=words("step.stage"), names="stage_row")
    for step in steps:
        details(memory, step)


def details(memory: Memory, step: Step) -> None:
    """What one fine stage did beside its counts: its tail, bridges, paths and edges."""
    language = frame.state().language
    for rest in step.rest:
        st.caption(words("step.rest", count=rest.count, reason=words(f"reason.{rest.reason}")))
    if step.gaps:
        found = rows.ladder(memory, step.gaps, language)
        st.markdown(words("step.ladder"))
        alt, key = words("step.ladder"), f"ladder_{step.name}"
        cards.table(found, key=key, alt=alt, height=215, names="ladder")
    if step.paths:
        paths, key = rows.paths(step), f"paths_{step.name}"
        st.markdown(words("step.paths"))
        cards.table(paths, key=key, alt=words("step.paths"), height=215, names="path")
    if step.edges:
        with st.expander(words("step.edges_of", n=len(step.edges), stage=rows.stage(step).stage)):
            edges, key = rows.edges(step, language), f"edges_{step.name}"
            cards.table(edges, key=key, alt=words("step.edges"), height=320, names="edge_row")


def tables(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """Ledger, packet or raw records below the picture."""
    here = frame.state()
    view = here.view if here.view in VIEWS else "ledger"
    chosen = st.segmented_control(
        words("step.view"),
        VIEWS,
        default=view,
        required=True,
        format_func=lambda v: words(f"step.{v}"),
        key="step_view",
        label_visibility="collapsed",
    )
    here.view = chosen or "ledger"
    if here.view == "ledger":
        ledger(reply, memory, gold)
    elif here.view == "packet":
        found = rows.packet(memory, reply, gold)
        cards.table(found, key="packet", alt=words("step.packet"), names="packet")
        st.code(reply.context.text, language=None, wrap_lines=True)
        if reply.answer and reply.answer.prompt:
            st.subheader(words("ask.prompt"))
            st.code(reply.answer.prompt, language=None, wrap_lines=True)
    else:
        cards.raw(run, Beat(here.beat))


def ledger(reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """Every candidate with entered, terms, rank, left, reason and margin."""
    found = rows.ledger(memory, reply, gold, frame.state().language)
    everywhere = words("step.all")
    stages = (everywhere, *dict.fromkeys(r.left for r in found if r.left))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(words("step.filter"), key="ledger_search", width=260)
        left = st.selectbox(words("step.left_at"), stages, key="ledger_left", width=200)
        golden = st.toggle(words("step.gold_only"), key="ledger_gold") if gold else False
    shown = rows.matching(found, search, "" if left == everywhere else left, gold_only=golden)
    st.caption(words("step.shown", shown=len(shown), total=len(found)))
    cards.table(shown, key="ledger", alt=words("step.ledger"), height=420, names="ledger")


page()
