"""What a pronoun of a clause becomes in the third person, and where it is left as it stands.

Who speaks to whom is grammar. A third person is looked up in the scene, and only where what is found
fits the verb: "it gave me hope" is hardly of the thing last named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spacy.tokens import Token

from memcore.evolution.clauses import SUBJECTS, auxiliaries, is_time, subject_of
from memcore.evolution.lexicon import CAUSING_VERB, COMMUNAL, EVALUATIVE, EXPERIENCE, PERSON_VERB
from memcore.evolution.pronouns import (
    FITS,
    Choice,
    Kind,
    Scene,
    is_event,
)

_MY: Final = frozenset({"my", "mine"})
ME: Final = frozenset({"i", "me"})
_FIRST: Final = _MY | ME | {"we", "us", "our", "ours"}
YOU: Final = frozenset({"you", "ya", "u"})
_REFLEXIVE: Final[Mapping[str, str]] = {"myself": "themself", "yourself": "themself"}
_SEEMING: Final = frozenset({"sound", "seem", "look", "feel", "appear"})
_IDIOMS: Final = frozenset(
    {
        "make",
        "do",
        "get",
        "give",
        "take",
        "keep",
        "love",
        "like",
        "appreciate",
        "mean",
        "know",
        "call",
    }
)
"""With these an object "it" is mostly no thing: "make it work", "give it my all"."""
_ANYBODY: Final = frozenset(
    ["everyone", "everybody", "someone", "somebody", "anyone", "anybody", "nobody", "people", "who"]
)


def possessive(name: str) -> str:
    """Return the name's possessive.

    >>> possessive("Ana"), possessive("the kids")
    ("Ana's", "the kids'")
    """
    plural = name.endswith("s") and name.rpartition(" ")[2][:1].islower()
    return f"{name}'" if plural else f"{name}'s"


def pronoun(token: Token, low: str, scene: Scene, together: bool) -> str:
    """Return the words a pronoun becomes, itself where nobody can be named for it."""
    own = token.tag_ == "PRP$"
    if low in _FIRST:
        return _first(token, scene, together)
    if low in YOU | {"your", "yours"}:
        return token.text if is_anybody(token) else _second(token, scene) or token.text
    if low in _REFLEXIVE:
        return _REFLEXIVE[low]
    place = (scene.place, token.i)
    if place not in scene.owners:
        scene.owners[place] = _owner(token, low, scene)
    owner = scene.owners[place]
    if not owner:
        return token.text
    return possessive(owner) if own or low in {"his", "its", "their", "hers"} else owner


def _owner(token: Token, low: str, scene: Scene) -> str:
    """Whom or what a third-person pronoun means; a later one then means it too, known or not."""
    if low not in FITS:
        return ""
    meant = not _expletive(token) and _stands_for(token, low, scene)
    found = scene.owner(low, _choice(token)) if meant else ""
    if found and low == "it" and not _fits_verb(token, found):
        found = ""
    subject = token.dep_ in SUBJECTS
    if not found and low in {"it", "they"} and (subject or token.head.lemma_ not in _IDIOMS):
        scene.leave_open(FITS[low][0])
    if found and Kind.PERSON in FITS[low]:
        scene.notice(found, FITS[low][0], 3)
    return found


def _choice(token: Token) -> Choice:
    if token.dep_ == "nsubjpass" and token.head.lemma_ in {"call", "name"}:
        return Choice.LAST
    if token.lower_ == "them" and _is_acted_on(token):
        return Choice.PERSONS
    of_noun = token.head.head.pos_ == "NOUN" or token.head.lower_ == "like"
    return Choice.OUTSIDE if token.dep_ == "pobj" and of_noun else Choice.SUBJECT


def _is_acted_on(token: Token) -> bool:
    """Whether what "them" means is a person's: helped, spoken with, or doing something itself."""
    verb = token.head
    does = token.dep_ == "nsubj" and verb.i > token.i
    return does or token.dep_ == "dative" or verb.lower_ == "with" or verb.lemma_ in PERSON_VERB


def _fits_verb(token: Token, found: str) -> bool:
    """Whether the thing can do what is said of "it", and not only the event can.

    "It gave me hope" and "it was a blast" are of what happened.
    """
    verb, subject = token.head, token.dep_ in SUBJECTS
    if not subject:
        return verb.lemma_ not in _IDIOMS or token.dep_ == "pobj"
    said = {t.lemma_.lower() for t in verb.children if t.dep_ == "attr"}
    if any(t.lower_ == "about" and t.dep_ == "prep" for t in verb.children) and any(
        t.lower_ == "all" for t in verb.subtree
    ):
        return False
    caused = verb.lemma_ in CAUSING_VERB or (verb.lemma_ == "be" and bool(said & EXPERIENCE))
    return not caused or is_event(found)


