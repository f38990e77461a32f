"""What all pages share: the open workspace, the state of this browser session, and its link.

The state lives under one key of our own in the session, since a keyed widget forgets its value on
another page. The link is read once, on the first run of a session, and written after each run.
Connections are opened per operation; only frozen values are cached, by path and fingerprint.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from typing import ParamSpec
from urllib.parse import urlencode, urlsplit

import streamlit as st
from sqlite_utils import Database

from memcore.errors import MemcoreError
from memcore.settings import Settings, settings_of
from memcore.store import conversations, memories, named_settings, runs, trash, workspaces
from memcore.store.conversations import Dialogue
from memcore.store.memories import Build, Kind
from memcore.store.named_settings import Named
from memcore.store.recalling import reply_of
from memcore.store.records import Records
from memcore.store.schema import open_workspace, workspace_id
from memcore.types import Conversation, Memory, Question, Reply, Trace
from memcore.views import damage, selections
from memcore.views.facets import LEDGER, MATRIX, RUNS
from memcore.views.messages import told
from memcore.views.panorama import Panorama, panorama
from memcore.views.strings import nearest, say, speak
from memcore.views.theme import PALETTES, Palette

P = ParamSpec("P")
SYSTEMS = {
    "edgemem": Kind.EDGEMEM,
    "best": Kind.VECTORS,
    "best-lexical": Kind.EDGEMEM,
    "ariadnemem-paper": Kind.ARIADNEMEM,
    "ariadnemem-safe": Kind.ARIADNEMEM,
    "ariadnemem-best": Kind.ARIADNEMEM,
    "bm25": Kind.EDGEMEM,
    "dense": Kind.VECTORS,
    "hybrid": Kind.VECTORS,
    "ppr": Kind.VECTORS,
    "recency": Kind.EDGEMEM,
    "full": Kind.EDGEMEM,
}
"""The retrievers offered, as in their table, and the build that each reads."""

WHOLE = "all"
"""The stage of a link that names no fine one."""

MEMORY_FACETS = ("view", "q", "kinds", "scoring", "least")
"""What the page Memory keeps in the link."""


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
    """Return the state of this browser session; it begins in the language of the browser."""
    if "memcore_state" not in st.session_state:
        st.session_state["memcore_state"] = State(language=nearest(st.context.locale or ""))
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


@st.cache_resource
def arguments() -> argparse.Namespace:
    """Return what stands behind `streamlit run app.py --`."""
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--workspace", type=Path, default=Path("memcore.db"))
    parser.add_argument("--sample", action="store_true")
    known, _ = parser.parse_known_args(sys.argv[1:])
    return known


def path() -> Path:
    """Return the file of the open workspace; one that was deleted meanwhile gives the first."""
    started: Path = arguments().workspace
    name = state().file
    if name and not started.with_name(name).is_file():
        move("")
        return started
    return started.with_name(name) if name else started


def move(file: str) -> None:
    """Open another workspace; what was chosen in the one before is let go, preferences stay."""
    here = state()
    fresh = State(
        system=here.system,
        other=here.other,
        language=here.language,
        reader=here.reader,
        kept=here.kept,
        redaction=here.redaction,
        still=here.still,
        uploads=here.uploads + 1,
        page=here.page,
        file="" if file == arguments().workspace.name else file,
    )
    for part in fields(State):
        setattr(here, part.name, getattr(fresh, part.name))


def close_dialogue() -> None:
    """Let go of the open dialogue and of all that was chosen in it."""
    move(state().file)


def new_id() -> str:
    """Return an opaque id for a workspace to be made: from where and when.

    Links of one workspace open no other.
    """
    made = f"{path().resolve()} {time.time_ns()}".encode()
    return blake2b(made, digest_size=6).hexdigest()


def forget_workspaces() -> None:
    """Read the ids of workspaces anew: a file was deleted, another may take its name."""
    _workspace.clear()


@contextmanager
def opened(*, read_only: bool = True) -> Iterator[Database]:
    """Yield the open workspace for one act; a new file is made on first use."""
    file = path()
    with open_workspace(file, read_only=read_only and file.exists(), new_id=new_id()) as db:
        yield db


def palette() -> Palette:
    """Return the palette of the viewer's theme."""
    return PALETTES["dark" if st.context.theme.type == "dark" else "light"]


