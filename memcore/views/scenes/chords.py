"""The question plays its chords: its words light up rows, and bars rise under the turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memcore.types import Beat, Cue, EntryId
from memcore.views import beats, rows, sheet, sheet_figure
from memcore.views.memory_rows import Stretch
from memcore.views.scenes.shown import FONT, Scene, Shown
from memcore.views.sheet import Look

MOST_ANCHORS = 8


def chords(shown: Shown) -> Scene | None:
    """Return the score sheet of the run at its Collect beat: rows lit, bars risen.

    A retriever that has no anchors lights up its facts, or its turns alone.
    """
    trace = shown.reply.trace
    step = beats.last_step(trace, Beat.COLLECT)
    scored = {c.item for s in trace.steps[: step + 1] for c in s.entered}
    if not scored:
        return None
    layout = sheet.sheet(shown.memory, shown.reply)
    layout = replace(layout, anchors=layout.anchors[:MOST_ANCHORS])
    if layout.anchors:
        layout = replace(layout, facts=(), lanes=())
    figure = sheet_figure.figure(
        shown.memory, shown.reply, layout, Look(step, shown.palette, gold=shown.gold)
    ).figure()
    figure.update_layout(font={"size": FONT - 3}, height=520, margin={"l": 190})
    figure.update_xaxes(tickfont={"size": 14})
    figure.update_layout(legend={"font": {"size": 15}})
    lit = [c for c in trace.cues if c.anchors]
    facts = any(isinstance(i, EntryId) for i in scored)
    memory = shown.memory
    said = shown.say(
        f"present.3.{'said' if lit else 'facts' if facts else 'turns'}",
        cues=len({c.start for c in lit}),
        anchors=len({a for c in lit for a in c.anchors}),
        scored=len(trace.steps[step].kept if facts else scored),
        total=len(memory.evolution.entries if facts else memory.conversation.turns),
    )
    found = rows.cues(memory, shown.reply, shown.language) if lit else ()
    table = found or sheet.table(memory, shown.reply, Look(step, shown.palette, gold=shown.gold))
    names = "cue" if found else "turn_row"
    return Scene(3, said, figure, table, names, asked=stretches(trace.question, lit))


def stretches(question: str, cues: Sequence[Cue]) -> tuple[Stretch, ...]:
    """Return the question cut at the cues that light a row; of two at one place the first."""
    found: list[Stretch] = []
    at = 0
    for cue in sorted(cues, key=lambda c: (c.start, -c.end, c.kind)):
        if cue.start < at or cue.start == cue.end:
            continue
        found += [
            Stretch(question[at : cue.start]),
            Stretch(question[cue.start : cue.end], cue.kind),
        ]
        at = cue.end
    return tuple(s for s in (*found, Stretch(question[at:])) if s.text)
