"""The reader: what is selected, in a box of one height, so that a selection moves nothing.

It is an input to the selection too: a box with all items, one up and one down, and a button for
each item that belongs to the selected one.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memcore.types import Memory, Reply, TurnId
from memcore.views import memory_rows, reading
from memcore.views.lane_labels import cut
from pages import cards, frame
from pages.frame import words

HEIGHT = 200
"""Pixels of the box; what is longer scrolls in it."""

LONGEST = 46
"""Half-width characters on the button of an item."""


def glance(
    memory: Memory,
    found: Sequence[str],
    lines: Sequence[str] = (),
    reply: Reply | None = None,
    offers: Sequence[reading.Row] = (),
) -> None:
    """The selected item: the way to choose another, its words, what belongs to it.

    `found` are the items to choose from, `lines` what a page has to say of the selected one,
    `reply` the run whose path, gap or sentence may be selected, `offers` what to begin with.
    """
    selected = frame.state().selected
    told = reading.reading(memory, selected, reply=reply) if selected else None
    with st.container(border=True, height=HEIGHT, gap="xsmall"):
        chooser(found, told.head if told else "")
        if told is None:
            if not offers:
                st.caption(words("memory.none"))
            for row in offers:
                linked(row)
            return
        for line in lines:
            st.text(line)
        spoken(memory, selected, told)
        for row in told.rows:
            linked(row)


def chooser(found: Sequence[str], head: str = "") -> None:
    """A box with the items, one up, one down among those of the same kind, Clear, and the head."""
    selected = frame.state().selected
    if selected and selected not in found:
        found = (selected, *found)
    st.session_state["reader_pick"] = selected or None
    alike = [i for i in found if i[:1] == selected[:1]] if selected else list(found)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.selectbox(
            words("frame.select"),
            found,
            key="reader_pick",
            on_change=_picked,
            placeholder=words("frame.nothing"),
            label_visibility="collapsed",
            width=130,
        )
        for label, key, move in (("↑", "reader.up", -1), ("↓", "reader.down", 1)):
            st.button(label, help=words(key), on_click=go, args=(alike, move), key=key)
        if selected:
            clear = words("frame.clear")
            st.button(clear, shortcut="Esc", on_click=frame.select, args=("",), type="tertiary")
        st.text(head)


def _picked() -> None:
    frame.select(st.session_state["reader_pick"] or "")


def go(found: Sequence[str], move: int) -> None:
    """Select the item before or after the selected one; from nothing, the first."""
    selected = frame.state().selected
    if not found:
        return
    at = found.index(selected) + move if selected in found else 0
    frame.select(found[min(max(at, 0), len(found) - 1)])


def spoken(memory: Memory, selected: str, told: reading.Reading) -> None:
    """The words of the item; those of a turn with the characters marked that made its anchors."""
    if not selected.startswith("D"):
        st.text(told.words)
        return
    turn = TurnId.parse(selected)
    annotation = next((a for a in memory.annotations if a.turn == turn), None)
    st.markdown(cards.marks(memory_rows.stretches(told.words, annotation)))


def linked(row: reading.Row) -> None:
    """The items of one kind, a button each; words of the dialogue are escaped."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(row.name, width="content")
        for link in row.links:
            label = cards.literal(cut(link.words, LONGEST))
            key = f"read_{row.name}_{link.id}"
            st.button(label, key=key, on_click=frame.select, args=(link.id,), type="tertiary")
        if row.more:
            st.caption(words("reader.more", n=row.more), width="content")
