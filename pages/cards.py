"""Pieces that several pages draw: tables, charts, the selection, a turn with its anchors marked.

Dialogue text goes only where Streamlit renders no markup: `st.text`, `st.code`, dataframe cells
and select options. Every chart and table is an input to the one selection, never its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Literal

import streamlit as st

import memcore
from memcore.errors import MemcoreError
from memcore.settings import changed, preset_of
from memcore.types import AnchorKind, Beat, Memory, Reply, Turn, TurnId
from memcore.views import (
    beats,
    damage,
    evidence,
    life,
    memory_rows,
    reading,
    rows,
    selections,
    theme,
    warned,
)
from memcore.views.canvas import Lit, Picture
from memcore.views.compare_words import Piece
from memcore.views.sheet import Sheet, sheet
from memcore.views.strings import minute
from pages import acts, drawing, frame, holdings
from pages.frame import words

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from _typeshed import DataclassInstance
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.elements.lib.column_types import ColumnConfig

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
MARKS = dict.fromkeys(AnchorKind, "orange") | {
    AnchorKind.ENTITY: "blue",
    AnchorKind.LEXICAL: "gray",
    AnchorKind.SPEAKER: "green",
}
LEDGER = {"id": 64, "gold": 34, "words": 210, "entered": 96, "score": 64, "rank": 52}
RECEIPT = {"term": 120, "source": 110, "amount": 70, "total": 92}
UPDATE = {"state": 50, "id": 50, "fact": 230, "quote": 270, "said": 92}
"""Pixels of columns, so that those behind them are in sight too."""
LEGEND = ("turn", "fact", "bridge", "anchor", "kinds", "gold", "accent", "quiet")
LONGEST = 140
"""Characters of a turn told beside another."""

CHART = {"displayModeBar": False, "responsive": True, "scrollZoom": False}


def empty(sentence: str, action: str, target: str) -> None:
    """An empty state: what is missing, and the one button that helps."""
    st.info(words(sentence))
    if st.button(words(action), type="primary"):
        st.switch_page(target)


def framed(found: Sequence[DataclassInstance]) -> pd.DataFrame:
    """Row values as a frame; pandas is loaded with the first of them."""
    import pandas as pd  # on first use

    return pd.DataFrame([asdict(row) for row in found])


def table(  # noqa: PLR0913 - what a table may differ in
    found: Sequence[DataclassInstance],
    key: str,
    alt: str,
    height: int | Literal["auto"] = "auto",
    names: str = "",
    pick: Callable[[str], None] = frame.select,
    widths: Mapping[str, int] | None = None,
) -> None:
    """A dataframe of row values; a click selects the row's `id`, if rows have one.

    `names` is the prefix of the column titles in the strings; `pick` may do something else with
    the id that was clicked; `widths` holds the pixels of columns that are to stay narrow, 0 for
    one that is left out.
    """
    drawn = framed(found)
    ids = [str(i) for i in drawn["id"]] if "id" in drawn.columns else []
    titles = {
        c: _titled(f"{names}.{c}", (widths or {}).get(c)) for c in (drawn.columns if names else ())
    }
    if not ids:
        st.dataframe(drawn, key=key, height=height, hide_index=True, column_config=titles, alt=alt)
        return
    st.dataframe(
        drawn,
        key=key,
        height=height,
        hide_index=True,
        column_config=titles,
        on_select=_picker(key, ids, pick),
        selection_mode="single-row",
        alt=alt,
    )


def _titled(key: str, width: int | None) -> ColumnConfig | None:
    """A column under its words; None leaves it out."""
    return None if width == 0 else st.column_config.Column(words(key), width=width)


def _picker(key: str, ids: list[str], pick: Callable[[str], None]) -> Callable[[], None]:
    def picked() -> None:
        chosen = st.session_state[key]["selection"]["rows"]
        if chosen and chosen[0] < len(ids) and ids[chosen[0]]:  # rows without an id select none
            pick(ids[chosen[0]])

    return picked


def chart(figure: go.Figure, key: str, alt: str, pick: Callable[..., None] = frame.select) -> None:
    """A Plotly figure; a click selects the first customdata of the mark.

    `pick` may do something else with all the customdata of the mark.
    """

    def picked() -> None:
        points = st.session_state[key]["selection"]["points"]
        found = points[0].get("customdata") if points else None
        if found:
            pick(str(found[0])) if pick is frame.select else pick(*map(str, found))

    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        config=CHART,
        on_select=picked,
        selection_mode="points",
        alt=alt,
    )


def picture(figure: Picture, key: str, alt: str) -> None:
    """A figure that stands still, drawn as SVG in the page; a click selects, as in `chart`."""
    drawing.draw(figure, key, alt, frame.select)


def still(figure: go.Figure, key: str, alt: str) -> None:
    """A Plotly figure on which nothing can be selected."""
    st.plotly_chart(figure, key=key, theme=None, config=CHART, alt=alt)


def question(run: int, reply: Reply, *, border: bool = True) -> None:
    """The question of a run as text, and the run's line."""
    with st.container(border=border, gap="xsmall"):
        st.text(reply.trace.question)
        st.caption(run_line(run, reply))
        differing = changed(reply.trace.settings, holdings.settings(reply.trace.retriever))
        for name, base, value in differing:
            st.caption(words("frame.changed", name=name, value=value, base=base))


