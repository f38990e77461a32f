"""The local extractor: a window of turns to atomic entries, without a model server.

One clause gives one sentence in the third person; what it claims is decided by grammar (negation,
doubt, plan, question, advice), never by likelihood. A turn that states nothing gives nothing, and
the builder records it. Chosen: precision before recall, since an invented fact is worse than a turn
that only the other memory holds. Turned down: triples (they lose hedges and times) and whole turns
as entries (a turn mixes statement, plan and question).

Only the first `PARSED` characters of a turn are read, so a pasted book cannot stop a build.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution import extract_chinese
from memcore.evolution.answers import Joined, asks_polar, confirm, is_short, join, polarity
from memcore.evolution.attribute_names import attribute_key
from memcore.evolution.attributes import Fact, Reading, fact_of, modality_of
from memcore.evolution.clauses import SUBJECTS, Act, Clause, act, clauses, has_content, is_time
from memcore.evolution.lexicon import ADVICE_VERB
from memcore.evolution.parsing import PARSED, Page, parse
from memcore.evolution.pronouns import Kind, Scene, names_person, place_preposition
from memcore.evolution.quotes import fact_said, quote, unsafe, words_of
from memcore.evolution.times import shown
from memcore.evolution.wording import Piece, Wording, joined, reword
from memcore.types import (
    AnchorKind,
    Annotation,
    Entry,
    EntryId,
    Modality,
    TimeExpression,
    Turn,
)

_ADVISING: Final = frozenset({"should", "could", "can", "might", "must", "need", "ought", "try"})
_SENSING: Final = frozenset(
    {"feel", "see", "tell", "hear", "sense", "imagine", "notice", "count", "rely"}
)
"""Verbs with which "you can ..." tells of anybody and advises nothing."""
_PERSONS: Final = frozenset({Kind.SHE, Kind.HE, Kind.PERSON, Kind.PET})
_SOUNDING: Final = frozenset({"sounds", "looks", "seems"})
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_DEICTIC: Final = frozenset({"it", "that", "this", "these", "those", "them", "they", "which"})


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A turn with its parse and annotation."""

    turn: Turn
    annotation: Annotation
    page: Page | None


