"""Several files as the sessions of one conversation, such as the transcripts of a weekly call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memcore.transcripts.archives import natural
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.people import fold
from memcore.types import PersonKind, SaidTime


def joined(drafts: Sequence[DraftConversation]) -> DraftConversation:
    """Return the drafts as one, their sessions by start time, else by natural file-name order.

    A label such as "Speaker 5" stays bound to its file.
    """
    drafts = sorted(drafts, key=lambda d: natural(d.file))
    pairs = [(_bound(s, d.title), d) for d in drafts for s in d.sessions]
    starts = [_start(s) for s, _ in pairs]
    if all(s.at is not None for s in starts):
        timed = sorted(zip(starts, range(len(pairs)), strict=True), key=lambda p: (p[0].at, p[1]))
        pairs = [pairs[n] for _, n in timed]
    sessions = tuple(
        replace(session, title=session.title or draft.title) for session, draft in pairs
    )
    questions = tuple(q for d in drafts for q in d.questions) if len(drafts) == 1 else ()
    return replace(
        drafts[0],
        sessions=sessions,
        source_id="",
        own=True,
        questions=questions,
        persons=tuple(p for d in drafts for p in d.persons),
    )


def _start(session: DraftSession) -> SaidTime:
    if session.started is not None and session.started.at is not None:
        return session.started
    return next((t.said for t in session.turns if t.said.at is not None), SaidTime())


def _bound(session: DraftSession, file: str) -> DraftSession:
    return replace(session, turns=tuple(_bind(t, file) for t in session.turns))


def _bind(turn: DraftTurn, file: str) -> DraftTurn:
    if turn.kind is not PersonKind.LABEL or turn.person:
        return turn
    return replace(turn, person=f"{fold(turn.label)} ({file})")
