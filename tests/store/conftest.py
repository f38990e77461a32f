"""Workspaces in a folder of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils import Database

from memcore.store.schema import open_workspace


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    """An open, empty workspace."""
    with open_workspace(tmp_path / "memcore.db", new_id="w1") as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One open workspace for the property tests of a module, which add and delete their own."""
    folder = tmp_path_factory.mktemp("workspace")
    with open_workspace(folder / "memcore.db", new_id="w1") as opened:
        opened.execute("PRAGMA synchronous = OFF")
        yield opened
