"""The network file as a user meets it: opened from disk in a real browser with no network."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from memcore.exports.choice import Choice
from memcore.exports.menu import EXPORTS
from tests.exports import hostile
from tests.exports.test_replay import Opened, browser

__all__ = ["browser"]  # the fixture


@pytest.fixture(scope="module", params=["network-facts", "network-anchors"])
def opened(request, browser, tmp_path_factory) -> Opened:
    file = tmp_path_factory.mktemp("network") / "run.html"
    system = "ariadnemem-safe" if request.param == "network-facts" else "edgemem"
    file.write_bytes(EXPORTS[request.param].data(hostile.subject(system), Choice()))
    return Opened(browser, file)


def test_the_network_is_drawn_with_every_node_at_its_place(opened):
    drawn = opened.page.evaluate(
        "() => data.nodes.map(n => [n.id, n.x, n.y, held.made.getPosition(n.id)])"
    )
    assert drawn
    assert all(abs(at["x"] - x) <= 1 and abs(at["y"] - y) <= 1 for _, x, y, at in drawn)


def test_a_click_on_a_node_shows_its_words_as_they_were_typed(opened):
    page = opened.page
    name, x, y = page.evaluate(
        """() => {
            const node = data.nodes.find(n => n.title.includes("<"));
            held.made.focus(node.id, { scale: 1.5, animation: false });
            const at = held.made.canvasToDOM({ x: node.x, y: node.y });
            const box = document.getElementById("place").getBoundingClientRect();
            return [node.id, box.x + at.x, box.y + at.y];
        }"""
    )
    page.mouse.click(x, y)
    expect(page.locator("#picked")).to_contain_text(f"{name} ·")
    expect(page.locator("#picked")).to_contain_text("<")


def test_hostile_words_make_no_element_run_nothing_and_ask_nobody(opened):
    page = opened.page
    page.locator("#twin").click()
    expect(page.locator("#table")).to_contain_text("Zqmoon")
    assert page.locator("main img, main script, main b, main i, main a").count() == 0
    assert opened.dialogs == []
    assert opened.errors == []
    assert [url for url in opened.requests if not url.startswith("file:")] == []
