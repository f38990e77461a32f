"""The router of the app: pages in groups, and the sidebar that all of them share."""

from pathlib import Path

import streamlit as st

from pages import collecting  # noqa: F401 - first: what is loaded by now is set apart

# isort: split
from memcore.views import theme
from memcore.views.strings import say
from pages import acts, address, cards, frame, linking, preferences, sidebar, workspace

PAGES = {
    "nav.understand": (("start", "upload_file"), ("memory", "timeline"), ("ask", "chat_bubble")),
    "nav.debug": (
        ("step", "footprint"),
        ("compare", "compare_arrows"),
        ("what_if", "tune"),
        ("evaluate", "leaderboard"),
    ),
    "nav.share": (("runs", "inventory_2"), ("present", "slideshow")),
}

# a file of our own: Streamlit fetches the icons that it knows by name from another host
ICON = Path(__file__).parent / "pages" / "icon.png"
st.set_page_config(page_title=say("app.title"), page_icon=ICON, layout="wide")
st.session_state["memcore_routed"] = True
frame.listen()
page = st.navigation(
    {
        say(group): [
            st.Page(f"pages/{name}.py", title=say(f"page.{name}"), icon=f":material/{icon}:")
            for name, icon in pages
        ]
        for group, pages in PAGES.items()
    }
)
with cards.told():
    address.begin()
    st.html(theme.PRIMARY_BUTTONS + theme.OUTLINES)
    wanted = st.session_state.pop("memcore_wanted", "")
    if wanted:
        st.switch_page(f"pages/{wanted}.py", query_params=st.query_params.to_dict())
    sidebar.choices()
    linking.opener()
    workspace.opener()
    preferences.opener()
    if acts.sample_asked():
        acts.open_sample("english")
    frame.notices()
    page.run()
    address.write_link()
