from __future__ import annotations

import ast
from dataclasses import replace
from datetime import UTC, datetime

from memcore.exports.regression import regression
from memcore.settings import PAPER
from memcore.store.recording import records_of
from memcore.store.records import Records, RunMeta
from memcore.types import Context, Query, Span, SpanPart, TurnId
from tests.store.test_runs import REPLY

HOSTILE = '""" \' \\ \n import os {0}'


def made(question: str = "Where?") -> Records:
    span = Span(SpanPart.ITEM, 0, 1, 1, item=TurnId(1, 2), sources=(TurnId(1, 2),))
    query = Query(question, asked_at=datetime(2024, 7, 7, tzinfo=UTC))
    trace = replace(REPLY.trace, query=query, settings=PAPER)
    return records_of(
        replace(REPLY, trace=trace, context=Context("p", (span,), 1)), 3, RunMeta(), 7
    )


def test_a_run_that_packed_its_evidence_makes_a_plain_test() -> None:
    text = regression(made(), (TurnId(1, 2),))
    assert "xfail" not in text
    assert "EVIDENCE = {'D1:2'}" in text
    assert "load_memory(db, 3, SETTINGS, None)" in text
    assert "gate_similarity=0.6" in text
    assert "datetime.fromisoformat('2024-07-07T00:00:00+00:00')" in text


def test_a_run_that_lost_its_evidence_makes_an_expected_failure() -> None:
    text = regression(made(), (TurnId(1, 2), TurnId(9, 9)))
    assert "@pytest.mark.xfail" in text
    assert "strict=True" in text


def test_a_hostile_question_stays_a_string() -> None:
    tree = ast.parse(regression(made(HOSTILE), ()))
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    assert HOSTILE in strings
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.Import)]
    assert [a.name for n in imports for a in n.names] == []
