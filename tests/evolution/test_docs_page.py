"""The snippet of docs/ariadnemem.md does what the page says."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from memcore.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ariadnemem.md"


def test_the_five_verbs_work_as_the_page_shows_them():
    (snippet,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(snippet, PAGE.name, "exec"), names)
    assert names["facts"] == ["Ana moved to Porto.", "Ben sold Ben's boat."]
    assert "Porto" in names["reply"].answer.text


def test_every_switch_of_the_page_is_a_setting():
    rows = [r for r in PAGE.read_text(encoding="utf-8").splitlines() if r.startswith("| `evol")]
    known = {f.name for f in fields(Settings)}
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[4])}
    assert rows
    assert named <= known
