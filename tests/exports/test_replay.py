"""The replay as a user meets it: opened from disk in a real browser with no network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from memcore.exports.choice import Choice
from memcore.exports.menu import EXPORTS
from tests.browser import launch
from tests.exports import hostile


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


class Opened:
    """A file of an export, opened from disk, offline; notes requests, dialogs and errors."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self.context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True)
        self.page: Page = self.context.new_page()
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("dialog", lambda d: (self.dialogs.append(d.message), d.dismiss()))
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.goto(file.as_uri())


@pytest.fixture(scope="module", params=["edgemem", "ariadnemem-safe"])
def opened(request, browser, tmp_path_factory) -> Opened:
    file = tmp_path_factory.mktemp("replay") / "run.html"
    file.write_bytes(EXPORTS["html"].data(hostile.subject(request.param), Choice()))
    return Opened(browser, file)


def test_the_replay_steps_with_the_arrow_keys(opened):
    page = opened.page
    names = ["Cue", "Activate", "Collect", "Connect", "Pack", "Answer"]
    expect(page.get_by_role("heading", name="1 / 6 · Cue")).to_be_visible()
    for n, name in enumerate(names[1:], 2):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("heading", name=f"{n} / 6 · {name}")).to_be_visible()
    page.keyboard.press("ArrowRight")  # there is no seventh
    expect(page.get_by_role("heading", name="6 / 6 · Answer")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="5 / 6 · Pack")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="1 / 6 · Cue")).to_be_visible()


def test_no_mark_moves_while_stepping(opened):
    places = []
    for key in "123456":
        opened.page.keyboard.press(key)
        places.append(
            opened.page.evaluate(
                "() => [...document.querySelectorAll('svg .turn, svg .fact[data-id]')].map(e =>"
                " [e.getAttribute('x1'), e.getAttribute('cx'), e.getAttribute('cy')].join())"
            )
        )
    assert places[0]
    assert all(place == places[0] for place in places)


def test_a_click_shows_what_stands_behind_an_id_as_it_was_typed(opened):
    page = opened.page
    page.locator("svg [data-id='D1:2'] .hit").click()
    reader = page.locator(".reader")
    expect(reader).to_contain_text("</script><script>alert(2)</script> Zqmoon zqtea")
    expect(reader).to_contain_text("<b>Zqana</b> href")
    page.keyboard.press("Escape")
    expect(reader).not_to_contain_text("Zqmoon")


def test_hostile_words_make_no_element_and_run_nothing(opened):
    page = opened.page
    for key in "123456":
        page.keyboard.press(key)
        found = page.locator("#screen img, #screen script, #screen b, #screen i, #screen a")
        assert found.count() == 0
    assert page.title() == "memcore run 7"
    assert opened.dialogs == []
    assert opened.errors == []


def test_no_request_leaves_the_file(opened):
    assert [url for url in opened.requests if not url.startswith("file:")] == []
    assert len(opened.requests) == 1


def test_the_policy_stops_a_script_and_a_picture_that_are_put_in(opened):
    page = opened.page
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        const picture = document.createElement("img");
        picture.src = "https://example.org/x.png";
        document.body.append(script, picture);
    }""")
    assert page.evaluate("() => window.ran") is None
    stopped = [e for e in opened.errors if "Content Security Policy" in e]
    assert len(stopped) == 2
    opened.errors.clear()


def test_it_prints_one_page_a_beat(opened):
    data = opened.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == 6


def test_it_has_the_colours_of_the_viewers_theme(opened):
    page, paper = opened.page, "() => getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark", media="screen")
    assert page.evaluate(paper) == "rgb(18, 22, 29)"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(paper) == "rgb(255, 255, 255)"


def test_the_data_block_cannot_end_early():
    text = EXPORTS["html"].data(hostile.subject(), Choice()).decode()
    block = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert block
    assert json.loads(block[1])["question"] == hostile.QUESTION
    assert text.count("<script") == 2  # the data and the page's own