def run_line(run: int, reply: Reply) -> str:
    """Return retriever, preset, time and tokens of a run."""
    return words(
        "step.run",
        run=run,
        retriever=reply.trace.retriever,
        preset=preset_of(reply.trace.settings),
        ms=beats.spent(sum(reply.milliseconds)),
        tokens=reply.context.tokens,
        how=words("ask.counted" if reply.context.counted else "ask.estimated"),
    )


def lit(reply: Reply) -> Lit:
    """The ids that the selection lights in the pictures of a run."""
    return selections.lit(reply, frame.state().selected)


def selection(
    memory: Memory, reply: Reply | None = None, *, clear: bool = True, around: bool = True
) -> None:
    """The one selection: what it is, its words with the turns around, its receipts, its changes.

    Without `clear` the button is on the page already, without `around` those turns are.
    """
    here = frame.state()
    if not here.selected:
        st.caption(words("step.no_selection"))
        return
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words("frame.selected", id=here.selected))
            if clear:
                label = words("frame.clear")
                st.button(label, shortcut="Esc", on_click=frame.select, args=("",))
        left, right = st.columns((2, 3), gap="medium")
        with left:
            item(memory, here.selected, around=around, reply=reply)
        with right:
            if reply is not None:
                receipt(memory, reply, here.selected)
        updates(memory, here.selected)


def item(memory: Memory, selected: str, *, around: bool = True, reply: Reply | None = None) -> None:
    """The words of a turn, a fact, an anchor, or a thing of a run, as text."""
    if selected[:1] in selections.OF_RUN:
        told = reading.reading(memory, selected, reply=reply)
        if told is not None:
            st.text(f"{told.head}\n{told.words}")
        return
    edge = next((h for h in memory.hypergraph.hyperedges if str(h.id) == selected), None)
    if edge is not None:
        found = memory_rows.anchor_rows((edge,), memory)
        table(found, key="one_anchor", alt=words("memory.anchors"), names="anchor")
        return
    turns = [selected] if selected.startswith("D") else _sources(memory, selected)
    if not selected.startswith("D"):
        st.text(rows.texts(memory).get(selected, ""))
    for turn_id in turns:
        turn(memory, TurnId.parse(turn_id), around=around)


def updates(memory: Memory, selected: str) -> None:
    """How the selected fact, or the facts of the selected turn, changed; nothing if they did not."""
    found = memory_rows.updates(memory, selected, frame.state().language)
    if found:
        st.markdown(words("memory.updates"))
        alt = words("memory.updates")
        table(found, key="updates", alt=alt, names="update", widths=UPDATE)


def _sources(memory: Memory, fact: str) -> list[str]:
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    return [str(t) for e in entries if str(e.id) == fact for t in e.source_turns]


