"""A clause to the words of its restatement: third person, no contractions, pronouns resolved.

Each token becomes one piece, so that subject, value and time can be cut out of the same wording;
rewriting the text by regular expressions was turned down since it loses that alignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution.clauses import SUBJECTS, Clause, auxiliaries, is_time, subject_of
from memcore.evolution.inflection import third_person
from memcore.evolution.lexicon import CAUSING_VERB, COMMUNAL, EVALUATIVE, EXPERIENCE, PERSON_VERB
from memcore.evolution.pronouns import (
    FITS,
    Choice,
    Kind,
    Scene,
    company,
    is_event,
    kind_of,
    names_person,
)

_LONG: Final[Mapping[str, str]] = {
    "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "ca": "can", "wo": "will",
    "sha": "shall", "n't": "not", "gon": "going", "wan": "want", "na": "to", "got": "got",
    "ta": "to", "nt": "not", "im": "am", "dont": "do not", "cause": "because", "&": "and",
    "'em": "them", "w/": "with",
}  # fmt: skip
_MY: Final = frozenset({"my", "mine"})
_I: Final = frozenset({"i", "me"})
_FIRST: Final = _MY | _I | {"we", "us", "our", "ours"}
_YOU: Final = frozenset({"you", "ya", "u"})
_REFLEXIVE: Final[Mapping[str, str]] = {"myself": "themself", "yourself": "themself"}
_WITH_OTHER: Final = frozenset(["both", "should", "shall", "you"])
_TALKING: Final = frozenset({"talk", "speak", "chat", "catch"})
_CAUSING: Final = frozenset({"let", "make", "help", "have", "see", "hear", "watch"})
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


@dataclass(frozen=True, slots=True)
class Piece:
    """The words that stand for one token; `gap` says that a blank goes before them.

    `chunk` is the noun chunk that ends with the token.
    """

    token: Token
    words: str
    gap: bool = True
    chunk: Span | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """A clause in other words, token by token; `lead` is a subject that is not among them."""

    pieces: tuple[Piece, ...]
    lead: str = ""

    def of(self, tokens: Iterable[Token]) -> str:
        """Return the words for these tokens."""
        wanted = {t.i for t in tokens}
        return joined(p for p in self.pieces if p.token.i in wanted)

    @property
    def text(self) -> str:
        """Return the sentence, with a capital and a period."""
        words = (
            f"{self.lead} {joined(self.pieces)}".strip()
            .replace("can not ", "cannot ")
            .rstrip(" ,;:-–—.!…")
        )
        return f"{words[:1].upper()}{words[1:]}."


def joined(pieces: Iterable[Piece]) -> str:
    """Return the words with their blanks."""
    return "".join(f"{' ' if p.gap else ''}{p.words}" for p in pieces if p.words).strip()


def possessive(name: str) -> str:
    """Return the name's possessive.

    >>> possessive("Ana"), possessive("the kids")
    ("Ana's", "the kids'")
    """
    plural = name.endswith("s") and name.rpartition(" ")[2][:1].islower()
    return f"{name}'" if plural else f"{name}'s"


def reword(clause: Clause, scene: Scene) -> Wording:
    """Return the clause in the third person; what it names is noticed in the scene."""
    page = clause.page
    agreeing = _agreeing(clause, scene)
    pieces: list[Piece] = []
    together = _together(clause)
    previous: Token | None = None
    scene.clause += 1
    for token in (*(clause.subject if clause.shared else ()), *clause.tokens):
        words = token.text if token.i in page.quoted else word_of(token, scene, together)
        if previous is None and clause.elided and token.pos_ != "PROPN":
            words = words[:1].lower() + words[1:]
        if token.i in agreeing and token.i not in page.quoted:
            said = words if token.text not in _LONG or words == "have" else token.text
            words = third_person(said)
        chunk = page.chunks[token.i]
        pieces.append(Piece(token, words, _gap(token, previous), chunk))
        if chunk is not None and token.i not in page.quoted:
            _notice(chunk, scene, pieces)
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
        return _pronoun(token, low, scene, together)
    if low in {"'s", "’s"} and token.pos_ != "PART" and token.tag_ != "POS":
        return "has" if _perfect(token) else "is"
    if low == "'d":
        return "had" if is_had(token) else "would"
    if token.pos_ == "PROPN" and _nickname(token.text, scene.other):
        return scene.other
    noun = low == "cause" and token.pos_ in {"NOUN", "VERB"}
    return token.text if noun else "have" if _gotta(token) else _LONG.get(low, token.text)


def is_had(token: Token) -> bool:
    """Whether 'd is "had": before a participle, or where the parse says so and no verb follows."""
    after = _next_tag(token)
    return after == "VBN" or (token.tag_ != "MD" and after != "VB")


def _gotta(token: Token) -> bool:
    """Whether "got" is that of "gotta": a need, and nothing that was got."""
    if token.lower_ != "got" or token.i + 1 == len(token.doc):
        return False
    return token.nbor(1).lower_ == "ta" and not token.whitespace_


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


def _pronoun(token: Token, low: str, scene: Scene, together: bool) -> str:
    own = token.tag_ == "PRP$"
    if low in _FIRST:
        return _first(token, scene, together)
    if low in _YOU | {"your", "yours"}:
        return token.text if _anybody(token) else _second(token, scene) or token.text
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


def _anybody(token: Token) -> bool:
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
    if low in _I:
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
    if token.lower_ not in _YOU:
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


def _together(clause: Clause) -> bool:
    """Whether "we" in this clause includes the one spoken to."""
    words = {t.lower_ for t in clause.tokens}
    return bool(words & _WITH_OTHER) or clause.head.lemma_ in _TALKING


# ------------------------------------------------------------------ agreement


def _agreeing(clause: Clause, scene: Scene) -> frozenset[int]:
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
    you = subject.lower_ in _YOU and bool(scene.other) and not _anybody(subject)
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
    if _gotta(first):
        return (first.i,)
    if first.lower_ in {"did", "had", "'d", "could", "would", "used"} or first.tag_ in {
        "VBZ",
        "MD",
    }:
        return ()
    if first.lower_ == "was" or (first.tag_ in {"VBD", "VBN"} and first.lower_ != "were"):
        return ()
    return (first.i,) if first.tag_ != "VBG" or helpers else ()


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


# ------------------------------------------------------------------ noticing


def _notice(chunk: Span, scene: Scene, pieces: Sequence[Piece]) -> None:
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
    if len(pair) > 1 and any(t.lower_ in _I for t in pair):
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
