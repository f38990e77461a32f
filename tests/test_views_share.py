"""What the networks and the scenes show: bounded, fixed in place, made of recorded data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcore.types import AnchorId, AnchorKind, Answer, Cue, Drop, Reason
from memcore.views import network
from memcore.views.life import turns_of
from memcore.views.network import MOST_NODES, Focus, drawn, plain_title
from memcore.views.scenes import scenes
from memcore.views.scenes.change import changed
from memcore.views.scenes.chords import chords, stretches
from memcore.views.scenes.failure import Failed, fails, failure
from memcore.views.scenes.receipts import receipts
from memcore.views.scenes.shown import Shown
from memcore.views.strings import say
from memcore.views.theme import DARK, LIGHT
from tests.exports import hostile
from tests.retrieval import small
from tests.whole import remembered

VIEWS = (network.evolution, network.hypergraph)
views = pytest.mark.parametrize("view", VIEWS, ids=["facts", "anchors"])


@pytest.fixture(scope="module")
def big():
    """600 turns of ten words: more nodes than may be drawn."""
    words = ("Porto", "Lisbon", "tea", "milk", "dog", "cat")
    lines = [f"Ann: {words[n % 6]} Thing{n % 97} Name{n % 53}" for n in range(600)]
    return small.remembered(
        small.talk(*("\n".join(lines[at : at + 60]) for at in range(0, 600, 60)))
    )


def test_no_more_nodes_are_drawn_than_the_bound_and_the_whole_is_counted(big):
    net = network.hypergraph(big)
    assert len(net.nodes) == MOST_NODES
    assert net.total > MOST_NODES


@views
def test_places_depend_on_the_memory_alone(view):
    subject = hostile.subject("ariadnemem-safe")
    memory = subject.memory
    looks = (Focus(), Focus(subject.reply, subject.gold), Focus(subject.reply, (), "D1:2"))
    places: dict[str, set[tuple[float, float]]] = {}
    for focus in looks:
        for node in view(memory, focus).nodes:
            places.setdefault(node.id, set()).add((node.x, node.y))
    assert places
    assert all(len(found) == 1 for found in places.values())


def test_a_selected_turn_shows_itself_its_anchors_and_their_turns(big):
    net = network.hypergraph(big, Focus(selected="D1:1"))
    anchors = {str(h.id) for h in big.hypergraph.of(big.conversation.turns[0].id)}
    shown = {n.id for n in net.nodes}
    assert "D1:1" in shown
    near = {e.source for e in net.edges if e.target == "D1:1"}
    assert near <= anchors
    others = {e.target for e in net.edges if e.source in near}
    assert shown == {"D1:1"} | near | others


@views
def test_each_node_is_added_once_and_no_title_holds_href(view):
    subject = hostile.subject("ariadnemem-safe")
    net = view(subject.memory, Focus(subject.reply))
    lists = drawn(net)
    assert len(lists.nodes) == len(net.nodes) == len({n["id"] for n in lists.nodes})
    assert not [n for n in lists.nodes if "href" in n["title"]]
    assert all(n["physics"] is False and n["fixed"] for n in lists.nodes)


def test_a_title_is_one_plain_line():
    assert plain_title("a\n<b>href</b>") == "a <b>h\u2060ref</b>"


# ---------------------------------------------------------------- scenes


def shown(system: str = "edgemem") -> Shown:
    subject = hostile.subject(system)
    return Shown(subject.memory, subject.reply, subject.gold, LIGHT, "en")


def test_a_run_of_edgemem_gives_talk_chords_link_and_receipts():
    made = scenes(shown(), None)
    assert [scene.n if scene else None for scene in made] == [1, None, 3, 4, 5, None]
    for scene in made:
        if scene:
            assert scene.sentence
            assert scene.rows
            assert "<script" not in scene.figure.to_json()


def test_the_dark_scenes_have_the_same_places_as_the_light_ones():
    light = scenes(shown(), None)
    dark = scenes(replace(shown(), palette=DARK), None)
    for one, other in zip(light, dark, strict=True):
        if one and other:
            places = [[t.x for t in s.figure.data] for s in (one, other)]
            assert places[0] == places[1]


def test_the_bars_of_the_receipts_have_the_true_proportion():
    # the packet's tokens as recorded; the dialogue's: each turn counted by the default counter
    from memcore.annotate.tokens import tokens
    from memcore.context import turn_words

    found = shown()
    scene = receipts(found)
    assert scene
    whole = sum(tokens(turn_words(t)) for t in found.memory.conversation.turns)
    assert list(scene.figure.data[0].x) == [found.reply.context.tokens, whole]


def test_a_fact_that_was_replaced_is_shown_with_both_quotes():
    from dataclasses import replace as new

    from memcore.types import EvolutionEdge, EvolutionGraph

    memory = remembered(small.talk("Ann: Porto is home", "Ann: Lisbon is home"))
    older, newer = memory.evolution.entries[:2]
    edge = EvolutionEdge(older.id, newer.id, 0.9, 0.9, supersedes=True)
    graph = EvolutionGraph(memory.evolution.entries, edges=(edge,))
    found = Shown(new(memory, evolution=graph), shown().reply, (), LIGHT, "en")
    scene = changed(found)
    assert scene
    assert [q.text for q in scene.quotes] == ["Porto is home", "Lisbon is home"]
    assert [r.state for r in scene.rows] == ["was", "is"]


def test_a_run_that_packed_all_its_gold_is_no_failure():
    found = shown("full")
    assert not fails(found)
    assert failure(Failed(7, found)) is None


def test_a_refusal_with_known_gold_is_an_honest_failure():
    found = shown("full")
    refused = replace(found.reply, answer=Answer("Not mentioned.", refused=True))
    scene = failure(Failed(7, replace(found, reply=refused)))
    assert scene
    assert "Run 7" in scene.sentence
    assert scene.advice == "present.advice.reader"
    assert (scene.run, scene.beat, scene.lost) == (7, 6, "D1:2")
    assert [r.id for r in scene.rows] == ["D1:2", "D2:4"]


def test_gold_whose_facts_left_names_the_stage_the_reason_and_the_margin():
    # each gold turn of AriadneMem is there as its facts; all but the first are put out by hand
    found = shown("ariadnemem-safe")
    steps = found.reply.trace.steps
    at = next(n for n, s in enumerate(steps) if s.name == "node_budget")
    first, *rest = steps[at].kept
    drops = tuple(Drop(c.item, Reason.OVER_NODE_BUDGET, 2, 1, c.channel) for c in rest)
    cut = replace(steps[at], kept=(first,), dropped=(*steps[at].dropped, *drops))
    trace = replace(found.reply.trace, steps=(*steps[:at], cut))
    spans = tuple(s for s in found.reply.context.spans if s.item == first.item)
    context = replace(found.reply.context, spans=spans)
    kept = turns_of(found.memory, (first.item,))
    gold = tuple(
        dict.fromkeys(t for c in steps[at].kept for t in sorted(turns_of(found.memory, (c.item,))))
    )
    cut_run = replace(found, gold=gold, reply=replace(found.reply, trace=trace, context=context))
    scene = failure(Failed(7, cut_run))
    assert scene
    gone = [row for row in scene.rows if row.id not in map(str, kept)]
    assert gone
    assert {row.stage for row in gone} == {say("stage.node_budget")}
    assert {row.reason for row in gone} == {say("reason.over_node_budget")}
    assert {row.margin for row in gone} == {"place 2 of 1"}
    assert scene.advice == "present.advice.budget"


def test_the_question_is_cut_at_the_cues_that_light_a_row():
    cues = (
        Cue(0, 3, AnchorKind.SPEAKER, "ann", (AnchorId(1),)),
        Cue(0, 3, AnchorKind.ENTITY, "ann", (AnchorId(2),)),
        Cue(8, 11, AnchorKind.LEXICAL, "tea", (AnchorId(3),)),
    )
    found = stretches("Ann has tea?", cues)
    assert [(s.text, s.anchor) for s in found] == [
        ("Ann", AnchorKind.ENTITY),
        (" has ", None),
        ("tea", AnchorKind.LEXICAL),
        ("?", None),
    ]


@pytest.mark.parametrize("system", ["ariadnemem-safe", "bm25", "edgemem"])
def test_every_retriever_that_scored_something_plays_its_chords(system):
    scene = chords(shown(system))
    assert scene
    assert scene.rows
    assert any(len(t.x or ()) for t in scene.figure.data if t.type == "bar")
