"""What-if: a recorded run under other settings, as a difference against the run."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from memcore.errors import MemcoreError
from memcore.settings import PRESETS, Settings, changed
from memcore.types import Reply, TurnId
from memcore.views import evidence, what_if
from memcore.views.messages import told
from memcore.views.what_if import Field
from memcore.what_if.knobs import Cost
from memcore.what_if.recompute import Desk, Outcome
from memcore.what_if.sweep import Swept, sweep
from pages import acts, address, cards, frame, holdings, sides, trying
from pages.frame import words

LOST = {"id": 64, "gold": 34, "words": 250, "entered": 0, "score": 0, "terms": 0, "rank": 52}
"""Pixels of the columns of what left: where, why and how narrowly stay in sight."""
SHIFT = {"entered": 66, "left": 50, "moved": 66}
MOST_ROWS = 6
UNSAVED = "-"
"""The choice of the box of settings while what is tried has no name."""
NARROWEST = 190
"""Pixels in which the name of a setting stands in one line."""


def page() -> None:
    address.routed("what_if")
    sides.jumped()
    st.title(words("what_if.title"))
    st.caption(words("what_if.purpose"))
    frame.notices()
    if not holdings.all_runs(frame.state().dialogue):
        cards.empty("what_if.empty", "frame.go_ask", "pages/ask.py")
        return
    found = cards.run_choice()
    if found is None:
        st.warning(words("what_if.gone"))
        return
    run, reply, memory, gold = found
    if not reply.trace.steps:
        cards.banners(run, reply, memory)
        return
    at = trying.desk(run, reply, memory)
    left, right = st.columns(2, gap="medium")
    with left:
        start_from(run, reply)
        form(run, reply)
    with right:
        result(run, at, gold)
    flips(run, at)
    sweeps(run, at, gold)


def start_from(run: int, reply: Reply) -> None:
    """The box of saved settings and presets; one that is chosen becomes what is tried."""
    here, system = frame.state(), reply.trace.retriever
    saved = {f"s{s.id}": s for s in holdings.saved_settings() if s.retriever == system}
    if here.setting is not None and run not in here.tried and f"s{here.setting}" in saved:
        here.tried[run] = saved[f"s{here.setting}"].settings
    shown = {"": words("what_if.as_run")}
    shown |= {key: one.name for key, one in saved.items()}
    shown |= {f"p{name}": words("what_if.preset", name=name) for name in PRESETS}
    chosen = {"": reply.trace.settings}
    chosen |= {key: one.settings for key, one in saved.items()}
    chosen |= {f"p{name}": preset for name, preset in PRESETS.items()}
    now = here.tried.get(run, reply.trace.settings)
    at = next((k for k, s in chosen.items() if s == now), UNSAVED)
    if at == UNSAVED:
        shown = {UNSAVED: words("what_if.not_saved")} | shown
    st.session_state["what_if_saved"] = at

    def took() -> None:
        key = st.session_state["what_if_saved"]
        if key == UNSAVED:
            return
        here.tried[run] = chosen[key]
        here.setting = saved[key].id if key in saved else None
        forget(run)

    st.selectbox(
        words("what_if.saved"),
        tuple(shown),
        format_func=lambda key: shown[key],
        key="what_if_saved",
        on_change=took,
    )


def form(run: int, reply: Reply) -> None:
    """The settings by what a change of each costs; Apply takes them all at once."""
    here, trace = frame.state(), reply.trace
    now = here.tried.get(run, trace.settings)
    values: dict[str, object] = {}
    with st.form(f"what_if_{run}", border=False):
        top = st.container()
        for cost, fields in what_if.field_groups(trace):
            values |= group(run, reply, (cost, fields), now)
        with top, st.container(horizontal=True, vertical_alignment="center"):
            applied = st.form_submit_button(words("what_if.apply"), type="primary")
            reset = st.form_submit_button(words("what_if.reset"), type="tertiary")
        st.caption(words("what_if.unsaved"))
    if reset:
        here.tried.pop(run, None)
        here.tried_as_of.pop(run, None)
        here.setting = None
        forget(run)
        st.rerun()
    if applied:
        take(run, now, values)


def group(
    run: int, reply: Reply, fields: tuple[Cost, tuple[Field, ...]], now: Settings
) -> dict[str, object]:
    """The settings of one cost in two columns; the session to know is a local one."""
    values: dict[str, object] = {}
    cost, found = fields
    refused = st.session_state.get("memcore_refused", ("", ""))[0]
    opened = cost is Cost.INSTANT or any(f.name in (refused, *touched(reply, now)) for f in found)
    with st.expander(words(f"what_if.cost.{cost}"), expanded=opened):
        grid = st.grid(2, min_column_width=NARROWEST)  # Tab goes through it as it is read
        for field in (f for f in found if f.kind != "bool"):
            with grid.cell():
                values[field.name] = box(run, field, now)
        for field in (f for f in found if f.kind == "bool"):
            values[field.name] = box(run, field, now)
        if cost is Cost.LOCAL:
            as_of_box(run, reply)
    return values


def touched(reply: Reply, now: Settings) -> frozenset[str]:
    """The settings that are tried at another value than the run's."""
    return frozenset(name for name, _, _ in changed(now, reply.trace.settings))


