"""Where an English turn speaks of what is to come: the stretches ruled by a verb of the present.

"I start on 5 February" means the next one, "I started on 5 February" the last. The tags that the
recogniser's pipeline gives anyway decide it; a parse was turned down, since it triples the time of
an annotation, and a list of past forms, since English has too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ENDS: Final = frozenset(".!?;\n…")
_PRESENT: Final = frozenset({"VBZ", "VBP"})
_COMING: Final = frozenset({"will", "'ll", "’ll", "shall", "can", "may", "must", "should", "wo"})
_RULING: Final = _PRESENT | {"VBD", "MD"}
_POINTING: Final = frozenset({"here", "this", "that", "these", "those"})
"""Before "is" they show a thing, mostly a photo: "here's us in June" is past."""
_LOOKING_BACK: Final = frozenset(
    ["remember", "recall", "miss", "love", "like", "know", "think", "mean", "look", "remind", "say"]
)
"""Verbs whose present says nothing about the date beside them."""
_HELPERS: Final = 3
"""Words after a helping verb among which its participle stands."""


def coming(doc: Doc) -> tuple[tuple[int, int], ...]:
    """Return the stretches of the text, as characters, whose verb is of the present or future.

    A stretch runs from its verb to the next ruling verb or the end of the sentence; the first of
    a sentence also has the words before it.
    """
    return tuple(
        (first, last)
        for sentence in _sentences(doc)
        for first, last, verb in _stretches(sentence)
        if _comes(verb)
    )


def _sentences(doc: Doc) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for token in doc:
        sentence.append(token)
        if not _ENDS.isdisjoint(token.text) and not any(c.isalnum() for c in token.text):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _stretches(sentence: list[Token]) -> Iterator[tuple[int, int, Token]]:
    verbs = [t for t in sentence if t.tag_ in _RULING or _is_reduced(t)]
    if not verbs:
        return
    start, end = sentence[0].idx, sentence[-1].idx + len(sentence[-1])
    edges = [start, *(v.idx for v in verbs[1:]), end]
    for (first, last), verb in zip(pairwise(edges), verbs, strict=True):
        yield first, last, verb


def _is_reduced(token: Token) -> bool:
    """Whether a participle stands for a clause of its own: "a photo taken in June"."""
    before = token.doc[max(0, token.i - _HELPERS) : token.i]
    return token.tag_ == "VBN" and not any(t.pos_ == "AUX" or t.tag_ in _RULING for t in before)


def _comes(verb: Token) -> bool:
    if verb.tag_ == "MD":
        return verb.lower_ in _COMING
    if verb.tag_ not in _PRESENT or verb.lemma_ in _LOOKING_BACK:
        return False
    before = verb.nbor(-1).lower_ if verb.i else ""
    return not (before in _POINTING and verb.lemma_ == "be") and not _is_perfect(verb)


def _is_perfect(verb: Token) -> bool:
    after = verb.doc[verb.i + 1 : verb.i + 1 + _HELPERS]
    has = verb.lemma_ == "have" or verb.lower_ in {"'ve", "’ve", "'s", "’s"}
    return has and any(
        t.tag_ == "VBN" and (verb.lemma_ == "have" or t.lower_ == "been") for t in after
    )
