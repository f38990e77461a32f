"""The words of the screen: complete for every closed list, and no literal on a page."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from memcore.types import Action, Beat, Change, EdgeKind, Reason, Warning
from memcore.views import theme
from memcore.views.strings import ENGLISH, say

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "pages").glob("*.py"))
CLOSED = [
    *(f"reason.{r}" for r in Reason),
    *(f"change.{c}" for c in Change),
    *(f"action.{a}" for a in Action),
    *(f"edge.{k}" for k in EdgeKind),
    *(f"beat.{b.value}" for b in Beat),
    *(f"warning.{w}" for w in Warning),
]


@pytest.mark.parametrize("key", CLOSED)
def test_every_code_of_a_closed_list_has_words(key):
    assert key in ENGLISH


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=lambda p: p.name)
def test_text_and_marks_reach_contrast_on_paper_and_band(palette):
    # WCAG AA asks 4.5 of text; marks that carry meaning are held to the same.
    for name in ("ink", "quiet", "accent", "gold", "defect", "fact", "bridge"):
        for ground in (palette.paper, palette.band):
            assert theme.contrast(getattr(palette, name), ground) >= 4.5, (name, ground)
    for name in ("co_occurrence", "temporal", "episodic"):
        assert theme.contrast(getattr(palette, name), palette.paper) >= 4.5, name


def test_the_theme_file_holds_the_colours_of_the_palettes():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    for palette in (theme.LIGHT, theme.DARK):
        assert config["theme"][palette.name]["backgroundColor"] == palette.paper
        assert config["theme"][palette.name]["textColor"] == palette.ink
        primary = config["theme"][palette.name]["primaryColor"]
        assert theme.contrast(primary, palette.paper) >= 4.5


def test_plotly_text_is_escaped_and_cut():
    assert theme.plain("<b>x</b>\nhref & y") == "&lt;b&gt;x&lt;/b&gt; href &amp; y"
    assert theme.plain("abcdef", 4) == "abc…"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_a_page_holds_no_words_of_its_own(page):
    """Streamlit calls that show text get it from the strings, never from a literal."""
    shown = {
        "title",
        "header",
        "subheader",
        "markdown",
        "caption",
        "text",
        "button",
        "info",
        "warning",
        "error",
        "success",
        "write",
        "expander",
        "popover",
        "selectbox",
        "text_input",
        "toggle",
    }
    for node in ast.walk(ast.parse(page.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in shown and node.args:
            first = node.args[0]
            assert not (isinstance(first, ast.Constant) and isinstance(first.value, str)), (
                f"{page.name}:{node.lineno}"
            )


def test_a_missing_key_is_loud():
    with pytest.raises(KeyError):
        say("no.such.key")
