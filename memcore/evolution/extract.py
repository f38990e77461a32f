"""The local extractor: a window of turns to atomic entries, without a model server.

One clause gives one sentence in the third person; what it claims is decided by grammar (negation,
doubt, plan, question, advice), never by likelihood. A turn that states nothing gives nothing, and
the builder records it. Chosen: precision before recall, since an invented fact is worse than a turn
that only the other memory holds. Turned down: triples (they lose hedges and times) and whole turns
as entries (a turn mixes statement, plan and question).

Only the first `PARSED` characters of a turn are read, so a pasted book cannot stop a build.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution import extract_chinese
from memcore.evolution.answered import answered, question_before
from memcore.evolution.answers import polarity
from memcore.evolution.attributes import Fact, Reading, fact_of, modality_of
from memcore.evolution.clauses import SUBJECTS, Act, Clause, act, clauses, has_content
from memcore.evolution.entries import (
    Known,
    Made,
    Spoken,
    assembled,
    entities_of,
    entry_of,
    is_future,
    keywords_of,
    said_entry,
    with_times,
)
from memcore.evolution.lexicon import ADVICE_VERB
from memcore.evolution.parsing import PARSED, Page, parse
from memcore.evolution.pieces import Piece, Wording, joined
from memcore.evolution.pronouns import Scene
from memcore.evolution.quotes import unsafe, words_of
from memcore.evolution.wording import reword
from memcore.types import (
    Annotation,
    Entry,
    EntryId,
    Modality,
    Turn,
)

_ADVISING: Final = frozenset({"should", "could", "can", "might", "must", "need", "ought", "try"})
_SENSING: Final = frozenset(
    {"feel", "see", "tell", "hear", "sense", "imagine", "notice", "count", "rely"}
)
"""Verbs with which "you can ..." tells of anybody and advises nothing."""
_DEICTIC: Final = frozenset({"it", "that", "this", "these", "those", "them", "they", "which"})


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
        before: Spoken | None = None
        for place, spoken in enumerate(_parsed(turns, annotations)):
            scene.turn(spoken.turn.speaker, _other(spoken.turn, before, scene), place)
            found.extend(_of_turn(spoken, before, Known(scene, (*earlier, *found))))
            before = spoken
        return tuple(replace(e, id=EntryId(n)) for n, e in enumerate(found, 1))


def _parsed(turns: Sequence[Turn], annotations: Sequence[Annotation]) -> tuple[Spoken, ...]:
    english = [
        a.language == "en" and not t.forwarded_from for t, a in zip(turns, annotations, strict=True)
    ]
    texts = [t.text for t, is_english in zip(turns, english, strict=True) if is_english]
    pages = iter(parse(texts))
    return tuple(
        Spoken(t, a, next(pages) if is_english else None)
        for t, a, is_english in zip(turns, annotations, english, strict=True)
    )


def _other(turn: Turn, before: Spoken | None, scene: Scene) -> str:
    """Whom the turn speaks to: the second of two speakers, else the one it names or follows."""
    others = [n for n in scene.names if n != turn.speaker]
    if len(others) == 1:
        return others[0]
    if turn.direct_to in others:
        return turn.direct_to
    return before.turn.speaker if before and before.turn.speaker in others else ""


def _of_turn(spoken: Spoken, before: Spoken | None, known: Known) -> Iterator[Entry]:
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


def _caption(spoken: Spoken) -> Entry:
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
        entities=tuple(sorted({*entities_of(spoken.annotation, start, start + PARSED), name})),
        topic=caption.casefold()[:60],
        said_at=turn.said_at,
        subject=name,
        attribute="share photo",
        value=caption.casefold(),
    )


def _caption_keys(spoken: Spoken, caption: str, start: int) -> tuple[str, ...]:
    """The caption's keywords, as lemmas: a stem would never meet the words of a sentence."""
    if spoken.annotation.language == "zh":
        found = {m.key for m in spoken.annotation.mentions if m.start >= start}
        return tuple(sorted(found))
    (page,) = parse([caption])
    pieces = (Piece(t, t.text, chunk=page.chunks[t.i]) for t in page.doc)
    return keywords_of(Wording(tuple(pieces)), Scene())


def _english(spoken: Spoken, page: Page, before: Spoken | None, known: Known) -> Iterator[Entry]:
    asked = question_before(before, spoken.turn)
    for at, sentence in enumerate(page.doc.sents):
        known.scene.sentence += 1
        known.scene.answering = asked is not None and at <= 1
        if asked is not None and not _is_noise(sentence):
            yes = polarity(sentence)
            joined = answered(spoken, sentence, asked, known)
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a clause stands: its turn, its sentence, and whether it ends the sentence."""

    spoken: Spoken
    sentence: Span
    last: bool


def _of_clause(place: _Place, clause: Clause, known: Known) -> Entry | None:
    scene, spoken = known.scene, place.spoken
    kind = act(clause, place.sentence, place.last)
    wording = with_times(reword(clause, scene), spoken)
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
    future = is_future(spoken, span) and not any(
        t.tag_ == "VBD" for t in (clause.head, *clause.head.children)
    )
    return entry_of(Reading(clause, wording, scene.speaker, future), spoken, span, known)


def _quoted(place: _Place, clause: Clause, wording: Wording, known: Known) -> Entry:
    """Return what is kept in the turn's own words, since nobody can be named for it safely."""
    spoken = place.spoken
    words = words_of(clause.tokens, place.sentence)
    reading = Reading(clause, wording, known.scene.speaker)
    modality = modality_of(reading, fact_of(reading))
    return said_entry(words, wording, (spoken, clause.tokens, modality), known)


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


def _suggestion(clause: Clause, wording: Wording, spoken: Spoken, known: Known) -> Entry | None:
    words = {t.lower_ for t in clause.head.children} | {clause.head.lemma_}
    content = [t for t in clause.tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    said_to = any(t.dep_ in SUBJECTS and t.lower_ in {"you", "ya", "u"} for t in clause.subject)
    senses = clause.head.lemma_ in _SENSING
    if not words & _ADVISING or not content or not known.scene.other or not said_to or senses:
        return None
    return _suggested(f"{wording.text[:-1]}", content, spoken, known)


def _advice(clause: Clause, wording: Wording, spoken: Spoken, known: Known) -> Entry | None:
    content = [t for t in clause.tokens if t.pos_ in {"NOUN", "PROPN"} and has_content(t)]
    if clause.head.lemma_ not in ADVICE_VERB or not content or not known.scene.other:
        return None
    words = joined_words(wording)
    return _suggested(f"{known.scene.other} {words}", content, spoken, known)


def _suggested(words: str, content: Sequence[Token], spoken: Spoken, known: Known) -> Entry:
    speaker = known.scene.speaker
    reworded = Wording(tuple(Piece(t, t.text) for t in content))
    fact = Fact(speaker.casefold(), "suggest", " ".join(t.lower_ for t in content))
    made = Made(f"{speaker} suggests that {words}.", fact, Modality.HYPOTHETICAL, content[-1])
    start, end = content[0].idx, content[-1].idx + len(content[-1])
    return assembled(made, reworded, spoken, (start, end), known)


def joined_words(wording: Wording) -> str:
    """Return the words of a clause without capital and period."""
    words = joined(wording.pieces)
    return (words[:1].lower() + words[1:]).rstrip(" ,.!?;:")
