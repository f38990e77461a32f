"""The dialog with the link to what is on the screen now: ids only, every value written out."""

from __future__ import annotations

import streamlit as st

from pages import address, frame
from pages.frame import words


def opener() -> None:
    """The button of the sidebar that opens the dialog."""
    with st.sidebar:
        if st.button(words("frame.copy_link"), icon=":material/link:", type="tertiary"):
            st.dialog(words("frame.copy_link"))(content)()


def content() -> None:
    """The link as text, with the button of a code block that copies it."""
    frame.listen()
    st.caption(words("frame.link_note"))
    st.code(address.link_here(), language=None, wrap_lines=True)
