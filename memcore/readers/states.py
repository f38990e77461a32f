"""Which of several equally fitting sentences holds the state that is asked about.

The newest one wins for the present; "before Y" wants what was said before Y was ever named, and
"in May" the last state told until the end of May. A state that comes back is told again later, so it
is a state of its own with its own time, never the earlier one. Only
sentences that hold the same words of the question compete, so an unrelated newer one never wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memcore.annotate.families import canonical
from memcore.annotate.keys import stem
from memcore.readers.asked import State, Wish
from memcore.readers.match import Match

_NEAR: Final = 0.6
"""A state competes from this share of the best score on."""


def by_state(wish: Wish, found: Sequence[Match]) -> tuple[Match, ...]:
    """Return the matches with the state that is asked about first; `found` is best first."""
    if wish.state is State.BEFORE:
        found = _before(wish, found)
    if wish.state is State.THEN:
        return _then(wish, found)
    same = rivals(found)
    if wish.state in {State.NEWEST, State.OLDEST} and len(same) > 1:
        last = wish.state is State.NEWEST
        place = (max if last else min)(m.piece.place for m in same)
        first = next(m for m in same if m.piece.place == place)
        return (first, *(m for m in found if m is not first))
    return tuple(found)


def _then(wish: Wish, found: Sequence[Match]) -> tuple[Match, ...]:
    """Return first what held in the time asked about: the last state told until its end.

    Nothing moves where no state was told by then, or where a sentence names that time itself.
    """
    asked = wish.query.interval
    best = found[0]
    if asked is None or any(t.interval.meets(asked) for t in best.piece.times):
        return tuple(found)
    known = [m for m in rivals(found) if (at := m.piece.said.at) and at < asked.end]
    if not known:
        return tuple(found)
    first = max(known, key=lambda m: (m.piece.place, m.score))
    return (first, *(m for m in found if m is not first))


def _before(wish: Wish, found: Sequence[Match]) -> Sequence[Match]:
    later = [m.piece.place for m in found if set(wish.than) <= _words(m.piece.around)]
    earlier = [m for m in found if m.piece.place < min(later, default=0) and m.own]
    other = [m for m in found if m.piece.place not in later and m.own]
    return (earlier or other or found) if later else found


def _words(keys: Sequence[str]) -> set[str]:
    return {canonical(stem(word)) for key in keys for word in key.split()}


def rivals(found: Sequence[Match]) -> list[Match]:
    """Return the sentences that hold the words of the question as the first one does."""
    best = found[0]
    return [
        m
        for m in found
        if m.score >= _NEAR * best.score
        and m.about == best.about
        and not m.piece.asks
        and m.own
        and set(best.own) <= set(m.own)
    ]
