from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store import conversations as store
from memcore.store.again import Changed
from memcore.store.schema import open_workspace
from memcore.types import (
    Again,
    Conversation,
    Count,
    Detection,
    ImportReport,
    Question,
    ReadResult,
    SaidTime,
    Session,
    Turn,
    TurnId,
)
from tests.store.values import clear, conversations, questions

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def turn(session: int, n: int, text: str, key: str = "") -> Turn:
    return Turn(TurnId(session, n), "Ana", text, key=key or text)


def talk(*sessions: str, key: str = "garden", name: str = "Garden") -> Conversation:
    """A conversation from words: each word is a turn, and its own key."""
    made = tuple(
        Session(i, tuple(turn(i, n, w) for n, w in enumerate(words.split(), 1)), source_id=f"s{i}")
        for i, words in enumerate(sessions, 1)
    )
    return Conversation(name, made, key, "own")


def read(*found: Conversation, asked: tuple[Question, ...] = ()) -> ReadResult:
    turns = sum(len(c.turns) for c in found)
    detection = Detection("own", 1.0, "")
    report = ImportReport("own", detection, turns=turns, records_seen=turns, conversations=1)
    return ReadResult(found, asked, report)


def words(conversation: Conversation) -> list[str]:
    return [" ".join(t.text for t in s.turns) for s in conversation.sessions]


COUNTERS = ("sqlite_sequence", "workspace")


def all_rows(db: Database) -> dict[str, list[dict]]:
    return {t.name: list(t.rows) for t in db.tables if t.name not in COUNTERS}


@settings(max_examples=15)
@given(conversation=conversations(), asked=st.lists(questions, max_size=2).map(tuple))
def test_a_stored_conversation_is_loaded_as_it_was(
    shared: Database, conversation: Conversation, asked: tuple[Question, ...]
) -> None:
    clear(shared)
    number = store.save(shared, read(conversation, asked=asked), NOW).dialogues[0]
    assert store.load(shared, number) == conversation
    assert store.questions(shared, number) == asked


def test_importing_again_adds_nothing_at_all(db: Database) -> None:
    asked = (Question("q1", "When?", answer="May"),)
    first = store.save(db, read(talk("a b", "c"), asked=asked), NOW)
    before = all_rows(db)
    second = store.save(db, read(talk("a b", "c"), asked=asked), NOW)
    assert all_rows(db) == before
    assert second.dialogues == first.dialogues
    assert first.report.again == Again(new=1)
    assert second.report.again == Again(unchanged=3)


@pytest.mark.parametrize("changed", Changed)
def test_the_accounts_of_a_second_import_balance(db: Database, changed: Changed) -> None:
    store.save(db, read(talk("a b", "c")), NOW)
    longer = talk("a b", "c d", "e")
    sessions = (replace(longer.sessions[0], turns=(turn(1, 1, "A!", "a"), turn(1, 2, "b"))),)
    result = read(replace(longer, sessions=(*sessions, *longer.sessions[1:])))
    report = store.save(db, result, NOW, changed).report
    assert report.records_seen == report.turns + sum(c.n for c in report.skipped)


def test_appended_sessions_add_themselves(db: Database) -> None:
    number = store.save(db, read(talk("a b")), NOW).dialogues[0]
    saved = store.save(db, read(talk("a b", "c d")), NOW)
    assert saved.dialogues == (number,)
    assert words(store.load(db, number)) == ["a b", "c d"]
    assert saved.report.again == Again(appended=2, unchanged=2)
    assert saved.report.turns == 2
    assert Count("already_stored", 2) in saved.report.skipped


def test_a_continued_session_grows_and_keeps_its_ids(db: Database) -> None:
    number = store.save(db, read(talk("a b", "c")), NOW).dialogues[0]
    store.save(db, read(talk("a b", "c d e")), NOW)
    found = store.load(db, number)
    assert words(found) == ["a b", "c d e"]
    assert [str(t.id) for t in found.turns] == ["D1:1", "D1:2", "D2:1", "D2:2", "D2:3"]


def test_an_export_of_the_last_sessions_only_loses_nothing(db: Database) -> None:
    number = store.save(db, read(talk("a b", "c d")), NOW).dialogues[0]
    report = store.save(db, read(talk("d", "e")), NOW).report
    assert words(store.load(db, number)) == ["a b", "c d", "e"]
    assert report.again == Again(appended=1, unchanged=1, missing=3)
    assert [w.name for w in report.warnings] == ["turn_missing"]


def test_a_turn_put_in_before_stored_ones_takes_its_place(db: Database) -> None:
    number = store.save(db, read(talk("a c", "d")), NOW).dialogues[0]
    store.save(db, read(talk("a b c", "x", "d")), NOW)
    assert words(store.load(db, number)) == ["a b c", "x", "d"]


CHANGED = replace(talk("a b"), sessions=(Session(1, (turn(1, 1, "A!", "a"), turn(1, 2, "b"))),))


def test_a_changed_turn_becomes_current_and_keeps_its_former_text(db: Database) -> None:
    number = store.save(db, read(talk("a b")), NOW).dialogues[0]
    report = store.save(db, read(CHANGED), NOW).report
    assert words(store.load(db, number)) == ["A! b"]
    assert [(v.key, v.text) for v in store.versions(db, number)] == [("a", "a")]
    assert report.again == Again(unchanged=1, changed=1)
    assert [w.name for w in report.warnings] == ["turn_changed"]


