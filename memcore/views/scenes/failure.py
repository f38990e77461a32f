"""And where it failed: the known evidence beat after beat, what lost it, what one could change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import plotly.graph_objects as go

from memcore.types import Beat, TurnId
from memcore.views import life, rows
from memcore.views.canvas import STILL
from memcore.views.life import Life
from memcore.views.scenes.shown import FONT, Quote, Scene, Shown
from memcore.views.strings import say

ADVICE: Final[Mapping[Beat | None, str]] = {
    None: "present.advice.never",
    Beat.CUE: "present.advice.never",
    Beat.ACTIVATE: "present.advice.never",
    Beat.COLLECT: "present.advice.rank",
    Beat.CONNECT: "present.advice.rank",
    Beat.PACK: "present.advice.budget",
    Beat.ANSWER: "present.advice.reader",
}
"""What one could change, by the beat that lost the evidence; None: it never entered."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A run that failed honestly: what was lost of its gold, where, and why."""

    run: int
    shown: Shown


@dataclass(frozen=True, slots=True)
class LossRow:
    """One gold turn: whether it was packed, else where, why and how narrowly it was lost."""

    id: str
    stage: str
    reason: str
    margin: str
    words: str


def fails(shown: Shown) -> bool:
    """Whether a run failed honestly: gold is known, and some is not packed, or it refused."""
    packed = life.turns_of(shown.memory, shown.reply.context.items)
    refused = shown.reply.answer is not None and shown.reply.answer.refused
    return bool(shown.gold) and (refused or not set(shown.gold) <= packed)


def failure(failed: Failed) -> Scene | None:
    """Return how many gold turns were still there after each beat, and what lost them."""
    shown = failed.shown
    if not fails(shown):
        return None
    losses = [_loss(shown, turn) for turn in shown.gold]
    gone = [(row, beat) for row, beat in losses if row.stage]
    table = tuple(row for row, _ in losses)
    said = shown.say(
        "present.6.said" if gone else "present.6.refused",
        run=failed.run,
        question=shown.reply.trace.question,
        lost=len(gone),
        total=len(shown.gold),
        why=_why(gone[0][0]) if gone else "",
    )
    quotes = tuple(
        _told(quote, row, shown)
        for quote, row in zip(shown.quotes(shown.gold), table, strict=False)
    )
    first, beat = gone[0] if gone else (table[0], Beat.ANSWER)
    scene = Scene(6, said, _figure(shown), table, "loss_row", quotes, advice=ADVICE[beat])
    return replace(scene, run=failed.run, beat=(beat or Beat.COLLECT).value, lost=first.id)


def _why(row: LossRow) -> str:
    return f"{row.id}: {row.reason}" + (f" ({row.margin})" if row.margin else "")


def _told(quote: Quote, row: LossRow, shown: Shown) -> Quote:
    """A quote that says in its head what became of it."""
    end = shown.say("present.lost") if row.stage else row.reason
    return replace(quote, head=f"{quote.head} · {end}")


def _loss(shown: Shown, turn: TurnId) -> tuple[LossRow, Beat | None]:
    """What became of a gold turn; of several facts made from it, the one that came furthest."""
    memory, words = shown.memory, rows.texts(shown.memory).get(str(turn), "")
    if turn in life.turns_of(memory, shown.reply.context.items):
        return LossRow(str(turn), "", shown.say("present.packed"), "", words), None
    order = {step.name: n for n, step in enumerate(shown.reply.trace.steps)}
    came = [n for n in life.lives(shown.reply) if turn in life.turns_of(memory, (n.item,))]
    last = max(came, key=lambda n: order.get(n.left, -1), default=None)
    if last is None or last.drop is None:
        return LossRow(
            str(turn), shown.say("present.never"), _unreached(shown, turn), "", words
        ), None
    row = LossRow(
        str(turn),
        shown.say(f"stage.{last.left}"),
        shown.say(f"reason.{last.drop.reason}"),
        rows.margin(last.drop, shown.language),
        words,
    )
    return row, _beat(shown, last)


def _unreached(shown: Shown, turn: TurnId) -> str:
    """Why a turn never entered: its reason at writing time if it has one."""
    drop = next((d for d in shown.memory.evolution.dropped if d.item == turn), None)
    return say(f"reason.{drop.reason if drop else 'never_reached'}", shown.language)


def _beat(shown: Shown, last: Life) -> Beat:
    return next(s.beat for s in shown.reply.trace.steps if s.name == last.left)


def _figure(shown: Shown) -> go.Figure:
    counts = life.counts(shown.memory, shown.reply, shown.gold)
    left = [c.gold or 0 for c in counts]
    line = go.Scatter(
        x=[shown.say(f"beat.{c.beat.value}") for c in counts],
        y=left,
        mode="lines+markers+text",
        line={"shape": "hv", "width": 4, "color": shown.palette.gold},
        marker={"size": 18, "symbol": "star", "color": shown.palette.gold},
        text=[shown.say("present.of", n=n, total=len(shown.gold)) for n in left],
        textposition=_beside(left),
        textfont={"size": FONT, "color": shown.palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = shown.frame(300) | {
        "margin": {"l": 40, "r": 90, "t": 20, "b": 50},
        "xaxis": {**STILL},
        "yaxis": {**STILL, "visible": False, "range": [-0.4, len(shown.gold) + 0.6]},
    }
    return go.Figure([line], layout)


def _beside(left: Sequence[int]) -> list[str]:
    """A figure stands over its star; where the line comes down from above, beside it."""
    falls = [False, *(now < before for before, now in pairwise(left))]
    return ["middle right" if fall else "top center" for fall in falls]
