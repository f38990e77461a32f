"""What a served model adds to Start and Ask: who extracts and reads, what it costs, what failed.

Nothing here is drawn where no server is set. The names of models and servers are shown as text.
"""

from __future__ import annotations

import streamlit as st

from memcore import jobs, pipeline
from memcore.chat import Server
from memcore.errors import MemcoreError
from memcore.prices import Prices
from memcore.store import extractions, spending
from memcore.store.jobs import Job
from memcore.types import Memory, Question, Reply, Warning
from memcore.views import costs, evidence
from memcore.views.messages import told
from pages import acts, cards, frame, holdings
from pages.frame import words

READERS = ("local", "server")
PREFIXES = {jobs.LOCAL: "model.local", jobs.MODEL: "model.served", "server": "model.served"}


def server() -> Server | None:
    """The server that is set, None if there is none or its values are of no use, which is said."""
    try:
        return acts.server()
    except MemcoreError as error:
        st.text(words("model.bad_server", why=error))
        return None


def prices() -> Prices:
    """The prices that are set; none where they have another form, which is said."""
    try:
        return acts.prices()
    except MemcoreError as error:
        st.text(told(str(error)))
        return Prices()


# ---------------------------------------------------------------- Start


def extractor(before: str = jobs.LOCAL) -> str:
    """The choice of who makes the facts, with the estimate before anything is asked."""
    found, number = server(), frame.state().dialogue
    if found is None or number is None:
        return jobs.LOCAL
    chosen: str = st.radio(
        words("model.extractor"),
        jobs.EXTRACTORS,
        index=jobs.EXTRACTORS.index(before),
        format_func=lambda name: words(PREFIXES[name]),
        horizontal=True,
        key="start_extractor",
    )
    if chosen == jobs.MODEL:
        model = jobs.model_extractor(found)
        with holdings.opened() as db:
            estimate = pipeline.estimate(db, number, model, holdings.settings())
        line = costs.estimate_line(estimate, found.model, prices(), frame.state().language)
        st.text(f"{found.model}: {line}")
        if estimate.calls:
            st.text(words("model.leaves", place=found.place))
    return chosen


def ready(phase: str) -> None:
    """While the model reads, or when it went away, the way to what can be asked already."""
    if phase != "extract" or holdings.memory("edgemem") is None:
        return
    st.caption(words("model.ready"))
    if st.button(words("frame.go_ask")):
        st.switch_page("pages/ask.py")


def extraction(job: Job | None) -> None:
    """Of a built memory: what its model cost, which windows failed, and the way to build anew."""
    number = frame.state().dialogue
    found = server()
    if number is None or found is None:
        return
    if job is not None and job.error:  # what was built before stands
        st.text(told(job.error))
    with holdings.opened() as db:
        read = extractions.of(db, number, jobs.model_extractor(found).name)
    failed = costs.failed(read)
    if failed:
        st.warning(words("model.failed", n=sum(len(e.failed) for e in read)))
        cards.table(failed, key="failed_windows", alt=words("model.windows"), names="window")
        if st.button(words("model.retry")):
            acts.build(jobs.MODEL)
            st.rerun()
    spent(None)
    with st.expander(words("model.build")):
        chosen = extractor(job.extractor if job else jobs.LOCAL)
        if st.button(words("model.build"), key="build_anew"):
            acts.build(chosen)
            st.rerun()


# ---------------------------------------------------------------- Ask


def reader() -> None:
    """The choice of who answers, and whether kept replies are taken; one with the settings."""
    if server() is None:
        return
    here = frame.state()
    st.session_state["ask_reader"] = "server" if acts.served() else "local"
    st.session_state["ask_kept"] = here.kept
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.radio(
            words("model.reader"),
            READERS,
            format_func=lambda name: words(PREFIXES[name]),
            horizontal=True,
            key="ask_reader",
            on_change=_took,
        )
        st.toggle(
            words("model.use_cache"),
            key="ask_kept",
            help=words("model.use_cache_help"),
            on_change=_took,
        )


def _took() -> None:
    here = frame.state()
    here.reader, here.kept = st.session_state["ask_reader"], st.session_state["ask_kept"]


def local_instead(memory: Memory, reply: Reply, known: tuple[Question, ...]) -> None:
    """Where the model failed, the answer of this machine is one click away."""
    if Warning.READER_FAILED not in reply.warnings:
        return
    if st.button(words("model.try_local"), type="primary"):
        frame.state().reader = "local"
        asked = reply.trace.question
        acts.ask(memory, asked, evidence.gold_of(known, asked))
        st.rerun()


def spent(reply: Reply | None) -> None:
    """The table of what models cost: this answer, and the dialogue."""
    number, language = frame.state().dialogue, frame.state().language
    if number is None:
        return
    with holdings.opened() as db:
        found = spending.spent(db, number)
    rows = costs.rows(reply.answer if reply else None, found, prices(), language)
    if rows:
        with st.expander(words("model.costs")):
            cards.table(rows, key="costs", alt=words("model.costs"), names="cost")


def prompt(reply: Reply) -> None:
    """The prompt as it was sent, its tokens, and who counted them."""
    answer = reply.answer
    if answer is None or not answer.prompt:
        return
    with st.expander(words("ask.prompt")):
        st.text(costs.prompt_line(answer, frame.state().language))
        if not answer.usage.calls:
            st.caption(words("model.from_cache"))
        st.code(answer.prompt, language=None, wrap_lines=True)
