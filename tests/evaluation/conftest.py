from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from memcore.evaluation.work import Tools
from memcore.store import conversations
from memcore.store.schema import open_workspace
from memcore.types import Question, TurnId
from tests.test_pipeline import PARTS, stored, talk

QUESTIONS = (
    Question("q1", "who left porto", "talk", "Ana", 4, "single-hop", (TurnId(3, 1),), (3,)),
    Question(
        "q2", "tea or coffee", "talk", "tea", 1, "multi-hop", (TurnId(2, 1), TurnId(2, 2)), (2,)
    ),
    Question("q3", "who sold lamps", "talk", category_code=5, category="adversarial", abstain=True),
)
"""Of the talk of test_pipeline: gold D3:1; D2:1 and D2:2; none."""


def tools() -> Tools:
    """Toy parts, a clock that stands still, and milliseconds that count calls."""
    ticks = count()
    return Tools(lambda _: PARTS, lambda: 0.0, lambda: float(next(ticks)))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        conversations.add_questions(db, stored(db, talk()), QUESTIONS)
    return path
