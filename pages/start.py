"""Start: load a dialogue, read what was understood, build both memories."""

from __future__ import annotations

import streamlit as st

from memcore.errors import MemcoreError
from memcore.store.jobs import Job
from memcore.transcripts.detect import FORMATS
from memcore.types import ReadResult
from memcore.views import import_rows
from pages import acts, cards, frame, models
from pages.frame import words


def page() -> None:
    frame.routed("start")
    st.title(words("start.title"))
    frame.notices()
    left, right = st.columns([2, 3], gap="large")
    with left:
        samples()
        upload = offer()
    with right:
        if upload is None:
            stored()
        else:
            preview(upload)


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


def offer() -> ReadResult | None:
    """The upload box; what it holds is read once, by content and format, and not stored."""
    here = frame.state()
    found = st.file_uploader(
        words("start.upload"),
        key=f"upload_{here.uploads}",
        help=words("start.upload_help"),
        accept_multiple_files=False,
    )
    names = (words("start.format_auto"), *FORMATS)
    chosen = st.selectbox(words("start.format"), names, key="upload_format")
    if found is None:
        return None
    forced = "" if chosen == names[0] else str(chosen)
    try:
        return acts.read(found.name, found.getvalue(), forced)
    except MemcoreError as error:
        cards.problem(error)
        return None


def preview(result: ReadResult) -> None:
    """The import report with the first and last turns, before anything is stored."""
    report, language = result.report, frame.state().language
    st.subheader(words("start.understood"))
    for line in import_rows.lines(report, language):
        st.text(line)
    counts = import_rows.counts(report, language)
    if counts:
        cards.table(counts, key="import_counts", alt=words("start.skipped"), names="count")
    if result.skipped:
        st.download_button(
            words("start.download_skipped"),
            import_rows.skipped_csv(result.skipped),
            file_name="skipped.csv",
            mime="text/csv",
            on_click="ignore",
        )
    st.markdown(words("start.first_turns"))
    for conversation in result.conversations[:3]:
        turns = import_rows.ends(conversation)
        cards.table(turns, key=f"ends_{conversation.key}", alt=conversation.name, names="end")
    agreed = not report.partial or st.checkbox(words("start.partial"))
    if st.button(words("start.import"), type="primary", disabled=not agreed):
        acts.store(result)


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
