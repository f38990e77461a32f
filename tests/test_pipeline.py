from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database

from memcore import pipeline
from memcore.errors import MemcoreError, ServerError
from memcore.readers.function import FunctionReader
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts, Reader
from memcore.settings import PAPER, SAFE
from memcore.store import conversations, memories, runs
from memcore.store.schema import open_workspace
from memcore.types import (
    AnchorKind,
    Annotation,
    Answer,
    Context,
    Conversation,
    Detection,
    Entry,
    EntryId,
    ImportReport,
    Mention,
    Reply,
    Session,
    Trace,
    Turn,
    TurnId,
    Warning,
)
from tests.parts import FunctionAnnotator, FunctionEmbedder, FunctionExtractor, SilentReader

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TALK = (
    ("Ana: I moved to Porto", "Ben: Porto is lovely"),
    ("Ana: I drink tea", "Ben: I drink coffee"),
    ("Ana: I left Porto",),
)


def spoken(n: int, line: str, session: int) -> Turn:
    speaker, text = line.split(": ")
    return Turn(TurnId(session, n), speaker, text, key=f"{session}.{n}")


def talk(sessions: tuple[tuple[str, ...], ...] = TALK) -> Conversation:
    made = (
        Session(i, tuple(spoken(n, line, i) for n, line in enumerate(lines, 1)))
        for i, lines in enumerate(sessions, 1)
    )
    return Conversation("talk", tuple(made), key="talk", format="own")


def annotation(turn: Turn) -> Annotation:
    """Every word is a lexical key."""
    mentions, at = [], 0
    for word in turn.text.split():
        mentions.append(Mention(at, at + len(word), AnchorKind.LEXICAL, word.casefold()))
        at += len(word) + 1
    return Annotation(turn.id, tuple(mentions))


def vector(text: str) -> tuple[float, ...]:
    """How often each of a few words is in it."""
    words = text.casefold().split()
    return (0.1, *(float(words.count(w)) for w in ("porto", "tea", "coffee", "lovely", "left")))


def facts(turns: tuple[Turn, ...]) -> list[Entry]:
    """One entry a turn: its own words."""
    return [
        Entry(EntryId(n), f"{t.speaker}: {t.text}", (t.id,), tuple(t.text.casefold().split()))
        for n, t in enumerate(turns, 1)
    ]


PARTS = Parts(
    FunctionEmbedder(vector, "toy"),
    FunctionAnnotator(annotation),
    FunctionExtractor(facts),
    SilentReader(),
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_workspace(tmp_path / "memcore.db") as opened:
        yield opened


def stored(db: Database, conversation: Conversation) -> int:
    report = ImportReport("own", Detection("own", 1, ""), turns=len(conversation.turns))
    result = conversations.ReadResult((conversation,), (), report)
    return conversations.save(db, result, NOW).dialogues[0]


def tables(db: Database) -> dict[str, list[dict]]:
    """All rows that a build makes."""
    names = (
        *("annotations", "mentions", "times", "anchors", "memberships", "turn_vectors", "builds"),
        *("entries", "decisions", "edges", "drops", "entry_vectors"),
    )
    return {name: list(db.table(name).rows) for name in names}


def test_a_build_tells_each_phase_with_true_denominators(db: Database) -> None:
    number = stored(db, talk())
    told = [(p.phase, p.done, p.total) for p in pipeline.build(db, number, PARTS, SAFE)]
    assert told == [
        ("annotate", 0, 5),
        ("annotate", 4, 5),  # Ana and Ben speak in sessions 1 and 2: one batch
        ("annotate", 5, 5),
        ("hypergraph", 0, 5),
        ("hypergraph", 5, 5),
        ("turn_vectors", 0, 5),
        ("turn_vectors", 4, 5),
        ("turn_vectors", 5, 5),
        ("evolution", 0, 5),
        ("evolution", 2, 5),
        ("evolution", 4, 5),
        ("evolution", 5, 5),
        ("complete", 1, 1),
    ]


@pytest.mark.parametrize("steps", range(13))
def test_a_build_stopped_anywhere_goes_on_and_ends_equal(
    db: Database, tmp_path: Path, steps: int
) -> None:
    number = stored(db, talk())
    begun = pipeline.build(db, number, PARTS, SAFE)
    for _ in range(steps):
        next(begun)
    begun.close()
    list(pipeline.build(db, number, PARTS, SAFE))
    with open_workspace(tmp_path / "other.db") as other:
        list(pipeline.build(other, stored(other, talk()), PARTS, SAFE))
        assert tables(db) == tables(other)


def test_a_built_memory_is_not_built_again(db: Database) -> None:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE))
    before = tables(db)
    told = {(p.phase, p.done == p.total) for p in pipeline.build(db, number, PARTS, SAFE)}
    assert tables(db) == before
    assert all(whole for _, whole in told)


