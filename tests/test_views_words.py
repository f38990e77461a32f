"""The words of the screen: complete for every closed list, and no literal on a page."""

from __future__ import annotations

import ast
import re
import string
import threading
import tomllib
from pathlib import Path

import pytest

from memcore.types import Action, Beat, Change, EdgeKind, Reason, Warning
from memcore.views import strings, theme, warned
from memcore.views.strings import CHINESE, ENGLISH, say, speak, spoken

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


def test_every_warning_has_a_head_and_a_sign():
    assert set(warned.KINDS) == set(Warning)
    for kind in warned.KINDS.values():
        assert kind in warned.ICONS
        assert f"warning_head.{kind}" in ENGLISH


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
        # on the paper and the band, and under the words of a primary button, which are paper
        assert theme.contrast(primary, palette.paper) >= 4.5
        assert theme.contrast(primary, palette.band) >= 4.5
        assert theme.contrast(config["theme"][palette.name]["linkColor"], palette.paper) >= 4.5


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


# ---------------------------------------------------------------- languages

NAMES = re.compile(r"memcore|BM25|LoCoMo|LongMemEval|JSON|CSV|GraphML|HIF|SQLite|HTML|pytest")
"""What is called the same in every language."""


def test_both_catalogues_hold_the_same_keys_and_no_key_twice():
    assert list(CHINESE) == list(ENGLISH)
    assert len(ENGLISH) == sum(len(module.ENGLISH) for module in strings._MODULES)


def test_a_module_of_words_is_in_the_catalogue():
    found = {p.stem for p in (ROOT / "memcore" / "views" / "strings").glob("[a-z]*.py")}
    named = {module.__name__.rsplit(".", 1)[1] for module in strings._MODULES}
    assert found - {"dates"} == named


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def translated(english: str, chinese: str) -> bool:
    """Whether the Chinese differs, has the same placeholders, and is empty only as the English."""
    letters = NAMES.sub("", re.sub(r"\{.*?\}", "", english))
    differs = english != chinese or not re.search("[a-zA-Z]", letters)
    alike = placeholders(english) == placeholders(chinese)
    return differs and alike and bool(english) == bool(chinese)


def test_every_chinese_value_is_translated_and_holds_the_same_placeholders():
    assert [key for key in ENGLISH if not translated(ENGLISH[key], CHINESE[key])] == []


def test_plural_forms_stand_in_pairs():
    ones = {key.removesuffix(".one") for key in ENGLISH if key.endswith(".one")}
    others = {key.removesuffix(".other") for key in ENGLISH if key.endswith(".other")}
    assert ones == others - {"margin"}  # `margin.other` names another item
    assert (say("strip.cues", "en", n=1), say("strip.cues", "en", n=2)) == ("1 cue", "2 cues")
    assert say("strip.cues", "zh-CN", n=1) == "1 条线索"


def test_the_language_in_use_is_that_of_its_own_thread():
    heard: list[str] = []

    def session(language: str) -> None:
        speak(language)
        heard.append(say("frame.selected", id="D1:1"))

    for language in ("zh-CN", "en", "xx"):
        thread = threading.Thread(target=session, args=(language,))
        thread.start()
        thread.join()
    assert heard == ["已选：D1:1", "Selected: D1:1", "Selected: D1:1"]
    assert spoken() == "en"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_a_fragment_is_made_by_the_frame_which_sets_its_language(page):
    if page.name != "frame.py":
        assert "st.fragment" not in page.read_text()
