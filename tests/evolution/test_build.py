"""Growing the graph: stream order, overlap, drops, and equality with a whole rebuild."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.errors import SeamError
from memcore.evolution.build import evolution, grow, sittings
from memcore.settings import PAPER, SAFE, Settings
from memcore.types import (
    Action,
    Annotation,
    Change,
    EntryId,
    EvolutionGraph,
    Reason,
    TurnId,
)
from tests.evolution.talk import conversation, each_turn, entry, turn
from tests.parts import made_parts

AXES = {"tea": (1.0, 0.0, 0.0), "milk": (0.0, 1.0, 0.0), "jam": (0.0, 0.0, 1.0)}


def vector(text):
    """The first known word's axis; "tea and milk" lies between the two: cosine 0.707107."""
    found = [AXES[w] for w in AXES if w in text]
    return tuple(np.sum(found, axis=0)) if found else (1.0, 1.0, 1.0)


def built(turns, entries=None, settings=PAPER, made=vector):
    talk = conversation(*turns)
    parts = made_parts(made, entries or each_turn())
    rows = parts.embedder.encode([t.content for t in talk.turns])
    notes = tuple(Annotation(t.id) for t in talk.turns)
    return evolution(talk, notes, rows, parts, settings)


def said(texts, session=1, hours=0.0, speaker="Ana"):
    return [turn(f"D{session}:{n}", text, hours, speaker) for n, text in enumerate(texts, 1)]


def actions(graph):
    return [(d.entry.n, d.action, d.target and d.target.n) for d in graph.decisions]


def test_turns_of_the_first_window_meet_an_empty_store():
    graph, _rows = built(said(["tea"] * 3))
    assert [d.reason for d in graph.dropped] == []
    # E2 and E3 have cosine 1 and overlap 1 with E1 of their own batch
    assert actions(graph) == [(1, Action.ADD, None), (2, Action.MERGE, 1), (3, Action.MERGE, 1)]


def test_a_later_window_is_gated_against_the_entries_of_the_earlier_one():
    settings = Settings(window_turns=2, window_overlap=0, gate_similarity=0.6)
    graph, _rows = built(said(["tea", "milk", "tea", "jam"]), settings=settings)
    assert [(str(d.item), d.reason, d.value, str(d.other)) for d in graph.dropped] == [
        ("D1:3", Reason.GATED, 1.0, "E1")
    ]
    assert [str(e.source_turns[0]) for e in graph.entries] == ["D1:1", "D1:2", "D1:4"]


@pytest.mark.parametrize(("hours", "gated"), [(0.99, True), (1.0, False), (None, False)])
def test_a_remark_is_gated_only_inside_the_hour(hours, gated):
    turns = [*said(["tea"]), *said(["tea"], session=2, hours=hours)]
    graph, _rows = built(turns)
    assert bool(graph.dropped) is gated
    assert len(graph.merged) == (not gated)


def test_the_hour_counts_from_the_last_time_it_was_said():
    # said at 0 h, again at 5 h (merged), again at 5.5 h: half an hour after the second time
    turns = [*said(["tea"]), *said(["tea"], 2, 5), *said(["tea"], 3, 5.5)]
    graph, _rows = built(turns)
    assert [str(e.source_turns[0]) for e in graph.merged] == ["D2:1"]
    assert [str(d.item) for d in graph.dropped] == ["D3:1"]


def test_an_answer_passes_the_gate_in_the_safe_preset_alone():
    turns = [*said(["tea"]), turn("D2:1", "Milk or what?", 0.1), turn("D2:2", "tea", 0.1, "Bo")]
    assert [str(d.item) for d in built(turns, settings=PAPER)[0].dropped] == ["D2:2"]
    assert built(turns, settings=SAFE)[0].dropped == ()


def test_a_switched_off_gate_keeps_every_turn():
    turns = [*said(["tea"]), *said(["tea"], session=2)]
    assert built(turns, settings=Settings(gate=False))[0].dropped == ()


def test_switched_off_coarsening_adds_every_entry():
    graph, _rows = built(said(["tea", "tea"]), settings=Settings(coarsen=False))
    assert [d.action for d in graph.decisions] == [Action.ADD, Action.ADD]


def test_a_fact_of_the_overlap_is_stored_once():
    settings = Settings(window_turns=2, window_overlap=1, coarsen=False, gate=False)
    graph, _rows = built(said(["tea", "milk", "jam"]), settings=settings)
    assert [e.restatement for e in graph.entries] == ["tea", "milk", "jam"]
    assert graph.merged == ()


def test_a_turn_of_the_overlap_may_give_its_first_fact_in_the_second_window():
    def entries(turns):
        return each_turn()(turns)[:1] if turns[0].text == "milk" else ()

    settings = Settings(window_turns=2, window_overlap=1)
    graph, _rows = built(said(["tea", "milk", "jam"]), entries, settings)
    assert [str(e.source_turns[0]) for e in graph.entries] == ["D1:2"]
    assert [(str(d.item), d.reason) for d in graph.dropped] == [
        ("D1:1", Reason.NO_STATEMENT),
        ("D1:3", Reason.NO_STATEMENT),
    ]