def test_a_dialogue_that_grew_gives_the_memory_of_the_whole(db: Database, tmp_path: Path) -> None:
    number = stored(db, talk(TALK[:2]))
    list(pipeline.build(db, number, PARTS, SAFE))
    stored(db, talk())
    assert not pipeline.is_built(memories.load_memory(db, number, SAFE), "ariadnemem-safe")
    list(pipeline.build(db, number, PARTS, SAFE))
    with open_workspace(tmp_path / "other.db") as other:
        whole = stored(other, talk())
        list(pipeline.build(other, whole, PARTS, SAFE))
        assert memories.load_memory(db, number, SAFE) == memories.load_memory(other, whole, SAFE)


def test_both_presets_share_the_hypergraph(db: Database) -> None:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE))
    list(pipeline.build(db, number, PARTS, PAPER))
    kinds = [b.kind.value for b in memories.listing(db, number)]
    assert kinds == ["annotations", "edgemem", "vectors", "ariadnemem", "ariadnemem"]
    for settings in (SAFE, PAPER):
        assert memories.load_memory(db, number, settings).evolution.decisions


def test_edgemem_alone_builds_no_facts(db: Database) -> None:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE, ["edgemem"]))
    memory = memories.load_memory(db, number, SAFE)
    assert pipeline.is_built(memory, "edgemem")
    assert not pipeline.is_built(memory, "ariadnemem-safe")


# ---------------------------------------------------------------- ask


def asked(db: Database, reader: Reader | None, question: str = "Who left Porto?") -> list:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE))
    memory = memories.load_memory(db, number, SAFE)
    retriever = RETRIEVERS["bm25"](memory, SAFE, PARTS)
    ticks = iter(range(1000))
    return list(pipeline.ask(memory, question, retriever, reader, clock=lambda: float(next(ticks))))


def quote(question: str, context: Context) -> Answer:
    return Answer("Ana", context.items[:1], reader="function")


def test_a_question_gives_its_trace_stage_by_stage_and_then_the_reply(db: Database) -> None:
    *traces, reply = asked(db, FunctionReader(quote))
    assert all(isinstance(t, Trace) for t in traces)
    assert [len(t.steps) for t in traces] == list(range(1, len(traces) + 1))
    assert isinstance(reply, Reply)
    assert reply.trace == traces[-1]
    assert reply.answer == Answer("Ana", reply.context.items[:1], reader="function")
    assert len(reply.milliseconds) == len(reply.trace.steps) + 2
    assert set(reply.milliseconds) == {1.0}


def test_a_reply_is_stored_and_opened_as_it_was(db: Database) -> None:
    reply = asked(db, FunctionReader(quote))[-1]
    run = runs.save_run(db, 1, reply)
    assert runs.load_run(db, run) == reply
    assert runs.asked_before(db, 1, reply.trace.fingerprint) == run


def test_without_a_reader_the_packet_is_the_end(db: Database) -> None:
    reply = asked(db, None)[-1]
    assert reply.answer is None
    assert reply.context.items
    assert Warning.READER_FAILED not in reply.warnings


def test_a_reader_that_fails_leaves_the_retrieval_and_says_why(db: Database) -> None:
    def fail(question: str, context: Context) -> Answer:
        raise ServerError("http://127.0.0.1:1 does not answer")

    reply = asked(db, FunctionReader(fail))[-1]
    assert (reply.answer, reply.trouble) == (None, "http://127.0.0.1:1 does not answer")
    assert Warning.READER_FAILED in reply.warnings
    assert reply.context.items


@pytest.mark.parametrize("question", ["", "  ", "?!…", "——，。"])
def test_a_question_without_a_word_is_refused(db: Database, question: str) -> None:
    with pytest.raises(MemcoreError, match="holds no word"):
        asked(db, None, question)


def test_equal_questions_share_a_fingerprint_and_others_do_not(db: Database) -> None:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE))
    memory = memories.load_memory(db, number, SAFE)
    bm25, narrow = (RETRIEVERS["bm25"](memory, s, PARTS) for s in (SAFE, replace(SAFE, bm25_b=0)))
    names = [
        pipeline.run_fingerprint(memory, "Who?", bm25),
        pipeline.run_fingerprint(memory, "When?", bm25),
        pipeline.run_fingerprint(memory, "Who?", narrow),
        pipeline.run_fingerprint(memory, "Who?", bm25, FunctionReader(quote)),
        pipeline.run_fingerprint(memory, "Who?", bm25, None, (NOW, None)),
        pipeline.run_fingerprint(memory, "Who?", bm25, None, (None, 1)),
    ]
    assert len(set(names)) == len(names)
    assert names[0] == pipeline.run_fingerprint(memory, "Who?", bm25)
