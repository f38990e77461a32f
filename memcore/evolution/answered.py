"""A short answer with its question: one statement, else the quote of both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spacy.tokens import Span, Token

from memcore.evolution.answers import Joined, asks_polar, confirm, is_short, join, polarity
from memcore.evolution.attributes import Reading
from memcore.evolution.clauses import Clause, clauses, has_content
from memcore.evolution.entries import (
    Known,
    Spoken,
    entry_of,
    said_entry,
    with_times,
)
from memcore.evolution.parsing import parse
from memcore.evolution.pronouns import Kind, Scene
from memcore.evolution.quotes import words_of
from memcore.evolution.wording import reword
from memcore.types import (
    Entry,
    Modality,
    Turn,
)

_SOUNDING: Final = frozenset({"sounds", "looks", "seems"})


def question_before(before: Spoken | None, turn: Turn) -> tuple[Span, Scene] | None:
    """The last question of the turn before, with a scene in which its asker speaks."""
    if before is None or before.page is None or before.turn.speaker == turn.speaker:
        return None
    asked = [s for s in before.page.doc.sents if "?" in s.text[-4:]]
    if not asked:
        return None
    return asked[-1], Scene(before.turn.speaker, turn.speaker)


def answered(
    spoken: Spoken, sentence: Span, asked: tuple[Span, Scene], known: Known
) -> Entry | None:
    """Return what a sentence says with the question it answers, or None if it answers none."""
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
    spoken: Spoken,
    sentence: Span,
    tokens: tuple[Token, ...],
    asked: tuple[Span, Scene],
    known: Known,
) -> Entry | None:
    """Return a fragment with its question: one statement, else the quote of both."""
    question, scene = asked
    if spoken.page is None:
        return None
    clause = Clause(spoken.page, sentence.root, tokens)
    wording = with_times(reword(clause, known.scene), spoken)
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
    return said_entry(answer, wording, (spoken, tokens, Modality.ASSERTED), known, text)


def _tells(tokens: Sequence[Token], names: Sequence[str]) -> bool:
    """Whether a fragment names something beside the speakers, and nothing of the one spoken to."""
    called = {word for name in names for word in name.casefold().split()}
    nouns = [t for t in tokens if t.pos_ in {"NOUN", "PROPN", "NUM"} and has_content(t)]
    named = any(t.lower_ not in called for t in nouns) and tokens[0].lower_ not in _SOUNDING
    return named and not any(t.lower_ in {"you", "your", "yours", "u"} for t in tokens)


def _joined_entry(
    spoken: Spoken, tokens: tuple[Token, ...], joined: Joined, known: Known
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
    entry = entry_of(reading, spoken, (tokens[0].idx, tokens[-1].idx + len(tokens[-1])), known)
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
