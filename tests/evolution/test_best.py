"""`ariadnemem-best` differs from the safe preset in question-time settings alone."""

from __future__ import annotations

from memcore.settings import BEST, BUILD_FIELDS, SAFE, changed, settings_of


def test_best_reads_the_memory_of_the_safe_preset():
    assert not {name for name, _, _ in changed(BEST)} & set(BUILD_FIELDS)


def test_best_searches_no_bridges_and_takes_more_facts_under_the_same_cap():
    assert settings_of("ariadnemem-best") == BEST
    assert not BEST.bridges
    assert BEST.semantic_k > SAFE.semantic_k
    assert BEST.graph_tokens == SAFE.graph_tokens
