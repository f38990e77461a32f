"""The link: read and checked once, on the first run of a session, and written after each run.

What it names and is not here is told. It holds ids only, and every choice with its default.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode, urlsplit

import streamlit as st

from memcore.store import conversations, trash, workspaces
from memcore.views import selections
from memcore.views.facets import LEDGER, MATRIX, RUNS
from memcore.views.strings import CATALOGUES
from pages import frame, holdings
from pages.frame import words

WHOLE = "all"
"""The stage of a link that names no fine one."""

MEMORY_FACETS = ("view", "q", "kinds", "scoring", "least")
"""What the page Memory keeps in the link."""


def routed(page: str) -> None:
    """Send a page that ran without the router to it.

    The very first request of a server runs a page of `pages/` by Streamlit's own discovery, which
    the router switches off for all that follow; a link opened cold would lack the frame.
    """
    frame.listen()
    if "memcore_routed" not in st.session_state:
        st.session_state["memcore_wanted"] = page
        st.switch_page("app.py", query_params=st.query_params.to_dict())
    arrive(page)


def arrive(page: str) -> None:
    """Come to a page; leaving the list of runs deletes for good what was deleted there."""
    here = frame.state()
    left, here.page = here.page, page
    if here.trash and left != page:
        with holdings.opened(read_only=False) as db:
            trash.empty(db, tuple(here.trash))
        here.trash.clear()


def begin() -> None:
    """Read the link on the first run of a session; say what it holds that does not exist here."""
    if "memcore_begun" in st.session_state:
        return
    here, raw = frame.state(), st.query_params.to_dict()
    _begin_language(raw.pop("lang", here.language))
    here.linked = bool(raw)
    raw = _begin_workspace(raw)
    with holdings.opened(read_only=False) as db:  # a file of an older memcore is brought up to date
        known = {row.id: row.sessions for row in conversations.listing(db)}
    st.session_state["memcore_begun"] = True
    here.dialogue = _number(raw, "dlg")
    if here.dialogue is not None and here.dialogue not in known:
        here.notices.append(words("link.no_dialogue"))
        here.dialogue = None
    if here.dialogue is None:
        here.dialogue = min(known, default=None)
    here.as_of = _known_session(_number(raw, "asof"), known.get(here.dialogue or 0, 0))
    here.gold = raw.get("gold", "1") != "0"
    _begin_setting(raw.get("set", ""))
    here.view = raw.get("view", here.view)
    here.selected = _selection(raw.get("sel", ""))
    _begin_own(raw)
    _begin_run(raw)
    _begin_sides(raw)
    _check_selection()


def _begin_language(wanted: str) -> None:
    """Say where a link wants a language that the screen does not speak."""
    if wanted not in CATALOGUES:
        known = ", ".join(CATALOGUES)
        frame.state().notices.append(words("link.no_language", wanted=wanted[:20], known=known))


def _begin_workspace(raw: dict[str, str]) -> dict[str, str]:
    """Open the workspace of a link, and return what else the link says; nothing if it is none."""
    wanted = raw.get("ws", "")
    if not wanted:
        return raw
    files = [w.file for w in workspaces.beside(holdings.path()) if w.id == wanted]
    if files:  # a copy has the id of its original: the file of the start goes before
        frame.state().file = "" if holdings.path().name in files else files[0]
        return raw
    frame.state().notices.append(words("link.no_workspace", name=holdings.path().name))
    return {}


def _begin_sides(raw: dict[str, str]) -> None:
    here = frame.state()
    here.left, here.right = _side(raw, "l"), _side(raw, "r")
    if here.left is not None and here.run is None:
        _begin_beat(raw, here.left)


def _begin_setting(text: str) -> None:
    """Read `edgemem`, or `edgemem.3` for the third saved setting, which is for that retriever."""
    here = frame.state()
    system, _, number = text.partition(".")
    here.system = system if system in holdings.SYSTEMS else here.system
    if not number:
        return
    found = {str(s.id): s for s in holdings.saved_settings()}.get(number)
    if found is None or found.retriever != here.system:
        here.notices.append(words("link.no_setting"))
        return
    here.setting = found.id


def _side(raw: dict[str, str], name: str) -> int | None:
    """Return the run of one side of a comparison; a link to it opens its dialogue."""
    here, run = frame.state(), _number(raw, name)
    if run is None:
        return None
    stored = {r.id: r for r in holdings.all_runs()}
    if run not in stored:
        here.notices.append(words("link.no_run", run=run))
        return None
    if name == "l":
        here.dialogue = stored[run].dialogue
    return run


def _begin_own(raw: dict[str, str]) -> None:
    here = frame.state()
    here.evaluation, here.cell = _number(raw, "eval"), raw.get("cell", "")[:200]
    with holdings.opened() as db:
        left = trash.listing(db)
    if left:  # a tab was closed on the list of runs
        with holdings.opened(read_only=False) as db:
            trash.empty(db, before=datetime.now(UTC) - timedelta(hours=1))
    page = urlsplit(st.context.url or "").path.rpartition("/")[2]  # both have a facet `q`
    if page != "step":
        here.facets = {name: raw[name][:200] for name in RUNS if raw.get(name)}
    if page == "memory":
        here.memory = {name: raw[name][:200] for name in MEMORY_FACETS if name in raw}
    if page in {"step", ""}:
        here.ledger = {name: raw[name][:200] for name in LEDGER if raw.get(name)}
    if page == "evaluate":
        here.matrix = {name: raw[name][:200] for name in MATRIX if raw.get(name)}
    here.scene = _number(raw, "scene") or 1


def _begin_run(raw: dict[str, str]) -> None:
    here, run = frame.state(), _number(raw, "run")
    if run is None:
        return
    stored = {r.id: r for r in holdings.all_runs()}
    if run not in stored:
        here.notices.append(words("link.no_run", run=run))
        return
    here.run, here.dialogue = run, stored[run].dialogue
    _begin_beat(raw, run)
    _begin_stage(raw, run)


def _begin_beat(raw: dict[str, str], run: int) -> None:
    here, beat = frame.state(), _number(raw, "beat") or 1
    here.beat = min(max(beat, 1), 6)
    if beat != here.beat:
        here.notices.append(words("link.no_beat", run=run, beat=beat, shown=here.beat))


def _begin_stage(raw: dict[str, str], run: int) -> None:
    """Read the fine stage; one without a beat brings its own, one of another beat is told."""
    here, name = frame.state(), raw.get("stage", WHOLE)
    if name == WHOLE:
        return
    beats = {step.name: step.beat.value for step in holdings.any_reply(run).trace.steps}
    if name not in beats:
        here.notices.append(words("link.no_stage", run=run, stage=name[:20]))
        return
    here.beat = here.beat if raw.get("beat") else beats[name]
    if beats[name] == here.beat:
        here.stage = name
    else:
        told = {"stage": name, "its": beats[name], "beat": here.beat}
        here.notices.append(words("link.other_stage", run=run, **told))


def _number(raw: dict[str, str], name: str) -> int | None:
    text = raw.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        frame.state().notices.append(words("link.bad_value", name=name, value=text[:20]))
        return None
    return int(text)


def _selection(text: str) -> str:
    """Return the id of a selection; one of no known form is told and left out."""
    item = selections.read(text)
    if text and not item:
        frame.state().notices.append(words("link.bad_value", name="sel", value=text[:20]))
    return item


def _check_selection() -> None:
    here = frame.state()
    if not _held(here.selected):
        run = "_run" if here.selected[:1] in selections.OF_RUN else ""
        here.notices.append(words(f"link.no_selection{run}", id=here.selected))
        here.selected = ""


def _held(item: str) -> bool:
    """Whether the open dialogue, a memory of it or the run holds an item; nothing is held too."""
    if not item:
        return True
    if item[:1] in selections.OF_RUN:
        run = frame.state().run
        return run is not None and selections.of_run(holdings.reply(run), item) is not None
    if item.startswith("D"):
        found = holdings.conversation()
        return found is not None and item in {str(t.id) for t in found.turns}
    known = holdings.memory()
    if known is None:
        return False
    facts = (*known.evolution.entries, *known.evolution.merged)
    rows = known.hypergraph.hyperedges
    return item in {str(e.id) for e in facts} | {str(h.id) for h in rows}


def write_link() -> None:
    """Write every choice into the address, defaults included, ids only.

    The language is in the address, to outlive a reload, and not in a link that is passed on.
    """
    wanted = _chosen() | {"lang": frame.state().language}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def link_here() -> str:
    """Return the link to this page as it stands, every value written out."""
    url = urlsplit(st.context.url or "")
    return f"{url.scheme}://{url.netloc}{url.path}?{urlencode(_chosen())}"


def _chosen() -> dict[str, str]:
    here = frame.state()
    values = {
        "ws": holdings.workspace(),
        "dlg": here.dialogue,
        "asof": here.as_of,
        "gold": int(here.gold),
        "set": here.system if here.setting is None else f"{here.system}.{here.setting}",
        "run": here.run,
        "l": here.left,
        "r": here.right,
        "beat": here.beat,
        "stage": here.stage or WHOLE,
        "view": here.view,
        "sel": selections.written(here.selected) or None,
        "eval": here.evaluation,
        "cell": here.cell or None,
    }
    return {k: str(v) for k, v in values.items() if v is not None} | _own(here)


def _own(here: frame.State) -> dict[str, str]:
    """What only one page puts into the link: the facets of the runs, the scene shown."""
    own = {
        "runs": here.facets,
        "step": here.ledger,
        "memory": here.memory,
        "present": {"scene": str(here.scene)},
        "evaluate": here.matrix,
    }
    return own.get(here.page, {})


def link() -> str:
    """Return the link to the open run in Step: ids only."""
    here, url = frame.state(), urlsplit(st.context.url or "")
    names = {
        "ws": holdings.workspace(),
        "dlg": here.dialogue,
        "run": here.run,
        "beat": 1,
    }
    values = urlencode({name: value for name, value in names.items() if value is not None})
    return f"{url.scheme}://{url.netloc}{url.path.rpartition('/')[0]}/step?{values}"


def _known_session(asked: int | None, last: int) -> int | None:
    """The session of a link, None for all; one that the dialogue does not have is told."""
    if asked is None or 1 <= asked <= last:
        return asked
    frame.state().notices.append(words("link.no_session", session=asked, last=last))
    return None
