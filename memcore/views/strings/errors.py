"""Words of troubles that any page may meet, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "error.head": "This did not work.",
    "error.empty_question": "Type a question first.",
}

CHINESE: Final[Mapping[str, str]] = {
    "error.head": "这一步没有成功。",
    "error.empty_question": "请先输入问题。",
}
