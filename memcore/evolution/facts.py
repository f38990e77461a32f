"""The entries of one memory, ready to be asked: made once, then read by every stage.

The lexical index of Eq. 7 is over stems of the restatement's words and the keywords, so a keyword
that also stands in the sentence counts twice. Its keys are made by the same rule on both sides;
the annotator's lemmas were turned down, since a question would need a parse to match them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.annotate.keys import CHINESE_STOP_WORDS, STOP_WORDS, stem
from memcore.annotate.languages import HAN
from memcore.annotate.pipelines import chinese, chinese_inside
from memcore.evolution.states import States, session_of, states
from memcore.scoring import Bm25, bm25
from memcore.settings import Settings
from memcore.types import Entry, EntryId, EvolutionGraph, Memory, Vectors

_WORD: Final = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")
_HAN: Final = re.compile(f"[{HAN}]")


def _of_word(word: str) -> Iterator[str]:
    """Yield a Chinese word and the dictionary's words inside it: 扭伤脚 and 扭伤."""
    for key in (word, *(part for _place, part in chinese_inside(word))):
        if key not in CHINESE_STOP_WORDS:
            yield key


def lexical_keys(text: str) -> tuple[str, ...]:
    """Return the keys of a text for BM25, as they stand: stems, and jieba's words for Chinese.

    >>> lexical_keys("Ana's lamps are painted")
    ('ana', 'lamp', 'paint')
    """
    found: list[str] = []
    for run in _WORD.findall(text):
        if _HAN.match(run):
            found += [key for word, _tag in chinese(run) for key in _of_word(word)]
        elif run.casefold() not in STOP_WORDS:
            found.append(stem(run))
    return tuple(found)


def entity_keys(entry: Entry) -> frozenset[str]:
    """Return what Eq. 8 compares: the persons and entities of an entry."""
    return frozenset(k.casefold() for k in (*entry.persons, *entry.entities))


def hubs(entries: tuple[Entry, ...], share: float) -> frozenset[str]:
    """Return the entities that stand in more than this share of the entries: they join nothing."""
    counts = Counter(key for e in entries for key in entity_keys(e))
    return frozenset(key for key, n in counts.items() if n > share * len(entries))


@dataclass(frozen=True, slots=True)
class View:
    """What is known after a session.

    By place: `known` says which entries, `moments` their times, `stamps` the same in seconds
    (NaN where unknown). `hubs` are the entities that join nothing.
    """

    states: States
    known: NDArray[np.bool_]
    moments: tuple[datetime | None, ...]
    stamps: NDArray[np.float64]
    hubs: frozenset[str]


def moment_of(entry: Entry, found: States) -> datetime | None:
    """Return the time that graphs use: when it happened, else when it was last said (Eq. 5).

    A merge takes over the newer time of saying; a date that was named stays.
    """
    if entry.time is not None:
        return entry.time.start
    return max(found.observed_at(entry.id), default=None)


@dataclass(frozen=True, slots=True)
class Facts:
    """Entries by place, in id order, with their vectors and their BM25 index."""

    entries: tuple[Entry, ...]
    places: Mapping[EntryId, int]
    vectors: Vectors
    index: Bm25
    persons: Mapping[str, NDArray[np.bool_]]
    settings: Settings
    graph: EvolutionGraph
    whole: View

    def at(self, as_of: int | None) -> View:
        """Return what is known after session `as_of`; None is everything."""
        return self.whole if as_of is None else _view(self.graph, self.settings, as_of)

    def names_none(self, asked: frozenset[str]) -> NDArray[np.bool_]:
        """Return which entries name none of the asked persons; nobody asked: no entry."""
        found = np.full(len(self.entries), bool(asked))
        for person in asked & self.persons.keys():
            found &= ~self.persons[person]
        return found

    def entry(self, item: EntryId) -> Entry:
        """Return a stored entry by id."""
        return self.entries[self.places[item]]

    def moment(self, view: View, item: EntryId) -> datetime | None:
        """Return the time of a stored entry as a view knows it."""
        return view.moments[self.places[item]]


def facts(memory: Memory, settings: Settings) -> Facts:
    """Return the index of a memory's entries under one settings value."""
    graph = memory.evolution
    documents = [lexical_keys(" ".join((e.restatement, *e.keywords))) for e in graph.entries]
    return Facts(
        graph.entries,
        {e.id: n for n, e in enumerate(graph.entries)},
        memory.vectors,
        bm25(documents, settings.bm25_k1, settings.bm25_b),
        _persons(graph.entries),
        settings,
        graph,
        _view(graph, settings, None),
    )


def _persons(entries: tuple[Entry, ...]) -> Mapping[str, NDArray[np.bool_]]:
    found: dict[str, NDArray[np.bool_]] = {}
    for place, entry in enumerate(entries):
        for person in entry.persons:
            mask = found.setdefault(person.casefold(), np.zeros(len(entries), dtype=np.bool_))
            mask[place] = True
    return found


def _view(graph: EvolutionGraph, settings: Settings, as_of: int | None) -> View:
    found = states(graph, as_of)
    mask = [as_of is None or session_of(e) <= as_of for e in graph.entries]
    moments = tuple(moment_of(e, found) for e in graph.entries)
    return View(
        found,
        np.array(mask, dtype=np.bool_),
        moments,
        np.array([np.nan if m is None else m.timestamp() for m in moments]),
        hubs(found.graph.entries, settings.hub_share),
    )
