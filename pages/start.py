"""Start: load a dialogue, read what was understood, build both memories."""

from __future__ import annotations

import streamlit as st

from memcore.store.jobs import Job
from memcore.transcripts.sources import Source
from memcore.views import import_rows
from pages import acts, frame, importing, models
from pages.frame import words


def page() -> None:
    frame.routed("start")
    st.title(words("start.title"))
    frame.notices()
    left, right = st.columns([2, 3], gap="large")
    with left:
        samples()
        uploaded = offer()
    if uploaded:
        importing.report(uploaded, right)
        return
    with right:
        stored()


def samples() -> None:
    """The samples, one click from file to an answered question."""
    first = not frame.dialogues()
    with st.container(border=True):
        label, icon = words("start.sample"), ":material/play_arrow:"
        if st.button(label, type="primary" if first else "secondary", icon=icon):
            acts.open_sample("english")
        if st.button(words("start.sample_zh"), icon=":material/play_arrow:"):
            acts.open_sample("chinese")
        st.caption(words("start.sample_note"))


def offer() -> tuple[Source, ...]:
    """The upload box; several files are read together, and nothing is stored yet."""
    found = st.file_uploader(
        words("start.upload"),
        key=f"upload_{frame.state().uploads}",
        help=words("start.upload_help"),
        accept_multiple_files=True,
    )
    st.caption(words("start.upload_note"))
    return tuple(Source(file.name, file.getvalue()) for file in found)


def stored() -> None:
    """The open dialogue: build its memories, follow a build, or go on."""
    conversation = frame.conversation()
    if conversation is None:
        st.info(words("frame.no_dialogue"))
        return
    st.subheader(words("start.open_dialogue"))
    st.text(conversation.name)
    st.caption(import_rows.counted(conversation, len(frame.questions()), frame.state().language))
    job = acts.job()
    if job is not None and acts.running(job):
        follow()
    else:
        outcome(job)


@frame.fragment(run_every=1.0)
def follow() -> None:
    """The state of a build, read from its job's row once a second until it ends."""
    job = acts.job()
    if job is None or not acts.running(job):
        st.rerun()
        return
    done = job.done / job.total if job.total else 0.0
    phase = words(f"phase.{job.phase}") if job.phase else words("start.loading_models")
    st.progress(done, words("phase.row", phase=phase, done=job.done, total=job.total))
    models.ready(job.phase)
    st.button(words("start.stop"), on_click=acts.stop, args=(job.id,))


def outcome(job: Job | None) -> None:
    """What there is: a built memory to ask, a build that ended early, or none yet."""
    if frame.built():
        st.success(words("start.built"))
        with st.container(horizontal=True):
            if st.button(words("frame.go_ask"), type="primary"):
                st.switch_page("pages/ask.py")
            if st.button(words("frame.go_memory")):
                st.switch_page("pages/memory.py")
        models.extraction(job)
        return
    if job is not None and job.error:
        st.error(words("start.build_failed"))
        st.text(job.error)
    elif job is not None:
        st.warning(words("start.build_dead"))
    if job is not None:
        models.ready(job.phase)
    chosen = models.extractor(job.extractor if job else "local")
    label = "start.resume" if job is not None else "start.build"
    if st.button(words(label), type="primary", help=words("start.build_help")):
        acts.build(chosen)
        st.rerun()


page()
