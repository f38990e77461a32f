"""What the exports of assistants share: words among parts, thoughts, calls and their output."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcore.transcripts.codes import Skip
from memcore.transcripts.json_text import BadRecordError, Fields, Json
from memcore.transcripts.notes import Notes
from memcore.types import Attachment

_THOUGHTS = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.IGNORECASE)
WORDS = frozenset({"text", "input_text", "output_text", "refusal"})
CALLS = frozenset({"tool_use", "tool_call", "function_call", "server_tool_use", "mcp_tool_use"})
OUTPUTS = frozenset(
    {"tool_result", "function_call_output", "web_search_tool_result", "mcp_tool_result"}
)
THINKING = frozenset({"thinking", "redacted_thinking", "reasoning", "thoughts"})


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a message, what was sent beside them, and why it is no turn without words."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    without: Skip | None = None


def without_thoughts(text: str, notes: Notes) -> str:
    """Return an assistant's words without the thoughts that open them."""
    found = _THOUGHTS.match(text)
    if not found:
        return text
    notes.part(Skip.THINKING)
    return text[found.end() :]


def reason_of(kind: str) -> Skip | None:
    """Return why a part of that type is no words; None for words and for media."""
    if kind in CALLS:
        return Skip.TOOL_CALL
    if kind in OUTPUTS:
        return Skip.TOOL_OUTPUT
    return Skip.THINKING if kind in THINKING else None


def said(content: Json, notes: Notes, joint: str = "\n") -> Said:
    """Return what a text, or a list of typed parts, says.

    Raises:
        BadRecordError: if it is neither.
    """
    if content is None:
        return Said("")
    if isinstance(content, str):
        return Said(content)
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        msg = "its content is neither a text nor a list of parts"
        raise BadRecordError(msg)
    words: list[str] = []
    media: list[Attachment] = []
    dropped: list[Skip] = []
    for part in content:
        _part(part, words, media, dropped)
    if any(w.strip() for w in words):
        for reason in dropped:
            notes.part(reason)
        return Said(joint.join(words), tuple(media))
    return Said("", tuple(media), _heaviest(dropped) or (Skip.MEDIA_ONLY if media else None))


def _part(part: Json, words: list[str], media: list[Attachment], dropped: list[Skip]) -> None:
    if isinstance(part, str):
        words.append(part)
        return
    if not isinstance(part, dict):
        return
    record = Fields(part)
    kind = str(record.value("type") or "text")
    text = record.value("text") or record.value("refusal")
    reason = reason_of(kind)
    if reason is not None:
        dropped.append(reason)
    elif kind in WORDS and isinstance(text, str):
        words.append(text)
    else:
        media.append(Attachment("", kind.removesuffix("_url")))


def _heaviest(dropped: list[Skip]) -> Skip | None:
    order = (Skip.TOOL_CALL, Skip.TOOL_OUTPUT, Skip.THINKING)
    return next((reason for reason in order if reason in dropped), None)
