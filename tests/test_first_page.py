"""What the first page of a new server waits for."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from pages import collecting

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("scipy", "plotly.graph_objs._figure", "spacy", "torch", "pyvis", "jieba", "networkx")
LOADED = f"""
import sys
from pages import acts, cards, frame, linking, network, pictures, preferences, reader, sides
print([name for name in {HEAVY} if name in sys.modules])
"""


def test_step_is_loaded_without_what_builds_and_asks():
    command = [sys.executable, "-c", LOADED]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def cut_short() -> None:
    with collecting.kept():
        assert not gc.isenabled()
        raise ValueError("cut")


def test_garbage_is_looked_for_again_after_a_reading_that_failed():
    assert gc.isenabled()
    with pytest.raises(ValueError, match="cut"):
        cut_short()
    assert gc.isenabled()


def test_what_is_read_for_all_sessions_is_set_apart():
    before = gc.get_freeze_count()
    with collecting.kept():
        made = [[n] for n in range(1000)]
    assert gc.get_freeze_count() >= before + len(made)
