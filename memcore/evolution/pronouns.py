"""Whom a pronoun means: the persons and things a window has named so far.

A recency rule with gender, number and role was taken over a coreference model: none is packaged
for offline use, and a pronoun that has no clear owner is left as it stands rather than guessed.
The speaker's I and you are grammar, not memory, and never go through the list of mentions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from spacy.tokens import Token

from memcore.evolution.clauses import is_time
from memcore.evolution.lexicon import (
    ABSTRACT,
    COMPANY,
    EVENT,
    EXPERIENCE,
    FEMALE,
    FEMALE_NAMES,
    GREETING,
    GROUP,
    MALE,
    MALE_NAMES,
    MOVING,
    NEUTER_PERSON,
    PET,
    STREET,
    VAGUE_NOUN,
)

PERSON_REACH: Final = 4
"""How many turns back he, she and they look; beyond it the pronoun stays."""
THING_REACH: Final = 1
"""How many turns back "it" and "they" look in the sentence that answers a question."""
_NEVER_MEANT: Final = VAGUE_NOUN | GREETING | ABSTRACT | EXPERIENCE
_WATCHED: Final = frozenset(
    ["book", "film", "movie", "series", "novel", "parade", "concert", "story"]
)
"""What lasts while it is read, watched or attended."""


class Kind(StrEnum):
    """What a mention can be called by."""

    SHE = "she"
    HE = "he"
    PERSON = "person"
    THEY = "they"
    MANY = "many"
    IT = "it"
    PET = "pet"


FITS: Final = {
    "he": (Kind.HE, Kind.PERSON, Kind.PET),
    "him": (Kind.HE, Kind.PERSON, Kind.PET),
    "his": (Kind.HE, Kind.PERSON, Kind.PET),
    "she": (Kind.SHE, Kind.PERSON, Kind.PET),
    "her": (Kind.SHE, Kind.PERSON, Kind.PET),
    "hers": (Kind.SHE, Kind.PERSON, Kind.PET),
    "they": (Kind.THEY, Kind.MANY),
    "them": (Kind.THEY, Kind.MANY),
    "their": (Kind.THEY,),
    "it": (Kind.IT, Kind.PET),
    "its": (Kind.IT, Kind.PET),
}
_LEXICON: Final = (
    (FEMALE, Kind.SHE),
    (MALE, Kind.HE),
    (NEUTER_PERSON, Kind.PERSON),
    (PET, Kind.PET),
)
_ABSTRACT: Final = ("ance", "ence", "ness", "ship", "ity", "ection", "eling", "ride", "iety")
"""Endings of nouns that "it" hardly ever means."""
_UNNAMED: Final = 4
"""The weight of what is meant but was not named: more than that of any noun."""
_PLACE_PREPOSITION: Final = frozenset({"in", "at", "near", "around", "through", "into"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A person or thing as it can stand for a pronoun; `weight` puts subjects first.

    One without words is something nobody named: a pronoun after it most likely means that.
    """

    words: str
    kind: Kind
    place: int
    sentence: int
    weight: int
    clause: int = 0


class Choice(StrEnum):
    """Which of those named is taken."""

    SUBJECT = "subject"
    LAST = "last"
    """The last person named: "a girl called Eva", and not whoever is the subject."""
    PERSONS = "persons"
    """None of the things: whoever is helped is a person."""
    OUTSIDE = "outside"
    """None of this clause: "a player like him" is another than the player."""


