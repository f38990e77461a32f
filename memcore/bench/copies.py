"""Long dialogues, made by repeating a short annotated one with some of its words renamed.

Each copy of the source has its sessions after those of the copy before, later dates, and a share
of its keys under new names, in the text as in the annotations. So the vocabulary grows with the
dialogue, as it does in talk, and nothing is annotated anew. Plain repetition was turned down: it
makes every key as common as it can be, and a search engine's lists as long.
Which keys are renamed is drawn from a seed; equal arguments give equal dialogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import numpy as np

from memcore.errors import MemcoreError
from memcore.types import (
    Annotation,
    Conversation,
    Interval,
    Mention,
    SaidTime,
    Session,
    TimeExpression,
    Turn,
    TurnId,
)

RENAMED: Final = 0.5
"""The share of the keys that a copy has for itself."""
_YEARS: Final = 5000
"""The last copy begins this many years after the first at most: a date has four digits."""
_LETTERS: Final = "bcdfghjklmnpqrtvwz"


@dataclass(frozen=True, slots=True)
class Annotated:
    """A dialogue with one annotation a turn, in order."""

    conversation: Conversation
    annotations: tuple[Annotation, ...]


def joined(parts: Sequence[Annotated], name: str) -> Annotated:
    """Return dialogues one after the other as one, sessions numbered from 1."""
    sessions: list[Session] = []
    notes: list[Annotation] = []
    for part in parts:
        marked = {note.turn: note for note in part.annotations}
        for session in part.conversation.sessions:
            number = len(sessions) + 1
            turns = tuple(replace(t, id=TurnId(number, t.id.turn)) for t in session.turns)
            sessions.append(replace(session, index=number, turns=turns))
            notes += [
                replace(marked[old.id], turn=new.id)
                for old, new in zip(session.turns, turns, strict=True)
            ]
    return Annotated(Conversation(name, tuple(sessions)), tuple(notes))


def repeated(source: Annotated, turns: int, seed: int) -> Annotated:
    """Return a dialogue of so many turns; the first copy is the source as it is.

    Raises:
        MemcoreError: if the source has no turns.
    """
    size = len(source.conversation.turns)
    if not size:
        msg = "nothing to repeat; expected a dialogue with turns"
        raise MemcoreError(msg)
    copies = -(-turns // size)
    draws = np.random.Generator(np.random.PCG64(seed))
    later = _later(source.conversation, copies)
    whole = joined(
        [source, *(_copy(source, n, later * n, draws) for n in range(1, copies))],
        source.conversation.name,
    )
    return _first(whole, turns)


def _first(whole: Annotated, turns: int) -> Annotated:
    """Return the first turns; the last session may be cut."""
    sessions: list[Session] = []
    left = turns
    for session in whole.conversation.sessions:
        if left > 0:
            sessions.append(replace(session, turns=session.turns[:left]))
            left -= len(session.turns)
    conversation = replace(whole.conversation, sessions=tuple(sessions))
    return Annotated(conversation, whole.annotations[:turns])


def _later(conversation: Conversation, copies: int) -> timedelta:
    """Return how much later each copy takes place than the one before."""
    times = [t.said_at or s.started_at for s in conversation.sessions for t in s.turns]
    known = [time for time in times if time is not None]
    span = max(known) - min(known) if known else timedelta()
    return min(span + timedelta(days=1), timedelta(days=365 * _YEARS) / copies)


def _copy(
    source: Annotated, number: int, later: timedelta, draws: np.random.Generator
) -> Annotated:
    keys = sorted({m.key for note in source.annotations for m in note.mentions if _word(m)})
    chosen = np.flatnonzero(draws.random(len(keys)) < RENAMED).tolist()
    renaming = _Renaming(frozenset(keys[n] for n in chosen), _letters(number))
    notes = {note.turn: note for note in source.annotations}
    made: dict[TurnId, Annotation] = {}
    sessions = []
    for session in source.conversation.sessions:
        turns = []
        for turn in session.turns:
            new, made[turn.id] = renaming.of(turn, notes[turn.id], later)
            turns.append(new)
        started = _said(session.started, later)
        sessions.append(replace(session, turns=tuple(turns), started=started))
    conversation = replace(source.conversation, sessions=tuple(sessions))
    return Annotated(conversation, tuple(made.values()))


def _word(mention: Mention) -> bool:
    return " " not in mention.key


def _letters(number: int) -> str:
    """Return a number from 1 as letters that no stemmer takes off.

    >>> _letters(1), _letters(18), _letters(19)
    ('xc', 'xcb', 'xcc')
    """
    found = ""
    while number:
        number, digit = divmod(number, len(_LETTERS))
        found = _LETTERS[digit] + found
    return f"x{found}"


@dataclass(frozen=True, slots=True)
class _Renaming:
    """Some keys get letters at their end, wherever they stand."""

    keys: frozenset[str]
    letters: str

    def of(self, turn: Turn, note: Annotation, later: timedelta) -> tuple[Turn, Annotation]:
        ends = frozenset(m.end for m in note.mentions if _word(m) and m.key in self.keys)
        head = len(turn.text)
        moved = _moves(len(turn.content), ends, len(self.letters))
        content = "".join(self._pieces(turn.content, ends))
        text = content[: moved[head]]
        said = _said(turn.said, later)
        new = replace(turn, text=text, caption=content[moved[head] + 1 :], said=said)
        mentions = tuple(self._mention(m, ends, moved) for m in note.mentions)
        times = tuple(
            TimeExpression(moved[t.start], moved[t.end], _interval(t.interval, later))
            for t in note.times
        )
        return new, Annotation(turn.id, mentions, times, note.language)

    def _pieces(self, text: str, ends: frozenset[int]) -> Iterator[str]:
        start = 0
        for end in sorted(ends):
            yield text[start:end] + self.letters
            start = end
        yield text[start:]

    def _mention(self, m: Mention, ends: frozenset[int], moved: Mapping[int, int]) -> Mention:
        new = any(m.start < end <= m.end for end in ends)
        key = m.key + self.letters if new else m.key
        start = moved[m.start] + (len(self.letters) if m.start in ends else 0)
        return Mention(start, moved[m.end], m.kind, key)


def _moves(size: int, ends: frozenset[int], by: int) -> Mapping[int, int]:
    """Return where each place of a text is once letters stand at the ends; an end after them."""
    found = {}
    shift = 0
    for place in range(size + 1):
        shift += by * (place in ends)
        found[place] = place + shift
    return found


def _said(said: SaidTime, later: timedelta) -> SaidTime:
    return replace(said, at=said.at + later) if said.at else said


def _interval(interval: Interval, later: timedelta) -> Interval:
    return replace(interval, start=interval.start + later, end=interval.end + later)
