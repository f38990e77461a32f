"""What a clause is about: subject, attribute, value and modality, so that updates can be compared.

Two facts compare when subject and attribute are equal. So the attribute is the relation without its
object: `home`, `job`, `dog's name`, `meeting time`, `plan:trip to rome`, else the verb's lemma with
its preposition. `attribute_names.one_valued` says which attributes hold one value at a time: a second drink that
is liked replaces nothing, a second home does. Rules are tried in the order of `_RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from spacy.tokens import Token

from memcore.evolution.attribute_names import attribute_key
from memcore.evolution.clauses import SUBJECTS, Clause, auxiliaries, is_time, subject_of
from memcore.evolution.lexicon import (
    CANCEL_VERB,
    DELAY_VERB,
    EVENT,
    JOB_NOUN,
    LEAVE_VERB,
    NUMBER_WORD,
    PLAN_VERB,
    REPORT,
    START_VERB,
    STATUS_ADJ,
    TIME_NOUN,
    TRAVEL_VERB,
)
from memcore.evolution.pieces import Wording
from memcore.evolution.pronouns import names_person
from memcore.evolution.wording import is_had
from memcore.types import Modality

_HOLDS: Final = frozenset(
    [
        "run",
        "have",
        "host",
        "attend",
        "do",
        "take",
        "throw",
        "hold",
        "join",
        "enter",
        "make",
        "give",
    ]
)
"""Verbs whose object is an event that takes place."""
_OBJECTS: Final = ("dobj", "attr", "oprd", "dative")
_LEADING_TIME: Final = re.compile(
    rf"^(?:[Oo]ne|[Tt]hat|[Tt]his|[Ll]ast|[Nn]ext|[Ee]very|[Ee]ach) (?:{'|'.join(sorted(TIME_NOUN))}) (?=[A-Z])"
)
"""A bare time before a name, which the parse takes for a part of it: "One winter Elsa …"."""
_TIME_WORD: Final = re.compile(r"\b(?:\d|noon|midnight|am|pm|o'clock|morning|evening|tomorrow)")


@dataclass(frozen=True, slots=True)
class Fact:
    """The comparable core of a clause; all case-folded."""

    subject: str
    attribute: str
    value: str


_TELLING: Final = frozenset({"let", "tell", "know"})


def _telling(head: Token) -> Token | None:
    """The verb of telling under "I wanted to": what is told carries the fact, if it is a clause."""
    inner = next((t for t in head.children if t.dep_ == "xcomp"), None)
    if inner is None or head.lemma_ not in {"want", "excited"} or inner.lemma_ not in _TELLING:
        return None
    told = next((t for t in inner.children if t.dep_ == "ccomp"), None)
    if told is None or (told.lemma_ == "know" and _child(told, "ccomp") is None):
        return None
    return inner


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause with its wording and the names that stand for its speaker."""

    clause: Clause
    wording: Wording
    speaker: str
    future: bool = False

    @property
    def head(self) -> Token:
        """The verb that carries the fact: under "I think" it is the verb of what is thought."""
        head = self.clause.head
        for _ in range(4):
            inner = next((t for t in head.children if t.dep_ == "ccomp"), None) or _telling(head)
            if inner is None or (head.lemma_ not in REPORT and inner.lemma_ not in _TELLING):
                return head
            head = inner
        return self.clause.head if head.lemma_ in _TELLING else head


def fact_of(reading: Reading) -> Fact:
    """Return subject, attribute and value of a clause."""
    for rule in _RULES:
        fact = rule(reading)
        if fact is not None:
            return fact
    return _verb_fact(reading)


# ------------------------------------------------------------------ pieces of a clause


def _subtree(reading: Reading, head: Token | None) -> str:
    return reading.wording.of(head.subtree) if head is not None else ""


def _child(head: Token, *deps: str) -> Token | None:
    return next((t for t in head.children if t.dep_ in deps), None)


def _subject(reading: Reading) -> str:
    head = reading.head
    own = subject_of(head)
    said = reading.clause.subject if head.i == reading.clause.head.i else own.subtree if own else ()
    if any(t.lower_ in {"i", "we"} and t.dep_ in {*SUBJECTS, "conj"} for t in said):
        return attribute_key(reading.speaker)
    if head.i == reading.clause.head.i:
        words = _LEADING_TIME.sub("", reading.wording.of(reading.clause.subject))
        return attribute_key(words or reading.speaker)
    if own is None:
        return attribute_key(reading.speaker)
    return attribute_key(_subtree(reading, own))


