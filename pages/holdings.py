"""The open workspace, and what is read from it: dialogues, memories, runs, saved settings.

Connections are opened per operation; only frozen values are cached, by path and fingerprint.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path

import streamlit as st
from sqlite_utils import Database

from memcore.settings import Settings, settings_of
from memcore.store import conversations, memories, named_settings, runs
from memcore.store.conversations import Dialogue
from memcore.store.memories import Build, Kind
from memcore.store.named_settings import Named
from memcore.store.recalling import reply_of
from memcore.store.records import Records
from memcore.store.schema import open_workspace, workspace_id
from memcore.types import Conversation, Memory, Question, Reply, Trace
from memcore.views import damage
from memcore.views.panorama import Panorama, panorama
from pages import collecting, frame

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
    name = frame.state().file
    if name and not started.with_name(name).is_file():
        move("")
        return started
    return started.with_name(name) if name else started


def move(file: str) -> None:
    """Open another workspace; what was chosen in the one before is let go, preferences stay."""
    here = frame.state()
    fresh = frame.State(
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
    for part in fields(frame.State):
        setattr(here, part.name, getattr(fresh, part.name))


def close_dialogue() -> None:
    """Let go of the open dialogue and of all that was chosen in it."""
    move(frame.state().file)


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


def settings(system: str = "") -> Settings:
    """Return the settings of a retriever: the saved ones that are chosen, else its preset."""
    name = system or frame.state().system
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
    here = frame.state()
    if here.setting is None:
        return None
    return next((s for s in saved_settings() if s.id == here.setting), None)


def workspace() -> str:
    """Return the opaque id of the open workspace."""
    return _workspace(str(path()))


@st.cache_data
def _workspace(file: str) -> str:
    with open_workspace(Path(file), read_only=True) as db:
        return workspace_id(db)


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
    return next((row for row in dialogues() if row.id == frame.state().dialogue), None)


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
    row, name = open_row(), system or frame.state().system
    if row is None:
        return None
    return stored_memory(row.id, settings(name), SYSTEMS[name], as_of)


def panorama_of(whole: Memory) -> Panorama:
    """Return the places of a whole memory, worked out once for its fingerprint."""
    return _panorama(str(path()), whole.fingerprint, frame.state().language, whole)


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
    if run not in {r.id for r in all_runs(frame.state().dialogue)}:
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
    with collecting.kept(), open_workspace(Path(file), read_only=True) as db:
        return memories.read_builds(db, number, builds, as_of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _reply(file: str, workspace: str, run: int) -> Reply:
    found = _records(file, workspace, run)
    broken = {"stage", "event"} & set(damage.missing(found))
    return damage.rest_of(found) if broken else reply_of(found)
