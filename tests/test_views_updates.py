"""Updates of a fact as rows, on the graph of the states: Porto, then Lisbon, then Porto again."""

from __future__ import annotations

from contextvars import copy_context

import numpy as np

from memcore.types import Hypergraph, Memory
from memcore.views import memory_rows
from memcore.views.panorama import attribute_words
from memcore.views.strings import speak
from tests.evolution.test_states import GRAPH, TALK

NONE = np.zeros((0, 0), dtype=np.float32)
MEMORY = Memory(TALK, (), Hypergraph(()), GRAPH, NONE, NONE)


def test_an_updated_fact_shows_its_states_with_quotes_dates_numbers_and_reason():
    first, second, third = memory_rows.updates(MEMORY, "E1", "en")
    assert [(r.state, r.id) for r in (first, second, third)] == [
        ("was", "E1"),
        ("was", "E3"),
        ("is", "E4"),
    ]
    assert first.fact == "Ana lives in Porto."
    assert "D1:1" in first.quote
    assert "Porto is my home." in first.quote  # E2 was merged into E1
    assert first.why == ""
    assert "I live in Lisbon now." in second.quote
    assert third.why == "another value of the same attribute (similarity 0.90, overlap 0.50)"


def test_a_merged_fact_and_a_turn_tell_the_updates_of_their_fact():
    rows = memory_rows.updates(MEMORY, "E1", "en")
    assert memory_rows.updates(MEMORY, "E2", "en") == rows
    assert memory_rows.updates(MEMORY, "D3:1", "en") == rows


def test_what_never_changed_has_no_updates_and_the_reason_is_told_in_chinese():
    assert memory_rows.updates(MEMORY, "A1") == memory_rows.updates(MEMORY, "D9:9") == ()
    why = memory_rows.updates(MEMORY, "E4", "zh-CN")[2].why
    assert why == "同一属性的另一个值（相似度 0.90，重合度 0.50）"


def test_the_extractors_own_attributes_are_named_in_the_language_of_the_screen():
    context = copy_context()
    context.run(speak, "zh-CN")
    named = [context.run(attribute_words, a) for a in ("home", "plan:去黄山", "喜欢")]
    assert named == ["住处", "计划：去黄山", "喜欢"]
