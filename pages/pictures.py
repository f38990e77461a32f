"""The picture of each beat, each with its sentence, its alt text and its table twin.

A picture and its twin are two looks at one row type; the twin switch (T) changes all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

import streamlit as st

from memcore.types import Beat, Gap, Memory, Reply, Step
from memcore.views import beats, fusion, graph_pictures, pictures, rows, selections
from memcore.views.canvas import Picture
from pages import cards, frame
from pages.frame import words

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def both(
    figure: Picture, found: Sequence[DataclassInstance], key: str, names: str, alt: str
) -> None:
    """The picture, or its table twin."""
    if frame.state().twin:
        cards.table(found, key=f"{key}_twin", alt=alt, names=names)
    else:
        cards.picture(figure, key=key, alt=alt)


def draw(run: int, reply: Reply, memory: Memory) -> None:
    """The picture of the present beat; a beat that is not used has none."""
    beat = Beat(frame.state().beat)
    steps = beats.steps_of(reply.trace, beat)
    {
        Beat.CUE: cue,
        Beat.ACTIVATE: activate,
        Beat.COLLECT: collect,
        Beat.CONNECT: connect,
        Beat.PACK: pack,
        Beat.ANSWER: answer,
    }[beat](run, reply, memory)
    if any(step.given or step.entered or step.rest for step in steps):  # cues are no candidates
        stages = tuple(rows.stage(step) for step in steps)
        titles = {f.name: words(f"stage_row.{f.name}") for f in fields(rows.StageRow)}
        cards.counts_table(stages, titles, words("step.stage"))
    for step in steps:
        for rest in step.rest:
            reason = words(f"reason.{rest.reason}")
            st.caption(words("step.rest", count=rest.count, reason=reason))


def cue(run: int, reply: Reply, memory: Memory) -> None:
    found = rows.cues(memory, reply)
    if not found:
        st.caption(words("cues.none"))
        return
    look = frame.palette(), cards.lit(reply)
    st.caption(words("cues.sentence"))
    figure = pictures.cue_strip(memory, reply, *look)
    both(figure, found, f"cues_{run}", "cue", words("cues.alt"))


def activate(run: int, reply: Reply, memory: Memory) -> None:
    found = pictures.active(memory, reply)
    if not found:
        return
    page = pager("active", len(found), pictures.ROWS_A_PAGE)
    shown = found[page : page + pictures.ROWS_A_PAGE]
    st.caption(words("active.sentence", shown=len(shown), total=len(found)))
    figure = pictures.active_bars(shown, frame.palette(), cards.lit(reply))
    both(figure, shown, f"active_{run}_{page}", "active", words("active.alt"))


def pager(key: str, total: int, size: int) -> int:
    """Return the first row to show; a number box appears where one page is too small."""
    pages = -(-total // size)
    if pages < 2:
        return 0
    shown = st.number_input(words("step.page", total=pages), 1, pages, key=f"{key}_page", width=160)
    return (int(shown) - 1) * size


def collect(run: int, reply: Reply, memory: Memory) -> None:
    """Lists that were fused as slopes of ranks; then what each channel listed, by rank."""
    joined = fusion.fused(reply)
    if joined is not None:
        lit, gold = cards.lit(reply), cards.gold(reply)
        drawn = fusion.shown(joined, lit, gold)
        counts = {"shown": len(drawn), "total": len(joined.items), "packed": joined.packed}
        st.caption(words("fused.sentence", **counts, deepest=fusion.DEEPEST))
        figure = fusion.figure(joined, drawn, frame.palette(), lit, gold)
        found = fusion.rows(joined, drawn, gold)
        both(figure, found, f"fused_{run}", "fused_row", words("fused.alt"))
    ranked(run, reply, Beat.COLLECT)


def ranked(run: int, reply: Reply, beat: Beat) -> None:
    """The strips of ranks of what entered in a beat, or in the fine stage that is chosen."""
    stage = frame.state().stage
    found = pictures.ranks(reply, beat, stage)
    if not found:
        return
    most = pictures.MOST_CANDIDATES
    shown = tuple(r for r in found if r.rank <= most)
    st.caption(words("ranks.sentence", shown=len(shown), total=len(found), most=most))
    figure = pictures.rank_bars(reply, beat, frame.palette(), cards.lit(reply), stage)
    both(figure, shown, f"ranks_{run}_{beat.value}_{stage}", "rank_row", words("ranks.alt"))


def connect(run: int, reply: Reply, memory: Memory) -> None:
    """Arcs with gaps, the ladder of a chosen gap, the lanes of paths; joined turns by rank."""
    steps = beats.steps_of(reply.trace, Beat.CONNECT)
    if any(step.edges or step.gaps for step in steps):
        arcs(run, reply, memory, steps)
    gaps = tuple(g for step in steps for g in step.gaps)
    if gaps:
        ladder(run, reply, memory, gaps)
    for step in steps:
        if step.paths:
            lanes(run, reply, memory, step)
    ranked(run, reply, Beat.CONNECT)


def arcs(run: int, reply: Reply, memory: Memory, steps: tuple[Step, ...]) -> None:
    lit = cards.lit(reply)
    shown = graph_pictures.edges_shown(steps, lit)
    gaps = sum(len(step.gaps) for step in steps)
    total = len({e for step in steps for e in step.edges})
    st.caption(words("arcs.sentence", shown=len(shown), total=total, gaps=gaps))
    figure = graph_pictures.arcs(memory, steps, frame.palette(), lit)
    found = rows.edge_rows(shown)
    both(figure, found, f"arcs_{run}", "edge_row", words("arcs.alt"))


def ladder(run: int, reply: Reply, memory: Memory, gaps: tuple[Gap, ...]) -> None:
    """All gaps as a table; the ladder of the one that is selected, else of the one last seen."""
    key, selected = f"gap_{run}", frame.state().selected
    if selected[:1] == "G" and selections.of_run(reply, selected):
        st.session_state[key] = int(selected[1:]) - 1
    chosen = st.selectbox(
        words("gap.choose"),
        range(len(gaps)),
        format_func=lambda n: f"G{n + 1} · {gaps[n].older} → {gaps[n].newer}",
        key=key,
        on_change=lambda: frame.select(f"G{st.session_state[key] + 1}"),
        width=260,
    )
    gap = gaps[chosen or 0]
    values = {"n": len(gap.candidates), "older": gap.older, "newer": gap.newer}
    st.caption(words("ladder.sentence", **values))
    found = rows.ladder(memory, (gap,))
    figure = graph_pictures.ladder(memory, gap, frame.palette(), cards.lit(reply))
    key = f"ladder_{run}_{gap.older}_{gap.newer}"
    both(figure, found, key, "ladder", words("ladder.alt"))
    with st.expander(words("gap.all", n=len(gaps))):
        every = graph_pictures.gap_rows(gaps)
        cards.table(every, key=f"gaps_{run}", alt=words("gap.all", n=len(gaps)), names="gap_row")


def lanes(run: int, reply: Reply, memory: Memory, step: Step) -> None:
    shown = min(len(step.paths), graph_pictures.MOST_PATHS)
    st.caption(words("lanes.sentence", shown=shown, total=len(step.paths)))
    look = frame.palette(), cards.lit(reply)
    figure = graph_pictures.lanes(memory, reply, step, *look)
    both(figure, rows.paths(step), f"lanes_{run}_{step.name}", "path", words("lanes.alt"))


def pack(run: int, reply: Reply, memory: Memory) -> None:
    found, context = pictures.waterfall_rows(memory, reply), reply.context
    how = words("ask.counted" if context.counted else "ask.estimated")
    beyond = sum(r.fits != pictures.WENT for r in found)
    values = {"tokens": context.tokens, "limit": context.limit, "how": how, "beyond": beyond}
    st.caption(words("fall.sentence" if context.limit else "fall.sentence_free", **values))
    figure = pictures.waterfall(found, context.limit, frame.palette(), cards.lit(reply))
    both(figure, found, f"fall_{run}", "fall_row", words("fall.alt"))


def answer(run: int, reply: Reply, memory: Memory) -> None:
    """Sentences on the left, what they cite on the right."""
    found = pictures.sentences(reply)
    if not found:
        cards.answer(reply)
        return
    said = sum(bool(r.sentence) for r in found)
    unused = sum(not r.sentence and bool(r.id) for r in found)
    st.caption(words("answer.sentence", sentences=said, unused=unused))
    if frame.state().twin:
        cards.table(found, key=f"sentences_{run}", alt=words("answer.alt"), names="sentence")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        cards.answer(reply)
    with right:
        cited = dict.fromkeys(reply.answer.citations) if reply.answer else {}
        texts, lit = rows.texts(memory), cards.lit(reply)
        for item in cited:
            with cards.outlined(str(item), lit):
                cards.chip(str(item), f"evidence_{item}")
                st.text(texts.get(str(item), ""))
