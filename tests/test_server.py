"""The app as a user meets it: a real server, a real browser, real models, no other host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser import launch, server

PATIENCE = 480_000
"""Milliseconds: the first build loads the language models, on a busy machine too."""

SOON = 60_000
"""Milliseconds for anything that loads no model."""

expect.set_options(timeout=SOON)

HOSTILE = (
    "<img src=x onerror=alert(1)> **bold** $x^2$ :material/home: [l](javascript:alert(2)) "
    "</script><!-- =HYPERLINK(1) href"
)
TALK = f"""Session 1 (2 March 2024)
Noor: The hedge is cut and the gate is painted green.
Ines: {HOSTILE}
Noor: Ines, your hedge lives in Porto.
Ines: I live in Porto since May.
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("server") / "workspace.db") as found:
        yield found


class Visitor:
    """One browser session that notes every request to another host and every dialog."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 1000})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(SOON)
        self.host = urlsplit(address).netloc
        self.outside: list[str] = []
        self.dialogs: list[str] = []
        self.page.on("request", self._note)
        self.page.on("dialog", lambda d: (self.dialogs.append(d.message), d.dismiss()))

    def _note(self, request) -> None:
        found = urlsplit(request.url)
        if found.scheme in {"http", "https", "ws", "wss"} and found.netloc != self.host:
            self.outside.append(request.url)

    def settle(self) -> None:
        self.page.wait_for_function(
            """() => document.querySelector('[data-testid=stApp]')
                ?.getAttribute('data-test-script-state') === 'notRunning'""",
            timeout=PATIENCE,
        )

    def open(self, url: str, title: str) -> None:
        self.page.goto(url)
        expect(self.page.get_by_role("heading", name=title).first).to_be_visible(timeout=PATIENCE)
        self.settle()

    def click(self, name: str, *, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()
        self.settle()

    def beat(self, number: str) -> None:
        """Press the button of a beat; its number is the key shown on it."""
        name = re.compile(rf"^(Cue|Activate|Collect|Connect|Pack|Answer) Shortcut {number}$")
        self.page.get_by_role("button", name=name).first.click()
        self.settle()

    def tab_to(self, name: str) -> None:
        """Press Tab until the element of a name has the focus."""
        named = """name => {
            const here = document.activeElement
            const label = here?.getAttribute('aria-label')
            const text = here?.innerText ?? ''  // an icon's name stands before the words
            return label ? label === name : text.length < 80 && text.includes(name)
        }"""
        for _ in range(80):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(named, name):
                return
        pytest.fail(f"Tab never comes to {name}")

    def click_cell(self, table: str, opened: Locator) -> None:
        """Click the first cell of a table until it opens something.

        The cells are drawn on a canvas that takes no click while it is drawn anew.
        """
        found = self.page.get_by_test_id(table).first
        for _ in range(20):
            found.scroll_into_view_if_needed()
            box = found.bounding_box() or {"x": 0, "y": 0}
            self.page.mouse.move(box["x"] + 60, box["y"] + 52)
            self.page.wait_for_timeout(300)
            self.page.mouse.down()
            self.page.wait_for_timeout(80)
            self.page.mouse.up()
            self.page.wait_for_timeout(700)
            if opened.count():
                return

    def link(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.page.url).query)

    def words(self) -> str:
        return self.page.locator("[data-testid=stMain]").inner_text()


@pytest.fixture(scope="module")
def newcomer(browser, address) -> Visitor:
    """Opens the app on an empty workspace and presses the one primary button."""
    visitor = Visitor(browser, address)
    visitor.open(address, "See what your agent remembers")
    visitor.page.get_by_role("button", name="Load the sample dialogue").click()
    heading = visitor.page.get_by_role("heading", name="Step through the retrieval")
    expect(heading).to_be_visible(timeout=PATIENCE)
    visitor.settle()
    return visitor


def test_the_sample_is_stepped_through_by_button_and_key(newcomer):
    page = newcomer.page
    expect(page.get_by_role("heading", name="Step 1 of 6")).to_be_visible()
    for beat, name in enumerate(("Activate", "Collect", "Connect", "Pack", "Answer"), 2):
        newcomer.click("Next")
        expect(page.get_by_role("heading", name=f"Step {beat} of 6 · {name}")).to_be_visible()
    page.get_by_role("heading", name="Step 6 of 6").click()  # no widget holds the keys
    page.keyboard.press("k")
    expect(page.get_by_role("heading", name="Step 5 of 6 · Pack")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="Step 1 of 6 · Cue")).to_be_visible()


def test_marks_do_not_move_while_stepping(newcomer):
    page = newcomer.page
    places = []
    for key in "123456":
        newcomer.beat(key)
        places.append(
            page.evaluate(
                """() => [...document.querySelectorAll('.memcore-picture .scatter .point')]
                    .slice(0, 200).map(p => p.getAttribute('transform'))"""
            )
        )
    assert places[0]
    assert all(place == places[0] for place in places)


def test_a_link_opens_the_same_step_and_selection_in_a_new_browser(newcomer, browser, address):
    page = newcomer.page
    newcomer.beat("6")
    chip = page.get_by_role("button", name=re.compile(r"^D\d+:\d+$")).first
    turn = chip.inner_text().strip()
    chip.click()
    newcomer.settle()
    expect(page.get_by_text(f"Selected: {turn}").first).to_be_visible()
    page.wait_for_url(lambda url: f"sel=t.{turn.replace(':', '%3A')}" in url)
    assert newcomer.link()["beat"] == ["6"]
    other = Visitor(browser, address)
    other.open(page.url, "Step through the retrieval")
    expect(other.page.get_by_role("heading", name="Step 6 of 6 · Answer")).to_be_visible()
    expect(other.page.get_by_text(f"Selected: {turn}").first).to_be_visible()


def test_a_mark_of_the_sheet_selects_its_item(newcomer, browser, address):
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(f"{address}/step?run=1&beat=3", "Step through the retrieval")
    page.wait_for_selector(".memcore-picture .bar rect")
    x, y = page.evaluate(
        """() => {
            const bars = [...document.querySelectorAll('.memcore-picture .bar rect')];
            bars.sort((a, b) => b.getBoundingClientRect().height - a.getBoundingClientRect().height);
            bars[0].scrollIntoView({block: 'center'});
            const box = bars[0].getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    page.mouse.click(x, y)
    page.wait_for_url(re.compile(r"sel=t\.D\d+%3A\d+"))


def test_a_broken_link_says_what_is_wrong(browser, address, newcomer):
    visitor = Visitor(browser, address)
    visitor.open(f"{address}/step?run=999&beat=9&sel=nonsense", "Step through the retrieval")
    said = visitor.words()
    assert "Run 999 does not exist" in said
    assert "sel=nonsense" in said


def test_a_download_holds_the_records(newcomer):
    page = newcomer.page
    page.get_by_role("radio", name="Raw").first.click()
    newcomer.settle()
    with page.expect_download() as found:
        page.get_by_role("button", name="Download", exact=True).click()
    assert '"stage"' in found.value.path().read_text()


def test_from_start_to_an_answer_and_back_through_the_beats_by_keys_alone(
    newcomer, browser, address
):
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(address, "See what your agent remembers")
    visitor.tab_to("Ask a question")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ask the memory")).to_be_visible()
    visitor.settle()
    visitor.tab_to("Question")
    page.keyboard.type("Where did Ruth live before Ghent?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Answer")).to_be_visible()
    visitor.settle()
    visitor.tab_to("Step through this answer")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step 1 of 6")).to_be_visible()
    for key, beat in (("End", 6), ("ArrowLeft", 5), ("k", 4), ("Home", 1), ("ArrowRight", 2)):
        visitor.settle()
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=f"Step {beat} of 6")).to_be_visible()