def settings(system: str = "") -> Settings:
    """Return the settings of a retriever: the saved ones that are chosen, else its preset."""
    name = system or state().system
    chosen = saved_setting()
    if chosen is not None and chosen.retriever == name:
        return chosen.settings
    return preset(name)


def preset(system: str) -> Settings:
    """Return the preset that a retriever's name stands for."""
    return settings_of(system)


def saved_settings() -> tuple[Named, ...]:
    """Return the settings that were saved under a name."""
    with opened() as db:
        return named_settings.listing(db)


def saved_setting() -> Named | None:
    """Return the saved setting that is chosen, None if none is."""
    here = state()
    if here.setting is None:
        return None
    return next((s for s in saved_settings() if s.id == here.setting), None)


# ---------------------------------------------------------------- the link


def routed(page: str) -> None:
    """Send a page that ran without the router to it.

    The very first request of a server runs a page of `pages/` by Streamlit's own discovery, which
    the router switches off for all that follow; a link opened cold would lack the frame.
    """
    listen()
    if "memcore_routed" not in st.session_state:
        st.session_state["memcore_wanted"] = page
        st.switch_page("app.py", query_params=st.query_params.to_dict())
    arrive(page)


def arrive(page: str) -> None:
    """Come to a page; leaving the list of runs deletes for good what was deleted there."""
    here = state()
    left, here.page = here.page, page
    if here.trash and left != page:
        with opened(read_only=False) as db:
            trash.empty(db, tuple(here.trash))
        here.trash.clear()


def begin() -> None:
    """Read the link on the first run of a session; say what it holds that does not exist here."""
    if "memcore_begun" in st.session_state:
        return
    here, raw = state(), st.query_params.to_dict()
    here.linked = bool(raw)
    raw = _begin_workspace(raw)
    with opened(read_only=False) as db:  # a file of an older memcore is brought up to date
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


def _begin_workspace(raw: dict[str, str]) -> dict[str, str]:
    """Open the workspace of a link, and return what else the link says; nothing if it is none."""
    wanted = raw.get("ws", "")
    if not wanted:
        return raw
    files = [w.file for w in workspaces.beside(path()) if w.id == wanted]
    if files:  # a copy has the id of its original: the file of the start goes before
        state().file = "" if path().name in files else files[0]
        return raw
    state().notices.append(words("link.no_workspace", name=path().name))
    return {}


def _begin_sides(raw: dict[str, str]) -> None:
    here = state()
    here.left, here.right = _side(raw, "l"), _side(raw, "r")
    if here.left is not None and here.run is None:
        _begin_beat(raw, here.left)


def _begin_setting(text: str) -> None:
    """Read `edgemem`, or `edgemem.3` for the third saved setting, which is for that retriever."""
    here = state()
    system, _, number = text.partition(".")
    here.system = system if system in SYSTEMS else here.system
    if not number:
        return
    found = {str(s.id): s for s in saved_settings()}.get(number)
    if found is None or found.retriever != here.system:
        here.notices.append(words("link.no_setting"))
        return
    here.setting = found.id


def _side(raw: dict[str, str], name: str) -> int | None:
    """Return the run of one side of a comparison; a link to it opens its dialogue."""
    here, run = state(), _number(raw, name)
    if run is None:
        return None
    stored = {r.id: r for r in all_runs()}
    if run not in stored:
        here.notices.append(words("link.no_run", run=run))
        return None
    if name == "l":
        here.dialogue = stored[run].dialogue
    return run


def _begin_own(raw: dict[str, str]) -> None:
    here = state()
    here.evaluation, here.cell = _number(raw, "eval"), raw.get("cell", "")[:200]
    with opened() as db:
        left = trash.listing(db)
    if left:  # a tab was closed on the list of runs
        with opened(read_only=False) as db:
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
    here, run = state(), _number(raw, "run")
    if run is None:
        return
    stored = {r.id: r for r in all_runs()}
    if run not in stored:
        here.notices.append(words("link.no_run", run=run))
        return
    here.run, here.dialogue = run, stored[run].dialogue
    _begin_beat(raw, run)
    _begin_stage(raw, run)


def _begin_beat(raw: dict[str, str], run: int) -> None:
    here, beat = state(), _number(raw, "beat") or 1
    here.beat = min(max(beat, 1), 6)
    if beat != here.beat:
        here.notices.append(words("link.no_beat", run=run, beat=beat, shown=here.beat))


