"""The six kinds of flat record that a run is stored as (app.md 8.1).

The records are what the tables hold and what the JSON export writes; nothing else is stored of a
run. `recording` makes them of a reply, `recalling` the reply of them. An event is written where
something changed: a candidate that a stage passes on as it came leaves no row there.
One JSON text a run was turned down: counts, facets and ledgers are then not SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memcore.settings import Settings
from memcore.types import (
    AnchorKind,
    Beat,
    Cue,
    Interval,
    Item,
    Placement,
    Premise,
    Query,
    Reason,
    Rest,
    TurnId,
    Warning,
)

UNITS: Final[Mapping[Reason, str]] = {
    Reason.GATED: "similarity",
    Reason.MERGED: "similarity",
    Reason.KEY_TOO_COMMON: "share",
    Reason.BELOW_TOP_K: "rank",
    Reason.BELOW_FLOOR: "score",
    Reason.OUTSIDE_RANGE: "days",
    Reason.GAP_TOO_SHORT: "hours",
    Reason.GAP_TOO_LONG: "hours",
    Reason.NOT_BEST: "cosine",
    Reason.PATH_TOO_LONG: "nodes",
    Reason.PATH_CAP: "rank",
    Reason.OVER_NODE_BUDGET: "nodes",
    Reason.OVER_SHARE: "turns",
    Reason.OVER_TURN_BUDGET: "turns",
    Reason.OVER_TOKEN_BUDGET: "tokens",
}
"""The unit of a drop's value and limit; a reason that is not here has neither."""


@dataclass(frozen=True, slots=True)
class RunMeta:
    """What is known of a run beside its reply; `memory` is the fingerprint of the memory."""

    kind: str = "ask"
    preset: str = ""
    parent: int | None = None
    name: str = ""
    memory: str = ""
    code: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: question, settings, fingerprints, packet and answer, without their parts."""

    id: int
    kind: str
    parent: int | None
    dialogue: int
    name: str
    pinned: bool
    created_at: datetime | None
    question: str
    retriever: str
    preset: str
    settings: Settings
    changed: tuple[str, ...]
    fingerprint: str
    memory: str
    code: str
    as_of: int | None
    query: Query
    cues: tuple[Cue, ...]
    outcome: str
    warnings: tuple[Warning, ...]
    trouble: str
    milliseconds: tuple[float, ...]
    packet: str
    tokens: int
    overhead: int
    token_limit: int
    tokenizer: str
    counted: bool
    answered: bool
    answer: str
    citations: tuple[Item, ...]
    absent: tuple[str, ...]
    refused: bool
    reader: str
    calls: int
    prompt_tokens: int
    answer_tokens: int
    prompt: str
    raw: str
    premise: Premise | None = None


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One step on the strip; `given`, `entered`, `kept` and `dropped` are counts."""

    seq: int
    beat: Beat
    name: str
    used: bool
    given: int
    entered: int
    kept: int
    dropped: int
    final: bool
    note: str
    rest: tuple[Rest, ...]


@dataclass(frozen=True, slots=True)
class EventRecord:
    """What befell one item in one stage.

    Kinds: entered, scored (a new score or terms), moved (a new rank), left, ended. `value` is the
    score, or the drop's own number; `final` marks the event after which the item never returns.
    """

    seq: int
    n: int
    kind: str
    item: Item
    via: str
    reason: Reason | None = None
    value: float | None = None
    limit: float | None = None
    margin: float | None = None
    unit: str = ""
    rank: int | None = None
    other: Item | None = None
    final: bool = False
    placements: tuple[Placement, ...] = ()


@dataclass(frozen=True, slots=True)
class TermRecord:
    """One summand of the score of an event; `event` is that event's number in its stage."""

    seq: int
    event: int
    n: int
    item: Item
    channel: str
    name: str
    amount: float
    anchor_kind: AnchorKind | None = None
    anchor: str | None = None
    source: Item | None = None


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """One line of a question's graph: edge, path and its hops, gap and the bridges tried for it."""

    seq: int
    n: int
    kind: str
    position: int = 0
    source: Item | None = None
    target: Item | None = None
    name: str = ""
    hours: float | None = None
    score: float | None = None
    reason: Reason | None = None
    bridge: Item | None = None
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """One stretch of the packet, or one sentence of the answer with what it cites."""

    n: int
    part: str
    start: int = 0
    end: int = 0
    tokens: int = 0
    item: Item | None = None
    label: str = ""
    speaker: str = ""
    said_at: datetime | None = None
    times: tuple[Interval, ...] = ()
    sources: tuple[TurnId, ...] = ()
    text: str = ""
    cited: tuple[Item, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Records:
    """All that is stored of one run."""

    run: RunRecord
    stage: tuple[StageRecord, ...]
    event: tuple[EventRecord, ...]
    term: tuple[TermRecord, ...]
    link: tuple[LinkRecord, ...]
    span: tuple[SpanRecord, ...]


SENTENCE: Final = "sentence"
