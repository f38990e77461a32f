"""Words of the frame around every page, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "app.title": "memcore",
    "nav.understand": "Understand",
    "nav.debug": "Debug",
    "nav.share": "Share",
    "page.start": "Start",
    "page.memory": "Memory",
    "page.ask": "Ask",
    "page.step": "Step",
    "page.compare": "Compare",
    "page.what_if": "What-if",
    "frame.workspace": "Workspace {name}",
    "frame.dialogue": "Dialogue",
    "frame.dialogue_counts": "{sessions} sessions · {turns} turns · {questions} questions",
    "frame.no_dialogue": "No dialogue yet.",
    "frame.retriever": "Retriever",
    "frame.as_of": "As of session",
    "frame.gold": "Show known evidence (★)",
    "frame.copy_link": "Link to this view",
    "frame.go_start": "Go to Start",
    "frame.go_ask": "Ask a question",
    "frame.go_memory": "Look at the memory",
    "frame.clear": "Clear selection",
    "frame.selected": "Selected: {id}",
    "frame.preset": "preset {preset}",
    "frame.changed": "{name} {value} (preset: {base})",
    "frame.select": "Selected item",
    "frame.nothing": "nothing",
    "frame.legend": "Legend",
    "link.no_run": "Run {run} does not exist in this workspace; choose one of the stored runs.",
    "link.no_dialogue": "The link names a dialogue that this workspace does not hold.",
    "link.no_beat": "Run {run} has no beat {beat}; showing beat {shown}.",
    "link.no_selection": "The link selects {id}, which this dialogue does not hold.",
    "link.no_workspace": "The link is for another workspace; this one is open: {name}.",
    "link.bad_value": "The link holds {name}={value}, which cannot be read; it is left out.",
}

CHINESE: Final[Mapping[str, str]] = {}