def _begin_stage(raw: dict[str, str], run: int) -> None:
    """Read the fine stage; one without a beat brings its own, one of another beat is told."""
    here, name = state(), raw.get("stage", WHOLE)
    if name == WHOLE:
        return
    beats = {step.name: step.beat.value for step in any_reply(run).trace.steps}
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
        state().notices.append(words("link.bad_value", name=name, value=text[:20]))
        return None
    return int(text)


def _selection(text: str) -> str:
    """Return the id of a selection; one of no known form is told and left out."""
    item = selections.read(text)
    if text and not item:
        state().notices.append(words("link.bad_value", name="sel", value=text[:20]))
    return item


def _check_selection() -> None:
    here = state()
    if not _held(here.selected):
        run = "_run" if here.selected[:1] in selections.OF_RUN else ""
        here.notices.append(words(f"link.no_selection{run}", id=here.selected))
        here.selected = ""


def _held(item: str) -> bool:
    """Whether the open dialogue, a memory of it or the run holds an item; nothing is held too."""
    if not item:
        return True
    if item[:1] in selections.OF_RUN:
        run = state().run
        return run is not None and selections.of_run(reply(run), item) is not None
    if item.startswith("D"):
        found = conversation()
        return found is not None and item in {str(t.id) for t in found.turns}
    known = memory()
    if known is None:
        return False
    facts = (*known.evolution.entries, *known.evolution.merged)
    rows = known.hypergraph.hyperedges
    return item in {str(e.id) for e in facts} | {str(h.id) for h in rows}


def write_link() -> None:
    """Write every choice into the address, defaults included, ids only."""
    wanted = _chosen()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def link_here() -> str:
    """Return the link to this page as it stands, every value written out."""
    url = urlsplit(st.context.url or "")
    return f"{url.scheme}://{url.netloc}{url.path}?{urlencode(_chosen())}"


