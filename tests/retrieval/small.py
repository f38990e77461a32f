"""Small conversations that a person can check by hand, and an annotator as simple as they are."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import strategies as st

from memcore.hypergraph.build import hypergraph
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import (
    AnchorKind,
    Annotation,
    Conversation,
    EvolutionGraph,
    Grain,
    Interval,
    Memory,
    Mention,
    SaidTime,
    Session,
    TimeExpression,
    Turn,
    TurnId,
)
from tests.parts import FunctionAnnotator, FunctionEmbedder, FunctionExtractor, SilentReader

FIRST = datetime(2023, 5, 8, 12, tzinfo=UTC)
SPEAKERS = ("Ann", "Bob")
WORDS = ("tea", "milk", "dog", "cat", "Porto", "Lisbon", "?", "@2023-05-08", "@2023-06-01")


def day(text: str) -> Interval:
    start = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return Interval(start, start + timedelta(days=1), Grain.DAY)


def annotation(turn: Turn) -> Annotation:
    """Small words are lexical keys, capital words entities, @2023-05-08 is a time."""
    mentions, times = [], []
    for found in re.finditer(r"@?[\w-]+", turn.content):
        word, (start, end) = found[0], found.span()
        if word.startswith("@"):
            times.append(TimeExpression(start, end, day(word[1:])))
        elif word not in SPEAKERS:
            kind = AnchorKind.ENTITY if word[0].isupper() else AnchorKind.LEXICAL
            mentions.append(Mention(start, end, kind, word.casefold()))
    return Annotation(turn.id, tuple(mentions), tuple(times))


def talk(*sessions: str) -> Conversation:
    """One session a text, one turn a line "Ann: words"; sessions are 30 days apart."""
    made = []
    for s, text in enumerate(sessions, 1):
        said = SaidTime(FIRST + timedelta(days=30 * (s - 1)))
        lines = (line.strip().partition(": ") for line in text.strip().split("\n"))
        turns = (
            Turn(TurnId(s, t), who, words, said=said) for t, (who, _, words) in enumerate(lines, 1)
        )
        made.append(Session(s, tuple(turns), said))
    return Conversation("talk", tuple(made))


PARTS = Parts(
    FunctionEmbedder(lambda text: (1.0 + text.count("tea"), 1.0 + text.count("dog"))),
    FunctionAnnotator(annotation),
    FunctionExtractor(lambda turns: ()),
    SilentReader(),
)
ALL_KEYS = Settings(key_share=1.0)


def remembered(conversation: Conversation) -> Memory:
    notes = PARTS.annotator.annotate(conversation.turns)
    vectors = PARTS.embedder.encode([t.content for t in conversation.turns])
    return Memory(
        conversation,
        notes,
        hypergraph(conversation, notes),
        EvolutionGraph(),
        np.zeros((0, 2), np.float32),
        vectors,
        PARTS.embedder.name,
    )


lines = st.builds(
    lambda who, words: f"{who}: {' '.join(words)}",
    st.sampled_from(SPEAKERS),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
)
conversations = st.lists(
    st.lists(lines, min_size=1, max_size=7).map("\n".join), min_size=1, max_size=5
).map(lambda sessions: talk(*sessions))
questions = st.lists(st.sampled_from((*WORDS, *SPEAKERS, "zebra")), max_size=5).map(" ".join)
EMPTY = Conversation("empty", ())
