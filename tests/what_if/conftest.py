"""The sample dialogue with both memories, built once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memcore import pipeline
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import from_path
from memcore.types import Memory
from tests.what_if.talk import PARTS

NOW = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Memory:
    """The English sample as it is built offline, save that words are hashed."""
    with open_workspace(tmp_path_factory.mktemp("what_if") / "sample.db", new_id="w") as db:
        result = read((from_path(sample_data / "english.json"),), Options())
        number = conversations.save(db, result, NOW).dialogues[0]
        list(pipeline.build(db, number, PARTS, SAFE))
        return memories.load_memory(db, number, SAFE)
