"""Conversations in and out of the store, and their house-keeping.

An import is one transaction: it adds what is new, or nothing at all. Gold lies in a table of its
own that no memory, index or prompt reads.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import cast

from sqlite_utils import Database

from memcore.errors import StoreError
from memcore.store import codec
from memcore.store.again import Changed, Laid, lay
from memcore.store.known import Known, stored
from memcore.store.rows import get, insert, put, select
from memcore.store.schema import transaction
from memcore.store.stale import forget_since
from memcore.types import (
    Again,
    Conversation,
    Count,
    ImportReport,
    Person,
    Question,
    ReadResult,
    SaidTime,
    Session,
    Turn,
)


@dataclass(frozen=True, slots=True)
class Saved:
    """What an import did, and the dialogues it added to or found as they were."""

    report: ImportReport
    dialogues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One row of the list of dialogues, with its counts."""

    id: int
    name: str
    format: str
    sample: bool
    imported_at: datetime
    digest: str
    sessions: int
    turns: int
    persons: int
    questions: int
    runs: int


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier text of a turn."""

    key: str
    text: str
    caption: str
    said: SaidTime
    replaced_at: datetime


# ---------------------------------------------------------------- writing


def save(
    db: Database,
    result: ReadResult,
    imported_at: datetime,
    changed: Changed = Changed.REPLACE,
    *,
    sample: bool = False,
) -> Saved:
    """Store what was read: what is known adds nothing, a longer export adds its new turns.

    Raises:
        StoreError: if the file cannot be written; then nothing is stored.
    """
    with transaction(db):
        saved = _save(db, result, imported_at, changed)
        if sample:
            marks = ((number,) for number in saved.dialogues)
            db.conn.executemany("UPDATE conversations SET sample = 1 WHERE id = ?", marks)
    return saved


def save_each(
    db: Database,
    found: Iterable[tuple[Conversation, Sequence[Question]]],
    report: Callable[[], ImportReport],
    imported_at: datetime,
    changed: Changed = Changed.REPLACE,
) -> Saved:
    """Store conversations while they are read, so that none but the present one is in memory.

    Args:
        db: the workspace, which no one else can write to meanwhile.
        found: the conversations, each with its questions.
        report: called after the last of them; what it raises leaves the workspace as it was.
        imported_at: the moment of import.
        changed: what becomes of a known turn with another text.

    Raises:
        StoreError: if the file cannot be written; then nothing is stored.
    """
    with transaction(db):
        return _save_each(db, found, report, _Act(imported_at, changed, stored(db)))


def preview_each(
    db: Database,
    found: Iterable[tuple[Conversation, Sequence[Question]]],
    report: Callable[[], ImportReport],
    imported_at: datetime,
    changed: Changed = Changed.REPLACE,
) -> ImportReport:
    """Return the report that `save_each` would give, and store nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        act = _Act(imported_at, changed, stored(db))
        return _save_each(db, found, report, act).report
    finally:
        db.rollback()


