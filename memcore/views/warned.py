"""Under which head a warning stands above an answer, and with which sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memcore.types import Warning

KINDS: Final[Mapping[Warning, str]] = {
    Warning.OTHER_SUBJECT: "premise",
    Warning.UNTOLD_THING: "premise",
    Warning.UNKNOWN_NAME: "premise",
    Warning.BELOW_FLOOR: "premise",
    Warning.OVER_BUDGET: "budget",
    Warning.NOTHING_FOUND: "nothing",
    Warning.READER_FAILED: "reader",
    Warning.NOT_BUILT: "built",
}
"""The key of each warning's head in the strings."""

ICONS: Final[Mapping[str, str]] = {
    "premise": ":material/help:",
    "budget": ":material/content_cut:",
    "nothing": ":material/search_off:",
    "reader": ":material/error:",
    "built": ":material/construction:",
}