@dataclass(slots=True)
class Scene:
    """Who speaks to whom, and what was named so far; it lives for one window."""

    speaker: str = ""
    other: str = ""
    names: tuple[str, ...] = ()
    place: int = 0
    sentence: int = 0
    clause: int = 0
    answering: bool = False
    group: str = ""
    mentions: list[Mention] = field(default_factory=list)
    owners: dict[tuple[int, int], str] = field(default_factory=dict)
    """What a pronoun of a turn stood for when its clause was first read, by turn and word."""

    def turn(self, speaker: str, other: str, place: int) -> None:
        """Begin a turn: who speaks, to whom (empty: unknown), and its place in the window."""
        if speaker != self.speaker:
            self.group = ""
        self.speaker, self.other, self.place = speaker, other, place

    def notice(self, words: str, kind: Kind, weight: int) -> None:
        """Remember a person or thing."""
        words = words.rstrip(" -")
        if words and words not in self.names:
            self.mentions.append(
                Mention(words, kind, self.place, self.sentence, weight, self.clause)
            )

    def leave_open(self, kind: Kind) -> None:
        """Remember that something unnamed was spoken of, so that the next pronoun means it."""
        self.mentions.append(Mention("", kind, self.place, self.sentence, _UNNAMED, self.clause))

    def owner(self, pronoun: str, choice: Choice = Choice.SUBJECT) -> str:
        """Return the words a third-person pronoun stands for, or nothing."""
        fits = FITS.get(pronoun, ())
        if choice is Choice.PERSONS:
            fits = tuple(kind for kind in fits if kind is not Kind.MANY)
        near = self._near(fits, choice)
        if not near:
            return ""
        if Kind.IT in fits:
            return _thing(near, self)
        newest = near[-1]
        if (Kind.PERSON in fits and self._named_since(newest)) or self._one_since(newest, fits):
            return ""
        same = [m for m in near if (m.place, m.sentence) == (newest.place, newest.sentence)]
        best = newest if choice is Choice.LAST else max(same, key=lambda m: m.weight)
        self._learn(best, fits[0])
        return best.words

    def _near(self, fits: tuple[Kind, ...], choice: Choice) -> list[Mention]:
        reach = PERSON_REACH if Kind.PERSON in fits else THING_REACH * self.answering
        if choice is Choice.PERSONS:
            reach = 0
        return [
            m
            for m in self.mentions
            if m.kind in fits
            and self.place - m.place <= (0 if m.kind is Kind.MANY else reach)
            and not (choice is Choice.OUTSIDE and m.clause == self.clause)
        ]

    def _one_since(self, named: Mention, fits: tuple[Kind, ...]) -> bool:
        """Whether "they" may be one person, named later than the last of several."""
        if Kind.THEY not in fits:
            return False
        after = self.mentions[self.mentions.index(named) + 1 :]
        return any(m.kind is Kind.PERSON and m.words[:1].islower() for m in after)

    def _named_since(self, person: Mention) -> bool:
        """Whether a later proper noun may be the person that is meant."""
        later = (
            m for m in self.mentions if (m.place, m.sentence) > (person.place, person.sentence)
        )
        return any(m.kind is Kind.IT and m.words.istitle() and m.words.isalpha() for m in later)

    def things(self) -> int:
        """How many different things this turn and the one before named."""
        near = (m for m in self.mentions if m.kind is Kind.IT and self.place - m.place <= 1)
        return len({m.words for m in near})

    def acting(self) -> bool:
        """Whether the last plural named is of persons, who can act."""
        plural = [m.kind for m in self.mentions if m.kind in {Kind.THEY, Kind.MANY}]
        return bool(plural) and plural[-1] is Kind.THEY

    def _learn(self, mention: Mention, kind: Kind) -> None:
        """A name once called "she" is not called "he" later."""
        if mention.kind in {Kind.PERSON, Kind.PET} and kind in {Kind.SHE, Kind.HE}:
            self.mentions = [
                replace(m, kind=kind) if m.words == mention.words else m for m in self.mentions
            ]

    def we(self, together: bool) -> str:
        """Return whom "we" means: the group the turn named, else both speakers where clear."""
        if self.group:
            return self.group
        if together and self.other:
            return f"{self.speaker} and {self.other}"
        return f"{self.speaker} and others"


