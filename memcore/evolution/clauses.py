"""A parsed turn to clauses with a finite verb, each with what kind of act it is.

A clause is one main verb with all that hangs on it; a second verb that is joined by "and" and has
a finite form of its own is a clause of its own and takes over the subject. Subordinate clauses stay
where they are, since "because" and "if" change what is claimed. Splitting at punctuation was tried
in thought and turned down: lists and appositions would break.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from spacy.tokens import Span, Token

from memcore.evolution.lexicon import (
    EVALUATIVE,
    GREETING,
    REACTION_VERB,
    REPORT,
    TIME_NOUN,
    VAGUE_NOUN,
)
from memcore.evolution.parsing import Page

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")
_FINITE = ("VBD", "VBP", "VBZ", "MD")
_DEICTIC = frozenset({"it", "that", "this", "these", "those", "they", "which", "there"})
_DASHES = frozenset({"-", "–", "—", "--", ";"})
_BY_THE_WAY = ["by", "the", "way"]
_ASIDES = (
    ["by", "the", "way"],
    ["trust", "me", ","],
    ["believe", "me", ","],
    ["thanks", "for", "asking"],
)
"""What is said to the other before the clause proper."""
_HAILS = frozenset({"hi", "hello", "hey", "oh", "wow", "whoa", "woah", "yes", "yeah", "yep"})
_MATTERING = frozenset({"matters", "counts", "helps", "works", "rocks", "pays"})
_PROMISING = frozenset({"i", "we", "promise", "swear", "bet", "guess", "do", "will"})
_COMPLEMENTS = frozenset({"dobj", "attr", "acomp", "xcomp", "ccomp"})
_EDGE_DEPS = ("intj", "cc", "punct", "preconj", "discourse")
_OPEN = frozenset('"“«')
_CLOSE = frozenset('"”»')


ADVISING = frozenset({"should", "could", "can", "might", "must", "need", "ought", "try"}) - {"must"}
_ORDERED = frozenset({"forget", "worry", "hesitate", "let", "sweat", "stress"})
_GUESSING = frozenset({"know", "see", "imagine", "bet", "guess", "think", "hope", "understand"})


class Act(StrEnum):
    """What a clause does in the talk."""

    STATEMENT = "statement"
    ADVICE = "advice"
    QUESTION = "question"
    REACTION = "reaction"
    FRAGMENT = "fragment"


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of one clause; `subject` may stand in an earlier clause or be left unsaid.

    `shared` says that the subject's words are not among `tokens`.
    """

    page: Page
    head: Token
    tokens: tuple[Token, ...]
    subject: tuple[Token, ...] = ()
    shared: bool = False
    elided: bool = False


def auxiliaries(head: Token) -> tuple[Token, ...]:
    """The helping verbs of a verb, as said."""
    return tuple(t for t in head.children if t.dep_ in {"aux", "auxpass"})


def subject_of(head: Token) -> Token | None:
    """The head word of the verb's own subject; of two, "Hi Ben, ... I ...", the speaker."""
    found = [t for t in head.children if t.dep_ in SUBJECTS]
    return next((t for t in found if t.lower_ in {"i", "we"}), found[0] if found else None)


def is_finite(head: Token) -> bool:
    """Whether the word, with its helpers, is a finite verb."""
    helpers = auxiliaries(head)
    if head.tag_ in _FINITE or any(t.tag_ in _FINITE for t in helpers):
        return head.pos_ in {"VERB", "AUX"} or bool(helpers)
    subject = subject_of(head)
    bare = head.tag_ == "VB" and not helpers and subject is not None
    return bare and subject is not None and subject.i < head.i


def clauses(page: Page, sentence: Span, names: tuple[str, ...] = ()) -> tuple[Clause, ...]:
    """Return the clauses of a sentence, as said; `names` are left out where they only address."""
    heads = tuple(sorted(_heads(sentence.root), key=lambda t: t.i))
    found = (_clause(page, head, heads, names) for head in heads)
    return tuple(clause for clause in found if clause.tokens)


