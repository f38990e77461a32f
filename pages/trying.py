"""What a click on What-if does: recompute, look for a flip point, sweep, save, build, ask again."""

from __future__ import annotations

import time
from collections.abc import Iterator

import streamlit as st

from memcore import jobs, pipeline
from memcore.errors import MemcoreError
from memcore.settings import Settings, preset_of
from memcore.store import named_settings
from memcore.types import Item, Memory, Reply, TurnId
from memcore.views.messages import told
from memcore.what_if import recompute, sweep
from memcore.what_if.difference import Difference, difference
from memcore.what_if.flip import Flip, NoFlip, flip
from memcore.what_if.knobs import Cost, cost_of, moved
from memcore.what_if.recompute import Desk, Outcome
from pages import acts, frame, holdings


@st.cache_resource(max_entries=6, show_spinner=False)
def _desk(workspace: str, run: int, fingerprint: str, _memory: Memory, _reply: Reply) -> Desk:
    return recompute.desk(_memory, _reply, acts.parts_of(_memory))


def desk(run: int, reply: Reply, memory: Memory) -> Desk:
    """Return a run ready to be asked what if, made once for the server."""
    return _desk(holdings.workspace(), run, memory.fingerprint, memory, reply)


@st.cache_resource(max_entries=24, show_spinner=False)
def _outcome(
    workspace: str, run: int, fingerprint: str, chosen: Settings, as_of: int | None, _desk: Desk
) -> Outcome:
    trace = _desk.reply.trace
    if as_of != trace.as_of:
        memory = holdings.stored_memory(
            frame.state().dialogue or 0, chosen, holdings.SYSTEMS[trace.retriever], as_of
        )
        return recompute.again(_desk, chosen, memory or _desk.memory, as_of)
    return recompute.what_if(_desk, chosen)


def outcome(run: int, at: Desk, chosen: Settings, as_of: int | None) -> Outcome | None:
    """Return what the run would have been; None where that needs a build that is not there.

    Raises:
        MemcoreError: if a part broke its promise.
    """
    trace = at.reply.trace
    if cost_of(moved(chosen, trace)) not in (Cost.DECISIONS, Cost.REBUILD):
        return _outcome(holdings.workspace(), run, at.memory.fingerprint, chosen, as_of, at)
    number, needs = frame.state().dialogue or 0, holdings.SYSTEMS[trace.retriever]
    memory = holdings.stored_memory(number, chosen, needs, as_of)
    return None if memory is None else recompute.again(at, chosen, memory, as_of)


@st.cache_resource(max_entries=64, show_spinner=False)
def _flip(workspace: str, run: int, fingerprint: str, item: str, _at: Desk, _item: Item) -> object:
    return flip(_at, _item)


def flip_point(run: int, at: Desk, item: Item) -> Flip | NoFlip:
    """Return the flip point of an item, looked for once."""
    found = _flip(holdings.workspace(), run, at.memory.fingerprint, str(item), at, item)
    return found if isinstance(found, Flip | NoFlip) else NoFlip.NO_SETTING


def compared(at: Desk, found: Outcome) -> Difference:
    """Return what an outcome moved."""
    return difference(at.reply, found.reply)


def asked(at: Desk, gold: tuple[TurnId, ...], *, all_questions: bool) -> Iterator[sweep.Asked]:
    """Yield the questions of a sweep: the run's own, or each with known evidence, retrieved."""
    if not all_questions:
        yield sweep.Asked(at, gold)
        return
    trace = at.reply.trace
    for question in holdings.questions():
        if question.evidence_turns:
            *_, reply = pipeline.ask(
                at.memory, question.text, at.base, None, question.asked_at.at, trace.as_of
            )
            if isinstance(reply, Reply):
                one = Desk(at.memory, reply, at.parts, at.base, at.index)
                yield sweep.Asked(one, question.evidence_turns)


def setting_box() -> None:
    """The box of saved settings, each with its retriever; nothing where none was saved."""
    here, saved = frame.state(), {s.id: s for s in holdings.saved_settings()}
    if not saved:
        return
    preset = frame.words("what_if.preset", name=preset_of(holdings.preset(here.system)))
    shown = {0: f"{here.system} · {preset}"}
    shown |= {s.id: f"{s.retriever} · {s.name}" for s in saved.values()}
    st.session_state["ask_setting"] = here.setting if here.setting in saved else 0

    def took() -> None:
        chosen = saved.get(st.session_state["ask_setting"])
        here.setting = chosen.id if chosen else None
        here.system = chosen.retriever if chosen else here.system

    st.selectbox(
        frame.words("what_if.saved"),
        tuple(shown),
        format_func=lambda n: shown[n],
        key="ask_setting",
        on_change=took,
    )


def save(name: str, run: int, retriever: str, chosen: Settings) -> str:
    """Save settings under a name and choose them; return why not, empty if they are saved."""
    here = frame.state()
    try:
        with holdings.opened(read_only=False) as db:
            number = named_settings.save(db, name, retriever, chosen, run)
    except MemcoreError as error:
        return told(str(error))
    here.system, here.setting = retriever, number
    return ""


def build(chosen: Settings) -> None:
    """Start the build of the memories under other settings; the present ones stay."""
    number = frame.state().dialogue
    if number is not None:
        jobs.start(holdings.path(), number, chosen, pipeline.BOTH, time.time)


def ask_again(run: int, at: Desk, chosen: Settings, as_of: int | None) -> None:
    """Ask the run's question under other settings, store it as a run of its own, and compare.

    Raises:
        MemcoreError: if the question cannot be asked, or the run not stored.
    """
    here, trace = frame.state(), at.reply.trace
    needs = holdings.SYSTEMS[trace.retriever]
    memory = holdings.stored_memory(here.dialogue or 0, chosen, needs, as_of) or at.memory
    asking = acts.Asking(
        trace.question, trace.retriever, chosen, trace.query.asked_at, as_of, parent=run
    )
    here.left, here.right = run, acts.asked(memory, asking)
