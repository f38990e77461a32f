"""How a memory's own words are keyed: a question is read by looking its words up there.

A question must get the keys of the turns that answer it, and those are known: each annotated turn
says which words gave which key. So the pipeline of the turns need not run again for ten words
(12 ms of it, half a query); what the memory never said is keyed by the lemmatizer's tables under
each word class, and the first key that the memory knows is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memcore.annotate.keys import DETERMINERS, STOP_WORDS, normalise, stem
from memcore.annotate.languages import ENGLISH, language_of
from memcore.annotate.names import is_name
from memcore.annotate.pipelines import english
from memcore.annotate.times import resolve, scene_of
from memcore.seams import Annotator
from memcore.types import AnchorKind, Annotation, Mention, TimeExpression, Turn, TurnId

_CLASSES: Final = ("verb", "noun", "adj")
"""Word classes in the order in which an unknown word is tried."""
_CHUNK_WORDS: Final = 3
_NAME_WORDS: Final = 6
_SPOKEN: Final = re.compile(r"[^\W_]")
_QUOTES: Final = "'\u2018\u2019\u201c\u201d\"-_*~."


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a memory with their keys, and its keys by kind; all case-folded.

    `heads` are the words that a key of an entity begins with.
    """

    words: Mapping[str, str]
    keys: frozenset[str]
    chunks: frozenset[str]
    chunk_words: frozenset[str]
    entities: frozenset[str]
    heads: frozenset[str]

    def key(self, word: str) -> str:
        """Return the key of a word; "" where it gives none."""
        lower = word.casefold()
        if lower in STOP_WORDS or not (len(lower) > 1 or lower.isdecimal()):
            return ""
        if lower in self.words:
            return self.words[lower]
        lemmas = lemmas_of(lower)
        if any(lemma in STOP_WORDS for lemma in lemmas):
            return ""
        keys = [stem(lemma) for lemma in lemmas]
        return next((key for key in keys if key in self.keys), keys[0])


def lexicon(turns: Sequence[Turn], annotations: Sequence[Annotation]) -> Lexicon:
    """Return the lexicon of annotated turns; a word with several keys has its most frequent one."""
    text = {turn.id: turn.content for turn in turns}
    seen: Counter[tuple[str, str]] = Counter()
    chunks: set[str] = set()
    entities: set[str] = set()
    for note in annotations:
        for mention in note.mentions:
            if mention.kind is AnchorKind.ENTITY:
                entities.add(mention.key)
            elif " " in mention.key:
                chunks.add(mention.key)
            elif note.turn in text:
                word = text[note.turn][mention.start : mention.end].casefold()
                seen[word, mention.key] += 1
    ordered = sorted(seen, key=lambda pair: (seen[pair], pair))
    words = dict(ordered)  # the last of a word wins: the most frequent
    keys = frozenset(words.values())
    parts = frozenset(word for chunk in chunks for word in chunk.split())
    heads = frozenset(normalise(key.split(" ")[0]) for key in entities)
    return Lexicon(words, keys, frozenset(chunks), parts, frozenset(entities), heads)


@cache
def _tables() -> Mapping[str, tuple[Mapping[str, Sequence[str]], Sequence[Sequence[str]], object]]:
    lookups = english().get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]
    names = ("lemma_exc", "lemma_rules", "lemma_index")
    exceptions, rules, index = (lookups.get_table(name) for name in names)
    return {c: (exceptions.get(c, {}), rules.get(c, []), index.get(c, {})) for c in _CLASSES}


@cache
def lemmas_of(word: str) -> tuple[str, ...]:
    """Return the lemmas of a case-folded word, one a word class that knows it, else the word.

    >>> lemmas_of("went"), lemmas_of("paintings"), lemmas_of("qwerty")
    (('go',), ('painting',), ('qwerty',))
    """
    found: list[str] = []
    for exceptions, rules, index in _tables().values():
        if word in exceptions:
            found += exceptions[word]
            continue
        made = (word[: len(word) - len(old)] + new for old, new in rules if word.endswith(old))
        found += [lemma for lemma in made if lemma in index]  # type: ignore[operator]
    return tuple(dict.fromkeys(found)) or (word,)


