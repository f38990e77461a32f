"""Every mechanism planted in the Chinese sample fires, by words alone: no English encoder decides."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memcore.settings import SAFE
from memcore.types import Action, EdgeKind, Grain, Interval, Reason

CASES = Path(__file__).parents[1] / "cases" / "sample_chinese_decisions.json"
FEW_TERMINALS = replace(SAFE, semantic_k=3)
"""A question in words has something in common with three entries; all others tie at nothing."""


def test_every_gate_merge_and_link_is_the_one_written_by_hand(chinese):
    wanted = json.loads(CASES.read_text(encoding="utf-8"))
    graph = chinese.memory.evolution
    found = [
        (drop.item, "gate", chinese.place(drop.other))
        for drop in graph.dropped
        if drop.reason is Reason.GATED
    ]
    found += [
        (chinese.place(d.entry), d.action.value, chinese.place(d.target))
        for d in graph.decisions
        if d.action is not Action.ADD
    ]
    assert [(str(turn), decision, str(other)) for turn, decision, other in sorted(found)] == [
        (row["turn"], row["decision"], row["other"]) for row in wanted
    ]
    changes = {chinese.place(d.entry): d.change for d in graph.decisions if d.target}
    assert [changes.get(turn) for turn, decision, _ in sorted(found) if decision != "gate"] == [
        row["why"] for row in wanted if row["decision"] != "gate"
    ]


def test_the_vectors_are_hashed_words(chinese):
    assert chinese.memory.embedder.startswith("hashing")


def test_the_three_states_of_the_plan_and_of_the_job_are_chains(chinese, table):
    chains = [[chinese.place(e) for e in c.entries] for c in chinese.states.chains()]
    for mechanism in (
        "link: a job change",
        "link: a move",
        "link chain: a plan, called off, taken up again",
    ):
        assert list(table[mechanism].chinese) in chains
    assert len(chains) == 3


def test_the_repetition_months_later_is_the_same_fact_observed_again(chinese, table):
    first, later = table["not gated: said again months later"].chinese
    (decision,) = [d for d in chinese.memory.evolution.decisions if chinese.place(d.entry) == later]
    assert chinese.states.sources(decision.target) == (first, later)


def test_the_letters_bridge_the_flea_market_and_the_lighthouse_museum(chinese, table):
    row = table["bridge: two facts joined by one in between"]
    trace = chinese.ask(chinese.questions[row.chinese_questions[0]].text, FEW_TERMINALS)
    step = next(s for s in trace.steps if s.name == "bridges")
    gaps = [[chinese.place(e) for e in (g.older, g.bridge, g.newer)] for g in step.gaps if g.bridge]
    assert list(row.chinese) in gaps
    assert EdgeKind.BRIDGE in {e.kind for e in step.edges}


def test_three_hops_lead_from_the_attic_to_the_clock(chinese, table):
    row = table["path of three hops"]
    trace = chinese.ask(chinese.questions[row.chinese_questions[0]].text, FEW_TERMINALS)
    step = next(s for s in trace.steps if s.name == "paths")
    assert list(row.chinese) in [[chinese.place(e) for e in p.entries] for p in step.paths]


def test_yesterday_and_last_friday_on_new_years_day_lie_in_the_old_year(chinese, table):
    friday, yesterday = table["relative date across New Year"].chinese
    times = {
        turn: [e.time for e in chinese.said_in(turn) if e.time] for turn in (friday, yesterday)
    }
    assert times == {
        friday: [day(2023, 12, 29)],
        yesterday: [day(2023, 12, 31)],
    }


def day(year: int, month: int, number: int) -> Interval:
    start = datetime(year, month, number, tzinfo=UTC)
    return Interval(
        start,
        start.replace(day=number + 1) if number < 31 else datetime(year + 1, 1, 1, tzinfo=UTC),
        Grain.DAY,
    )


def test_what_a_picture_shows_is_an_entry_though_nobody_says_it(chinese, table):
    (turn,) = table["image caption"].chinese
    assert any("红色的小船" in e.restatement for e in chinese.said_in(turn))
