from __future__ import annotations

import csv
import io

import pytest

from memcore.exports.csv import BOM, anchors, facts, ledger, table
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import Anchor, AnchorId, AnchorKind, Hyperedge, Hypergraph, Membership, TurnId
from tests.store.test_runs import REPLY


def read(text: str) -> list[list[str]]:
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM))))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(start: str) -> None:
    assert read(table(("a",), [(f"{start}cmd",)]))[1] == [f"'{start}cmd"]


def test_a_number_below_zero_stays_a_number() -> None:
    assert read(table(("a", "b"), [(-2, -0.5)]))[1] == ["-2", "-0.5"]


def test_the_ledger_lists_every_event_with_its_terms() -> None:
    rows = read(ledger(records_of(REPLY, 1, RunMeta())))
    assert rows[1] == [
        *("1", "3", "core", "1", "entered", "D1:1", "core", "1", "2.0", ""),
        *("", "", "", "", "0", "bm25 2"),
    ]
    assert rows[4][4:15] == [
        *("left", "D1:3", "core", "", "3", "2", "1", "turns", "over_turn_budget", "", "1"),
    ]
    assert len(rows) == 1 + 8


def test_anchors_and_facts_are_tables(memory) -> None:
    assert read(anchors(memory))[1] == ["A1", "entity", "porto", "Porto", "1", "D1:1"]
    assert read(facts(memory))[0][:3] == ["id", "restatement", "sources"]


@pytest.fixture
def memory():
    from memcore.types import Conversation, EvolutionGraph, Memory
    from tests.store.values import rows_of

    edge = Hyperedge(
        AnchorId(1), Anchor(AnchorKind.ENTITY, "porto"), (Membership(TurnId(1, 1)),), "Porto"
    )
    empty = Conversation("c", ())
    return Memory(empty, (), Hypergraph((edge,)), EvolutionGraph(), rows_of(0), rows_of(0))
