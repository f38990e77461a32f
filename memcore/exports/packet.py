"""The packet of a run as text: what was sent to the reader, to the letter."""

from __future__ import annotations

from memcore.store.records import Records


def packet(records: Records) -> str:
    """Return the request as a model got it, else the packet that the local reader read."""
    text = records.run.prompt or records.run.packet
    return text if text.endswith("\n") else f"{text}\n"
