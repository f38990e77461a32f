"""The sidebar: the choices that all pages share.

Its widgets are set from the state before each run and write to it by callback, so that a link,
another page or a deleted dialogue can move them.
"""

from __future__ import annotations

import streamlit as st

from pages import frame, holdings
from pages.frame import words


def choices() -> None:
    """Dialogue, retriever, as-of session and gold switch."""
    here = frame.state()
    rows = {row.id: row for row in holdings.dialogues()}
    with st.sidebar:
        if not rows:
            st.caption(words("frame.no_dialogue"))
            return
        frame.open_dialogue(here.dialogue if here.dialogue in rows else min(rows))
        row = rows[here.dialogue or min(rows)]
        _put("dialogue", row.id)
        st.selectbox(
            words("frame.dialogue"),
            tuple(rows),
            format_func=lambda number: rows[number].name,
            key="frame_dialogue",
            on_change=_took,
            args=("dialogue",),
        )
        counts = {"sessions": row.sessions, "turns": row.turns, "questions": row.questions}
        st.caption(words("frame.dialogue_counts", **counts))
        _put("system", here.system)
        st.selectbox(
            words("frame.retriever"),
            tuple(holdings.SYSTEMS),
            key="frame_system",
            on_change=_took,
            args=("system",),
        )
        _put("other", here.other)
        st.selectbox(
            words("frame.second"),
            ("", *holdings.SYSTEMS),
            format_func=lambda name: name or words("frame.no_second"),
            help=words("frame.second_help"),
            key="frame_other",
            on_change=_took,
            args=("other",),
        )
        _as_of(row.sessions)
        if row.questions:
            _put("gold", here.gold)
            st.toggle(words("frame.gold"), key="frame_gold", on_change=_took, args=("gold",))


def _as_of(sessions: int) -> None:
    here = frame.state()
    if sessions < 2:
        return
    _put("as_of", min(here.as_of or sessions, sessions))
    st.slider(
        words("frame.as_of"),
        1,
        sessions,
        format="D%d",
        key="frame_as_of",
        on_change=_took,
        args=("as_of", sessions),
    )


def _put(name: str, value: int | str | bool) -> None:
    st.session_state[f"frame_{name}"] = value


def _took(name: str, last: int = 0) -> None:
    """Take a widget's value into the state; the last session stands for no limit."""
    here, value = frame.state(), st.session_state[f"frame_{name}"]
    if name == "dialogue":
        frame.open_dialogue(value)
    elif name == "as_of":
        here.as_of = None if value == last else value
    elif name == "system":
        here.system, here.setting = value, None
    elif name == "other":
        here.other = value
    else:
        here.gold = value
