"""One step of the score sheet as its panels need it: places, inks, the scale, the axes.

Emphasis lies in the marks' own colours, since Plotly fades what is not selected a second time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from memcore.types import Candidate, EntryId, Item, Memory, Reply, Step, TurnId
from memcore.views.axis import Band
from memcore.views.canvas import STILL, Part, still_frame
from memcore.views.marks import QUIET, centre, listed, ticks
from memcore.views.score_terms import Piece, pieces
from memcore.views.sheet import LANES, MOST_SPEAKERS, Look, Sheet, is_folded
from memcore.views.strings import say
from memcore.views.theme import ANCHOR_MARKS, faded, plain

BARS_HEIGHT, ROW_HEIGHT, FACTS_HEIGHT = 150, 22, 220
"""Pixels of the panels."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet at one step, as a viewer looks at it."""

    memory: Memory
    reply: Reply
    sheet: Sheet
    look: Look
    step: Step
    active: frozenset[Item]
    behind: Mapping[EntryId, tuple[TurnId, ...]]
    reached: frozenset[TurnId]
    sessions: Counter[int]
    """How many turns of each session are in play."""
    folded: bool
    """Whether the window holds more turns than can be told apart."""
    pieces: tuple[Piece, ...]
    """What the bars are stacked of."""

    def until_now(self) -> tuple[Step, ...]:
        """Return the steps done by now."""
        at = min(self.look.step, len(self.reply.trace.steps) - 1)
        return self.reply.trace.steps[: at + 1]

    def scored(self) -> list[Candidate]:
        """The candidates of the first channel that listed each item, up to this step."""
        found: dict[Item, Candidate] = {}
        for step in self.until_now():
            for candidate in step.entered:
                found.setdefault(candidate.item, candidate)
        return list(found.values())

    def by_session(self) -> dict[int, list[Candidate]]:
        """Return the scored candidates of each session."""
        found: dict[int, list[Candidate]] = {}
        for candidate in self.scored():
            for session in {t.session for t in self._behind(candidate.item)}:
                found.setdefault(session, []).append(candidate)
        return found

    def _behind(self, item: Item) -> tuple[TurnId, ...]:
        if isinstance(item, TurnId):
            return (item,)
        return self.behind.get(item, ())[:1]

    def fact_places(self) -> dict[EntryId, tuple[float, float]]:
        """Return the place of each fact; a second one of a turn stands a little beside."""
        sources = {e.id: e.source_turns for e in self.memory.evolution.entries}
        found: dict[EntryId, tuple[float, float]] = {}
        taken: dict[tuple[float, float], int] = {}
        for fact, lane in zip(self.sheet.facts, self.sheet.lanes, strict=True):
            x = self.sheet.axis.x(sources[fact][0])
            if x is None:
                continue
            n = taken.get((x, lane), 0)
            taken[x, lane] = n + 1
            found[fact] = (x + 0.28 * n, lane)
        return found

    def x(self, item: Item, places: dict[EntryId, tuple[float, float]]) -> float | None:
        """Return the place of an item on the axis, None if it has none."""
        if isinstance(item, EntryId):
            return places[item][0] if item in places else None
        return self.sheet.axis.x(item)

    def members(self, turns: Sequence[TurnId]) -> dict[str, float]:
        """The places of member turns by their names; folded, one a session."""
        if self.folded:
            held = {t.session for t in turns}
            return {f"D{b.session}": centre(b) for b in self.bands() if b.session in held}
        found = ((t, self.sheet.axis.x(t)) for t in turns)
        return {str(t): x for t, x in found if x is not None}

    def bands(self) -> tuple[Band, ...]:
        """Return the sessions in the window."""
        first, last = self.look.first_session, self.look.last_session
        return tuple(b for b in self.sheet.axis.bands if first <= b.session <= last)

    def ink(self, item: Item, colour: str) -> str:
        """Return the colour of an item: accent if selected, pale if it is not in play."""
        if str(item) in self.look.lit:
            return self.look.palette.accent
        return colour if item in self.active else faded(colour, QUIET)

    def edge_ink(self, item: Item, colour: str) -> str:
        """Return the colour of the edge of an item's mark."""
        if str(item) in self.look.lit:
            return self.look.palette.accent
        return faded(colour, 0.9 if item in self.active else 0.35)

    def turn_ink(self, turn: TurnId, reached: frozenset[TurnId], gold: set[TurnId]) -> str:
        """Return the colour of a tick of the dialogue."""
        palette = self.look.palette
        if str(turn) in self.look.lit:
            return palette.accent
        if turn in gold:
            return palette.gold
        return palette.ink if turn in reached else faded(palette.ink, 0.3)

    def session_ink(self, band: Band, colour: str) -> str:
        """Return the colour of a folded session."""
        if any(item.startswith(f"D{band.session}:") for item in self.look.lit):
            return self.look.palette.accent
        return colour if band.session in self.sessions else faded(colour, QUIET)

    def layout(self) -> Part:
        """Return the frame, the axes and the shapes behind them."""
        palette = self.look.palette
        bands = self.bands()
        left, right = (bands[0].left, bands[-1].right) if bands else (0.0, 1.0)
        height = _height(bool(self.sheet.facts), len(self.sheet.anchors))
        return {
            **still_frame(palette, height, legend=True),
            "barmode": "relative",
            "margin": {"l": 132, "r": 8, "t": 34 if len(self.pieces) < 5 else 52, "b": 44},
            "xaxis": {
                **STILL,
                "range": [left - 1, right + 1],
                "anchor": "y",
                **ticks(bands, palette),
            },
            "shapes": self._shapes(bands),
            **self._rows(),
        }

    def _rows(self) -> dict[str, object]:
        """The y axes of the four panels, from the dialogue up to the facts."""
        speakers = self.memory.conversation.speakers[:MOST_SPEAKERS]
        anchors, n = self.sheet.anchors, len(self.sheet.anchors)
        labels = [f"{ANCHOR_MARKS[h.anchor.kind]} {h.label or h.anchor.key}" for h in anchors]
        dialogue, bars, rows, facts = _domains(bool(self.sheet.facts), n)
        names = [plain(s, 16) for s in speakers]
        if self.folded:
            names = [say("step.sessions_row")]
        return {
            "yaxis": {**STILL, "domain": dialogue, **listed(names, len(names))},
            "yaxis2": {**STILL, "domain": bars, "nticks": 3, "range": self._reach()},
            "yaxis3": {**STILL, "domain": rows, **listed([plain(w, 18) for w in labels], n)},
            "yaxis4": {**STILL, "domain": facts, "range": [-0.8, LANES - 0.2], "tickvals": []},
        }

    def _reach(self) -> list[float]:
        """From the lowest bar to the tallest of the whole run, so that no step changes the scale."""
        whole = replace(self, look=replace(self.look, step=len(self.reply.trace.steps)))
        bars = whole._session_amounts() if self.folded else whole._turn_amounts()
        top = max((fsum(v for v in stack if v > 0) for stack in bars), default=0.0)
        low = min((fsum(v for v in stack if v < 0) for stack in bars), default=0.0)
        return [1.05 * low, 1.05 * top or 1.05]

    def _session_amounts(self) -> list[list[float]]:
        """What is stacked over each session: a term of all its items is one piece."""
        groups = self.by_session().values()
        return [[fsum(map(piece.amount, found)) for piece in self.pieces] for found in groups]

    def _turn_amounts(self) -> list[list[float]]:
        """What is stacked over each place: facts of one turn stand on one another."""
        places = self.fact_places()
        found: dict[float | None, list[float]] = {}
        for candidate in self.scored():
            stack = found.setdefault(self.x(candidate.item, places), [])
            stack.extend(piece.amount(candidate) for piece in self.pieces)
        return list(found.values())

    def _shapes(self, bands: Sequence[Band]) -> list[dict[str, object]]:
        palette, over = self.look.palette, {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
        fill = {"type": "rect", "fillcolor": palette.band, "line": {"width": 0}, "layer": "below"}
        rule = {"color": palette.gold, "width": 1, "dash": "dash"}
        shades = [{**over, **fill, "x0": b.left, "x1": b.right} for b in bands]
        golden = tuple(self.members(self.look.gold).values())
        rules = [{**over, "type": "line", "x0": x, "x1": x, "line": rule} for x in golden]
        return [*shades, *rules]


def drawing(memory: Memory, reply: Reply, layout: Sheet, look: Look) -> Drawing:
    """Return a sheet at one step, selection and theme; positions come from `layout` alone."""
    step = reply.trace.steps[min(look.step, len(reply.trace.steps) - 1)]
    active = frozenset(c.item for c in step.kept)
    behind = {e.id: e.source_turns for e in memory.evolution.entries}
    reached = frozenset(
        t for i in active for t in ((i,) if isinstance(i, TurnId) else behind.get(i, ()))
    )
    sessions = Counter(t.session for t in reached)
    folded = is_folded(memory, look)
    found = (look, step, active, behind, reached, sessions, folded)
    return Drawing(memory, reply, layout, *found, pieces(reply))


def _height(facts: bool, rows: int) -> int:
    return 104 + 46 + BARS_HEIGHT + ROW_HEIGHT * rows + (FACTS_HEIGHT if facts else 0)


def _domains(facts: bool, rows: int) -> tuple[list[float], ...]:
    """Shares of the height, bottom up, of dialogue, bars, anchors and facts, with gaps between."""
    sizes = (46, BARS_HEIGHT, ROW_HEIGHT * rows, FACTS_HEIGHT if facts else 0)
    total = sum(sizes) + 10 * 3
    found: list[list[float]] = []
    at = 0.0
    for size in sizes:
        room = [at / total, min(1.0, (at + size) / total)]
        found.append(room if size else [0.999, 1.0])  # Plotly refuses an empty panel
        at += size + 10
    return tuple(found)