def _preposition(head: Token, *words: str) -> tuple[str, Token] | None:
    """The first object of one of these prepositions (any, if none is named) that is no time."""
    for token in head.subtree if words else head.children:
        if token.dep_ not in {"prep", "dative"} or (words and token.lower_ not in words):
            continue
        if token.head.i != head.i and token.head.dep_ not in {"prt", "advmod", "prep"}:
            continue
        if token.text[:1].isupper() and not token.is_sent_start:
            continue  # "Under Armour": a part of a name
        target = _child(token, "pobj")
        if target is not None and not is_time(target):
            return token.lower_, target
    return None


def _owner(reading: Reading, noun: Token) -> tuple[str, str]:
    """Split "Ana's dog's name" into its owner and the rest; no owner gives an empty one."""
    words = attribute_key(_noun_phrase(reading, noun))
    owner, mark, rest = words.partition("'s ")
    return (owner, rest) if mark else ("", words)


def _noun_phrase(reading: Reading, noun: Token) -> str:
    kept = [t for t in noun.subtree if t.i <= noun.i and not (t.i < noun.i and t.is_punct)]
    return reading.wording.of(kept)


def _value(reading: Reading, *tokens: Token | None) -> str:
    found = next((t for t in tokens if t is not None), None)
    return attribute_key(_subtree(reading, found))


# ------------------------------------------------------------------ rules


def _event_key(reading: Reading, noun: Token) -> str:
    """Return "trip to rome" for a trip to Rome and for a Rome trip alike."""
    place = _preposition(noun, "to", "with")
    compound = [t for t in noun.children if t.dep_ in {"compound", "amod"} and not is_time(t)]
    proper = [t for t in compound if t.pos_ == "PROPN"]
    if place is None and proper and noun.lemma_ in {"trip", "vacation", "holiday", "flight"}:
        return f"{noun.lemma_} to {proper[0].lower_}"
    front = " ".join(t.lower_ for t in compound if t.dep_ == "compound" and t.pos_ != "PROPN")
    name = f"{front} {noun.lemma_.lower()}".strip()
    return f"{name} {place[0]} {_value(reading, place[1])}" if place else name


def _event(noun: Token | None) -> Token | None:
    return noun if noun is not None and noun.lemma_.lower() in EVENT else None


def _event_owner(reading: Reading, noun: Token) -> str:
    return _owner(reading, noun)[0] or attribute_key(reading.speaker)


def _event_subject(reading: Reading) -> Fact | None:
    """The trip is cancelled, the meeting is at 3 pm, our wedding was moved to May."""
    head = reading.head
    subject = subject_of(head)
    if subject is None and reading.clause.subject:
        subject = next(
            (t for t in reading.clause.subject if t.dep_ in {"nsubj", "nsubjpass"}), None
        )
    noun = _event(subject)
    if noun is None:
        return None
    owner, key = _event_owner(reading, noun), _event_key(reading, noun)
    status = _status(head)
    if status:
        return Fact(owner, f"plan:{key}", status)
    time = _time_words(reading, head)
    return Fact(owner, f"{key} time", time) if time else None


def _status(head: Token) -> str:
    words = {t.lower_ for t in head.children} | {head.lemma_.lower()}
    if words & CANCEL_VERB or words & {"off", "cancelled", "canceled"}:
        return "cancelled"
    bare = [t for t in head.children if t.lower_ == "on" and _child(t, "pobj") is None]
    if head.lemma_ == "be" and bare:
        return "on"
    if head.lemma_ in {"postpone", "delay"} or (head.lemma_ == "push" and "back" in words):
        return "postponed"
    return "planned" if head.lemma_ in {"confirm", "book", "plan", "schedule"} else ""


def _time_words(reading: Reading, head: Token) -> str:
    if head.lemma_ not in {"be", "start", "begin", "happen"} | DELAY_VERB | {"schedule"}:
        return ""
    for token in head.children:
        target = _child(token, "pobj") if token.dep_ == "prep" else token
        if target is not None and target.dep_ in {"pobj", "npadvmod", "attr"}:
            words = _subtree(reading, target)
            if is_time(target) or _TIME_WORD.search(words.casefold()):
                return attribute_key(words)
    return ""