def _stands_for(token: Token, low: str, scene: Scene) -> bool:
    """Whether the pronoun may be replaced: an object "it" only where one thing was named."""
    if token.tag_ == "PRP$" and low in {"their", "its"} and _has_owner_beside(token):
        return False
    if low == "it" and token.dep_ not in {"nsubj", "nsubjpass"}:
        return scene.things() == 1
    acts = token.dep_ == "nsubj" and token.head.lemma_ != "be"
    return not (low == "they" and acts) or scene.acting()


def _has_owner_beside(token: Token) -> bool:
    """Whether the clause names before it who "their" may mean: "everyone has their own story"."""
    verb = token.head
    while verb.dep_ != "ROOT" and verb.pos_ not in {"VERB", "AUX"}:
        if any(t.pos_ in {"NOUN", "PROPN"} and t.dep_ == "pobj" and t.i < token.i
               for p in verb.lefts if p.dep_ == "prep" for t in p.children):  # fmt: skip
            return True
        verb = verb.head
    subject = subject_of(verb)
    named = subject is not None and subject.i < token.i and token not in subject.subtree
    return (
        named
        and subject is not None
        and (subject.pos_ == "NOUN" or subject.lower_ in _ANYBODY)
        and (token.lower_ == "its" or subject.tag_ == "NNS" or subject.lower_ in _ANYBODY)
    )


def is_anybody(token: Token) -> bool:
    """Whether "you" is anybody, or several: "pets make you happy" is not of the one spoken to."""
    if _next_word(token) in {"two", "guys"}:
        return True
    verb = token
    while verb.dep_ != "ROOT":
        verb = verb.head
    subject = subject_of(verb)
    if subject is None or subject.tag_ != "NNS" or verb.tag_ not in {"VBP", "VB"}:
        return False
    return subject.n_lefts == 0 and token.i > verb.i and token.tag_ == "PRP"


def _first(token: Token, scene: Scene, together: bool) -> str:
    low = token.lower_
    if low == "our" and _each_ones(token):
        return "their"
    if low == "our" and token.head.lemma_.lower() in COMMUNAL:
        return "The" if token.text == "Our" else "the"
    if low in _MY:
        return possessive(scene.speaker)
    if low in ME:
        return scene.speaker
    return scene.we(together) if low in {"we", "us"} else _ours(scene, together)


def _each_ones(token: Token) -> bool:
    """Whether "our" is that of each of several: "we all have our own ways"."""
    verbs = [t for t in token.ancestors if t.pos_ in {"VERB", "AUX"}]
    subject = subject_of(verbs[0]) if verbs else None
    if subject is None or subject.lower_ != "we":
        return False
    return any(t.lower_ in {"all", "each"} and t.i < token.i for t in verbs[0].subtree)


def _ours(scene: Scene, together: bool) -> str:
    if scene.group or together:
        return possessive(scene.we(together))
    return possessive(scene.speaker)


def _second(token: Token, scene: Scene) -> str:
    if not scene.other:
        return ""
    if token.lower_ not in YOU:
        return possessive(scene.other)
    several = _next_word(token) == "all" and _next_word(token.nbor(1)) != "the"
    return f"{scene.other} and others" if several else scene.other


def _next_word(token: Token) -> str:
    return token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""


def _expletive(token: Token) -> bool:
    """Whether "it" stands for a clause, the weather or the hour, not for a thing."""
    if token.lower_ != "it" or token.dep_ not in {"nsubj", "nsubjpass", "expl"}:
        return token.dep_ == "expl"
    parts = [p for t in token.head.children for p in (t, *t.children)]
    if any(p.dep_ in {"ccomp", "xcomp", "csubj", "acl"} for p in parts):
        return True
    if {"advcl", "acomp"} <= {p.dep_ for p in parts} or _valued(token.head):
        return True
    if _opens_clause(token.head):
        return True
    return any(is_time(t) and t.dep_ in {"attr", "npadvmod"} for t in token.head.children)


def _opens_clause(verb: Token) -> bool:
    """Whether a clause follows that "it" stands for: "it's empowering to ...", "it sounds like ..."."""
    inner = [t for t in verb.children if t.dep_ == "advcl" and t.i > verb.i]
    to_do = any(a.tag_ == "TO" for t in inner for a in auxiliaries(t))
    return bool(inner) and (verb.lemma_ in _SEEMING or (verb.tag_ == "VBG" and to_do))


def _valued(verb: Token) -> bool:
    """Whether the verb only values: in "it has been rough" it is mostly no thing that is meant."""
    said = [t for t in verb.children if t.dep_ in {"acomp", "attr"}]
    return verb.lemma_ in {"be", "feel", "mean"} and any(t.lower_ in EVALUATIVE for t in said)
