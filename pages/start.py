"""Start: load a dialogue, read what was understood, build both memories."""

from __future__ import annotations

import time
from itertools import pairwise

import streamlit as st

from memcore import jobs, pipeline
from memcore.settings import preset_of
from memcore.store.jobs import Job, State
from memcore.store.memories import Kind
from memcore.transcripts.own import TEMPLATE
from memcore.transcripts.sources import Source
from memcore.types import Conversation
from memcore.views import import_rows, preview
from memcore.views.messages import told
from pages import acts, address, cards, frame, holdings, importing, models
from pages.frame import words


def page() -> None:
    address.routed("start")
    st.title(words("start.title"))
    frame.notices()
    left, right = st.columns([2, 3], gap="large")
    with left:
        samples()
        uploaded = (*offer(), *pasted())
    if uploaded:
        importing.report(uploaded, right)
        return
    with right:
        stored()


def samples() -> None:
    """The samples, one click from file to an answered question, and the runs that are stored."""
    offered = frame.state().uploads
    busy = st.session_state.get(f"upload_{offered}") or st.session_state.get(f"paste_{offered}")
    first = not holdings.dialogues() and not busy
    with st.container(border=True):
        label, icon = words("start.sample"), ":material/play_arrow:"
        if st.button(label, type="primary" if first else "secondary", icon=icon):
            acts.open_sample("english")
        if st.button(words("start.sample_zh"), icon=":material/play_arrow:"):
            acts.open_sample("chinese")
        st.caption(words("start.sample_note"))
        saved()


def saved() -> None:
    """A saved run, of any dialogue of the workspace, opened in Step."""
    stored_runs = {run.id: run for run in reversed(holdings.all_runs())}
    if not stored_runs:
        return
    run = st.selectbox(
        words("start.saved"),
        tuple(stored_runs),
        index=None,
        format_func=lambda n: f"{n} · {stored_runs[n].question} · {stored_runs[n].retriever}",
        placeholder=words("frame.choose"),
        key="start_saved",
    )
    if run is not None:
        frame.open_dialogue(stored_runs[run].dialogue)
        frame.open_run(run)
        st.switch_page("pages/step.py")


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


def pasted() -> tuple[Source, ...]:
    """A dialogue that was pasted, and a template of memcore's own format to write one."""
    with st.container(horizontal=True):
        with st.popover(words("start.paste"), icon=":material/content_paste:"):
            text = st.text_area(
                words("start.paste_label"),
                key=f"paste_{frame.state().uploads}",
                height=200,
                placeholder=words("start.paste_example"),
            )
        with st.popover(words("start.template"), icon=":material/description:"):
            st.caption(words("start.template_note"))
            st.code(TEMPLATE, language="json")
            st.download_button(
                words("start.template_save"),
                TEMPLATE,
                file_name="template.json",
                mime="application/json",
                on_click="ignore",
            )
    return (Source("pasted.txt", text.encode()),) if text.strip() else ()


def stored() -> None:
    """The open dialogue: build its memories, follow a build, or go on."""
    row = holdings.open_row()
    conversation = holdings.conversation()
    if conversation is None or row is None:
        st.caption(words("start.preview"))
        figure = preview.sample(sample_talk(), frame.palette())
        cards.picture(figure, "preview", words("start.preview"))
        return
    st.subheader(words("start.open_dialogue"))
    st.text(conversation.name)
    counted = import_rows.counted(conversation, len(holdings.questions()), frame.state().language)
    st.caption(f"{words('start.is_sample')} · {counted}" if row.sample else counted)
    job = acts.job()
    if job is not None and acts.running(job):
        follow()
    else:
        outcome(job)


@st.cache_resource(show_spinner=False)
def sample_talk() -> Conversation:
    """Return the English sample, read once for the server."""
    return acts.sample_talk()


@frame.fragment(run_every=1.0)
def follow() -> None:
    """The state of a build, read from its job's row once a second until it ends."""
    job = acts.job()
    if job is None or not acts.running(job):
        st.rerun()
        return
    done = job.done / job.total if job.total else 0.0
    for line in phases(job):
        st.text(line)
    phase = words(f"phase.{job.phase}") if job.phase else words("start.loading_models")
    st.progress(done, words("phase.row", phase=phase, done=job.done, total=job.total))
    models.ready(job.phase)
    st.button(words("start.stop"), on_click=acts.stop, args=(job.id,))


def phases(job: Job) -> list[str]:
    """The phases that this page saw end, with counts and seconds; the present one is noted."""
    seen: dict[str, tuple[float, int]] = st.session_state.setdefault(f"phases_{job.id}", {})
    if job.phase:
        seen.setdefault(job.phase, (time.monotonic(), job.total))
    begun = list(seen.items())
    return [
        words("phase.ended", phase=words(f"phase.{name}"), total=total, seconds=f"{then - at:.0f}")
        for (name, (at, total)), (_, (then, _)) in pairwise(begun)
    ]


def outcome(job: Job | None) -> None:
    """What there is: a built memory to ask, a build that ended early, or none yet."""
    if holdings.built():
        st.success(words("start.built"))
        with st.container(horizontal=True):
            if st.button(words("frame.go_ask"), type="primary"):
                st.switch_page("pages/ask.py")
            if st.button(words("frame.go_memory")):
                st.switch_page("pages/memory.py")
        models.extraction(job)
        return
    ended(job)
    kinds = memories_wanted()
    made = job.extractor if job else jobs.LOCAL
    extractor = models.extractor(made) if pipeline.ARIADNEMEM in kinds else jobs.LOCAL
    early = job is not None and job.state is not State.DONE
    label = words("start.resume" if early else "start.build")
    if st.button(label, type="primary", help=words("start.build_help"), disabled=not kinds):
        acts.build(extractor, kinds)
        st.rerun()


def ended(job: Job | None) -> None:
    """What is built already, and how a build ended that did not come to its end."""
    some = holdings.built_kinds() & {Kind.EDGEMEM, Kind.ARIADNEMEM}
    if some:
        names = ", ".join(sorted(words(f"start.{kind}") for kind in some))
        st.info(words("start.partly_built", names=names))
    if job is None or job.state is State.DONE:
        return
    if job.error:
        st.error(words("start.build_failed"))
        st.text(told(job.error))
    else:
        st.warning(words("start.build_dead"))
    models.ready(job.phase)


def memories_wanted() -> tuple[str, ...]:
    """Which memories to build, and AriadneMem under which preset: that of its retriever."""
    here = frame.state()
    with st.container(horizontal=True, vertical_alignment="center"):
        kinds = tuple(
            kind
            for kind in pipeline.BOTH
            if st.checkbox(words(f"start.{kind}"), value=True, key=f"build_{kind}")
        )
        if pipeline.ARIADNEMEM in kinds and here.setting is None:
            st.session_state["build_preset"] = preset_of(holdings.settings())
            st.selectbox(
                words("start.preset"),
                ("safe", "paper"),
                key="build_preset",
                on_change=take_preset,
                label_visibility="collapsed",
                width=120,
            )
    return kinds


def take_preset() -> None:
    """Choose the retriever that reads the preset, as the sidebar then shows."""
    frame.state().system = f"ariadnemem-{st.session_state['build_preset']}"


page()
