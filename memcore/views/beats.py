"""The six beats in words: the strip of counts, the sentence of each beat, the sheet's sentence.

Sentences are templates filled with recorded counts; no model writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcore.types import Beat, EntryId, Memory, Reason, Reply, Step, Trace, TurnId
from memcore.views import rows
from memcore.views.life import (
    BeatCount,
    Life,
    lives,
    looks_up,
    sources,
    standing,
    stars,
    turns_of,
)
from memcore.views.reading import Link, Row
from memcore.views.rows import margin
from memcore.views.sheet import Look, Sheet
from memcore.views.strings import say

MOST_OFFERS = 6
"""Items of one kind that are offered where nothing is selected."""


@dataclass(frozen=True, slots=True)
class StripRow:
    """One line of the strip, a cell a beat."""

    name: str
    cue: str
    activate: str
    collect: str
    connect: str
    pack: str
    answer: str


def strip(
    reply: Reply, counts: tuple[BeatCount, ...], gold: int, language: str = ""
) -> tuple[StripRow, ...]:
    """Return the strip: what each beat did, its time, and the gold that survived it."""
    did = [_did(reply, c, language) for c in counts]
    times = ["–" if c.milliseconds is None else spent(c.milliseconds) for c in counts]
    lines = [StripRow(say("step.did", language), *did), StripRow(say("step.ms", language), *times)]
    if gold:
        left = [stars(c.gold or 0, gold) for c in counts]
        lines.append(StripRow(say("step.gold", language), *left))
    return tuple(lines)


def spent(milliseconds: float) -> str:
    """Return a time in milliseconds, a tenth only where it matters.

    >>> spent(2.71), spent(1723.3)
    ('2.7', '1,723')
    """
    return f"{milliseconds:,.0f}" if milliseconds >= 10 else f"{milliseconds:.1f}"


def gold_lost(
    memory: Memory, reply: Reply, beat: Beat, gold: tuple[TurnId, ...], language: str = ""
) -> tuple[str, ...]:
    """Return which gold turns left for good in a beat, each with its reason and numbers."""
    beats = {step.name: step.beat for step in reply.trace.steps}
    found, behind = lives(reply), sources(memory)
    packed = turns_of(memory, tuple(life.item for life in found if life.packed))
    lost = {
        turn: life
        for life in found
        if life.drop is not None and beats.get(life.left) is beat
        for turn in ((life.item,) if isinstance(life.item, TurnId) else behind.get(life.item, ()))
        if turn in gold and turn not in packed
    }
    return tuple(_lost(turn, lost[turn], language) for turn in sorted(lost))


def gold_met(reply: Reply, count: BeatCount, gold: int, language: str = "") -> str:
    """Return what the stars of Cue and Activate count; empty for the other beats, or no gold."""
    if count.gold is None or count.beat > Beat.ACTIVATE:
        return ""
    if looks_up(reply):
        key = f"step.gold_met.{count.beat.value}"
    else:
        key = f"step.gold_known.{'facts' if reply.trace.retriever.startswith('ariadnemem') else 'turns'}"
    return say(key, language, n=count.gold, total=gold)


def _lost(turn: TurnId, life: Life, language: str) -> str:
    reason = say(f"reason.{life.drop.reason}", language) if life.drop else ""
    numbers = margin(life.drop) if life.drop else ""
    why = ", ".join(part for part in (reason, numbers) if part)
    return say("step.gold_left", language, id=turn, why=why)


def _did(reply: Reply, count: BeatCount, language: str) -> str:
    """The one figure that sums a beat up: `41 of 419`, `+2`, `20 packed`."""
    if not count.used:
        return "–"
    cues = reply.trace.cues
    figures = {
        Beat.CUE: ("strip.cues", len(cues)) if cues else ("strip.names", len(names(reply))),
        Beat.ACTIVATE: ("strip.anchors", len({a for c in cues for a in c.anchors})),
        Beat.COLLECT: ("strip.kept", count.kept),
        Beat.CONNECT: ("strip.joined", count.entered),
        Beat.PACK: ("strip.packed", len(reply.context.items)),
        Beat.ANSWER: ("strip.sentences", count.kept),
    }
    key, n = figures[count.beat]
    return say(key, language, n=n, entered=count.entered)


def names(reply: Reply) -> tuple[str, ...]:
    """Return the names that the analysis of a question found, each once."""
    return tuple(dict.fromkeys(m.key for m in reply.trace.query.mentions))


def last_step(trace: Trace, beat: Beat, stage: str = "") -> int:
    """Return the place of a stage, else of the last step of a beat or those before it; 0 at least.

    A retriever may run a later beat's stage earlier, so places count in running order.
    """
    named = [i for i, step in enumerate(trace.steps) if step.name == stage]
    places = [i for i, step in enumerate(trace.steps) if step.beat <= beat]
    return max(named or places, default=0)


def steps_of(trace: Trace, beat: Beat) -> tuple[Step, ...]:
    """Return the steps of a beat in running order."""
    return tuple(step for step in trace.steps if step.beat is beat)


def sentence(memory: Memory, reply: Reply, count: BeatCount, language: str = "") -> str:
    """Return what a beat did as one sentence."""
    cues, answer = reply.trace.cues, reply.answer
    if count.beat is Beat.ANSWER:
        return _answered(reply, language)
    if not count.used:
        fast = any(step.final for step in reply.trace.steps)
        return say("step.skipped" if fast else "step.unused", language)
    if count.beat is Beat.CUE and not cues:
        return say("beat.1.read", language, names=len(names(reply)))
    common = sum(c.reason is Reason.KEY_TOO_COMMON for c in cues)
    return say(
        f"beat.{count.beat.value}.said",
        language,
        cues=len(cues),
        unmatched=sum(not c.anchors for c in cues),
        anchors=len({a for c in cues for a in c.anchors}),
        all=len(memory.hypergraph.hyperedges),
        common=common,
        entered=count.entered,
        items=len(standing(reply, count.beat)),
        kept=len(reply.context.items) if count.beat is Beat.PACK else count.kept,
        dropped=count.dropped,
        tokens=reply.context.tokens,
        limit=reply.context.limit,
        sentences=len(answer.sentences) if answer else 0,
    )


def offers(
    reply: Reply, gold: tuple[TurnId, ...], near: Sequence[str], language: str = ""
) -> tuple[Row, ...]:
    """Return what to look at first in a run: what it cites, known gold, the nearest misses.

    An item stands once in a row, though several channels may have dropped it.
    """
    cited = dict.fromkeys(map(str, reply.answer.citations)) if reply.answer else {}
    named = (("reader.cited", cited), ("reader.gold", map(str, gold)), ("reader.near", near))
    found = (
        (say(name, language), tuple(dict.fromkeys(items))[:MOST_OFFERS]) for name, items in named
    )
    return tuple(Row(name, tuple(Link(i, i) for i in items)) for name, items in found if items)


def stage_sentence(step: Step, language: str = "") -> str:
    """Return what one fine stage did, as one sentence."""
    if not step.used:
        return say("step.unused", language)
    row = rows.stage(step, language)
    counts = {"given": row.given, "entered": row.entered, "kept": row.kept, "left": row.dropped}
    return say("step.stage_said", language, stage=row.stage, **counts)


def _answered(reply: Reply, language: str) -> str:
    if reply.answer is None:
        return say("beat.6.none", language)
    if reply.answer.refused:
        return say("beat.6.refused", language)
    return say(
        "beat.6.said",
        language,
        sentences=len(reply.answer.sentences),
        cited=len(set(reply.answer.citations)),
        packed=len(reply.context.items),
    )


def sheet_sentence(
    memory: Memory, reply: Reply, layout: Sheet, look: Look, language: str = ""
) -> str:
    """Return what the score sheet shows and leaves out, as one sentence."""
    steps = reply.trace.steps[: look.step + 1]
    kept = {c.item for c in steps[-1].kept} if steps else set()
    if layout.facts:
        return say(
            "step.sheet_facts",
            language,
            active=sum(isinstance(i, EntryId) for i in kept),
            total=len(memory.evolution.entries),
            edges=len({(e.source, e.target, e.kind) for s in steps for e in s.edges}),
            bridges=len({g.bridge for s in steps for g in s.gaps if g.bridge}),
        )
    return say(
        "step.sheet_sentence",
        language,
        active=len(kept),
        total=len(memory.conversation.turns),
        anchors=len(layout.anchors),
        hidden=layout.hidden_anchors,
    )