class LexiconAnnotator:
    """Reads English questions by the lexicon of a memory, and others by another annotator."""

    def __init__(self, known: Lexicon, other: Annotator, speakers: Sequence[str]) -> None:
        self._known, self._other, self._speakers = known, other, tuple(speakers)
        # Beside turns of the speakers a Chinese question keeps their names whole.
        self._silent = tuple(Turn(TurnId(1, n), name, "") for n, name in enumerate(speakers, 2))

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        """Return one annotation a turn, same order."""
        return tuple(
            self._read(turn)
            if language_of(turn.content) == ENGLISH
            else self._other.annotate((turn, *self._silent))[0]
            for turn in turns
        )

    def _read(self, turn: Turn) -> Annotation:
        text = turn.content
        scene = scene_of(turn.said)
        times = resolve(text, scene, ENGLISH)
        words = _words(text)
        entities = tuple(self._entities(text, words, times))
        found = {*entities, *self._lexical(text, words)}
        return Annotation(turn.id, tuple(sorted(found)), times, ENGLISH)

    def _lexical(self, text: str, words: Sequence[tuple[int, int]]) -> Iterator[Mention]:
        run: list[tuple[int, int, str]] = []
        for start, end in words:
            key = self._key(text[start:end])
            if run and (not key or text[run[-1][1] : start].strip(" -")):
                yield from self._chunk(run)
                run = []
            if key:
                run.append((start, end, key))
                yield Mention(start, end, AnchorKind.LEXICAL, key)
        yield from self._chunk(run)

    def _key(self, word: str) -> str:
        named = not word.islower() and is_name(word, self._speakers)
        return "" if named else self._known.key(word)

    def _chunk(self, run: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
        """Yield the known chunk that ends a run; a word that no chunk holds may stand before it."""
        part = run[-_CHUNK_WORDS:]
        while len(part) > 2 and part[0][2] not in self._known.chunk_words:
            part = part[1:]
        key = " ".join(word[2] for word in part)
        if key in self._known.chunks:
            yield Mention(part[0][0], part[-1][1], AnchorKind.LEXICAL, key)

    def _entities(
        self, text: str, words: Sequence[tuple[int, int]], times: Sequence[TimeExpression]
    ) -> Iterator[Mention]:
        place = 0
        while place < len(words):
            length, key = self._name_at(text, words, place)
            start, end = words[place][0], words[place + length - 1][1]
            if key and not any(start < t.end and t.start < end for t in times):
                yield Mention(start, end, AnchorKind.ENTITY, key)
            place += length

    def _name_at(self, text: str, words: Sequence[tuple[int, int]], place: int) -> tuple[int, str]:
        """Return the words and the key of the longest known name here; (1, "") for none."""
        first = normalise(text[slice(*words[place])])
        if first not in self._known.heads and first not in DETERMINERS:
            return 1, ""
        for length in range(min(_NAME_WORDS, len(words) - place), 0, -1):
            span = text[words[place][0] : words[place + length - 1][1]]
            key = normalise(span)
            if key in self._known.entities and not span.islower() and not self._is_speaker(span):
                return length, key
        return 1, ""

    def _is_speaker(self, span: str) -> bool:
        return all(is_name(word, self._speakers) for word in span.split())


def _words(text: str) -> list[tuple[int, int]]:
    """Return the places of the words, cut as the turns were."""
    found = []
    for token in english().make_doc(text):
        word, start = token.text, token.idx
        if _SPOKEN.search(word):
            opening = len(word) - len(word.lstrip(_QUOTES))
            found.append((start + opening, start + len(word.rstrip(_QUOTES))))
    return found
