"""Colours, marks and the one escape function of all pictures.

The palette is fixed per theme and defined nowhere else; colour never stands alone: each state
also has a shape, a line style or a word. One accent means *selected* and nothing else.
The three hues of the hypergraph's parts were chosen to differ in lightness too, so that they
stay apart for colour-blind readers and in print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memcore.types import PARTS, AnchorKind, Part


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme, each `#rrggbb`; text colours reach contrast 4.5 on `paper`."""

    name: str
    paper: str
    band: str
    ink: str
    quiet: str
    rule: str
    accent: str
    gold: str
    defect: str
    co_occurrence: str
    temporal: str
    episodic: str
    fact: str
    bridge: str

    def part(self, part: Part) -> str:
        """Return the hue of a part of the hypergraph; channels use the same."""
        return {
            Part.CO_OCCURRENCE: self.co_occurrence,
            Part.TEMPORAL: self.temporal,
            Part.EPISODIC: self.episodic,
        }[part]

    def anchor(self, kind: AnchorKind) -> str:
        """Return the hue of an anchor kind: that of its part."""
        return self.part(dict(PARTS)[kind])


LIGHT: Final = Palette(
    name="light",
    paper="#ffffff",
    band="#f1f3f6",
    ink="#1c2330",
    quiet="#5a6474",
    rule="#c9cfd9",
    accent="#c2185b",
    gold="#8a5a00",
    defect="#b3261e",
    co_occurrence="#0f62b5",
    temporal="#7a4d00",
    episodic="#1b7a4b",
    fact="#4a3aa7",
    bridge="#8e2a8e",
)
DARK: Final = Palette(
    name="dark",
    paper="#12161d",
    band="#1b212b",
    ink="#e6eaf0",
    quiet="#a3adbb",
    rule="#3a4453",
    accent="#ff6fa5",
    gold="#f0b83c",
    defect="#ff8a80",
    co_occurrence="#6cb2ff",
    temporal="#e0a458",
    episodic="#63cf98",
    fact="#b3a6ff",
    bridge="#e59be5",
)
PALETTES: Final[Mapping[str, Palette]] = {"light": LIGHT, "dark": DARK}

PRIMARY_BUTTONS: Final = (
    '<style>[data-testid^="stBaseButton-primary"], [data-testid="stBaseLinkButton-primary"] '
    f"{{ color: light-dark({LIGHT.paper}, {DARK.paper}); }}</style>"
)
"""Words of a primary button in the colour of the paper: Streamlit's are white in both themes, and
no blue is dark enough under white and bright enough on a dark page."""

OUTLINED: Final = "outlined-"
"""What the key of a container begins with that is outlined as selected."""

OUTLINES: Final = (
    f"<style>[class*='st-key-{OUTLINED}'] "
    f"{{ outline: 2px solid light-dark({LIGHT.accent}, {DARK.accent}); }}</style>"
)
"""The outline of what is selected: Streamlit has none of its own."""

ANCHOR_MARKS: Final[Mapping[AnchorKind, str]] = {
    AnchorKind.ENTITY: "▲",
    AnchorKind.LEXICAL: "●",
    AnchorKind.SPEAKER: "◐",
    AnchorKind.DAY: "■",
    AnchorKind.WEEK: "■",
    AnchorKind.MONTH: "■",
    AnchorKind.YEAR: "■",
    AnchorKind.SESSION: "▬",
    AnchorKind.WINDOW: "┅",
}


def faded(colour: str, share: float) -> str:
    """Return `#rrggbb` as an rgba colour with the given opacity.

    >>> faded("#ff0000", 0.2)
    'rgba(255,0,0,0.2)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


def mixed(colour: str, ground: str, share: float) -> str:
    """Return `#rrggbb` as it looks with the given opacity on a ground, again as `#rrggbb`.

    >>> mixed("#ff0000", "#000000", 0.2)
    '#330000'
    """
    pairs = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * one + (1 - share) * under):02x}" for one, under in pairs)


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two `#rrggbb` colours, 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def plain(text: str, limit: int = 80) -> str:
    """Return text that Plotly draws as typed: one line, cut at `limit`, `& < >` escaped.

    Plotly renders bold and links from labels, ticks, titles and hover texts.

    >>> plain("<b>a</b> & b")
    '&lt;b&gt;a&lt;/b&gt; &amp; b'
    """
    line = " ".join(text.split())
    cut = line if len(line) <= limit else f"{line[: limit - 1]}…"
    return cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
