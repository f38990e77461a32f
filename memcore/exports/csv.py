"""Tables for spreadsheets: UTF-8 with a byte order mark, and no cell that is run as a formula.

What a file says of itself stands below the table, in rows that begin with `#`: above it, no
program would find the column names.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from memcore.exports.choice import About
from memcore.store.records import EventRecord, Records
from memcore.types import Memory

BOM: Final = "\ufeff"
_RUN_BY_SPREADSHEETS: Final = ("=", "+", "-", "@", "\t", "\r")
_LEDGER: Final = (
    *("seq", "beat", "stage", "n", "kind", "item", "channel", "rank", "value", "limit"),
    *("margin", "unit", "reason", "other", "final", "terms"),
)


def ledger(records: Records, about: Sequence[About] = ()) -> str:
    """Return every event of a run, in order, with the terms of its score."""
    stages = {s.seq: s for s in records.stage}
    terms: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for t in records.term:
        source = f" {t.anchor_kind}:{t.anchor}" if t.anchor_kind else f" {t.source or ''}".rstrip()
        terms[t.seq, t.event].append(f"{t.name}{source} {t.amount:g}")

    def row(e: EventRecord) -> Sequence[object]:
        stage = stages.get(e.seq)
        place = (stage.beat.value, stage.name) if stage else (6, "answer")
        numbers = (e.rank, e.value, e.limit, e.margin, e.unit)
        why = (e.reason, e.other, int(e.final), "; ".join(terms[e.seq, e.n]))
        return (e.seq, *place, e.n, e.kind, e.item, e.via, *numbers, *why)

    return table(_LEDGER, (row(e) for e in records.event), about)


def facts(memory: Memory, about: Sequence[About] = ()) -> str:
    """Return the entries of the evolution graph, with what became of each."""
    names = ("id", "restatement", "sources", "time", "modality", "action", "target", "change")
    decided = {d.entry: d for d in memory.evolution.decisions}
    every = sorted((*memory.evolution.entries, *memory.evolution.merged), key=lambda e: e.id)

    def rows() -> Iterable[Sequence[object]]:
        for e in every:
            d = decided.get(e.id)
            fate = (d.action, d.target, d.change) if d else ("", "", "")
            sources = " ".join(map(str, e.source_turns))
            moment = e.moment.isoformat() if e.moment else ""
            yield (e.id, e.restatement, sources, moment, e.modality, *fate)

    return table(names, rows(), about)


def anchors(memory: Memory, about: Sequence[About] = ()) -> str:
    """Return the hyperedges with their member turns."""
    rows = (
        (h.id, h.anchor.kind, h.anchor.key, h.label, len(h.members), " ".join(map(str, h.members)))
        for h in memory.hypergraph.hyperedges
    )
    return table(("id", "kind", "key", "label", "turns", "members"), rows, about)


def table(
    names: Sequence[str], rows: Iterable[Sequence[object]], about: Sequence[About] = ()
) -> str:
    """Return rows as CSV text that begins with a byte order mark.

    >>> table(("a", "b"), [("=1+1", -2.5)]).split()
    ['﻿a,b', "'=1+1,-2.5"]
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([_cell(value) for value in row] for row in rows)
    writer.writerows([f"# {a.name}", _cell(a.value)] for a in about)
    return BOM + out.getvalue()


def _cell(value: object) -> str:
    """Return the text of a cell; what a spreadsheet would run gets an apostrophe in front."""
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, int | float) or not text.startswith(_RUN_BY_SPREADSHEETS):
        return text
    return f"'{text}"
