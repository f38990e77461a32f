"""The SVG component of Step in a browser: places, ink, words and clicks from Plotly's own JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from memcore.views import pictures, sheet, sheet_figure
from memcore.views.canvas import Picture, bar, picture, scatter, still_frame
from memcore.views.theme import DARK, LIGHT, plain
from tests import browser
from tests.test_views_pictures import DRAWN, LOOK, MEMORY, REPLY

SCRIPT = (Path(__file__).resolve().parents[1] / "pages" / "picture.js").read_text("utf-8")
PLACE = '<body style="margin:0"><div id="root"><div class="memcore-picture"></div></div>'
MOUNT = """async ([script, figure]) => {
    const url = URL.createObjectURL(new Blob([script], {type: "text/javascript"}));
    window.drawn = window.drawn || await import(url);
    window.sent = [];
    window.drawn.default({parentElement: document.getElementById("root"), data: figure,
        setTriggerValue: (name, value) => window.sent.push([name, value])});
}"""
LOOKS = ["fill", "stroke", "stroke-width", "class", "d"]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        yield chromium.new_page(viewport={"width": 600, "height": 800})
        chromium.close()


def show(page: Page, drawn: Picture, *, fresh: bool = True) -> None:
    if fresh:
        page.set_content(PLACE)
    data = json.loads(json.dumps({"data": drawn.traces, "layout": drawn.layout, "alt": "alt"}))
    page.evaluate(MOUNT, [SCRIPT, data])


def attributes(page: Page, selector: str, *names: str) -> list[list[str | None]]:
    return page.eval_on_selector_all(
        selector, "(all, names) => all.map(e => names.map(n => e.getAttribute(n)))", list(names)
    )


def frame(**axes: object) -> Mapping[str, object]:
    """A frame of 600 by 140 pixels: an area from 100 to 588 across, from 12 to 100 down."""
    return still_frame(LIGHT, 140, left=100) | axes


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_drawn_with_one_mark_for_each_value(page, name):
    show(page, DRAWN[name]())
    figure = DRAWN[name]().figure()
    across = figure.layout.xaxis.range or (-1e9, 1e9)
    wanted = sum(
        x is not None and across[0] <= x <= across[1]
        for trace in figure.data
        if trace.type == "bar" or "markers" in trace.mode
        for x in trace.x
    )
    assert page.locator(".point").count() == wanted > 0


def test_bars_stand_where_their_values_say(page):
    stacked = [bar(x=[1, 3], y=[2, 1], marker={"color": "#111111"}) for _ in range(2)]
    axes = {"xaxis": {"range": [0, 4]}, "yaxis": {"range": [0, 4]}, "barmode": "relative"}
    show(page, picture(stacked, frame(**axes)))
    # 122 pixels a unit across, 22 down; a bar is 0.8 of the least distance wide, 2 units here
    assert attributes(page, ".bar rect", "x", "y", "width", "height") == [
        ["124.4", "56", "195.2", "44"],
        ["368.4", "78", "195.2", "22"],
        ["124.4", "12", "195.2", "44"],
        ["368.4", "56", "195.2", "22"],
    ]


def test_marks_stand_where_their_values_say_and_those_outside_are_left_out(page):
    marks = scatter(
        x=[0, 2, 9], y=[0, 1, 1], mode="markers", marker={"size": 8, "color": "#111111"}
    )
    show(page, picture([marks], frame(xaxis={"range": [0, 4]}, yaxis={"range": [0, 2]})))
    assert attributes(page, ".point", "transform") == [
        ["translate(100,100)"],
        ["translate(344,56)"],
    ]


def test_a_step_changes_ink_and_keeps_every_element(page):
    show(page, sheet_figure.figure(MEMORY, REPLY, sheet.sheet(MEMORY, REPLY), LOOK))
    page.evaluate("window.before = [...document.querySelectorAll('.point')]")
    places = attributes(page, ".point", "transform")
    looks = attributes(page, ".point", *LOOKS)
    early = sheet.Look(0, LIGHT, frozenset({"D2:1"}), (LOOK.gold))
    drawn = sheet_figure.figure(MEMORY, REPLY, sheet.sheet(MEMORY, REPLY), early)
    show(page, drawn, fresh=False)
    scattered = [p for p in places if p[0]]
    assert [p for p in attributes(page, ".point", "transform") if p[0]] == scattered
    assert attributes(page, ".point", *LOOKS) != looks
    page.evaluate("window.after = [...document.querySelectorAll('.scatter .point')]")
    assert page.evaluate("window.after.every(e => window.before.includes(e))")
    show(page, drawn)
    fresh = page.locator("svg").first.inner_html()
    show(page, sheet_figure.figure(MEMORY, REPLY, sheet.sheet(MEMORY, REPLY), LOOK))
    show(page, drawn, fresh=False)
    assert page.locator("svg").first.inner_html() == fresh  # what is kept equals what is made anew


def test_a_click_near_a_mark_sends_its_id_and_one_beside_all_marks_sends_nothing(page):
    marks = scatter(
        x=[1, 3],
        y=[1, 1],
        mode="markers",
        customdata=[["D1:1"], ["D1:2"]],
        text=["one", "two"],
        marker={"size": 8, "color": "#111111"},
    )
    show(page, picture([marks], frame(xaxis={"range": [0, 4]}, yaxis={"range": [0, 2]})))
    page.mouse.click(100 + 122 + 7, 56)
    page.mouse.click(100 + 3 * 122, 56 - 6)
    page.mouse.click(100 + 2 * 122, 56)
    assert page.evaluate("window.sent") == [["picked", "D1:1"], ["picked", "D1:2"]]
    page.mouse.move(100 + 122, 56)
    assert page.locator(".memcore-tip").inner_text() == "one"


def test_hostile_words_are_drawn_as_typed(page):
    words = "<img src=x onerror=\"document.title='hit'\"> & <b>bold</b>"
    marks = scatter(
        x=[1],
        y=[1],
        mode="markers+text",
        customdata=[["D1:1"]],
        text=[plain(words)],
        marker={"size": 8, "color": "#111111"},
    )
    show(page, picture([marks], frame(xaxis={"range": [0, 4]}, yaxis={"range": [0, 2]})))
    assert page.locator("text", has_text="onerror").text_content() == words
    page.mouse.move(100 + 122, 56)
    assert page.locator(".memcore-tip").text_content() == words
    assert page.locator("img").count() == 0
    assert page.title() == ""


def test_a_narrower_window_moves_the_marks_together(page):
    marks = scatter(x=[2], y=[1], mode="markers", marker={"size": 8, "color": "#111111"})
    show(page, picture([marks], frame(xaxis={"range": [0, 4]}, yaxis={"range": [0, 2]})))
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_selector('.point[transform="translate(244,56)"]')
    page.set_viewport_size({"width": 600, "height": 800})


def test_the_anchors_keep_their_names_beside_their_rows_in_both_themes(page):
    for palette in (LIGHT, DARK):
        rows = pictures.active(MEMORY, REPLY)
        show(page, pictures.active_bars(rows, palette))
        found = attributes(page, ".ytick", "fill")
        assert found == [[palette.ink]] * len(rows)
        assert page.locator(".ytick").all_text_contents() == [f"{r.kind[0]} {r.key}" for r in rows]


def test_a_recorded_run_is_shown_without_what_reads_builds_asks_and_draws_networks():
    code = (
        "import sys\n"
        "from pages import acts, cards, frame, network, pictures, preferences, sides, workspace\n"
        "late = {'memcore.pipeline', 'memcore.jobs', 'memcore.transcripts.read', 'memcore.readers',\n"
        "    'memcore.retrieval.table', 'memcore.evaluation.report', 'pyvis', 'spacy', 'torch'}\n"
        "assert not late & set(sys.modules), late & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=browser.ROOT)