def test_another_language_changes_the_words_and_keeps_the_run(newcomer, browser, address):
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(f"{address}/step?run=1&beat=5", "Step through the retrieval")
    visitor.click("Settings")
    page.get_by_role("dialog").get_by_role("combobox").first.fill("简体")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="逐步查看检索")).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="第 5 拍")).to_be_visible()
    assert (visitor.link()["run"], visitor.link()["beat"]) == (["1"], ["5"])
    page.wait_for_url(lambda url: "lang=zh-CN" in url)
    page.reload()
    expect(page.get_by_role("heading", name="第 5 拍")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="记忆", exact=True).click()
    expect(page.get_by_role("heading", name="记忆", exact=True)).to_be_visible(timeout=PATIENCE)
    page.wait_for_url(lambda url: "/memory" in url and "lang=zh-CN" in url)
    page.get_by_role("button", name="复制链接").click()  # a link is read in the reader's language
    copied = page.get_by_role("dialog").locator("code").inner_text()
    assert "run=1" in copied
    assert "lang=" not in copied


def test_the_theme_that_a_viewer_chose_is_there_after_a_reload(newcomer, browser, address):
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(f"{address}/step?run=1&beat=3", "Step through the retrieval")
    ink = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    assert page.evaluate(ink) == "rgb(255, 255, 255)"
    page.get_by_test_id("stMainMenu").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.wait_for_function(f"{ink} === 'rgb(18, 22, 29)'")
    page.reload()
    expect(page.get_by_role("heading", name="Step 3 of 6")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate(ink) == "rgb(18, 22, 29)"
    page.wait_for_function(
        "document.querySelector('.memcore-picture .ytick')?.getAttribute('fill') === '#e6eaf0'"
    )


def test_a_failing_cell_of_an_evaluation_opens_step_where_the_gold_was_lost(
    newcomer, browser, address
):
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(f"{address}/evaluate?dlg=1", "Evaluate")
    for system in ("best", "ariadnemem-safe", "bm25", "dense"):
        visitor.click(f"Remove {system}", exact=True)
    visitor.click("Run the evaluation")
    page.get_by_role("radio", name="Leaderboard").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=PATIENCE)
    visitor.settle()
    page.get_by_role("radio", name="Leaderboard").click()
    expect(page.get_by_text("Means over questions")).to_be_visible()
    page.get_by_role("radio", name="Questions").click()
    fate = page.get_by_test_id("stSelectbox").filter(has_text="Fate of the gold")
    fate.get_by_role("combobox").fill("no cue of the question")
    page.keyboard.press("Enter")
    visitor.settle()
    lost = page.get_by_role("button", name="Open the trace where it was lost")
    visitor.click_cell("stDataFrame", lost)
    (turn, *_) = re.findall(r"D\d+:\d+(?= \()", visitor.words())  # the first that was lost
    lost.click()
    expect(page.get_by_role("heading", name="Step 2 of 6 · Activate")).to_be_visible()
    expect(page.get_by_text(f"Selected: {turn}").first).to_be_visible()


