from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from memcore.hypergraph.incidence import incidence
from memcore.retrieval.loop import retrieve
from memcore.retrieval.ppr import Graph, ppr, start
from tests.retrieval.small import ALL_KEYS, PARTS, remembered, talk

TALK = talk(
    "Ann: tea\nBob: dog cat\nAnn: dog tea\nBob: Porto milk",
    "Bob: milk cat\nAnn: Porto dog dog",
)


def walked(memory, key, damping):
    index = incidence(memory, ALL_KEYS)
    keys, turns = np.zeros(len(index.anchors)), np.zeros(len(index.turns))
    keys[next(n for n, a in enumerate(index.anchors) if a.key == key)] = 1
    return index, Graph(index).visits(*start(keys, turns, 0), damping)


@pytest.mark.parametrize("damping", [0.5, 0.85])
@pytest.mark.parametrize("key", ["dog", "milk", "tea"])
def test_visits_equal_networkx(key, damping):
    index, found = walked(remembered(TALK), key, damping)
    graph = nx.Graph()
    for n, anchor in enumerate(index.anchors):
        for place in index.by_turn.column(n)[0].tolist():
            graph.add_edge(index.turns[place], anchor)
    seed = next(a for a in index.anchors if a.key == key)
    other = nx.pagerank(graph, alpha=damping, personalization={seed: 1}, tol=1e-12, max_iter=500)
    tolerance = damping**40  # what the rounds leave to move
    assert found == pytest.approx([other[t] for t in index.turns], abs=2 * tolerance + 1e-9)


def test_one_step_by_hand():
    # Keys a (turns 0, 1) and b (turn 1); start at a; damping 0.5. With t, k the visits:
    # t0 = .5 * ka/2; t1 = .5 * (ka/2 + kb); ka = .5 + .5 * (t0 + t1/2); kb = .5 * t1/2.
    memory = remembered(talk("Ann: tea\nBob: tea dog"))
    _, found = walked(memory, "tea", 0.5)
    # So t1 = ka/4 + t1/8 = 2/7 ka, and ka = .5 + ka/8 + ka/14, ka = 28/45.
    ka = 28 / 45
    t0, t1 = ka / 4, 2 / 7 * ka
    assert found == pytest.approx([t0, t1])


def test_turns_without_any_way_from_the_question_are_not_listed():
    memory = remembered(talk("Ann: tea\nBob: dog\nAnn: tea milk"))
    retriever = ppr(memory, ALL_KEYS, PARTS)
    trace = tuple(retrieve(retriever, "milk"))[-1]
    assert str(trace.candidates[0].item) == "D1:3"
    assert trace.candidates[0].terms == ()
