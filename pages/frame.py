"""What all pages share: the open workspace, the state of this browser session, and its link.

The state lives under one key of our own in the session, since a keyed widget forgets its value on
another page. The link is read once, on the first run of a session, and written after each run.
Connections are opened per operation; only frozen values are cached, by path and fingerprint.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st
from memcore.store.schema import open_workspace
from sqlite_utils import Database

from memcore.settings import PRESETS, SAFE, Settings
from memcore.store import conversations, memories, runs
from memcore.types import Conversation, Memory, Question, Reply
from memcore.views.strings import say
from memcore.views.theme import PALETTES, Palette

SYSTEMS = (
    "edgemem",
    "ariadnemem-safe",
    "ariadnemem-paper",
    "bm25",
    "dense",
    "hybrid",
    "recency",
    "full",
)


@dataclass
class State:
    """The choices of one browser session: ids only, never text."""

    dialogue: int | None = None
    system: str = "edgemem"
    as_of: int | None = None
    gold: bool = True
    run: int | None = None
    beat: int = 1
    view: str = "picture"
    selected: str = ""
    language: str = "en"
    notices: list[str] = field(default_factory=list)


def state() -> State:
    """Return the state of this browser session."""
    found: State = st.session_state.setdefault("memcore_state", State())
    return found


def words(key: str, **values: object) -> str:
    """Return a string in the language of this session."""
    return say(key, state().language, **values)


@st.cache_resource
def arguments() -> argparse.Namespace:
    """Return what stands behind `streamlit run app.py --`."""
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--workspace", type=Path, default=Path("memcore.db"))
    parser.add_argument("--sample", action="store_true")
    known, _ = parser.parse_known_args(sys.argv[1:])
    return known


def path() -> Path:
    """Return the file of the open workspace."""
    chosen: Path = arguments().workspace
    return chosen


@contextmanager
def opened(*, read_only: bool = True) -> Iterator[Database]:
    """Yield the open workspace; a new file is made on first use."""
    with open_workspace(path(), read_only=read_only and path().exists()) as db:
        yield db


def palette() -> Palette:
    """Return the palette of the viewer's theme."""
    return PALETTES["dark" if st.context.theme.type == "dark" else "light"]


def settings() -> Settings:
    """Return the settings of the chosen retriever: its preset."""
    return PRESETS["paper"] if state().system == "ariadnemem-paper" else SAFE


# ---------------------------------------------------------------- the link


def begin() -> None:
    """Read the link on the first run of a session; say what it holds that does not exist here."""
    if "memcore_state" in st.session_state:
        return
    here, raw = state(), st.query_params.to_dict()
    with opened() as db:
        known = {row.id for row in conversations.listing(db)}
        workspace = memories.workspace_id(db)
    if raw.get("ws", workspace) != workspace:
        here.notices.append(words("link.no_workspace", name=path().name))
        raw = {}
    here.dialogue = _number(raw, "dlg")
    if here.dialogue is not None and here.dialogue not in known:
        here.notices.append(words("link.no_dialogue"))
        here.dialogue = None
    if here.dialogue is None:
        here.dialogue = min(known, default=None)
    here.as_of = _number(raw, "asof")
    here.gold = raw.get("gold", "1") != "0"
    here.system = raw["set"] if raw.get("set") in SYSTEMS else here.system
    here.view = raw.get("view", here.view)
    here.selected = _selection(raw.get("sel", ""))
    _begin_run(raw)


def _begin_run(raw: dict[str, str]) -> None:
    here = state()
    run = _number(raw, "run")
    if run is None:
        return
    with opened() as db:
        if not runs.exists(db, run):
            here.notices.append(words("link.no_run", run=run))
            return
    here.run = run
    beat = _number(raw, "beat") or 1
    here.beat = min(max(beat, 1), 6)
    if beat != here.beat:
        here.notices.append(words("link.no_beat", run=run, beat=beat, shown=here.beat))


def _number(raw: dict[str, str], name: str) -> int | None:
    text = raw.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 9:
        state().notices.append(words("link.bad_value", name=name, value=text[:20]))
        return None
    return int(text)


def _selection(text: str) -> str:
    """Return the id of `t.D4:6`, `f.E12` or `a.A412`; empty where it is of no such form."""
    if not text:
        return ""
    kind, _, name = text.partition(".")
    if {"t": "D", "f": "E", "a": "A"}.get(kind) != name[:1]:
        state().notices.append(words("link.bad_value", name="sel", value=text[:20]))
        return ""
    return name


def write_link() -> None:
    """Write every choice into the address, defaults included, ids only."""
    here = state()
    with opened() as db:
        workspace = memories.workspace_id(db)
    kind = {"D": "t", "E": "f", "A": "a"}.get(here.selected[:1], "")
    values = {
        "ws": workspace,
        "dlg": here.dialogue,
        "asof": here.as_of,
        "gold": int(here.gold),
        "set": here.system,
        "run": here.run,
        "beat": here.beat,
        "view": here.view,
        "sel": f"{kind}.{here.selected}" if kind else None,
    }
    wanted = {k: str(v) for k, v in values.items() if v is not None}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def select(item: str) -> None:
    """Make `item` the one selection of this session."""
    state().selected = item


def notices() -> None:
    """Show what was wrong with the link, once."""
    for notice in state().notices:
        st.warning(notice)
    state().notices.clear()


# ---------------------------------------------------------------- what is stored


def conversation() -> Conversation | None:
    """Return the open dialogue, None if there is none."""
    number = state().dialogue
    return None if number is None else _conversation(str(path()), number, _changes())


def questions() -> tuple[Question, ...]:
    """Return the questions that came with the open dialogue."""
    number = state().dialogue
    return () if number is None else _questions(str(path()), number, _changes())


def memory(chosen: Settings | None = None, as_of: int | None = None) -> Memory | None:
    """Return the built memory of the open dialogue, None if it is not built."""
    number = state().dialogue
    if number is None:
        return None
    return _memory(str(path()), number, chosen or settings(), as_of, _changes())


def reply(run: int) -> Reply | None:
    """Return a stored run, None if there is none such."""
    with opened() as db:
        if not runs.exists(db, run):
            return None
    return _reply(str(path()), run)


def _changes() -> int:
    """A counter that moves with each write to the workspace: the cache's key."""
    with opened() as db:
        return memories.changes(db)


@st.cache_resource(max_entries=8, show_spinner=False)
def _conversation(file: str, number: int, _change: int) -> Conversation:
    with open_workspace(Path(file), read_only=True) as db:
        return conversations.load(db, number)


@st.cache_resource(max_entries=8, show_spinner=False)
def _questions(file: str, number: int, change: int) -> tuple[Question, ...]:
    with open_workspace(Path(file), read_only=True) as db:
        return conversations.questions(db, number)


@st.cache_resource(max_entries=6, show_spinner=False)
def _memory(
    file: str, number: int, chosen: Settings, as_of: int | None, change: int
) -> Memory | None:
    with open_workspace(Path(file), read_only=True) as db:
        return memories.load_memory(db, number, chosen, as_of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _reply(file: str, run: int) -> Reply:
    with open_workspace(Path(file), read_only=True) as db:
        return runs.load_run(db, run)
