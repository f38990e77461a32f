"""Broken golden files give a result or a TranscriptError: each format in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memcore.transcripts.detect import NAMES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("format_", NAMES)
def test_broken_files_are_read_or_refused_and_nothing_else(format_, request):
    n = request.config.getoption("--fuzz")
    done = subprocess.run(
        [sys.executable, "-m", "tests.transcripts.fuzz", format_, str(n)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    counts = json.loads(done.stdout)
    assert counts["read"] + counts["refused"] == n
