"""What each seam promises, held over every implementation that needs no network.

One fixture a Protocol; its ids are the implementations. A part that breaks its promise is told so
by SeamError, with its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from sqlite_utils import Database

from memcore import pipeline
from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.embedders.sentence_transformer import SentenceTransformerEmbedder
from memcore.errors import SeamError
from memcore.evolution.extract import LocalExtractor
from memcore.readers.extractive import ExtractiveReader
from memcore.readers.function import FunctionReader
from memcore.retrieval.loop import Retriever, retrieve
from memcore.seams import Annotator, Embedder, Extractor, Parts, Reader, TokenEmbedder
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.types import (
    Answer,
    Beat,
    Candidate,
    Context,
    Conversation,
    Detection,
    Entry,
    EntryId,
    ImportReport,
    Query,
    ReadResult,
    SaidTime,
    Sentence,
    Step,
    Turn,
    TurnId,
)
from tests import whole
from tests.parts import FunctionAnnotator, FunctionEmbedder, FunctionExtractor, SilentReader
from tests.readers.packets import packet
from tests.retrieval import small

NOW = datetime(2023, 5, 8, 12, tzinfo=UTC)


def turn(n: int, speaker: str, text: str, caption: str = "") -> Turn:
    return Turn(TurnId(1, n), speaker, text, caption, SaidTime(NOW), key=f"1.{n}")


TURNS = (
    turn(1, "Ana", "I moved to Porto yesterday."),
    turn(2, "Ben", ""),
    turn(3, "Ben", "?! … 👍", "a red kite over the beach"),
    turn(4, "Ana", "I moved to Porto yesterday."),
    turn(5, "小雨", "我昨天去了北京。"),
    turn(6, "Ben", "Hm.\n\tWhere is Zoë’s dog?"),
)
TEXTS = tuple(t.content for t in TURNS)

# ---------------------------------------------------------------- embedders


@pytest.fixture(scope="module", params=["hashing", "MiniLM", "function"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made = {
        "hashing": HashingEmbedder,
        "MiniLM": SentenceTransformerEmbedder,
        "function": lambda: FunctionEmbedder(whole.vector),
    }
    return made[request.param]()


def test_an_embedder_gives_one_unit_row_of_float32_a_text(embedder: Embedder) -> None:
    rows = embedder.encode(TEXTS)
    assert (rows.dtype, rows.ndim, len(rows)) == (np.float32, 2, len(TEXTS))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_an_embedder_gives_equal_texts_equal_rows_in_the_order_asked(embedder: Embedder) -> None:
    rows = embedder.encode(TEXTS)
    assert (rows[0] == rows[3]).all()
    assert (embedder.encode(TEXTS[::-1])[::-1] == rows).all()
    assert (embedder.encode(TEXTS[:1])[0] == rows[0]).all()


def test_an_embedder_of_nothing_gives_no_row_of_its_width(embedder: Embedder) -> None:
    assert embedder.encode(()).shape == (0, embedder.encode(TEXTS).shape[1])


def test_an_embedder_has_a_name_to_store_its_vectors_under(embedder: Embedder) -> None:
    assert embedder.name


@pytest.fixture(scope="module", params=["MiniLM"])
def token_embedder(request: pytest.FixtureRequest) -> TokenEmbedder:
    return {"MiniLM": SentenceTransformerEmbedder}[request.param]()


def test_a_token_embedder_gives_one_matrix_of_unit_rows_a_text(
    token_embedder: TokenEmbedder,
) -> None:
    found = token_embedder.encode_tokens(TEXTS)
    assert len(found) == len(TEXTS)
    assert len({rows.shape[1] for rows in found}) == 1
    for rows in found:
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert (found[0] == found[3]).all()


# ---------------------------------------------------------------- annotators


@pytest.fixture(scope="module", params=["rules", "function"])
def annotator(request: pytest.FixtureRequest) -> Annotator:
    made = {"rules": RulesAnnotator, "function": lambda: FunctionAnnotator(small.annotation)}
    return made[request.param]()


def test_an_annotator_gives_one_annotation_a_turn_in_the_same_order(annotator: Annotator) -> None:
    assert [a.turn for a in annotator.annotate(TURNS)] == [t.id for t in TURNS]
    assert annotator.annotate(()) == ()


def test_an_annotator_marks_stretches_inside_the_content_by_start(annotator: Annotator) -> None:
    for found, said in zip(annotator.annotate(TURNS), TURNS, strict=True):
        for marks in (found.mentions, found.times):
            assert [m.start for m in marks] == sorted(m.start for m in marks)
            for mark in marks:
                assert 0 <= mark.start < mark.end <= len(said.content)


def test_an_annotator_gives_case_folded_keys(annotator: Annotator) -> None:
    keys = [m.key for found in annotator.annotate(TURNS) for m in found.mentions]
    assert keys
    assert keys == [key.casefold() for key in keys]
    assert all(key.strip() == key != "" for key in keys)


def test_an_annotator_gives_the_same_again(annotator: Annotator) -> None:
    assert annotator.annotate(TURNS) == annotator.annotate(TURNS)


# ---------------------------------------------------------------- extractors


@pytest.fixture(scope="module", params=["local", "function"])
def extractor(request: pytest.FixtureRequest) -> Extractor:
    made = {"local": LocalExtractor, "function": lambda: FunctionExtractor(whole.facts)}
    return made[request.param]()


@pytest.fixture(scope="module")
def extracted(extractor: Extractor) -> tuple[Entry, ...]:
    return extractor.extract(TURNS, RulesAnnotator().annotate(TURNS), ())


def test_an_extractor_numbers_its_entries_from_one(extracted: tuple[Entry, ...]) -> None:
    assert [e.id for e in extracted] == [EntryId(n) for n in range(1, len(extracted) + 1)]
    assert extracted


def test_an_extractor_names_turns_of_its_window_in_their_order(
    extracted: tuple[Entry, ...],
) -> None:
    ids = [t.id for t in TURNS]
    assert all(e.source_turns and set(e.source_turns) <= set(ids) for e in extracted)
    last = [e.source_turns[-1] for e in extracted]
    assert last == sorted(last)


def test_an_extractor_gives_sentences_and_sorted_case_folded_keys(
    extracted: tuple[Entry, ...],
) -> None:
    for entry in extracted:
        assert entry.restatement.strip()
        for keys in (entry.keywords, entry.persons, entry.entities):
            assert list(keys) == sorted({key.casefold() for key in keys})


def test_an_extractor_may_find_nothing(extractor: Extractor) -> None:
    silent = (turn(1, "Ben", ""),)
    assert extractor.extract((), (), ()) == ()
    assert extractor.extract(silent, RulesAnnotator().annotate(silent), ()) == ()


# ---------------------------------------------------------------- readers

PACKET = packet(
    ("Ana", "2023-05-08", "I moved to Porto."), ("Ben", "2023-05-08", "I drink tea every morning.")
)


def quote(question: str, context: Context) -> Answer:
    return Answer("Porto", context.items[:1])


@pytest.fixture(scope="module", params=["extractive", "function", "silent"])
def reader(request: pytest.FixtureRequest) -> Reader:
    made = {
        "extractive": lambda: ExtractiveReader(RulesAnnotator()),
        "function": lambda: FunctionReader(quote),
        "silent": SilentReader,
    }
    return made[request.param]()


@pytest.mark.parametrize("question", ["Where did Ana move?", "Who is Zoë?", "?!", "安娜住在哪里？"])
def test_a_reader_cites_only_the_packet(reader: Reader, question: str) -> None:
    answer = reader.read(question, PACKET)
    cited = {*answer.citations, *(c for s in answer.sentences for c in s.citations)}
    assert cited <= set(PACKET.items)
    assert answer.refused or answer.text


def test_a_reader_of_an_empty_packet_cites_nothing(reader: Reader) -> None:
    assert reader.read("Where did Ana move?", Context("", (), 0)).citations == ()


# ---------------------------------------------------------------- broken promises

TALK = small.talk("Ana: tea in Porto\nBen: milk", "Ana: dog in Lisbon")
OUTSIDE = TurnId(9, 9)


class FewRows:
    """An embedder that returns a row less than it is asked for."""

    name = "few"

    def encode(self, texts, /):
        return np.ones((max(len(texts) - 1, 0), 1), dtype=np.float32)


class NoNotes:
    """An annotator that forgets the last turn."""

    name = "forgetful"

    def annotate(self, turns, /):
        return tuple(small.annotation(t) for t in turns[:-1])


def elsewhere(turns):
    return [Entry(EntryId(1), "A fact of nobody.", (OUTSIDE,))]


BROKEN = {
    "an embedder short of a row": (replace(whole.PARTS, embedder=FewRows()), "few"),
    "an annotator short of a turn": (replace(whole.PARTS, annotator=NoNotes()), "annotator"),
    "an extractor that names another turn": (
        replace(whole.PARTS, extractor=FunctionExtractor(elsewhere)),
        "extractor",
    ),
}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_workspace(tmp_path / "memcore.db") as opened:
        yield opened


def stored(db: Database, talk: Conversation) -> int:
    keyed = (
        replace(s, turns=tuple(replace(t, key=str(t.id)) for t in s.turns)) for s in talk.sessions
    )
    talk = replace(talk, sessions=tuple(keyed), key="talk", format="own")
    report = ImportReport("own", Detection("own", 1, ""), turns=len(talk.turns))
    return conversations.save(db, ReadResult((talk,), (), report), NOW).dialogues[0]


@pytest.mark.parametrize(("parts", "name"), BROKEN.values(), ids=BROKEN)
def test_a_build_with_a_part_that_breaks_its_promise_says_which(
    db: Database, parts: Parts, name: str
) -> None:
    number = stored(db, TALK)
    with pytest.raises(SeamError, match=name):
        list(pipeline.build(db, number, parts, SAFE))


@pytest.mark.parametrize("parts", [p for p, _ in BROKEN.values()], ids=BROKEN)
def test_a_build_that_was_stopped_so_goes_on_with_parts_that_keep_theirs(
    db: Database, parts: Parts, tmp_path: Path
) -> None:
    number = stored(db, TALK)
    with pytest.raises(SeamError):
        list(pipeline.build(db, number, parts, SAFE))
    list(pipeline.build(db, number, whole.PARTS, SAFE))
    with open_workspace(tmp_path / "other.db") as other:
        list(pipeline.build(other, stored(other, TALK), whole.PARTS, SAFE))
        assert memories.load_memory(db, number, SAFE) == memories.load_memory(other, 1, SAFE)


@pytest.mark.parametrize(
    "answer", [Answer("x", (OUTSIDE,)), Answer("x", sentences=(Sentence("x", (OUTSIDE,)),))]
)
def test_a_reader_that_cites_another_turn_is_named(answer: Answer) -> None:
    with pytest.raises(SeamError, match="reader mine cites D9:9"):
        FunctionReader(lambda question, context: answer, "mine").read("Where?", PACKET)


FOUND = (Candidate(TurnId(1, 1), 1.0),)
STEPS = {
    "loses what entered": Step("odd", Beat.COLLECT, entered=FOUND),
    "keeps what never came": Step("odd", Beat.COLLECT, kept=FOUND),
    "keeps twice what came once": Step("odd", Beat.COLLECT, entered=FOUND, kept=FOUND * 2),
    "changes the channel": Step(
        "odd", Beat.COLLECT, entered=FOUND, kept=(replace(FOUND[0], channel="other"),)
    ),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_stage_that_breaks_the_law_of_steps_is_named(step: Step) -> None:
    memory = small.remembered(TALK)
    stages = (lambda _memory, _trace: step,)
    odd = Retriever("odd", memory, SAFE, lambda text, at: (Query(text), ()), stages)
    with pytest.raises(SeamError, match=r"stage odd: .*D1:1"):
        list(retrieve(odd, "tea"))


def test_a_retriever_without_a_stage_is_named() -> None:
    empty = Retriever("empty", small.remembered(TALK), SAFE, lambda text, at: (Query(text), ()), ())
    with pytest.raises(SeamError, match="empty"):
        list(pipeline.ask(empty.memory, "tea", empty, None))
