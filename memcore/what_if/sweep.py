"""A sweep: one setting over its range, for one run or for all questions with known evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from memcore.errors import SettingsError
from memcore.settings import Settings
from memcore.types import Memory, Reply, TurnId
from memcore.what_if.recompute import Desk, what_if

SHARES = ("core_share", "co_occurrence_share", "temporal_share")
"""Settings that cannot move alone: they add up to 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a sweep: its run at the desk, and the turns known to hold the answer."""

    desk: Desk
    gold: tuple[TurnId, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the setting: gold turns in the packets, of how many, and tokens in all."""

    value: float | bool
    found: int
    gold: int
    tokens: int
    questions: int


@dataclass(frozen=True, slots=True)
class Swept:
    """The points so far, and how many retrievals of how many are done."""

    setting: str
    points: tuple[Point, ...]
    done: int
    total: int


def can_sweep(name: str) -> bool:
    """Whether a setting can take other values while all others stay."""
    return name not in SHARES


def values(name: str, settings: Settings) -> tuple[float | bool, ...]:
    """Return the values of a sweep: both of a switch, tenths of a share, else around the present.

    >>> values("turn_budget", Settings())
    (5, 10, 15, 20, 25, 30, 40, 60, 80)
    >>> values("path_limit", Settings())
    (2, 5, 7, 10, 12, 15, 20, 30, 40)
    """
    field = next(f for f in fields(Settings) if f.name == name)
    now = getattr(settings, name)
    if isinstance(now, bool):
        return (False, True)
    low, high = field.metadata["low"], field.metadata["high"]
    if high == 1 and low == 0:
        return tuple(sorted({round(n / 10, 6) for n in range(11)} | {float(now)}))
    base = now or 1
    spread = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4)
    wanted = {base * share for share in spread} | {now} | ({0} if not now else set())
    kept = (w for w in wanted if (low is None or w >= low) and (high is None or w <= high))
    if field.type == "int":
        return tuple(sorted({int(w) for w in kept}))
    return tuple(sorted({round(float(w), 6) for w in kept}))


def sweep(name: str, asked: Sequence[Asked]) -> Iterator[Swept]:
    """Yield the sweep after each retrieval; the last one is whole.

    Raises:
        MemcoreError: if a value is refused, or a part broke its promise.
    """
    if not asked or not can_sweep(name):
        msg = f"{name} cannot be swept; choose a setting that can change alone, and a question"
        raise SettingsError(msg)
    wanted = values(name, asked[0].desk.reply.trace.settings)
    total = len(wanted) * len(asked)
    points: list[Point] = []
    done = 0
    for value in wanted:
        found = gold = tokens = 0
        for one in asked:
            reply = _at(one.desk, name, value)
            found += held(one.desk.memory, reply, one.gold)
            gold += len(one.gold)
            tokens += reply.context.tokens
            done += 1
            yield Swept(name, tuple(points), done, total)
        points.append(Point(value, found, gold, tokens, len(asked)))
    yield Swept(name, tuple(points), done, total)


def _at(desk: Desk, name: str, value: float | bool) -> Reply:
    settings: Settings = replace(desk.reply.trace.settings, **{name: value})  # type: ignore[arg-type]  # the field's own kind
    return what_if(desk, settings).reply


def held(memory: Memory, reply: Reply, gold: Sequence[TurnId]) -> int:
    """Return how many gold turns a packet holds; a fact holds its source turns."""
    sources = {e.id: e.source_turns for e in memory.evolution.entries}
    inside: set[TurnId] = set()
    for item in reply.context.items:
        inside.update((item,) if isinstance(item, TurnId) else sources.get(item, ()))
    return len(inside.intersection(gold))


def flats(points: Sequence[Point]) -> tuple[tuple[Point, Point], ...]:
    """Return the stretches of three points or more over which the gold found does not change."""
    runs: list[list[Point]] = [[points[0]]] if points else []
    for before, after in pairwise(points):
        if after.found == before.found:
            runs[-1].append(after)
        else:
            runs.append([after])
    return tuple((run[0], run[-1]) for run in runs if len(run) >= 3)