def test_a_decision_lists_the_nearest_partners_best_first():
    graph, _rows = built(said(["tea", "milk", "tea and milk"]))
    last = graph.decisions[-1]
    # cosine of (1,1,0)/sqrt 2 with each axis is 0.707107; "tea and milk" shares 1 word of 3
    assert [(c.target.n, c.similarity, c.overlap) for c in last.compared] == [
        (1, 0.707107, 0.333333),
        (2, 0.707107, 0.333333),
    ]
    assert (last.action, last.target, last.change) == (
        Action.LINK,
        EntryId(1),
        Change.KEYWORDS_DIFFER,
    )
    assert [(e.older.n, e.newer.n, e.similarity) for e in graph.edges] == [(1, 3, 0.707107)]


def test_vectors_have_one_row_an_entry_and_none_for_merged_ones():
    graph, rows = built(said(["tea", "tea", "milk"]))
    assert [e.id.n for e in graph.entries] == [1, 3]
    assert rows.tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def test_moving_there_and_back_makes_three_states():
    def lives(place):
        return entry(1, f"Ana lives in {place}.", subject="ana", attribute="home", value=place,
                     keywords=("live", place))  # fmt: skip

    made = {f"I live in {p}": lives(p) for p in ("porto", "lisbon")}
    texts = ["I live in porto", "I live in lisbon", "I live in porto"]
    turns = [t for n, text in enumerate(texts, 1) for t in said([text], n, 100 * n)]
    graph, _rows = built(turns, each_turn(made), SAFE, lambda _text: (1.0, 0.0))
    assert [(e.older.n, e.newer.n, e.supersedes) for e in graph.edges] == [
        (1, 2, True),
        (2, 3, True),
    ]
    assert graph.merged == ()


def test_a_new_job_is_linked_even_where_it_is_worded_otherwise():
    def job(text):
        return entry(1, text, subject="ana", attribute="job", value=text.split()[-1])

    made = {text: job(text) for text in ("tea cook", "jam nurse")}
    turns = [t for n, text in enumerate(made, 1) for t in said([text], n, 100 * n)]
    graph, _rows = built(turns, each_turn(made), SAFE)
    assert [(e.older.n, e.newer.n, e.similarity) for e in graph.edges] == [(1, 2, 0.0)]
    assert built(turns, each_turn(made), PAPER)[0].edges == ()


def test_an_extractor_that_names_a_foreign_turn_is_refused():
    with pytest.raises(SeamError, match="E1 must name source turns of its own window"):
        built(said(["tea"]), lambda turns: (entry(1, "x", "D9:9"),))


words = st.lists(st.sampled_from(["tea", "milk", "jam", "tea and milk", "hm", "milk and jam"]),
                 min_size=1, max_size=6)  # fmt: skip
talks = st.lists(st.tuples(words, st.floats(0, 3)), min_size=1, max_size=4)


def _turns(sessions):
    hours, turns = 0.0, []
    for index, (texts, gap) in enumerate(sessions, 1):
        hours += gap
        turns += said(texts, index, hours)
    return turns


SMALL = Settings(window_turns=3, window_overlap=1, gate_similarity=0.6, link_needs_change=False)


@given(talks)
def test_every_turn_has_an_entry_or_a_drop_and_every_entry_a_decision(sessions):
    turns = _turns(sessions)
    graph, rows = built(turns, settings=SMALL)
    told = {t for e in (*graph.entries, *graph.merged) for t in e.source_turns}
    assert sorted([*told, *(d.item for d in graph.dropped)]) == [t.id for t in turns]
    ids = sorted(e.id for e in (*graph.entries, *graph.merged))
    assert [d.entry for d in graph.decisions] == ids == [EntryId(n + 1) for n in range(len(ids))]
    assert len(rows) == len(graph.entries)
    links = [(d.target, d.entry) for d in graph.decisions if d.action is Action.LINK]
    assert links == [(e.older, e.newer) for e in graph.edges]
    assert all(e.older < e.newer for e in graph.edges)


@given(talks, st.integers(0, 4))
def test_adding_sessions_one_by_one_changes_nothing_there_and_equals_a_rebuild(sessions, first):
    turns = _turns(sessions)
    whole, rows = built(turns, settings=SMALL)
    before = [t for t in turns if t.id.session <= first]
    graph, vectors = built(before, settings=SMALL) if before else (EvolutionGraph(), rows[:0])
    for name in ("entries", "merged", "decisions", "edges", "dropped"):
        old = getattr(graph, name)
        assert getattr(whole, name)[: len(old)] == old
    parts = made_parts(vector, each_turn())
    talk = conversation(*turns)
    encoded = parts.embedder.encode([t.content for t in talk.turns])
    for sitting in sittings(talk, [Annotation(t.id) for t in turns], encoded)[first:]:
        graph, vectors = grow(graph, vectors, sitting, parts, SMALL)
    assert graph == whole
    assert np.array_equal(vectors, rows)


def test_drops_are_in_the_order_of_the_talk():
    settings = Settings(window_turns=2, window_overlap=0, gate_similarity=0.6)
    graph, _rows = built(said(["tea", "milk", "hm", "tea"]), each_turn({"tea": entry(1, "tea")}),
                         settings)  # fmt: skip
    assert [d.item for d in graph.dropped] == [TurnId(1, n) for n in (2, 3, 4)]
