"""The pages that share a run on a real server, in a real browser: clicks, keys, downloads."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import launch, server
from tests.test_pages import built
from tests.test_server import Visitor

__all__ = ["built"]  # the fixture


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(built, tmp_path_factory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("server") / "workspace.db"
    shutil.copy(built, file)
    with server(file) as found:
        yield found


@pytest.fixture(scope="module")
def visitor(browser, address) -> Visitor:
    return Visitor(browser, address)


def test_a_click_on_a_node_selects_it_and_no_other_host_is_asked(visitor, address):
    page = visitor.page
    visitor.open(f"{address}/memory?dlg=1", "Memory")
    page.get_by_role("radio", name="Network").click()
    visitor.settle()
    place = page.locator(".network")
    expect(place.locator("canvas")).to_be_visible()
    place.scroll_into_view_if_needed()
    x, y = place.evaluate(
        """e => {
            const at = e.held.made.canvasToDOM(e.held.made.getPosition("D1:3"));
            const box = e.getBoundingClientRect();
            return [box.x + at.x, box.y + at.y];
        }"""
    )
    page.mouse.click(x, y)
    page.wait_for_url(re.compile(r"sel=t\.D1%3A3"))
    assert visitor.outside == []


def test_present_goes_on_and_back_by_arrow_keys_and_keeps_the_scene_in_the_link(visitor, address):
    page = visitor.page
    visitor.open(f"{address}/present?dlg=1&run=1", "1 of")
    page.get_by_role("heading", name="1 of").click()  # no widget holds the keys
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="2 of").first).to_be_visible()
    visitor.settle()
    page.wait_for_url(re.compile(r"scene=[2-6]"))
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="1 of").first).to_be_visible()


def test_a_replay_is_downloaded_under_a_name_of_ids_and_the_page_stays(visitor, address):
    page = visitor.page
    visitor.open(f"{address}/runs?dlg=1&run=1", "Runs and export")
    with page.expect_download() as found:
        page.get_by_role("button", name="HTML replay").click()
    assert found.value.suggested_filename == "memcore-run-1.html"
    assert "Content-Security-Policy" in found.value.path().read_text("utf-8")
    expect(page.get_by_role("heading", name="Export run 1")).to_be_visible()
    assert visitor.outside == []
