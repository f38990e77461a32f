from __future__ import annotations

import pytest

from memcore.errors import MemcoreError
from memcore.evaluation.ablations import ABLATIONS, changed, names, variant
from memcore.evaluation.work import settings_for
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE, Settings
from memcore.settings import changed as differing
from memcore.store.evaluations import Plan


@pytest.mark.parametrize("name", [n for r in ABLATIONS for n in names(r)])
def test_every_ablation_changes_settings_of_a_retriever_that_is_there(name: str) -> None:
    one = variant(name)
    assert one.retriever in RETRIEVERS
    assert one.settings(SAFE) != SAFE


def test_a_name_without_a_mark_is_the_retriever_itself() -> None:
    assert variant("bm25").settings(SAFE) == SAFE


@pytest.mark.parametrize("name", ["edgemem~no-such", "recency~no-core"])
def test_an_ablation_that_is_not_in_the_table_is_refused(name: str) -> None:
    with pytest.raises(MemcoreError, match="is no ablation"):
        variant(name)


def test_a_plan_changes_every_system_and_the_ablation_comes_last() -> None:
    plan = Plan(("edgemem",), (1,), settings='{"bm25_b": 0.5, "temporal": true}', budget=800)
    found = settings_for(plan, variant("edgemem~no-temporal_list"))
    assert {name: value for name, _, value in differing(found)} == {
        "bm25_b": 0.5,
        "graph_tokens": 800,
        "temporal": False,
        "token_budget": 800,
        "turn_budget": 1_000_000,
    }
    assert settings_for(plan, variant("ariadnemem-paper")).gate_similarity == 0.6


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(MemcoreError, match="no setting 'tea'"):
        changed(Settings(), {"tea": 1})
