"""Comparing two runs: what is equal, beats, columns, ranks, words, verdicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.settings import SAFE
from memcore.store.runs import Run
from memcore.types import (
    Answer,
    Beat,
    Candidate,
    Context,
    Conversation,
    Entry,
    EntryId,
    EvolutionGraph,
    Hypergraph,
    Memory,
    Query,
    Reply,
    Sentence,
    Session,
    Span,
    SpanPart,
    Step,
    Trace,
    Turn,
    TurnId,
    Warning,
)
from memcore.views import compare, compare_items, compare_words
from memcore.views.compare import Side
from memcore.views.theme import LIGHT

NOBODY = np.zeros((0, 2), dtype=np.float32)
ONE, TWO, THREE, FOUR = (TurnId(1, n) for n in range(1, 5))
TURNS = tuple(Turn(t, "Ana", f"words {t.turn}") for t in (ONE, TWO, THREE, FOUR))
FACTS = (Entry(EntryId(1), "a fact", (THREE, ONE)), Entry(EntryId(2), "another", (ONE,)))
MEMORY = Memory(
    Conversation("talk", (Session(1, turns=TURNS),)),
    (),
    Hypergraph(),
    EvolutionGraph(FACTS),
    NOBODY,
    NOBODY,
)


def reply(*items: TurnId | EntryId, answer: Answer | None = None) -> Reply:
    kept = tuple(Candidate(item, 1.0) for item in items)
    steps = (
        Step("query", Beat.CUE),
        Step("activate", Beat.ACTIVATE, used=False),
        Step("bm25", Beat.COLLECT, entered=kept, kept=kept),
        Step("connect", Beat.CONNECT, given=kept, kept=kept, used=False),
        Step("pack", Beat.PACK, given=kept, kept=kept),
    )
    spans = tuple(Span(SpanPart.ITEM, 0, 0, 5, item) for item in items)
    context = Context("packet", spans, 5 * len(spans), limit=100)
    return Reply(Trace(Query("Where?"), "bm25", SAFE, steps=steps), context, answer)


ROW = Run(
    id=1,
    dialogue=1,
    name="",
    pinned=False,
    created_at=None,
    question="Where?",
    retriever="bm25",
    preset="safe",
    changed=(),
    as_of=None,
    outcome="retrieved",
    fingerprint="f",
    memory="m",
    reader="",
    tokens=10,
    answer="",
    milliseconds=(),
)


def side(found: Reply, **changed: object) -> Side:
    outcome = "answered" if found.answer else "retrieved"
    return Side(replace(ROW, outcome=outcome), found, MEMORY, "talk", "data", **changed)


LEFT = side(reply(ONE, TWO, FOUR))
RIGHT = side(reply(EntryId(1), TWO))


# ---------------------------------------------------------------- fingerprint


def test_equal_runs_differ_in_nothing():
    assert compare.fingerprint(LEFT, LEFT).differs == ()


@pytest.mark.parametrize(
    ("other", "what", "verdict"),
    [
        (replace(LEFT, data="other"), "dialogue", "another dialogue"),
        (replace(LEFT, row=replace(ROW, memory="n")), "build", "another build of the memory"),
        (replace(LEFT, row=replace(ROW, reader="r")), "reader", "another reader"),
        (
            replace(LEFT, reply=replace(LEFT.reply, trace=replace(LEFT.reply.trace, as_of=3))),
            "as of",
            "another point in time",
        ),
    ],
)
def test_the_part_that_differs_is_named(other, what, verdict):
    (row,) = compare.fingerprint(LEFT, other).differs
    assert (row.what, row.equal) == (what, verdict)


def test_a_changed_setting_is_another_preset_and_its_budget_another_budget():
    changed = replace(SAFE, turn_budget=7)
    trace = replace(LEFT.reply.trace, settings=changed)
    found = compare.fingerprint(LEFT, replace(LEFT, reply=replace(LEFT.reply, trace=trace)))
    assert [row.what for row in found.differs] == ["preset", "budget"]
    assert found.differs[1].right == "7 turns, 2500 tokens"


def test_the_prompt_counts_without_the_packet_and_the_question():
    ours = side(reply(ONE, answer=Answer("a", prompt="Be short. packet Where?")))
    theirs = side(reply(ONE, answer=Answer("a", prompt="Be short.  packet")))
    assert compare.fingerprint(ours, theirs).differs == ()


# ---------------------------------------------------------------- beats


def test_beats_are_paired_and_an_unused_one_has_a_dash():
    found = compare.beats(LEFT, RIGHT)
    assert [(r.left_out, r.right_out, r.difference) for r in found] == [
        ("0", "0", "="),
        ("–", "–", "–"),
        ("3", "2", "−1"),
        ("–", "–", "–"),
        ("3", "2", "−1"),
        ("–", "–", "–"),
    ]


def test_another_dialogue_has_no_difference_in_any_beat():
    found = compare.beats(LEFT, replace(RIGHT, data="other"))
    assert {r.difference for r in found} == {"not comparable"}


def test_gold_has_stars_on_both_sides():
    ours, theirs = replace(LEFT, gold=(ONE, FOUR)), replace(RIGHT, gold=(ONE, FOUR))
    pack = compare.beats(ours, theirs)[4]
    assert (pack.left_gold, pack.right_gold) == ("★★", "★☆")


# ---------------------------------------------------------------- columns


def test_a_fact_counts_as_its_source_turns_in_rank_order():
    # E1 was made of D1:3 and D1:1, so the right side reads D1:3, D1:1, D1:2
    assert [(str(p.turn), p.rank) for p in compare_items.placed(RIGHT, Beat.PACK)] == [
        ("D1:3", 1),
        ("D1:1", 2),
        ("D1:2", 3),
    ]


def test_the_columns_part_the_turns_and_name_the_facts():
    found = compare_items.columns(LEFT, RIGHT, Beat.COLLECT)
    assert [(r.id, r.rank) for r in found.left] == [("D1:4", 3)]
    assert [(r.id, r.left, r.right, r.change) for r in found.both] == [
        ("D1:1", 1, 2, "▼ 1"),
        ("D1:2", 2, 3, "▼ 1"),
    ]
    assert [(r.id, r.via) for r in found.right] == [("D1:3", "E1")]


def test_different_only_leaves_out_turns_of_equal_rank():
    assert compare_items.columns(LEFT, LEFT, Beat.PACK, different=True).both == ()


def test_no_turn_stands_before_anything_is_collected():
    assert compare_items.placed(LEFT, Beat.CUE) == ()


def test_an_unused_beat_shows_what_the_beat_before_kept():
    assert compare_items.placed(LEFT, Beat.CONNECT) == compare_items.placed(LEFT, Beat.COLLECT)


def test_the_last_beat_has_the_turns_that_the_answer_cites():
    found = side(reply(ONE, TWO, answer=Answer("a", (TWO,), (Sentence("a", (TWO,)),))))
    assert [p.turn for p in compare_items.placed(found, Beat.ANSWER)] == [TWO]


def test_a_turn_opens_as_the_fact_that_brought_it():
    assert compare_items.opened(RIGHT, "D1:3", Beat.PACK) == "E1"
    assert compare_items.opened(LEFT, "D1:4", Beat.PACK) == "D1:4"


TURN_ORDERS = st.permutations(range(1, 8))


@given(TURN_ORDERS, TURN_ORDERS)
def test_crossings_are_pairs_in_the_other_order(one, other):
    ours, theirs = (
        tuple(compare_items.Placed(TurnId(1, n), rank) for rank, n in enumerate(order, 1))
        for order in (one, other)
    )
    wanted = sum(
        (one.index(a) < one.index(b)) != (other.index(a) < other.index(b))
        for a in one
        for b in one
        if a < b
    )
    assert compare_items.crossings(ours, theirs) == wanted


def test_each_mark_of_the_slopes_carries_its_turn_and_its_side():
    found = compare_items.slopes(LEFT, RIGHT, Beat.PACK)
    figure = compare_items.slope_figure(found, ("<b>", "r"), LIGHT, ("D1:1", frozenset({TWO})))
    lines, marks = figure.data[:-2], figure.data[-2:]
    assert len(lines) == 2
    assert [list(m.customdata[0]) for m in marks] == [["D1:1", "l"], ["D1:3", "r"]]
    assert figure.layout.xaxis.ticktext[0] == "&lt;b&gt;"


def test_the_counts_of_the_ranks_are_of_all_turns_where_only_the_best_are_drawn():
    turns = tuple(TurnId(1, n) for n in range(1, 31))
    ours = tuple(compare_items.Placed(t, n) for n, t in enumerate(turns, 1))
    theirs = tuple(compare_items.Placed(t, n) for n, t in enumerate(turns[::-1], 1))
    found = compare_items.ranked(ours, theirs)
    assert (len(found.left), len(found.right)) == (25, 25)
    assert (found.both, found.total, found.crossings) == (30, 30, 30 * 29 // 2)
    said = compare_items.slope_sentence(found)
    assert "On both sides: 30;" in said
    assert "other order: 435." in said
    assert "drawn" not in said  # both sides together draw all 30
    lower = tuple(compare_items.Placed(TurnId(2, n), n) for n in range(1, 31))
    assert "50 of 60 turns are drawn: the best 25 of each side" in compare_items.slope_sentence(
        compare_items.ranked(ours, lower)
    )


# ---------------------------------------------------------------- words


def test_chinese_is_compared_by_character():
    ours, theirs = compare_words.difference("她住在里斯本。", "她住在根特。")
    assert [p.text for p in ours if p.own] == ["里斯本"]
    assert [p.text for p in theirs if p.own] == ["根特"]


@given(st.text(), st.text())
def test_the_pieces_joined_are_the_texts(one, other):
    ours, theirs = compare_words.difference(one, other)
    assert "".join(p.text for p in ours) == one
    assert "".join(p.text for p in theirs) == other


# ---------------------------------------------------------------- verdicts


def test_nothing_found_not_known_failed_and_skipped_are_four_cells():
    asked = side(reply(TWO, answer=Answer("x", sentences=(Sentence("x", (TWO,)),))), gold=(ONE,))
    broken = replace(RIGHT.reply, warnings=(Warning.READER_FAILED,))
    failed = replace(RIGHT, reply=broken, row=replace(ROW, outcome="failed"))
    cells = [
        compare.verdict(replace(asked, f1=0.0), "f1"),
        compare.verdict(asked, "f1"),
        compare.verdict(failed, "f1"),
        compare.verdict(RIGHT, "f1"),
    ]
    assert cells == ["0.00", "n.a.", "failed", "skipped"]
    assert compare.verdict(asked, "gold_packed") == "0 of 1"
    assert compare.verdict(asked, "uncited") == "0"
    assert compare.verdict(RIGHT, "gold_packed") == "n.a."
