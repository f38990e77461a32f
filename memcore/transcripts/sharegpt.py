"""ShareGPT: `conversations` of `from` and `value`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.transcripts import walk
from memcore.transcripts.chat_parts import without_thoughts
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.files import File
from memcore.transcripts.json_lines import values
from memcore.transcripts.json_text import Fields, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.roles import kind_of, role_of
from memcore.transcripts.samples import Evidence, Sample, share
from memcore.types import Role

name = "sharegpt"

SKIPS = {
    "system": Skip.HIDDEN_CONTEXT,
    "function_call": Skip.TOOL_CALL,
    "observation": Skip.TOOL_OUTPUT,
    "tool": Skip.TOOL_OUTPUT,
}
KNOWN = frozenset(["id", "system", "conversations"])
KNOWN_TURN = frozenset({"from", "value"})


def score(sample: Sample) -> Evidence:
    """Judge by `conversations` whose elements have `from` and `value`."""
    objects = sample.objects
    return share(sum(_fits(o) for o in objects), len(objects), "objects hold from and value pairs")


def _fits(record: Fields) -> bool:
    found = record.value("conversations")
    if not isinstance(found, list):
        return False
    return any(isinstance(t, dict) and "from" in t and "value" in t for t in found)


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each list as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    count = 0

    def one(record: Fields, place: str) -> DraftConversation:
        nonlocal count
        count += 1
        return _conversation(
            record, place, file.stem if count == 1 else f"{file.stem} {count}", notes
        )

    yield from walk.conversations((v for v, _ in values(file, notes)), "record", notes, one)


def _conversation(record: Fields, place: str, title: str, notes: Notes) -> DraftConversation:
    notes.ignore(record, KNOWN)
    id_ = record.maybe("id")
    found = record.items("conversations")
    if isinstance(record.value("system"), str):
        notes.seen()
        notes.skip(Skip.HIDDEN_CONTEXT, f"{place} system", record.maybe("system"))
    turns = []
    for n, value in enumerate(found, 1):
        where = f"{place} turn {n}"
        notes.seen()
        with notes.guard(where, value):
            turn = _turn(fields_of(value, "the turn"), where, notes)
            if turn is not None:
                turns.append(turn)
    sessions = (DraftSession(tuple(turns), id_),)
    return DraftConversation(id_ or title, sessions, notes.file, id_, own=True, format=name)


def _turn(record: Fields, where: str, notes: Notes) -> DraftTurn | None:
    notes.ignore(record, KNOWN_TURN)
    word, text = record.text("from"), record.maybe("value")
    reason = SKIPS.get(word.casefold())
    if reason is not None:
        notes.skip(reason, where, text)
        return None
    role = role_of(word, Role.UNKNOWN)
    if role is Role.ASSISTANT:
        text = without_thoughts(text, notes)
    return DraftTurn(word, text, where, kind=kind_of(word), role=role)
