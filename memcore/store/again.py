"""A conversation read again, laid over the stored one (transcripts.md 1.11).

Turns are known by key; where a re-cut file has other keys, by speaker and text in order.
Nothing stored is ever lost: a turn that the new file lacks stays, and one whose text changed
keeps its former text as an earlier version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

from memcore.types import Again, Conversation, Person, Session, Turn, TurnId

SAME_SHARE: Final = 0.8
SAME_TURNS: Final = 3


class Changed(StrEnum):
    """What to do with a known turn that has another text."""

    REPLACE = "replace"
    KEEP = "keep"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Laid:
    """The joined conversation and what happened.

    `former` are turns whose text was replaced; `places` leads from the file's ids to the stored
    ones; `since` is the first session that is not as it was, None if all are; `retimed` counts
    known turns with another time, which keep their first one.
    """

    conversation: Conversation
    again: Again
    former: tuple[Turn, ...]
    places: tuple[tuple[TurnId, TurnId], ...]
    since: int | None
    retimed: int = 0


def is_copy(stored: Sequence[Turn], read: Sequence[Turn]) -> bool:
    """Whether the turns are so alike, in order, that both are one conversation."""
    shorter = min(len(stored), len(read))
    ours, theirs = _words(stored), _words(read)
    if not shorter or (Counter(ours) & Counter(theirs)).total() < SAME_SHARE * shorter:
        return False
    equal = len(_in_order(ours, theirs))
    return equal == shorter or (equal >= SAME_TURNS and equal >= SAME_SHARE * shorter)


def lay(stored: Conversation, read: Conversation, changed: Changed) -> Laid:
    """Return the stored conversation with what the read one adds or changes."""
    known = _known(stored.turns, read.turns)
    pairs = [(known[t.id], t) for t in read.turns if t.id in known]
    other = {old.id: new for old, new in pairs if old.content != new.content}
    replaced = other if changed is not Changed.KEEP else {}
    cut = _place(stored, read, known)
    sessions, places = _numbered(cut, replaced)
    again = Again(
        appended=len(read.turns) - len(pairs),
        unchanged=len(pairs) - len(other),
        changed=len(other),
        missing=len(stored.turns) - len(pairs),
    )
    ids = {id(turn): place for turn, place in places}
    moved = tuple((t.id, ids[id(known.get(t.id, t))]) for t in read.turns)
    former = tuple(old for old, _ in pairs if old.id in replaced)
    return Laid(
        replace(stored, sessions=sessions, persons=_persons(stored.persons, read.persons)),
        again,
        former,
        moved,
        _since(stored.sessions, sessions),
        sum(old.said != new.said for old, new in pairs),
    )


def differing(stored: Conversation, read: Conversation) -> tuple[tuple[Turn, Turn], ...]:
    """Return each known turn whose words changed, as it is stored and as it was read."""
    known = _known(stored.turns, read.turns)
    pairs = ((known[t.id], t) for t in read.turns if t.id in known)
    return tuple((old, new) for old, new in pairs if old.content != new.content)


_Cut = list[tuple[Session, list[Turn]]]


def _words(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.content) for turn in turns]


def _in_order(ours: Sequence[object], theirs: Sequence[object]) -> list[tuple[int, int]]:
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [(a + i, b + i) for a, b, size in blocks for i in range(size)]


def _known(stored: Sequence[Turn], read: Sequence[Turn]) -> dict[TurnId, Turn]:
    """Return the stored turn of each read turn that is known, by the read turn's id."""
    keys = {turn.key: turn for turn in stored if turn.key}
    found = {turn.id: keys[turn.key] for turn in read if turn.key in keys}
    if 2 * len(found) >= min(len(stored), len(read)):
        return found
    pairs = _in_order(_words(stored), _words(read))
    return {read[b].id: stored[a] for a, b in pairs}


def _place(stored: Conversation, read: Conversation, known: dict[TurnId, Turn]) -> _Cut:
    """Put each new turn after the known one before it, in that one's session, or a new session."""
    cut: _Cut = [(session, list(session.turns)) for session in stored.sessions]
    at = -1  # the place of the session that the last known or new turn lies in
    for session in read.sessions:
        home = _home(cut, session, known, at + 1)
        if home is None:
            at += 1
            cut.insert(at, (session, list(session.turns)))
            continue
        at, after = home
        for turn in session.turns:
            if turn.id in known:
                at, after = _where(cut, known[turn.id], at, after)
            else:
                cut[at][1].insert(after, turn)
            after += 1
    return cut


def _home(
    cut: _Cut, session: Session, known: dict[TurnId, Turn], at: int
) -> tuple[int, int] | None:
    """Return the stored session that a read one continues and the place in it, None if new.

    It is most often session `at`, the one after the last that was found.
    Without a known turn it takes the same source id and the same known start.
    """
    first = next((known[turn.id] for turn in session.turns if turn.id in known), None)
    if first is not None:
        return _where(cut, first, at, 0)[0], 0
    name = (session.source_id, session.started)
    same = [
        (place, len(turns))
        for place, (old, turns) in enumerate(cut)
        if session.source_id and session.started_at and (old.source_id, old.started) == name
    ]
    return same[0] if same else None


def _where(cut: _Cut, turn: Turn, at: int, after: int) -> tuple[int, int]:
    """Return the place of a turn; it is looked for where it most often is, then everywhere."""
    if at < len(cut) and after < len(cut[at][1]) and cut[at][1][after] is turn:
        return at, after
    return next(
        (place, after)
        for place, (_, turns) in enumerate(cut)
        for after, other in enumerate(turns)
        if other is turn
    )


def _numbered(
    cut: _Cut, replaced: dict[TurnId, Turn]
) -> tuple[tuple[Session, ...], list[tuple[Turn, TurnId]]]:
    sessions: list[Session] = []
    places: list[tuple[Turn, TurnId]] = []
    for index, (session, turns) in enumerate(cut, 1):
        numbered: list[Turn] = []
        for n, turn in enumerate(turns, 1):
            place = TurnId(index, n)
            places.append((turn, place))
            numbered.append(replace(_current(turn, replaced.get(turn.id)), id=place))
        sessions.append(replace(session, index=index, turns=tuple(numbered)))
    return tuple(sessions), places


def _current(turn: Turn, new: Turn | None) -> Turn:
    """Return the turn with the words of the new one; key, place and first time stay."""
    if new is None:
        return turn
    return replace(
        turn,
        text=new.text,
        caption=new.caption,
        attachments=new.attachments,
        quotes=new.quotes,
        edited=True,
    )


def _persons(stored: tuple[Person, ...], read: tuple[Person, ...]) -> tuple[Person, ...]:
    found = {person.key: person for person in stored}
    for person in read:
        old = found.setdefault(person.key, person)
        names = dict.fromkeys((*old.aliases, person.label, *person.aliases))
        aliases = tuple(name for name in names if name != old.label)
        found[person.key] = replace(old, aliases=aliases)
    return tuple(found.values())


def _since(stored: tuple[Session, ...], joined: tuple[Session, ...]) -> int | None:
    for old, new in zip(stored, joined, strict=False):
        if old != new:
            return new.index
    return joined[len(stored)].index if len(joined) > len(stored) else None
