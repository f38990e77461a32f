"""The README names every retriever, setting, reason, public name, command and preset."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import memcore
from memcore import cli
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import PRESETS, Settings
from memcore.types import Reason
from memcore.views.strings import ENGLISH

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_readme_names_every_retriever(name):
    assert f"`{name}`" in README


@pytest.mark.parametrize("field", fields(Settings), ids=lambda f: f.name)
def test_the_readme_has_a_row_for_every_setting_with_its_source_and_trade(field):
    rows = [line for line in README.splitlines() if line.startswith(f"| `{field.name}` |")]
    assert len(rows) == 1
    assert str(field.metadata["source"]) in rows[0]
    assert str(field.metadata["note"]) in rows[0]


@pytest.mark.parametrize("reason", Reason)
def test_the_readme_has_a_row_for_every_reason(reason):
    assert f"| `{reason}` | {ENGLISH[f'reason.{reason}']} |" in README


@pytest.mark.parametrize("name", memcore.__all__)
def test_the_readme_names_every_public_name(name):
    assert re.search(rf"\b{name}\b", README)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_the_readme_shows_every_command(command):
    assert f"memcore {command}" in README


@pytest.mark.parametrize("preset", PRESETS)
def test_the_readme_names_every_preset(preset):
    assert f"`{preset}`" in README
