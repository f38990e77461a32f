"""A reply as six kinds of flat record, and the reply again from them (app.md 8.1).

The records are what the tables hold and what the JSON export writes; nothing else is stored of a
run, so `reply_of(records_of(reply)) == reply` is the test of both. An event is written where
something changed: a candidate that a stage passes on as it came leaves no row there.
One JSON text a run was turned down: counts, facets and ledgers are then not SQL.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, cast

from memcore.errors import StoreError
from memcore.settings import Settings, changed, preset_of
from memcore.types import (
    Anchor,
    AnchorKind,
    Answer,
    Beat,
    BridgeCandidate,
    Candidate,
    Context,
    Cue,
    Drop,
    EdgeKind,
    EntryId,
    Gap,
    GraphEdge,
    GraphPath,
    Interval,
    Item,
    Placement,
    Premise,
    Query,
    Reason,
    Reply,
    Rest,
    Sentence,
    Span,
    SpanPart,
    Step,
    Term,
    Trace,
    TurnId,
    Usage,
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


# ---------------------------------------------------------------- reply to records


def records_of(reply: Reply, dialogue: int, meta: RunMeta, run: int = 0) -> Records:
    """Return the records of a reply.

    Raises:
        StoreError: if a step breaks the law that given + entered = kept + dropped.
    """
    given: tuple[Candidate, ...] = ()
    stages: list[StageRecord] = []
    events: list[EventRecord] = []
    terms: list[TermRecord] = []
    links: list[LinkRecord] = []
    for seq, step in enumerate(reply.trace.steps, 1):
        if step.given != given:
            msg = f"stage {step.name}: what it was given is not what the stage before kept"
            raise StoreError(msg)
        stages.append(_stage(seq, step))
        for event, candidate in _events(seq, step):
            events.append(event)
            terms.extend(_terms(event, candidate))
        links.extend(_links(seq, step))
        given = step.kept
    events.extend(_ends(len(stages) + 1, reply))
    spans = (*_spans(reply.context), *_sentences(reply))
    return Records(
        _run(reply, dialogue, meta, run),
        tuple(stages),
        _final(events),
        tuple(terms),
        tuple(links),
        spans,
    )


def _run(reply: Reply, dialogue: int, meta: RunMeta, run: int) -> RunRecord:
    trace, context, answer = reply.trace, reply.context, reply.answer or Answer("")
    settings = trace.settings
    return RunRecord(
        id=run,
        kind=meta.kind,
        parent=meta.parent,
        dialogue=dialogue,
        name=meta.name,
        pinned=False,
        created_at=meta.created_at,
        question=trace.question,
        retriever=trace.retriever,
        preset=meta.preset or preset_of(settings),
        settings=settings,
        changed=tuple(f"{name}={value}" for name, _, value in changed(settings)),
        fingerprint=trace.fingerprint,
        memory=meta.memory,
        code=meta.code,
        as_of=trace.as_of,
        query=trace.query,
        cues=trace.cues,
        outcome=outcome(reply),
        warnings=reply.warnings,
        trouble=reply.trouble,
        milliseconds=reply.milliseconds,
        packet=context.text,
        tokens=context.tokens,
        overhead=context.overhead,
        token_limit=context.limit,
        tokenizer=context.tokenizer,
        counted=context.counted,
        answered=reply.answer is not None,
        answer=answer.text,
        citations=answer.citations,
        absent=answer.absent,
        refused=answer.refused,
        reader=answer.reader,
        calls=answer.usage.calls,
        prompt_tokens=answer.usage.prompt_tokens,
        answer_tokens=answer.usage.answer_tokens,
        prompt=answer.prompt,
        raw=answer.raw,
        premise=context.premise,
    )


def outcome(reply: Reply) -> str:
    """Return in one word how a run ended: answered, refused, failed (the reader) or retrieved."""
    if reply.answer is not None:
        return "refused" if reply.answer.refused else "answered"
    return "failed" if Warning.READER_FAILED in reply.warnings else "retrieved"


def _stage(seq: int, step: Step) -> StageRecord:
    return StageRecord(
        seq=seq,
        beat=step.beat,
        name=step.name,
        used=step.used,
        given=len(step.given),
        entered=len(step.entered),
        kept=len(step.kept),
        dropped=len(step.dropped),
        final=step.final,
        note=step.note,
        rest=step.rest,
    )


def _events(seq: int, step: Step) -> Iterable[tuple[EventRecord, Candidate | None]]:
    """Yield the events of a step in order, each with the candidate whose terms belong to it."""
    n = 0
    for rank, c in enumerate(step.entered, 1):
        n += 1
        yield _scored(seq, n, "entered", rank, c), c
    for drop in step.dropped:
        n += 1
        yield _left(seq, n, drop), None
    for kind, rank, c in _changes(step):
        n += 1
        yield _scored(seq, n, kind, rank, c), c if kind == "scored" else None


def _scored(seq: int, n: int, kind: str, rank: int, c: Candidate) -> EventRecord:
    moved = kind == "moved"
    placements = () if moved else c.placements
    value = None if moved else c.score
    return EventRecord(
        seq, n, kind, c.item, c.channel, value=value, rank=rank, placements=placements
    )


def _left(seq: int, n: int, drop: Drop) -> EventRecord:
    return EventRecord(
        seq,
        n,
        "left",
        drop.item,
        drop.channel,
        reason=drop.reason,
        value=drop.value,
        limit=drop.limit,
        margin=drop.margin,
        unit=UNITS.get(drop.reason, ""),
        other=drop.other,
    )


def _changes(step: Step) -> Iterable[tuple[str, int, Candidate]]:
    """Yield (kind, rank, candidate) of each kept one that is not as it came, where it came."""
    stayed = _stayed(step)
    places = _places(stayed)
    for rank, c in enumerate(step.kept):
        queue = places[c.channel, c.item]
        if not queue:
            msg = f"stage {step.name}: {c.item} was kept but never came"
            raise StoreError(msg)
        place, several = queue.pop(0)
        if stayed[place] != c:
            yield "scored", rank + 1, c
        elif place != rank or several:
            yield "moved", rank + 1, c
    if any(places.values()):
        msg = f"stage {step.name}: a candidate that came is neither kept nor dropped"
        raise StoreError(msg)


def _stayed(step: Step) -> list[Candidate]:
    """Return given + entered without the dropped, in that order (of equal keys the first stay)."""
    gone = Counter((d.channel, d.item) for d in step.dropped)
    stayed: list[Candidate] = []
    for c in reversed((*step.given, *step.entered)):
        if gone[c.channel, c.item]:
            gone[c.channel, c.item] -= 1
        else:
            stayed.append(c)
    if any(gone.values()):
        msg = f"stage {step.name}: an item was dropped that never came"
        raise StoreError(msg)
    return stayed[::-1]


_Places = dict[tuple[str, Item], list[tuple[int, bool]]]


def _places(stayed: Sequence[Candidate]) -> _Places:
    """Return for each channel and item its places, each with whether there are several."""
    found: defaultdict[tuple[str, Item], list[int]] = defaultdict(list)
    for place, c in enumerate(stayed):
        found[c.channel, c.item].append(place)
    pairs = {key: [(p, len(places) > 1) for p in places] for key, places in found.items()}
    return defaultdict(list, pairs)


def _terms(event: EventRecord, c: Candidate | None) -> Iterable[TermRecord]:
    for n, term in enumerate(c.terms if c else (), 1):
        anchor = term.source if isinstance(term.source, Anchor) else None
        yield TermRecord(
            event.seq,
            event.n,
            n,
            event.item,
            event.via,
            term.name,
            term.amount,
            anchor.kind if anchor else None,
            anchor.key if anchor else None,
            None if isinstance(term.source, Anchor) else term.source,
        )


def _ends(seq: int, reply: Reply) -> Iterable[EventRecord]:
    cited = set(reply.answer.citations) if reply.answer else set()
    for n, c in enumerate(reply.trace.candidates, 1):
        reason = Reason.CITED if c.item in cited else Reason.PACKED_UNCITED
        yield EventRecord(
            seq, n, "ended", c.item, c.channel, reason if reply.answer else None, rank=n
        )


def _final(events: Sequence[EventRecord]) -> tuple[EventRecord, ...]:
    """Mark the one event after which an item never returns."""
    last = {event.item: place for place, event in enumerate(events) if event.kind == "left"}
    last.update((e.item, place) for place, e in enumerate(events) if e.kind == "ended")
    finals = set(last.values())
    return tuple(replace(e, final=place in finals) for place, e in enumerate(events))


def _links(seq: int, step: Step) -> Iterable[LinkRecord]:
    for n, e in enumerate(step.edges, 1):
        yield LinkRecord(
            seq,
            n,
            "edge",
            source=e.source,
            target=e.target,
            name=e.kind.value,
            hours=e.hours,
            score=e.score,
            shared=e.shared,
        )
    for n, path in enumerate(step.paths, 1):
        yield LinkRecord(seq, n, "path", hours=path.hours)
        for position, entry in enumerate(path.entries, 1):
            yield LinkRecord(seq, n, "hop", position, source=entry)
    for n, gap in enumerate(step.gaps, 1):
        yield LinkRecord(
            seq,
            n,
            "gap",
            source=gap.older,
            target=gap.newer,
            hours=gap.hours,
            reason=gap.reason,
            bridge=gap.bridge,
            shared=gap.query,
        )
        for position, c in enumerate(gap.candidates, 1):
            yield LinkRecord(
                seq, n, "bridge", position, source=c.item, score=c.cosine, reason=c.reason
            )


def _spans(context: Context) -> Iterable[SpanRecord]:
    for n, s in enumerate(context.spans, 1):
        yield SpanRecord(
            n=n,
            part=s.part.value,
            start=s.start,
            end=s.end,
            tokens=s.tokens,
            item=s.item,
            label=s.label,
            speaker=s.speaker,
            said_at=s.said_at,
            times=s.times,
            sources=s.sources,
            rank=s.rank,
        )


def _sentences(reply: Reply) -> Iterable[SpanRecord]:
    first = len(reply.context.spans) + 1
    for n, s in enumerate(reply.answer.sentences if reply.answer else (), first):
        yield SpanRecord(n=n, part=SENTENCE, text=s.text, cited=s.citations)


# ---------------------------------------------------------------- records to reply


def reply_of(records: Records) -> Reply:
    """Return the reply that the records were made of."""
    run = records.run
    trace = Trace(
        run.query,
        run.retriever,
        run.settings,
        run.fingerprint,
        run.as_of,
        run.cues,
        _steps(records),
    )
    context = Context(
        run.packet,
        tuple(_span(s) for s in records.span if s.part != SENTENCE),
        run.tokens,
        run.overhead,
        run.token_limit,
        run.tokenizer,
        run.counted,
        run.premise,
        run.query.asked_at,
    )
    answer = _answer(records) if run.answered else None
    return Reply(trace, context, answer, run.warnings, run.milliseconds, run.trouble)


def _answer(records: Records) -> Answer:
    run = records.run
    return Answer(
        run.answer,
        run.citations,
        tuple(Sentence(s.text, s.cited) for s in records.span if s.part == SENTENCE),
        run.absent,
        run.refused,
        Usage(run.calls, run.prompt_tokens, run.answer_tokens),
        run.prompt,
        run.raw,
        run.reader,
    )


def _span(s: SpanRecord) -> Span:
    return Span(
        SpanPart(s.part),
        s.start,
        s.end,
        s.tokens,
        s.item,
        s.label,
        s.speaker,
        s.said_at,
        s.times,
        s.sources,
        s.rank,
    )


def _steps(records: Records) -> tuple[Step, ...]:
    terms: defaultdict[tuple[int, int], list[Term]] = defaultdict(list)
    for t in records.term:
        source = Anchor(t.anchor_kind, t.anchor or "") if t.anchor_kind else t.source
        terms[t.seq, t.event].append(Term(t.name, t.amount, source))
    events: defaultdict[int, list[tuple[EventRecord, Candidate]]] = defaultdict(list)
    for e in records.event:
        c = Candidate(e.item, e.value or 0.0, tuple(terms[e.seq, e.n]), e.via, e.placements)
        events[e.seq].append((e, c))
    links: defaultdict[int, list[LinkRecord]] = defaultdict(list)
    for link in records.link:
        links[link.seq].append(link)
    steps: list[Step] = []
    given: tuple[Candidate, ...] = ()
    for stage in records.stage:
        step = _step(stage, given, events[stage.seq], links[stage.seq])
        steps.append(step)
        given = step.kept
    return tuple(steps)


def _step(
    stage: StageRecord,
    given: tuple[Candidate, ...],
    events: Sequence[tuple[EventRecord, Candidate]],
    links: Sequence[LinkRecord],
) -> Step:
    came = Step(
        stage.name,
        stage.beat,
        given=given,
        entered=tuple(c for e, c in events if e.kind == "entered"),
        dropped=tuple(_drop(e) for e, _ in events if e.kind == "left"),
    )
    return Step(
        stage.name,
        stage.beat,
        given,
        came.entered,
        _kept(came, events),
        came.dropped,
        tuple(_edge(link) for link in links if link.kind == "edge"),
        _paths(links),
        _gaps(links),
        stage.rest,
        stage.used,
        stage.final,
        stage.note,
    )


def _drop(e: EventRecord) -> Drop:
    reason = cast("Reason", e.reason)
    return Drop(e.item, reason, e.value, e.limit, e.via, e.other)


def _kept(came: Step, events: Sequence[tuple[EventRecord, Candidate]]) -> tuple[Candidate, ...]:
    """Put each changed candidate at its rank; all others stay where they came."""
    stayed = _stayed(came)
    places = _places(stayed)
    kept = list(stayed)
    for e, c in events:
        if e.kind in ("scored", "moved"):
            place, _ = places[e.via, e.item].pop(0)
            kept[cast("int", e.rank) - 1] = c if e.kind == "scored" else stayed[place]
    return tuple(kept)


def _edge(link: LinkRecord) -> GraphEdge:
    source, target = cast("Item", link.source), cast("Item", link.target)
    return GraphEdge(source, target, EdgeKind(link.name), link.shared, link.hours, link.score)


def _paths(links: Sequence[LinkRecord]) -> tuple[GraphPath, ...]:
    hops: defaultdict[int, list[EntryId]] = defaultdict(list)
    for link in links:
        if link.kind == "hop":
            hops[link.n].append(cast("EntryId", link.source))
    return tuple(GraphPath(tuple(hops[p.n]), p.hours) for p in links if p.kind == "path")


def _gaps(links: Sequence[LinkRecord]) -> tuple[Gap, ...]:
    tried: defaultdict[int, list[BridgeCandidate]] = defaultdict(list)
    for c in links:
        if c.kind == "bridge":
            item, cosine = cast("EntryId", c.source), cast("float", c.score)
            tried[c.n].append(BridgeCandidate(item, cosine, c.reason))
    return tuple(
        Gap(
            cast("EntryId", g.source),
            cast("EntryId", g.target),
            g.hours,
            g.shared,
            cast("EntryId | None", g.bridge),
            g.reason,
            tuple(tried[g.n]),
        )
        for g in links
        if g.kind == "gap"
    )
