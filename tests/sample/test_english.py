"""Every mechanism planted in the English sample fires where the README says, with real vectors."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.settings import PAPER
from memcore.types import (
    Action,
    AnchorKind,
    Change,
    EdgeKind,
    Grain,
    Interval,
    Modality,
    Reason,
    TurnId,
)

GATED = "gated: said again inside the hour"
NOT_GATED = "not gated: said again months later"
MERGE = "merge: one fact said twice"
BRIDGE = "bridge: two facts joined by one in between"
PATH = "path of three hops"
NEW_YEAR = "relative date across New Year"
NICKNAME = "nickname"
TWO_OF_ONE_NAME = "two people of one name"
CAPTION = "image caption"


def decided(sample, turn):
    """The decisions on what was said in a turn, other than those that just add."""
    entries = {e.id for e in sample.said_in(turn)}
    decisions = sample.memory.evolution.decisions
    return [d for d in decisions if d.entry in entries and d.action is not Action.ADD]


def test_a_remark_repeated_inside_the_hour_is_gated_by_the_fact_it_repeats(english, table):
    first, again = table[GATED].english
    (drop,) = [d for d in english.memory.evolution.dropped if d.reason is Reason.GATED]
    assert drop.item == again
    assert english.place(drop.other) == first
    assert drop.value > drop.limit == 0.8


def test_the_same_remark_months_later_passes_the_gate_and_is_observed_again(english, table):
    first, later = table[NOT_GATED].english
    (decision,) = decided(english, later)
    assert (decision.action, english.place(decision.target)) == (Action.MERGE, first)
    assert english.states.observed_at(decision.target) == (
        datetime(2023, 10, 5, 17, 31, tzinfo=UTC),
        datetime(2024, 4, 30, 18, 2, tzinfo=UTC),
    )


def test_a_fact_said_twice_is_one_entry_with_both_turns(english, table):
    first, second = table[MERGE].english
    (decision,) = decided(english, second)
    assert (decision.action, decision.change) == (Action.MERGE, Change.SAME_FACT)
    assert english.states.sources(decision.target) == (first, second)


@pytest.mark.parametrize(
    ("mechanism", "changes"),
    [
        ("link: a job change", [Change.PLACE_DIFFERS]),
        ("link: another job change", [Change.PLACE_DIFFERS]),
        ("link: a move", [Change.PLACE_DIFFERS]),
        ("link: an announcement that came true", [Change.STATUS_DIFFERS]),
        (
            "link chain: a plan, called off, taken up again",
            [Change.NEGATION_DIFFERS, Change.NEGATION_DIFFERS, Change.STATUS_DIFFERS],
        ),
    ],
)
def test_each_change_of_a_fact_is_one_chain_of_links(english, table, mechanism, changes):
    places = list(table[mechanism].english)
    (chain,) = [
        c for c in english.states.chains() if [english.place(e) for e in c.entries] == places
    ]
    assert [e.supersedes for e in chain.edges] == [True] * len(changes)
    assert [english.states.decisions[e].change for e in chain.entries[1:]] == changes


def test_nothing_else_in_the_sample_is_merged_or_linked(english, table):
    planned = {
        turn
        for mechanism, row in table.items()
        if mechanism.startswith(("merge", "link", "not gated"))
        for turn in row.english[1:]
    }
    decisions = english.memory.evolution.decisions
    changed = {english.place(d.entry) for d in decisions if d.action is not Action.ADD}
    assert changed == planned


def test_two_facts_without_a_common_word_are_bridged_by_the_one_in_between(english, table):
    row = table[BRIDGE]
    older, between, newer = row.english
    trace = english.ask(english.questions[row.english_questions[0]].text)
    step = next(s for s in trace.steps if s.name == "bridges")
    assert between not in {english.place(c.item) for c in step.given}
    gap = next(g for g in step.gaps if g.bridge and english.place(g.bridge) == between)
    one, two, three = (english.states.nodes[e] for e in (gap.older, gap.bridge, gap.newer))
    assert [e.source_turns[-1] for e in (one, two, three)] == [older, between, newer]
    speakers = {"clara", "daniel"}  # who speaks is in every entry
    common = {*one.entities, *one.keywords} & {*three.entities, *three.keywords}
    assert not common - speakers
    assert gap.hours > 6
    assert one.said_at < two.said_at < three.said_at
    bridged = {(e.source, e.target) for e in step.edges if e.kind is EdgeKind.BRIDGE}
    assert {(one.id, two.id), (two.id, three.id)} <= bridged


def test_the_bridge_is_longer_than_the_paper_allows(english, table):
    row = table[BRIDGE]
    settings = replace(english.ask("?").settings, bridge_max_hours=PAPER.bridge_max_hours)
    trace = english.ask(english.questions[row.english_questions[0]].text, settings)
    bridges = [g.bridge for s in trace.steps for g in s.gaps if g.bridge]
    assert row.english[1] not in {english.place(b) for b in bridges}


def test_a_path_of_three_hops_leads_from_entity_to_entity(english, table):
    row = table[PATH]
    trace = english.ask(english.questions[row.english_questions[0]].text)
    step = next(s for s in trace.steps if s.name == "paths")
    (path,) = [p for p in step.paths if [english.place(e) for e in p.entries] == list(row.english)]
    pairs = list(zip(path.entries, path.entries[1:], strict=False))
    shared = [e.shared for p in pairs for e in step.edges if (e.source, e.target) == p]
    assert ["lantern theatre" in shared[0], "judith lind" in shared[1]] == [True, True]


def test_last_friday_on_the_second_of_january_lies_in_the_old_year(english, table):
    (turn,) = table[NEW_YEAR].english
    entry = next(e for e in english.said_in(turn) if "baby" in e.restatement)
    assert entry.time == Interval(
        datetime(2023, 12, 29, tzinfo=UTC), datetime(2023, 12, 30, tzinfo=UTC), Grain.DAY
    )


def test_a_nickname_leads_to_the_current_job_by_the_fast_path(english, table):
    trace = english.ask(english.questions["q23"].text)
    (candidate,) = trace.candidates
    assert trace.steps[-1].name == "fast_path"
    assert english.place(candidate.item) == table["link: another job change"].english[1]


def test_two_people_of_one_name_are_two_entities(english, table):
    novak, hale = table[TWO_OF_ONE_NAME].english
    edges = {
        h.anchor.key: h.members
        for h in english.memory.hypergraph.hyperedges
        if h.anchor.kind is AnchorKind.ENTITY
    }
    assert novak in edges["peter novak"]
    assert hale in edges["peter hale"]
    assert not set(edges["peter novak"]) & set(edges["peter hale"])


def test_what_a_picture_shows_is_found_though_nobody_says_it(english, table):
    (turn,) = table[CAPTION].english
    spoken = next(t for t in english.memory.conversation.turns if t.id == turn)
    assert "canoe" in spoken.caption
    assert "canoe" not in spoken.text
    assert any("canoe" in e.restatement for e in english.said_in(turn))
    (edge,) = [h for h in english.memory.hypergraph.hyperedges if h.anchor.key == "cano"]
    assert edge.members == (turn,)


def test_a_denied_plan_is_not_a_plan(english):
    (entry,) = [e for e in english.said_in(TurnId(5, 7)) if "marathon" in e.restatement]
    assert entry.modality is Modality.NEGATED
