"""Words of the page Ask, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "ask.title": "Ask the memory",
    "ask.purpose": "Type a question or take one that came with the dialogue; the evidence is cited.",
    "ask.question": "Question",
    "ask.placeholder": "Where did … live before …?",
    "ask.known": "Questions of this dialogue",
    "ask.pick": "choose one, or type below",
    "ask.gold_count.one": "{n} gold turn",
    "ask.gold_count.other": "{n} gold turns",
    "ask.gold_count": "{n} gold turns",
    "ask.unanswerable": "Not answerable from this dialogue.",
    "ask.ask": "Ask",
    "ask.retrieve": "Retrieve only",
    "ask.again": "Ask again",
    "ask.answer": "Answer",
    "ask.by": "{reader} · {retriever} · preset {preset}",
    "ask.as_of": "as of D{session}",
    "ask.no_answer": "Retrieved only; no reader was asked.",
    "ask.step": "Step through this answer",
    "ask.evidence": "Evidence",
    "ask.why": "because {why}",
    "ask.uncited": "uncited",
    "ask.absent": "The reader cited {ids}, which were not in the packet.",
    "ask.near": "Also considered",
    "ask.packet": "Packet as sent",
    "ask.prompt": "Prompt as sent",
    "ask.suggest": "Try one of these",
    "ask.empty": "Build the memories of a dialogue first.",
    "ask.stored": "This question was asked before with the same memory and settings: run {run}.",
    "ask.unmatched": "The memory holds nothing on: {keys}.",
    "ask.replaced": "Before: {words} ({date})",
    "ask.by_evolution": "from the evolution graph",
    "ask.open": "Open {id}",
    "ask.gold_answer": "Expected answer",
    "ask.tokens": "{tokens} tokens ({how})",
    "ask.estimated": "≈ estimated",
    "ask.counted": "counted",
    "ask.time": "{ms} ms",
    "ask.about": "What do we know about {name}?",
    "ask.working": "Retrieving",
    "warning.other_subject": (
        "The question is about {subject}, but the best evidence was said by or about others."
    ),
    "warning.unknown_name": "The question names something that the memory never mentions.",
    "warning.below_floor": "The best evidence scores below the floor set for an answer.",
    "warning.nothing_found": "Nothing in the memory matches this question.",
    "warning.over_budget": "Some evidence does not fit the budget; see the cut line in Step.",
    "warning.reader_failed": "The reader failed: {message} The retrieval stands; try the local reader.",
    "warning.not_built": "This memory is not built yet; build it on the Start page.",
}

CHINESE: Final[Mapping[str, str]] = {}