@dataclass(frozen=True, slots=True)
class LocalExtractor:
    """An Extractor of English (spaCy parse) and Chinese (jieba); deterministic and offline."""

    def extract(
        self, turns: Sequence[Turn], annotations: Sequence[Annotation], earlier: Sequence[Entry], /
    ) -> tuple[Entry, ...]:
        """Return the facts of the window, in the order of their turns, numbered from 1.

        Of each turn the first 8,000 characters are read; forwarded text and quotes claim nothing.
        """
        scene = Scene(names=tuple(dict.fromkeys(t.speaker for t in turns)))
        found: list[Entry] = []
        before: _Spoken | None = None
        for place, spoken in enumerate(_parsed(turns, annotations)):
            scene.turn(spoken.turn.speaker, _other(spoken.turn, before, scene), place)
            found.extend(_of_turn(spoken, before, _Known(scene, (*earlier, *found))))
            before = spoken
        return tuple(replace(e, id=EntryId(n)) for n, e in enumerate(found, 1))


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known when a turn is read: the scene, and the facts before it."""

    scene: Scene
    entries: tuple[Entry, ...]


def _parsed(turns: Sequence[Turn], annotations: Sequence[Annotation]) -> tuple[_Spoken, ...]:
    english = [
        a.language == "en" and not t.forwarded_from for t, a in zip(turns, annotations, strict=True)
    ]
    texts = [t.text for t, is_english in zip(turns, english, strict=True) if is_english]
    pages = iter(parse(texts))
    return tuple(
        _Spoken(t, a, next(pages) if is_english else None)
        for t, a, is_english in zip(turns, annotations, english, strict=True)
    )


def _other(turn: Turn, before: _Spoken | None, scene: Scene) -> str:
    """Whom the turn speaks to: the second of two speakers, else the one it names or follows."""
    others = [n for n in scene.names if n != turn.speaker]
    if len(others) == 1:
        return others[0]
    if turn.direct_to in others:
        return turn.direct_to
    return before.turn.speaker if before and before.turn.speaker in others else ""


def _of_turn(spoken: _Spoken, before: _Spoken | None, known: _Known) -> Iterator[Entry]:
    turn = spoken.turn
    if turn.forwarded_from:
        return
    if spoken.page is None:
        asker = before.turn if before and before.turn.speaker != turn.speaker else None
        yield from extract_chinese.entries(turn, spoken.annotation, known.scene, asker)
    else:
        yield from _english(spoken, spoken.page, before, known)
    if turn.caption.strip():
        yield _caption(spoken)


def _caption(spoken: _Spoken) -> Entry:
    turn = spoken.turn
    caption = " ".join(turn.caption[:PARSED].split()).rstrip(" .")
    chinese = spoken.annotation.language == "zh"
    text = f"{turn.speaker}分享了一张照片：{caption}。" if chinese else (
        f"{turn.speaker} shared a photo: {caption}."
    )  # fmt: skip
    start = len(turn.text) + 1
    name = turn.speaker.casefold()
    return Entry(
        EntryId(1),
        text,
        (turn.id,),
        keywords=_caption_keys(spoken, caption, start),
        persons=(name,),
        entities=tuple(sorted({*_entities(spoken.annotation, start, start + PARSED), name})),
        topic=caption.casefold()[:60],
        said_at=turn.said_at,
        subject=name,
        attribute="share photo",
        value=caption.casefold(),
    )


def _caption_keys(spoken: _Spoken, caption: str, start: int) -> tuple[str, ...]:
    """The caption's keywords, as lemmas: a stem would never meet the words of a sentence."""
    if spoken.annotation.language == "zh":
        found = {m.key for m in spoken.annotation.mentions if m.start >= start}
        return tuple(sorted(found))
    (page,) = parse([caption])
    pieces = (Piece(t, t.text, chunk=page.chunks[t.i]) for t in page.doc)
    return _keywords(Wording(tuple(pieces)), Scene())


def _entities(annotation: Annotation, start: int, end: int) -> tuple[str, ...]:
    return tuple(
        m.key for m in annotation.mentions if m.kind is AnchorKind.ENTITY and start <= m.start < end
    )


# ------------------------------------------------------------------ English


def _english(spoken: _Spoken, page: Page, before: _Spoken | None, known: _Known) -> Iterator[Entry]:
    asked = _question(before, spoken.turn)
    for at, sentence in enumerate(page.doc.sents):
        known.scene.sentence += 1
        known.scene.answering = asked is not None and at <= 1
        if asked is not None and not _is_noise(sentence):
            yes = polarity(sentence)
            joined = _answered(spoken, sentence, asked, known)
            if joined is not None:
                yield joined
                known = replace(known, entries=(*known.entries, joined))
            if joined is not None or yes is None:
                asked = None
            if joined is not None and yes is None:
                continue
        found = clauses(page, sentence, known.scene.names)
        for at, clause in enumerate(found):
            entry = _of_clause(
                _Place(spoken, sentence, not any(map(_says, found[at + 1 :]))), clause, known
            )
            if entry is not None:
                yield entry
                known = replace(known, entries=(*known.entries, entry))


def _says(clause: Clause) -> bool:
    """Whether the clause says something, and is no tag as in "it's off, right?"."""
    return any(has_content(t) for t in clause.tokens)


def _is_noise(sentence: Span) -> bool:
    return not any(t.is_alpha or t.like_num for t in sentence)


def _question(before: _Spoken | None, turn: Turn) -> tuple[Span, Scene] | None:
    """The last question of the turn before, with a scene in which its asker speaks."""
    if before is None or before.page is None or before.turn.speaker == turn.speaker:
        return None
    asked = [s for s in before.page.doc.sents if "?" in s.text[-4:]]
    if not asked:
        return None
    return asked[-1], Scene(before.turn.speaker, turn.speaker)


