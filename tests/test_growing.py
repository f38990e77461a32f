"""A memory that grew piece by piece has the rows of one that was built at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from memcore import pipeline
from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.evolution.build import standing
from memcore.evolution.extract import LocalExtractor
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace, transaction
from memcore.store.stale import forget_since
from memcore.types import Conversation, Entry, EntryId, Session, Turn
from tests.parts import FunctionAnnotator, FunctionEmbedder, FunctionExtractor, SilentReader
from tests.retrieval import small
from tests.sample.conftest import imported
from tests.store.values import clear
from tests.test_pipeline import facts, stored, tables, vector

TOY = Parts(
    FunctionEmbedder(vector, "toy"),
    FunctionAnnotator(small.annotation),
    FunctionExtractor(facts),
    SilentReader(),
)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Database]]:
    """Two workspaces: one for what grows, one for what is built at once."""
    folder = tmp_path_factory.mktemp("growing")
    with open_workspace(folder / "grown.db") as one, open_workspace(folder / "once.db") as other:
        for db in (one, other):
            db.execute("PRAGMA synchronous = OFF")
        yield one, other


def emptied(db: Database) -> Database:
    """The workspace without dialogues, its numbers from 1 again."""
    clear(db)
    db.execute("DELETE FROM sqlite_sequence")
    db.conn.commit()
    return db


def keyed(conversation: Conversation) -> Conversation:
    """The conversation with keys, by which an import knows it and its turns again."""
    sessions = (
        replace(s, turns=tuple(replace(t, key=str(t.id)) for t in s.turns))
        for s in conversation.sessions
    )
    return replace(conversation, key="talk", format="own", sessions=tuple(sessions))


def first_turns(conversation: Conversation, count: int) -> Conversation:
    """The conversation as it was when so many turns were said."""
    sessions: list[Session] = []
    for session in conversation.sessions:
        turns = session.turns[: max(0, count)]
        count -= len(session.turns)
        if turns:
            sessions.append(replace(session, turns=turns))
    return replace(conversation, sessions=tuple(sessions))


def edited(conversation: Conversation, place: int, text: str) -> Conversation:
    def new(turn: Turn) -> Turn:
        return replace(turn, text=text, edited=True) if turn is target else turn

    target = conversation.turns[place]
    sessions = (
        replace(s, turns=tuple(new(turn) for turn in s.turns)) for s in conversation.sessions
    )
    return replace(conversation, sessions=tuple(sessions))


def built(db: Database, conversation: Conversation, parts: Parts, steps: int | None = None) -> int:
    """Import and build; the build is stopped after so many steps."""
    number = stored(db, conversation)
    build = pipeline.build(db, number, parts, SAFE)
    for _ in range(-1 if steps is None else steps):
        next(build, None)
    if steps is None:
        list(build)
    build.close()
    return number


talks = small.conversations.filter(lambda c: c.turns).map(keyed)


@settings(max_examples=25)
@given(talk=talks, data=st.data())
def test_turns_appended_in_any_pieces_give_the_rows_of_one_build(
    two: tuple[Database, Database], talk: Conversation, data: st.DataObject
) -> None:
    grown, once = emptied(two[0]), emptied(two[1])
    size = len(talk.turns)
    cuts = sorted(data.draw(st.sets(st.integers(1, size), max_size=4)))
    parts = data.draw(st.sampled_from([TOY, SLOTTED]))
    for cut in cuts:
        built(grown, first_turns(talk, cut), parts, data.draw(st.none() | st.integers(0, 9)))
    built(grown, talk, parts)
    built(once, talk, parts)
    assert tables(grown) == tables(once)


@settings(max_examples=15)
@given(talk=talks, data=st.data())
def test_an_edited_turn_gives_the_rows_of_one_build(
    two: tuple[Database, Database], talk: Conversation, data: st.DataObject
) -> None:
    grown, once = emptied(two[0]), emptied(two[1])
    place = data.draw(st.integers(0, len(talk.turns) - 1))
    after = edited(talk, place, "Lisbon has milk @2023-06-01 and a cat called Miro")
    built(grown, talk, TOY)
    built(grown, after, TOY)
    built(once, after, TOY)
    assert tables(grown) == tables(once)


@settings(max_examples=15)
@given(talk=talks, data=st.data())
def test_a_tail_taken_back_leaves_the_rows_of_a_build_without_it(
    two: tuple[Database, Database], talk: Conversation, data: st.DataObject
) -> None:
    grown, once = emptied(two[0]), emptied(two[1])
    kept = data.draw(st.integers(1, len(talk.sessions)))
    number = built(grown, talk, TOY)
    with transaction(grown):
        forget_since(grown, number, kept + 1)
    built(once, replace(talk, sessions=talk.sessions[:kept]), TOY)
    assert without_state(tables(grown)) == without_state(tables(once))


@settings(max_examples=15)
@given(talk=talks)
def test_what_a_session_must_know_is_stored_as_the_graph_has_it(
    two: tuple[Database, Database], talk: Conversation
) -> None:
    db = emptied(two[0])
    number = built(db, talk, SLOTTED)
    build = memories.listing(db, number)[-1]
    found = memories.standing(db, build)
    whole = memories.evolution(db, build)
    expected = standing(whole.graph, whole.vectors)
    for name in ("ids", "said", "holders", "replaced", "written"):
        assert getattr(found, name) == getattr(expected, name)
    assert found.vectors.tolist() == expected.vectors.tolist()
    assert [found.entry(e.id) for e in whole.graph.entries] == list(whole.graph.entries)


def lives(turns: tuple[Turn, ...]) -> list[Entry]:
    """Where each speaker lives: a fact of which the last value counts; also said again."""
    return [
        Entry(
            EntryId(n),
            t.text,
            (t.id,),
            (t.text.split()[0],),
            persons=(t.speaker,),
            subject=t.speaker,
            attribute="home",
            value=t.text.split()[0],
        )
        for n, t in enumerate(turns, 1)
    ]


SLOTTED = replace(TOY, extractor=FunctionExtractor(lives))


def without_state(found: dict[str, list[dict]]) -> dict[str, list[dict]]:
    builds = [
        {key: row[key] for key in ("id", "kind", "digest", "sessions")} for row in found["builds"]
    ]
    return {**found, "builds": builds}


def test_only_rows_that_are_new_are_written(tmp_path: Path) -> None:
    talk = keyed(small.talk("Ann: tea in Porto\nBob: milk", "Ann: tea again", "Bob: Porto cat"))
    with open_workspace(tmp_path / "a.db") as db:
        number = built(db, first_turns(talk, 3), TOY)
        before = tables(db)
        for table in ("anchors", "memberships", "annotations", "entries", "entry_vectors"):
            for act in ("UPDATE", "DELETE"):
                db.execute(
                    f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table}"
                    " BEGIN SELECT RAISE(ABORT, 'an old row was touched'); END"
                )
        assert built(db, talk, TOY) == number
        after = tables(db)
        for name in ("anchors", "memberships", "annotations", "entries", "entry_vectors"):
            assert after[name][: len(before[name])] == before[name]
            assert len(after[name]) > len(before[name])


def test_a_session_appended_takes_back_the_name_under_which_a_memory_is_kept(
    tmp_path: Path,
) -> None:
    talk = keyed(small.talk("Ann: tea in Porto\nBob: milk", "Ann: tea again"))
    with open_workspace(tmp_path / "a.db") as db:
        number = built(db, first_turns(talk, 2), TOY)
        before = memories.load_memory(db, number, SAFE).fingerprint
        stored(db, talk)
        assert memories.built(db, number, SAFE) == ()
        built(db, talk, TOY)
        assert memories.load_memory(db, number, SAFE).fingerprint != before


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_the_real_parts_give_equal_rows_session_by_session(
    tmp_path: Path, sample_data: Path, name: str
) -> None:
    parts = Parts(HashingEmbedder(), RulesAnnotator(), LocalExtractor(), SilentReader())
    talk = replace(imported(sample_data, name)[0], key=name)
    talk = replace(talk, sessions=talk.sessions[:3])
    with open_workspace(tmp_path / "a.db") as grown, open_workspace(tmp_path / "b.db") as once:
        for n in range(1, len(talk.sessions) + 1):
            built(grown, replace(talk, sessions=talk.sessions[:n]), parts)
        built(once, talk, parts)
        assert tables(grown) == tables(once)
        assert memories.load_memory(grown, 1, SAFE) == memories.load_memory(once, 1, SAFE)
        assert conversations.load(grown, 1) == conversations.load(once, 1)


def test_a_workspace_of_the_schema_before_keeps_its_hypergraph(tmp_path: Path) -> None:
    talk = keyed(small.talk("Ann: tea in Porto\nBob: milk @2023-06-01", "Ann: tea again"))
    path = tmp_path / "old.db"
    with open_workspace(path) as db:
        number = built(db, talk, TOY)
        before, whole = tables(db), memories.load_memory(db, number, SAFE)
    old(path)
    with open_workspace(path) as db:
        assert tables(db) == before
        assert memories.load_memory(db, number, SAFE) == whole


OLD = """
CREATE TABLE old_memberships (conversation INTEGER NOT NULL
    REFERENCES conversations(id) ON DELETE CASCADE, anchor INTEGER NOT NULL, n INTEGER NOT NULL,
    turn TEXT NOT NULL, count INTEGER NOT NULL, role TEXT NOT NULL, spans TEXT NOT NULL,
    PRIMARY KEY (conversation, anchor, n)) STRICT, WITHOUT ROWID;
INSERT INTO old_memberships SELECT conversation, anchor,
    row_number() OVER (PARTITION BY conversation, anchor ORDER BY session, turn, role),
    'D' || session || ':' || turn, count, role, spans FROM memberships;
DROP TABLE memberships;
ALTER TABLE old_memberships RENAME TO memberships;
CREATE TABLE old_anchors (conversation INTEGER NOT NULL
    REFERENCES conversations(id) ON DELETE CASCADE, id INTEGER NOT NULL, kind TEXT NOT NULL,
    key TEXT NOT NULL, label TEXT NOT NULL, PRIMARY KEY (conversation, id)) STRICT, WITHOUT ROWID;
INSERT INTO old_anchors SELECT conversation, id, kind, key, label FROM anchors;
DROP TABLE anchors;
ALTER TABLE old_anchors RENAME TO anchors;
DELETE FROM _sqlite_migrations WHERE name = 'growing';
PRAGMA user_version = 7;
"""


def old(path: Path) -> None:
    """Bring a workspace back to schema 7, whose hypergraph lay by anchor."""
    connection = sqlite3.connect(path)
    connection.executescript(OLD)
    connection.close()
