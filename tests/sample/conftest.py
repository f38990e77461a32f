"""The samples read by the importer and built with the real parts, once a session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.embedders.sentence_transformer import SentenceTransformerEmbedder
from memcore.evolution.build import evolution
from memcore.evolution.extract import LocalExtractor
from memcore.evolution.states import States, states
from memcore.hypergraph.build import hypergraph
from memcore.readers.function import FunctionReader
from memcore.retrieval.ariadnemem import ariadnemem
from memcore.retrieval.loop import retrieve
from memcore.seams import Embedder, Parts
from memcore.settings import SAFE, Settings
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import read_questions
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Answer, Conversation, Entry, EntryId, Memory, Question, Trace, TurnId


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample dialogue with its questions, its memory and the parts that made it."""

    memory: Memory
    questions: Mapping[str, Question]
    parts: Parts

    @property
    def states(self) -> States:
        return states(self.memory.evolution)

    @property
    def written(self) -> tuple[Entry, ...]:
        """All entries, the merged ones too, in stream order."""
        graph = self.memory.evolution
        return tuple(sorted((*graph.entries, *graph.merged), key=lambda e: e.id))

    def place(self, entry: EntryId) -> TurnId:
        """The turn in which an entry was said first, last of its sources."""
        return next(e for e in self.written if e.id == entry).source_turns[-1]

    def said_in(self, turn: TurnId) -> tuple[Entry, ...]:
        return tuple(e for e in self.written if turn in e.source_turns)

    def ask(self, question: str, settings: Settings = SAFE) -> Trace:
        asked_at = next(iter(self.questions.values())).asked_at.at
        retriever = ariadnemem(self.memory, settings, self.parts, "ariadnemem-safe")
        return list(retrieve(retriever, question, asked_at))[-1]


def imported(folder: Path, name: str) -> tuple[Conversation, tuple[Question, ...]]:
    source = Source(f"{name}.json", (folder / f"{name}.json").read_bytes())
    (conversation,) = read((source,), Options()).conversations
    asked = f"{name}.questions.jsonl"
    return conversation, read_questions(Source(asked, (folder / asked).read_bytes()), conversation)


def built(folder: Path, name: str, embedder: Embedder, settings: Settings = SAFE) -> Sample:
    conversation, questions = imported(folder, name)
    nobody = FunctionReader(lambda question, context: Answer(""))
    parts = Parts(embedder, RulesAnnotator(), LocalExtractor(), nobody)
    notes = parts.annotator.annotate(conversation.turns)
    turn_vectors = embedder.encode([turn.content for turn in conversation.turns])
    graph, vectors = evolution(conversation, notes, turn_vectors, parts, settings)
    memory = Memory(
        conversation,
        notes,
        hypergraph(conversation, notes),
        graph,
        vectors,
        turn_vectors,
        embedder.name,
        name,
    )
    return Sample(memory, {q.id: q for q in questions}, parts)


@pytest.fixture(scope="session")
def english(sample_data: Path) -> Sample:
    return built(sample_data, "english", SentenceTransformerEmbedder())


@pytest.fixture(scope="session")
def chinese(sample_data: Path) -> Sample:
    return built(sample_data, "chinese", HashingEmbedder())


@dataclass(frozen=True, slots=True)
class Row:
    """One mechanism of the README's table: where it is in each dialogue, and who asks for it."""

    english: tuple[TurnId, ...]
    english_questions: tuple[str, ...]
    chinese: tuple[TurnId, ...]
    chinese_questions: tuple[str, ...]


@pytest.fixture(scope="session")
def table(sample_data: Path) -> Mapping[str, Row]:
    """The table of sample_data/README.md, by mechanism."""
    lines = (sample_data / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [
        [c.strip() for c in line.strip("|").split("|")]
        for line in lines
        if re.search(r"\| D\d", line)
    ]
    return {
        name: Row(turns(a), tuple(b.split()), turns(c), tuple(d.split()))
        for name, a, b, c, d in cells
    }


def turns(cell: str) -> tuple[TurnId, ...]:
    return tuple(TurnId.parse(place) for place in cell.split())