def turn(memory: Memory, turn_id: TurnId, *, around: bool = True) -> None:
    """One turn, with the two before and after it: id, speaker, date, text."""
    found = rows.turn(memory, turn_id)
    if found is None:
        return
    before, after = reading.around(memory, turn_id) if around else ((), ())
    beside(before)
    said = minute(found.said_at, frame.state().language)
    st.text(f"{turn_id} · {found.speaker} · {said}")
    st.code(found.content, language=None, wrap_lines=True)
    beside(after)


def beside(turns: Sequence[Turn]) -> None:
    """Turns around a turn, a line each, cut where they are long."""
    for one in turns:
        st.text(f"{one.id} {one.speaker}: {one.content}"[:LONGEST])


def receipt(memory: Memory, reply: Reply, selected: str) -> None:
    """One receipt a channel; the totals of two channels are never added."""
    for n, found in enumerate(rows.receipts(memory, reply, selected, frame.state().language)):
        channel = words(f"stage.{found.channel}")
        st.markdown(
            words(
                "step.receipt_channel", channel=channel, rank=found.rank, score=f"{found.score:g}"
            )
        )
        if found.rows:
            alt = words("step.receipt", id=selected)
            table(found.rows, f"receipt_{n}", alt, names="receipt", widths=RECEIPT)
        else:
            st.caption(found.note)


def marked_turn(memory: Memory, turn_id: TurnId) -> None:
    """One turn with the characters that made its anchors marked.

    Marks are coloured spans of `st.markdown`'s own syntax around escaped words: the one escape
    function turns every character that Markdown could read into itself.
    """
    found = rows.turn(memory, turn_id)
    if found is None:
        return
    said = minute(found.said_at, frame.state().language)
    st.text(f"{turn_id} · {found.speaker} · {said}")
    annotation = next((a for a in memory.annotations if a.turn == turn_id), None)
    with st.container(border=True):
        st.markdown(marks(memory_rows.stretches(found.content, annotation)))
    st.caption(words("memory.mark_note"))


def marks(stretches: Sequence[memory_rows.Stretch]) -> str:
    """Return the pieces of a turn as Markdown in which only our own marks are markup."""
    return "".join(
        f":{MARKS[s.anchor]}-background[{literal(s.text)}]" if s.anchor else literal(s.text)
        for s in stretches
    )


def differing(pieces: Sequence[Piece], *, mark: bool = True) -> str:
    """Return a text as Markdown with the pieces that the other text lacks marked."""
    return "".join(_marked(p.text) if p.own and mark else literal(p.text) for p in pieces)


def _marked(text: str) -> str:
    """Return a marked text; blanks at its ends stay outside, since Markdown marks none there."""
    core = text.strip()
    if not core:
        return literal(text)
    before, _, after = text.partition(core)
    return f"{literal(before)}:gray-background[**{literal(core)}**]{literal(after)}"


def literal(text: str) -> str:
    """Return text that Markdown shows as typed: all ASCII punctuation escaped, lines kept."""
    escaped = "".join(f"\\{c}" if c in PUNCTUATION else c for c in text)
    return escaped.replace("\n", "  \n")


def legend() -> None:
    """What the marks mean, in words."""
    with st.popover(words("frame.legend")):
        for key in LEGEND:
            st.markdown(words(f"legend.{key}"))


def chip(item: str, key: str) -> None:
    """A citation that selects its item."""
    st.button(item, key=key, type="tertiary", on_click=frame.select, args=(item,))


def outlined(item: str, lit: Lit) -> DeltaGenerator:
    """A box around an item, with the outline of what is selected where it is lit."""
    key = f"{theme.OUTLINED}{item}" if item in lit else None
    return st.container(border=True, gap="xsmall", key=key)


