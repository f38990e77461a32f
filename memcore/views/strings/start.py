"""Words of the page Start, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "start.title": "See what your agent remembers, and why it answered that.",
    "start.sample": "Load the sample dialogue",
    "start.sample_zh": "Load the Chinese sample",
    "start.sample_note": "No key, no network: everything runs on this machine.",
    "start.upload": "Drop a dialogue",
    "start.upload_help": (
        "LoCoMo, LongMemEval, Name: text, or memcore's own JSON, up to 50 MB. "
        "Larger files: memcore import FILE."
    ),
    "start.format": "Format",
    "start.format_auto": "detected",
    "start.understood": "What I understood",
    "start.evidence": "{format}: {evidence}",
    "start.counts": "{sessions} sessions · {turns} turns · {speakers} speakers",
    "start.kept": (
        "{turns} turns kept · {skipped} records skipped · "
        "{questions} questions, {scoreable} with evidence"
    ),
    "start.times": "First {first} · last {last} · {missing} turns without a time",
    "start.no_time": "no date",
    "start.first_turns": "First and last turns",
    "start.skipped": "skipped",
    "start.warnings": "warning",
    "start.parts": "part dropped",
    "start.repairs": "repaired",
    "start.file": "File {name} · {encoding}",
    "start.open_dialogue": "Open dialogue",
    "count.what": "what",
    "count.name": "reason",
    "count.n": "count",
    "count.sentence": "meaning",
    "end.turn": "turn",
    "end.speaker": "speaker",
    "end.said": "said",
    "end.text": "text",
    "start.download_skipped": "Download the list of skipped records",
    "start.import": "Import this dialogue",
    "start.imported": "Imported {turns} new turns; {unchanged} were stored already.",
    "start.again": "Already stored: {unchanged} turns unchanged, {appended} appended.",
    "start.build": "Build memories",
    "start.build_help": "Both memories are built on this machine; a build can be stopped and resumed.",
    "start.preset": "AriadneMem preset",
    "start.building": "Building {name}",
    "start.build_done": "Both memories are built.",
    "start.build_failed": "The build stopped: {message}",
    "start.build_dead": "The build was interrupted; resume it, nothing is lost.",
    "start.resume": "Resume the build",
    "start.stop": "Stop the build",
    "start.built": "Memories of this dialogue are built.",
    "start.not_built": "No memory of this dialogue is built yet.",
    "start.partial": "Part of this file cannot be read. Import the rest?",
    "start.dialogues": "Dialogues in this workspace",
    "start.loading_models": "Loading language models (once)",
    "phase.row": "{phase}: {done} of {total}",
    "phase.annotate": "annotate turns",
    "phase.hypergraph": "tie anchors",
    "phase.turn_vectors": "embed turns",
    "phase.evolution": "evolve facts, session by session",
    "phase.complete": "complete",
}

CHINESE: Final[Mapping[str, str]] = {}
