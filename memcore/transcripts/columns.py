"""Rows with named columns: which is the speaker, which the text, by the heads or by the user.

Tables and lines of JSON share the roles; the words for heads stand in phrases.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcore.errors import TranscriptError
from memcore.transcripts import dates, written
from memcore.transcripts.codes import Refusal
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn, Order
from memcore.transcripts.json_text import Json
from memcore.transcripts.notes import Notes
from memcore.transcripts.people import fold
from memcore.transcripts.phrases import COLUMNS
from memcore.transcripts.roles import kind_of, role_of
from memcore.types import SaidTime, TimeSource

ROLES = ("time", "speaker", "text", "session", "conversation", "id")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by role, the time as it is typed, and its place."""

    cells: Mapping[str, str]
    time: Json
    place: str

    def cell(self, role: str) -> str:
        """The cell of a role, empty where there is none."""
        return self.cells.get(role, "")


def mapping(heads: Sequence[str], notes: Notes) -> dict[str, str]:
    """Return the head of each role: as the user says, else by the words for it.

    Raises:
        TranscriptError: `needs_mapping` where speaker or text is not found.
    """
    found = {role: head for role, head in notes.options.columns if head in heads and role in ROLES}
    for role in ROLES:
        if role not in found:
            free = [h for h in heads if h not in found.values()]
            head = _best(role, free)
            if head:
                found[role] = head
    if "text" not in found or "speaker" not in found:
        shown = ", ".join(h[:40] for h in heads[:20])
        msg = f"no column for speaker or text was recognised among {shown}."
        hint = "Say which columns they are, as in columns: speaker=…, text=…"
        raise TranscriptError(Refusal.NEEDS_MAPPING, msg, file=notes.file, hint=hint)
    return found


def _best(role: str, heads: Sequence[str]) -> str:
    """Return the head whose word stands first in the role's list."""
    words = COLUMNS[role]
    known = [(words.index(fold(h)), h) for h in heads if fold(h) in words]
    return min(known)[1] if known else ""


def recognised(heads: Sequence[str]) -> frozenset[str]:
    """Return the roles that some head has a word for."""
    return frozenset(role for role in ROLES if _best(role, heads))


def conversations(
    rows: Sequence[Row], title: str, notes: Notes, format_: str
) -> tuple[DraftConversation, ...]:
    """Return the rows as conversations and sessions, by their columns."""
    order = _date_order(rows, notes)
    talks: dict[str, dict[str, list[DraftTurn]]] = {}
    for row in rows:
        sessions = talks.setdefault(row.cell("conversation"), {})
        sessions.setdefault(row.cell("session"), []).append(_turn(row, order, notes))
    found = []
    for name, sessions in talks.items():
        own = any(sessions)
        drafts = tuple(
            DraftSession(tuple(turns), key, key if own else "") for key, turns in sessions.items()
        )
        found.append(
            DraftConversation(
                name or title,
                drafts,
                notes.file,
                name,
                own=own,
                order=Order.TIME_IF_ALL,
                format=format_,
            )
        )
    return tuple(found)


def _turn(row: Row, order: str, notes: Notes) -> DraftTurn:
    speaker = row.cell("speaker")
    return DraftTurn(
        speaker,
        row.cell("text"),
        row.place,
        _time(row.time, order, notes),
        source_id=row.cell("id"),
        kind=kind_of(speaker),
        role=role_of(speaker),
    )


def _time(value: Json, order: str, notes: Notes) -> SaidTime:
    if isinstance(value, str) and (
        said := written.read_date(value.strip(), order, TimeSource.TURN)
    ):
        return notes.time(said)
    return notes.time(dates.value(value))


def _date_order(rows: Sequence[Row], notes: Notes) -> str:
    """Return the one order of day and month in the dates of all rows."""
    found = [
        w
        for row in rows
        if isinstance(row.time, str) and (w := written.written_of(row.time)) and not w.fixed
    ]
    return written.order_of(found, notes)
