"""Evaluate: retrievers side by side on questions with known evidence, and where each loses it."""

from __future__ import annotations

import streamlit as st

from memcore.evaluation.work import LEAST_BUDGET, MOST_BUDGET
from memcore.store.jobs import State
from pages import address, cards, evaluating, findings, frame, holdings
from pages.frame import words


def page() -> None:
    address.routed("evaluate")
    st.title(words("page.evaluate"))
    st.markdown(words("evaluate.purpose"))
    frame.notices()
    if not holdings.dialogues():
        cards.empty("evaluate.empty", "frame.go_start", "pages/start.py")
        return
    stored = evaluating.listing()
    place = f"evaluate_new_{len(stored)}"  # one that was started closes the box
    with st.expander(words("evaluate.new"), expanded=not stored, icon=":material/add:", key=place):
        new()
    add_questions()
    if not stored:
        st.info(words("evaluate.none"))
        return
    number = choice()
    if number is not None:
        results(number)


def new() -> None:
    """What to compare, how much that is, and the one primary button."""
    rows = {row.id: row for row in holdings.dialogues()}
    here = frame.state()
    dialogues = st.multiselect(
        words("evaluate.dialogues"),
        tuple(rows),
        default=[here.dialogue] if here.dialogue in rows else [],
        placeholder=words("frame.choose"),
        format_func=lambda n: rows[n].name,
        key="evaluate_dialogues",
    )
    systems = st.multiselect(
        words("evaluate.systems"),
        tuple(holdings.SYSTEMS),
        default=[s for s in evaluating.DEFAULT if s in holdings.SYSTEMS],
        placeholder=words("frame.choose"),
        key="evaluate_systems",
    )
    more = st.multiselect(
        words("evaluate.ablations"),
        evaluating.ablations(systems),
        help=words("evaluate.ablations_help"),
        placeholder=words("evaluate.ablations_none"),
        key="evaluate_ablations",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        budget = st.number_input(
            words("evaluate.budget"),
            min_value=LEAST_BUDGET,
            max_value=MOST_BUDGET,
            value=None,
            step=100,
            placeholder=words("evaluate.budget_none"),
            help=words("evaluate.budget_help"),
            width=220,
            key="evaluate_budget",
        )
        read = st.toggle(
            words("evaluate.read"), help=words("evaluate.read_help"), key="evaluate_read"
        )
    every = (*systems, *more)
    count = sum(rows[n].questions for n in dialogues)
    if dialogues and not count:
        st.info(words("evaluate.no_questions"))
    total = f"{count * len(every):,}"
    st.caption(words("evaluate.size", questions=count, systems=len(every), total=total))
    ready = bool(count and every)
    if st.button(words("evaluate.run"), type="primary", disabled=not ready, key="evaluate_run"):
        plan = evaluating.plan(every, dialogues, budget, read=read)
        frame.state().evaluation = evaluating.start(plan)
        frame.state().cell = ""
        st.rerun()
    if not ready:
        st.caption(words("evaluate.choose_systems"))


def add_questions() -> None:
    """A questions file for the open dialogue."""
    with st.expander(words("evaluate.add"), icon=":material/playlist_add:"):
        st.caption(words("evaluate.add_help"))
        file = st.file_uploader(
            words("evaluate.add_file"),
            type=["json", "jsonl"],
            key=f"evaluate_file_{frame.state().uploads}",
        )
        if file is not None:
            evaluating.take_questions(file.name, file.getvalue())
            st.rerun()


def choice() -> int | None:
    """The evaluation that is shown: the one of the link, else the newest."""
    here, stored = frame.state(), {e.id: e for e in evaluating.listing()}
    if here.evaluation not in stored:
        if here.evaluation is not None:
            st.info(words("link.no_evaluation", n=here.evaluation))
        here.evaluation, here.cell = max(stored), ""
    st.session_state["evaluate_stored"] = here.evaluation
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            words("evaluate.stored"),
            sorted(stored, reverse=True),
            format_func=lambda n: evaluating.line(stored[n]),
            key="evaluate_stored",
            on_change=take_stored,
        )
        if not evaluating.running(stored[here.evaluation]):
            remove(here.evaluation)
    return here.evaluation


def remove(number: int) -> None:
    """Delete the shown evaluation, behind a second click that says what goes."""
    with st.popover(words("evaluate.delete"), icon=":material/delete:", type="tertiary"):
        st.caption(words("evaluate.delete_help"))
        st.button(words("evaluate.delete_now"), on_click=evaluating.delete, args=(number,))


def take_stored() -> None:
    frame.state().evaluation, frame.state().cell = st.session_state["evaluate_stored"], ""


def results(number: int) -> None:
    """How far it is, then what was found so far."""
    whole = evaluating.evaluation(number)
    if evaluating.running(whole):
        progress(number)
    elif whole.state is not State.DONE:
        key = {State.STOPPED: "stopped", State.FAILED: "failed"}.get(whole.state, "dead")
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(words(f"evaluate.{key}", error=whole.error))
            st.button(words("evaluate.resume"), on_click=evaluating.resume, args=(number,))
    if whole.done:
        findings.board(number)


@frame.fragment(run_every=1.0)
def progress(number: int) -> None:
    """Questions done of all, the time left, and Stop; the page is drawn again at the end."""
    whole = evaluating.evaluation(number)
    share = whole.done / whole.total if whole.total else 0.0
    st.progress(min(share, 1.0), text=evaluating.progress_line(whole))
    st.button(words("evaluate.stop"), on_click=evaluating.stop, args=(number,), disabled=whole.stop)
    if not evaluating.running(whole):
        st.rerun()


page()
