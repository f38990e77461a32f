"""Drafts to conversations: the rules that every format shares, each applied once and in order.

clean -> strike or rename speakers -> zone -> order -> sessions -> persons and ids -> questions
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memcore.transcripts import gold, order, people
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.drafts import DraftConversation, DraftSession, DraftTurn
from memcore.transcripts.notes import Notes
from memcore.types import (
    Attachment,
    Conversation,
    Person,
    Question,
    Quote,
    SaidTime,
    Session,
    Turn,
    TurnId,
)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A conversation in its places, with the questions that came with it."""

    conversation: Conversation
    questions: tuple[Question, ...] = ()


def assemble(draft: DraftConversation, notes: Notes) -> Assembled | None:
    """Return the conversation of a draft, None where no turn is left."""
    notes.file = draft.file
    items = _cleaned(draft, notes)
    items = people.renamed(items, notes)
    items = order.zoned(items, notes)
    groups = order.grouped(draft, items, notes)
    if not groups:
        return None
    ordered = [item for _, group in groups for item in group]
    persons = people.persons(draft, ordered)
    owner = people.owner(draft, persons, notes.options.owner)
    keys = _keys([i.turn for i in ordered], notes)
    sessions, drafted = _sessions(groups, persons, keys)
    conversation = Conversation(
        notes.clean(draft.title) or notes.clean(draft.source_id) or draft.file,
        sessions,
        key=notes.clean(draft.source_id),
        format=draft.format,
        owner=owner,
        persons=people.listed(draft, persons, ordered),
    )
    notes.turns += len(ordered)
    notes.warn(Warn.TIME_IN_FUTURE, _ahead(conversation, notes.options.moment))
    return Assembled(conversation, _questions(draft, conversation, drafted, notes))


def _ahead(conversation: Conversation, moment: datetime | None) -> int:
    """Return how many turns are dated more than a day after the import."""
    if moment is None:
        return 0
    late = moment + timedelta(days=1)
    return sum(t.said_at is not None and t.said_at > late for t in conversation.turns)


# ---------------------------------------------------------------- clean


def _cleaned(draft: DraftConversation, notes: Notes) -> list[order.Item]:
    items = []
    number = 0
    for n, session in enumerate(draft.sessions):
        for turn in session.turns:
            done = _clean(turn, notes)
            reason = _refused(done, notes)
            if reason is None:
                items.append(order.Item(done, number, n))
            else:
                notes.skip(reason, turn.place, done.text)
            number += 1
    return items


def _clean(turn: DraftTurn, notes: Notes) -> DraftTurn:
    def tidy(text: str) -> str:
        words = notes.mend(text) if notes.options.mojibake == "on" else text
        return notes.clean(words)

    return replace(
        turn,
        label=tidy(turn.label),
        text=tidy(turn.text),
        caption=tidy(turn.caption),
        person=notes.clean(turn.person),
        source_id=notes.clean(turn.source_id),
        reply_to=notes.clean(turn.reply_to),
        forwarded_from=tidy(turn.forwarded_from),
        direct_to=tidy(turn.direct_to),
        said=_clean_time(turn.said, notes),
        attachments=tuple(
            Attachment(tidy(a.name), tidy(a.kind), tidy(a.text)) for a in turn.attachments
        ),
        quotes=tuple(Quote(tidy(q.text), tidy(q.author)) for q in turn.quotes),
    )


def _clean_time(said: SaidTime, notes: Notes) -> SaidTime:
    original = notes.clean(said.original)
    return said if original == said.original else replace(said, original=original)


def _refused(turn: DraftTurn, notes: Notes) -> Skip | None:
    limits = notes.options.limits
    if len(turn.text) > limits.turn:
        return Skip.OVER_LIMIT
    if len(turn.label) > limits.name:
        return Skip.BAD_RECORD
    if turn.text or turn.keep:
        return None
    return Skip.MEDIA_ONLY if turn.media else Skip.EMPTY_TEXT


# ---------------------------------------------------------------- ids


