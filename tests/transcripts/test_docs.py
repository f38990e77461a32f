"""The page on transcripts names every format and every switch."""

from dataclasses import fields
from pathlib import Path

from memcore.transcripts.detect import NAMES
from memcore.transcripts.options import Limits, Options

PAGE = Path(__file__).resolve().parents[2] / "docs" / "transcripts.md"


def test_the_page_has_a_row_for_every_format():
    text = PAGE.read_text("utf-8")
    assert [n for n in NAMES if f"| `{n}` |" not in text] == []


def test_the_page_has_a_row_for_every_switch_with_its_option():
    text = PAGE.read_text("utf-8")
    names = [f.name for f in fields(Options) if f.name != "moment"]
    option = {n: f"| `{n}` | `--{n.replace('_', '-')}" for n in names}
    assert [n for n in names if option[n] not in text] == []


def test_the_page_names_every_limit():
    text = PAGE.read_text("utf-8")
    assert [f.name for f in fields(Limits) if f"`{f.name}`" not in text] == []
