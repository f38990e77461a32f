"""The state of this browser session, its language, and how a page tells what went wrong.

The state lives under one key of our own in the session, since a keyed widget forgets its value on
another page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec

import streamlit as st

from memcore.errors import MemcoreError
from memcore.settings import Settings
from memcore.views.messages import told
from memcore.views.strings import CATALOGUES, nearest, say, speak
from memcore.views.theme import PALETTES, Palette

P = ParamSpec("P")


@dataclass
class State:
    """The choices of one browser session: ids only, never text."""

    dialogue: int | None = None
    system: str = "edgemem"
    other: str = ""
    """The retriever B that is asked beside A; empty: none."""
    as_of: int | None = None
    gold: bool = True
    run: int | None = None
    left: int | None = None
    right: int | None = None
    beat: int = 1
    stage: str = ""
    """A fine stage inside the beat; empty: the whole beat."""
    view: str = "picture"
    selected: str = ""
    language: str = "en"
    reader: str = ""
    kept: bool = True
    redaction: str = "full"
    still: bool = False
    playing: bool = False
    ticked: bool = False
    twin: bool = False
    window: tuple[int, int] | None = None
    evaluation: int | None = None
    cell: str = ""
    matrix: dict[str, str] = field(default_factory=dict)
    uploads: int = 0
    linked: bool = False
    setting: int | None = None
    tried: dict[int, Settings] = field(default_factory=dict)
    tried_as_of: dict[int, int | None] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    page: str = ""
    facets: dict[str, str] = field(default_factory=dict)
    ledger: dict[str, str] = field(default_factory=dict)
    memory: dict[str, str] = field(default_factory=dict)
    trash: list[int] = field(default_factory=list)
    scene: int = 1
    file: str = ""
    """The file of the workspace, beside the one of the start; empty: that one."""


def state() -> State:
    """Return the state of this session; it begins in the link's language, else the browser's."""
    if "memcore_state" not in st.session_state:
        wanted = st.query_params.get("lang", "")
        language = wanted if wanted in CATALOGUES else nearest(st.context.locale or "")
        st.session_state["memcore_state"] = State(language=language)
    found: State = st.session_state["memcore_state"]
    return found


def listen() -> None:
    """Let the views speak the language of this session, until this run of the script ends."""
    speak(state().language)


def fragment(
    run_every: float | None = None,
) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Return a decorator for a part of a page that is drawn again alone, in this language.

    A fragment runs on a thread of its own turn, which has heard of no language yet.
    """

    def made(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def spoken(*args: P.args, **kwargs: P.kwargs) -> None:
            listen()
            try:
                draw(*args, **kwargs)
            except MemcoreError as error:  # drawn again alone, it is outside what the page catches
                refusal(error)

        return st.fragment(spoken, run_every=run_every)

    return made


def refusal(error: MemcoreError) -> None:
    """A refusal in plain words; the message may quote a file's words, so it is shown as text."""
    with st.container(border=True):
        st.error(words("error.head"))
        st.text(told(str(error)))


def refusing(act: Callable[P, None]) -> Callable[P, None]:
    """Return what a button does with its refusal told on the page: it runs before the page does."""

    @wraps(act)
    def acted(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            act(*args, **kwargs)
        except MemcoreError as error:
            state().notices.append(str(error))

    return acted


def words(key: str, **values: object) -> str:
    """Return a string in the language of this session."""
    return say(key, state().language, **values)


def palette() -> Palette:
    """Return the palette of the viewer's theme."""
    return PALETTES["dark" if st.context.theme.type == "dark" else "light"]


def select(item: str) -> None:
    """Make `item` the one selection of this session; a session `D4` is opened in place instead."""
    here = state()
    if item[:1] == "D" and item[1:].isdecimal():
        here.window = int(item[1:]), int(item[1:])
    else:
        here.selected = item


def flip(name: str) -> None:
    """Turn a switch of this session: `twin`, tables in place of pictures."""
    here = state()
    setattr(here, name, not getattr(here, name))


def notices() -> None:
    """Show what was wrong with the link, once."""
    for notice in state().notices:
        with st.container(border=True):
            st.text(told(notice))
    state().notices.clear()


def open_dialogue(number: int) -> None:
    """Make a dialogue the open one; what was chosen in the one before is let go."""
    here = state()
    if here.dialogue != number:
        here.dialogue, here.run, here.selected, here.as_of = number, None, "", None
        go(1)
        here.left = here.right = None
        here.window = None


def open_run(run: int) -> None:
    """Make a run the open one, from its first beat."""
    here = state()
    here.run, here.selected = run, ""
    go(1)


def go(beat: int, stage: str = "") -> None:
    """Go to a beat as a whole, or to a fine stage in it."""
    here = state()
    here.beat, here.stage = min(max(beat, 1), 6), stage