def answer(reply: Reply) -> None:
    """The answer, sentence by sentence, each with its citations; one without says so."""
    if reply.answer is None:
        st.info(words("ask.no_answer"))
        return
    for n, sentence in enumerate(reply.answer.sentences):
        with st.container(horizontal=True, vertical_alignment="center"):
            chip(f"S{n + 1}", f"sentence_{n}")
            st.text(sentence.text)
            for citation in dict.fromkeys(sentence.citations):
                chip(str(citation), f"cite_{n}_{citation}")
            if not sentence.citations and not reply.answer.refused:
                st.caption(words("ask.uncited"))
    if reply.answer.absent:
        st.text(words("ask.absent", ids=", ".join(reply.answer.absent)))
    by = words(
        "ask.by",
        reader=reply.answer.reader,
        retriever=reply.trace.retriever,
        preset=preset_of(reply.trace.settings),
    )
    when = words("ask.as_of", session=reply.trace.as_of) if reply.trace.as_of else ""
    st.caption(" · ".join(part for part in (by, when) if part))


def warnings(reply: Reply) -> None:
    """What one should know before reading the answer, each kind under its own head and sign.

    The sentence may hold a name of the dialogue or a server's words, so it is shown as text.
    """
    for warning in reply.warnings:
        kind = warned.KINDS[warning]
        with st.container(border=True):
            st.caption(f"{warned.ICONS[kind]} {words(f'warning_head.{kind}')}")
            values = {"subject": reply.trace.query.subject, "message": reply.trouble}
            st.text(words(f"warning.{warning}", **values))
    answered = reply.answer is not None and not reply.answer.refused
    unmatched = () if answered else evidence.unmatched(reply)
    if unmatched:
        st.text(words("ask.unmatched", keys=", ".join(unmatched)))


def missing_memory(sentence: str) -> None:
    """An empty state; while a build runs, how far it is, and the page when it has ended."""
    job = acts.job()
    if job is not None and acts.running(job):
        st.info(words("ask.building"))
        building()
    else:
        empty(sentence, "frame.go_start", "pages/start.py")


@frame.fragment(run_every=1.0)
def building() -> None:
    """The state of a build, read once a second from its row, with a true denominator."""
    job = acts.job()
    if job is None or not acts.running(job):
        st.rerun()
        return
    phase = words(f"phase.{job.phase}") if job.phase else words("start.loading_models")
    done = job.done / job.total if job.total else 0.0
    st.progress(done, words("phase.row", phase=phase, done=job.done, total=job.total))


def problem(error: MemcoreError) -> None:
    """A refusal in plain words."""
    frame.refusal(error)


@contextmanager
def told() -> Iterator[None]:
    """Show a refusal in place of what was to be drawn: a newer file, a locked one, a full disk."""
    try:
        yield
    except MemcoreError as error:
        problem(error)


def run_choice() -> tuple[int, Reply, Memory, tuple[TurnId, ...]] | None:
    """The open run with its memory and gold; a box chooses among the dialogue's runs."""
    here = frame.state()
    stored = {r.id: r for r in holdings.all_runs(here.dialogue)}
    if not stored:
        return None
    here.run = here.run if here.run in stored else max(stored)
    st.session_state["run_choice"] = here.run
    st.selectbox(
        words("step.choose"),
        tuple(sorted(stored, reverse=True)),
        format_func=lambda n: f"{n} · {stored[n].question} · {stored[n].retriever}",
        key="run_choice",
        on_change=take_run,
    )
    reply = holdings.reply(here.run)
    if reply is None or here.dialogue is None:
        return None
    memory = holdings.run_memory(here.dialogue, here.run, reply.trace)
    if memory is None:
        return None
    return here.run, reply, memory, gold(reply)


def gold(reply: Reply) -> tuple[TurnId, ...]:
    """The gold turns of a run's question; none where there are none or their marks are off."""
    known = evidence.gold_of(holdings.questions(), reply.trace.question)
    return known.evidence_turns if known and frame.state().gold else ()


def banners(run: int, reply: Reply, memory: Memory) -> None:
    """What differs today from when the run was made, and what is gone of its records."""
    stored = holdings.records(run)
    gone = damage.missing(stored)
    if gone:
        kinds = ", ".join(words(f"record.{kind}") for kind in gone)
        st.warning(words("step.incomplete", missing=kinds))
    differing = {
        "data": stored.run.memory not in {"", today(reply, memory).fingerprint},
        "settings": stored.run.kind == "ask"
        and reply.trace.settings != holdings.settings(reply.trace.retriever),
        "code": stored.run.code not in {"", memcore.__version__},
    }
    names = ", ".join(words(f"differs.{name}") for name, differs in differing.items() if differs)
    if names:
        st.info(words("step.differs", names=names))


