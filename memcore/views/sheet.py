"""The score sheet of a run: which rows it has and where each fact stands, whatever the step.

Facts, activated anchors, scores and the dialogue lie on one time axis. All marks of a run are
placed once; a step only changes their ink. `sheet_figure` draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memcore.types import EntryId, Hyperedge, Item, Memory, Reply, TurnId
from memcore.views.axis import Axis, axis
from memcore.views.canvas import NONE, Lit
from memcore.views.strings import say
from memcore.views.theme import Palette

MOST_ROWS = 14
"""Anchor rows shown; the rest is counted in the figure's sentence."""

MOST_TURNS = 400
"""Turns from which the sheet is folded to sessions: a bar is a sum, a dot any member."""

MOST_SPEAKERS = 4
"""Rows of the dialogue strip; further speakers share the last one."""

LANES = 7
"""Lanes of facts; facts joined by stored links share one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the score sheet of one run shows, whatever the step: places and rows."""

    axis: Axis
    anchors: tuple[Hyperedge, ...]
    hidden_anchors: int
    facts: tuple[EntryId, ...]
    lanes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What a viewer chose: the step, the selection, known gold, the colours, the sessions shown."""

    step: int
    palette: Palette
    lit: Lit = NONE
    gold: tuple[TurnId, ...] = ()
    first_session: int = 0
    last_session: int = 10**9


def sheet(memory: Memory, reply: Reply) -> Sheet:
    """Return the fixed layout of a run: activated anchors by contribution, facts in lanes."""
    wanted = {a for cue in reply.trace.cues for a in cue.anchors}
    weights = _contributions(reply)
    active = [h for h in memory.hypergraph.hyperedges if h.id in wanted]
    order = sorted(active, key=lambda h: (-weights.get(str(h.anchor), 0.0), h.id))
    items = _entries(reply)
    facts = tuple(e.id for e in memory.evolution.entries if e.id in items)
    older = {e.newer: e.older for e in reversed(memory.evolution.edges)} if facts else {}
    return Sheet(
        axis(memory.conversation),
        tuple(order[:MOST_ROWS]),
        max(0, len(order) - MOST_ROWS),
        facts,
        tuple(_lane(older, fact) for fact in facts),
    )


def _contributions(reply: Reply) -> dict[str, float]:
    found: dict[str, float] = {}
    entered = (c for step in reply.trace.steps for c in step.entered)
    for term in (t for candidate in entered for t in candidate.terms):
        key = str(term.source)
        found[key] = found.get(key, 0.0) + term.amount
    return found


def _entries(reply: Reply) -> frozenset[EntryId]:
    return frozenset(
        c.item
        for step in reply.trace.steps
        for c in (*step.entered, *step.kept)
        if isinstance(c.item, EntryId)
    )


def _lane(older: Mapping[EntryId, EntryId], fact: EntryId) -> float:
    """Facts joined by stored links share a lane; the lane depends on the memory alone."""
    root = fact
    while root in older:
        root = older[root]
    return float(root.n % LANES)


def is_folded(memory: Memory, look: Look) -> bool:
    """Whether the sessions shown hold more turns than the sheet draws one by one."""
    first, last = look.first_session, look.last_session
    return sum(first <= t.id.session <= last for t in memory.conversation.turns) > MOST_TURNS


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn or fact of the sheet's table: its words, its score, whether it is in play."""

    id: str
    gold: str
    words: str
    score: float
    state: str


def table(memory: Memory, reply: Reply, look: Look) -> tuple[TurnRow, ...]:
    """Return what is in play, gold or selected at a step, in order of the sheet."""
    step = reply.trace.steps[min(look.step, len(reply.trace.steps) - 1)]
    active = {c.item: c.score for c in reversed(step.kept)}
    gold = set(look.gold)
    turns = {t.id: f"{t.speaker}: {t.content}" for t in memory.conversation.turns}
    words: dict[Item, str] = {e.id: e.restatement for e in memory.evolution.entries} | dict(turns)
    shown = [i for i in words if i in active or i in gold or str(i) in look.lit]
    return tuple(
        TurnRow(
            str(item),
            "★" if item in gold else "",
            words[item],
            active.get(item, 0.0),
            say("turn_row.in_play" if item in active else "turn_row.out"),
        )
        for item in shown
    )
