"""What a clause names, so that a later pronoun can mean it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution.clauses import is_time, subject_of
from memcore.evolution.pieces import Piece, joined
from memcore.evolution.pronouns import (
    Kind,
    Scene,
    company,
    kind_of,
    names_person,
)
from memcore.evolution.references import ME

_PERSONS_UNNAMED: Final = frozenset(
    [
        "people",
        "folk",
        "folks",
        "guys",
        "everyone",
        "everybody",
        "someone",
        "somebody",
        "others",
        "person",
    ]
)
_LONGEST_THING: Final = 6
_LABELS: Final = frozenset(
    {"name", "title", "kind", "type", "sort", "power", "chance", "sense", "feeling"}
)
_DEGREES: Final = frozenset({"quite", "such", "what"})
"""With these a noun names or values a thing, and "it" does not mean the label."""


def notice(chunk: Span, scene: Scene, pieces: Sequence[Piece]) -> None:
    """Remember whom or what a noun chunk names, and whom "we" means from here on."""
    head = chunk.root
    if head.lower_ in _PERSONS_UNNAMED and head.dep_ != "nsubj":
        scene.leave_open(Kind.THEY)
    for owner in (t for t in chunk if t.dep_ == "poss" and t.pos_ in {"NOUN", "PROPN"}):
        _notice_noun(owner, scene, pieces)
    if head.pos_ == "PRON":
        _notice_pair(head, scene, pieces)
        return
    words = _notice_noun(head, scene, pieces)
    _notice_list(head, scene, pieces)
    _notice_pair(head, scene, pieces)
    if company(head) and head.dep_ == "pobj" and head.head.lower_ == "with" and _first_person(head):
        scene.group = f"{scene.speaker} and {words}"


def _notice_noun(head: Token, scene: Scene, pieces: Sequence[Piece]) -> str:
    inside = [t for t in head.subtree if t.i <= head.i or t.dep_ == "appos"]
    wanted = {t.i for t in inside}
    words = _uncapped(inside[0], joined(p for p in pieces if p.token.i in wanted))
    named = head.dep_ == "appos" and names_person(head)
    first = head.head if named else head
    kind = kind_of(first)
    if first.dep_ == "ROOT" and first.pos_ == "NOUN":
        return words
    if first.lemma_ in _LABELS or inside[0].lower_ in _DEGREES | {"each"}:
        return words
    if any(t.dep_ == "poss" and is_time(t) for t in first.children):
        return words
    if any(p.token.tag_ == "PRP$" and p.words == p.token.text for p in pieces if p.token in inside):
        return words
    if kind is not None and not _is_role(first, kind):
        weight = _weight(first, kind) + named
        scene.notice(_definite(words, kind, len(inside)), kind, weight)
    return words


def _uncapped(first: Token, words: str) -> str:
    """The words as they stand inside a sentence."""
    opens = (
        first.is_sent_start and first.pos_ not in {"PROPN", "PRON"} and words.startswith(first.text)
    )
    return words[:1].lower() + words[1:] if opens else words


def _notice_list(head: Token, scene: Scene, pieces: Sequence[Piece]) -> None:
    """The last of "Tom and Eva": both are "they" from here on."""
    first = head
    while first.dep_ == "conj" and first.head.pos_ in {"NOUN", "PROPN"}:
        first = first.head
    if first.i == head.i or any(t.dep_ == "conj" for t in head.children):
        return
    kinds = {kind_of(first), kind_of(head)}
    wanted = {t.i for t in first.subtree if t.i <= head.i}
    if kinds <= {Kind.SHE, Kind.HE, Kind.PERSON, Kind.PET}:
        scene.notice(joined(p for p in pieces if p.token.i in wanted), Kind.THEY, 3)


def _is_role(head: Token, kind: Kind) -> bool:
    """Whether the noun says what somebody is, and names nobody new."""
    said_of = head.dep_ in {"attr", "acomp", "oprd"} or head.head.lower_ in {"as", "like"}
    of = subject_of(head.head)
    return said_of and (kind is not Kind.IT or (of is not None and of.pos_ == "PRON"))


def _notice_pair(head: Token, scene: Scene, pieces: Sequence[Piece]) -> None:
    """Let "my sister and I" be whom "we" means from here on."""
    first = head.head if head.dep_ == "conj" else head
    pair = [first, *(t for t in first.children if t.dep_ == "conj")]
    if len(pair) > 1 and any(t.lower_ in ME for t in pair):
        seen = {t.i for part in pair for t in part.subtree}
        words = joined(p for p in pieces if p.token.i in seen)
        if all(any(p.token.i == t.i for p in pieces) for t in pair):
            scene.group = words


def _first_person(head: Token) -> bool:
    verb = head.head.head
    subject = subject_of(verb)
    return subject is None or subject.lower_ in {"i", "we"}


def _definite(words: str, kind: Kind, length: int) -> str:
    if kind is Kind.IT and length > _LONGEST_THING:
        return ""
    first, _, rest = words.partition(" ")
    if first.lower() in {"a", "an", "this", "that", "some", "another", "any"} and rest:
        return f"the {rest}"
    return words if first != "The" else f"the {rest}"


def _weight(head: Token, kind: Kind) -> int:
    if kind is Kind.IT:
        return {"dobj": 3, "nsubj": 2, "attr": 2, "nsubjpass": 2}.get(head.dep_, 1)
    return {"nsubj": 3, "nsubjpass": 3, "dobj": 2, "attr": 2}.get(head.dep_, 1)
