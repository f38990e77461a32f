"""The packet of a run as text: what was sent to the reader, to the letter.

A whole packet is the text and nothing beside it, so that it can be sent again; one that was cut
is no longer what was sent, and says so in its first lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from memcore.exports.choice import About
from memcore.store.records import Records


def packet(records: Records, about: Sequence[About] = ()) -> str:
    """Return the request as a model got it, else the packet that the local reader read."""
    text = records.run.prompt or records.run.packet
    head = "".join(f"# {a.name}: {a.value}\n" for a in about)
    return head + (text if text.endswith("\n") else f"{text}\n")
