"""The export menu: every file of a run, how much text it holds, its command line, its link."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

import memcore
from memcore.exports.choice import Choice, Scope, subject_of
from memcore.exports.menu import EXPORTS
from memcore.exports.redaction import Redaction
from memcore.store import conversations, runs
from memcore.store.schema import open_workspace
from memcore.views import run_rows
from pages import address, frame, holdings
from pages.frame import words

IN_A_ROW = 4
GROUPS = (
    ("read", ("html", "network-facts", "network-anchors", "packet")),
    ("tables", ("json", "csv", "csv-facts", "csv-anchors")),
    ("graphs", ("graphml-facts", "graphml-anchors", "hif")),
    ("again", ("test", "sqlite")),
)
"""The files by what they are for; a test finds one that is missing."""


def menu(run: int) -> None:
    """The files of a run; one is made when its button is pressed, and the page stays as it is."""
    st.subheader(words("export.title", run=run))
    choice = _choice()
    for group, names in GROUPS:
        st.caption(words(f"export.group.{group}"))
        for column, name in zip(st.columns(IN_A_ROW), names, strict=False):
            with column:
                _button(run, name, choice)
    st.caption(words("export.scope_note"))
    _line(run, choice)


def _choice() -> Choice:
    here = frame.state()
    with st.container(horizontal=True):
        redaction = st.radio(
            words("export.text"),
            list(Redaction),
            index=list(Redaction).index(Redaction(here.redaction)),
            format_func=lambda r: words(f"export.text.{r}"),
            horizontal=True,
        )
        scope = st.radio(
            words("export.scope"),
            list(Scope),
            format_func=lambda s: words(f"export.scope.{s}"),
            horizontal=True,
        )
    return Choice(Redaction(str(redaction)), Scope(str(scope)), here.language, memcore.__version__)


def _button(run: int, name: str, choice: Choice) -> None:
    held = name == "sqlite" and choice.redaction is not Redaction.FULL
    export = EXPORTS.get(name)
    st.download_button(
        words(f"export.{name}"),
        _maker(run, name, choice),
        file_name=export.file_name(run) if export else f"memcore-run-{run}.db",
        mime=export.media if export else "application/vnd.sqlite3",
        key=f"export_{run}_{name}",
        help=words("export.all_text") if held else words(f"export.{name}.help"),
        disabled=held,
        on_click="ignore",
        width="stretch",
    )


def _maker(run: int, name: str, choice: Choice) -> Callable[[], bytes]:
    return partial(_database if name == "sqlite" else _file, holdings.path(), run, name, choice)


def _file(workspace: Path, run: int, name: str, choice: Choice) -> bytes:
    with open_workspace(workspace, read_only=True) as db:
        return EXPORTS[name].data(subject_of(db, run), choice)


def _database(workspace: Path, run: int, _name: str, _choice: Choice) -> bytes:
    """A copy of the run's dialogue as a workspace of its own, made by the backup call."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_workspace(workspace, read_only=True) as db,
    ):
        copy = Path(folder) / "copy.db"
        conversations.backup(db, copy, only=runs.load_records(db, run).run.dialogue)
        return copy.read_bytes()


def _line(run: int, choice: Choice) -> None:
    """The same file by the command line and by Python, and the link to this run."""
    with st.expander(words("export.line")):
        to = st.selectbox(words("export.kind"), [*EXPORTS, "sqlite"], key="export_to", width=240)
        options = {"redaction": choice.redaction.value, "scope": choice.scope.value}
        line = run_rows.command(run, to, options, holdings.path().name)
        st.code(line, language="shell", wrap_lines=True)
        st.caption(words("export.link"))
        st.code(address.link(), language=None, wrap_lines=True)