def preview(
    db: Database, result: ReadResult, imported_at: datetime, changed: Changed = Changed.REPLACE
) -> ImportReport:
    """Return the report that `save` would give, and store nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        return _save(db, result, imported_at, changed).report
    finally:
        db.rollback()


def rename(db: Database, dialogue: int, name: str) -> None:
    """Give a dialogue another name; its memories and runs stay valid.

    Raises:
        StoreError: if there is no such dialogue or the name is blank.
    """
    if not name.strip():
        msg = "the new name is blank; expected at least one letter"
        raise StoreError(msg)
    with transaction(db):
        _row(db, dialogue)
        db.execute("UPDATE conversations SET name = ? WHERE id = ?", (name.strip(), dialogue))


def delete(db: Database, dialogue: int) -> None:
    """Delete a dialogue with all that was made of it, and leave no byte of it in the file.

    Raises:
        StoreError: if there is no such dialogue.
    """
    with transaction(db):
        _row(db, dialogue)
        _delete(db, (dialogue,))
    _shrink(db)


def backup(db: Database, path: Path, only: int | None = None) -> None:
    """Write a copy of the workspace, or of one dialogue with its memories and runs, to a new file.

    Raises:
        StoreError: if the file is there already.
    """
    if path.exists():
        msg = f"{path.name} is there already; choose another name"
        raise StoreError(msg)
    target = sqlite3.connect(path)
    try:
        db.conn.backup(target)
        copy = Database(target, execute_plugins=False)
        copy.execute("PRAGMA foreign_keys = ON")
        if only is not None:
            others = select(copy, "SELECT id FROM conversations WHERE id <> ? ORDER BY id", (only,))
            with transaction(copy):
                _delete(copy, tuple(cast("int", row[0]) for row in others))
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        copy.vacuum()
    finally:
        target.close()


# ---------------------------------------------------------------- reading


def load(db: Database, dialogue: int) -> Conversation:
    """Return a stored conversation, equal to what was saved.

    Raises:
        StoreError: if there is no such dialogue.
    """
    name, key, kind, owner = _row(db, dialogue)
    persons = get(db, Person, "persons WHERE conversation = ? ORDER BY n", (dialogue,))
    return Conversation(name, sessions(db, dialogue), key, kind, owner, persons)


def sessions(db: Database, dialogue: int, after: int = 0) -> tuple[Session, ...]:
    """Return the sessions after one, with their turns; what lies before is not read."""
    place = (dialogue, after)
    turns: defaultdict[int, list[Turn]] = defaultdict(list)
    where = "turns WHERE conversation = ? AND session > ? ORDER BY session, turn"
    for turn in get(db, Turn, where, place):
        turns[turn.id.session].append(turn)
    rows = select(
        db,
        "SELECT session, started, source_id, title FROM sessions"
        " WHERE conversation = ? AND session > ? ORDER BY session",
        place,
    )
    return tuple(
        Session(
            cast("int", n),
            tuple(turns[cast("int", n)]),
            codec.load(SaidTime, str(started)),
            str(source),
            str(title),
        )
        for n, started, source, title in rows
    )


def sizes(db: Database, dialogue: int) -> tuple[tuple[int, int], ...]:
    """Return the number of each session and how many turns it has, in order.

    Raises:
        StoreError: if there is no such dialogue.
    """
    _row(db, dialogue)
    rows = select(
        db,
        "SELECT s.session, (SELECT count(*) FROM turns t WHERE t.conversation = s.conversation"
        " AND t.session = s.session) FROM sessions s WHERE conversation = ? ORDER BY s.session",
        (dialogue,),
    )
    return tuple((cast("int", n), cast("int", turns)) for n, turns in rows)


def digest(db: Database, dialogue: int) -> str:
    """Return the digest of a dialogue's content; a new name leaves it as it is."""
    _row(db, dialogue)
    sql = "SELECT digest FROM conversations WHERE id = ? ORDER BY id"
    return str(select(db, sql, (dialogue,))[0][0])


def listing(db: Database) -> tuple[Dialogue, ...]:
    """Return all dialogues with their counts, in order of import."""
    counts = ", ".join(
        f"(SELECT count(*) FROM {table} t WHERE t.{column} = c.id) AS {table}"
        for table, column in (
            ("sessions", "conversation"),
            ("turns", "conversation"),
            ("persons", "conversation"),
            ("questions", "dialogue"),
            ("runs", "dialogue"),
        )
    )
    return get(db, Dialogue, f"(SELECT c.*, {counts} FROM conversations c) ORDER BY id")


def find(db: Database, word: str) -> int:
    """Return the number of the dialogue with this number, name or key.

    Raises:
        StoreError: if there is none or more than one; the message lists what there is.
    """
    rows = select(db, "SELECT id, name, key FROM conversations ORDER BY id")
    found = [cast("int", n) for n, *_ in rows if str(n) == word]
    found = found or [cast("int", n) for n, name, key in rows if word in (name, key)]
    names = [(cast("int", n), str(name)) for n, name, _ in rows]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{n} ({name})" for n, name in names[:20]) or "none yet; import one first"
    trouble = "several dialogues are" if found else "no dialogue is"
    msg = f"{trouble} named {word!r}; the dialogues are: {known}"
    raise StoreError(msg)


def questions(db: Database, dialogue: int) -> tuple[Question, ...]:
    """Return the questions that came with a dialogue, with their gold, in file order."""
    return get(db, Question, "questions WHERE dialogue = ? ORDER BY n", (dialogue,))


def add_questions(db: Database, dialogue: int, found: Sequence[Question]) -> None:
    """Put these questions in place of the ones with equal ids, or after the others."""
    with transaction(db):
        _row(db, dialogue)
        _put_questions(db, dialogue, found)


def versions(db: Database, dialogue: int) -> tuple[Version, ...]:
    """Return the earlier texts of changed turns, by turn key, oldest first."""
    return get(db, Version, "turn_versions WHERE conversation = ? ORDER BY key, n", (dialogue,))


