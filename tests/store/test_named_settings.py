from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memcore.errors import StoreError
from memcore.settings import SAFE
from memcore.store import named_settings
from memcore.store.named_settings import Named
from memcore.store.schema import open_workspace

WIDE = replace(SAFE, turn_budget=42, bridge_max_hours=200.0)


@pytest.fixture
def db(tmp_path: Path):
    with open_workspace(tmp_path / "a.db") as found:
        yield found


def test_what_is_saved_is_listed_as_it_was(db):
    number = named_settings.save(db, "  wide   budget ", "edgemem", WIDE, None)
    assert named_settings.listing(db) == (Named(number, "wide budget", "edgemem", WIDE, None),)


@pytest.mark.parametrize(
    ("name", "said"), [("", "1 to 60"), ("  ", "1 to 60"), ("x" * 61, "1 to 60"), ("a", "another")]
)
def test_a_name_that_is_taken_or_no_name_is_refused_and_nothing_changes(db, name, said):
    named_settings.save(db, "a", "edgemem", WIDE, None)
    with pytest.raises(StoreError, match=said):
        named_settings.save(db, name, "bm25", SAFE, None)
    assert [(n.name, n.retriever) for n in named_settings.listing(db)] == [("a", "edgemem")]


def test_a_deleted_setting_is_gone_and_its_number_is_not_used_again(db):
    first = named_settings.save(db, "a", "edgemem", WIDE, None)
    named_settings.delete(db, first)
    assert named_settings.listing(db) == ()
    assert named_settings.save(db, "a", "edgemem", WIDE, None) > first
    with pytest.raises(StoreError, match="no saved setting"):
        named_settings.delete(db, first)
