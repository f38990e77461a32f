"""What reads a question to a memory: the memory's own words where the annotator can learn them."""

from __future__ import annotations

from memcore.seams import Annotator, LearningAnnotator, Parts
from memcore.types import Memory


def question_annotator(memory: Memory, parts: Parts) -> Annotator:
    """Return an annotator that gives a question the keys under which the memory holds its words."""
    annotator = parts.annotator
    if isinstance(annotator, LearningAnnotator):
        return annotator.learned(memory.conversation.turns, memory.annotations)
    return annotator
