"""Updates of a fact as rows, on the graph of the states: Porto, then Lisbon, then Porto again."""

from __future__ import annotations

import numpy as np

from memcore.types import Hypergraph, Memory
from memcore.views import memory_rows
from tests.evolution.test_states import GRAPH, TALK

NONE = np.zeros((0, 0), dtype=np.float32)
MEMORY = Memory(TALK, (), Hypergraph(()), GRAPH, NONE, NONE)


def test_an_updated_fact_shows_was_and_is_with_quotes_date_numbers_and_reason():
    first, second = memory_rows.updates(MEMORY, "E1", "en")
    assert (first.id, first.was, first.now) == (
        "E3",
        "E1 Ana lives in Porto.",
        "E3 Ana lives in Lisbon.",
    )
    assert "D1:1" in first.was_quote
    assert "Porto is my home." in first.was_quote  # E2 was merged into E1
    assert "I live in Lisbon now." in first.now_quote
    assert (second.similarity, second.overlap) == ("0.90", "0.50")
    assert second.why == "another value of the same attribute"


def test_a_merged_fact_and_a_turn_tell_the_updates_of_their_fact():
    rows = memory_rows.updates(MEMORY, "E1", "en")
    assert memory_rows.updates(MEMORY, "E2", "en") == rows
    assert memory_rows.updates(MEMORY, "D3:1", "en") == rows


def test_what_never_changed_has_no_updates_and_the_reason_is_told_in_chinese():
    assert memory_rows.updates(MEMORY, "A1") == memory_rows.updates(MEMORY, "D9:9") == ()
    assert memory_rows.updates(MEMORY, "E4", "zh-CN")[1].why == "同一属性的另一个值"