def _event_object(reading: Reading) -> Fact | None:
    """Ana booked a trip to Rome, Ana cancelled the trip, Ana is planning a party."""
    verb = _last_verb(reading.head)
    noun = _event(_child(verb, "dobj"))
    if noun is None and verb.lemma_ in PLAN_VERB:
        found = _preposition(verb, "for", "on")
        noun = _event(found[1]) if found else None
    if noun is None:
        return None
    called_off = any(t.dep_ == "prt" and t.lower_ == "off" for t in verb.children)
    if verb.lemma_ in CANCEL_VERB or called_off:
        status = "cancelled"
    elif (verb.lemma_ in _HOLDS or _has_got(verb)) and (_progressive(verb) or _plans(reading)):
        status = "cancelled" if _negated(reading.head) else _resumed(verb) or "planned"
    elif verb.lemma_ in {"postpone", "delay", "reschedule"}:
        status = "postponed"
    elif verb.lemma_ in PLAN_VERB or reading.future:
        status = "planned"
    else:
        return None
    return Fact(_event_owner(reading, noun), f"plan:{_event_key(reading, noun)}", status)


def _has_got(verb: Token) -> bool:
    return verb.lower_ == "got" and any(t.lemma_ == "have" for t in auxiliaries(verb))


def _resumed(verb: Token) -> str:
    """The status "on" of a plan that is taken up again."""
    words = " ".join(t.lower_ for t in verb.subtree)
    return "on" if "after all" in words or "again" in words else ""


def _progressive(verb: Token) -> bool:
    now = {t.lower_ for t in auxiliaries(verb)} & {"am", "are", "is", "'m", "'re", "'s"}
    return verb.tag_ == "VBG" and bool(now)


def _travel(reading: Reading) -> Fact | None:
    """Ana is going to Rome in May: a plan of a trip; also its denial. A wish is no plan."""
    verb = _last_verb(reading.head)
    if reading.head.lemma_ in {"want", "hope"} and not reading.future:
        return None
    if verb.lemma_ not in TRAVEL_VERB or not (reading.future or _plans(reading)):
        return None
    found = _preposition(verb, "to")
    place = found[1] if found else _child(verb, "dobj") if verb.lemma_ == "visit" else None
    if place is None or place.pos_ != "PROPN":
        return None
    denied = _negated(reading.head) or _negated(verb)
    status = "cancelled" if denied else _resumed(verb) or "planned"
    return Fact(_subject(reading), f"plan:trip to {_value(reading, place)}", status)


def _home(reading: Reading) -> Fact | None:
    verb = _last_verb(reading.head)
    words = {"live": ("in", "at", "near"), "move": ("to", "into"), "settle": ("in",),
             "relocate": ("to",), "reside": ("in",)}.get(verb.lemma_)  # fmt: skip
    found = _preposition(verb, *words) if words else None
    if found is None or _child(verb, "dobj") is not None:
        return None
    return Fact(_subject(reading), "home", _value(reading, found[1]))


def _job(reading: Reading) -> Fact | None:
    verb = _last_verb(reading.head)
    value = ""
    starts = verb.lemma_ in {"start", "begin"} and _child(verb, "dobj") is None
    if verb.lemma_ == "work" or starts:
        value = _employment(reading, verb)
    elif verb.lemma_ == "retire":
        value = "retired"
    elif verb.lemma_ == "promote" and verb.tag_ == "VBN":
        found = _preposition(verb, "to", "as")
        value = _value(reading, found[1]) if found else "promoted"
    else:
        noun = _child(verb, "dobj", "attr")
        value = _job_value(reading, verb, noun) if noun is not None else ""
    return Fact(_subject(reading), "job", value) if value else None


def _employment(reading: Reading, verb: Token) -> str:
    """Return "nurse at the clinic" for work as a nurse at the clinic."""
    found, place = _preposition(verb, "as"), _preposition(verb, "at", "for")
    if found is None:
        return ""
    value = _value(reading, found[1])
    where = _value(reading, place[1]) if place else ""
    return value if not where or " at " in value else f"{value} at {where}"