def _keys(turns: Sequence[DraftTurn], notes: Notes) -> list[str]:
    met: Counter[str] = Counter()
    used: set[str] = set()
    keys = []
    for turn in turns:
        key = turn.key or turn.source_id or _digest(turn, met)
        if key in used:
            notes.warn(Warn.DUPLICATE_ID)
            n = 2
            while f"{key}~{n}" in used:
                n += 1
            key = f"{key}~{n}"
        used.add(key)
        keys.append(key)
    return keys


def _digest(turn: DraftTurn, met: Counter[str]) -> str:
    words = "\x1f".join((people.key_of(turn), turn.said.original, turn.text))
    met[words] += 1
    return hashlib.blake2b(f"{words}\x1f{met[words]}".encode(), digest_size=12).hexdigest()


# ---------------------------------------------------------------- places


def _sessions(
    groups: Sequence[tuple[DraftSession | None, Sequence[order.Item]]],
    persons: dict[str, Person],
    keys: Sequence[str],
) -> tuple[tuple[Session, ...], dict[int, TurnId]]:
    sessions, drafted = [], {}
    given = iter(keys)
    for index, (session, items) in enumerate(groups, 1):
        turns = []
        for n, item in enumerate(items, 1):
            turns.append(_turn(item.turn, TurnId(index, n), next(given), persons))
            drafted[item.number] = TurnId(index, n)
        sessions.append(_session(index, session, tuple(turns)))
    return tuple(sessions), drafted


def _session(index: int, draft: DraftSession | None, turns: tuple[Turn, ...]) -> Session:
    first = next((t.said for t in turns if t.said.at is not None), SaidTime())
    if draft is None:
        return Session(index, turns, first)
    started = first if draft.started is None else draft.started
    return Session(index, turns, started, draft.source_id, draft.title)


def _turn(draft: DraftTurn, place: TurnId, key: str, persons: dict[str, Person]) -> Turn:
    person = persons[people.key_of(draft)]
    return Turn(
        place,
        person.label,
        draft.text,
        caption=draft.caption,
        said=draft.said,
        key=key,
        source_id=draft.source_id,
        person=person.key,
        role=draft.role,
        attachments=draft.attachments,
        quotes=draft.quotes,
        reply_to=draft.reply_to,
        forwarded_from=draft.forwarded_from,
        direct_to=draft.direct_to,
        edited=draft.edited,
        speaker_guessed=draft.speaker_guessed,
    )


def _tidy(question: Question, notes: Notes) -> Question:
    return replace(
        question,
        id=notes.clean(question.id),
        text=notes.clean(question.text),
        answer=notes.clean(question.answer),
        category=notes.clean(question.category),
        bait=notes.clean(question.bait),
        conversation=notes.clean(question.conversation),
        evidence_raw=tuple(notes.clean(raw) for raw in question.evidence_raw),
        asked_at=replace(question.asked_at, original=notes.clean(question.asked_at.original)),
    )


def _questions(
    draft: DraftConversation, conversation: Conversation, drafted: dict[int, TurnId], notes: Notes
) -> tuple[Question, ...]:
    held: list[tuple[TurnId | None, ...]] = []
    moved: dict[TurnId, TurnId] = {}
    number = 0
    for k, session in enumerate(draft.sessions, 1):
        held.append(tuple(drafted.get(number + n) for n in range(len(session.turns))))
        number += len(session.turns)
        moved.update({TurnId(k, n): t for n, t in enumerate(held[-1], 1) if t is not None})
    where = gold.places(conversation, moved)
    turns = tuple(t for ts in held for t in ts)
    questions = []
    for asked in draft.questions:
        wanted = {t.session for s in asked.sessions for t in held[s] if t is not None}
        sessions = asked.question.evidence_sessions or tuple(sorted(wanted))
        tidy = _tidy(asked.question, notes)
        named = replace(asked, question=replace(tidy, evidence_sessions=sessions))
        done = gold.resolve(named, where, turns)
        notes.repaired_evidence += done.repaired
        notes.warn(Warn.EVIDENCE_REPAIRED, done.repaired)
        notes.warn(Warn.EVIDENCE_UNRESOLVED, len(done.question.evidence_unresolved))
        questions.append(done.question)
    return tuple(questions)