def today(reply: Reply, memory: Memory) -> Memory:
    """The memory that the question of a run would read now."""
    trace, number = reply.trace, frame.state().dialogue or 0
    needs = holdings.SYSTEMS[trace.retriever]
    return holdings.stored_memory(number, trace.settings, needs, trace.as_of) or memory


def packet(memory: Memory, reply: Reply, golden: tuple[TurnId, ...]) -> None:
    """The packet as a table and verbatim, and the prompt where a model was asked."""
    found = rows.packet(memory, reply, golden)
    table(found, key="packet", alt=words("step.packet"), names="packet")
    st.code(reply.context.text, language=None, wrap_lines=True)
    if reply.answer and reply.answer.prompt:
        st.subheader(words("ask.prompt"))
        st.code(reply.answer.prompt, language=None, wrap_lines=True)


def take_run() -> None:
    frame.open_run(st.session_state["run_choice"])


def ledger(
    run: int, memory: Memory, reply: Reply, golden: tuple[TurnId, ...]
) -> tuple[rows.LedgerRow, ...]:
    """Every candidate of a run, worked out once for the run, its gold and the language."""
    key = str(holdings.path()), holdings.workspace(), run, golden, frame.state().language
    return _ledger(key, memory, reply)


@st.cache_resource(max_entries=8, show_spinner=False)
def _ledger(
    key: tuple[str, str, int, tuple[TurnId, ...], str], _memory: Memory, _reply: Reply
) -> tuple[rows.LedgerRow, ...]:
    *_, golden, language = key
    return rows.ledger(_memory, _reply, golden, language)


def places(run: int, memory: Memory, reply: Reply) -> Sheet:
    """The places of the score sheet of a run, which no step changes."""
    return _places(
        (str(holdings.path()), holdings.workspace(), run, frame.state().language), memory, reply
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _places(key: tuple[str, str, int, str], _memory: Memory, _reply: Reply) -> Sheet:
    return sheet(_memory, _reply)


def near_misses(run: int, memory: Memory, reply: Reply) -> tuple[str, ...]:
    """The ids of the best candidates that did not reach the packet, best first, each once."""
    found = ledger(run, memory, reply, ())
    return tuple(dict.fromkeys(r.id for r in evidence.nearest(reply, found)))


def strip(reply: Reply, counts: tuple[life.BeatCount, ...], golden: tuple[TurnId, ...]) -> None:
    """Counts, times and gold survival, one column a beat."""
    found = beats.strip(reply, counts, len(golden), frame.state().language)
    titles = {f.name: words(f"strip.{f.name}") for f in fields(beats.StripRow)}
    counts_table(found, titles, words("step.strip"))


def counts_table(found: Sequence[DataclassInstance], titles: Mapping[str, str], alt: str) -> None:
    """A few counts as a plain table: it needs no grid to be loaded, and nothing in it is chosen."""
    cells = tuple(tuple(asdict(row).values()) for row in found)
    st.table(_cells(cells, tuple(titles.values())), border="horizontal", hide_index=True, alt=alt)


@st.cache_resource(max_entries=64, show_spinner=False)
def _cells(cells: tuple[tuple[object, ...], ...], titles: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd  # on first use

    return pd.DataFrame([list(row) for row in cells], columns=list(titles))


def raw(run: int, beat: Beat, stage: str = "") -> None:
    """The records of a beat, or of one stage of it, as they are stored, as text."""
    found = acts.raw(run, beat, stage)
    st.download_button(
        words("step.download"),
        found,
        file_name=f"run-{run}-beat-{beat.value}.json",
        mime="application/json",
        on_click="ignore",
    )
    st.code(found, language="json", wrap_lines=True)
