"""What is done with a run beside reading it: name, pin, notes, deletion, a saved run opened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from memcore.errors import MemcoreError
from memcore.exports import saved
from memcore.store import notes as note_rows
from memcore.store import runs, trash
from memcore.store.named_settings import MOST_CHARACTERS
from memcore.store.runs import Run
from memcore.views.strings import minute
from pages import cards, frame, holdings, trying
from pages.frame import words

MOST_MEGABYTES = 50


def note_counts() -> Mapping[int, int]:
    """Return how many notes each run has."""
    with holdings.opened() as db:
        return note_rows.counts(db)


@frame.refusing
def pin(run: int, pinned: bool) -> None:
    """Keep a run at the top of the list, or no longer."""
    with holdings.opened(read_only=False) as db:
        runs.pin(db, run, pinned=pinned)


@frame.refusing
def delete(run: int) -> None:
    """Take a run out of the list; it comes back by undo, until the page is left."""
    here = frame.state()
    with holdings.opened(read_only=False) as db:
        trash.put(db, run, datetime.now(UTC))
    here.trash.append(run)
    here.run = None if here.run == run else here.run


@frame.refusing
def undo(run: int) -> None:
    """Bring a deleted run back."""
    here = frame.state()
    with holdings.opened(read_only=False) as db:
        trash.take_out(db, run)
    here.trash.remove(run)
    here.run = run


def duplicate(run: Run) -> None:
    """A run is never edited: its copy is a setting under a name, opened in What-if to be changed."""
    with st.popover(words("runs.duplicate"), icon=":material/tune:"):
        st.caption(words("runs.duplicate_note"))
        name = st.text_input(
            words("what_if.save_name"),
            words("runs.duplicate_name", run=run.id),
            max_chars=MOST_CHARACTERS,
            key=f"duplicate_{run.id}",
        )
        if not st.button(words("runs.duplicate_do"), key=f"duplicate_do_{run.id}"):
            return
        chosen = holdings.any_reply(run.id).trace.settings
        refused = trying.save(name, run.id, run.retriever, chosen)
        if refused:
            st.text(refused)
            return
    st.switch_page("pages/what_if.py")


def rename(run: Run) -> None:
    """A box for the run's name; an empty one takes it away."""
    row = st.form(f"rename_{run.id}", border=False).container(
        horizontal=True, vertical_alignment="bottom"
    )
    name = row.text_input(words("runs.name"), run.name, max_chars=120, width=360)
    taken = row.form_submit_button(words("runs.rename"))
    if taken and name.strip() != run.name:
        with holdings.opened(read_only=False) as db:
            runs.rename(db, run.id, name)
        st.rerun()


def notes(run: int) -> None:
    """The notes on a run as text, and a box for one more."""
    with holdings.opened() as db:
        found = note_rows.of(db, run)
    with st.expander(words("runs.notes_of", n=len(found)), expanded=bool(found)):
        for note in found:
            with st.container(horizontal=True, vertical_alignment="top"):
                at = minute(note.written_at, frame.state().language)
                st.text(f"{at}\n{note.text}", width="stretch")
                label, key = words("runs.delete_note"), f"note_{run}_{note.n}"
                st.button(label, key=key, on_click=_drop_note, args=(run, note.n), type="tertiary")
        with st.form(f"note_{run}", clear_on_submit=True, border=False):
            text = st.text_area(words("runs.note"), max_chars=4000, height=80)
            taken = st.form_submit_button(words("runs.add_note"))
    if taken and text.strip():
        with holdings.opened(read_only=False) as db:
            note_rows.add(db, run, text, datetime.now(UTC))
        st.rerun()


@frame.refusing
def _drop_note(run: int, n: int) -> None:
    with holdings.opened(read_only=False) as db:
        note_rows.delete(db, run, n)


def importer() -> None:
    """A saved run as a file: stored as a run of the dialogue that it asked, and opened."""
    here = frame.state()
    with st.expander(words("runs.import")):
        st.caption(words("runs.import_note"))
        file = st.file_uploader(
            words("runs.import_file"),
            type=["json"],
            key=f"runs_upload_{here.uploads}",
            max_upload_size=MOST_MEGABYTES,
        )
        if file is not None and st.button(words("runs.import_open")):
            _store(file.getvalue())


def _store(data: bytes) -> None:
    here = frame.state()
    try:
        with holdings.opened(read_only=False) as db:
            run = saved.store(db, data)
            dialogue = runs.load_records(db, run).run.dialogue
    except MemcoreError as error:
        cards.problem(error)
        return
    here.uploads += 1
    frame.open_dialogue(dialogue)
    frame.open_run(run)
    here.notices.append(words("runs.imported", run=run))
    st.rerun()
