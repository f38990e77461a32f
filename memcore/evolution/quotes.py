"""What cannot be attributed safely, kept in the turn's own words: `Ana said: "They tanked."`.

A clause whose subject is a pronoun without a clear owner, or that nobody is the subject of, would
be a guess in the third person. It is kept as a quote instead of being guessed or left out: a quote
claims nothing but that it was said. Its subject is the speaker and its attribute `say`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution.attributes import Fact
from memcore.evolution.changes import SAY
from memcore.evolution.clauses import Clause
from memcore.evolution.pieces import Piece, Wording
from memcore.evolution.pronouns import Scene

_OPEN: Final = frozenset(
    "he she they him her his hers their theirs them it its this that these those there".split()  # noqa: SIM905 - a word list
)
_END: Final = re.compile(r"[.!?,](?='$)")
_MARKS: Final = " ,;:-–—.!?…"


def unsafe(clause: Clause, wording: Wording, scene: Scene) -> bool:
    """Whether the third person would hide whom or what the clause is about."""
    mine = {t.i for t in clause.subject}
    pieces = [p for p in wording.pieces if p.token.i in mine]
    if any(_is_open(p) for p in pieces if p.token.tag_ != "EX" and not _relates(p, clause)):
        return True
    torn = bool(clause.subject) and clause.subject[-1].text == ","
    if torn or any(t.lower_ == "ourselves" for t in clause.tokens):
        return True
    named = any(name in wording.text for name in scene.names)
    return not named and any(t.dep_ == "csubj" or t.tag_ in {"EX", "VBG"} for t in clause.subject)


def _relates(piece: Piece, clause: Clause) -> bool:
    """Whether "that" goes on with a noun or opens one: "the film that I made", "that film"."""
    token = piece.token
    return token.tag_ == "WDT" and (token.dep_ == "det" or token.head.i != clause.head.i)


def _is_open(piece: Piece) -> bool:
    token = piece.token
    is_pronoun = token.tag_ in {"PRP", "PRP$"} or token.pos_ == "PRON"
    return is_pronoun and token.lower_ in _OPEN and piece.words == token.text


def words_of(tokens: Sequence[Token], sentence: Span) -> str:
    """Return the words as said, without marks at the ends; those of the sentence if they scatter."""
    places = [t.i for t in tokens]
    first, last = min(places), max(places)
    gaps = set(range(first, last + 1)) - set(places)
    doc = tokens[0].doc
    torn = any(not doc[n].is_punct and not doc[n].is_space for n in gaps)
    span = sentence if torn else doc[first : last + 1]
    words = " ".join(span.text.split()).strip(_MARKS)
    words = _END.sub("", words.replace('"', "'" if words.count('"') % 2 == 0 else ""))
    return f"{words[:1].upper()}{words[1:]}"


def quote(speaker: str, words: str, asked: str = "") -> str:
    """Return the sentence of a quote.

    >>> quote("Ana", "They tanked"), quote("Ana", "The red one", "Which one?")
    ('Ana said: "They tanked."', 'Ana, asked "Which one?", said: "The red one."')
    """
    before = f'{speaker}, asked "{asked}",' if asked else speaker
    return f'{before} said: "{words}."'


def fact_said(speaker: str, words: str) -> Fact:
    """Return the core of a quote: who said what."""
    return Fact(speaker.casefold(), SAY, words.casefold())
