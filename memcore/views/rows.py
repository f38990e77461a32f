"""Tables: each row carries the id that a click on it selects.

Rows are plain values; a page hands them to a dataframe as they are, so the very rows that were
drawn map a clicked position back to an id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from memcore.types import (
    Anchor,
    Candidate,
    Drop,
    Gap,
    GraphEdge,
    Item,
    Memory,
    Reply,
    Step,
    Turn,
    TurnId,
)
from memcore.views.life import Life, lives, turns_of
from memcore.views.strings import say, term_words
from memcore.views.theme import ANCHOR_MARKS


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One candidate in one channel: the ledger of app.md 5.4."""

    id: str
    gold: str
    words: str
    entered: str
    score: float
    terms: str
    rank: int
    left: str
    reason: str
    margin: str


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """One summand of a score with the running total."""

    term: str
    source: str
    amount: float
    total: float
    words: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of one item in one channel; `rows` is empty where the score is not a sum."""

    channel: str
    score: float
    rank: int
    rows: tuple[ReceiptRow, ...]
    note: str


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One item of the packet in the order sent."""

    id: str
    gold: str
    label: str
    words: str
    tokens: int
    running: int
    cited: str


def texts(memory: Memory) -> Mapping[str, str]:
    """Return the words behind each id: turns as `Speaker: text`, facts as their sentence."""
    found = {str(t.id): f"{t.speaker}: {t.content}" for t in memory.conversation.turns}
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    return found | {str(e.id): e.restatement for e in entries}


def ledger(
    memory: Memory, reply: Reply, gold: tuple[TurnId, ...] = (), language: str = ""
) -> tuple[LedgerRow, ...]:
    """Return every candidate that entered, then the gold turns that never did."""
    words, found = texts(memory), lives(reply)
    golden = golden_items(memory, gold)
    rows = [_row(life, words, golden, language) for life in found]
    reached = turns_of(memory, tuple(life.item for life in found))
    missing = [t for t in gold if t not in reached]
    return (*rows, *(_never(t, memory, words, language) for t in missing))


def golden_items(memory: Memory, gold: tuple[TurnId, ...]) -> frozenset[Item]:
    """Return the gold turns and the facts that were made from one of them."""
    known = set(gold)
    return frozenset(
        (*gold, *(e.id for e in memory.evolution.entries if known & {*e.source_turns}))
    )


def _row(life: Life, words: Mapping[str, str], golden: frozenset[Item], language: str) -> LedgerRow:
    return LedgerRow(
        id=str(life.item),
        gold="★" if life.item in golden else "",
        words=words.get(str(life.item), ""),
        entered=say(f"stage.{life.entered}", language),
        score=life.candidate.score,
        terms=_terms(life.candidate, language),
        rank=life.rank,
        left=say(f"stage.{life.left}", language) if life.left else "",
        reason=_reason(life, language),
        margin=margin(life.drop, language) if life.drop else "",
    )


def _reason(life: Life, language: str) -> str:
    if life.drop:
        return say(f"reason.{life.drop.reason}", language)
    if life.cited:
        return say("reason.cited", language)
    return say("reason.packed_uncited" if life.packed else "reason.merged_way", language)


def _never(turn: TurnId, memory: Memory, words: Mapping[str, str], language: str) -> LedgerRow:
    """A gold turn that never entered: its write-time reason if it has one."""
    drop = next((d for d in memory.evolution.dropped if d.item == turn), None)
    reason = drop.reason if drop else "never_reached"
    said = say(f"reason.{reason}", language)
    return LedgerRow(str(turn), "★", words.get(str(turn), ""), "", 0.0, "", 0, "", said, "")


def _terms(candidate: Candidate, language: str) -> str:
    """The terms by name, largest first: `own keys 1.80 + session 0.40`."""
    if not candidate.terms:
        return " · ".join(f"{p.list} #{p.rank}" for p in candidate.placements)
    sums: dict[str, list[float]] = {}
    for term in candidate.terms:
        sums.setdefault(term.name, []).append(term.amount)
    parts = sorted(((-fsum(v), k) for k, v in sums.items()))
    return " + ".join(f"{term_words(name, language)} {-amount:.3f}" for amount, name in parts)


def margin(drop: Drop, language: str = "") -> str:
    """Return how near a dropped item was, in the unit of its reason."""
    if drop.other is not None and drop.margin is None:
        return say("margin.other", language, other=drop.other)
    if drop.margin is None or drop.value is None or drop.limit is None:
        return ""
    return say(
        f"margin.{drop.reason}",
        language,
        value=_number(drop.value),
        limit=_number(drop.limit),
        margin=_number(drop.margin, sign=True),
    )


def _number(value: float, *, sign: bool = False) -> str:
    """Whole numbers without a fraction, others with up to three digits behind the point."""
    shown = f"{value:+.3f}" if sign else f"{value:.3f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def receipts(memory: Memory, reply: Reply, item: str, language: str = "") -> tuple[Receipt, ...]:
    """Return one receipt a channel that scored the item; totals of channels are never added."""
    words = texts(memory)
    found = [life for life in lives(reply) if str(life.item) == item]
    return tuple(_receipt(life, words, language) for life in found)


