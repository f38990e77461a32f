from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import networkx as nx
import pytest

from memcore import pipeline
from memcore.exports import graphml
from memcore.exports.hif import hif
from memcore.settings import SAFE
from memcore.store import memories
from memcore.store.schema import open_workspace
from memcore.types import Anchor, AnchorKind, DateRole, Hypergraph, Membership, Memory, TurnId
from tests.test_pipeline import PARTS, stored, talk

HOSTILE = "</data><script>\x00\x0b]]>&\ufffe 我"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    with open_workspace(tmp_path / "memcore.db") as db:
        number = stored(db, talk((("Ana: I drink tea", f"Ben: {HOSTILE}"), ("Ana: I left Porto",))))
        list(pipeline.build(db, number, PARTS, SAFE))
        return memories.load_memory(db, number, SAFE)


def opened(text: str) -> nx.Graph:
    return nx.read_graphml(io.BytesIO(text.encode()))


def test_the_hypergraph_opens_in_networkx_with_all_turns_and_anchors(memory: Memory) -> None:
    graph = opened(graphml.hypergraph(memory))
    turns = {str(t.id) for t in memory.conversation.turns}
    anchors = {str(h.id) for h in memory.hypergraph.hyperedges}
    assert set(graph.nodes) == turns | anchors
    assert nx.is_bipartite(graph)
    assert {n for n, kind in graph.nodes(data="kind") if kind == "turn"} == turns


def test_the_evolution_graph_opens_with_all_entries(memory: Memory) -> None:
    graph = opened(graphml.evolution(memory))
    every = (*memory.evolution.entries, *memory.evolution.merged)
    assert set(graph.nodes) == {str(e.id) for e in every}
    assert graph.is_directed()


def test_forbidden_characters_are_left_out_and_markup_is_text(memory: Memory) -> None:
    label = opened(graphml.hypergraph(memory)).nodes["D1:2"]["label"]
    assert label == "Ben: </data><script>]]>& 我"


def test_hif_names_every_turn_anchor_and_incidence(memory: Memory) -> None:
    found = json.loads(hif(memory))
    assert list(found) == ["network-type", "metadata", "nodes", "edges", "incidences"]
    assert [n["node"] for n in found["nodes"]] == [str(t.id) for t in memory.conversation.turns]
    edges = memory.hypergraph.hyperedges
    assert [e["edge"] for e in found["edges"]] == [str(h.id) for h in edges]
    pairs = [(i["edge"], i["node"]) for i in found["incidences"]]
    assert pairs == [(str(h.id), str(turn)) for h in edges for turn in h.members]


NAME = {"type": ["string", "integer"]}
FREE = {"weight": {"type": "number"}, "attrs": {"type": "object"}}
WAYS = {"direction": {"enum": ["head", "tail"]}}


def rows(required: list[str], more: dict[str, object]) -> dict[str, object]:
    properties = {**dict.fromkeys(required, NAME), **FREE, **more}
    row = {"type": "object", "properties": properties, "required": required}
    return {"type": "array", "items": {**row, "additionalProperties": False}}


# what version 0.1.0 of the Hypergraph Interchange Format asks of a file, and no other field
HIF = {
    "type": "object",
    "properties": {
        "network-type": {"enum": ["undirected", "directed", "asc"]},
        "metadata": {"type": "object"},
        "nodes": rows(["node"], {}),
        "edges": rows(["edge"], {}),
        "incidences": rows(["edge", "node"], WAYS),
    },
    "required": ["incidences"],
    "additionalProperties": False,
}


def test_hif_is_valid_by_the_rules_of_its_version(memory: Memory) -> None:
    jsonschema.validate(json.loads(hif(memory)), HIF)


def test_a_turn_said_on_a_day_and_of_that_day_is_one_incidence(memory: Memory) -> None:
    day = replace(
        memory.hypergraph.hyperedges[0],
        anchor=Anchor(AnchorKind.DAY, "2024-01-01"),
        memberships=(
            Membership(TurnId(1, 1), 1, DateRole.EVENT),
            Membership(TurnId(1, 1), 2, DateRole.SAID),
        ),
    )
    found = json.loads(hif(replace(memory, hypergraph=Hypergraph((day,)))))
    assert found["incidences"] == [
        {"edge": "A1", "node": "D1:1", "weight": 3, "attrs": {"roles": ["event", "said"]}}
    ]
