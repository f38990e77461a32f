"""Present: six scenes from one recorded run and one honest failure, for a room."""

from __future__ import annotations

import streamlit as st

from memcore.types import Memory, Reply, TurnId
from memcore.views.evidence import gold_of
from memcore.views.scenes import scenes
from memcore.views.scenes.failure import Failed, fails
from memcore.views.scenes.shown import Scene, Shown
from pages import acts, address, cards, frame, holdings
from pages.frame import words

ANSWERED = 5  # the scene of the answer, which stands under its question
MOST_RUNS = 20  # looked through for an honest failure, the newest first


def page() -> None:
    address.routed("present")
    st.set_page_config(layout="wide", initial_sidebar_state="collapsed")
    found, stage = None, st.container()
    if holdings.all_runs(frame.state().dialogue):
        with st.expander(words("present.which")):
            found = cards.run_choice()
    if found is None:
        st.title(words("page.present"))
        st.info(words("present.empty"))
        if st.button(words("present.sample"), type="primary"):
            acts.open_sample("english")
        return
    with stage:
        show(*found)


@frame.fragment()
def show(run: int, reply: Reply, memory: Memory, gold: tuple[TurnId, ...]) -> None:
    """One scene at full width: buttons and keys, figure, quotes, notes, twin."""
    here = frame.state()
    shown = Shown(memory, reply, gold, frame.palette(), here.language)
    made = scenes(shown, honest_failure(run, shown))
    there = [scene.n for scene in made if scene]
    if here.scene not in there:
        now = min(there, key=lambda n: (abs(n - here.scene), n))
        st.info(words("present.no_scene", n=here.scene, shown=there.index(now) + 1))
        here.scene = now
    scene = next(s for s in made if s and s.n == here.scene)
    head(scene, there)
    shown_run = scene.run or run
    system = next((r.retriever for r in holdings.all_runs(here.dialogue) if r.id == shown_run), "")
    if not system:  # deleted since, in another window
        st.info(words("link.no_run", run=shown_run))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words("present.recorded", run=shown_run, retriever=system))
        if st.button(words("present.step"), icon=":material/footprint:"):
            to_step(scene)
    draw(scene, run, reply)
    gone = [words(f"present.{n}") for n, s in enumerate(made, 1) if s is None]
    if gone:
        st.caption(words("present.skipped", names=words("present.and").join(gone)))
    address.write_link()


def head(scene: Scene, there: list[int]) -> None:
    """Back, where one is, and on."""
    at = there.index(scene.n)
    before, after = there[max(at - 1, 0)], there[min(at + 1, len(there) - 1)]
    with st.container(horizontal=True, vertical_alignment="center"):
        back, on = words("present.back"), words("present.next")
        st.button(back, shortcut="Left", on_click=go, args=(before,), disabled=before == scene.n)
        name = words(f"present.{scene.n}")
        place = words("present.place", n=at + 1, total=len(there), name=name)
        st.title(place, anchor=False, width="stretch")
        last = after == scene.n
        st.button(on, shortcut="Right", on_click=go, args=(after,), disabled=last, type="primary")


def go(scene: int) -> None:
    frame.state().scene = scene


def to_step(scene: Scene) -> None:
    """Open Step; for the failure at its run and the beat that lost the evidence."""
    here = frame.state()
    if scene.run:
        frame.open_run(scene.run)
        here.beat, here.selected = scene.beat, scene.lost
    st.switch_page("pages/step.py")


def draw(scene: Scene, run: int, reply: Reply) -> None:
    """The sentence, the figure, the quotes; notes and the table twin folded away.

    Where the scene is about the question, it stands above with its stretches marked.
    """
    if scene.asked:
        st.subheader(cards.marks(scene.asked), anchor=False)
        st.markdown(cards.literal(scene.sentence))
    else:
        st.subheader(cards.literal(scene.sentence), anchor=False)
    if scene.n == ANSWERED:
        st.text(words("present.asked", question=reply.trace.question))
    alt = words("present.alt", said=scene.sentence)
    cards.chart(scene.figure, key=f"scene_{run}_{scene.n}", alt=alt)
    quotes(scene)
    if scene.advice:
        st.markdown(words(scene.advice))
    with st.expander(words("present.notes")):
        st.markdown(words(f"present.{scene.n}.note"))
    with st.expander(words("present.table")):
        cards.table(scene.rows, key=f"twin_{scene.n}", alt=scene.sentence, names=scene.names)


def quotes(scene: Scene) -> None:
    """What was said, to the letter, side by side."""
    if not scene.quotes:
        return
    for column, quote in zip(st.columns(len(scene.quotes)), scene.quotes, strict=True):
        with column, st.container(border=True, height="stretch"):
            cards.chip(quote.id, f"quote_{scene.n}_{quote.id}")
            st.text(quote.head)
            st.text(quote.text)


def honest_failure(run: int, shown: Shown) -> Failed | None:
    """The presented run if it failed, else the newest stored run of this dialogue that did."""
    if fails(shown):
        return Failed(run, shown)
    known = holdings.questions()
    for row in holdings.all_runs(frame.state().dialogue)[:MOST_RUNS]:
        question = gold_of(known, row.question)
        other = holdings.reply(row.id) if question and question.evidence_turns else None
        if question is None or other is None:
            continue
        system = other.trace.retriever
        memory = holdings.stored_memory(
            frame.state().dialogue or 0,
            other.trace.settings,
            holdings.SYSTEMS[system],
            other.trace.as_of,
        )
        if memory is None:
            continue
        found = Shown(memory, other, question.evidence_turns, shown.palette, shown.language)
        if fails(found):
            return Failed(row.id, found)
    return None


page()
