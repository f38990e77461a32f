"""A short answer and the question it answers, as one statement in the third person.

"What's your dog's name?" - "Biscuit." gives "Ana's dog's name is Biscuit". The question is turned
round on its parse; a question that cannot be turned (no finite verb, no subject) gives nothing,
since a wrong join invents a fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution.clauses import auxiliaries, is_finite, subject_of
from memcore.evolution.inflection import past, third_person
from memcore.evolution.lexicon import GREETING, NO, YES
from memcore.evolution.pieces import Piece, joined
from memcore.evolution.pronouns import Scene
from memcore.evolution.wording import word_of

LONGEST_ANSWER: Final = 12
"""Words; a longer fragment is no answer of one word."""
_STAYING: Final = frozenset({"live", "stay", "work", "study"})
_WH: Final = frozenset({"WP", "WDT", "WRB", "WP$"})


@dataclass(frozen=True, slots=True)
class Joined:
    """A question turned into a statement with its answer."""

    text: str
    negated: bool = False


def polarity(sentence: Span) -> bool | None:
    """Return whether the sentence begins with a yes (True) or a no (False)."""
    words = [t.lower_ for t in sentence if not t.is_punct and not t.is_space]
    if not words or words[0] not in YES | NO:
        return None
    return words[0] in YES


def is_short(sentence: Span) -> bool:
    """Whether the sentence is a fragment without a verb of its own: a possible answer."""
    words = [t for t in sentence if not t.is_punct and not t.is_space]
    if not words or words[0].lower_ in GREETING - YES - NO or words[0].tag_ == "VB":
        return False
    return 0 < len(words) <= LONGEST_ANSWER and not any(
        is_finite(t) and subject_of(t) is not None for t in words
    )


def asks_polar(question: Span) -> bool:
    """Whether the question wants yes or no."""
    return not any(t.tag_ in _WH for t in question[:3]) and bool(_opening(question))


def _opening(question: Span) -> Token | None:
    """The verb that stands before the subject."""
    head = question.root
    subject = subject_of(head)
    verbs = (*auxiliaries(head), *([head] if head.pos_ == "AUX" else []))
    return next((t for t in verbs if subject is not None and t.i < subject.i), None)


def join(question: Span, answer: str, scene: Scene) -> Joined | None:
    """Return the statement that a fragment makes of a wh-question; `scene` is the asker's, so "you" answers."""
    head, opening = question.root, _opening(question)
    subject = subject_of(head)
    wh = next((t for t in question if t.tag_ in _WH), None)
    if wh is None or subject is None:
        return None
    if opening is None:
        return _subject_question(question, wh, answer, scene)
    phrase = (*_phrase(wh, head), *(t for t in question if t.lower_ == "else"))
    taken = {t.i for t in phrase}
    rest = [t for t in question if t.i not in taken and not t.is_punct and t.i != opening.i]
    return _arranged(rest, _Question(head, opening, subject, wh, phrase), answer, scene)


@dataclass(frozen=True, slots=True)
class _Question:
    head: Token
    opening: Token
    subject: Token
    wh: Token
    phrase: tuple[Token, ...]


def _phrase(wh: Token, head: Token) -> tuple[Token, ...]:
    """The wh word with the noun it asks for: "what colour", "how many kids", "how long"."""
    top = wh
    while top.head.i != head.i and top.head.dep_ != "ROOT" and top.head.i > top.i:
        top = top.head
    inside = tuple(t for t in top.subtree if t.i <= top.i)
    return inside if wh in inside else (wh,)


def _arranged(rest: list[Token], asked: _Question, answer: str, scene: Scene) -> Joined | None:
    if (
        asked.wh.lower_ == "how"
        and asked.phrase[-1].i == asked.wh.i
        and not _tells_how(asked, answer)
    ):
        return None
    subject_words = {t.i for t in asked.subject.subtree}
    front = [t for t in rest if t.i in subject_words]
    back = [t for t in rest if t.i not in subject_words and t.i > asked.opening.i]
    subject = _said(front, scene)
    if not subject or subject.casefold() in {"you", "it", "that", "this"}:
        return None
    verb = _verb(asked, scene)
    value = _value(asked, answer)
    if asked.head.lemma_ == "be" and asked.head.i == asked.opening.i:
        return Joined(f"{subject} {verb} {_said(back, scene)} {value}")
    after = [t for t in back if t.i != asked.head.i]
    if _asks_object(asked):
        near = [t for t in after if t.dep_ in {"prt", "xcomp", "aux"} or (t.dep_ == "prep"
                and not list(t.children))]  # fmt: skip
        far = [t for t in after if t not in near]
        return Joined(f"{subject} {verb} {_said(near, scene)} {value} {_said(far, scene)}")
    late = [t for t in after if t.dep_ in {"advmod", "npadvmod"} and t.head.i == asked.head.i]
    near = [t for t in after if t not in late and not any(t in late for t in t.ancestors)]
    late = [t for t in after if t not in near]
    return Joined(f"{subject} {verb} {_said(near, scene)} {value} {_said(late, scene)}")


def _asks_object(asked: _Question) -> bool:
    return asked.wh.tag_ in {"WP", "WDT"} or asked.phrase[-1].pos_ == "NOUN"


