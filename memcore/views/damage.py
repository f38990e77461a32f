"""What is missing in the stored records of a run, by kind.

The records check each other: stages count their events, terms sum to scores, spans to the packet.
A kind that none of the others counts (links) cannot be missed here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import fsum

from memcore.store.recalling import reply_of
from memcore.store.records import SENTENCE, Records
from memcore.types import Reply


def missing(records: Records) -> tuple[str, ...]:
    """Return the kinds of record of which some are gone: stage, event, term, span."""
    found = {
        "stage": not records.stage or not _in_row(records),
        "event": not _counted(records),
        "term": not _summed(records),
        "span": not _packed(records),
    }
    return tuple(kind for kind, gone in found.items() if gone)


def _in_row(records: Records) -> bool:
    return [s.seq for s in records.stage] == list(range(1, len(records.stage) + 1))


def _counted(records: Records) -> bool:
    came: defaultdict[tuple[int, str], int] = defaultdict(int)
    for event in records.event:
        came[event.seq, event.kind] += 1
    return all(
        s.entered == came[s.seq, "entered"] and s.dropped == came[s.seq, "left"]
        for s in records.stage
    )


def _summed(records: Records) -> bool:
    sums: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for term in records.term:
        sums[term.seq, term.event].append(term.amount)
    values = {(e.seq, e.n): e.value for e in records.event}
    return all(values.get(key) == round(fsum(amounts), 6) for key, amounts in sums.items())


def _packed(records: Records) -> bool:
    spans = (s.tokens for s in records.span if s.part != SENTENCE)
    return sum(spans) + records.run.overhead == records.run.tokens


def rest_of(records: Records) -> Reply:
    """Return what still shows of a damaged run: question, packet and answer, without stages."""
    return reply_of(replace(records, stage=(), event=(), term=(), link=()))
