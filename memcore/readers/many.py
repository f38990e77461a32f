"""Whether a question asks for several things: "What books has Ana read?", "Where has she camped?".

The parse of the question decides: the noun after "what" or "which" stands in the plural, or there
is no such noun and the question asks what somebody has done in all the time up to now. A singular
noun asks for one. Turned down: every question in the present ("What does Ana do to relax?"), of
which as many have one answer as several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memcore.types import QuestionType

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_NOUN: Final = frozenset({"what", "which"})
_OPENS: Final = 4
"""The question word is among so many first words."""
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_ONCE: Final = frozenset({"recently", "last", "just"})
"""Words that ask for one time out of all."""
_OPEN_KINDS: Final = frozenset({QuestionType.OTHER, QuestionType.WHO, QuestionType.WHERE})


def asks_many(kind: QuestionType, question: Doc) -> bool:
    """Return whether a parsed English question asks for several things."""
    if kind is QuestionType.LIST:
        return True
    if kind not in _OPEN_KINDS:
        return False
    words = list(question)
    asking = next((t for t in words[:_OPENS] if t.lower_ in _NOUN), None)
    if asking is not None and asking.dep_ == "det":
        return asking.head.tag_ in _PLURAL
    return _are_several(words, asking) or _has_done(words)


def _are_several(words: list[Token], asking: Token | None) -> bool:
    """Whether it asks what several things are: "What are her hobbies?"."""
    if asking is None or asking.i + 1 >= len(words):
        return False
    after = words[asking.i + 1 :]
    named = any(t.tag_ in _PLURAL and t.dep_ in {"nsubj", "attr"} for t in after)
    return after[0].lower_ in {"are", "were"} and named


def _has_done(words: list[Token]) -> bool:
    """Whether it asks what somebody has done so far, as far as it is told."""
    if any(t.lower_ in _ONCE for t in words):
        return False
    return any(
        t.lower_ in {"has", "have"}
        and t.dep_ == "aux"
        and t.head.tag_ == "VBN"
        and t.head.lemma_ != "be"
        for t in words
    )