def _receipt(life: Life, words: Mapping[str, str], language: str) -> Receipt:
    rows: list[ReceiptRow] = []
    amounts: list[float] = []
    for term in life.candidate.terms:
        amounts.append(term.amount)
        rows.append(
            ReceiptRow(
                term_words(term.name, language),
                _source(term.source),
                term.amount,
                round(fsum(amounts), 6),
                words.get(str(term.source), ""),
            )
        )
    note = "" if rows else say("receipt.not_a_sum", language)
    return Receipt(life.channel, life.candidate.score, life.rank, tuple(rows), note)


def _source(source: Anchor | Item | None) -> str:
    if source is None:
        return ""
    return (
        f"{say(f'kind.{source.kind}')} “{source.key}”"
        if isinstance(source, Anchor)
        else str(source)
    )


def packet(memory: Memory, reply: Reply, gold: tuple[TurnId, ...] = ()) -> tuple[PacketRow, ...]:
    """Return the packet's spans in the order sent, with a running sum of tokens."""
    cited = set(reply.answer.citations) if reply.answer else set()
    rows: list[PacketRow] = []
    running = reply.context.overhead
    for span in reply.context.spans:
        running += span.tokens
        golden = bool(set(span.sources) & set(gold))
        rows.append(
            PacketRow(
                str(span.item) if span.item else "",
                "★" if golden else "",
                span.label or span.part,
                reply.context.words(span),
                span.tokens,
                running,
                "✓" if span.item in cited else "",
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One fact looked at for a gap: the ladder of the bridge search."""

    id: str
    gap: str
    words: str
    cosine: float
    outcome: str


def ladder(memory: Memory, gaps: Sequence[Gap], language: str = "") -> tuple[LadderRow, ...]:
    """Return all candidates of the gaps, best first within a gap, winner marked."""
    words = texts(memory)
    rows: list[LadderRow] = []
    for gap in gaps:
        name = f"{gap.older} → {gap.newer}"
        for candidate in gap.candidates:
            outcome = f"reason.{candidate.reason}" if candidate.reason else "bridge.won"
            shown = words.get(str(candidate.item), "")
            said = say(outcome, language)
            rows.append(LadderRow(str(candidate.item), name, shown, candidate.cosine, said))
        if not gap.candidates:
            said = say(f"reason.{gap.reason}" if gap.reason else "bridge.none", language)
            rows.append(LadderRow("", name, "", 0.0, said))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge of the question's graph and why it is there."""

    source: str
    target: str
    kind: str
    why: str


def edges(step: Step, language: str = "") -> tuple[EdgeRow, ...]:
    """Return the edges of a step with their reason in words."""
    return edge_rows(step.edges, language)


def edge_rows(found: Sequence[GraphEdge], language: str = "") -> tuple[EdgeRow, ...]:
    """Return edges with their reason in words."""
    return tuple(
        EdgeRow(
            str(e.source),
            str(e.target),
            say(f"edge.{e.kind}", language),
            ", ".join(e.shared) if e.shared else _hours(e.hours, language),
        )
        for e in found
    )


def _hours(hours: float | None, language: str) -> str:
    return "" if hours is None else say("edge.hours", language, hours=_number(hours))


def turn(memory: Memory, turn_id: TurnId) -> Turn | None:
    """Return the turn of an id, None if the conversation has none such."""
    return next((t for t in memory.conversation.turns if t.id == turn_id), None)


@dataclass(frozen=True, slots=True)
class CueRow:
    """One stretch of the question: its kind and key, and how many anchors and turns answer."""

    cue: str
    kind: str
    key: str
    anchors: str
    turns: int
    note: str


def cues(memory: Memory, reply: Reply, language: str = "") -> tuple[CueRow, ...]:
    """Return the cues of a question, unmatched ones included."""
    edges = {h.id: h for h in memory.hypergraph.hyperedges}
    text = reply.trace.question
    return tuple(
        CueRow(
            text[c.start : c.end],
            f"{ANCHOR_MARKS[c.kind]} {say(f'kind.{c.kind}', language)}",
            c.key,
            " ".join(str(a) for a in c.anchors[:6]) + (" …" if len(c.anchors) > 6 else ""),
            len({t for a in c.anchors if a in edges for t in edges[a].members}),
            say(f"reason.{c.reason}", language) if c.reason else "",
        )
        for c in reply.trace.cues
    )


@dataclass(frozen=True, slots=True)
class StageRow:
    """What one fine stage did, as counts."""

    stage: str
    given: int
    entered: int
    kept: int
    dropped: int


def stage(step: Step, language: str = "") -> StageRow:
    """Return the counts of one stage; what is counted but not listed is entered and dropped."""
    rest = sum(r.count for r in step.rest)
    return StageRow(
        say(f"stage.{step.name}", language),
        len(step.given),
        len(step.entered) + rest,
        len(step.kept),
        len(step.dropped) + rest,
    )


@dataclass(frozen=True, slots=True)
class PathRow:
    """One mined path; its id counts the paths of the run."""

    id: str
    path: str
    facts: int
    hours: float | None


def paths(step: Step) -> tuple[PathRow, ...]:
    """Return the mined paths in their order."""
    return tuple(
        PathRow(f"P{n}", " → ".join(str(e) for e in p.entries), len(p.entries), p.hours)
        for n, p in enumerate(step.paths, 1)
    )