def box(run: int, field: Field, now: Settings) -> object:
    """One setting as an input, in its range; a refused value is named right here."""
    key, value = f"tried_{run}_{field.name}", getattr(now, field.name)
    if field.kind == "bool":
        return st.checkbox(field.name, value=value, key=key, help=field.note)
    whole = field.kind == "int"
    given = st.number_input(
        field.name,
        min_value=_bound(field.low, whole=whole),
        max_value=_bound(field.high, whole=whole),
        value=int(value) if whole else float(value),
        step=1 if whole else 0.05 if field.high == 1 else 0.1,
        format="%d" if whole else "%g",
        key=key,
        help=field.note,
    )
    refused = st.session_state.get("memcore_refused", ("", ""))
    if refused[0] == field.name:
        st.error(told(refused[1]))
    return given


def _bound(value: float | None, *, whole: bool) -> float | None:
    return value if value is None else int(value) if whole else float(value)


def as_of_box(run: int, reply: Reply) -> None:
    conversation = holdings.conversation()
    last = conversation.sessions[-1].index if conversation else 1
    if last > 1:
        now = frame.state().tried_as_of.get(run, reply.trace.as_of) or last
        st.slider(
            words("what_if.as_of"), 1, last, now, format="D%d", key=f"tried_{run}_as_of_session"
        )


def take(run: int, now: Settings, values: dict[str, object]) -> None:
    """Take the values of the form; one that is refused is named at its field, nothing changes."""
    here = frame.state()
    conversation = holdings.conversation()
    last = conversation.sessions[-1].index if conversation else 1
    as_of = st.session_state.get(f"tried_{run}_as_of_session", last)
    try:
        tried: Settings = replace(now, **values)  # type: ignore[arg-type]  # checked by Settings
    except MemcoreError as error:
        st.session_state["memcore_refused"] = what_if.field_of(str(error)), str(error)
        st.rerun()
    st.session_state.pop("memcore_refused", None)
    here.tried[run] = tried
    here.tried_as_of[run] = None if as_of == last else as_of
    saved = holdings.saved_setting()
    if saved is not None and saved.settings != tried:
        here.setting = None
    st.rerun()


def forget(run: int) -> None:
    """Let the inputs begin anew from the settings that are tried."""
    st.session_state.pop("memcore_refused", None)
    for key in [k for k in st.session_state if str(k).startswith(f"tried_{run}_")]:
        del st.session_state[key]


def result(run: int, at: Desk, gold: tuple[TurnId, ...]) -> None:
    """What the settings that are tried would have given, against the run."""
    here, trace = frame.state(), at.reply.trace
    tried = here.tried.get(run, trace.settings)
    as_of = here.tried_as_of.get(run, trace.as_of)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(words("what_if.against", run=run), width="content")
        st.badge(words("what_if.chip"), color="gray", icon=":material/science:")
    names = what_if.names_of(changed(tried, trace.settings))
    if as_of != trace.as_of:
        names = f"{names} · {words('what_if.as_of')} D{as_of}".strip(" ·")
    if not names:
        st.caption(words("what_if.nothing"))
        return
    st.caption(words("what_if.changed", changes=names))
    outcome(run, at, (tried, as_of, names), gold)
    save(run, trace.retriever, tried)


def outcome(
    run: int, at: Desk, trial: tuple[Settings, int | None, str], gold: tuple[TurnId, ...]
) -> None:
    """What moved and what it costs to ask again, or the build that is missing."""
    tried, as_of, names = trial
    try:
        found = trying.outcome(run, at, tried, as_of)
    except MemcoreError as error:
        cards.problem(error)
        return
    if found is None:
        needs_build(tried, names)
        return
    moved(at, found, gold)
    label = words("what_if.ask", tokens=found.reply.context.tokens)
    if st.button(label, icon=":material/refresh:"):
        ask_again(run, at, tried, as_of)


