"""The answer with receipts: what was read against the whole dialogue, and each citation."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from memcore.annotate.tokens import tokens
from memcore.context import turn_words
from memcore.views import life
from memcore.views.canvas import STILL
from memcore.views.scenes.shown import FONT, Scene, Shown


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """One sentence of the answer and what it cites."""

    sentence: str
    cites: str


def receipts(shown: Shown) -> Scene | None:
    """Return what was read against what was said, as two bars of true proportion."""
    reply, palette = shown.reply, shown.palette
    if reply.answer is None or not reply.answer.citations:
        return None
    whole = sum(tokens(turn_words(t)) for t in shown.memory.conversation.turns)
    names = [shown.say("present.packet"), shown.say("present.dialogue")]
    values = [reply.context.tokens, whole]
    bars = go.Bar(
        x=values,
        y=names,
        orientation="h",
        width=0.6,
        marker={"color": [palette.co_occurrence, palette.rule], "line": {"width": 0}},
        text=[shown.tokens(v) for v in values],
        textposition="outside",
        textfont={"size": FONT + 2, "color": palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = shown.frame(220) | {
        "xaxis": {**STILL, "range": [0, max(values) * 1.15], "visible": False},
        "yaxis": {**STILL, "autorange": "reversed"},
        "margin": {"l": 190, "r": 20, "t": 10, "b": 10},
    }
    told = reply.answer.sentences
    table = tuple(ReceiptRow(s.text, " ".join(str(c) for c in s.citations)) for s in told)
    said = shown.say(
        "present.5.said",
        answer=reply.answer.text,
        tokens=shown.tokens(reply.context.tokens),
        whole=shown.tokens(whole),
        share=f"{100 * reply.context.tokens / max(whole, 1):.0f}",
    )
    cited = sorted(life.turns_of(shown.memory, reply.answer.citations))
    figure = go.Figure([bars], layout)
    return Scene(5, said, figure, table, "receipt_row", shown.quotes(cited))
