"""The one sentence of a refusal, by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memcore.types import Answer, Sentence

REFUSALS: Final[Mapping[str, str]] = {
    "en": "Not mentioned in the conversation.",
    "zh": "对话中没有提到。",
}


def refusal(language: str) -> str:
    """Return the sentence of a refusal in a language; English where we have none."""
    return REFUSALS.get(language, REFUSALS["en"])


def refused(language: str, reader: str) -> Answer:
    """Return the answer of a local reader that refuses."""
    text = refusal(language)
    return Answer(text, sentences=(Sentence(text),), refused=True, reader=reader)


def is_refusal(text: str) -> bool:
    """Whether a text says nothing, or the sentence of a refusal in any language.

    >>> is_refusal("not mentioned in the conversation"), is_refusal("Not in Porto.")
    (True, False)
    """
    said = text.strip().strip(".。\"'").casefold()
    return not said or any(r.rstrip(".。").casefold() in said for r in REFUSALS.values())
