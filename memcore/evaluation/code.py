"""The version of the code that results depend on: a digest of its own source files.

A hand-kept number was turned down: it is forgotten, and a stale result looks like a fresh one.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

_APART: Final = frozenset({"views", "exports", "cli", "store", "transcripts", "__main__.py"})
"""What changes no result: how things are shown, called, kept and read in."""

_OF_EVALUATION: Final = frozenset({"asking.py", "ranks.py", "survival.py", "answers.py"})


@cache
def code_version() -> str:
    """Return 16 hexadecimal digits that change when the code behind results does."""
    root = Path(__file__).resolve().parents[1]
    found = blake2b(digest_size=8)
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        of_evaluation = place.parts[0] != "evaluation" or place.name in _OF_EVALUATION
        if place.parts[0] not in _APART and of_evaluation:
            found.update(place.as_posix().encode() + path.read_bytes())
    return found.hexdigest()
