"""The workspace dialog: change, make, name, copy and delete workspaces and the open dialogue.

What cannot be undone stands behind a tick of its own, and says what goes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from memcore.store import conversations, evaluations, jobs, workspaces
from memcore.store.conversations import Dialogue
from memcore.store.schema import open_workspace, workspace_id
from memcore.store.workspaces import Workspace
from pages import address, cards, frame, holdings
from pages.frame import words


def opener() -> None:
    """The button of the sidebar that opens the dialog."""
    with st.sidebar:
        if st.button(words("workspace.title"), icon=":material/database:", type="tertiary"):
            st.dialog(words("workspace.title"))(content)()


def content() -> None:
    """The open workspace and the open dialogue, each with what can be done to it."""
    frame.listen()
    with cards.told():
        _change()
        _name("workspace", _open().title, _rename)
        st.download_button(
            words("workspace.backup"),
            partial(copy, holdings.path()),
            file_name=holdings.path().name,
            mime="application/vnd.sqlite3",
            help=words("workspace.backup_help"),
            on_click="ignore",
        )
        with st.expander(words("workspace.new")):
            _name("new", "", _create)
        _delete("workspace", _shown(_open()), _remove)
        row = holdings.open_row()
        if row is not None:
            st.subheader(words("workspace.dialogue"))
            st.text(row.name)
            _name("dialogue", row.name, partial(_rename_dialogue, row))
            st.download_button(
                words("workspace.backup_dialogue"),
                partial(copy, holdings.path(), row.id),
                file_name=f"memcore-dialogue-{row.id}.db",
                mime="application/vnd.sqlite3",
                help=words("workspace.backup_dialogue_help"),
                on_click="ignore",
            )
            _delete("dialogue", row.name, partial(_remove_dialogue, row))


def copy(file: Path, dialogue: int | None = None) -> bytes:
    """Return a copy of a workspace, or of one dialogue of it, made by SQLite's backup call."""
    with tempfile.TemporaryDirectory() as folder, open_workspace(file, read_only=True) as db:
        target = Path(folder) / "copy.db"
        conversations.backup(db, target, only=dialogue)
        return target.read_bytes()


# ---------------------------------------------------------------- what is shown


def _open() -> Workspace:
    file = holdings.path()
    found = {w.file: w for w in workspaces.beside(file)}
    return found.get(file.name, Workspace(file.name, "", ""))


def _shown(workspace: Workspace) -> str:
    return f"{workspace.title} ({workspace.file})" if workspace.title else workspace.file


def _change() -> None:
    known = {w.file: w for w in workspaces.beside(holdings.path())}
    files = sorted({*known, holdings.path().name})
    chosen = st.selectbox(
        words("workspace.open"),
        files,
        index=files.index(holdings.path().name),
        format_func=lambda file: _shown(known.get(file, Workspace(file, "", ""))),
        help=words("workspace.open_help"),
    )
    if chosen != holdings.path().name:
        with open_workspace(holdings.path().with_name(chosen)) as db:
            workspace_id(db)  # one that cannot be opened is refused here, and the open one stays
        address.arrive("")  # what waits in the trash of this workspace goes now
        holdings.move(chosen)
        st.rerun()


def _name(what: str, now: str, take: Callable[[str], None]) -> None:
    with st.form(f"workspace_name_{what}", border=False):
        name = st.text_input(words(f"workspace.name_{what}"), now, max_chars=200)
        if st.form_submit_button(words(f"workspace.take_{what}")):
            take(name)
            st.rerun()


def _delete(what: str, name: str, remove: Callable[[], None]) -> None:
    with st.expander(words(f"workspace.delete_{what}")):
        st.text(name)
        st.caption(words(f"workspace.gone_{what}"))
        agreed = st.checkbox(words("workspace.agree"), key=f"workspace_agree_{what}")
        if st.button(words(f"workspace.delete_{what}"), disabled=not agreed):
            if _busy():
                st.warning(words("workspace.busy"))
                return
            remove()
            st.rerun()


def _busy() -> bool:
    """Whether a build or an evaluation is at work in the open workspace."""
    now = time.time()
    with holdings.opened() as db:
        rows = conversations.listing(db)
        building = any(job.alive(now) for row in rows for job in jobs.listing(db, row.id))
        return building or any(e.alive(now) for e in evaluations.listing(db))


# ---------------------------------------------------------------- what is done


def _rename(title: str) -> None:
    with holdings.opened(read_only=False) as db:
        workspaces.rename(db, title)


def _create(title: str) -> None:
    holdings.move(workspaces.create(holdings.path().parent, title, holdings.new_id()))


def _remove() -> None:
    workspaces.delete(holdings.path())
    holdings.forget_workspaces()
    holdings.move("")


def _rename_dialogue(row: Dialogue, name: str) -> None:
    with holdings.opened(read_only=False) as db:
        conversations.rename(db, row.id, name)


def _remove_dialogue(row: Dialogue) -> None:
    with holdings.opened(read_only=False) as db:
        conversations.delete(db, row.id)
    holdings.close_dialogue()
