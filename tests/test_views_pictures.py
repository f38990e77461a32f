"""Pictures, lives and facets of a run, and the lanes of a memory, on values written by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from memcore.settings import SAFE
from memcore.store.recalling import reply_of
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import (
    Action,
    Anchor,
    AnchorId,
    AnchorKind,
    Answer,
    Beat,
    BridgeCandidate,
    Candidate,
    Context,
    Conversation,
    Cue,
    Decision,
    Drop,
    EdgeKind,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    Gap,
    GraphEdge,
    GraphPath,
    Hyperedge,
    Hypergraph,
    Membership,
    Memory,
    Placement,
    Query,
    Reason,
    Reply,
    SaidTime,
    Sentence,
    Session,
    Span,
    SpanPart,
    Step,
    Term,
    Trace,
    Turn,
    TurnId,
    scored,
)
from memcore.views import (
    damage,
    fusion,
    graph_pictures,
    ledger,
    life,
    memory_rows,
    panorama,
    pictures,
    rows,
    sheet,
    sheet_figure,
    story,
)
from memcore.views.memory_rows import AnchorFacets, Scoring
from memcore.views.strings import day, speak
from memcore.views.theme import LIGHT

NONE = np.zeros((0, 0), dtype=np.float32)
ONE, TWO, THREE, FOUR = TurnId(1, 1), TurnId(1, 2), TurnId(2, 1), TurnId(2, 2)
CAT, MAY = Anchor(AnchorKind.ENTITY, "cat"), Anchor(AnchorKind.MONTH, "2023-05")
RED = Anchor(AnchorKind.LEXICAL, "red")


def turns(session: int, *texts: str) -> Session:
    at = SaidTime(datetime(2023, session + 4, 8, tzinfo=UTC))
    said = tuple(Turn(TurnId(session, n), "Ana", t, said=at) for n, t in enumerate(texts, 1))
    return Session(session, said, at)


def edge(number: int, anchor: Anchor, *members: TurnId) -> Hyperedge:
    return Hyperedge(AnchorId(number), anchor, tuple(Membership(t) for t in members), anchor.key)


TALK = Conversation("talk", (turns(1, "a cat", "red"), turns(2, "the cat is red", "so it is")))
GRAPH = EvolutionGraph(
    entries=(
        Entry(EntryId(1), "Ana lives in Boston", (ONE,), subject="ana", attribute="live"),
        Entry(EntryId(2), "Ana has a cat", (TWO,)),
        Entry(EntryId(3), "Ana lives in Lisbon", (THREE,), subject="ana", attribute="live"),
    ),
    decisions=(
        Decision(EntryId(1), Action.ADD),
        Decision(EntryId(2), Action.ADD),
        Decision(EntryId(3), Action.LINK, EntryId(1)),
    ),
    edges=(EvolutionEdge(EntryId(1), EntryId(3), 0.9, 0.5, supersedes=True),),
    dropped=(Drop(FOUR, Reason.NO_STATEMENT),),
)
MEMORY = Memory(
    TALK,
    (),
    Hypergraph((edge(1, CAT, ONE, THREE), edge(2, RED, TWO, THREE), edge(3, MAY, ONE, TWO))),
    GRAPH,
    NONE,
    NONE,
)


def run(answer: Answer | None = None) -> Reply:
    """Three turns collected, set in another order, and one packed: the others fell out."""
    core = tuple(
        scored(item, [Term("key", amount, CAT), Term("session", 0.1)], "core")
        for item, amount in ((ONE, 0.9), (TWO, 0.5), (THREE, 0.2))
    )
    turned = (core[2], core[0], core[1])
    drops = (
        Drop(ONE, Reason.OVER_SHARE, 2, 1, "core"),
        Drop(TWO, Reason.OVER_TURN_BUDGET, 3, 1, "core"),
    )
    steps = (
        Step("core", Beat.COLLECT, entered=core, kept=core),
        Step("union", Beat.CONNECT, given=core, kept=turned),
        Step("pack", Beat.PACK, given=turned, kept=turned[:1], dropped=drops),
    )
    text = "[1] the cat is red"
    span = Span(SpanPart.ITEM, 0, len(text), 9, THREE, "[1]", sources=(THREE,))
    cue = Cue(0, 3, AnchorKind.ENTITY, "cat", (AnchorId(1),))
    trace = Trace(Query("cat red"), "edgemem", SAFE, cues=(cue,), steps=steps)
    return Reply(trace, Context(text, (span,), 11, overhead=2, limit=12), answer)


CITED = Answer("Red.", (THREE,), (Sentence("Red.", (THREE,)), Sentence("Sure.")))
REPLY = run(CITED)


# ---------------------------------------------------------------- life


def test_a_beat_says_what_entered_left_and_moved_since_the_one_before():
    collect, connect, pack = (life.moves(REPLY, b) for b in (Beat.COLLECT, Beat.CONNECT, Beat.PACK))
    assert collect == life.Moves((ONE, TWO, THREE), (), ())
    assert connect == life.Moves((), (), (THREE, ONE, TWO))
    assert pack == life.Moves((), (ONE, TWO), ())


def test_a_story_leads_from_the_cue_to_where_the_item_left():
    assert story.story(MEMORY, REPLY, "D1:1") == (
        "D1:1: active via “cat” ✓ → episodic core: rank 1 ✓ → "
        "pack: over its channel's share of the budget, place 2 of 1 ✗",
    )
    assert story.story(MEMORY, REPLY, "D2:1") == (
        "D2:1: active via “cat” ✓ → episodic core: rank 3 ✓ → cited in the answer ✓",
    )
    assert story.story(MEMORY, REPLY, "D2:2") == ("D2:2: states no fact ✗",)


def test_a_story_is_told_in_the_language_in_use():
    speak("zh-CN")
    try:
        assert story.story(MEMORY, REPLY, "D2:2") == ("D2:2: 没有陈述事实 ✗",)
        assert day(datetime(2023, 5, 8, tzinfo=UTC)) == "2023年5月8日"
    finally:
        speak("en")


def test_facets_narrow_the_ledger_and_keep_its_order():
    found = rows.ledger(MEMORY, REPLY, (THREE,))
    ids = [row.id for row in found]
    assert ids == ["D1:1", "D1:2", "D2:1"]
    for facets, left in (
        (ledger.Facets(), ids),
        (ledger.Facets(search="RED"), ["D1:2", "D2:1"]),
        (ledger.Facets(left="pack"), ["D1:1", "D1:2"]),
        (ledger.Facets(reason="over the turn budget"), ["D1:2"]),
        (ledger.Facets(gold=True), ["D2:1"]),
        (ledger.Facets(only=frozenset({"D2:1"})), ["D2:1"]),
        (ledger.Facets(near=frozenset()), []),
    ):
        assert [row.id for row in ledger.matching(found, facets)] == left


# ---------------------------------------------------------------- damage


def test_whole_records_miss_nothing_and_each_lost_kind_is_named():
    records = records_of(REPLY, 1, RunMeta())
    assert damage.missing(records) == ()
    assert damage.missing(replace(records, stage=records.stage[1:])) == ("stage",)
    assert damage.missing(replace(records, event=records.event[1:])) == ("event", "term")
    assert damage.missing(replace(records, term=records.term[1:])) == ("term",)
    assert damage.missing(replace(records, span=records.span[1:])) == ("span",)


def test_of_a_damaged_run_packet_and_answer_still_show():
    records = records_of(REPLY, 1, RunMeta())
    rest = damage.rest_of(replace(records, stage=(), event=()))
    assert (rest.context, rest.answer) == (REPLY.context, REPLY.answer)
    assert rest.trace.steps == ()
    assert reply_of(records) == REPLY


# ---------------------------------------------------------------- pictures


def ids(picture) -> set[str]:
    return set(picture.ids)


LOOK = sheet.Look(3, LIGHT, frozenset({"D1:1"}), (TurnId(2, 1),))
FALL = pictures.waterfall_rows(MEMORY, REPLY)
DRAWN = {
    "the sheet": lambda: sheet_figure.figure(MEMORY, REPLY, sheet.sheet(MEMORY, REPLY), LOOK),
    "the folded sheet": lambda: sheet_figure.figure(
        long(500), REPLY, sheet.sheet(long(500), REPLY), LOOK
    ),
    "the cues": lambda: pictures.cue_strip(MEMORY, REPLY, LIGHT, frozenset({"A1"})),
    "the anchors": lambda: pictures.active_bars(pictures.active(MEMORY, REPLY), LIGHT),
    "the ranks": lambda: pictures.rank_bars(REPLY, Beat.COLLECT, LIGHT),
    "the tokens": lambda: pictures.waterfall(FALL, 12, LIGHT),
    "the tokens without a limit": lambda: pictures.waterfall(FALL, 0, LIGHT),
    "the arcs": lambda: graph_pictures.arcs(MEMORY, (JOINED,), LIGHT),
    "the ladder": lambda: graph_pictures.ladder(MEMORY, GAP, LIGHT),
    "the lanes": lambda: graph_pictures.lanes(MEMORY, REPLY, JOINED, LIGHT),
}


@pytest.mark.parametrize("name", DRAWN)
def test_plotly_knows_every_part_of_a_picture_that_is_drawn_unchecked(name):
    drawn = DRAWN[name]()
    checked = drawn.figure().to_plotly_json()
    assert json.loads(json.dumps(checked["data"])) == json.loads(json.dumps(drawn.traces))
    assert checked["layout"].keys() <= drawn.layout.keys() | {"template"}


def fused_reply(*items: tuple[TurnId, dict[str, int]]) -> Reply:
    kept = tuple(
        Candidate(turn, 1 / n, (), "", tuple(Placement(k, v) for k, v in ranks.items()))
        for n, (turn, ranks) in enumerate(items, 1)
    )
    step = Step("fusion", Beat.COLLECT, given=kept, kept=kept)
    return replace(REPLY, trace=replace(REPLY.trace, steps=(step,)))


def test_fused_ranks_are_lines_through_the_lists_to_the_rank_after_fusion():
    first, second = TurnId(2, 1), TurnId(1, 1)
    reply = fused_reply((first, {"bm25": 2, "dense": 1}), (second, {"dense": 90}))
    found = fusion.fused(reply)
    assert (found.lists, found.ranks, found.packed) == (("bm25", "dense"), ((2, 1), (None, 90)), 1)
    drawn = fusion.figure(found, (0, 1), LIGHT, frozenset({"D1:1"}), ()).figure()
    # the first stands in both lists; the second in one, below the last row of the picture
    assert [list(line.y) for line in drawn.data] == [[2, 1, 1], [fusion.DEEPEST, 2]]
    assert [list(line.x) for line in drawn.data] == [[0, 1, 2], [1, 2]]
    assert drawn.data[1].line.color == LIGHT.accent
    rows = fusion.rows(found, (0, 1), (second,))
    assert [(r.id, r.gold, r.rank, r.packed) for r in rows] == [
        ("D2:1", "", 1, "✓"),
        ("D1:1", "★", 2, ""),
    ]


def test_the_best_the_selected_and_gold_are_drawn_of_a_long_fusion():
    items = [(TurnId(1, n), {"bm25": n, "dense": n}) for n in range(1, 60)]
    found = fusion.fused(fused_reply(*items))
    drawn = fusion.shown(found, frozenset({"D1:50"}), (TurnId(1, 40),))
    assert drawn == (*range(25), 39, 49)


def test_where_no_lists_are_fused_there_is_no_slope():
    assert fusion.fused(REPLY) is None


def test_each_rank_bar_carries_its_item_and_the_cut_stands_behind_the_last_packed():
    drawn = pictures.rank_bars(REPLY, Beat.COLLECT, LIGHT)
    figure = drawn.figure()
    assert ids(drawn) == {"D1:1", "D1:2", "D2:1"}
    named = {t.name for t in figure.data if t.showlegend}
    assert named == {"key", "session"}


def test_the_cue_strip_is_as_tall_as_the_turns_that_hold_the_cue():
    (bars,) = pictures.cue_strip(MEMORY, REPLY, LIGHT).figure().data
    assert list(bars.y) == [2]
    assert ids(pictures.cue_strip(MEMORY, REPLY, LIGHT)) == {"A1"}


def test_an_activated_anchor_shows_what_it_gave():
    (row,) = pictures.active(MEMORY, REPLY)
    assert (row.id, row.turns, row.gave) == ("A1", 2, 1.6)  # 0.9 + 0.5 + 0.2
    assert ids(pictures.active_bars((row,), LIGHT)) == {"A1"}


def test_the_waterfall_adds_up_to_the_packet_and_goes_on_with_what_was_cut():
    found = pictures.waterfall_rows(MEMORY, REPLY)
    # nine tokens of the turn, two of its frame; then "Ana: a cat" (4) and "Ana: red" (3)
    assert [(r.id, r.tokens, r.running) for r in found] == [
        ("D2:1", 9, 9),
        ("", 2, 11),
        ("D1:1", 4, 15),
        ("D1:2", 3, 18),
    ]
    assert [r.fits for r in found[:2]] == ["✓", "✓"]
    assert ids(pictures.waterfall(found, 12, LIGHT)) == {"D2:1", "D1:1", "D1:2"}


def test_sentences_stand_with_citations_and_flags():
    first, second = pictures.sentences(REPLY)
    assert (first.id, first.cites, first.flag) == ("D2:1", "D2:1", "")
    assert (second.id, second.flag) == ("", "uncited")
    assert pictures.sentences(run()) == ()


GAP = Gap(
    EntryId(1),
    EntryId(3),
    48.0,
    bridge=EntryId(2),
    candidates=(BridgeCandidate(EntryId(2), 0.7),),
)
JOINED = Step(
    "bridges",
    Beat.CONNECT,
    edges=(
        GraphEdge(EntryId(1), EntryId(3), EdgeKind.TIME),
        GraphEdge(EntryId(1), EntryId(2), EdgeKind.BRIDGE),
    ),
    gaps=(GAP,),
    paths=(GraphPath((EntryId(1), EntryId(2), EntryId(3))),),
)


def test_arcs_show_bridges_first_and_the_selection_before_them():
    def kinds(*lit: str) -> list[EdgeKind]:
        return [e.kind for e in graph_pictures.edges_shown((JOINED,), frozenset(lit))]

    assert kinds() == [EdgeKind.BRIDGE, EdgeKind.TIME]
    assert kinds("E3") == [EdgeKind.TIME, EdgeKind.BRIDGE]
    assert ids(graph_pictures.arcs(MEMORY, (JOINED,), LIGHT)) == {"E1", "E2", "E3", "G1"}


def test_a_ladder_holds_every_fact_that_was_looked_at():
    assert ids(graph_pictures.ladder(MEMORY, GAP, LIGHT)) == {"E2"}
    (row,) = graph_pictures.gap_rows((GAP,))
    assert (row.id, row.older, row.newer, row.bridge) == ("G1", "E1", "E3", "E2")
    assert row.reason == "bridge"


def test_a_hop_that_is_no_edge_is_a_ghost_hop():
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=(JOINED,)))
    (path,) = JOINED.paths
    assert graph_pictures.ghosts(reply, path.entries) == ((EntryId(2), EntryId(3)),)
    assert ids(graph_pictures.lanes(MEMORY, reply, JOINED, LIGHT)) == {"E1", "E2", "E3", "P1"}


# ---------------------------------------------------------------- the sheet folds


def long(count: int) -> Memory:
    half = count // 2
    sessions = (turns(1, *["x"] * half), turns(2, *["x"] * (count - half)))
    return replace(MEMORY, conversation=replace(TALK, sessions=sessions))


@pytest.mark.parametrize(("count", "folded"), [(400, False), (401, True)])
def test_above_four_hundred_turns_the_sheet_is_folded_to_sessions(count, folded):
    memory = long(count)
    look = sheet.Look(0, LIGHT)
    assert sheet.is_folded(memory, look) is folded
    figure = sheet_figure.figure(memory, REPLY, sheet.sheet(memory, REPLY), look)
    assert ("D1" in ids(figure)) is folded
    assert ("D1:5" in ids(figure)) is not folded


def test_a_folded_bar_is_the_sum_of_its_session():
    memory = long(500)
    figure = sheet_figure.figure(
        memory, REPLY, sheet.sheet(memory, REPLY), sheet.Look(0, LIGHT)
    ).figure()
    bars = [t for t in figure.data if t.type == "bar" and t.customdata is not None]
    total = {str(d[0]): 0.0 for d in bars[0].customdata}
    for bar in bars:
        for d, y in zip(bar.customdata, bar.y, strict=True):
            total[str(d[0])] += y
    # session 1: 0.9 + 0.1 + 0.5 + 0.1, session 2: 0.2 + 0.1
    assert {k: round(v, 6) for k, v in total.items()} == {"D1": 1.6, "D2": 0.3}


def test_a_window_of_one_session_is_not_folded():
    look = sheet.Look(0, LIGHT, first_session=2, last_session=2)
    assert not sheet.is_folded(long(700), look)


def test_the_sheets_table_holds_what_is_in_play_gold_or_selected():
    look = sheet.Look(2, LIGHT, frozenset({"D1:2"}), (FOUR,))
    found = {r.id: r.state for r in sheet.table(MEMORY, REPLY, look)}
    assert found == {"D1:2": "not in play", "D2:1": "in play", "D2:2": "not in play"}


# ---------------------------------------------------------------- the memory


def test_a_chain_of_values_is_a_lane_and_the_rest_is_folded():
    places = panorama.panorama(MEMORY)
    assert panorama.lanes_of(MEMORY) == ((EntryId(1), EntryId(3)),)
    assert places.lanes == ("Ana · live",)
    assert places.folded == 1


def test_an_as_of_session_hides_marks_and_moves_none():
    whole = panorama.panorama(MEMORY)
    first = replace(
        MEMORY,
        conversation=replace(TALK, sessions=TALK.sessions[:1]),
        evolution=replace(GRAPH, entries=GRAPH.entries[:2], edges=()),
    )

    def marks(memory: Memory) -> dict[str, tuple[float, float]]:
        found = panorama.figure(memory, whole, (), LIGHT).data
        return {
            str(d[0]): (x, y)
            for trace in found
            if trace.name in {"facts", "turns"}
            for d, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
        }

    before, after = marks(first), marks(MEMORY)
    assert set(after) - set(before) == {"E3", "D2:1", "D2:2"}
    assert all(after[mark] == place for mark, place in before.items())


def test_anchors_are_ordered_by_weight_and_facets_narrow_them():
    # four turns, so a key may be held by max(0.2 * 4, 1) = 1 turn to score
    assert [str(h.id) for h in memory_rows.anchors(MEMORY)] == ["A1", "A2", "A3"]
    assert memory_rows.scoring(MEMORY.hypergraph.hyperedges[0], MEMORY, SAFE) is Scoring.COMMON
    wide = replace(SAFE, key_share=1.0, entity_weight=2.0)
    # entity: 2.0 * ln(1 + 2.5 / 2.5) * 2 = 2.773; lexical has factor 1.0
    weights = [memory_rows.weight(h, MEMORY, wide) for h in MEMORY.hypergraph.hyperedges]
    assert weights == [2.773, 1.386, 0.0]
    only = AnchorFacets(kinds=(AnchorKind.MONTH,))
    assert [str(h.id) for h in memory_rows.anchors(MEMORY, only)] == ["A3"]
    assert memory_rows.anchors(MEMORY, AnchorFacets(least=3)) == ()


def test_combinations_count_the_turns_that_two_anchors_share():
    found = memory_rows.combinations(MEMORY.hypergraph.hyperedges)
    assert [(r.anchors, r.both, r.share, r.turns) for r in found] == [
        ("▲ cat + ● red", 1, 0.5, "D2:1"),
        ("▲ cat + ■ 2023-05", 1, 0.5, "D1:1"),
        ("● red + ■ 2023-05", 1, 0.5, "D1:2"),
    ]


def test_a_candidate_without_terms_is_one_bar():
    plain = Candidate(ONE, 0.4, channel="dense")
    step = Step("dense", Beat.COLLECT, entered=(plain,), kept=(plain,))
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=(step,)))
    (bar,) = pictures.rank_bars(reply, Beat.COLLECT, LIGHT).figure().data
    assert list(bar.y) == [0.4]


# ---------------------------------------------------------------- what a picture has room for


def test_the_bars_of_the_sheet_stay_in_their_panel_below_zero_and_stacked():
    less = scored(ONE, [Term("key", 0.9), Term("session", 0.3), Term("other", -0.2)], "core")
    step = Step("core", Beat.COLLECT, entered=(less,), kept=(less,))
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=(step,)))
    drawn = sheet_figure.figure(MEMORY, reply, sheet.sheet(MEMORY, reply), sheet.Look(0, LIGHT))
    low, top = drawn.layout["yaxis2"]["range"]
    assert (round(low, 6), round(top, 6)) == (-0.21, 1.26)  # 0.2 below and 1.2 above, 5 % room


def test_facts_of_one_turn_stand_on_one_another_within_the_panel():
    both = tuple(scored(EntryId(n), [Term("key", 0.5)], "dense") for n in (1, 2))
    entries = tuple(replace(e, source_turns=(ONE,)) for e in GRAPH.entries)
    memory = replace(MEMORY, evolution=replace(GRAPH, entries=entries))
    step = Step("dense", Beat.COLLECT, entered=both, kept=both)
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=(step,)))
    drawn = sheet_figure.figure(memory, reply, sheet.sheet(memory, reply), sheet.Look(0, LIGHT))
    assert drawn.layout["yaxis2"]["range"] == [0.0, 1.05]


def test_a_limit_far_above_the_packet_is_named_and_not_drawn_to_scale():
    near, far = (pictures.waterfall(FALL, limit, LIGHT) for limit in (12, 1200))
    most = max(row.running for row in FALL)
    assert near.layout["yaxis"]["range"][1] < 2 * max(most, 12)
    assert far.layout["yaxis"]["range"][1] < 2 * most
    assert far.layout["annotations"][0]["text"].startswith("limit 1200 ↑")


def test_gaps_over_one_time_have_rows_of_their_own():
    step = replace(JOINED, gaps=(GAP, replace(GAP, bridge=None)))
    drawn = graph_pictures.arcs(MEMORY, (step,), LIGHT, frozenset({"G2"}))
    marks = next(t for t in drawn.traces if t.get("customdata") == [["G1"], ["G2"]])
    assert marks["y"] == [-0.1, -0.2]
    assert marks["marker"]["color"] == [LIGHT.defect, LIGHT.accent]


def test_names_on_a_ladder_do_not_stand_on_one_another():
    tried = (BridgeCandidate(EntryId(2), 0.7), BridgeCandidate(EntryId(3), 0.69))
    entries = tuple(replace(e, source_turns=(TWO,)) for e in GRAPH.entries)
    memory = replace(MEMORY, evolution=replace(GRAPH, entries=entries))
    (marks,) = graph_pictures.ladder(memory, replace(GAP, candidates=tried), LIGHT).traces
    assert marks["textposition"] == ["top center", "bottom center"]