@pytest.fixture(scope="module")
def guest(browser, address, newcomer, tmp_path_factory) -> Visitor:
    """A second browser session: uploads another dialogue, builds it, asks it."""
    file = tmp_path_factory.mktemp("talk") / "talk.txt"
    file.write_text(TALK)
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open(address, "See what your agent remembers")
    page.locator("input[type=file]").set_input_files(str(file))
    expect(page.get_by_role("button", name="Import this dialogue")).to_be_visible()
    visitor.click("Import this dialogue")
    visitor.click("Build memories")
    expect(page.get_by_text("Memories of this dialogue are built.")).to_be_visible(timeout=PATIENCE)
    visitor.click("Ask a question")
    page.get_by_label("Question", exact=True).fill("Where is the hedge that lives in Porto?")
    page.keyboard.press("Tab")
    visitor.click("Ask", exact=True)
    expect(page.get_by_role("heading", name="Answer")).to_be_visible()
    return visitor


def test_a_second_session_sees_nothing_of_the_first_dialogue(guest):
    page = guest.page
    assert "Clara" not in guest.words()
    for name in ("Memory", "Step"):
        page.get_by_role("link", name=name).click()
        guest.settle()
        assert "Clara" not in guest.words()


def test_hostile_words_are_shown_as_they_were_typed(guest):
    page = guest.page
    page.get_by_role("link", name="Memory").click()
    guest.settle()
    page.wait_for_url(re.compile("ws=.*dlg="))
    page.goto(f"{page.url.split('&sel=')[0]}&sel=t.D1%3A2")
    expect(page.get_by_text("D1:2 · Ines").first).to_be_visible()
    guest.settle()
    said = guest.words()
    for piece in ("<img src=x onerror=alert(1)>", "**bold**", "$x^2$", ":material/home:"):
        assert piece in said, piece
    assert page.locator("img[src=x]").count() == 0
    assert guest.dialogs == []


def test_no_page_asks_another_host(newcomer, guest):
    assert newcomer.outside == []
    assert guest.outside == []


def test_twenty_reruns_keep_working(newcomer):
    for _ in range(10):
        newcomer.beat("5")
        newcomer.beat("2")
    expect(newcomer.page.get_by_role("heading", name="Step 2 of 6")).to_be_visible()
