"""Chinese turns to entries: jieba words and patterns, one entry a clause that states something."""

from __future__ import annotations

from collections.abc import Iterator

from memcore.evolution.pronouns import Scene
from memcore.types import Annotation, Entry, Turn


def entries(turn: Turn, annotation: Annotation, scene: Scene) -> Iterator[Entry]:
    """Yield what the turn states."""
    del turn, annotation, scene
    yield from ()
