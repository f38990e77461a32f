"""Which verbs of a clause change when their I or you becomes a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spacy.tokens import Token

from memcore.evolution.clauses import SUBJECTS, Clause, auxiliaries, subject_of
from memcore.evolution.pronouns import (
    Scene,
)
from memcore.evolution.references import YOU, is_anybody

_CAUSING: Final = frozenset({"let", "make", "help", "have", "see", "hear", "watch"})


def is_gotta(token: Token) -> bool:
    """Whether "got" is that of "gotta": a need, and nothing that was got."""
    if token.lower_ != "got" or token.i + 1 == len(token.doc):
        return False
    return token.nbor(1).lower_ == "ta" and not token.whitespace_


def agreeing(clause: Clause, scene: Scene) -> frozenset[int]:
    """The verbs that change when their I or you becomes a name."""
    found: set[int] = set()
    heads = [clause.head, *(t for t in clause.tokens if t.i != clause.head.i)]
    if clause.elided and clause.tokens[0].tag_ == "VBP":
        found.add(clause.tokens[0].i)
    for head in heads:
        subject = subject_of(head)
        if head.i == clause.head.i and clause.subject:
            subject = subject or next(
                (t for t in clause.subject if t.dep_ in SUBJECTS and t.head.i != head.i), None
            )
        if subject is not None and _singular(subject, scene) and not _caused(head):
            found.update(_governors(head))
    return frozenset(found)


def _caused(head: Token) -> bool:
    """Whether the verb stands bare after another: "let you know" does not agree with "you"."""
    if any(t.lower_ in {"let", "lets"} for t in head.doc[max(0, head.i - 2) : head.i]):
        return head.tag_ in {"VB", "VBP"}
    if head.dep_ not in {"ccomp", "xcomp"} or auxiliaries(head) or head.tag_ not in {"VB", "VBP"}:
        return False
    opened = any(t.dep_ == "mark" or t.tag_ in {"WRB", "WP", "WDT"} for t in head.children)
    return head.head.lemma_ in _CAUSING and not opened


def _singular(subject: Token, scene: Scene) -> bool:
    if any(t.dep_ == "conj" for t in subject.children):
        return False
    you = subject.lower_ in YOU and bool(scene.other) and not is_anybody(subject)
    return subject.lower_ == "i" or you


def _governors(head: Token) -> tuple[int, ...]:
    helpers = auxiliaries(head)
    mine = _governor(head, helpers)
    joined_verbs = (
        t
        for t in head.children
        if t.dep_ == "conj" and subject_of(t) is None and t.tag_ == "VBP" and not auxiliaries(t)
    )
    return (*mine, *(t.i for t in joined_verbs))


def _governor(head: Token, helpers: Sequence[Token]) -> tuple[int, ...]:
    if any(t.tag_ == "MD" or (t.tag_ == "TO" and t.head.i == head.i) for t in helpers[:1]):
        return ()
    first = helpers[0] if helpers else head
    if is_gotta(first):
        return (first.i,)
    if first.lower_ in {"did", "had", "'d", "could", "would", "used"} or first.tag_ in {
        "VBZ",
        "MD",
    }:
        return ()
    if first.lower_ == "was" or (first.tag_ in {"VBD", "VBN"} and first.lower_ != "were"):
        return ()
    return (first.i,) if first.tag_ != "VBG" or helpers else ()
