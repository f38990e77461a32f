"""What all tests share: parts that are slow to make are made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("ci")

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--fuzz N`: how many broken files each transcript format is given."""
    parser.addoption("--fuzz", type=int, default=200, help="broken files for each format")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of dialogues for tuning; tests that use it are skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of tuning dialogues is not here")
    return folder


@pytest.fixture(scope="session")
def sample_data() -> Path:
    """The folder of the sample dialogues that ship with the project."""
    return ROOT / "sample_data"
