"""Make the pictures of the README from the sample: `python tests/screenshots.py [FOLDER]`.

A real server on a new workspace and a headless Chromium, 1440 wide, light. The sample is
built and asked by the command line first, and five retrievers are evaluated on its questions. Pictures are kept under 250 kB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memcore import cli
from tests import browser

PATIENCE = 120_000
LARGEST = 250_000
QUESTION = "Where did Ruth live before Ghent?"
SYSTEMS = ("edgemem", "ariadnemem-safe")
EVALUATED = "edgemem,best,ariadnemem-safe,bm25,dense"
SIZE = {"width": 1440, "height": 1300}
DONE = """() => document.querySelector('[data-testid=stApp]')
    ?.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton]')"""


def settle(page: Page) -> None:
    """Wait until the page is drawn."""
    page.wait_for_function(DONE, timeout=PATIENCE)
    page.wait_for_timeout(1500)  # pictures fade in
    page.wait_for_function(DONE, timeout=PATIENCE)


def prepare(workspace: Path) -> None:
    """Import the sample, build both memories, and ask one question of two retrievers."""
    where = ("--workspace", str(workspace))
    sample = browser.ROOT / "sample_data"
    files = (str(sample / "english.json"), str(sample / "english.questions.jsonl"))
    done = [cli.main(["import", *files, *where]), cli.main(["build", "1", *where])]
    done += [cli.main(["ask", "1", QUESTION, "--system", system, *where]) for system in SYSTEMS]
    done.append(cli.main(["evaluate", "--systems", EVALUATED, *where]))
    assert done == [0, 0, 0, 0, 0]


SHOTS = (
    ("step", "step?dlg=1&run=1&beat=3"),
    ("memory", "memory?dlg=1"),
    ("compare", "compare?dlg=1&run=1&l=1&r=2&beat=3"),
    ("evaluate", "evaluate?dlg=1&eval=1"),
)


def main(folder: Path) -> None:
    """Write one PNG a page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        workspace = Path(place) / "memcore.db"
        prepare(workspace)
        with browser.server(workspace) as address, sync_playwright() as playwright:
            page = browser.launch(playwright).new_page(viewport=SIZE, color_scheme="light")
            for name, link in SHOTS:
                page.goto(f"{address}/{link}")
                shoot(page, folder / f"{name}.png")


def shoot(page: Page, file: Path) -> None:
    """Write the picture of a page once it is drawn.

    Raises:
        AssertionError: if the picture is too large for the repository.
    """
    expect(page.get_by_role("heading").first).to_be_visible(timeout=PATIENCE)
    settle(page)
    data = page.screenshot(path=file)
    assert len(data) < LARGEST, f"{file.name} has {len(data)} bytes"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else browser.ROOT / "docs" / "pictures")
