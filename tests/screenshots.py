"""Make the pictures of the README from the sample: `python tests/screenshots.py [FOLDER]`.

A real server on a new workspace and a headless Chromium, 1440 wide, light; the sample opens in
Step by itself, the other pages are reached by their links. Pictures are kept under 250 kB.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests import browser

PATIENCE = 90_000
LARGEST = 250_000
SIZE = {"width": 1440, "height": 900}
DONE = """() => document.querySelector('[data-testid=stApp]')
    ?.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton]')"""


def settle(page: Page) -> None:
    """Wait until the page is drawn."""
    page.wait_for_function(DONE, timeout=PATIENCE)
    page.wait_for_timeout(1500)  # pictures fade in
    page.wait_for_function(DONE, timeout=PATIENCE)


def go(page: Page, name: str) -> None:
    """Open a page of the app by its link in the sidebar."""
    page.locator("[data-testid=stSidebarNav]").get_by_role("link", name=name, exact=True).click()
    settle(page)


def step(page: Page) -> None:
    """Step at its third beat, Collect."""
    page.keyboard.press("3")
    settle(page)


def compare(page: Page) -> None:
    """The run of the sample beside the same question asked of another retriever."""
    go(page, "Compare")
    page.locator("[data-testid=stMain]").get_by_role(
        "button", name="Ask the same question"
    ).first.click()
    settle(page)


def evaluate(page: Page) -> None:
    """The sample's questions with two retrievers, when all are done."""
    go(page, "Evaluate")
    page.get_by_role("button", name="Run the evaluation").first.click()
    expect(page.get_by_text("Leaderboard").first).to_be_visible(timeout=PATIENCE)
    settle(page)


SHOTS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("step", step),
    ("memory", lambda page: go(page, "Memory")),
    ("compare", compare),
    ("evaluate", evaluate),
)


def main(folder: Path) -> None:
    """Write one PNG a page into a folder.

    Raises:
        AssertionError: if a picture is too large for the repository.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        browser.server(Path(place) / "memcore.db", "--sample") as address,
        sync_playwright() as playwright,
    ):
        page = browser.launch(playwright).new_page(viewport=SIZE, color_scheme="light")
        page.goto(address)
        heading = page.get_by_role("heading", name="Step through the retrieval")
        expect(heading).to_be_visible(timeout=PATIENCE)
        settle(page)
        for name, reach in SHOTS:
            reach(page)
            data = page.screenshot(path=folder / f"{name}.png")
            assert len(data) < LARGEST, f"{name}.png has {len(data)} bytes"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else browser.ROOT / "docs" / "pictures")
