"""The page on transcripts names every format and every switch."""

from dataclasses import fields
from pathlib import Path

from memcore.transcripts.detect import NAMES
from memcore.transcripts.options import Options

PAGE = Path(__file__).resolve().parents[2] / "docs" / "transcripts.md"


def test_the_page_has_a_row_for_every_format():
    text = PAGE.read_text("utf-8")
    assert [n for n in NAMES if f"| `{n}` |" not in text] == []


def test_the_page_has_a_row_for_every_switch_but_the_limits():
    text = PAGE.read_text("utf-8")
    apart = {"limits", "moment", "allow_partial"}
    assert [
        f.name for f in fields(Options) if f.name not in apart and f"| `{f.name}` |" not in text
    ] == []