def _heads(root: Token) -> Iterator[Token]:
    todo = [root]
    while todo:
        head = todo.pop()
        yield head
        todo.extend(t for t in head.children if _stands_alone(t, head))


def _stands_alone(word: Token, head: Token) -> bool:
    if word.dep_ == "conj":
        return is_finite(word) and is_finite(head)
    if _opens_unsaid(word, head):
        return True
    if word.dep_ not in {"ccomp", "parataxis", "dep"} or not is_finite(word):
        return False
    if subject_of(word) is None or any(
        t.dep_ == "mark" or t.tag_ in {"WDT", "WP", "WRB"} for t in word.children
    ):
        return False
    return not _reports(head) and (word.i < head.i or _parted(word))


def _opens_unsaid(word: Token, head: Token) -> bool:
    """Whether a clause of its own opens the sentence: "Lost my job, so I ...", "Trying it - it ...".

    Its subject, the speaker, is left unsaid; the clause after the mark has one.
    """
    said = subject_of(head)
    loose = (
        word.dep_ in {"advcl", "ccomp", "csubj", "dep", "parataxis"} and word.i == word.sent.start
    )
    if not loose or word.tag_ not in {"VBD", "VBN", "VBG"} or said is None or said.i <= word.i:
        return False
    inside = [t for t in word.subtree if t.i < said.i]
    after = word.doc[inside[-1].i + 1 : said.i]
    parted = inside[-1].is_punct or any(t.is_punct for t in after)
    resumed = word.tag_ != "VBG" or said.lower_ in {"it", "that", "this"}
    return (
        parted
        and resumed
        and any(t.dep_ in {"dobj", "prep", "xcomp", "ccomp"} for t in word.children)
    )


def _reports(head: Token) -> bool:
    """Whether the verb tells what somebody thinks or says: what it tells stays with it."""
    subject = subject_of(head)
    return head.lemma_ in REPORT and subject is not None and subject.lower_ not in {"it", "that"}


def _parted(word: Token) -> bool:
    """Whether a mark stands before the words of the clause."""
    start = word.left_edge.i
    return start > 0 and word.doc[start - 1].text in {",", "-", "–", "—", ";", ":", "..."}


def _clause(page: Page, head: Token, heads: tuple[Token, ...], names: tuple[str, ...]) -> Clause:
    others = {
        t.i for other in heads if other.i != head.i and head.is_ancestor(other)
        for t in other.subtree
    }  # fmt: skip
    mine = sorted((t for t in head.subtree if t.i not in others and not t.is_space), key=_place)
    tokens = _trimmed(mine, names)
    own = subject_of(head)
    if own is not None and own.i in others:
        own = None
    if own is not None:
        return Clause(page, head, tokens, tuple(t for t in own.subtree if t.i not in others))
    lender = _lender(head)
    if lender is not None:
        return Clause(page, head, tokens, tuple(lender.subtree), shared=True)
    return Clause(page, head, tokens, elided=True)


def _place(token: Token) -> int:
    """Where the word stands; the subtree of a crossing parse is not in this order."""
    return token.i


def _lender(head: Token) -> Token | None:
    while head.dep_ == "conj":
        head = head.head
        subject = subject_of(head)
        if subject is not None:
            return subject
    return None


def _trimmed(tokens: list[Token], names: tuple[str, ...]) -> tuple[Token, ...]:
    start, end = 0, len(tokens)
    for aside in _ASIDES:
        if [t.lower_ for t in tokens[: len(aside)]] == aside and len(tokens) > len(aside) + 1:
            start = len(aside)
    if [t.lower_ for t in tokens[-3:]] == _BY_THE_WAY:
        end -= 3
    while start < end and (_is_edge(tokens, start) or _calls(tokens, start, 1, names)):
        start += 1
    while end > start and (_is_tail(tokens, end - 1) or _calls(tokens, end - 1, -1, names)):
        end -= 1
    return tuple(tokens[start:end])


