"""A clause to the words of its restatement: third person, no contractions, pronouns resolved.

Each token becomes one piece, so that subject, value and time can be cut out of the same wording;
rewriting the text by regular expressions was turned down since it loses that alignment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from spacy.tokens import Token

from memcore.evolution.agreement import agreeing, is_gotta
from memcore.evolution.clauses import Clause, auxiliaries
from memcore.evolution.inflection import third_person
from memcore.evolution.noticing import notice
from memcore.evolution.pieces import Piece, Wording
from memcore.evolution.pronouns import (
    Kind,
    Scene,
)
from memcore.evolution.references import pronoun

_LONG: Final[Mapping[str, str]] = {
    "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "ca": "can", "wo": "will",
    "sha": "shall", "n't": "not", "gon": "going", "wan": "want", "na": "to", "got": "got",
    "ta": "to", "nt": "not", "im": "am", "dont": "do not", "cause": "because", "&": "and",
    "'em": "them", "w/": "with",
}  # fmt: skip
_WITH_OTHER: Final = frozenset(["both", "should", "shall", "you"])
_TALKING: Final = frozenset({"talk", "speak", "chat", "catch"})


def reword(clause: Clause, scene: Scene) -> Wording:
    """Return the clause in the third person; what it names is noticed in the scene."""
    page = clause.page
    changing = agreeing(clause, scene)
    pieces: list[Piece] = []
    together = _together(clause)
    previous: Token | None = None
    scene.clause += 1
    for token in (*(clause.subject if clause.shared else ()), *clause.tokens):
        words = token.text if token.i in page.quoted else word_of(token, scene, together)
        if previous is None and clause.elided and token.pos_ != "PROPN":
            words = words[:1].lower() + words[1:]
        if token.i in changing and token.i not in page.quoted:
            said = words if token.text not in _LONG or words == "have" else token.text
            words = third_person(said)
        chunk = page.chunks[token.i]
        pieces.append(Piece(token, words, _gap(token, previous), chunk))
        if chunk is not None and token.i not in page.quoted:
            notice(chunk, scene, pieces)
        previous = token
    if any(t.dep_ == "csubj" for t in clause.head.children):
        scene.leave_open(Kind.IT)
    wording = Wording(tuple(pieces), scene.speaker if clause.elided else "")
    return _with_verb(clause, wording)


def _gap(token: Token, previous: Token | None) -> bool:
    if previous is None:
        return False
    if token.text in _LONG or (token.text == "'d" or (token.text == "'s" and token.pos_ != "PART")):
        return True
    if previous.i + 1 == token.i:
        return bool(previous.whitespace_)
    return not token.is_punct


def word_of(token: Token, scene: Scene, together: bool = False) -> str:
    """Return the word as the third person says it: pronouns resolved, contractions undone."""
    low = token.lower_.replace("’", "'")
    if token.pos_ == "PRON" or token.tag_ in {"PRP", "PRP$"}:
        return pronoun(token, low, scene, together)
    if low in {"'s", "’s"} and token.pos_ != "PART" and token.tag_ != "POS":
        return "has" if _perfect(token) else "is"
    if low == "'d":
        return "had" if is_had(token) else "would"
    if token.pos_ == "PROPN" and _nickname(token.text, scene.other):
        return scene.other
    noun = low == "cause" and token.pos_ in {"NOUN", "VERB"}
    return token.text if noun else "have" if is_gotta(token) else _LONG.get(low, token.text)


def is_had(token: Token) -> bool:
    """Whether 'd is "had": before a participle, or where the parse says so and no verb follows."""
    after = _next_tag(token)
    return after == "VBN" or (token.tag_ != "MD" and after != "VB")


def _nickname(text: str, name: str) -> bool:
    return len(text) >= 3 and text != name and name.casefold().startswith(text.casefold()) and (
        " " not in name
    )  # fmt: skip


def _next_tag(token: Token) -> str:
    return next((t.tag_ for t in token.doc[token.i + 1 : token.i + 4] if t.pos_ != "ADV"), "")


def _perfect(token: Token) -> bool:
    """Whether 's is "has": before "been" and "got", and where the parse says so."""
    after = next((t for t in token.doc[token.i + 1 : token.i + 4] if t.pos_ != "ADV"), token)
    if after.lower_ in {"been", "got", "had", "happened", "become", "gone", "grown", "helped"}:
        return True
    if token.head.tag_ != "VBN":
        return False
    return token.dep_ == "aux" or _has_object(token.head) or _takes(token.head)


def _takes(verb: Token) -> bool:
    """Whether the word after a participle opens an object: "it's allowed me to ..."."""
    after = verb.doc[verb.i + 1] if verb.i + 1 < len(verb.doc) else verb
    return after.lower_ in {"me", "us", "you", "him", "them", "my"} and verb.lemma_ != "call"


def _has_object(verb: Token) -> bool:
    return any(t.dep_ in {"dobj", "dative"} for t in verb.children)


def _together(clause: Clause) -> bool:
    """Whether "we" in this clause includes the one spoken to."""
    words = {t.lower_ for t in clause.tokens}
    return bool(words & _WITH_OTHER) or clause.head.lemma_ in _TALKING


def _with_verb(clause: Clause, wording: Wording) -> Wording:
    """Give an unsaid subject its verb: "Working on it" becomes "Ana is working on it"."""
    form = {"VBG": "is", "VBN": "has"}.get(clause.head.tag_)
    if clause.elided and clause.tokens[0].lower_ == "been":
        return replace(wording, lead=f"{wording.lead} has")
    if clause.elided and clause.tokens[0].lower_ == "gon":
        return replace(wording, lead=f"{wording.lead} is")
    if clause.head.lower_.endswith("ed"):
        form = None
    helpers = [t for t in auxiliaries(clause.head) if t.tag_ != "VBG"]
    if clause.elided and helpers and helpers[0].lower_ == "been":
        return replace(wording, lead=f"{wording.lead} has")
    if not clause.elided or form is None or helpers:
        return wording
    return replace(wording, lead=f"{wording.lead} {form}")
