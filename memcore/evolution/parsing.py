"""English turns to parsed pages: what clauses, pronouns and answers are read from.

spaCy's attribute ruler and lemmatizer are replaced by a table from tag to part of speech and one
lemma a distinct word: they took 45 % of the pipeline's time for what this extractor reads of them.
Its own sentence boundaries are kept, but "Thanks! Loved it" is always two sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from spacy.pipeline import Lemmatizer
from spacy.tokens import Doc, Span, Token

from memcore.annotate import pipelines
from memcore.evolution.inflection import past_only

PARSED: Final = 8000
"""Characters of a turn that are parsed; the rest of a longer turn gives no entry."""
LONGEST_WORD: Final = 200
"""A longer run without a blank is no word, and is passed over."""
_UNUSED: Final = ("ner", "attribute_ruler", "lemmatizer")
_POS: Final = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "CD": "NUM", "JJ": "ADJ",
    "JJR": "ADJ", "JJS": "ADJ", "RB": "ADV", "RBR": "ADV", "RBS": "ADV", "WRB": "SCONJ",
    "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WP$": "DET", "EX": "PRON", "UH": "INTJ",
    "POS": "PART", "TO": "PART", "RP": "ADP", "DT": "DET", "PDT": "DET", "WDT": "PRON",
    "IN": "ADP", "CC": "CCONJ", "MD": "AUX", "VB": "VERB", "VBD": "VERB", "VBG": "VERB",
    "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB",
}  # fmt: skip
_BE: Final = frozenset(
    ["be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re", "'s", "m", "re", "s"]
)
_VERB_LEMMA: Final = {
    "'ve": "have", "has": "have", "had": "have", "have": "have", "having": "have", "'d": "would",
    "do": "do", "does": "do", "did": "do", "done": "do", "doing": "do", "'ll": "will",
    "ca": "can", "wo": "will", "gon": "go", "wan": "want",
    "wanna": "want", "gonna": "go",
}  # fmt: skip
_BASE: Final = frozenset({"VB", "VBP", "NN", "JJ", "RB"})
"""Tags of words that are their own lemma."""
_NOUN_DEPS: Final = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative", "conj"})
_ENDS: Final = frozenset({"!", "?", ".", "!!", "??", "?!", "!?", "!!!", "...", "…"})
_OPEN: Final = frozenset('"“«')
_CLOSE: Final = frozenset('"”»')
_TAG: Final = re.compile(r"<[^<>\n]{1,200}>")
_BULLET: Final = re.compile(r"\n[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+")
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_PLAIN_END: Final = 0x2190
"""Arrows, symbols and emoji begin here; letters of other scripts are kept wherever they stand."""


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed turn; `chunks` holds at each word the noun chunk that ends there."""

    doc: Doc
    quoted: frozenset[int]
    chunks: tuple[Span | None, ...]


def parse(texts: Sequence[str]) -> tuple[Page, ...]:
    """Return one page a text, in one batch; each text is made `readable` first."""
    nlp = pipelines.english_parser()
    docs = [_opened(nlp.make_doc(readable(text))) for text in texts]
    lemmas: dict[tuple[str, str], str] = {}
    return tuple(_page(doc, lemmas) for doc in nlp.pipe(docs, disable=_UNUSED))


def readable(text: str) -> str:
    r"""Return the text as it is parsed: same places, but no markup, emoji, bullets, odd quotes.

    >>> readable("Look <b>here</b> 😊\n- milk")
    'Look    here     .,  milk'
    """
    text = text[:PARSED].replace("\u2019", "'").replace("\u2018", "'")
    for pattern in (_TAG, _QUOTED_LINE, _long_word()):
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    text = _BULLET.sub(lambda m: "," + " " * (len(m[0]) - 1), text)
    out: list[str] = []
    last = "."
    for char in text:
        out.append(_readable(char, last))
        last = out[-1] if not out[-1].isspace() else last
    return "".join(out)


@cache
def _long_word() -> re.Pattern[str]:
    return re.compile(rf"\S{{{LONGEST_WORD},}}")


def _readable(char: str, last: str) -> str:
    if char.isalnum() or (char.isprintable() and ord(char) < _PLAIN_END):
        return char
    ends = char == "\n" or ord(char) > _PLAIN_END
    return "." if ends and last not in ".,!?;:" else " "


def _opened(doc: Doc) -> Doc:
    """Begin a sentence after each strong mark that a capital follows."""
    for token in doc[1:]:
        before = token.nbor(-1)
        if before.text in _ENDS and before.whitespace_ and not token.is_punct:
            token.is_sent_start = True if not token.text[:1].islower() else None
    return doc


def _page(doc: Doc, lemmas: dict[tuple[str, str], str]) -> Page:
    for token in doc:
        _retag(token)
        token.pos_ = _pos(token)
        key = (token.lower_, token.tag_)
        if key not in lemmas:
            lemmas[key] = _lemma(token)
        token.lemma_ = lemmas[key]
    chunks: list[Span | None] = [None] * len(doc)
    for chunk in doc.noun_chunks:
        chunks[chunk.end - 1] = chunk
    return Page(doc, _quoted(doc), tuple(chunks))


def _retag(token: Token) -> None:
    """Set right what the tagger misses: "Lost my job" opens with a past, "I do like" is a verb."""
    if token.tag_ == "VB" and token.is_sent_start and past_only(token.lower_):
        token.tag_ = "VBD"
    if token.tag_ == "UH" and any(t.dep_ == "nsubj" for t in token.children):
        token.tag_ = "VB"


def _pos(token: Token) -> str:
    tag = token.tag_
    if tag in {"DT", "PDT"} and token.dep_ in _NOUN_DEPS:
        return "PRON"
    if tag.startswith("V") and (token.dep_ in {"aux", "auxpass"} or token.lower_ in _BE):
        return "AUX"
    return _POS.get(tag, "SPACE" if token.is_space else "PUNCT" if token.is_punct else "X")


def _lemma(token: Token) -> str:
    pos, low = token.pos_, token.lower_
    if pos in {"VERB", "AUX"} and (low in _BE or low in _VERB_LEMMA):
        return "have" if low == "'d" and token.tag_ == "VBD" else _VERB_LEMMA.get(low, "be")
    if token.tag_ in _BASE or pos not in {"VERB", "AUX", "NOUN", "ADJ", "ADV"}:
        return token.text if pos == "PROPN" else low
    lemmatizer = pipelines.english_parser().get_pipe("lemmatizer")
    if not isinstance(lemmatizer, Lemmatizer):
        return low
    return lemmatizer.rule_lemmatize(token)[0].lower()


def _quoted(doc: Doc) -> frozenset[int]:
    """The words inside quotation marks; an unclosed mark opens nothing."""
    inside: set[int] = set()
    start: int | None = None
    for token in doc:
        if start is not None and token.text in _CLOSE:
            inside.update(range(start, token.i))
            start = None
        elif start is None and token.text in _OPEN:
            start = token.i + 1
    return frozenset(inside)
