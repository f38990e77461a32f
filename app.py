"""The router of the app: pages in three groups, and the sidebar that all of them share."""

import streamlit as st

from memcore.views.strings import say
from pages import frame

st.set_page_config(page_title=say("app.title"), page_icon=":material/hub:", layout="wide")
page = st.navigation(
    {
        say("nav.understand"): [
            st.Page("pages/start.py", title=say("page.start"), icon=":material/upload_file:"),
            st.Page("pages/memory.py", title=say("page.memory"), icon=":material/timeline:"),
            st.Page("pages/ask.py", title=say("page.ask"), icon=":material/chat_bubble:"),
        ],
        say("nav.debug"): [
            st.Page("pages/step.py", title=say("page.step"), icon=":material/footprint:"),
        ],
    }
)
frame.begin()
frame.sidebar()
page.run()
frame.write_link()