def reports(db: Database, dialogue: int) -> tuple[ImportReport, ...]:
    """Return the reports of all imports that touched a dialogue, oldest first."""
    rows = select(
        db,
        "SELECT report FROM imports JOIN import_conversations ON import = id"
        " WHERE conversation = ? ORDER BY id",
        (dialogue,),
    )
    return tuple(codec.load(ImportReport, str(row[0])) for row in rows)


# ---------------------------------------------------------------- one import


@dataclass(frozen=True, slots=True)
class _Act:
    """What holds for a whole import."""

    at: datetime
    changed: Changed
    known: Known


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of one conversation; `written` tells whether anything of it was."""

    number: int
    again: Again
    retimed: int
    named: bool
    written: bool


def _save(db: Database, result: ReadResult, at: datetime, changed: Changed) -> Saved:
    pairs = ((c, questions_of(result, c)) for c in result.conversations)
    return _save_each(db, pairs, lambda: result.report, _Act(at, changed, stored(db)))


def _save_each(
    db: Database,
    found: Iterable[tuple[Conversation, Sequence[Question]]],
    report: Callable[[], ImportReport],
    act: _Act,
) -> Saved:
    done = []
    for conversation, questions_ in found:
        one, laid = _save_one(db, conversation, act)
        _put_questions(db, one.number, _placed(questions_, laid))
        done.append(one)
    full = _reported(report(), done, act.changed)
    numbers = tuple(dict.fromkeys(one.number for one in done))
    if any(one.written for one in done):
        _record(db, full, act.at, numbers)
    return Saved(full, numbers)


def _save_one(db: Database, conversation: Conversation, act: _Act) -> tuple[_Done, Laid]:
    number = match(db, conversation, act.known)
    if number is not None:
        laid = lay(load(db, number), conversation, act.changed)
        if not (act.changed is Changed.NEW and laid.again.changed):
            _rewrite(db, number, laid, act.at)
            named = bool(laid.conversation.key)
            written = laid.since is not None
            return _Done(number, laid.again, laid.retimed, named, written), laid
    number, laid = _add(db, conversation, act.at)
    act.known.add(number, conversation)
    return _Done(number, laid.again, 0, named=True, written=True), laid


def match(db: Database, read: Conversation, found: Known) -> int | None:
    """Return the number of the stored conversation that the read one is, among what is known."""
    if read.key:
        return found.named.get((read.format, read.key))
    for number in found.candidates(read):
        if found.is_same(number, load(db, number).turns, read):
            return number
    return None


def _add(db: Database, conversation: Conversation, at: datetime) -> tuple[int, Laid]:
    cursor = db.execute(
        "INSERT INTO conversations (name, key, format, owner, digest, imported_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            conversation.name,
            conversation.key,
            conversation.format,
            conversation.owner,
            "",
            at.isoformat(),
        ),
    )
    number = cast("int", cursor.lastrowid)
    _put(db, number, conversation, 1)
    same = tuple((turn.id, turn.id) for turn in conversation.turns)
    return number, Laid(conversation, Again(new=1), (), same, 1)


def _rewrite(db: Database, number: int, laid: Laid, at: datetime) -> None:
    """Store what changed of a known conversation; its memories shrink to the sessions before."""
    if laid.since is None:
        return
    for table in ("turns", "sessions"):
        sql = f"DELETE FROM {table} WHERE conversation = ? AND session >= ?"
        db.execute(sql, (number, laid.since))
    for turn in laid.former:
        db.execute(
            """INSERT INTO turn_versions SELECT ?1, ?2, count(*) + 1, ?3, ?4, ?5, ?6
                FROM turn_versions WHERE conversation = ?1 AND key = ?2""",
            (number, turn.key, turn.text, turn.caption, codec.dump(turn.said), at.isoformat()),
        )
    _put(db, number, laid.conversation, laid.since)
    forget_since(db, number, laid.since)


def _put(db: Database, number: int, conversation: Conversation, since: int) -> None:
    """Write sessions and turns from one session on, and persons and digest anew."""
    sessions = [s for s in conversation.sessions if s.index >= since]
    insert(
        db,
        "sessions",
        "conversation session source_id title started",
        ((number, s.index, s.source_id, s.title, codec.dump(s.started)) for s in sessions),
    )
    turns = ((s.index, turn) for s in sessions for turn in s.turns)
    put(db, "turns", "conversation session turn", (((number, n, t.id.turn), t) for n, t in turns))
    db.execute("DELETE FROM persons WHERE conversation = ?", (number,))
    put(db, "persons", "conversation n", _numbered(number, conversation.persons))
    content = codec.digest(replace(conversation, name=""))
    db.execute("UPDATE conversations SET digest = ? WHERE id = ?", (content, number))


def _numbered(number: int, values: Iterable[object]) -> Iterable[tuple[tuple[int, int], object]]:
    return (((number, n), value) for n, value in enumerate(values, 1))


def questions_of(result: ReadResult, conversation: Conversation) -> list[Question]:
    """Return the questions of one conversation of a read file."""
    names = (conversation.key, conversation.name)
    alone = len(result.conversations) == 1
    return [q for q in result.questions if alone or q.conversation in names]


def _placed(found: Sequence[Question], laid: Laid) -> list[Question]:
    """Return the questions with their evidence at the stored places."""
    places = dict(laid.places)
    return [
        replace(q, evidence_turns=tuple(places.get(t, t) for t in q.evidence_turns)) for q in found
    ]


def _put_questions(db: Database, number: int, found: Sequence[Question]) -> None:
    if found:
        joined = {q.id: q for q in (*questions(db, number), *found)}
        db.execute("DELETE FROM questions WHERE dialogue = ?", (number,))
        put(db, "questions", "dialogue n", _numbered(number, joined.values()))


def _reported(read: ImportReport, done: Sequence[_Done], changed: Changed) -> ImportReport:
    """Return the report with what was known already taken out of `turns` and counted as such."""
    new = sum(one.again.new for one in done)
    again = Again(
        new=new,
        appended=sum(one.again.appended for one in done),
        unchanged=sum(one.again.unchanged for one in done),
        changed=sum(one.again.changed for one in done),
        missing=sum(one.again.missing for one in done),
    )
    known = again.unchanged + (again.changed if changed is Changed.KEEP else 0)
    skipped = (*read.skipped, Count("already_stored", known)) if known else read.skipped
    warnings = (*read.warnings, *_warnings(done, changed))
    return replace(read, turns=read.turns - known, skipped=skipped, warnings=warnings, again=again)


def _warnings(done: Sequence[_Done], changed: Changed) -> Iterable[Count]:
    different = sum(one.again.changed for one in done)
    retimed = sum(one.retimed for one in done)
    missing = sum(one.again.missing for one in done)
    copies = sum(not one.named for one in done)
    became = {Changed.REPLACE: "the new text is current", Changed.KEEP: "the stored text stays"}
    rows = (
        ("turn_changed", different, f"turns have another text; {became.get(changed, '')}"),
        ("turn_changed", retimed, "turns have another time; the first one stays"),
        ("turn_missing", missing, "stored turns are not in this file; they stay"),
        ("possible_renamed_copy", copies, "conversations are known by their turns"),
    )
    return (Count(name, n, f"{n} {words}.") for name, n, words in rows if n)


def _record(db: Database, report: ImportReport, at: datetime, numbers: tuple[int, ...]) -> None:
    cursor = db.execute(
        "INSERT INTO imports (imported_at, report) VALUES (?, ?)",
        (at.isoformat(), codec.dump(report)),
    )
    rows = ((cast("int", cursor.lastrowid), number) for number in numbers)
    insert(db, "import_conversations", "import conversation", rows)


# ---------------------------------------------------------------- rows


def _row(db: Database, dialogue: int) -> tuple[str, str, str, str]:
    rows = select(
        db,
        "SELECT name, key, format, owner FROM conversations WHERE id = ? ORDER BY id",
        (dialogue,),
    )
    if not rows:
        msg = f"there is no dialogue {dialogue}; expected a number of the list of dialogues"
        raise StoreError(msg)
    name, key, kind, owner = rows[0]
    return str(name), str(key), str(kind), str(owner)


def _delete(db: Database, numbers: tuple[int, ...]) -> None:
    """Delete dialogues with the reports of their imports, whose samples quote them."""
    rows = [(number,) for number in numbers]
    db.conn.executemany(
        "DELETE FROM imports WHERE id IN"
        " (SELECT import FROM import_conversations WHERE conversation = ?)",
        rows,
    )
    db.conn.executemany("DELETE FROM conversations WHERE id = ?", rows)


def _shrink(db: Database) -> None:
    """Rewrite the file without its free pages, and empty the log beside it."""
    db.vacuum()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
