"""Compare: two runs side by side, what they share first, then beat against beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import streamlit as st

from memcore.store.runs import Run
from memcore.types import Beat
from memcore.views import compare, compare_items, compare_words
from memcore.views.compare import Side
from pages import address, cards, frame, holdings, sides
from pages.frame import words

MOST_ROWS = 8
NARROWEST = 300
"""Pixels in which the words of a turn can still be read; without that room columns stack."""
ONE = {"id": 62, "gold": 32, "rank": 44, "via": 70}
BOTH = {"id": 62, "gold": 32, "left": 40, "right": 44, "change": 46}
PAIR = {"left_in": 52, "left_out": 60, "left_gold": 54}
PAIR |= {"right_in": 62, "right_out": 70, "right_gold": 62}

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def page() -> None:
    address.routed("compare")
    sides.jumped()
    st.title(words("compare.title"))
    st.caption(words("compare.purpose"))
    frame.notices()
    rows = holdings.all_runs(frame.state().dialogue)
    if not rows:
        cards.empty("compare.empty", "frame.go_ask", "pages/ask.py")
        return
    pair = chosen({row.id: row for row in rows})
    if pair is None:
        return
    left, right = (sides.load(run) for run in pair)
    for run, side in zip(pair, (left, right), strict=True):
        if side is None:
            st.warning(words("compare.gone", run=run))
    if left is not None and right is not None:
        compared(left, right)


def chosen(here_only: dict[int, Run]) -> tuple[int, int] | None:
    """Choose both sides; with one run there is one button that makes the other."""
    here = frame.state()
    everyone = {row.id: row for row in holdings.all_runs()}
    linked = {run: everyone[run] for run in (here.left, here.right) if run in everyone}
    all_of = st.session_state.get("compare_others", False)
    stored = everyone if all_of else here_only | linked
    here.left = here.left if here.left in stored else here.run if here.run in stored else None
    here.left = here.left or max(here_only)
    here.right = here.right if here.right in stored else _other(stored, here.left)
    if here.right is None:
        alone(stored, here.left)
        return None
    boxes = st.columns(2, gap="medium")
    with boxes[0]:
        sides.choose("left", stored)
    with boxes[1]:
        sides.choose("right", stored)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.toggle(words("compare.different"), key="compare_different")
        if len(everyone) > len(here_only):
            st.toggle(words("compare.others"), key="compare_others")
    if here.left == here.right:
        st.info(words("compare.same_run"))
        sides.ask_with(stored[here.left])
    return here.left, here.right


def alone(stored: dict[int, Run], run: int) -> None:
    """A run whose question no other has: the button that asks it again, and all other runs."""
    st.info(words("compare.alone"))
    sides.ask_with(stored[run])
    if len(stored) > 1:
        sides.choose("right", stored)


def _other(stored: dict[int, Run], left: int) -> int | None:
    """The newest other run of the same question; a run of another one is never taken unasked."""
    others = [run for run in sorted(stored, reverse=True) if run != left]
    return next((run for run in others if stored[run].question == stored[left].question), None)


def compared(left: Side, right: Side) -> None:
    here = frame.state()
    fair, different = compare.comparable(left, right), st.session_state["compare_different"]
    if not fair:
        st.warning(words("compare.unlike"), icon=":material/block:")
    shared(left, right)
    st.subheader(words("compare.beats"))
    st.caption(compare.summary(left, right, here.language))
    pairs = compare.beats(left, right, here.language)
    cards.table(
        tuple(p for p in pairs if not different or p.difference != "="),
        key="beat_pairs",
        alt=words("compare.beats"),
        names="beat_pair",
        widths={"beat": 88, "difference": 112} | PAIR,
    )
    items(left, right, different=different)
    ended(left, right)


def shared(left: Side, right: Side) -> None:
    """What differs as a table; what is equal in one line, or all of it where asked."""
    found = compare.fingerprint(left, right, frame.state().language)
    st.subheader(words("compare.fingerprint"))
    if found.differs:
        cards.table(found.differs, key="print", alt=words("compare.fingerprint"), names="print")
    names = words("compare.and").join(row.what for row in found.equal)
    st.caption(words("compare.all_equal", names=names))


def items(left: Side, right: Side, *, different: bool) -> None:
    """The turns that each side has after a beat, and how their ranks cross."""
    here = frame.state()
    st.subheader(words("compare.items"))
    beat = Beat(beats())
    fair = compare.comparable(left, right)
    found = compare_items.columns(left, right, beat, different=different)
    if not fair:
        found = compare_items.apart(left, right, beat)
    if not (found.left or found.both or found.right):
        st.info(words("compare.no_items"))
        return
    st.caption(words("compare.items_note"))
    grid = st.grid(3 if fair else 2, min_column_width=NARROWEST)
    with grid.cell():
        column("compare.only_left" if fair else "compare.side_left", found.left, left)
    if fair:
        with grid.cell():
            column("compare.in_both", found.both)
    with grid.cell():
        column("compare.only_right" if fair else "compare.side_right", found.right, right)
    if here.selected:
        picked(left, right)
    if fair and (found.both or not different):
        slope(left, right, beat)


def beats() -> int:
    """The beat after which the turns are compared; every button is a key as in Step."""
    here = frame.state()
    with st.container(horizontal=True, gap="small"):
        for beat in Beat:
            st.button(
                f"{beat.value} {words(f'beat.{beat.value}')}",
                type="primary" if beat.value == here.beat else "secondary",
                shortcut=str(beat.value),
                on_click=_to_beat,
                args=(beat.value,),
                key=f"compare_beat_{beat.value}",
            )
    return here.beat


def _to_beat(beat: int) -> None:
    frame.state().beat = beat


def column(title: str, found: Sequence[DataclassInstance], side: Side | None = None) -> None:
    """One column; a click on a row of one side opens it in that side's Step."""
    st.markdown(words(title, n=len(found)))
    if not found:
        st.caption(words("compare.none"))
        return
    key, names = title.replace(".", "_"), "two_sides" if side is None else "one_side"
    beat, widths = frame.state().beat, dict(BOTH if side is None else ONE)
    rows = [asdict(row) for row in found]
    widths |= {name: 0 for name in ("gold", "via") if not any(row.get(name) for row in rows)}
    height: int | Literal["auto"] = 320 if len(found) > MOST_ROWS else "auto"

    def jump(turn: str) -> None:
        if side is None:
            frame.select(turn)
        else:
            sides.step_to(side, turn, beat)

    cards.table(
        found,
        key=key,
        alt=words(title, n=len(found)),
        height=height,
        names=names,
        pick=jump,
        widths=widths,
    )