def _thing(near: list[Mention], scene: Scene) -> str:
    """The one thing of the sentence before (or of this one), if there is no second beside it.

    Nothing where this clause has named a thing before the pronoun: either may be meant.
    """
    if any(m.clause == scene.clause for m in near):
        return ""
    last = near[-1]
    same = [m for m in near if (m.place, m.sentence) == (last.place, last.sentence)]
    best = max(m.weight for m in same)
    first = [m for m in same if m.weight >= min(best, 2)]
    gap = scene.sentence - last.sentence
    recent = gap <= 1 if best > 1 else gap == 0
    recent = recent and scene.clause - last.clause <= 1
    return first[0].words if recent and len({m.words for m in first}) == 1 else ""


def is_event(words: str) -> bool:
    """Whether the words name something that is done or attended: it can be an experience.

    >>> is_event("aerial kickboxing"), is_event("the pride parade"), is_event("the tree")
    (True, True, False)
    """
    last = words.rpartition(" ")[2].casefold()
    return last.endswith("ing") or last in EVENT or last in _WATCHED


def kind_of(head: Token) -> Kind | None:
    """Return how a noun can be called again; None where it should not be."""
    lemma = head.lemma_.lower()
    if not _can_recur(head, lemma):
        return None
    if lemma in GROUP or head.tag_ in {"NNS", "NNPS"}:
        persons = lemma in GROUP or any(lemma in words for words, _ in _LEXICON)
        return Kind.THEY if persons or lemma.rstrip("s") in GROUP else Kind.MANY
    if lemma.endswith(_ABSTRACT):
        return None
    by_noun = next((kind for words, kind in _LEXICON if lemma in words), None)
    if by_noun is None and head.pos_ == "PROPN":
        return _by_name(head) or (Kind.PERSON if names_person(head) else Kind.IT)
    return by_noun or Kind.IT


def _can_recur(head: Token, lemma: str) -> bool:
    """Whether the noun names something that a pronoun may mean afterwards."""
    noun = head.pos_ in {"NOUN", "PROPN"} and not is_time(head)
    return noun and lemma not in _NEVER_MEANT and not _is_cut(head)


def _is_cut(head: Token) -> bool:
    """Whether the parse ends the noun too early: "honey garlic" in "honey garlic chicken"."""
    after = head.doc[head.i + 1] if head.i + 1 < len(head.doc) else head
    return after.i != head.i and after.pos_ == "NOUN" and bool(head.whitespace_)


def _by_name(head: Token) -> Kind | None:
    """What a title or a common given name says: "Mrs Okafor", "Ruth"."""
    first = [t for t in head.children if t.dep_ == "compound"]
    words = {t.lower_.rstrip(".-") for t in (*first, head)}
    if words & (FEMALE | FEMALE_NAMES):
        return Kind.SHE
    return Kind.HE if words & (MALE | MALE_NAMES) else None


def names_person(head: Token) -> bool:
    """Whether a proper noun is used as a person is: it acts, or stands beside a person noun."""
    plain = head.text[:1].isupper() and head.text.rstrip("-").isalpha() and not is_time(head)
    if not plain or any(t.dep_ == "det" for t in head.children):
        return False
    persons = FEMALE | MALE | NEUTER_PERSON
    if _by_name(head) is not None:
        return True
    beside = head.dep_ == "appos" and head.head.lemma_.lower() in persons
    titled = any(t.dep_ == "compound" and t.lemma_.lower() in persons for t in head.children)
    with_them = head.dep_ == "pobj" and head.head.lower_ in {"with", "by"}
    return beside or titled or with_them or head.dep_ in {"nsubj", "dative", "poss"}


def company(head: Token) -> bool:
    """Whether the noun names those whom "we" would include: family, friends, a team."""
    return head.lemma_.lower() in COMPANY or (head.pos_ == "PROPN" and names_person(head))


def place_preposition(token: Token) -> bool:
    """Whether the word puts its object at a place; "from" and "on" mostly name who or when."""
    if token.lower_ == "to":
        return token.head.lemma_.lower() in MOVING
    if token.lower_ == "on":
        return any(t.dep_ == "pobj" and t.lower_ in STREET for t in token.children)
    return token.lower_ in _PLACE_PREPOSITION
