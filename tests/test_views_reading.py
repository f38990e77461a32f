"""The reader's head, words and links, and labels that never overlap."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memcore.types import Beat, EntryId, Step, Term, TurnId, scored
from memcore.views import beats, lane_labels, memory_rows, reading, story
from memcore.views.panorama import spelled
from tests.test_views_pictures import CITED, GAP, JOINED, MEMORY, ONE, REPLY, TALK, THREE
from tests.test_views_updates import MEMORY as CHANGED


def links(found, name):
    return [link.id for row in found.rows if row.name == name for link in row.links]


def test_a_turn_leads_to_its_facts_and_its_anchors():
    found = reading.reading(MEMORY, "D1:1", "en")
    assert found.head.startswith("D1:1 · Ana")
    assert links(found, "Facts") == ["E1"]
    assert links(found, "Anchors") == ["A1", "A3"]  # the cat, then the month


def test_a_replaced_fact_leads_to_the_state_that_replaced_it_and_to_its_turn():
    found = reading.reading(CHANGED, "E1", "en")
    assert "was" in found.head.split(" · ")
    assert "said" in found.head
    assert "happened" in found.head
    assert links(found, "Other states") == ["E3", "E4"]
    assert links(found, "Turns") == ["D1:1"]


def test_an_anchor_leads_to_its_turns_and_to_the_anchors_that_share_them():
    found = reading.reading(MEMORY, "A1", "en")
    turns = [str(t) for t in MEMORY.hypergraph.hyperedges[0].members]
    assert links(found, "Turns") == turns
    shared = [link for row in found.rows if row.name == "Shares turns with" for link in row.links]
    assert [(s.id, s.words[-3:]) for s in shared] == [("A2", "1/2"), ("A3", "1/2")]


def test_a_path_a_gap_and_a_sentence_lead_to_what_they_are_made_of():
    steps = (Step("bridges", Beat.CONNECT, gaps=(GAP,), paths=JOINED.paths),)
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=steps))
    path = reading.reading(MEMORY, "P1", "en", reply)
    assert (path.words, links(path, "Facts")) == ("E1 → E2 → E3", ["E1", "E2", "E3"])
    gap = reading.reading(MEMORY, "G1", "en", reply)
    assert gap.head == "G1 · gap of 48 h · bridge"
    assert [links(gap, name) for name in ("Ends", "Bridge", "Looked at")] == [
        ["E1", "E3"],
        ["E2"],
        ["E2"],
    ]
    said = reading.reading(MEMORY, "S1", "en", replace(REPLY, answer=CITED))
    assert (said.words, links(said, "Cites")) == ("Red.", ["D2:1"])
    assert [reading.reading(MEMORY, i, "en", reply) for i in ("P2", "G2", "S9")] == [None] * 3


def test_what_a_memory_does_not_hold_has_no_reading():
    assert [reading.reading(MEMORY, i) for i in ("D9:9", "E99", "A99")] == [None] * 3


def test_the_turns_around_a_turn_are_of_its_session():
    before, after = reading.around(MEMORY, TurnId(1, 1))
    assert before == ()
    assert {t.id.session for t in after} <= {1}


def test_all_items_are_turns_then_facts_then_anchors():
    found = reading.items(MEMORY)
    assert [i[:1] for i in found] == sorted((i[:1] for i in found), key="DEA".index)


def test_sessions_with_a_date_have_a_day():
    days = memory_rows.session_days(TALK)
    assert [s for s, _ in days] == [s.index for s in TALK.sessions if s.started_at]


def test_a_name_is_spelled_as_the_fact_spells_it():
    assert spelled("ruth", "Ruth lives in Ghent now.") == "Ruth"
    assert spelled("", "Ruth") == ""


def test_a_turn_of_which_only_a_fact_was_listed_is_told_by_its_fact():
    fact = scored(EntryId(1), [Term("cosine", 0.4)], "dense")
    step = Step("dense", Beat.COLLECT, entered=(fact,), kept=(fact,))
    reply = replace(REPLY, trace=replace(REPLY.trace, steps=(step,)))
    (line,) = story.story(MEMORY, reply, "D1:1")
    assert line.startswith("D1:1 → E1: ")


def test_gold_that_leaves_in_a_beat_is_named_with_its_reason():
    # D1:1 left Pack over its share and D1:2 over the turn budget; D2:1 is in the packet
    gold = (ONE, THREE)
    assert beats.gold_lost(MEMORY, REPLY, Beat.COLLECT, gold, "en") == ()
    (line,) = beats.gold_lost(MEMORY, REPLY, Beat.PACK, gold, "en")
    assert line.startswith("D1:1 ★ fell out: ")


@given(
    st.lists(
        st.tuples(st.floats(0, 200), st.text("ab 厦门", min_size=1, max_size=30)), max_size=12
    ).map(lambda marks: sorted(marks, key=lambda m: m[0]))
)
def test_no_label_reaches_into_the_next_or_over_the_mark_before(marks):
    end = 200.0
    unit = lane_labels.CHARACTERS / end
    reach = 0.0
    for (x, _), label in zip(marks, lane_labels.labels(marks, end), strict=True):
        taken = lane_labels.width(label.words)
        if not taken:
            continue
        start = x * unit - lane_labels.GAP - taken if label.left else x * unit + lane_labels.GAP
        assert start >= reach - lane_labels.GAP - 1e-9
        reach = start + taken