def _job_value(reading: Reading, verb: Token, noun: Token) -> str:
    if noun.lemma_ in {"job", "position", "role"} and verb.lemma_ in LEAVE_VERB:
        return "none"
    fresh = any(t.lower_ == "new" for t in noun.children) and verb.lemma_ in {
        "enjoy",
        "love",
        "like",
    }
    if noun.lemma_ in {"job", "position", "role"} and fresh:
        return "new job"
    if noun.lemma_ in {"job", "position", "role"} and verb.lemma_ in START_VERB:
        found = _preposition(noun, "as", "at", "with", "in") or _preposition(verb, "as", "at", "in")
        return _value(reading, found[1]) if found else "new job"
    denied = any(t.lower_ == "no" for t in noun.children)
    is_job = noun.dep_ == "attr" and noun.lemma_.lower() in JOB_NOUN and not denied
    if verb.lemma_ in {"be", "become"} and is_job:
        return attribute_key(_noun_phrase(reading, noun))
    return ""


def _name(reading: Reading) -> Fact | None:
    """Ana's dog is called Biscuit; Ana has a dog named Biscuit."""
    head = reading.head
    if head.lemma_ in {"call", "name"} and head.tag_ == "VBN":
        subject, name = subject_of(head), _child(head, "oprd", "dobj", "attr")
        if subject is not None and name is not None:
            owner, rest = _owner(reading, subject)
            what = f"{rest}'s name" if owner else "name"
            return Fact(owner or rest, what, _value(reading, name))
    noun = _child(head, "dobj") if head.lemma_ in {"have", "adopt", "get"} else None
    named = _child(noun, "acl") if noun is not None else None
    if noun is None or named is None or named.lemma_ not in {"name", "call"}:
        return None
    name = _child(named, "oprd", "dobj", "attr")
    if name is None:
        return None
    return Fact(_subject(reading), f"{noun.lemma_.lower()}'s name", _value(reading, name))


def _possession(reading: Reading) -> Fact | None:
    """Ana's favourite colour is blue: Ana, favourite colour, blue."""
    head = reading.head
    subject, what = subject_of(head), _child(head, "attr")
    if head.lemma_ != "be" or subject is None or subject.pos_ not in {"NOUN", "PROPN"}:
        return None
    owner, rest = _owner(reading, subject)
    if not owner or not rest:
        return None
    place = _preposition(head)
    valued = subject.lemma_.lower() in {"birthday", "name", "number"} or rest.startswith(
        "favourite"
    )
    if what is None and (place is None or not valued) and not rest.startswith("favourite"):
        return None
    if what is not None and what.lemma_.lower() in JOB_NOUN:
        return None
    complement = what or _child(head, "acomp") or (place[1] if place else None)
    return Fact(owner, rest, _value(reading, complement))


def _state(reading: Reading) -> Fact | None:
    """Ana is thirty, Ana is engaged, Ana turned 30."""
    head = reading.head
    adjective = _child(head, "acomp", "attr", *(("dobj",) if head.lemma_ == "turn" else ()))
    if adjective is None:
        return None
    words = _subtree(reading, adjective).casefold()
    if head.lemma_ in {"be", "turn", "get"} and re.search(r"years? old|^\d{1,2}$", words):
        number = next((t.lower_ for t in adjective.subtree if t.like_num), words)
        return Fact(_subject(reading), "age", number)
    counted = words in NUMBER_WORD and words != "one"
    if head.lemma_ in {"be", "turn"} and counted and _is_someone(head):
        return Fact(_subject(reading), "age", words)
    if adjective.lemma_.lower() in STATUS_ADJ:
        return Fact(_subject(reading), "relationship status", adjective.lemma_.lower())
    return None


def _is_someone(head: Token) -> bool:
    subject = subject_of(head)
    return subject is not None and (
        subject.lower_ in {"i", "you", "he", "she"} or names_person(subject)
    )


def _copula(reading: Reading) -> Fact | None:
    head = reading.head
    what = _child(head, "attr", "acomp")
    if head.lemma_ != "be" or what is None:
        return None
    return Fact(_subject(reading), "be", _value(reading, what))


def _verb_fact(reading: Reading) -> Fact:
    head = reading.head
    verb = _last_verb(head)
    target = _child(verb, *_OBJECTS)
    found = None if target is not None else _preposition(verb)
    particle = _child(verb, "prt")
    lemmas = [_relation(head)] if verb.i != head.i else []
    lemmas += [verb.lemma_.lower(), particle.lower_ if particle is not None else ""]
    lemmas += [found[0] if found else ""]
    value = _value(reading, target, found[1] if found else None, _child(verb, "acomp", "ccomp"))
    return Fact(_subject(reading), " ".join(w for w in lemmas if w), value)


def _relation(head: Token) -> str:
    return "former" if _used_to(head) else head.lemma_.lower()


