"""The sides of a comparison: which runs, with which memory, and the way from one to Step."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from memcore.errors import MemcoreError
from memcore.evaluation.answers import official_f1
from memcore.store.runs import Run
from memcore.types import Beat, Question, Reply
from memcore.views import evidence
from memcore.views.compare import Side
from memcore.views.compare_items import opened
from pages import acts, cards, frame, holdings
from pages.frame import words


def load(run: int) -> Side | None:
    """Return a side, None if the memory that its run read is no longer built."""
    row = next(r for r in holdings.all_runs() if r.id == run)
    dialogue = next(d for d in holdings.dialogues() if d.id == row.dialogue)
    reply = holdings.any_reply(run)
    memory = holdings.run_memory(row.dialogue, run, reply.trace)
    if memory is None:
        return None
    known = evidence.gold_of(holdings.questions_of(dialogue), reply.trace.question)
    gold = known.evidence_turns if known and frame.state().gold else ()
    return Side(row, reply, memory, dialogue.name, dialogue.digest, gold, _f1(reply, known))


def _f1(reply: Reply, known: Question | None) -> float | None:
    if known is None or reply.answer is None or not known.answer:
        return None
    return official_f1(reply.answer.text, known.answer, known.category_code)


def choose(side: Literal["left", "right"], stored: dict[int, Run]) -> None:
    """The box that chooses the run of one side."""
    here = frame.state()
    key = f"compare_{side}"
    st.session_state[key] = here.left if side == "left" else here.right
    st.selectbox(
        words(f"compare.{side}"),
        tuple(stored),
        index=None,
        placeholder=words("frame.choose"),
        format_func=lambda run: _option(stored[run]),
        key=key,
        on_change=_took,
        args=(side,),
    )


def _option(row: Run) -> str:
    return words(
        "compare.option",
        run=row.id,
        retriever=row.retriever,
        preset=row.preset,
        question=row.name or row.question,
    )


def _took(side: Literal["left", "right"]) -> None:
    here, chosen = frame.state(), st.session_state[f"compare_{side}"]
    if side == "left":
        here.left = chosen
    else:
        here.right = chosen


def ask_with(row: Run) -> None:
    """The box of another retriever and the one button that asks the run's question with it."""
    others = tuple(name for name in holdings.SYSTEMS if name != row.retriever)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = frame.state().other
        at = others.index(wanted) if wanted in others else 0
        system = st.selectbox(words("compare.with"), others, at, key="compare_with", width=260)
        label = words("compare.ask", system=system)
        if st.button(label, type="primary", icon=":material/compare_arrows:"):
            _ask(row, system)


def _ask(row: Run, system: str) -> None:
    here, trace = frame.state(), holdings.any_reply(row.id).trace
    chosen = holdings.settings(system)
    memory = holdings.stored_memory(row.dialogue, chosen, holdings.SYSTEMS[system], trace.as_of)
    if memory is None:
        st.warning(words("compare.not_built", system=system))
        return
    asking = acts.Asking(
        trace.question, system, chosen, trace.query.asked_at, trace.as_of, bool(row.reader)
    )
    try:
        here.left, here.right = row.id, acts.asked(memory, asking)
    except MemcoreError as error:
        cards.problem(error)
        return
    st.rerun()


def step_to(side: Side, turn: str, beat: int) -> None:
    """Make a turn of a side the selection and its run the open one, to be shown in Step."""
    here = frame.state()
    frame.open_dialogue(side.row.dialogue)
    here.run, here.beat = side.run, beat
    here.selected = opened(side, turn, Beat(beat))
    st.session_state["memcore_jump"] = "step"


def jumped() -> None:
    """Go where a click of the last run wants to; a callback cannot change the page itself."""
    page = st.session_state.pop("memcore_jump", "")
    if page:
        st.switch_page(f"pages/{page}.py")


def jumps(run: int) -> None:
    """From Step to the other ways to question this run: Compare (V) and What-if (W)."""
    here = frame.state()
    with st.container(horizontal=True, gap="small", width="content"):
        if st.button(words("compare.jump"), shortcut="V", icon=":material/compare_arrows:"):
            here.left, here.right = run, here.right if here.left == run else None
            st.switch_page("pages/compare.py")
        if st.button(words("what_if.jump"), shortcut="W", icon=":material/tune:"):
            st.switch_page("pages/what_if.py")
        cards.legend()  # outside the part that each step draws again
