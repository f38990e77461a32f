"""The checks for a reviewer name tests that exist, and every check has at least one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")


def test_every_test_that_the_reviewers_page_names_exists():
    sources = (p.read_text(encoding="utf-8") for p in sorted((ROOT / "tests").rglob("test_*.py")))
    known = {name for text in sources for name in re.findall(r"^ *def (test_\w+)\(", text, re.M)}
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - known == set()


def test_each_of_the_twenty_checks_names_a_test():
    checks = re.split(r"^(?=\d+\. )", PAGE, flags=re.M)[1:]
    assert [int(check.split(".")[0]) for check in checks] == list(range(1, 21))
    assert [check for check in checks if not re.search(r"`test_\w+`", check)] == []
