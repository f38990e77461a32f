"""What was read of a clause to an entry: keywords, persons, place, topic, time.

An entry of the extractor is put together here alone, so that clauses, quotes, advice and joined
answers get their fields by the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from spacy.tokens import Token

from memcore.evolution.attribute_names import attribute_key
from memcore.evolution.attributes import Fact, Reading, fact_of, modality_of
from memcore.evolution.clauses import has_content, is_time
from memcore.evolution.parsing import Page
from memcore.evolution.pieces import Piece, Wording
from memcore.evolution.pronouns import Kind, Scene, names_person, place_preposition
from memcore.evolution.quotes import fact_said, quote
from memcore.evolution.times import shown
from memcore.types import (
    AnchorKind,
    Annotation,
    Entry,
    EntryId,
    Modality,
    TimeExpression,
    Turn,
)

_PERSONS: Final = frozenset({Kind.SHE, Kind.HE, Kind.PERSON, Kind.PET})
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn with its parse and annotation."""

    turn: Turn
    annotation: Annotation
    page: Page | None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known when a turn is read: the scene, and the facts before it."""

    scene: Scene
    entries: tuple[Entry, ...]


def entities_of(annotation: Annotation, start: int, end: int) -> tuple[str, ...]:
    """Return the keys of the entities that begin within a stretch of the turn."""
    return tuple(
        m.key for m in annotation.mentions if m.kind is AnchorKind.ENTITY and start <= m.start < end
    )


def said_entry(
    words: str,
    wording: Wording,
    source: tuple[Spoken, Sequence[Token], Modality],
    known: Known,
    asked: str = "",
) -> Entry:
    """Return the entry of a quote: who said which words, and asked what."""
    spoken, tokens, modality = source
    speaker = known.scene.speaker
    text = quote(speaker, words, asked)
    span = (tokens[0].idx, tokens[-1].idx + len(tokens[-1]))
    dates = [_relative(t, spoken) for t in spoken.annotation.times if span[0] <= t.start < span[1]]
    text = f'{text[:-2]} ({", ".join(filter(None, dates))})."' if any(dates) else text
    nouns = [t for t in tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    made = Made(text, fact_said(speaker, words), modality, nouns[0] if nouns else None)
    return assembled(made, wording, spoken, span, known)


def _relative(expression: TimeExpression, spoken: Spoken) -> str:
    """Return the resolved date of a relative wording, nothing where the words hold the year."""
    words = spoken.turn.content[expression.start : expression.end]
    return "" if _YEAR.search(words) else shown(expression.interval)


@dataclass(frozen=True, slots=True)
class Made:
    """What was decided of a clause."""

    text: str
    fact: Fact
    modality: Modality
    topic: Token | None


def entry_of(reading: Reading, spoken: Spoken, span: tuple[int, int], known: Known) -> Entry:
    """Return the entry of a clause that was read."""
    fact = _settled(fact_of(reading), known)
    made = Made(reading.wording.text, fact, modality_of(reading, fact), _topic(reading))
    return assembled(made, reading.wording, spoken, span, known)


def assembled(
    made: Made, wording: Wording, spoken: Spoken, span: tuple[int, int], known: Known
) -> Entry:
    """Return an entry with all its fields; its number is given by the window."""
    persons = _persons(made.text, wording, known.scene)
    inside = [t for t in spoken.annotation.times if span[0] <= t.start < span[1]]
    entities = entities_of(spoken.annotation, *span)
    return Entry(
        EntryId(1),
        made.text,
        (spoken.turn.id,),
        keywords=keywords_of(wording, known.scene),
        persons=persons,
        entities=tuple(sorted({*entities, *persons})),
        location=_location(wording, persons),
        topic=_phrase(made.topic, wording),
        time=inside[0].interval if inside else None,
        modality=made.modality,
        said_at=spoken.turn.said_at,
        subject=made.fact.subject,
        attribute=made.fact.attribute,
        value=made.fact.value,
    )


def _settled(fact: Fact, known: Known) -> Fact:
    """A plan spoken of again: "the trip" is the trip to Rome that was planned before."""
    if not fact.attribute.startswith("plan:") and not fact.attribute.endswith(" time"):
        return fact
    mine = fact.attribute.removesuffix(" time")
    for old in reversed(known.entries):
        theirs = old.attribute.removesuffix(" time")
        same = theirs == mine or theirs.startswith((f"{mine} to ", f"{mine} with "))
        if not same or old.attribute.endswith(" time") != fact.attribute.endswith(" time"):
            continue
        if old.subject == fact.subject or fact.subject == known.scene.speaker.casefold():
            return Fact(old.subject, old.attribute, fact.value)
    return fact


def with_times(wording: Wording, spoken: Spoken) -> Wording:
    """Put the resolved date beside each relative wording."""
    pieces = list(wording.pieces)
    for expression in spoken.annotation.times:
        at = [n for n, p in enumerate(pieces) if _covers(expression, p)]
        date = _relative(expression, spoken)
        if at and date:
            piece = pieces[at[-1]]
            pieces[at[-1]] = replace(piece, words=f"{piece.words} ({date})")
    return replace(wording, pieces=tuple(pieces))


def _covers(expression: TimeExpression, piece: Piece) -> bool:
    return expression.start <= piece.token.idx < expression.end


def is_future(spoken: Spoken, span: tuple[int, int]) -> bool:
    """Whether a time named in a stretch of the turn lies after it was said."""
    said = spoken.turn.said_at
    return said is not None and any(
        t.interval.start > said and span[0] <= t.start < span[1] for t in spoken.annotation.times
    )


def keywords_of(wording: Wording, scene: Scene) -> tuple[str, ...]:
    """Return the lemmas of the content words and the noun chunks, sorted."""
    found: set[str] = set()
    for piece in wording.pieces:
        token = piece.token
        if token.pos_ == "PRON" and piece.words != token.text:
            found.update(_plain_words(piece.words, scene))
        elif token.pos_ in {"NOUN", "PROPN", "NUM", "ADJ", "VERB"} and not token.is_stop:
            found.add(token.lemma_.casefold())
    found.update(_chunk_keys(wording))
    return tuple(sorted(k for k in found if _is_key(k)))


def _is_key(word: str) -> bool:
    """Whether a keyword is a word or number: the "x" and "-" of "x-ray" are none."""
    return any(c.isalnum() for c in word) and (len(word) > 1 or word.isdecimal())


def _plain_words(words: str, scene: Scene) -> Iterator[str]:
    names = {n.casefold() for n in scene.names}
    for word in re.findall(r"[\w-]{3,}", words.casefold()):
        if word not in names and word not in {"the", "and", "others", "themself"}:
            yield word


def _chunk_keys(wording: Wording) -> Iterator[str]:
    """Noun chunks of two words and more, without article, number or pronoun."""
    for piece in wording.pieces:
        chunk = piece.chunk
        if chunk is None:
            continue
        words = [t for t in chunk if t.pos_ in {"NOUN", "PROPN", "ADJ"} and not t.is_stop]
        while words and is_time(words[0]):
            del words[0]
        if len(words) > 1:
            yield _HYPHEN.sub("-", " ".join(t.lower_ for t in words))


_HYPHEN: Final = re.compile(" ?- ?")


def _persons(text: str, wording: Wording, scene: Scene) -> tuple[str, ...]:
    named = {n for n in scene.names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", text)}
    named |= {_full_name(p.token) for p in wording.pieces
              if _ends_name(p) and names_person(p.token)}  # fmt: skip
    named |= {
        m.words
        for m in scene.mentions
        if m.kind in _PERSONS
        and m.words.istitle()
        and re.search(rf"\b{re.escape(m.words)}\b", text)
    }
    return tuple(sorted({scene.speaker.casefold(), *(n.casefold() for n in named)}))


def _ends_name(piece: Piece) -> bool:
    """Whether the word ends a name; "Elsa" in "Elsa Brandt" is no second person."""
    token = piece.token
    inner = token.dep_ == "compound" and token.head.pos_ == "PROPN"
    return token.pos_ == "PROPN" and piece.words == token.text and not inner


def _full_name(name: Token) -> str:
    words = [t.text for t in name.children if t.dep_ == "compound" and t.pos_ == "PROPN"]
    return " ".join([*words, name.text])


def _location(wording: Wording, persons: Sequence[str]) -> str:
    """The first proper noun after a preposition of place that is no person, feast or date."""
    for piece in wording.pieces:
        token = piece.token
        proper = token.dep_ == "pobj" and token.pos_ == "PROPN"
        if not proper or not place_preposition(token.head) or names_person(token):
            continue
        inside = [t for t in token.subtree if t.i <= token.i]
        words = attribute_key(wording.of(inside))
        known = any(re.search(rf"(?<!\w){re.escape(p)}$", words) for p in persons)
        if not known and not any(is_time(t) for t in inside):
            return words
    return ""


def _topic(reading: Reading) -> Token | None:
    """The noun that the clause is about: its object, else what its preposition names."""
    nouns = [
        p.token
        for p in reading.wording.pieces
        if p.token.pos_ in {"NOUN", "PROPN"}
        and has_content(p.token)
        and not is_time(p.token)
        and p.words != reading.speaker
    ]
    for deps in (("dobj", "attr"), ("pobj",), ("nsubj", "nsubjpass")):
        found = next((t for t in nouns if t.dep_ in deps), None)
        if found is not None:
            return found
    return nouns[0] if nouns else None


def _phrase(noun: Token | None, wording: Wording) -> str:
    if noun is None:
        return ""
    inside = (t for t in noun.subtree if t.i <= noun.i and t.pos_ in {"NOUN", "PROPN", "ADJ"})
    return attribute_key(wording.of(inside) or noun.text)