def moved(at: Desk, found: Outcome, gold: tuple[TurnId, ...]) -> None:
    """The difference: the packet in one line, gold, price, then stage by stage."""
    language = frame.state().language
    shift = trying.compared(at, found)
    took = words(f"what_if.took.{found.cost}", kept=found.kept, steps=len(found.reply.trace.steps))
    texts = words("what_if.embedded", n=found.embedded) if found.embedded else ""
    st.markdown(what_if.headline(shift, language))
    survived = what_if.gold_line(at.memory, at.reply, found.reply, gold, language)
    if survived:
        st.markdown(f"{words('what_if.gold')}: {survived}")
    stale = "what_if.fresh" if shift.same_packet else "what_if.stale"
    ends = words("what_if.no_answer" if at.reply.answer is None else stale)
    st.markdown(ends if shift.same_packet or at.reply.answer is None else f"**{ends}**")
    st.caption(what_if.price(shift, language))
    st.caption(" · ".join(part for part in (took, texts) if part))
    stages = what_if.shift_rows(shift, language)
    if stages:
        cards.table(stages, key="shift", alt=words("what_if.stages"), names="shift", widths=SHIFT)
    items = what_if.packet_rows(at.memory, shift, gold, language)
    if items:
        st.markdown(words("what_if.items"))
        cards.table(
            items,
            key="shifted",
            alt=words("what_if.items"),
            height=240 if len(items) > MOST_ROWS else "auto",
            names="shifted",
            widths={"id": 62, "gold": 32, "change": 66, "before": 44, "after": 44},
        )


def needs_build(tried: Settings, names: str) -> None:
    conversation, job = holdings.conversation(), acts.job()
    turns = len(conversation.turns) if conversation else 0
    st.info(words("what_if.needs_build", names=names, turns=turns))
    if job is not None and acts.running(job):
        phase = words(f"phase.{job.phase}") if job.phase else ""
        st.caption(words("what_if.building", phase=phase, done=job.done, total=job.total))
    elif st.button(words("what_if.build"), icon=":material/build:"):
        trying.build(tried)
        st.rerun()


def ask_again(run: int, at: Desk, tried: Settings, as_of: int | None) -> None:
    try:
        trying.ask_again(run, at, tried, as_of)
    except MemcoreError as error:
        cards.problem(error)
        return
    st.switch_page("pages/compare.py")


def save(run: int, retriever: str, tried: Settings) -> None:
    """Save what is tried under a name of its own; a name that is taken is refused."""
    with st.popover(words("what_if.save"), icon=":material/bookmark_add:"):
        name = st.text_input(words("what_if.save_name"), max_chars=60, key="what_if_name")
        if st.button(words("what_if.save_do"), key="what_if_save"):
            refused = trying.save(name, run, retriever, tried)
            if refused:
                st.text(refused)
            else:
                frame.state().notices.append(words("what_if.saved_as", name=name))
                st.rerun()


def flips(run: int, at: Desk) -> None:
    """What left the run, and for the selected one the smallest change that would have kept it."""
    here = frame.state()
    st.subheader(words("what_if.flip_head"))
    item = what_if.followed(at.memory, at.reply, here.selected)
    if item is None:
        st.caption(words("what_if.pick"))
    else:
        with st.container(border=True):
            st.markdown(
                what_if.flip_sentence(item, trying.flip_point(run, at, item), here.language)
            )
            cards.item(at.memory, here.selected)
    near = evidence.near_misses(at.memory, at.reply, here.language)
    cards.table(
        near, key="lost", alt=words("what_if.lost"), height=240, names="ledger", widths=LOST
    )


def sweeps(run: int, at: Desk, gold: tuple[TurnId, ...]) -> None:
    """One setting over its range: gold found and tokens, for this question or all with gold."""
    trace = at.reply.trace
    known = sum(bool(q.evidence_turns) for q in holdings.questions()) if frame.state().gold else 0
    st.subheader(words("what_if.sweep"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            words("what_if.sweep_setting"),
            what_if.sweepable(trace),
            key="sweep_setting",
            width=260,
        )
        scopes = ("this", "all") if known else ("this",)
        scope = st.selectbox(
            words("what_if.scope"),
            scopes,
            format_func=lambda s: words(f"what_if.{s}", n=known),
            key="sweep_scope",
            width=320,
        )
        go = st.button(words("what_if.sweep_run"), icon=":material/show_chart:")
    if go:
        questions = tuple(trying.asked(at, gold, all_questions=scope == "all"))
        bar = st.progress(0.0)
        for swept in sweep(name, questions):
            line = words("what_if.sweeping", done=swept.done, total=swept.total)
            bar.progress(swept.done / swept.total, line)
        bar.empty()
        st.session_state["memcore_swept"] = run, swept
    last = st.session_state.get("memcore_swept", (0, None))
    if last[0] == run:
        curve(last[1], getattr(trace.settings, last[1].setting))


def curve(swept: Swept, now: float | bool) -> None:
    language = frame.state().language
    st.caption(what_if.sweep_sentence(swept, now, language))
    figure = what_if.sweep_figure(swept, now, frame.palette(), language)
    cards.chart(figure, key="sweep", alt=words("what_if.sweep_alt"))
    found = what_if.sweep_rows(swept, language)
    cards.table(found, key="swept", alt=words("what_if.sweep_alt"), names="swept")


page()
