"""One item's life in a line: the cue that woke it, its rank, where it left, or that it was cited.

Words are joined from recorded events; a tick means that it went on, a cross that it left.
"""

from __future__ import annotations

from memcore.types import Memory, Reply, TurnId
from memcore.views.life import Life, lives
from memcore.views.rows import margin
from memcore.views.strings import say

WENT, LEFT = "✓", "✗"
MOST_CUES = 3


def story(memory: Memory, reply: Reply, item: str) -> tuple[str, ...]:
    """Return an item's way, one line for each channel that listed it.

    A turn that none listed is told by its facts. An item of which there is nothing to tell has one
    line: what kept it out when the memory was written, or that no cue and no list reached it.
    """
    every = lives(reply)
    found = [life for life in every if str(life.item) == item]
    woken = _woken(memory, reply, item)
    made = {e.id for e in memory.evolution.entries if item in map(str, e.source_turns)}
    facts = [life for life in every if life.item in made]
    if facts and not found:
        return tuple(_joined(f"{item} → {life.item}", _way(life)) for life in facts)
    if not found:
        reason = next((d.reason for d in memory.evolution.dropped if str(d.item) == item), None)
        last = say(f"reason.{reason or 'never_reached'}")
        return (_joined(item, (*woken, f"{last} {LEFT}")),)
    return tuple(_joined(item, (*woken, *_way(life))) for life in found)


def _woken(memory: Memory, reply: Reply, item: str) -> tuple[str, ...]:
    """The cues whose anchors hold a turn."""
    if not item.startswith("D"):
        return ()
    edges = {h.id: h for h in memory.hypergraph.hyperedges}
    turn, asked = TurnId.parse(item), reply.trace.question
    words = dict.fromkeys(
        asked[c.start : c.end] or c.key
        for c in reply.trace.cues
        if any(turn in edges[a].members for a in c.anchors if a in edges)
    )
    if not words:
        return ()
    shown = ", ".join(f"“{w}”" for w in tuple(words)[:MOST_CUES])
    return (f"{say('story.active', cues=shown)} {WENT}",)


def _way(life: Life) -> tuple[str, ...]:
    """Entered with a rank, then left or packed, then cited or not."""
    came = say("story.entered", stage=say(f"stage.{life.entered}"), rank=life.rank)
    if life.drop is not None:
        numbers = margin(life.drop)
        why = say(f"reason.{life.drop.reason}") + (f", {numbers}" if numbers else "")
        return f"{came} {WENT}", f"{say(f'stage.{life.left}')}: {why} {LEFT}"
    if not life.packed:
        return f"{came} {WENT}", say("reason.merged_way")
    end = say("reason.cited" if life.cited else "reason.packed_uncited")
    return f"{came} {WENT}", f"{end} {WENT if life.cited else ''}".rstrip()


def _joined(item: str, parts: tuple[str, ...]) -> str:
    return f"{item}: " + " → ".join(parts)