def _used_to(head: Token) -> bool:
    return head.lower_ == "used" and any(t.dep_ == "xcomp" for t in head.children)


def _last_verb(head: Token) -> Token:
    """The verb that carries the object: in "want to start learning" it is "learning"."""
    for _ in range(4):
        inner = next(
            (t for t in head.children if _continues(t, head) and t.pos_ in {"VERB", "AUX"}), None
        )
        if inner is None:
            return head
        head = inner
    return head


def _continues(verb: Token, head: Token) -> bool:
    """Whether a verb goes on with its head: "want to go", and "gonna go" as it is parsed."""
    after_going = head.lower_ == "gon" and verb.dep_ == "advcl" and verb.i > head.i
    return verb.dep_ == "xcomp" or after_going


def _former(rule: Callable[[Reading], Fact | None]) -> Callable[[Reading], Fact | None]:
    """A rule whose attribute is marked where the clause says "used to"."""

    def marked(reading: Reading) -> Fact | None:
        fact = rule(reading)
        if fact is None or not _used_to(reading.head):
            return fact
        return Fact(fact.subject, f"former {fact.attribute}", fact.value)

    return marked


_RULES: Final[tuple[Callable[[Reading], Fact | None], ...]] = (
    _event_subject,
    _event_object,
    _travel,
    _former(_home),
    _former(_job),
    _name,
    _possession,
    _state,
    _copula,
)

# ------------------------------------------------------------------ modality

_MIGHT: Final = frozenset({"might", "may", "could", "would", "should", "'d"})
_PERHAPS: Final = frozenset({"maybe", "perhaps", "possibly", "probably"})
_NEVER: Final = frozenset({"never", "nobody", "nothing", "none", "neither", "nowhere"})


def modality_of(reading: Reading, fact: Fact) -> Modality:
    """Return how the clause is meant; doubt outweighs plan, and plan outweighs negation."""
    head = reading.head
    if _doubted(reading, head):
        return Modality.HYPOTHETICAL
    if fact.attribute.startswith("plan:"):
        return Modality.NEGATED if fact.value == "cancelled" else Modality.PLANNED
    waits = head.lemma_ == "wait" and any(t.lower_ in {"can", "ca"} for t in head.children)
    if (_negated(head) or _negated(reading.clause.head)) and not waits:
        return Modality.NEGATED
    planned = _plans(reading) or reading.future or waits
    return Modality.PLANNED if planned else Modality.ASSERTED


def _doubted(reading: Reading, head: Token) -> bool:
    helpers = {t.lower_ for t in auxiliaries(head) if t.lower_ != "'d" or not is_had(t)}
    words = {t.lower_ for t in head.children}
    if helpers & _MIGHT or words & _PERHAPS:
        return not (helpers & {"could"} and words & {"n't", "not"})
    if any(t.dep_ == "advcl" and _child(t, "mark") is not None
           and str(_child(t, "mark")).lower() in {"if", "unless"} for t in head.children):  # fmt: skip
        return True
    whole = {t.lemma_.lower() for t in reading.clause.tokens}
    wishing = head.lemma_ in {"wish", "consider", "dream", "wonder"}
    return wishing or (head.lemma_ == "think" and bool({"about", "of"} & whole)
                       and head.tag_ == "VBG")  # fmt: skip


def _negated(head: Token) -> bool:
    for token in head.children:
        if token.dep_ == "neg" or token.lower_ in _NEVER:
            return True
        if token.lower_ in {"longer", "more", "anymore"} and any(
            t.lower_ in {"no", "not"} for t in token.subtree
        ):
            return True
        if token.dep_ in {"dobj", "attr", "nsubj"} and any(
            t.dep_ == "det" and t.lower_ == "no" for t in token.children
        ):
            return True
    return False


def _plans(reading: Reading) -> bool:
    head = reading.head
    helpers = {t.lower_ for t in auxiliaries(head)}
    if helpers & {"will", "'ll", "wo", "shall"}:
        return True
    infinitive = any(_continues(t, head) and t.tag_ == "VB" for t in head.children)
    if head.lower_ in {"going", "gon"} and infinitive:
        return True
    if _progressive(head) and head.lemma_ in TRAVEL_VERB | {"move"} and _preposition(head, "to"):
        return True
    return head.lemma_ in PLAN_VERB and head.tag_ != "VBD" and (
        infinitive or head.lemma_ in {"plan", "intend", "aim"}
    )  # fmt: skip
