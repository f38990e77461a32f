from __future__ import annotations

import numpy as np

from memcore.embedders.in_context import in_context
from tests.parts import FunctionTokenEmbedder
from tests.retrieval.small import talk

TALK = talk("Ann: tea dog\nBob: milk", "Ann: cat")


class Recording:
    """A token embedder that keeps what it was given, and reads at most so many pieces of a text."""

    name = "recording"

    def __init__(self, most: int = 100) -> None:
        self.most, self.given = most, []
        self.one = FunctionTokenEmbedder(lambda word: (1.0, float(len(word))))

    def encode_tokens(self, texts, /):
        self.given.append(tuple(texts))
        return tuple(rows[: self.most] for rows in self.one.encode_tokens(texts))

    def pieces(self, texts, /):
        return self.one.pieces(texts)


def test_a_turn_is_read_after_the_turn_before_of_its_session():
    embedder = Recording()
    in_context(TALK.turns, embedder)
    assert embedder.given[0] == ("Ann: tea dog", "Ann: tea dog\nBob: milk", "Ann: cat")


def test_only_the_turns_own_tokens_are_kept():
    embedder = Recording()
    found = in_context(TALK.turns, embedder)
    assert [len(rows) for rows in found] == [2, 1, 1]
    assert np.array_equal(found[1], embedder.one.encode_tokens(["milk"])[0])


def test_a_turn_too_long_with_its_context_is_read_alone():
    embedder = Recording(most=3)
    found = in_context(TALK.turns, embedder)
    assert embedder.given[1] == ("milk",)
    assert [len(rows) for rows in found] == [2, 1, 1]