def _chosen() -> dict[str, str]:
    here = state()
    values = {
        "ws": _workspace(str(path())),
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


def workspace() -> str:
    """Return the opaque id of the open workspace."""
    return _workspace(str(path()))


def _own(here: State) -> dict[str, str]:
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
    here, url = state(), urlsplit(st.context.url or "")
    names = {"ws": _workspace(str(path())), "dlg": here.dialogue, "run": here.run, "beat": 1}
    values = urlencode({name: value for name, value in names.items() if value is not None})
    return f"{url.scheme}://{url.netloc}{url.path.rpartition('/')[0]}/step?{values}"


@st.cache_data
def _workspace(file: str) -> str:
    with open_workspace(Path(file), read_only=True) as db:
        return workspace_id(db)


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


def _known_session(asked: int | None, last: int) -> int | None:
    """The session of a link, None for all; one that the dialogue does not have is told."""
    if asked is None or 1 <= asked <= last:
        return asked
    state().notices.append(words("link.no_session", session=asked, last=last))
    return None


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


# ---------------------------------------------------------------- what is stored


def dialogues() -> tuple[Dialogue, ...]:
    """Return the dialogues of the workspace with their counts."""
    with opened() as db:
        return conversations.listing(db)


def all_runs(dialogue: int | None = None) -> tuple[runs.Run, ...]:
    """Return the stored runs, of one dialogue if it is named."""
    with opened() as db:
        return runs.listing(db, dialogue)


def open_row() -> Dialogue | None:
    """Return the row of the open dialogue, None if there is none."""
    return next((row for row in dialogues() if row.id == state().dialogue), None)


def conversation() -> Conversation | None:
    """Return the open dialogue, None if there is none."""
    row = open_row()
    return None if row is None else _conversation(str(path()), row.id, row.digest, row.name)


def questions() -> tuple[Question, ...]:
    """Return the questions that came with the open dialogue."""
    row = open_row()
    return () if row is None else questions_of(row)


def questions_of(row: Dialogue) -> tuple[Question, ...]:
    """Return the questions that came with a dialogue."""
    return _questions(str(path()), row.id, row.digest, row.questions)


def memory(system: str = "", as_of: int | None = None) -> Memory | None:
    """Return the memory that a retriever reads, None if its build is not complete."""
    row, name = open_row(), system or state().system
    if row is None:
        return None
    return stored_memory(row.id, settings(name), SYSTEMS[name], as_of)


def panorama_of(whole: Memory) -> Panorama:
    """Return the places of a whole memory, worked out once for its fingerprint."""
    return _panorama(str(path()), whole.fingerprint, state().language, whole)


@st.cache_resource(max_entries=6, show_spinner=False)
def _panorama(file: str, fingerprint: str, language: str, _whole: Memory) -> Panorama:
    return panorama(_whole)


def stored_memory(
    dialogue: int, chosen: Settings, needs: Kind, as_of: int | None = None
) -> Memory | None:
    """Return the memory of a dialogue under settings, None if `needs` is not built."""
    with opened() as db:
        built = memories.built(db, dialogue, chosen)
    return _whole(dialogue, built, needs, as_of)


def run_memory(dialogue: int, run: int, trace: Trace) -> Memory | None:
    """Return the memory that a run read, also where another extractor has built since."""
    read = records(run).run.memory
    with opened() as db:
        built = memories.builds_of(db, dialogue, trace.settings, trace.as_of, read)
    return _whole(dialogue, built, SYSTEMS[trace.retriever], trace.as_of)


def _whole(
    dialogue: int, built: tuple[Build, ...], needs: Kind, as_of: int | None
) -> Memory | None:
    if needs not in {b.kind for b in built}:
        return None
    return _memory(str(path()), dialogue, as_of, built)


def built() -> bool:
    """Whether both memories of the open dialogue are complete, under the retriever's preset."""
    return {Kind.EDGEMEM, Kind.ARIADNEMEM} <= built_kinds()


def built_kinds() -> frozenset[Kind]:
    """Return what is complete of the open dialogue's memories, under the retriever's preset."""
    row = open_row()
    if row is None:
        return frozenset()
    with opened() as db:
        return frozenset(b.kind for b in memories.built(db, row.id, settings()))


def reply(run: int) -> Reply | None:
    """Return a stored run of the open dialogue, None if there is none such."""
    if run not in {r.id for r in all_runs(state().dialogue)}:
        return None
    return any_reply(run)


def any_reply(run: int) -> Reply:
    """Return a stored run of any dialogue; the caller knows that there is such a run."""
    return _reply(str(path()), _workspace(str(path())), run)


def records(run: int) -> Records:
    """Return the records of a stored run; the caller knows that there is such a run."""
    return _records(str(path()), _workspace(str(path())), run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _records(file: str, workspace: str, run: int) -> Records:
    with open_workspace(Path(file), read_only=True) as db:
        return runs.load_records(db, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _conversation(file: str, number: int, digest: str, name: str) -> Conversation:
    with open_workspace(Path(file), read_only=True) as db:
        return conversations.load(db, number)


@st.cache_resource(max_entries=8, show_spinner=False)
def _questions(file: str, number: int, digest: str, count: int) -> tuple[Question, ...]:
    with open_workspace(Path(file), read_only=True) as db:
        return conversations.questions(db, number)


@st.cache_resource(max_entries=6, show_spinner=False)
def _memory(file: str, number: int, as_of: int | None, builds: tuple[Build, ...]) -> Memory:
    with open_workspace(Path(file), read_only=True) as db:
        return memories.read_builds(db, number, builds, as_of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _reply(file: str, workspace: str, run: int) -> Reply:
    found = _records(file, workspace, run)
    broken = {"stage", "event"} & set(damage.missing(found))
    return damage.rest_of(found) if broken else reply_of(found)


# ---------------------------------------------------------------- the sidebar


def sidebar() -> None:
    """Dialogue, retriever, as-of session and gold switch: the choices that all pages share.

    The widgets are set from the state before each run and write to it by callback, so that a
    link, another page or a deleted dialogue can move them.
    """
    here = state()
    rows = {row.id: row for row in dialogues()}
    with st.sidebar:
        if not rows:
            st.caption(words("frame.no_dialogue"))
            return
        open_dialogue(here.dialogue if here.dialogue in rows else min(rows))
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
            tuple(SYSTEMS),
            key="frame_system",
            on_change=_took,
            args=("system",),
        )
        _put("other", here.other)
        st.selectbox(
            words("frame.second"),
            ("", *SYSTEMS),
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
    here = state()
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
    here, value = state(), st.session_state[f"frame_{name}"]
    if name == "dialogue":
        open_dialogue(value)
    elif name == "as_of":
        here.as_of = None if value == last else value
    elif name == "system":
        here.system, here.setting = value, None
    elif name == "other":
        here.other = value
    else:
        here.gold = value
