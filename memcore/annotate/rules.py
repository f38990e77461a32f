"""The ready-made Annotator: spaCy for English turns, jieba for Chinese, own rules for time.

An annotation depends on its turn and on who speaks in the turns given with it, since speakers'
names give no key; names of one person are joined only inside a turn. Joining them over a dialogue
was turned down: a later turn would change the keys of an earlier one, and a memory that grew would
differ from one built at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

from memcore.annotate import chinese, english
from memcore.annotate.languages import CHINESE, ENGLISH, language_of
from memcore.annotate.lexicon import LexiconAnnotator, lexicon
from memcore.annotate.pipelines import BATCH_SIZE
from memcore.annotate.pipelines import english as english_pipeline
from memcore.annotate.tenses import coming
from memcore.annotate.times import leftover, resolve, scene_of
from memcore.types import Annotation, Turn


class RulesAnnotator:
    """Finds entities, lexical keys and times by local rules; loads its pipelines on first use."""

    def annotate(self, turns: Sequence[Turn], /) -> tuple[Annotation, ...]:
        """Return one annotation a turn, same order."""
        speakers = tuple(dict.fromkeys(turn.speaker for turn in turns))
        languages = [language_of(turn.content) for turn in turns]
        wanted = [
            language == ENGLISH and bool(turn.content)
            for turn, language in zip(turns, languages, strict=True)
        ]
        read = _english(list(compress(turns, wanted)), speakers)
        return tuple(
            next(read) if is_english else _other(turn, speakers)
            for turn, is_english in zip(turns, wanted, strict=True)
        )

    def learned(
        self, turns: Sequence[Turn], annotations: Sequence[Annotation], /
    ) -> LexiconAnnotator:
        """Return an annotator of questions that knows the words of these turns."""
        speakers = tuple(dict.fromkeys(turn.speaker for turn in turns))
        return LexiconAnnotator(lexicon(turns, annotations), self, speakers)


def _english(turns: Sequence[Turn], speakers: Sequence[str]) -> Iterator[Annotation]:
    if not turns:
        return
    docs = english_pipeline().pipe((t.content for t in turns), batch_size=BATCH_SIZE)
    for turn, doc in zip(turns, docs, strict=True):
        scene = replace(scene_of(turn.said), coming=coming(doc))
        times = resolve(turn.content, scene, ENGLISH)
        times = leftover(turn.content, english.date_spans(doc), times, scene)
        yield Annotation(turn.id, english.mentions(doc, times, speakers), times, ENGLISH)


def _other(turn: Turn, speakers: Sequence[str]) -> Annotation:
    """Return the annotation of a Chinese turn, or of one without words, which loads nothing."""
    return _chinese(turn, speakers) if turn.content else Annotation(turn.id, (), (), ENGLISH)


def _chinese(turn: Turn, speakers: Sequence[str]) -> Annotation:
    times = resolve(turn.content, scene_of(turn.said), CHINESE)
    return Annotation(turn.id, chinese.mentions(turn.content, times, speakers), times, CHINESE)
