"""What every scene is made of, and what it gives: the values and the frame that all six share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from memcore.types import Memory, Reply, Turn, TurnId
from memcore.views import evidence
from memcore.views.memory_rows import Stretch
from memcore.views.strings import say
from memcore.views.theme import Palette

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FONT = 18
"""Figure text in pixels: half as large again as on the other pages."""

MOST_QUOTES = 4


@dataclass(frozen=True, slots=True)
class Quote:
    """One turn of the dialogue, to the letter."""

    id: str
    head: str
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its number, its sentence, its figure with a table twin, and the quotes.

    `asked` is the question with the stretches that light up. A failure has a run of its own, the
    beat that lost the evidence, the turn that was lost first, and the key of what one could change.
    """

    n: int
    sentence: str
    figure: go.Figure
    rows: tuple[DataclassInstance, ...]
    names: str
    quotes: tuple[Quote, ...] = ()
    asked: tuple[Stretch, ...] = ()
    advice: str = ""
    run: int = 0
    beat: int = 1
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the scenes are made of: a run with its memory and gold, and the viewer's theme."""

    memory: Memory
    reply: Reply
    gold: tuple[TurnId, ...]
    palette: Palette
    language: str = ""

    def say(self, key: str, **values: object) -> str:
        """Return words in the language of the viewer."""
        return say(key, self.language, **values)

    def tokens(self, n: int) -> str:
        """Return a count of tokens, with a sign before it where it is estimated."""
        return f"{n:,}" if self.reply.context.counted else f"≈ {n:,}"

    def quotes(self, turns: Sequence[TurnId]) -> tuple[Quote, ...]:
        """Return turns to the letter, each once, at most four."""
        known: dict[TurnId, Turn] = {t.id: t for t in self.memory.conversation.turns}
        return tuple(
            Quote(
                str(t),
                f"{known[t].speaker} · {evidence.head(self.memory, t, self.language)}",
                known[t].content,
            )
            for t in dict.fromkeys(turns)
            if t in known
        )[:MOST_QUOTES]

    def frame(self, height: int) -> dict[str, object]:
        """Return the layout that all figures of the scenes begin with."""
        palette = self.palette
        return {
            "height": height,
            "showlegend": False,
            "dragmode": False,
            "clickmode": "event+select",
            "paper_bgcolor": palette.paper,
            "plot_bgcolor": palette.paper,
            "font": {"size": FONT, "color": palette.ink},
            "margin": {"l": 130, "r": 30, "t": 30, "b": 60},
        }