def test_keep_reports_a_changed_turn_and_stores_nothing(db: Database) -> None:
    number = store.save(db, read(talk("a b")), NOW).dialogues[0]
    before = all_rows(db)
    report = store.save(db, read(CHANGED), NOW, Changed.KEEP).report
    assert all_rows(db) == before
    assert report.again == Again(unchanged=1, changed=1)
    assert words(store.load(db, number)) == ["a b"]


def test_new_stores_a_changed_file_as_a_dialogue_of_its_own(db: Database) -> None:
    number = store.save(db, read(talk("a b")), NOW).dialogues[0]
    saved = store.save(db, read(CHANGED), NOW, Changed.NEW)
    assert saved.dialogues != (number,)
    assert saved.report.again.new == 1
    assert words(store.load(db, number)) == ["a b"]


def test_another_time_of_a_known_turn_is_reported_and_the_first_one_stays(db: Database) -> None:
    number = store.save(db, read(talk("a")), NOW).dialogues[0]
    later = replace(turn(1, 1, "a"), said=SaidTime(NOW, "noon"))
    report = store.save(db, read(replace(talk("a"), sessions=(Session(1, (later,)),))), NOW).report
    assert store.load(db, number).turns[0].said == SaidTime()
    assert [w.sentence for w in report.warnings] == [
        "1 turns have another time; the first one stays."
    ]


def test_a_file_without_an_id_is_known_by_its_turns(db: Database) -> None:
    number = store.save(db, read(talk("a b c d", key="")), NOW).dialogues[0]
    saved = store.save(db, read(talk("a b c d", "e", key="", name="copy")), NOW)
    assert saved.dialogues == (number,)
    assert [w.name for w in saved.report.warnings] == ["possible_renamed_copy"]
    other = store.save(db, read(talk("a x y z", key="")), NOW)
    assert other.dialogues != (number,)


def test_gold_follows_its_turns_to_their_stored_places(db: Database) -> None:
    number = store.save(db, read(talk("a b", "c")), NOW).dialogues[0]
    question = Question("q", "Which?", evidence_turns=(TurnId(1, 1),))
    store.save(db, read(talk("c d"), asked=(question,)), NOW)
    assert store.questions(db, number)[0].evidence_turns == (TurnId(2, 1),)


def test_a_preview_reports_and_stores_nothing(db: Database) -> None:
    store.save(db, read(talk("a b")), NOW)
    before = all_rows(db)
    report = store.preview(db, read(talk("a b", "c")), NOW)
    assert report.again == Again(appended=1, unchanged=2)
    assert all_rows(db) == before


def test_an_import_that_fails_halfway_leaves_the_store_as_it_was(db: Database) -> None:
    store.save(db, read(talk("a b")), NOW)
    before = all_rows(db)
    broken = talk("c", "\ud800", key="broken")
    with pytest.raises(UnicodeEncodeError):
        store.save(db, read(talk("x", key="fine"), broken), NOW)
    assert all_rows(db) == before


def test_a_deleted_dialogue_leaves_no_byte_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    asked = (Question("q1", "Secretquestion?", answer="Secretanswer"),)
    with open_workspace(path) as db:
        secret = store.save(db, read(talk("Secretword x", key="s"), asked=asked), NOW).dialogues[0]
        store.save(db, read(talk("Plainword y", key="p", name="Plain")), NOW)
        store.delete(db, secret)
        beside = b"".join(p.read_bytes() for p in sorted(tmp_path.iterdir()))
        assert [d.name for d in store.listing(db)] == ["Plain"]
    assert b"Secret" not in beside
    assert b"Plainword" in path.read_bytes()
    assert b"Secret" not in path.read_bytes()


def test_a_backup_of_one_dialogue_holds_no_other(db: Database, tmp_path: Path) -> None:
    one = store.save(db, read(talk("Secretword x", key="s")), NOW).dialogues[0]
    two = store.save(db, read(talk("Plainword y", key="p")), NOW).dialogues[0]
    store.backup(db, tmp_path / "all.db")
    store.backup(db, tmp_path / "two.db", only=two)
    with open_workspace(tmp_path / "all.db", read_only=True) as copy:
        assert [d.id for d in store.listing(copy)] == [one, two]
    with open_workspace(tmp_path / "two.db", read_only=True) as copy:
        assert store.load(copy, two) == store.load(db, two)
    assert b"Secretword" not in (tmp_path / "two.db").read_bytes()
    with pytest.raises(StoreError, match=r"all\.db is there already"):
        store.backup(db, tmp_path / "all.db")


def test_a_dialogue_is_found_by_number_name_or_key(db: Database) -> None:
    number = store.save(db, read(talk("a", key="k1", name="Garden")), NOW).dialogues[0]
    assert store.find(db, str(number)) == store.find(db, "Garden") == store.find(db, "k1") == number
    with pytest.raises(StoreError, match=r"no dialogue is named 'Hedge'; .* 1 \(Garden\)"):
        store.find(db, "Hedge")
    store.save(db, read(talk("b", key="k2", name="Garden")), NOW)
    with pytest.raises(StoreError, match="several dialogues are named 'Garden'"):
        store.find(db, "Garden")


def test_the_list_of_dialogues_counts_what_they_hold(db: Database) -> None:
    asked = (Question("q1", "When?"),)
    store.save(db, read(talk("a b", "c"), asked=asked), NOW, sample=True)
    row = store.listing(db)[0]
    assert (row.sessions, row.turns, row.questions, row.runs, row.sample) == (2, 3, 1, 0, True)
    assert row.imported_at == NOW


def test_a_blank_name_is_refused(db: Database) -> None:
    number = store.save(db, read(talk("a")), NOW).dialogues[0]
    with pytest.raises(StoreError, match="the new name is blank"):
        store.rename(db, number, "  ")
