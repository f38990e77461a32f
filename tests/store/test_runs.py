from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.settings import PAPER, SAFE
from memcore.store import runs
from memcore.store.conversations import save
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import (
    Answer,
    Beat,
    Candidate,
    Context,
    Conversation,
    Detection,
    Drop,
    ImportReport,
    Query,
    ReadResult,
    Reason,
    Reply,
    Session,
    Step,
    Term,
    Trace,
    Turn,
    TurnId,
)
from tests.store.values import replies

NOW = datetime(2026, 1, 1, tzinfo=UTC)
A, B, C = (Candidate(TurnId(1, n), 3.0 - n, (Term("bm25", 3.0 - n),), "core") for n in (1, 2, 3))
COLLECT = Step("core", Beat.COLLECT, entered=(A, B, C), kept=(A, B, C))
PACK = Step(
    "pack",
    Beat.PACK,
    given=(A, B, C),
    kept=(B, A),
    dropped=(Drop(C.item, Reason.OVER_TURN_BUDGET, 3, 2, "core"),),
)
REPLY = Reply(
    Trace(Query("Where?"), "edgemem", SAFE, "f1", steps=(COLLECT, PACK)),
    Context("packet", (), 2),
    Answer("Porto", (B.item,), reader="extractive"),
)


def dialogue(db: Database, name: str = "garden") -> int:
    turn = Turn(TurnId(1, 1), "Ana", "I live in Porto.", key="k")
    conversation = Conversation(name, (Session(1, (turn,)),), key=name)
    report = ImportReport("own", Detection("own", 1, ""), turns=1, records_seen=1)
    return save(db, ReadResult((conversation,), (), report), NOW).dialogues[0]


@settings(max_examples=15)
@given(reply=replies())
def test_a_stored_run_gives_the_reply_and_its_counts(shared: Database, reply: Reply) -> None:
    number = dialogue(shared)
    run = runs.save_run(shared, number, reply)
    found = runs.load_run(shared, run)
    assert found == reply
    assert found.milliseconds == reply.milliseconds
    counted = [(c.given, c.entered, c.kept, c.dropped) for c in runs.counts(shared, run)]
    steps = reply.trace.steps
    assert counted == [(len(s.given), len(s.entered), len(s.kept), len(s.dropped)) for s in steps]


@settings(max_examples=15)
@given(reply=replies())
def test_an_item_that_entered_has_one_final_event_or_is_packed(reply: Reply) -> None:
    events = records_of(reply, 1, RunMeta()).event
    entered = {e.item for e in events if e.kind == "entered"}
    finals = [e.item for e in events if e.final]
    assert sorted(map(str, finals)) == sorted(map(str, entered))


def test_the_events_of_a_run_say_what_befell_each_item() -> None:
    events = records_of(REPLY, 1, RunMeta()).event
    told = [(e.seq, e.kind, str(e.item), e.reason, e.rank, e.final) for e in events]
    assert told == [
        (1, "entered", "D1:1", None, 1, False),
        (1, "entered", "D1:2", None, 2, False),
        (1, "entered", "D1:3", None, 3, False),
        (2, "left", "D1:3", Reason.OVER_TURN_BUDGET, None, True),
        (2, "moved", "D1:2", None, 1, False),
        (2, "moved", "D1:1", None, 2, False),
        (3, "ended", "D1:2", Reason.CITED, 1, True),
        (3, "ended", "D1:1", Reason.PACKED_UNCITED, 2, True),
    ]
    assert (events[3].margin, events[3].unit) == (1, "turns")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (replace(PACK, dropped=()), "neither kept nor dropped"),
        (replace(PACK, kept=(A, B, C)), "kept but never came"),
        (replace(PACK, given=(A, B)), "what it was given is not what the stage before kept"),
        (replace(PACK, dropped=(Drop(TurnId(9, 9), Reason.DUPLICATE),)), "never came"),
    ],
)
def test_a_trace_that_breaks_the_law_is_not_stored(db: Database, step: Step, words: str) -> None:
    broken = replace(REPLY, trace=replace(REPLY.trace, steps=(COLLECT, step)))
    with pytest.raises(StoreError, match=words):
        runs.save_run(db, dialogue(db), broken)
    assert runs.listing(db) == ()


def test_an_equal_question_finds_the_run_before(db: Database) -> None:
    number = dialogue(db)
    run = runs.save_run(db, number, REPLY)
    assert runs.asked_before(db, number, "f1") == run
    assert runs.asked_before(db, number, "f2") is None
    assert runs.asked_before(db, dialogue(db, "other"), "f1") is None


def test_a_run_names_its_preset_and_each_changed_value(db: Database) -> None:
    settings = replace(PAPER, semantic_k=7)
    reply = replace(REPLY, trace=replace(REPLY.trace, settings=settings))
    runs.save_run(db, dialogue(db), reply)
    run = runs.listing(db)[0]
    assert run.preset == "custom"
    assert "semantic_k=7" in run.changed
    assert run.outcome == "answered"


def test_pinned_runs_come_first_then_the_newest(db: Database) -> None:
    number = dialogue(db)
    one, two, three = (runs.save_run(db, number, REPLY) for _ in range(3))
    runs.pin(db, one, pinned=True)
    runs.rename(db, two, " the second ")
    assert [run.id for run in runs.listing(db, number)] == [one, three, two]
    assert runs.listing(db, number)[2].name == "the second"


def test_a_deleted_run_leaves_no_row_and_its_number_is_not_given_again(db: Database) -> None:
    number = dialogue(db)
    run = runs.save_run(db, number, REPLY)
    runs.delete(db, run)
    for table in ("runs", "stages", "events", "terms", "links", "spans"):
        assert db.table(table).count == 0
    assert runs.save_run(db, number, REPLY) == run + 1


def test_a_run_that_is_not_there_is_named_with_those_that_are(db: Database) -> None:
    with pytest.raises(StoreError, match="there is no run 5; ask a question first"):
        runs.load_run(db, 5)
    runs.save_run(db, dialogue(db), REPLY)
    with pytest.raises(StoreError, match="there is no run 5; expected a number from 1 to 1"):
        runs.delete(db, 5)