def _calls(tokens: list[Token], at: int, step: int, names: tuple[str, ...]) -> bool:
    """Whether the word is the name of one spoken to, set off by a mark."""
    word = tokens[at].lower_
    beside = tokens[at + step].text if 0 <= at + step < len(tokens) else ","
    named = any(name.casefold().startswith(word) for name in names)
    return named and len(word) > 1 and tokens[at].text[:1].isupper() and beside in {",", "!", "-"}


def _is_edge(tokens: list[Token], at: int) -> bool:
    token = tokens[at]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if token.is_punct or token.dep_ in _EDGE_DEPS:
        return token.text not in _OPEN
    if token.lower_ in {"yep", "yup", "yeah", "nah", "hey", "oh", "wow"} or _hails(tokens, at):
        return True
    if token.lower_ in GREETING and (following in {",", "!", "-", "..."} or token.pos_ == "INTJ"):
        return True
    if token.lower_ in {"so", "plus", "anyway", "well", "btw", "also"} and token.dep_ == "advmod":
        return token.lower_ != "so" or token.head.pos_ in {"VERB", "AUX"}
    return token.pos_ == "PROPN" and following in {",", "!"} and token.dep_ in {"npadvmod", "dep"}


def _hails(tokens: list[Token], at: int) -> bool:
    """Whether the word greets by name: "Hi Ben, ..."."""
    after = [t.text for t in tokens[at + 1 : at + 3]]
    greets = tokens[at].lower_ in _HAILS and len(after) > 1
    return greets and after[0].istitle() and after[1] in {",", "!"}


def _is_tail(tokens: list[Token], at: int) -> bool:
    token = tokens[at]
    before = tokens[at - 1].text if at else ""
    if token.is_punct and token.text not in _CLOSE:
        return True
    if token.dep_ in {"cc", "intj"} or token.lower_ in {"lol", "haha", "tho", "btw"}:
        return True
    named = token.pos_ == "PROPN" and token.dep_ in {"npadvmod", "dep", "intj", "vocative"}
    return named and before in {",", "!"}


# ------------------------------------------------------------------ acts


def act(clause: Clause, sentence: Span, last: bool) -> Act:
    """Return what the clause does; `last` says that the sentence's mark belongs to it."""
    if _asks(clause, sentence, last):
        return Act.QUESTION
    if _orders(clause.head):
        return Act.ADVICE
    if not is_finite(clause.head) or clause.elided:
        return _without_subject(clause)
    if clause.shared and _disagrees(clause):
        return Act.FRAGMENT
    return Act.REACTION if _reacts(clause) else Act.STATEMENT


def _orders(head: Token) -> bool:
    """Whether a second verb is an order, "... but don't forget", and not the subject's."""
    denied = {t.lower_ for t in head.children} >= {"do", "n't"}
    return head.dep_ == "conj" and denied and head.lemma_ in _ORDERED and subject_of(head) is None


def _asks(clause: Clause, sentence: Span, last: bool) -> bool:
    subject = subject_of(clause.head)
    verbs = (*auxiliaries(clause.head), clause.head)
    inverted = subject is not None and any(v.i < subject.i for v in verbs if v.pos_ == "AUX")
    told = subject is not None and subject.lower_ in {"i", "we"} and not inverted
    if last and not (told and _ends_apart(clause)) and "?" in {t.text[:1] for t in sentence[-3:]}:
        return True
    if subject is None or subject.dep_ == "expl":
        return False
    first = clause.tokens[0]
    return inverted and (first.tag_ in {"WP", "WDT", "WRB"} or first in verbs)


def _ends_apart(clause: Clause) -> bool:
    """Whether the last words are a question of their own: "I lost it - any idea where?"."""
    marks = [n for n, t in enumerate(clause.tokens) if t.text in _DASHES]
    if not marks:
        return False
    tail = clause.tokens[marks[-1] + 1 :]
    return bool(tail) and clause.head not in tail and not any(is_finite(t) for t in tail)


