"""The channels of EdgeMem: what each adds up for a turn (edgemem.md, section 3).

A channel is a sum of contributions, so that its ranking is a few numpy products and the terms of
the listed turns are read off afterwards. The channels are joined as sets; their scores are never
added or compared, except a hop with the co-occurrence that it prolongs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.hypergraph import calendar
from memcore.hypergraph.cues import Asked
from memcore.hypergraph.incidence import Incidence
from memcore.hypergraph.terms import Contribution, Places, Source, contribution, everywhere, total
from memcore.scoring import Scores
from memcore.settings import Settings
from memcore.types import Anchor, AnchorKind, Interval, QuestionType, TurnId

Channel = tuple[Contribution, ...]
Mask = NDArray[np.bool_]
_DAY: Final = 86_400.0
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def owed_to(anchor: Anchor) -> Source:
    """Return the source of a contribution that is all owed to one anchor."""
    return lambda _place: anchor


# ---------------------------------------------------------------- core


def episodic(index: Incidence, asked: Asked, settings: Settings) -> Channel:
    """Return E(t): matching keys, neighbours, session, speaker, statement and time.

    E(t) = n(b(t) + neighbours) + session_weight n(B(session)) + speaker_weight [named speaker]
    + told_weight [does not end with a question] + week_weight fit(t), or, where the question asks
    when, time_weight [names a time]; n divides by the maximum.
    The statement term only moves turns that another term reaches.
    """
    keys = [(index.anchors[n], *index.by_turn.column(n)) for n in asked.columns]
    matched = np.zeros(len(index.turns))
    for _, places, weights in keys:
        matched[places] += weights
    parts = [
        (c, places, settings.character_weight * weights)
        for c in asked.characters
        for places, weights in (index.characters.column(c),)
    ]
    for _, places, weights in parts:
        matched[places] += weights
    near = tuple(_neighbours(index, matched, settings))
    top = _top(sum((amounts for _, _, amounts in near), start=matched))
    found = (
        *(contribution("key", places, w / top, owed_to(anchor)) for anchor, places, w in keys),
        *(
            contribution("character", places, w / top, _word_with(index, c))
            for c, places, w in parts
        ),
        *(
            everywhere(name, amounts / top, _beside(index, offset))
            for name, offset, amounts in near
        ),
        *_session(index, asked, settings),
        *_speaker(index, asked, settings),
        *_date(index, asked, settings),
        *_time(index, asked, settings),
    )
    return (*found, *_told(index, found, settings))


def _word_with(index: Incidence, character: str) -> Source:
    """Return what a character's contribution is owed to: the turn's first word that has it."""

    def source(place: int) -> Anchor | None:
        held = (index.anchors[n] for n in index.keys(place).tolist())
        return min((a for a in held if character in a.key), default=None)

    return source


def _top(scores: Scores) -> float:
    return float(scores.max(initial=0.0)) or 1.0


def _beside(index: Incidence, offset: int) -> Callable[[int], TurnId]:
    return lambda place: index.turns[place + offset]


def _neighbours(
    index: Incidence, matched: Scores, settings: Settings
) -> Iterator[tuple[str, int, Scores]]:
    near, far, earlier = (
        settings.neighbour_weight,
        settings.neighbour_weight_2,
        settings.earlier_factor,
    )
    answering = np.where(index.asks, matched * settings.answer_factor, matched)
    for name, offset, weight, scores in (
        ("before", -1, near * earlier, answering),
        ("after", 1, near, matched),
        ("before_2", -2, far * earlier, matched),
        ("after_2", 2, far, matched),
    ):
        if weight:
            yield name, offset, weight * index.shifted(scores, offset)


def _session(index: Incidence, asked: Asked, settings: Settings) -> Channel:
    found = np.zeros(len(index.sessions))
    for n in asked.columns:
        places, weights = index.by_session.column(n)
        found[places] += weights
    amounts = (settings.session_weight / _top(found)) * found

    def source(place: int) -> Anchor:
        return Anchor(AnchorKind.SESSION, f"D{index.turns[place].session}")

    return (everywhere("session", amounts[index.session], source),)


def _speaker(index: Incidence, asked: Asked, settings: Settings) -> Channel:
    return tuple(
        contribution(
            "speaker",
            index.speakers[name],
            np.full(len(index.speakers[name]), settings.speaker_weight),
            owed_to(Anchor(AnchorKind.SPEAKER, name.casefold())),
        )
        for name in asked.speakers
        if name in index.speakers
    )


def _told(index: Incidence, found: Channel, settings: Settings) -> Channel:
    reached = total(len(index.turns), found) > 0  # no weight is negative
    (places,) = (reached & index.tells).nonzero()
    amounts = np.full(len(places), settings.told_weight)
    return (contribution("told", places, amounts, lambda place: index.turns[place]),)


# ---------------------------------------------------------------- co-occurrence


def co_occurrence(
    index: Incidence, asked: Asked, settings: Settings, lead: Places
) -> tuple[Channel, int]:
    """Return C(t), and how many turns share a key but lie in a session of the leading turns.

    C(t) = n(sum of idf / sqrt(size) over the question's rarest keys) + speaker_weight [named],
    for turns of other sessions than those of `lead`, the places of the core's best turns.
    """
    if not settings.co_occurrence:
        return (), 0
    keys = asked.columns[: settings.rare_keys]
    leads = np.zeros(len(index.sessions), dtype=np.bool_)
    leads[index.session[lead]] = True
    elsewhere = ~leads[index.session]
    found = _joined(index, keys, elsewhere)
    shared = np.zeros(len(index.turns), dtype=np.bool_)
    for n in keys:
        shared[index.by_turn.column(n)[0]] = True
    named = tuple(_within(part, shared & elsewhere) for part in _speaker(index, asked, settings))
    return (*found, *named), int(np.count_nonzero(shared & ~elsewhere))


def hop(index: Incidence, asked: Asked, settings: Settings, lead: Places) -> Channel:
    """Return what one hop reaches: turns that share a rare entity with one of the leading turns.

    The sum of idf / sqrt(size), divided by its maximum, times hop_weight.
    """
    if not settings.co_occurrence or not settings.hop_turns:
        return ()
    starts = lead[: settings.hop_turns]
    held = {n for start in starts.tolist() for n in index.keys(start).tolist()}
    keys = tuple(
        n
        for n in sorted(held)
        if index.anchors[n].kind is AnchorKind.ENTITY
        and 2 <= index.df[n] <= settings.hop_members
        and n not in asked.columns
    )
    away = np.ones(len(index.turns), dtype=np.bool_)
    away[starts] = False
    return _joined(index, keys, away, settings.hop_weight)


def _joined(index: Incidence, keys: tuple[int, ...], where: Mask, weight: float = 1.0) -> Channel:
    columns = []
    found = np.zeros(len(index.turns))
    for n in keys:
        places = index.by_turn.column(n)[0]
        places = places[where[places]]
        amount = index.idf(n) / float(np.sqrt(index.df[n]))
        found[places] += amount
        columns.append((n, places, amount))
    top = _top(found)
    return tuple(
        contribution(
            "key", places, np.full(len(places), weight * amount / top), owed_to(index.anchors[n])
        )
        for n, places, amount in columns
    )


def _within(part: Contribution, where: Mask) -> Contribution:
    inside = where[part.places]
    return Contribution(part.name, part.places[inside], part.millionths[inside], part.source)


# ---------------------------------------------------------------- temporal


def temporal(index: Incidence, asked: Asked, settings: Settings, core: Channel) -> Channel:
    """Return D(t): the terms of E(t), for turns that fit the question's time.

    A question with a date range takes the turns that meet it, a question that asks when the turns
    that name a time: those to which the core gives the term of it. They come to the list by a
    share of their own, however weak the rest of their score.
    """
    if not settings.temporal:
        return ()
    fitting = [part.places for part in core if part.name in ("date", "time")]
    if not fitting:
        return ()
    fit = np.zeros(len(index.turns), dtype=np.bool_)
    fit[fitting[0]] = True
    return tuple(_within(part, fit) for part in core)


def _time(index: Incidence, asked: Asked, settings: Settings) -> Channel:
    """The turns that name a time, where the question asks when and names none itself."""
    if asked.interval is not None or asked.kind is not QuestionType.WHEN:
        return ()
    named, starts = index.dates.named, index.dates.named_at
    amounts = np.full(len(named), settings.time_weight)

    def source(place: int) -> Anchor:
        return _day(float(starts[np.searchsorted(named, place)]))

    return (contribution("time", named, amounts, source),)


def _date(index: Incidence, asked: Asked, settings: Settings) -> Channel:
    """The fit of each turn with the question's date range.

    It is 1 where the time of the talk or a time spoken of meets the range, and half where it
    meets the days of slack after it.
    """
    if asked.interval is None:
        return ()
    fit, at = date_fit(index, asked.interval, settings.date_slack_days)
    places = np.flatnonzero(fit)
    amounts = settings.week_weight * fit[places]
    return (contribution("date", places, amounts, lambda place: _day(float(at[place]))),)


def _day(seconds: float) -> Anchor:
    day = (_EPOCH + timedelta(seconds=seconds)).date()
    return Anchor(AnchorKind.DAY, calendar.key(AnchorKind.DAY, day))


def date_fit(index: Incidence, interval: Interval, slack: int) -> tuple[Scores, Scores]:
    """Return the fit of each turn and the moment, in seconds, that it is owed to."""
    start, end = interval.start.timestamp(), interval.end.timestamp()
    dates = index.dates
    fit = np.zeros(len(index.turns))
    at = np.zeros(len(index.turns))
    for amount, until in ((0.5, end + slack * _DAY), (1.0, end)):
        said = np.flatnonzero((dates.said >= start) & (dates.said < until))
        fit[said], at[said] = amount, dates.said[said]
        met = np.flatnonzero((dates.starts < until) & (dates.ends > start))[::-1]
        fit[dates.places[met]], at[dates.places[met]] = amount, dates.starts[met]
    return fit, at
