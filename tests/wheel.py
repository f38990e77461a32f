"""Check that a wheel holds the whole app: `python tests/wheel.py FOLDER` with the wheel in FOLDER.

It is installed without its dependencies into a folder of its own, and `memcore app --sample` is
run from an empty one; a browser must see the sample in Step. `.ci/run` calls this; it is no test
of pytest, since making a wheel fetches the build backend.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests import browser

NEEDED = (
    "memcore/app/app.py",
    "memcore/app/pages/step.py",
    "memcore/app/.streamlit/config.toml",
    "memcore/app/sample_data/english.json",
    "memcore/exports/pages/replay.html",
    "memcore/evolution/prompts/extract-1.txt",
    "memcore/transcripts/phrases.toml",
)
PATIENCE = 90_000


def check(folder: Path) -> str:
    """Return one sentence on the wheel.

    Raises:
        AssertionError: if it lacks a file, or the app does not come up.
    """
    (wheel,) = sorted(folder.glob("memcore-*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in NEEDED if name not in names] == []
    assert [name for name in names if "secrets" in name or name.endswith(".db")] == []
    with tempfile.TemporaryDirectory() as place:
        target, empty = Path(place) / "lib", Path(place) / "empty"
        empty.mkdir()
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
        subprocess.run([*pip, "--target", str(target), str(wheel)], check=True)
        serve(target, empty)
        assert (empty / "memcore.db").is_file()
    return f"{wheel.name}: the sample opens in Step from an empty folder"


def serve(target: Path, empty: Path) -> None:
    """Run the installed app in a folder until a browser has seen the sample in Step."""
    port = browser.free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "memcore", "app", "--sample", "--port", str(port)],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(target)},  # noqa: TID251 - a script at the edge
        start_new_session=True,
    )
    try:
        with sync_playwright() as playwright:
            page = browser.launch(playwright).new_page()
            address = f"http://127.0.0.1:{port}"
            wait(address)
            page.goto(address)
            heading = page.get_by_role("heading", name="Step through the retrieval")
            expect(heading).to_be_visible(timeout=PATIENCE)
    finally:
        os.killpg(process.pid, 15)
        process.wait()


def wait(address: str) -> None:
    """Ask for the server's health until it answers."""
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    raise AssertionError("the installed app does not answer")


if __name__ == "__main__":
    print(check(Path(sys.argv[1])))  # noqa: T201 - its one answer