def _without_subject(clause: Clause) -> Act:
    head, first = clause.head, clause.tokens[0]
    if clause.elided and first.lower_ in {"gon", "been"}:
        return Act.STATEMENT if _goes_on(clause) else Act.FRAGMENT
    if head.tag_ == "VB" and not auxiliaries(head):
        return Act.ADVICE if head.i - first.i <= 2 else Act.FRAGMENT
    if (head.tag_ == "VBG" and _hopes_own(head)) or _awaits(clause):
        return Act.STATEMENT
    if head.tag_ == "VBG" and _names_activity(clause):
        return Act.FRAGMENT
    told = head.tag_ == "VBD" or (head.tag_ in {"VBN", "VBG"} and head.i - first.i <= 2)
    content = [t for t in clause.tokens if t.pos_ in {"NOUN", "PROPN", "NUM"}]
    says = told and head.pos_ == "VERB" and content and head.lemma_ not in REACTION_VERB
    mine = any(t.lower_ == "me" for c in head.children for t in (c, *c.children))
    idle = mine or first.lower_ in {"fingers", "sounds", "looks"} or _likes_yours(head)
    return Act.STATEMENT if clause.elided and says and not idle else Act.FRAGMENT


def _names_activity(clause: Clause) -> bool:
    """Whether the -ing form is no verb of the speaker's.

    "Hiking up was great"; "Having friends matters", whose verb is read as a noun; "Finding a flat's
    a tough job", whose "'s" is read as an owner's.
    """
    finite = any(is_finite(t) for t in clause.head.subtree if t.i != clause.head.i)
    return finite or clause.tokens[-1].lower_ in _MATTERING or _joins_verb(clause)


def _disagrees(clause: Clause) -> bool:
    """Whether a lent subject cannot be that of the verb: "... that I have it makes life easier"."""
    lent = {t.lower_ for t in clause.subject}
    return clause.head.tag_ == "VBZ" and not auxiliaries(clause.head) and bool(lent & {"i", "we"})


def _awaits(clause: Clause) -> bool:
    """Whether the speaker looks forward to something: "Can't wait for tomorrow's opening"."""
    words = {t.lower_ for t in clause.tokens}
    waits = clause.head.lemma_ == "wait" and "ca" in words and not words & {"you", "your", "it"}
    return (
        waits and clause.elided and any(t.pos_ == "NOUN" and has_content(t) for t in clause.tokens)
    )


def _hopes_own(head: Token) -> bool:
    """Whether the speaker hopes something for what is their own: "Hoping my film gets seen"."""
    inner = next((t for t in head.children if t.dep_ == "ccomp"), None)
    about = subject_of(inner) if inner is not None else None
    if head.lemma_ not in {"hope", "hop", "wish"} or about is None:  # "hoping" gives "hop"
        return False
    return any(t.lower_ in {"i", "we", "my", "our"} for t in about.subtree)


def _joins_verb(clause: Clause) -> bool:
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    return any(t.lower_ == "'s" and after.tag_ == "DT" for t, after in pairs)


def _goes_on(clause: Clause) -> bool:
    """Whether "Gonna ..." or "Been ..." tells of the speaker: "Gonna be a great night" does not."""
    rest = clause.tokens[1:] if clause.tokens[0].lower_ == "been" else clause.tokens[2:]
    spent = clause.head.lemma_ == "be" and any(t.dep_ == "attr" and is_time(t) for t in rest)
    since = clause.head.lemma_ == "be" and any(t.lower_ == "since" for t in rest[:3])
    if spent or since:
        return False  # "Been a crazy few days", "Been ages since ...": the days, not the speaker
    return bool(rest) and rest[0].lower_ != "be" and any(has_content(t) for t in rest)


def _likes_yours(head: Token) -> bool:
    """Whether it is as "Loving your style!", which is of the one spoken to."""
    fond = head.lemma_ in {"love", "like", "enjoy"}
    return fond and any(t.lower_ == "your" for t in head.subtree)


