"""Broken golden files give a result or a TranscriptError: each format in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memcore.transcripts.detect import NAMES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def outcomes(request):
    """What became of each format's broken files; modules are loaded once for all children."""
    n = request.config.getoption("--fuzz")
    done = subprocess.run(
        [sys.executable, "-m", "tests.transcripts.fuzz", str(n)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return n, {row["format"]: row for row in rows}, done.stderr


@pytest.mark.parametrize("format_", NAMES)
def test_broken_files_are_read_or_refused_and_nothing_else(format_, outcomes):
    n, rows, trouble = outcomes
    row = rows[format_]
    assert "ended" not in row, trouble[-2000:]
    assert row["read"] + row["refused"] == n
