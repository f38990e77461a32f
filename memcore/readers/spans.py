"""The stretches of an English sentence that may stand as an answer, and what speaks for each.

Chosen: constituents of the parse (a noun with its own words, with or without what hangs behind it,
a verb with its complements but without its subject, a quoted title, the whole sentence), each
described by plain features: its place beside the words of the question, what kind of thing it
names, its length. `weights` says what each counts; what its sentence counts is in `guesses`.
Turned down: an answer model, since no package carries weights for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memcore.annotate.keys import STOP_WORDS, stem
from memcore.readers.asked import Wish
from memcore.types import QuestionType

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Features = tuple[tuple[str, float], ...]

_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 20
_NO_HEAD: Final = frozenset(
    {"PRON", "PUNCT", "DET", "AUX", "INTJ", "CCONJ", "SCONJ", "PART", "SPACE"}
)
_NO_START: Final = frozenset({"DET", "PUNCT", "CCONJ", "SCONJ", "SPACE"})
_NO_END: Final = frozenset({"PUNCT", "CCONJ", "ADP", "SPACE", "DET"})
_BEHIND: Final = frozenset({"relcl", "punct", "advcl", "parataxis", "acl"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_LEFT_OUT: Final = frozenset({"aux", "auxpass", "neg", "advmod", "mark", "cc", "punct", "intj"})
_JOINED: Final = frozenset({"conj", "advcl", "cc", "punct", "parataxis"})
_TIGHT: Final = frozenset({"compound", "amod", "nummod", "nmod", "quantmod", "poss"})
_BETWEEN: Final = frozenset({"PUNCT", "CCONJ"})
_VAGUE_WORDS: Final = """
thing things way lot lots bit kind sort time times something anything everything one ones fun luck
chat thanks hey hi wow
"""
_VAGUE: Final = frozenset(_VAGUE_WORDS.split())
"""Words that stand for something without naming it."""
_OPENING: Final = re.compile(
    r"^(?:a )?(?:photo|picture|image|pic) of (?:an? |the )?", re.IGNORECASE
)
_TITLE: Final = re.compile(r'["“]([^"”]{2,60})["”]')
_TITLED_STEMS: Final = "movi film song show seri game titl call name band album poem play book say"
_TITLED: Final = frozenset(_TITLED_STEMS.split())
_PLACE_WORDS: Final = frozenset(
    ["in", "at", "to", "from", "near", "into", "above", "over", "inside", "on"]
)
_ENDS: Final = frozenset({"from", "to"})
_SHAPES: Final = (
    ("feel", r"\bfeel|\bfeeling|^how (?:is|was|are|were)\b"),
    ("do", r"^\W*what (?:\w+ )?(?:did|does|do|is|was|has|have|are|were|will|would|had) .*\b(?:do|doing|done)\b"),
    ("kind", r"\b(?:what|which) (?:kinds?|types?|sorts?|style|genre)\b"),
    ("how", r"^\W*how\b"),
    ("which", r"\b(?:what|which) (?!(?:did|does|do|is|was|has|have|are|were|will|would|had|can|could|should|might|may)\b)\w+"),
    ("what_be", r"^\W*what(?:'s| is| was| are| were)\b"),
    ("what", r"\bwhat\b"),
)  # fmt: skip
_SHAPE: Final = tuple((name, re.compile(p, re.IGNORECASE)) for name, p in _SHAPES)
_KINDS: Final = {QuestionType.WHO: "who", QuestionType.WHERE: "where", QuestionType.WHY: "why"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a stretch is held against.

    `keys` are the stems of the content words of the question, `words` those of all its words,
    `verb` is the stem of its main verb, `noun` that of the noun after "what" or "which", `last` a
    preposition at its end.
    """

    wish: Wish
    shape: str
    keys: frozenset[str]
    words: frozenset[str]
    verb: str = ""
    noun: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some words of a sentence and what speaks for them as the answer."""

    text: str
    features: Features


def asked_of(wish: Wish, question: Doc) -> Asked:
    """Return what the stretches are held against; `question` is its parse."""
    query = wish.query
    keys = frozenset(k for m in query.mentions for k in m.key.split())
    words = keys | {stem(w) for w in _WORD.findall(query.text)}
    shape = _KINDS.get(query.kind) or next(
        (name for name, pattern in _SHAPE if pattern.search(query.text)), "other"
    )
    root = next((t for t in question if t.dep_ == "ROOT"), None)
    ends = [t for t in question if not t.is_punct]
    last = ends[-1].lower_ if ends and ends[-1].pos_ in {"ADP", "PART"} else ""
    wh = next((t for t in question if t.lower_ in {"what", "which"} and t.dep_ == "det"), None)
    return Asked(
        wish,
        shape,
        keys,
        words,
        _key(root) if root is not None and root.pos_ == "VERB" else "",
        _key(wh.head) if wh is not None else "",
        last,
    )


def stretches(asked: Asked, doc: Doc) -> Iterator[Stretch]:
    """Yield the stretches of a sentence that say something new, each once."""
    shared = frozenset(t.i for t in doc if _key(t) in asked.keys)
    seen: set[str] = set()
    for kind, head, words in _constituents(doc):
        if asked.shape == "who" and _cuts(head, words):
            continue
        if asked.shape == "where" and _wrong_end(asked, head):
            continue
        text = _OPENING.sub("", doc[words[0].i : words[-1].i + 1].text)
        if text in seen:
            continue
        found = _features(asked, kind, head, words, shared)
        if found:
            seen.add(text)
            yield Stretch(text, found)
    for title in _TITLE.finditer(doc.text):
        if title[1].casefold() not in asked.wish.query.text.casefold():
            titled = "asked" if asked.keys & _TITLED or asked.noun in _TITLED else "said"
            yield Stretch(title[1].strip(".,!"), (("bias title", 1.0), (f"title {titled}", 1.0)))


def _constituents(doc: Doc) -> Iterator[tuple[str, Token, list[Token]]]:
    for head in doc:
        if head.pos_ in _NO_HEAD or (head.is_stop and head.pos_ not in {"VERB", "NUM"}):
            continue
        for kind, words in _around(head):
            trimmed = _trimmed(words)
            if trimmed and len(trimmed) <= _LONGEST:
                yield kind, head, trimmed
    whole = _trimmed(list(doc))
    if whole and len(whole) <= _LONGEST:
        yield "whole", next((t for t in doc if t.dep_ == "ROOT"), doc[0]), whole


def _around(head: Token) -> Iterator[tuple[str, list[Token]]]:
    if head.pos_ == "VERB":
        out = {c.i for c in head.lefts if c.dep_ in _SUBJECTS | _LEFT_OUT}
        yield "verb", _run(head, lambda c: c.i not in out)
        yield "verb alone", _run(head, lambda c: c.i not in out and c.dep_ not in _JOINED)
        return
    yield "short", _run(head, lambda c: c.i < head.i and c.dep_ in _TIGHT)
    yield "plain", _run(head, lambda c: c.dep_ not in _BEHIND)
    yield "one", _run(head, lambda c: c.dep_ not in _BEHIND | {"conj", "cc", "prep"})
    yield "full", _run(head, lambda c: c.dep_ not in {"punct", "parataxis"} or c.i < head.i)


def _run(head: Token, keep: Callable[[Token], bool]) -> list[Token]:
    """Return the unbroken run of words around a head that hang on the children that are kept.

    A comma or "and" between two kept words breaks no run.
    """
    inside = {head.i} | {t.i for c in head.children if keep(c) for t in c.subtree}
    start = end = head.i
    while start - 1 in inside:
        start -= 1
    while end + 1 in inside or (end + 2 in inside and head.doc[end + 1].pos_ in _BETWEEN):
        end += 1
    return list(head.doc[start : end + 1])


def _cuts(head: Token, words: list[Token]) -> bool:
    """Whether persons joined to the head are left out: who asks for one asks for all of them."""
    return any(c.i > words[-1].i for c in head.conjuncts if c.head.i == head.i)


def _wrong_end(asked: Asked, head: Token) -> bool:
    """Whether of "from A to B" the head is the end that is not asked for: "where from" wants A."""
    way = head.head
    if head.dep_ != "pobj" or way.lower_ not in _ENDS:
        return False
    both = {c.lower_ for c in way.head.children if c.dep_ == "prep"} >= _ENDS
    return both and way.lower_ == ("to" if asked.last == "from" else "from")


def _trimmed(words: list[Token]) -> list[Token]:
    while words and (
        words[0].pos_ in _NO_START or words[0].dep_ in {"mark", "cc"} or words[0].tag_ == "PRP$"
    ):
        words = words[1:]
    while words and words[-1].pos_ in _NO_END and words[-1].dep_ != "prt":
        words = words[:-1]
    return words


def _key(token: Token) -> str:
    return stem(token.lemma_.strip("'’-").casefold())


def _features(
    asked: Asked, kind: str, head: Token, words: list[Token], shared: frozenset[int]
) -> Features:
    """Return what speaks for a stretch, nothing if it only repeats the question."""
    content = [t for t in words if t.like_num or (t.is_alpha and not t.is_stop)]
    new = [t for t in content if _key(t) not in asked.words and t.lower_ not in STOP_WORDS]
    if not new:
        return ()
    n = len(words)
    size = {
        "length": n / 10,
        "length2": n * n / 100,
        "new": min(len(new), 6) / 3,
        "repeats": 1 - len(new) / len(content),
    }
    nature = tuple(_nature(head, words))
    names = (
        *(f"bias {kind}", f"role {head.dep_}", *nature),
        *(f"{asked.shape} {name}" for name in (kind, *nature)),
        *(*_hanging(asked, head, shared), *_filling(asked, head)),
    )
    found = dict.fromkeys(names, 1.0) | size | _place(kind, words, shared)
    return tuple(sorted(found.items()))


def _hanging(asked: Asked, head: Token, shared: frozenset[int]) -> Iterator[str]:
    """Yield on which words of the question the head hangs."""
    above = head.head
    if head.i in shared:
        yield "head asked"
    if above.i != head.i and above.i in shared:
        yield "on asked"
        yield f"on asked {head.dep_}"
    if above.i != head.i and above.head.i in shared and above.head.i != above.i:
        yield "near asked"
    if asked.noun and _key(head) == asked.noun:
        yield "noun asked"


def _filling(asked: Asked, head: Token) -> Iterator[str]:
    """Yield how the head fills the gap of the question: under its verb, after its preposition."""
    governor = next((t for t in head.ancestors if t.pos_ in {"VERB", "AUX"}), None)
    if asked.verb and governor is not None and _key(governor) == asked.verb:
        yield "verb asked"
        yield f"verb asked {head.dep_}"
    if asked.verb and head.pos_ == "VERB" and _key(head) == asked.verb:
        yield "is verb asked"
    if asked.last and head.dep_ in {"pobj", "pcomp"} and head.head.lower_ == asked.last:
        yield "preposition asked"


def _place(kind: str, words: list[Token], shared: frozenset[int]) -> dict[str, float]:
    """Return where the words stand beside those of the question."""
    if not shared:
        return {"none asked": 1.0, f"none asked {kind}": 1.0}
    inside = {t.i for t in words}
    outer = [i for i in shared if i not in inside]
    found = {"holds asked": float(len(outer) < len(shared))}
    if outer:
        ends = (words[0].i, words[-1].i)
        found["away"] = min(abs(end - i) for end in ends for i in outer) / 5
        found["after"] = float(any(words[0].i > i for i in outer))
    return found


def _nature(head: Token, words: list[Token]) -> Iterator[str]:
    """Yield what kind of thing the words name."""
    dated = [t.ent_type_ in {"DATE", "TIME"} for t in words if t.is_alpha or t.like_num]
    natures = {
        "proper": any(t.pos_ == "PROPN" for t in words),
        "person": any(t.ent_type_ == "PERSON" for t in words),
        "place": head.ent_type_ in {"GPE", "LOC", "FAC", "ORG"},
        "in place": head.dep_ == "pobj" and head.head.lower_ in _PLACE_WORDS,
        "dated": head.ent_type_ in {"DATE", "TIME"} or (bool(dated) and all(dated)),
        "adjective": head.pos_ == "ADJ",
        "noun": head.pos_ in {"NOUN", "PROPN"},
        "gerund": head.tag_ == "VBG",
        "aim": any(c.lower_ == "to" and c.dep_ == "aux" for c in head.lefts),
        "adverb": head.pos_ == "ADV",
        "number": head.pos_ == "NUM",
        "listed": any(t.dep_ == "conj" for t in words),
        "denied": any(c.dep_ == "neg" for c in head.children),
        "vague": head.lower_ in _VAGUE,
    }
    return (name for name, holds in natures.items() if holds)
