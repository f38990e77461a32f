"""Short stretches of an English sentence that may answer a question, each with a plain score.

Chosen: complements of verbs and prepositions by the parser, better the nearer they hang to a word
of the question and the less they repeat it. All numbers were set on dialogues with known evidence
and are few on purpose. Turned down: an answer model, since no package carries weights for one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memcore.annotate.keys import STOP_WORDS, stem
from memcore.annotate.pipelines import english_parser
from memcore.readers.asked import Wish
from memcore.readers.evidence import Piece
from memcore.types import Query, QuestionType

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ROLES: Final[Mapping[str, float]] = {
    "dobj": 2.0,
    "attr": 2.0,
    "oprd": 1.5,
    "pobj": 1.2,
    "acomp": 1.2,
    "xcomp": 1.2,
    "appos": 1.2,
    "pcomp": 1.0,
    "dative": 0.8,
    "conj": 0.6,
    "nsubjpass": 0.5,
    "ccomp": 0.4,
    "ROOT": 0.3,
    "prep": 0.3,
    "advcl": 0.3,
    "nsubj": 0.2,
}
"""What a word's place in the sentence is worth: objects answer, subjects repeat the question."""

_OF_ASKED: Final = 1.5
"""The phrase hangs on a word of the question."""
_NEAR_ASKED: Final = 0.7
"""It hangs one step further."""
_REPEATS: Final = -1.0
_AWAY: Final = -0.1
_AFTER: Final = 0.4
_NEW_WORD: Final = 0.3
_NEW_WORDS: Final = 4
_FEELING: Final = 1.5
_PROPER: Final = 0.6
_DATED: Final = -1.0
_DATE_KNOWN: Final = -3.0
_PLACED: Final = 1.0
_PLACE_WORDS: Final = frozenset(
    ["in", "at", "to", "from", "near", "into", "above", "over", "inside", "on"]
)
_DOER: Final = 4.0
_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 12
_TITLE_ASKED: Final = 6.0
_TITLE_SAID: Final = 2.5
_TITLE: Final = re.compile(r'["“]([^"”]{2,60})["”]')
_TITLED_STEMS: Final = "movi film song show seri game titl call name band album poem play book say"
_TITLED: Final = frozenset(_TITLED_STEMS.split())
_FEELS: Final = re.compile(r"\bfeel|^how (?:is|was|are|were|did)\b", re.IGNORECASE)
_NO_HEAD: Final = frozenset({"PRON", "PUNCT", "DET", "AUX", "INTJ"})
_NO_START: Final = frozenset({"DET", "PUNCT", "CCONJ", "SCONJ"})
_NO_END: Final = frozenset({"PUNCT", "CCONJ", "ADP"})
_OPENING: Final = re.compile(r"^(?:photo|picture|image|pic) of (?:an? |the )?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of a sentence and how well it answers."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a phrase is held against: `keys` of the question, the stems of all its `words`."""

    query: Query
    keys: frozenset[str]
    words: frozenset[str]
    subject: bool


def phrases(wish: Wish, pieces: Sequence[Piece]) -> tuple[tuple[Phrase, ...], ...]:
    """Return the phrases of each sentence, best first; none where it only repeats the question.

    All are parsed in one call.
    """
    query = wish.query
    keys = frozenset(k for m in query.mentions for k in m.key.split())
    words = keys | {stem(w) for w in _WORD.findall(query.text)}
    asked = _Asked(query, keys, words, wish.subject)
    docs = english_parser().pipe([p.text for p in pieces])
    return tuple(
        tuple(
            sorted(
                (*_titles(query, piece, keys), *_complements(asked, doc)),
                key=lambda p: (-p.score, p.text),
            )
        )
        for piece, doc in zip(pieces, docs, strict=True)
    )


def _titles(query: Query, piece: Piece, asked: frozenset[str]) -> Iterator[Phrase]:
    worth = _TITLE_ASKED if asked & _TITLED else _TITLE_SAID
    for found in _TITLE.finditer(piece.text):
        if found[1].casefold() not in query.text.casefold():
            yield Phrase(found[1].strip(".,!"), worth)


def _complements(asked: _Asked, doc: Doc) -> Iterator[Phrase]:
    shared = frozenset(t.i for t in doc if _key(t) in asked.keys)
    for head in doc:
        if head.dep_ not in _ROLES or head.pos_ in _NO_HEAD:
            continue
        doer = asked.subject and _is_doer(head, shared)
        words = _phrase(head, doer=doer)
        content = [t for t in words if t.like_num or (t.is_alpha and not t.is_stop)]
        new = [t for t in content if _key(t) not in asked.words and t.lower_ not in STOP_WORDS]
        if _may_answer(asked.query, head, words, new):
            repeats = 1 - len(new) / len(content)
            own = _own(asked.query, head, words, len(new)) + _DOER * doer
            score = _hanging(head, shared) + own + _REPEATS * repeats
            text = doc[words[0].i : words[-1].i + 1].text
            yield Phrase(_OPENING.sub("", text), round(score, 6))


def _may_answer(query: Query, head: Token, words: list[Token], new: list[Token]) -> bool:
    """Whether the words can stand as an answer: short, new, a place if one is asked for."""
    if not new or len(words) > _LONGEST:
        return False
    if query.kind is QuestionType.WHERE:
        return _is_place(head) or any(t.pos_ == "PROPN" for t in new)
    return query.interval is None or any(t.is_alpha for t in new)


def _is_doer(head: Token, shared: frozenset[int]) -> bool:
    """Whether the word does what the question's verb says: its subject, or "the boat lying there"."""
    if head.dep_ in {"nsubj", "nsubjpass"} and head.head.i in shared:
        return True
    return any(c.i in shared and c.dep_ in {"acl", "relcl"} for c in head.children)


def _key(token: Token) -> str:
    return stem(token.lemma_.strip("'’-"))


def _hanging(head: Token, shared: frozenset[int]) -> float:
    """Return what the phrase's place beside the words of the question is worth."""
    if not shared:
        return 0.0
    above = head.head
    return math.fsum(
        (
            _OF_ASKED * (above.i in shared),
            _NEAR_ASKED * (above.head.i in shared),
            _AWAY * min(abs(head.i - i) for i in shared),
            _AFTER * any(head.i > i for i in shared),
        )
    )


def _own(query: Query, head: Token, words: list[Token], new: int) -> float:
    feeling = head.pos_ == "ADJ" and _FEELS.search(query.text)
    proper = query.kind in {QuestionType.WHO, QuestionType.WHERE} and any(
        t.pos_ == "PROPN" for t in words
    )
    return math.fsum(
        (
            _ROLES[head.dep_],
            _NEW_WORD * min(new, _NEW_WORDS),
            _FEELING * bool(feeling),
            _PROPER * proper,
            (_DATE_KNOWN if query.interval else _DATED) * _is_dated(head, words),
            _PLACED * (query.kind is QuestionType.WHERE and _is_place(head)),
        )
    )


def _is_dated(head: Token, words: list[Token]) -> bool:
    dated = [t.ent_type_ in {"DATE", "TIME"} for t in words if t.is_alpha or t.like_num]
    return head.ent_type_ in {"DATE", "TIME"} or (head.pos_ == "ADP" and all(dated[1:]))


def _is_place(head: Token) -> bool:
    """Whether the phrase is a place by its name, or stands after a preposition of place."""
    named = head.ent_type_ in {"GPE", "LOC", "FAC", "ORG"}
    after = head.dep_ == "pobj" and head.head.lower_ in _PLACE_WORDS
    return named or after or (head.dep_ == "prep" and head.lower_ in _PLACE_WORDS)


def _phrase(head: Token, *, doer: bool = False) -> list[Token]:
    """Return the words around the head that belong to it, without clauses and edges."""
    outside = {
        t.i
        for child in head.children
        if child.dep_ in {"relcl", "punct", "advcl", "parataxis"} or (doer and child.dep_ == "acl")
        for t in child.subtree
    }
    inside = {t.i for t in head.subtree} - outside
    start = end = head.i
    while start - 1 in inside:
        start -= 1
    while end + 1 in inside:
        end += 1
    words = list(head.doc[start : end + 1])
    while words and (words[0].pos_ in _NO_START or words[0].dep_ in {"mark", "cc", "poss"}):
        words.pop(0)
    while words and words[-1].pos_ in _NO_END:
        words.pop()
    return words
