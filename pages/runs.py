"""Runs and export: find a run, name it, pin it, write on it, take it away as a file."""

from __future__ import annotations

from dataclasses import asdict, fields

import pandas as pd
import streamlit as st

from memcore.store.runs import Run
from memcore.views import run_rows
from memcore.views.run_rows import RunRow
from pages import address, cards, desk, exporting, frame, holdings
from pages.frame import words

MOST_ROWS = 8  # in sight at once
WIDTHS = {"run": 45, "pinned": 30, "name": 250, "tokens": 60, "seconds": 50, "notes": 50}  # pixels


def page() -> None:
    address.routed("runs")
    st.title(words("page.runs"))
    st.markdown(words("runs.purpose"))
    frame.notices()
    trash()
    every = holdings.all_runs(frame.state().dialogue)
    if not every:
        cards.empty("runs.empty", "frame.go_ask", "pages/ask.py")
        desk.importer()
        return
    found = facets(every)
    listing(found, len(every))
    chosen = next((run for run in every if run.id == frame.state().run), None)
    if chosen is None:
        st.caption(words("runs.none_chosen"))
    else:
        card(chosen)
        exporting.menu(chosen.id)
    desk.importer()


def facets(every: tuple[Run, ...]) -> tuple[Run, ...]:
    """Search and facets above the list; they are kept in the link."""
    here = frame.state().facets
    everything = words("step.all")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(words("runs.search"), here.get("q", ""), key="runs_q", width=260)
        taken = {"q": search.strip()}
        for name in ("retriever", "preset", "outcome"):
            known = run_rows.values(every, name)
            options = (everything, *known)
            at = options.index(here[name]) if here.get(name) in known else 0
            label = words(f"runs.{name}").capitalize()
            picked = st.selectbox(label, options, at, key=f"runs_{name}", width=170)
            taken[name] = "" if picked == everything else str(picked)
        pinned = st.toggle(words("runs.pinned_only"), bool(here.get("pinned")), key="runs_pinned")
    taken["pinned"] = "1" if pinned else ""
    frame.state().facets = {name: value for name, value in taken.items() if value}
    return run_rows.matching(every, frame.state().facets)


def listing(found: tuple[Run, ...], total: int) -> None:
    """The runs as a table; a row chooses its run."""
    st.caption(words("runs.shown", shown=len(found), total=total))
    drawn = run_rows.rows(found, desk.note_counts(), frame.state().language)
    ids = [run.id for run in found]

    def pick() -> None:
        rows = st.session_state["runs_table"]["selection"]["rows"]
        if rows and rows[0] < len(ids) and frame.state().run != ids[rows[0]]:
            frame.open_run(ids[rows[0]])

    names = [f.name for f in fields(RunRow)]
    st.dataframe(
        pd.DataFrame([asdict(row) for row in drawn], columns=names),
        key="runs_table",
        height=320 if len(drawn) > MOST_ROWS else "content",
        hide_index=True,
        column_config={
            name: st.column_config.Column(words(f"runs.{name}"), width=WIDTHS.get(name))
            for name in names
        },
        on_select=pick,
        selection_mode="single-row",
        alt=words("runs.alt"),
    )


def card(run: Run) -> None:
    """The chosen run: its question, and what can be done with it."""
    with st.container(border=True):
        st.caption(words("runs.chosen", run=run.id))
        st.text(run.question)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            step = st.button(words("runs.open"), type="primary", icon=":material/footprint:")
            present = st.button(words("runs.present"), icon=":material/slideshow:")
            desk.duplicate(run)
            pin = words("runs.unpin" if run.pinned else "runs.pin")
            st.button(pin, icon=":material/keep:", on_click=desk.pin, args=(run.id, not run.pinned))
            gone = words("runs.delete")
            st.button(gone, icon=":material/delete:", on_click=desk.delete, args=(run.id,))
        desk.rename(run)
        desk.notes(run.id)
    if step:
        st.switch_page("pages/step.py")
    if present:
        st.switch_page("pages/present.py")


def trash() -> None:
    """What is deleted when this page is left, each with its way back."""
    for run in frame.state().trash:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(words("runs.deleted", run=run))
            undo = words("runs.undo", run=run)
            st.button(undo, key=f"undo_{run}", on_click=desk.undo, args=(run,))


page()
