"""A reply to its records; `recalling.reply_of` makes the reply of them again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memcore.errors import StoreError
from memcore.settings import changed, preset_of
from memcore.store.records import (
    SENTENCE,
    UNITS,
    EventRecord,
    LinkRecord,
    Records,
    RunMeta,
    RunRecord,
    SpanRecord,
    StageRecord,
    TermRecord,
)
from memcore.types import (
    Anchor,
    Answer,
    Candidate,
    Context,
    Drop,
    Item,
    Reason,
    Reply,
    Step,
    Warning,
)


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
    stayed = stayed_in(step)
    places = places_of(stayed)
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


def stayed_in(step: Step) -> list[Candidate]:
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


Places = dict[tuple[str, Item], list[tuple[int, bool]]]


def places_of(stayed: Sequence[Candidate]) -> Places:
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
