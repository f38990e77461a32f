"""Small random conversations with both memories, for what must hold of every retriever.

The annotator is that of tests/retrieval/small.py; a fact is a turn's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memcore.evolution.build import evolution
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.types import AnchorKind, Conversation, Entry, EntryId, Memory, Turn
from tests.parts import FunctionAnnotator, FunctionEmbedder, FunctionExtractor, SilentReader
from tests.retrieval import small

talk = small.talk
WORDS = ("tea", "milk", "dog", "cat", "porto", "lisbon")


def vector(text: str) -> tuple[float, ...]:
    """How often each word is said, beside a small constant: no text is at right angles to all."""
    words = text.casefold().split()
    return (0.3, *(float(words.count(word)) for word in WORDS))


def facts(turns: Sequence[Turn]) -> list[Entry]:
    """One entry a turn that says more than one word; what it names are its entities."""
    told = [t for t in turns if len(t.text.split()) > 1]
    return [_fact(n, turn) for n, turn in enumerate(told, 1)]


def _fact(n: int, turn: Turn) -> Entry:
    note = small.annotation(turn)
    names = tuple(sorted({m.key for m in note.mentions if m.kind is AnchorKind.ENTITY}))
    return Entry(
        EntryId(n),
        f"{turn.speaker} says {turn.text}",
        (turn.id,),
        keywords=tuple(sorted(set(turn.text.casefold().split()))),
        persons=(turn.speaker.casefold(),),
        entities=names,
        time=note.times[0].interval if note.times else None,
        said_at=turn.said_at,
        subject=turn.speaker,
    )


PARTS = Parts(
    FunctionEmbedder(vector),
    FunctionAnnotator(small.annotation),
    FunctionExtractor(facts),
    SilentReader(),
)


def remembered(conversation: Conversation) -> Memory:
    """Both memories of a conversation, under the default settings."""
    half = small.remembered(conversation)
    rows = PARTS.embedder.encode([t.content for t in conversation.turns])
    graph, vectors = evolution(conversation, half.annotations, rows, PARTS, SAFE)
    return replace(half, evolution=graph, vectors=vectors, turn_vectors=rows)