def _reacts(clause: Clause) -> bool:
    head = clause.head
    subject = clause.subject[-1] if clause.subject else head
    words = {t.lower_ for t in clause.tokens}
    if _is_cut(head, subject) or _is_idle(clause, subject) or _wishes_luck(clause):
        return True
    content = [t for t in clause.tokens if has_content(t) and t not in clause.subject]
    if not content or (clause.shared and len(clause.tokens) <= 1):
        named = any(t.pos_ in {"NOUN", "PROPN"} and has_content(t) for t in clause.subject)
        return not named or clause.shared or bool(words & EVALUATIVE)
    if subject.lower_ in _DEICTIC:
        return _praises(clause, subject, content)
    return bool({"glad", "sorry", "proud"} & words) and bool(
        {"you", "your", "hear", "that"} & words
    )


def _wishes_luck(clause: Clause) -> bool:
    """Whether nothing is told: "I promise", "Fingers crossed"."""
    said = {t.lemma_.lower() for t in clause.tokens if t.is_alpha}
    return said <= _PROMISING or {"finger", "cross"} <= said or {"agree", "more"} <= said


def _is_idle(clause: Clause, subject: Token) -> bool:
    """Whether the speaker only greets, guesses at the other, or announces something."""
    head = clause.head
    if subject.lower_ in {"i", "we"}:
        return (head.lemma_ in REACTION_VERB and not _hopes_own(head)) or _guesses(head)
    announced = head.lemma_ == "happen" and subject.lemma_.lower() in VAGUE_NOUN
    return announced or _values_other(clause, subject)


def _values_other(clause: Clause, subject: Token) -> bool:
    """Whether "it" or "that" values what the other did: "It must feel great to be asked"."""
    words = {t.lower_ for t in clause.tokens}
    if subject.lower_ not in {"it", "that", "this"}:
        return False
    must = any(t.lower_ == "must" for t in auxiliaries(clause.head))
    return must or bool(words & EVALUATIVE and words & {"you", "your", "yourself"})


def _guesses(head: Token) -> bool:
    """Whether the speaker only guesses at the other: "I can see why you like it"."""
    inner = next((t for t in head.children if t.dep_ == "ccomp"), None)
    about = subject_of(inner) if inner is not None else None
    if head.lemma_ not in _GUESSING or inner is None or about is None:
        return False
    yours = any(t.lower_ in {"you", "your", "u", "ya"} for t in about.subtree)
    return yours and not {t.lower_ for t in auxiliaries(inner)} & ADVISING


def _is_cut(head: Token, subject: Token) -> bool:
    """Whether the verb is left out ("I will"), or the subject is an order's ("... don't stop")."""
    if subject.tag_ == "VBG" and any(t.lower_ == "do" for t in auxiliaries(head)):
        return True
    parts = {t.dep_ for t in head.children}
    return head.pos_ == "AUX" and head.lemma_ != "be" and not parts & _COMPLEMENTS


def _praises(clause: Clause, subject: Token, content: list[Token]) -> bool:
    """Whether "that" or "it" is only valued, not told of."""
    praise = any(t.lower_ in EVALUATIVE or t.lower_ == "must" for t in clause.tokens)
    if (
        subject.lower_ in {"that", "this", "these", "those"}
        and clause.head.lemma_ == "be"
        and praise
    ):
        return True
    return not any(t.pos_ in {"NOUN", "PROPN", "NUM", "VERB"} for t in content)


def has_content(token: Token) -> bool:
    """Whether the word says something by itself."""
    if token.lemma_.lower() in VAGUE_NOUN or token.lower_ in GREETING or token.is_punct:
        return False
    if token.pos_ in {"NOUN", "PROPN", "NUM"}:
        return True
    if token.pos_ == "ADJ":
        return token.lemma_.lower() not in EVALUATIVE
    return token.pos_ == "VERB" and token.lemma_ not in REPORT and token.lemma_ not in LIGHT


LIGHT = frozenset(
    [
        "be",
        "have",
        "do",
        "get",
        "go",
        "come",
        "let",
        "make",
        "take",
        "see",
        "look",
        "sound",
        "seem",
        "keep",
        "need",
        "want",
    ]
)


def is_time(token: Token) -> bool:
    """Whether the noun names a time, so that it is no thing or person."""
    return token.lemma_.lower() in TIME_NOUN or token.lower_.rstrip("s") in TIME_NOUN