def _answered(
    spoken: _Spoken, sentence: Span, asked: tuple[Span, Scene], known: _Known
) -> Entry | None:
    question, scene = asked
    scene = replace(scene, mentions=known.scene.mentions, names=known.scene.names,
                    place=known.scene.place - 1, clause=known.scene.clause)  # fmt: skip
    yes = polarity(sentence)
    if yes is not None:
        joined = confirm(question, yes, scene) if asks_polar(question) else None
        known.scene.clause = scene.clause
        tokens: tuple[Token, ...] = tuple(sentence)
        return _joined_entry(spoken, tokens, joined, known) if joined else None
    tokens = _core(sentence) if is_short(sentence) else ()
    if not any(has_content(t) or t.pos_ in {"ADV", "ADJ"} for t in tokens):
        return None
    return _fragment(spoken, sentence, tokens, (question, scene), known)


def _core(sentence: Span) -> tuple[Token, ...]:
    """Return the words between the marks and calls at both ends."""
    tokens = tuple(t for t in sentence if not t.is_space)
    while tokens and (tokens[-1].is_punct or tokens[-1].dep_ == "intj"):
        tokens = tokens[:-1]
    while tokens and (tokens[0].is_punct or tokens[0].dep_ == "intj"):
        tokens = tokens[1:]
    return tokens


def _fragment(
    spoken: _Spoken,
    sentence: Span,
    tokens: tuple[Token, ...],
    asked: tuple[Span, Scene],
    known: _Known,
) -> Entry | None:
    """Return a fragment with its question: one statement, else the quote of both."""
    question, scene = asked
    if spoken.page is None:
        return None
    clause = Clause(spoken.page, sentence.root, tokens)
    wording = _with_times(reword(clause, known.scene), spoken)
    words = wording.text.rstrip(".")
    if tokens[0].pos_ not in {"PROPN", "NOUN"} and words.split()[0] not in known.scene.names:
        words = words[:1].lower() + words[1:]
    else:
        words = tokens[0].text[:1] + words[1:]
    joined = None if asks_polar(question) else join(question, words, scene)
    known.scene.clause = scene.clause
    if joined:
        return _joined_entry(spoken, tokens, joined, known)
    if not _tells(tokens, known.scene.names):
        return None
    answer, text = words_of(tokens, sentence), " ".join(question.text.split()).replace('"', "'")
    return _said(answer, wording, (spoken, tokens, Modality.ASSERTED), known, text)


def _tells(tokens: Sequence[Token], names: Sequence[str]) -> bool:
    """Whether a fragment names something beside the speakers, and nothing of the one spoken to."""
    called = {word for name in names for word in name.casefold().split()}
    nouns = [t for t in tokens if t.pos_ in {"NOUN", "PROPN", "NUM"} and has_content(t)]
    named = any(t.lower_ not in called for t in nouns) and tokens[0].lower_ not in _SOUNDING
    return named and not any(t.lower_ in {"you", "your", "yours", "u"} for t in tokens)


def _joined_entry(
    spoken: _Spoken, tokens: tuple[Token, ...], joined: Joined, known: _Known
) -> Entry | None:
    """A joined answer is read once more, so that its fields are made as those of any clause."""
    text = _plain(joined.text, known.scene.names)
    if text.rpartition(" ")[2].casefold() in _HELPING:
        return None
    (page,) = parse([f"{text}."])
    sentence = next(iter(page.doc.sents), None)
    found = clauses(page, sentence) if sentence is not None else ()
    if not found:
        return None
    silent = Scene(spoken.turn.speaker, known.scene.other, known.scene.names)
    wording = reword(found[0], silent)
    reading = Reading(found[0], wording, spoken.turn.speaker)
    entry = _entry(reading, spoken, (tokens[0].idx, tokens[-1].idx + len(tokens[-1])), known)
    sentence_text = f"{text[:1].upper()}{text[1:]}."
    if entry.attribute.endswith("name"):
        known.scene.notice(tokens[-1].text, Kind.PET, 3)
    return replace(entry, restatement=sentence_text,
                   modality=Modality.NEGATED if joined.negated else entry.modality)  # fmt: skip


