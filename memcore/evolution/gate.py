"""The redundancy gate (Eq. 2-3): turns that only say again what was just said give no entry.

The time of an entry is here the last time at which it was said, not the time it speaks of:
Eq. 3 asks whether somebody repeats himself within the hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np

from memcore.scoring import Scores
from memcore.settings import Settings
from memcore.types import Drop, EntryId, Reason, Turn

_QUESTION: Final = re.compile(r"[?？]|[吗呢][。.!！~～\s]*$")


def hours_between(one: datetime | None, other: datetime | None) -> float | None:
    """Return the hours between two moments, at least 0, or None if either is unknown."""
    if one is None or other is None:
        return None
    return abs((one - other).total_seconds()) / 3600


def is_hashing(embedder: str) -> bool:
    """Whether an embedder, by name, only hashes words and so has limits of its own."""
    return embedder.startswith("hashing")


def gate_limit(settings: Settings, embedder: str) -> float:
    """Return lambda_red for the vectors of an embedder."""
    return settings.hashing_gate_similarity if is_hashing(embedder) else settings.gate_similarity


def redundant(similarity: float, hours: float | None, limit: float, near: float) -> bool:
    """Whether Eq. 3 drops the turn: more similar than the limit, and nearer than `near` hours.

    Both comparisons are strict, and an unknown time keeps the turn.
    """
    return similarity > limit and hours is not None and hours < near


def answers(turn: Turn, before: Turn | None) -> bool:
    """Whether a turn follows a question that somebody else asked in the turn before."""
    return (
        before is not None
        and before.speaker != turn.speaker
        and before.id.session == turn.id.session
        and bool(_QUESTION.search(before.text))
    )


@dataclass(frozen=True, slots=True)
class Stored:
    """What the gate compares with: the stored entries and when each was last said."""

    ids: tuple[EntryId, ...]
    said: tuple[datetime | None, ...]


def gated(
    turn: Turn, similarities: Scores, stored: Stored, limit: float, near: float
) -> Drop | None:
    """Return why a turn is redundant, or None if it is kept.

    `similarities` has one value a stored entry, rounded to 6 decimals; the earliest of equally
    similar entries is the partner.
    """
    if not stored.ids:
        return None
    place = int(np.argmax(similarities))
    similarity = float(similarities[place])
    if not redundant(similarity, hours_between(turn.said_at, stored.said[place]), limit, near):
        return None
    return Drop(turn.id, Reason.GATED, similarity, limit, other=stored.ids[place])
