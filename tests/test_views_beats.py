"""What the strip of beats counts: gold that can be reached, and the words of the counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.types import (
    Action,
    AnchorId,
    AnchorKind,
    Beat,
    Candidate,
    Cue,
    Decision,
    Entry,
    EntryId,
    Grain,
    Interval,
    Query,
    Reason,
    Step,
)
from memcore.views import beats, evidence, life
from memcore.views.strings import say
from tests.test_views_pictures import FOUR, GRAPH, MEMORY, ONE, REPLY, THREE, TWO

NOW = datetime(2024, 2, 1, tzinfo=UTC)
GOLD = (ONE, TWO, THREE)
ACTIVATE = Step("activate", Beat.ACTIVATE)
CAT = Cue(0, 3, AnchorKind.ENTITY, "cat", (AnchorId(1),))  # of D1:1 and D2:1
RED = Cue(4, 7, AnchorKind.LEXICAL, "red", (AnchorId(2),), Reason.KEY_TOO_COMMON)  # and D1:2
DOG = Cue(0, 3, AnchorKind.ENTITY, "dog", (), Reason.UNMATCHED_CUE)


def told(reply, beat, gold=GOLD, memory=MEMORY):
    return life.counts(memory, reply, gold)[beat - 1].gold


def asked(*cues):
    trace = replace(REPLY.trace, cues=cues, steps=(ACTIVATE, *REPLY.trace.steps))
    return replace(REPLY, trace=trace)


def of_facts(*steps):
    return replace(REPLY, trace=replace(REPLY.trace, retriever="ariadnemem-safe", steps=steps))


REACHED = {
    "a matched cue reaches the turns of its anchors": ((CAT,), 2, 2),
    "a key too common is cued and not activated": ((CAT, RED), 3, 2),
    "nothing matched reaches nothing": ((DOG,), 0, 0),
    "no cue at all reaches nothing": ((), 0, 0),
}


@pytest.mark.parametrize(("cues", "cued", "activated"), REACHED.values(), ids=REACHED)
def test_gold_at_cue_and_activate_holds_a_key_of_the_question(cues, cued, activated):
    reply = asked(*cues)
    assert (told(reply, Beat.CUE), told(reply, Beat.ACTIVATE)) == (cued, activated)


def test_where_nothing_is_looked_up_gold_is_what_the_memory_can_find():
    assert told(REPLY, Beat.CUE) == 3  # turns, all known
    assert told(of_facts(), Beat.CUE, (ONE, FOUR)) == 1  # D2:2 stated no fact


def test_gold_that_was_merged_into_a_fact_stays_with_it():
    merged = Entry(EntryId(4), "Ana lives in Lisbon, it is so", (FOUR,))
    graph = replace(
        GRAPH,
        merged=(merged,),
        decisions=(*GRAPH.decisions, Decision(EntryId(4), Action.MERGE, EntryId(3))),
    )
    memory = replace(MEMORY, evolution=graph)
    kept = Step("terminals", Beat.COLLECT, kept=(Candidate(EntryId(3), 1.0),))
    assert told(of_facts(kept), Beat.COLLECT, (THREE, FOUR), memory) == 2


def test_gold_that_a_node_budget_took_before_the_paths_is_lost_in_pack():
    one, three = (Candidate(EntryId(n), 1.0) for n in (1, 3))
    steps = (
        Step("bridges", Beat.CONNECT, kept=(one, three)),
        Step("node_budget", Beat.PACK, kept=(three,)),
        Step("paths", Beat.CONNECT, kept=(three,)),
    )
    assert told(of_facts(*steps), Beat.CONNECT, (ONE, THREE)) == 2


def test_the_head_says_what_the_stars_of_cue_and_activate_count():
    counts = life.counts(MEMORY, asked(CAT, RED), GOLD)
    assert beats.gold_met(REPLY, counts[2], 3) == ""
    assert beats.gold_met(asked(CAT, RED), counts[0], 3) == say("step.gold_met.1", n=3, total=3)
    assert beats.gold_met(asked(CAT, RED), counts[1], 3) == say("step.gold_met.2", n=2, total=3)
    assert beats.gold_met(of_facts(), counts[0], 3) == say("step.gold_known.facts", n=3, total=3)


def test_a_fine_stage_has_a_sentence_and_a_place_of_its_own():
    (core, union, pack) = REPLY.trace.steps
    assert beats.stage_sentence(core, "en") == "episodic core: 0 given, 3 entered, 3 kept, 0 left."
    assert beats.stage_sentence(pack, "en") == "pack: 3 given, 0 entered, 1 kept, 2 left."
    assert beats.last_step(REPLY.trace, Beat.PACK, union.name) == 1
    assert beats.last_step(REPLY.trace, Beat.PACK) == 2


def test_one_thing_is_counted_in_the_singular():
    said = {n: say("beat.6.said", "en", sentences=n, cited=1, packed=n) for n in (1, 2)}
    assert said[1] == "1 sentence citing 1 of 1 item."
    assert said[2] == "2 sentences citing 1 of 2 items."


# ---------------------------------------------------------------- words that no turn uses


def missing(text, *cues, interval=None):
    query = Query(text, interval=interval)
    return evidence.unmatched(replace(REPLY, trace=replace(REPLY.trace, query=query, cues=cues)))


def cue(text, word, *anchors):
    at = text.index(word)
    return Cue(at, at + len(word), AnchorKind.LEXICAL, word.lower(), anchors)


def test_a_word_that_no_turn_uses_is_told_once():
    text = "Was the dog born a dog?"
    found = missing(text, cue(text, "dog"), cue(text, "dog"), cue(text, "born", AnchorId(1)))
    assert found == ("dog",)


def test_a_word_inside_a_longer_cue_that_was_matched_is_not_missed():
    text = "Who gave to the Lantern Theatre?"
    assert missing(text, cue(text, "Theatre"), cue(text, "Lantern Theatre", AnchorId(1))) == ()


def test_the_words_of_a_date_that_was_read_are_not_missed():
    text = "What did Ana buy in February 2024?"
    cues = cue(text, "February"), cue(text, "2024")
    assert missing(text, *cues) == ("February", "2024")
    assert missing(text, *cues, interval=Interval(NOW, NOW, Grain.MONTH)) == ()


def test_what_two_channels_dropped_is_offered_once():
    # six at most are offered, so a second one of the same would also cost another its place
    near = ("D4:9", "D4:9", "D1:2", "D4:9", "D1:3", "D1:4", "D1:5", "D1:6", "D1:7")
    row = beats.offers(REPLY, (ONE, ONE), near)[-1]
    assert [link.id for link in row.links] == ["D4:9", "D1:2", "D1:3", "D1:4", "D1:5", "D1:6"]
