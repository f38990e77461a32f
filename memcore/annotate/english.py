"""Mentions in English turns: entities from the recogniser, lexical keys and chunks from the tags.

Noun chunks are runs of adjectives and nouns that end in a noun; the parser's own chunks were turned
down, since they cost a parse for the same two or three words. A key is left out by a closed list
and not by its tag: a tagger errs on short turns, and a question must get the keys of its answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from memcore.annotate.keys import STOP_WORDS, normalise, stem
from memcore.annotate.names import is_name
from memcore.types import AnchorKind, Mention, TimeExpression

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

ENTITY_TYPES: Final = frozenset(
    [
        "PERSON",
        "NORP",
        "FAC",
        "ORG",
        "GPE",
        "LOC",
        "PRODUCT",
        "EVENT",
        "WORK_OF_ART",
        "LAW",
        "LANGUAGE",
    ]
)
_ADJECTIVE_TYPES: Final = frozenset({"NORP", "LANGUAGE", "WORK_OF_ART", "LAW"})
"""Types whose names need no proper noun: "Spanish", "The Lean Startup"."""
DATE_TYPES: Final = frozenset({"DATE", "TIME"})
_QUOTES: Final = "'\u2018\u2019\u201c\u201d\"-_*~."
_EDGE_TAGS: Final = frozenset(
    {"INTJ", "DET", "PRON", "PUNCT", "ADP", "CCONJ", "PART", "SPACE", "X"}
)
_CHUNK_TAGS: Final = frozenset({"ADJ", "NOUN", "PROPN"})
_CHUNK_WORDS: Final = 3
"""Words of a chunk at most; of a longer run, the last ones name the thing."""


def mentions(
    doc: Doc, times: Sequence[TimeExpression], speakers: Sequence[str]
) -> tuple[Mention, ...]:
    """Return the mentions of a turn, by start; speakers' names give none.

    A name inside a time expression ("last Fri") is no entity; its words stay lexical keys.
    """
    words = [t for t in doc if _is_content(t, speakers)]
    entities = (
        m
        for m in _entities(doc, speakers)
        if not any(m.start < t.end and t.start < m.end for t in times)
    )
    found = chain(entities, map(_lexical, words), _chunks(doc, speakers))
    return tuple(sorted(set(found)))


def date_spans(doc: Doc) -> tuple[tuple[int, int], ...]:
    """Return the stretches that the recogniser calls a date or time."""
    return tuple((e.start_char, e.end_char) for e in doc.ents if e.label_ in DATE_TYPES)


def _is_content(token: Token, speakers: Sequence[str]) -> bool:
    lower = token.lower_.strip(_QUOTES)
    if lower in STOP_WORDS or not (len(lower) > 1 or lower.isdecimal()):
        return False
    if not any(c.isalnum() for c in lower):
        return False
    if token.lemma_.casefold() in STOP_WORDS or token.like_url:
        return False
    return not (token.pos_ == "PROPN" and is_name(token.text, speakers))


def _lexical(token: Token) -> Mention:
    return Mention(token.idx, token.idx + len(token), AnchorKind.LEXICAL, _key(token))


def _key(token: Token) -> str:
    return stem(token.lemma_.strip(_QUOTES))


def _chunks(doc: Doc, speakers: Sequence[str]) -> Iterator[Mention]:
    run: list[Token] = []
    for token in chain(doc, (None,)):
        if token is not None and token.pos_ in _CHUNK_TAGS and _is_content(token, speakers):
            run.append(token)
            continue
        while run and run[-1].pos_ == "ADJ":
            run.pop()
        if len(run) > 1:
            part = run[-_CHUNK_WORDS:]
            key = " ".join(_key(t) for t in part)
            yield Mention(part[0].idx, part[-1].idx + len(part[-1]), AnchorKind.LEXICAL, key)
        run = []


def _entities(doc: Doc, speakers: Sequence[str]) -> Iterator[Mention]:
    trimmed = [(e.label_, _trimmed(e)) for e in doc.ents if e.label_ in ENTITY_TYPES]
    spans = [(label, s, normalise(s.text)) for label, s in trimmed if s is not None]
    persons = sorted({key for label, _, key in spans if label == "PERSON" and " " in key})
    for label, span, key in spans:
        if len(key) > 1 and not _is_speaker(span, speakers):
            joined = _whole_name(key, persons) if label == "PERSON" else key
            yield Mention(span.start_char, span.end_char, AnchorKind.ENTITY, joined)


def _trimmed(entity: Span) -> Span | None:
    """Return the entity without interjections, articles and marks at its edges; None if empty."""
    start, end = entity.start, entity.end
    while start < end and _is_edge(entity.doc[start]):
        start += 1
    while start < end and _is_edge(entity.doc[end - 1]):
        end -= 1
    if start == end:
        return None
    span: Span = entity.doc[start:end]
    return span if entity.label_ in _ADJECTIVE_TYPES or _holds_name(span) else None


def _holds_name(span: Span) -> bool:
    # Without a proper noun it is a verb or noun at the head of a sentence: "Felt", "Writing".
    return any(t.pos_ == "PROPN" and not t.text.islower() for t in span)


def _is_edge(token: Token) -> bool:
    return token.pos_ in _EDGE_TAGS or token.lower_ in STOP_WORDS


def _is_speaker(span: Span, speakers: Sequence[str]) -> bool:
    return all(is_name(t.text, speakers) or _is_edge(t) for t in span)


def _whole_name(key: str, persons: Sequence[str]) -> str:
    """Return the one full name of the turn that begins or ends with this single name."""
    fits = [p for p in persons if key in (p.split()[0], p.split()[-1])]
    return fits[0] if len(fits) == 1 else key