def _plain(text: str, names: Sequence[str]) -> str:
    """Return a joined answer without the question's capital, and with a blank after each name."""
    found = " ".join(text.split()).rstrip(" .,!?")
    for name in names:
        found = re.sub(rf"\b({re.escape(name)})(have|are|will|would)\b", r"\1 \2", found)
        found = found.replace(f"{name} have ", f"{name} has ").replace(
            f"{name} are ", f"{name} is "
        )
    words = found.split()
    return " ".join(
        w.lower() if n and w.istitle() and w.lower() in _HELPING else w for n, w in enumerate(words)
    )


_HELPING: Final = frozenset(
    "is are was were am do does did has have had can could will would should may might".split()  # noqa: SIM905 - a word list
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a clause stands: its turn, its sentence, and whether it ends the sentence."""

    spoken: _Spoken
    sentence: Span
    last: bool


def _of_clause(place: _Place, clause: Clause, known: _Known) -> Entry | None:
    scene, spoken = known.scene, place.spoken
    kind = act(clause, place.sentence, place.last)
    wording = _with_times(reword(clause, scene), spoken)
    quoted = clause.head.i in clause.page.quoted
    if quoted or kind not in {Act.ADVICE, Act.STATEMENT}:
        return None
    if kind is Act.ADVICE:
        return _advice(clause, wording, spoken, known)
    if _addresses(clause):
        return _suggestion(clause, wording, spoken, known)
    open_ended = unsafe(clause, wording, scene)
    if open_ended or _hangs(wording):
        says = open_ended and (has_content(clause.head) or not _hangs(wording))
        return _quoted(place, clause, wording, known) if says else None
    span = (clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1]))
    future = _future(spoken, span) and not any(
        t.tag_ == "VBD" for t in (clause.head, *clause.head.children)
    )
    return _entry(Reading(clause, wording, scene.speaker, future), spoken, span, known)


def _quoted(place: _Place, clause: Clause, wording: Wording, known: _Known) -> Entry:
    """Return what is kept in the turn's own words, since nobody can be named for it safely."""
    spoken = place.spoken
    words = words_of(clause.tokens, place.sentence)
    reading = Reading(clause, wording, known.scene.speaker)
    modality = modality_of(reading, fact_of(reading))
    return _said(words, wording, (spoken, clause.tokens, modality), known)


def _said(
    words: str,
    wording: Wording,
    source: tuple[_Spoken, Sequence[Token], Modality],
    known: _Known,
    asked: str = "",
) -> Entry:
    spoken, tokens, modality = source
    speaker = known.scene.speaker
    text = quote(speaker, words, asked)
    span = (tokens[0].idx, tokens[-1].idx + len(tokens[-1]))
    dates = [_relative(t, spoken) for t in spoken.annotation.times if span[0] <= t.start < span[1]]
    text = f'{text[:-2]} ({", ".join(filter(None, dates))})."' if any(dates) else text
    nouns = [t for t in tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    made = _Made(text, fact_said(speaker, words), modality, nouns[0] if nouns else None)
    return _assembled(made, wording, spoken, span, known)


def _relative(expression: TimeExpression, spoken: _Spoken) -> str:
    """Return the resolved date of a relative wording, nothing where the words hold the year."""
    words = spoken.turn.content[expression.start : expression.end]
    return "" if _YEAR.search(words) else shown(expression.interval)


def _addresses(clause: Clause) -> bool:
    """Whether the clause is about the one spoken to: a compliment, an echo or advice."""
    subject = next((t for t in clause.subject if t.dep_ in SUBJECTS), None)
    if subject is None:
        return False
    about = {"you", "ya", "u", "your", "yours", "yourself"}
    return any(t.lower_ in about for t in clause.subject) and not _told(clause)


def _hangs(wording: Wording) -> bool:
    """Whether an unresolved "it" or "that" is all that the clause is about."""
    open_ended = any(
        p.token.pos_ == "PRON" and p.words == p.token.text and p.token.lower_ in _DEICTIC
        for p in wording.pieces
    )
    return open_ended and not any(
        p.token.pos_ in {"NOUN", "PROPN", "NUM"} and has_content(p.token) for p in wording.pieces
    )


def _told(clause: Clause) -> bool:
    """Whether it is as "You gave me a watch": an act of the other that leaves a trace."""
    head = clause.head
    acts = head.tag_ == "VBD" and head.pos_ == "VERB"
    return acts and any(t.dep_ in {"dobj", "dative"} and has_content(t) for t in head.children)


def _suggestion(clause: Clause, wording: Wording, spoken: _Spoken, known: _Known) -> Entry | None:
    words = {t.lower_ for t in clause.head.children} | {clause.head.lemma_}
    content = [t for t in clause.tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    said_to = any(t.dep_ in SUBJECTS and t.lower_ in {"you", "ya", "u"} for t in clause.subject)
    senses = clause.head.lemma_ in _SENSING
    if not words & _ADVISING or not content or not known.scene.other or not said_to or senses:
        return None
    return _suggested(f"{wording.text[:-1]}", content, spoken, known)


def _advice(clause: Clause, wording: Wording, spoken: _Spoken, known: _Known) -> Entry | None:
    content = [t for t in clause.tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    if clause.head.lemma_ not in ADVICE_VERB or not content or not known.scene.other:
        return None
    words = joined_words(wording)
    return _suggested(f"{known.scene.other} {words}", content, spoken, known)


def _suggested(words: str, content: Sequence[Token], spoken: _Spoken, known: _Known) -> Entry:
    speaker = known.scene.speaker
    reworded = Wording(tuple(Piece(t, t.text) for t in content))
    fact = Fact(speaker.casefold(), "suggest", " ".join(t.lower_ for t in content))
    made = _Made(f"{speaker} suggests that {words}.", fact, Modality.HYPOTHETICAL, content[-1])
    start, end = content[0].idx, content[-1].idx + len(content[-1])
    return _assembled(made, reworded, spoken, (start, end), known)


def joined_words(wording: Wording) -> str:
    """Return the words of a clause without capital and period."""
    words = joined(wording.pieces)
    return (words[:1].lower() + words[1:]).rstrip(" ,.!?;:")


# ------------------------------------------------------------------ the entry


@dataclass(frozen=True, slots=True)
class _Made:
    """What was decided of a clause."""

    text: str
    fact: Fact
    modality: Modality
    topic: Token | None


def _entry(reading: Reading, spoken: _Spoken, span: tuple[int, int], known: _Known) -> Entry:
    fact = _settled(fact_of(reading), known)
    made = _Made(reading.wording.text, fact, modality_of(reading, fact), _topic(reading))
    return _assembled(made, reading.wording, spoken, span, known)


def _assembled(
    made: _Made, wording: Wording, spoken: _Spoken, span: tuple[int, int], known: _Known
) -> Entry:
    persons = _persons(made.text, wording, known.scene)
    inside = [t for t in spoken.annotation.times if span[0] <= t.start < span[1]]
    entities = _entities(spoken.annotation, *span)
    return Entry(
        EntryId(1),
        made.text,
        (spoken.turn.id,),
        keywords=_keywords(wording, known.scene),
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


def _settled(fact: Fact, known: _Known) -> Fact:
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


def _with_times(wording: Wording, spoken: _Spoken) -> Wording:
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


def _future(spoken: _Spoken, span: tuple[int, int]) -> bool:
    said = spoken.turn.said_at
    return said is not None and any(
        t.interval.start > said and span[0] <= t.start < span[1] for t in spoken.annotation.times
    )


def _keywords(wording: Wording, scene: Scene) -> tuple[str, ...]:
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
