"""Words of the legend, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "legend.turn": "tick: a turn, one row a speaker; strong = in play at this step",
    "legend.fact": "filled circle: a current fact; circle with a cross: a replaced one (“was”)",
    "legend.bridge": "diamond: a bridge between facts that nothing joined",
    "legend.anchor": "row: an anchor with a dot for each member turn",
    "legend.kinds": "▲ entity · ● lexical · ◐ speaker · ■ calendar · ▬ session · ┅ window",
    "legend.gold": "★ and dashed line: known evidence",
    "legend.accent": "pink: selected",
    "legend.quiet": "pale: not in play at this step",
}

CHINESE: Final[Mapping[str, str]] = {}