def picked(left: Side, right: Side) -> None:
    """The selected turn, and the way to it on either side."""
    here = frame.state()
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words("frame.selected", id=here.selected))
            for name, side in (("left", left), ("right", right)):
                st.button(
                    words(f"compare.open_{name}", run=side.run),
                    key=f"compare_open_{name}",
                    on_click=sides.step_to,
                    args=(side, here.selected, here.beat),
                )
            st.button(words("frame.clear"), shortcut="Esc", on_click=frame.select, args=("",))
        cards.item(left.memory, here.selected)


def slope(left: Side, right: Side, beat: Beat) -> None:
    here = frame.state()
    found = compare_items.slopes(left, right, beat)
    st.subheader(words("compare.slope"))
    st.caption(compare_items.slope_sentence(found, here.language))
    names = tuple(f"{side.run} · {side.row.retriever}" for side in (left, right))
    gold = frozenset((*left.gold, *right.gold))
    figure = compare_items.slope_figure(
        found, (names[0], names[1]), frame.palette(), (here.selected, gold)
    )

    def jump(turn: str, which: str) -> None:
        sides.step_to(left if which == "l" else right, turn, beat.value)

    cards.chart(figure, key="slope", alt=words("compare.slope_alt"), pick=jump)


def ended(left: Side, right: Side) -> None:
    """Both answers with their own words marked, and the verdicts."""
    st.subheader(words("compare.answers"))
    answers = [s.reply.answer.text if s.reply.answer else "" for s in (left, right)]
    fair = compare.comparable(left, right)
    if fair and answers[0] == answers[1]:
        st.caption(words("compare.answers_equal"))
    elif fair:
        st.caption(words("compare.answers_note"))
    ours = compare_words.difference(answers[0], answers[1])
    for box, side, pieces in zip(st.columns(2, gap="medium"), (left, right), ours, strict=True):
        with box, st.container(border=True):
            st.caption(f"{side.run} · {side.row.retriever}")
            if side.reply.answer is None:
                st.info(compare.verdict(side, "f1", frame.state().language))
            else:
                st.markdown(cards.differing(pieces, mark=fair))
    st.subheader(words("compare.verdicts"))
    cards.table(
        compare.verdicts(left, right, frame.state().language),
        key="verdicts",
        alt=words("compare.verdicts"),
        names="verdict",
    )


page()
