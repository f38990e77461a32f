"""The tables of a workspace, and the one way to open its file.

The schema is built by sqlite-utils' own migrations; each is a function that is never edited once
released. `user_version` holds the number of migrations, so that an older memcore refuses a newer
file before it reads a row, and `application_id` tells our files from other SQLite files.
Plain DDL was taken over `table.create()`: it shows checks, cascades and strictness as stored.
A connection is opened for one act and closed; nothing keeps one (Streamlit changes threads).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlite_utils import Database, Migrations

from memcore.errors import StoreError

APPLICATION_ID: Final = 0x6D656D63  # "memc"
BUSY_SECONDS: Final = 10.0

migrations: Final = Migrations("memcore")

_OF_CONVERSATION = "conversation INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE"
_OF_BUILD = "build INTEGER NOT NULL REFERENCES builds(id) ON DELETE CASCADE"
_OF_RUN = "run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE"
_OF_TURN = f"{_OF_CONVERSATION}, session INTEGER NOT NULL, turn INTEGER NOT NULL"


@migrations()
def first(db: Database) -> None:
    """Create the tables of version 1."""
    for statement in (*_DIALOGUE, *_MEMORY, *_RUN, *_JOB):
        db.execute(statement)


_DIALOGUE = (
    """CREATE TABLE workspace (id TEXT NOT NULL, title TEXT NOT NULL,
        changes INTEGER NOT NULL DEFAULT 0) STRICT""",
    """CREATE TABLE conversations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
        key TEXT NOT NULL, format TEXT NOT NULL, owner TEXT NOT NULL, digest TEXT NOT NULL,
        imported_at TEXT NOT NULL, sample INTEGER NOT NULL DEFAULT 0) STRICT""",
    f"""CREATE TABLE persons ({_OF_CONVERSATION}, n INTEGER NOT NULL, key TEXT NOT NULL,
        label TEXT NOT NULL, aliases TEXT NOT NULL, kind TEXT NOT NULL,
        PRIMARY KEY (conversation, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE sessions ({_OF_CONVERSATION}, session INTEGER NOT NULL,
        source_id TEXT NOT NULL, title TEXT NOT NULL, started TEXT NOT NULL,
        PRIMARY KEY (conversation, session)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE turns ({_OF_TURN}, id TEXT NOT NULL, speaker TEXT NOT NULL,
        text TEXT NOT NULL, caption TEXT NOT NULL, said TEXT NOT NULL, key TEXT NOT NULL,
        source_id TEXT NOT NULL, person TEXT NOT NULL, role TEXT NOT NULL,
        attachments TEXT NOT NULL, quotes TEXT NOT NULL, reply_to TEXT NOT NULL,
        forwarded_from TEXT NOT NULL, direct_to TEXT NOT NULL, edited INTEGER NOT NULL,
        speaker_guessed INTEGER NOT NULL,
        PRIMARY KEY (conversation, session, turn)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE turn_versions ({_OF_CONVERSATION}, key TEXT NOT NULL, n INTEGER NOT NULL,
        text TEXT NOT NULL, caption TEXT NOT NULL, said TEXT NOT NULL, replaced_at TEXT NOT NULL,
        PRIMARY KEY (conversation, key, n)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE questions (
        dialogue INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        n INTEGER NOT NULL, id TEXT NOT NULL,
        text TEXT NOT NULL, conversation TEXT NOT NULL, answer TEXT NOT NULL,
        category_code INTEGER, category TEXT NOT NULL, evidence_turns TEXT NOT NULL,
        evidence_sessions TEXT NOT NULL, evidence_raw TEXT NOT NULL,
        evidence_unresolved TEXT NOT NULL, abstain INTEGER NOT NULL, bait TEXT NOT NULL,
        asked_at TEXT NOT NULL, PRIMARY KEY (dialogue, n)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE imports (id INTEGER PRIMARY KEY AUTOINCREMENT, imported_at TEXT NOT NULL,
        report TEXT NOT NULL) STRICT""",
    f"""CREATE TABLE import_conversations (
        import INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE, {_OF_CONVERSATION},
        PRIMARY KEY (import, conversation)) STRICT, WITHOUT ROWID""",
)

_MEMORY = (
    f"""CREATE TABLE builds (id INTEGER PRIMARY KEY AUTOINCREMENT, {_OF_CONVERSATION},
        kind TEXT NOT NULL, digest TEXT NOT NULL, settings TEXT NOT NULL, embedder TEXT NOT NULL,
        parts TEXT NOT NULL, code TEXT NOT NULL, sessions INTEGER NOT NULL, state TEXT NOT NULL,
        fingerprint TEXT NOT NULL, UNIQUE (conversation, kind, digest, embedder, parts)) STRICT""",
    f"""CREATE TABLE annotations ({_OF_TURN}, language TEXT NOT NULL,
        PRIMARY KEY (conversation, session, turn)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE mentions ({_OF_TURN}, n INTEGER NOT NULL, start INTEGER NOT NULL,
        "end" INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (conversation, session, turn, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE times ({_OF_TURN}, n INTEGER NOT NULL, start INTEGER NOT NULL,
        "end" INTEGER NOT NULL, interval TEXT NOT NULL,
        PRIMARY KEY (conversation, session, turn, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE anchors ({_OF_CONVERSATION}, id INTEGER NOT NULL, kind TEXT NOT NULL,
        key TEXT NOT NULL, label TEXT NOT NULL,
        PRIMARY KEY (conversation, id)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE memberships ({_OF_CONVERSATION}, anchor INTEGER NOT NULL, n INTEGER NOT NULL,
        turn TEXT NOT NULL, count INTEGER NOT NULL, role TEXT NOT NULL, spans TEXT NOT NULL,
        PRIMARY KEY (conversation, anchor, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE turn_vectors ({_OF_TURN}, embedder TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (conversation, embedder, session, turn)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE entries ({_OF_BUILD}, n INTEGER NOT NULL, session INTEGER NOT NULL,
        merged INTEGER NOT NULL, id TEXT NOT NULL, restatement TEXT NOT NULL,
        source_turns TEXT NOT NULL, keywords TEXT NOT NULL, persons TEXT NOT NULL,
        entities TEXT NOT NULL, location TEXT NOT NULL, topic TEXT NOT NULL, time TEXT,
        modality TEXT NOT NULL, said_at TEXT, subject TEXT NOT NULL, attribute TEXT NOT NULL,
        value TEXT NOT NULL, PRIMARY KEY (build, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE decisions ({_OF_BUILD}, n INTEGER NOT NULL, session INTEGER NOT NULL,
        entry TEXT NOT NULL, action TEXT NOT NULL, target TEXT, similarity REAL NOT NULL,
        overlap REAL NOT NULL, change TEXT NOT NULL, compared TEXT NOT NULL,
        PRIMARY KEY (build, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE edges ({_OF_BUILD}, n INTEGER NOT NULL, session INTEGER NOT NULL,
        older TEXT NOT NULL, newer TEXT NOT NULL, similarity REAL NOT NULL, overlap REAL NOT NULL,
        supersedes INTEGER NOT NULL, kind TEXT NOT NULL,
        PRIMARY KEY (build, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE drops ({_OF_BUILD}, n INTEGER NOT NULL, session INTEGER NOT NULL,
        item TEXT NOT NULL, reason TEXT NOT NULL, value REAL, "limit" REAL,
        channel TEXT NOT NULL, other TEXT, PRIMARY KEY (build, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE entry_vectors ({_OF_BUILD}, n INTEGER NOT NULL, session INTEGER NOT NULL,
        vector BLOB NOT NULL, PRIMARY KEY (build, n)) STRICT, WITHOUT ROWID""",
)

_RUN = (
    """CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        parent INTEGER REFERENCES runs(id) ON DELETE SET NULL,
        dialogue INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        name TEXT NOT NULL, pinned INTEGER NOT NULL, created_at TEXT, question TEXT NOT NULL,
        retriever TEXT NOT NULL, preset TEXT NOT NULL, settings TEXT NOT NULL,
        changed TEXT NOT NULL, fingerprint TEXT NOT NULL, memory TEXT NOT NULL,
        code TEXT NOT NULL, as_of INTEGER, query TEXT NOT NULL, cues TEXT NOT NULL,
        outcome TEXT NOT NULL, warnings TEXT NOT NULL, trouble TEXT NOT NULL, milliseconds TEXT NOT NULL,
        packet TEXT NOT NULL, tokens INTEGER NOT NULL, overhead INTEGER NOT NULL,
        token_limit INTEGER NOT NULL, tokenizer TEXT NOT NULL, counted INTEGER NOT NULL,
        answered INTEGER NOT NULL, answer TEXT NOT NULL, citations TEXT NOT NULL,
        absent TEXT NOT NULL, refused INTEGER NOT NULL, reader TEXT NOT NULL,
        calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, answer_tokens INTEGER NOT NULL,
        prompt TEXT NOT NULL, raw TEXT NOT NULL) STRICT""",
    "CREATE INDEX runs_by_fingerprint ON runs (dialogue, fingerprint)",
    f"""CREATE TABLE stages ({_OF_RUN}, seq INTEGER NOT NULL, beat INTEGER NOT NULL,
        name TEXT NOT NULL, used INTEGER NOT NULL, given INTEGER NOT NULL,
        entered INTEGER NOT NULL, kept INTEGER NOT NULL, dropped INTEGER NOT NULL,
        final INTEGER NOT NULL, note TEXT NOT NULL, rest TEXT NOT NULL,
        PRIMARY KEY (run, seq)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE events ({_OF_RUN}, seq INTEGER NOT NULL, n INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('entered', 'scored', 'moved', 'left', 'ended')),
        item TEXT NOT NULL, via TEXT NOT NULL, reason TEXT, value REAL, "limit" REAL, margin REAL,
        unit TEXT NOT NULL, rank INTEGER, other TEXT, final INTEGER NOT NULL,
        placements TEXT NOT NULL, PRIMARY KEY (run, seq, n)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX events_by_item ON events (run, item)",
    f"""CREATE TABLE terms ({_OF_RUN}, seq INTEGER NOT NULL, event INTEGER NOT NULL,
        n INTEGER NOT NULL, item TEXT NOT NULL, channel TEXT NOT NULL, name TEXT NOT NULL,
        amount REAL NOT NULL, anchor_kind TEXT, anchor TEXT, source TEXT,
        PRIMARY KEY (run, seq, event, n)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE links ({_OF_RUN}, seq INTEGER NOT NULL, n INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('edge', 'path', 'hop', 'gap', 'bridge')),
        position INTEGER NOT NULL, source TEXT, target TEXT, name TEXT NOT NULL, hours REAL,
        score REAL, reason TEXT, bridge TEXT, shared TEXT NOT NULL,
        PRIMARY KEY (run, seq, kind, n, position)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE spans ({_OF_RUN}, n INTEGER NOT NULL, part TEXT NOT NULL,
        start INTEGER NOT NULL, "end" INTEGER NOT NULL, tokens INTEGER NOT NULL, item TEXT,
        label TEXT NOT NULL, speaker TEXT NOT NULL, said_at TEXT, times TEXT NOT NULL,
        sources TEXT NOT NULL, text TEXT NOT NULL, cited TEXT NOT NULL,
        PRIMARY KEY (run, n)) STRICT, WITHOUT ROWID""",
)

_JOB = (
    f"""CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, {_OF_CONVERSATION},
        memories TEXT NOT NULL, settings TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'stopped', 'failed')),
        phase TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL, note TEXT NOT NULL,
        heartbeat REAL NOT NULL, stop INTEGER NOT NULL, error TEXT NOT NULL) STRICT""",
)


@migrations()
def model_servers(db: Database) -> None:
    """Add what a served model said of windows and questions, and with which extractor to build."""
    for statement in _SERVED:
        db.execute(statement)


_SERVED = (
    f"""CREATE TABLE extractions ({_OF_CONVERSATION}, extractor TEXT NOT NULL,
        session INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        extraction TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (conversation, extractor, session, first, last)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE replies ({_OF_CONVERSATION}, key TEXT NOT NULL, text TEXT NOT NULL,
        prompt_tokens INTEGER NOT NULL, answer_tokens INTEGER NOT NULL, cut INTEGER NOT NULL,
        PRIMARY KEY (conversation, key)) STRICT, WITHOUT ROWID""",
    "ALTER TABLE jobs ADD COLUMN extractor TEXT NOT NULL DEFAULT 'local'",
    "ALTER TABLE builds ADD COLUMN used INTEGER NOT NULL DEFAULT 0",
)


@migrations()
def desk(db: Database) -> None:
    """Add notes on runs, and the trash of runs that were deleted and can come back."""
    for statement in _DESK:
        db.execute(statement)


_DESK = (
    f"""CREATE TABLE run_notes ({_OF_RUN}, n INTEGER NOT NULL, text TEXT NOT NULL,
        written_at TEXT NOT NULL, PRIMARY KEY (run, n)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE run_trash (run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
        put_at TEXT NOT NULL) STRICT""",
)


@migrations()
def token_vectors(db: Database) -> None:
    """Add the vectors of tokens: int8 rows of one turn, `tokens` of them, end to end."""
    db.execute(
        f"""CREATE TABLE token_vectors ({_OF_TURN}, embedder TEXT NOT NULL,
        tokens INTEGER NOT NULL, vectors BLOB NOT NULL,
        PRIMARY KEY (conversation, embedder, session, turn)) STRICT, WITHOUT ROWID"""
    )


_OF_EVALUATION = "evaluation INTEGER NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE"
_OF_RESULT = f"""{_OF_CONVERSATION}, fingerprint TEXT NOT NULL, question TEXT NOT NULL,
    asked TEXT NOT NULL"""

_EVALUATION = (
    """CREATE TABLE evaluations (id INTEGER PRIMARY KEY AUTOINCREMENT, plan TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'stopped', 'failed')),
        phase TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL, began REAL NOT NULL,
        heartbeat REAL NOT NULL, stop INTEGER NOT NULL, error TEXT NOT NULL) STRICT""",
    f"""CREATE TABLE units ({_OF_EVALUATION}, {_OF_CONVERSATION}, system TEXT NOT NULL,
        n INTEGER NOT NULL, fingerprint TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'skipped')),
        reason TEXT NOT NULL, cached INTEGER NOT NULL, total INTEGER NOT NULL,
        PRIMARY KEY (evaluation, conversation, system)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE results ({_OF_RESULT}, outcome TEXT NOT NULL, trouble TEXT NOT NULL,
        dated INTEGER NOT NULL, ranks TEXT NOT NULL, session_ranks TEXT NOT NULL,
        listed INTEGER NOT NULL, within TEXT NOT NULL, survived TEXT NOT NULL, used TEXT NOT NULL,
        fates TEXT NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL, joined INTEGER,
        updates INTEGER NOT NULL, updates_shown INTEGER NOT NULL, ms REAL NOT NULL,
        trace_ms REAL NOT NULL, warnings TEXT NOT NULL, refused INTEGER NOT NULL, refusal REAL,
        answer TEXT, citations TEXT NOT NULL, f1_official REAL, f1_set REAL, bleu1 REAL,
        read_ms REAL, calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
        answer_tokens INTEGER NOT NULL,
        PRIMARY KEY (conversation, fingerprint, question, asked)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE rankings ({_OF_RESULT}, ranking TEXT NOT NULL,
        PRIMARY KEY (conversation, fingerprint, question, asked)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE build_times ({_OF_CONVERSATION}, phase TEXT NOT NULL, plan TEXT NOT NULL,
        seconds REAL NOT NULL, turns INTEGER NOT NULL,
        PRIMARY KEY (conversation, phase, plan)) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE remarks ({_OF_CONVERSATION}, question TEXT NOT NULL, note TEXT NOT NULL,
        wrong INTEGER NOT NULL,
        PRIMARY KEY (conversation, question)) STRICT, WITHOUT ROWID""",
)


@migrations()
def evaluations(db: Database) -> None:
    """Add evaluations with their results, and what people say about questions."""
    for statement in _EVALUATION:
        db.execute(statement)


@migrations()
def premises(db: Database) -> None:
    """Add what the memory said against a run's question; null where it was not asked."""
    db.execute("ALTER TABLE runs ADD COLUMN premise TEXT")


@migrations()
def named_settings(db: Database) -> None:
    """Add settings saved under a name."""
    db.execute(
        """CREATE TABLE named_settings (id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE, retriever TEXT NOT NULL, settings TEXT NOT NULL,
            run INTEGER REFERENCES runs(id) ON DELETE SET NULL) STRICT"""
    )


@migrations()
def growing(db: Database) -> None:
    """Lay memberships in order of the turns and find anchors by key, so that both only grow."""
    for statement in _GROWING:
        db.execute(statement)


_PLACE = "substr(turn, 2, instr(turn, ':') - 2), substr(turn, instr(turn, ':') + 1)"

_GROWING = (
    "ALTER TABLE memberships RENAME TO memberships_by_anchor",
    f"""CREATE TABLE memberships ({_OF_TURN}, anchor INTEGER NOT NULL, role TEXT NOT NULL,
        count INTEGER NOT NULL, spans TEXT NOT NULL,
        PRIMARY KEY (conversation, session, turn, anchor, role)) STRICT, WITHOUT ROWID""",
    f"""INSERT INTO memberships SELECT conversation, {_PLACE}, anchor, role, count, spans
        FROM memberships_by_anchor""",
    "DROP TABLE memberships_by_anchor",
    "ALTER TABLE anchors RENAME TO anchors_without_session",
    f"""CREATE TABLE anchors ({_OF_CONVERSATION}, id INTEGER NOT NULL, session INTEGER NOT NULL,
        kind TEXT NOT NULL, key TEXT NOT NULL, label TEXT NOT NULL,
        PRIMARY KEY (conversation, id)) STRICT, WITHOUT ROWID""",
    """INSERT INTO anchors SELECT a.conversation, id, min(session), kind, key, label
        FROM anchors_without_session a
        JOIN memberships m ON m.conversation = a.conversation AND anchor = id
        GROUP BY a.conversation, id ORDER BY a.conversation, id""",
    "DROP TABLE anchors_without_session",
    "CREATE UNIQUE INDEX anchors_by_key ON anchors (conversation, kind, key)",
)


@migrations()
def ranks_of_spans(db: Database) -> None:
    """Add each packed item's place in the order of choice; 0 for runs of before."""
    db.execute("ALTER TABLE spans ADD COLUMN rank INTEGER NOT NULL DEFAULT 0")


VERSION: Final = 9
"""The number of migrations; written to `user_version`."""

_TROUBLES: Final[Mapping[str, str]] = {
    "SQLITE_NOTADB": "is not a memcore workspace; choose a file that memcore made, or a new name",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup",
    "SQLITE_BUSY": "is in use by another program; wait until its build or import ends, then retry",
    "SQLITE_LOCKED": "is in use by another program; wait until its build or import ends",
    "SQLITE_READONLY": "cannot be written; give yourself write access to the file and its folder",
    "SQLITE_FULL": "could not grow, the disk is full; nothing was stored; free some space",
    "SQLITE_IOERR": "could not be read or written, the disk reports an error; nothing was stored",
    "SQLITE_CANTOPEN": "cannot be opened; check that the folder exists and that you may write there",
}


@contextmanager
def open_workspace(
    path: Path, *, read_only: bool = False, new_id: str = "", wait: float = BUSY_SECONDS
) -> Iterator[Database]:
    """Open the file of a workspace for one act, made first if it is not there, and close it.

    Args:
        path: the file.
        read_only: refuse every write; the file must be there.
        new_id: the opaque id that a new workspace gets; links carry it instead of the path.
        wait: seconds to wait for another writer.

    Raises:
        StoreError: not a memcore file, a newer schema, in use, not writable, or a full disk.
    """
    if read_only and not path.is_file():
        msg = f"{path.name}: there is no such workspace; import a dialogue first"
        raise StoreError(msg)
    try:
        connection = _connect(path, wait, read_only=read_only)
        try:
            yield _prepared(connection, path, new_id, read_only=read_only)
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise _translated(error, path) from error


@contextmanager
def transaction(db: Database, *, counted: bool = True) -> Iterator[None]:
    """Hold the one write lock from the first statement on; all or nothing is stored.

    `Database.atomic` begins as a reader, and a reader cannot always become a writer. Each one
    moves the number of `changes`, save those that tell only of a job.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        if counted:
            db.execute("UPDATE workspace SET changes = changes + 1")
    except BaseException:
        db.rollback()
        raise
    db.commit()


def workspace_id(db: Database) -> str:
    """Return the opaque id of the workspace."""
    return str(db.execute("SELECT id FROM workspace ORDER BY id").fetchone()[0])


def changes(db: Database) -> int:
    """Return a number that moves with every write: what a reader keeps is good while it stands."""
    return int(db.execute("SELECT changes FROM workspace ORDER BY id").fetchone()[0])


def _connect(path: Path, wait: float, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", timeout=wait, uri=True)


def _prepared(
    connection: sqlite3.Connection, path: Path, new_id: str, *, read_only: bool
) -> Database:
    db = Database(connection, execute_plugins=False)
    version = _version(db, path)
    db.execute("PRAGMA foreign_keys = ON")
    if version < VERSION and read_only:
        msg = f"{path.name} has schema {version}, this memcore {VERSION}; import or build once"
        raise StoreError(msg)
    if version < VERSION:
        db.enable_wal()
        _migrate(db, new_id)
    return db


def _version(db: Database, path: Path) -> int:
    """Return the schema version of the file, 0 for a new one; refuse foreign and newer files."""
    ours = int(db.execute("PRAGMA application_id").fetchone()[0])
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if ours != APPLICATION_ID:
        if ours or version or db.table_names():
            msg = f"{path.name} {_TROUBLES['SQLITE_NOTADB']}"
            raise StoreError(msg)
        return 0
    if version > VERSION:
        msg = (
            f"{path.name} has schema {version}, made by a newer memcore; "
            f"this one knows schema {VERSION}: update memcore"
        )
        raise StoreError(msg)
    return version


def _migrate(db: Database, new_id: str) -> None:
    with transaction(db, counted=False):
        if int(db.execute("PRAGMA user_version").fetchone()[0]) == VERSION:
            return  # another process was first
        migrations.apply(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")
        if not db.execute("SELECT count(*) FROM workspace ORDER BY 1").fetchone()[0]:
            db.execute("INSERT INTO workspace (id, title) VALUES (?, ?)", (new_id, ""))


def _translated(error: sqlite3.DatabaseError, path: Path) -> Exception:
    name = getattr(error, "sqlite_errorname", "")
    for code, words in _TROUBLES.items():
        if name.startswith(code):
            return StoreError(f"{path.name} {words}")
    return error
