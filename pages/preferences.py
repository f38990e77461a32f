"""The settings dialog: language, reader, token counter, redaction, motion; of this session only.

The address, the model and the key of a model server come from the environment or the secrets;
the dialog says whether a key is set and never shows it.
"""

from __future__ import annotations

import streamlit as st

from memcore.annotate.tokens import COUNTER
from memcore.chat import Server, check
from memcore.errors import ServerError
from memcore.views.messages import told
from memcore.views.strings import NAMES
from pages import acts, frame
from pages.frame import words

READERS = ("local", "server")
REDACTIONS = ("full", "first80", "ids")


def opener() -> None:
    """The button of the sidebar that opens the dialog."""
    with st.sidebar:
        if st.button(words("frame.settings"), icon=":material/settings:", type="tertiary"):
            st.dialog(words("frame.settings"))(content)()


def content() -> None:
    """All choices, taken at once; a new language draws the whole screen again."""
    frame.listen()
    here = frame.state()
    languages = tuple(NAMES)
    chosen = st.selectbox(
        words("settings.language"),
        languages,
        index=languages.index(here.language),
        format_func=lambda code: NAMES[code],
    )
    if chosen != here.language:
        here.language = chosen
        st.rerun()
    reader()
    st.caption(words("settings.counter", name=COUNTER))
    here.redaction = st.selectbox(
        words("settings.redaction"),
        REDACTIONS,
        index=REDACTIONS.index(here.redaction),
        format_func=lambda r: words(f"settings.redaction.{r}"),
    )
    here.still = st.toggle(words("settings.still"), here.still, help=words("settings.still_help"))
    if st.button(words("settings.close"), type="primary"):
        st.rerun()


def reader() -> None:
    """Who answers; a server can be chosen once its address and model are set, and be tried."""
    here = frame.state()
    try:
        server = acts.server()
    except ServerError as error:  # the address is none
        st.text(told(str(error)))
        return
    if server is None:
        st.caption(words("settings.only_local"))
        st.caption(words("settings.no_server"))
        return
    here.reader = st.radio(
        words("settings.reader"),
        READERS,
        index=READERS.index("server" if acts.served() else "local"),
        format_func=lambda r: words(f"settings.reader.{r}"),
        horizontal=True,
    )
    st.text(words("settings.server", place=server.place, model=server.model))
    st.caption(words("settings.key_set" if server.key else "settings.key_not_set"))
    if st.button(words("settings.test")):
        tried(server)


def tried(server: Server) -> None:
    """One short request to the server, and in one sentence how it went; names as text."""
    with st.spinner(words("settings.testing")):
        try:
            found = check(server)
        except ServerError as error:
            st.text(told(str(error)))
            return
    st.text(found.sentence)
    if found.models:
        st.text(words("settings.models", names=", ".join(found.models)))
