"""Records to the reply that they were made of: `reply_of(records_of(reply)) == reply`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import cast

from memcore.store.recording import places_of, stayed_in
from memcore.store.records import (
    SENTENCE,
    EventRecord,
    LinkRecord,
    Records,
    SpanRecord,
    StageRecord,
)
from memcore.types import (
    Anchor,
    Answer,
    BridgeCandidate,
    Candidate,
    Context,
    Drop,
    EdgeKind,
    EntryId,
    Gap,
    GraphEdge,
    GraphPath,
    Item,
    Reason,
    Reply,
    Sentence,
    Span,
    SpanPart,
    Step,
    Term,
    Trace,
    Usage,
)


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
    stayed = stayed_in(came)
    places = places_of(stayed)
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