def _verb(asked: _Question, scene: Scene) -> str:
    """The verb of the statement: "did go" becomes "went", "do live" becomes "lives"."""
    head, opening = asked.head, asked.opening
    single = asked.subject.lower_ in {"you", "i", "u"} and not any(
        t.dep_ == "conj" for t in asked.subject.children
    )
    if opening.i == head.i:
        return third_person(opening.lower_) if single else word_of(opening, scene)
    if opening.lemma_ == "do":
        if opening.lower_ in {"did", "'d"}:
            return past(head.lemma_)
        return third_person(head.lemma_) if single or opening.lower_ == "does" else head.lemma_
    finite = opening.tag_ in {"VBP", "VBD"} and single and opening.lower_ != "had"
    helper = third_person(opening.lower_) if finite and opening.lower_ != "was" else word_of(
        opening, scene
    )  # fmt: skip
    return f"{helper} {word_of(head, scene)}"


def _value(asked: _Question, answer: str) -> str:
    """The answer with the words its place wants: "in Lyon", "three kids", "because ..."."""
    low, wh = answer.lower(), asked.wh.lower_
    if wh == "how":
        return _amount(asked, answer)
    if wh == "why" and not low.startswith(("because", "to ", "for ", "due ", "so ")):
        return f"because {answer}"
    bare = not low.startswith(("in ", "at ", "near ", "on ", "by ", "to ", "from ", "with "))
    doing = any(t.dep_ in {"xcomp", "advcl"} and t.tag_ == "VBG" for t in asked.head.children)
    if wh == "where" and bare and (doing or asked.head.lemma_ in _STAYING):
        return f"in {answer}"
    if wh == "where" and bare and asked.head.lemma_ in {"go", "move", "travel", "fly"}:
        return f"to {answer}"
    return answer


def _amount(asked: _Question, answer: str) -> str:
    low, noun = answer.lower(), asked.phrase[-1]
    if noun.lower_ == "old" and "old" not in low:
        return f"{answer} old" if "year" in low else f"{answer} years old"
    counted = noun.pos_ == "NOUN" and noun.lower_ not in low and len(answer.split()) <= 2
    return f"{answer} {noun.lower_}" if counted else answer


def _subject_question(question: Span, wh: Token, answer: str, scene: Scene) -> Joined | None:
    """Turn "Who taught you to cook?" and "My aunt" into one statement."""
    if wh.i != question.start or not is_finite(question.root):
        return None
    phrase = {t.i for t in (*_phrase(wh, question.root), *question) if t.lower_ == "else"}
    phrase |= {t.i for t in _phrase(wh, question.root)}
    rest = [t for t in question if t.i not in phrase and not t.is_punct]
    return Joined(f"{answer} {_said(rest, scene)}") if len(rest) > 1 else None


def confirm(question: Span, yes: bool, scene: Scene) -> Joined | None:
    """Return what a yes or no says to a polar question put to the speaker."""
    head, opening, subject = question.root, _opening(question), subject_of(question.root)
    open_ended = any(t.lower_ in {"anything", "anyone", "anybody", "something"} for t in question)
    open_ended = open_ended or any(t.lower_ == "any" and t.dep_ != "det" for t in question)
    if opening is None or subject is None or (yes and open_ended) or _is_name(head):
        return None
    subject_words = {t.i for t in subject.subtree}
    asked = _Question(head, opening, subject, opening, ())
    back = [t for t in question if t.i > opening.i and t.i not in subject_words and not t.is_punct]
    back = [t for t in back if t.lower_ not in ({"ever", "any", "not", "n't"} if yes else {"ever"})]
    words = _said(list(subject.subtree), scene)
    if not words or words.casefold() in {"you", "it", "that", "this", "there"}:
        return None
    helper, verb = _split_verb(asked, scene)
    after = _said([t for t in back if t.i != head.i], scene)
    before = _said([t for t in back if t.i < head.i], scene) if head.i != opening.i else ""
    after = _said([t for t in back if t.i > head.i], scene) if head.i != opening.i else after
    if yes:
        shown = verb if helper in {"does", "do", "did"} else f"{helper} {before} {verb}"
        shown = _verb(asked, scene) if helper in {"does", "do", "did"} else shown
        return Joined(f"{words} {shown} {after}")
    bare = head.lemma_ if helper in {"does", "do", "did"} else verb
    return Joined(f"{words} {helper} not {before} {bare} {after}", negated=True)


def _is_name(head: Token) -> bool:
    """Whether the parse takes a name for the verb: "Are Ana and MaY still friends?"."""
    return head.i > head.sent.start and not head.text.islower()


def _split_verb(asked: _Question, scene: Scene) -> tuple[str, str]:
    """The helping verb in the third person, and the main verb."""
    if asked.head.i == asked.opening.i:
        return _verb(asked, scene), ""
    single = asked.subject.lower_ in {"you", "i", "u"}
    low = asked.opening.lower_
    changes = asked.opening.tag_ in {"VBP", "VB"} or low == "were"
    helper = third_person(low) if single and changes else word_of(asked.opening, scene)
    return helper, word_of(asked.head, scene)


def _said(tokens: list[Token], scene: Scene) -> str:
    return joined(
        Piece(t, _word(t, scene), at == 0 or bool(t.nbor(-1).whitespace_))
        for at, t in enumerate(tokens)
    )


def _word(token: Token, scene: Scene) -> str:
    """The word in the third person; a verb under the question's "you" agrees with the name."""
    subject = subject_of(token)
    agrees = token.tag_ == "VBP" and subject is not None and subject.lower_ in {"you", "i", "u"}
    return (
        third_person(token.lower_) if agrees and not auxiliaries(token) else word_of(token, scene)
    )


def _tells_how(asked: _Question, answer: str) -> bool:
    """Whether the answer fits a bare "how": a way, or what something was like."""
    return asked.head.lemma_ == "be" or answer.lower().startswith(("by ", "with ", "through "))
