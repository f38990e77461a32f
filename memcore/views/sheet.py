"""The score sheet: facts, activated anchors, scores and the dialogue on one time axis.

One figure with a shared x, so that panels cannot drift apart. All marks of a run are placed once;
a step only changes their ink. Every mark carries its id as first customdata, and emphasis lies in
the marks' own colours, since Plotly fades what is not selected a second time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from memcore.types import (
    AnchorKind,
    Beat,
    Candidate,
    EntryId,
    GraphEdge,
    Hyperedge,
    Item,
    Memory,
    Reply,
    Step,
    TurnId,
)
from memcore.views.axis import Axis, Band, axis
from memcore.views.canvas import (
    NONE,
    STILL,
    Lit,
    Part,
    Picture,
    bar,
    picture,
    scatter,
    still_frame,
)
from memcore.views.strings import say, term_words
from memcore.views.theme import ANCHOR_MARKS, Palette, faded, plain

MOST_ROWS = 14
"""Anchor rows shown; the rest is counted in the figure's sentence."""

MOST_DATES = 5
"""Session dates under the axis; more would touch each other at a width of 1000 pixels."""

MOST_TURNS = 400
"""Turns from which the sheet is folded to sessions: a bar is a sum, a dot any member."""

MOST_SPEAKERS = 4
"""Rows of the dialogue strip; further speakers share the last one."""

LANES = 7
"""Lanes of facts; facts joined by stored links share one."""

BARS_HEIGHT, ROW_HEIGHT, FACTS_HEIGHT = 150, 22, 220
"""Pixels of the panels."""

CROWDED = 60
"""Members from which a row's dots are small, so that they stay apart."""

QUIET = 0.2
"""Ink of what is not active, as a share of full ink."""

FULL: Mapping[str, object] = {
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
}
ANCHOR_SYMBOLS: Mapping[AnchorKind, str] = {
    AnchorKind.ENTITY: "triangle-up",
    AnchorKind.LEXICAL: "circle",
    AnchorKind.SPEAKER: "circle",
    AnchorKind.DAY: "square",
    AnchorKind.WEEK: "square",
    AnchorKind.MONTH: "square",
    AnchorKind.YEAR: "square",
    AnchorKind.SESSION: "line-ew-open",
    AnchorKind.WINDOW: "line-ew-open",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the score sheet of one run shows, whatever the step: places and rows."""

    axis: Axis
    anchors: tuple[Hyperedge, ...]
    hidden_anchors: int
    facts: tuple[EntryId, ...]
    lanes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What a viewer chose: the step, the selection, known gold, the colours, the sessions shown."""

    step: int
    palette: Palette
    lit: Lit = NONE
    gold: tuple[TurnId, ...] = ()
    first_session: int = 0
    last_session: int = 10**9


def sheet(memory: Memory, reply: Reply) -> Sheet:
    """Return the fixed layout of a run: activated anchors by contribution, facts in lanes."""
    wanted = {a for cue in reply.trace.cues for a in cue.anchors}
    weights = _contributions(reply)
    active = [h for h in memory.hypergraph.hyperedges if h.id in wanted]
    order = sorted(active, key=lambda h: (-weights.get(str(h.anchor), 0.0), h.id))
    items = _entries(reply)
    facts = tuple(e.id for e in memory.evolution.entries if e.id in items)
    older = {e.newer: e.older for e in reversed(memory.evolution.edges)} if facts else {}
    return Sheet(
        axis(memory.conversation),
        tuple(order[:MOST_ROWS]),
        max(0, len(order) - MOST_ROWS),
        facts,
        tuple(_lane(older, fact) for fact in facts),
    )


def _contributions(reply: Reply) -> dict[str, float]:
    found: dict[str, float] = {}
    entered = (c for step in reply.trace.steps for c in step.entered)
    for term in (t for candidate in entered for t in candidate.terms):
        key = str(term.source)
        found[key] = found.get(key, 0.0) + term.amount
    return found


def _entries(reply: Reply) -> frozenset[EntryId]:
    return frozenset(
        c.item
        for step in reply.trace.steps
        for c in (*step.entered, *step.kept)
        if isinstance(c.item, EntryId)
    )


def _lane(older: Mapping[EntryId, EntryId], fact: EntryId) -> float:
    """Facts joined by stored links share a lane; the lane depends on the memory alone."""
    root = fact
    while root in older:
        root = older[root]
    return float(root.n % LANES)


def figure(memory: Memory, reply: Reply, layout: Sheet, look: Look) -> Picture:
    """Return the sheet at one step, selection and theme; positions come from `layout` alone."""
    step = reply.trace.steps[min(look.step, len(reply.trace.steps) - 1)]
    active = frozenset(c.item for c in step.kept)
    behind = {e.id: e.source_turns for e in memory.evolution.entries}
    reached = frozenset(
        t for i in active for t in ((i,) if isinstance(i, TurnId) else behind.get(i, ()))
    )
    sessions = Counter(t.session for t in reached)
    folded = is_folded(memory, look)
    drawn = _Drawing(memory, reply, layout, look, step, active, behind, reached, sessions, folded)
    panels = (drawn.facts(), drawn.anchors(), drawn.legend(), drawn.bars(), drawn.dialogue())
    traces = [trace for panel in panels for trace in panel]
    return picture(traces, drawn.layout())


@dataclass(frozen=True, slots=True)
class _Drawing:
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

    # ------------------------------------------------------------ facts

    def facts(self) -> list[Part]:
        palette, places = self.look.palette, self._fact_places()
        if not places:
            return []
        bridges = {g.bridge for s in self._until_now() for g in s.gaps if g.bridge}
        replaced = {e.older for e in self.memory.evolution.edges if e.supersedes}
        words = {e.id: e.restatement for e in self.memory.evolution.entries}
        hues = {f: palette.bridge if f in bridges else palette.fact for f in places}
        lit = self.look.lit
        marks = scatter(
            x=[p[0] for p in places.values()],
            y=[p[1] for p in places.values()],
            mode="markers",
            showlegend=False,
            name="facts",
            yaxis="y4",
            customdata=[[str(f)] for f in places],
            text=[plain(f"{f} {words[f]}") for f in places],
            hovertemplate="%{text}<extra></extra>",
            marker={
                "size": [11 if f in self.active else 8 for f in places],
                "symbol": [_symbol(f, bridges, replaced) for f in places],
                "color": [self._ink(f, hues[f]) for f in places],
                "line": {
                    "width": [3 if str(f) in lit else 1 for f in places],
                    "color": [self._edge_ink(f, hues[f]) for f in places],
                },
            },
            **FULL,
        )
        return [*self._edges(places), marks]

    def _until_now(self) -> tuple[Step, ...]:
        at = min(self.look.step, len(self.reply.trace.steps) - 1)
        return self.reply.trace.steps[: at + 1]

    def _fact_places(self) -> dict[EntryId, tuple[float, float]]:
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

    def _edges(self, places: dict[EntryId, tuple[float, float]]) -> list[Part]:
        palette = self.look.palette
        styles = {
            "near": ("entity", "time"),
            "update": ("link", "successor"),
            "bridge": ("bridge",),
        }
        looks = {
            "near": {"color": faded(palette.quiet, 0.45), "width": 1, "dash": "dot"},
            "update": {"color": palette.fact, "width": 1.5, "dash": "dash"},
            "bridge": {"color": palette.bridge, "width": 2, "dash": "solid"},
        }
        edges = dict.fromkeys(e for s in self._until_now() for e in s.edges)
        return [
            _lines(name, [e for e in edges if e.kind in kinds], places, looks[name])
            for name, kinds in styles.items()
        ]

    # ------------------------------------------------------------ anchors

    def anchors(self) -> list[Part]:
        return [self._anchor(row, edge) for row, edge in enumerate(self.sheet.anchors)]

    def _anchor(self, row: int, edge: Hyperedge) -> Part:
        colour = self.look.palette.anchor(edge.anchor.kind)
        on = self.step.beat > Beat.CUE
        chosen = str(edge.id) in self.look.lit
        words = f"{edge.id} {edge.label or edge.anchor.key}"
        places = self._members(edge.members)
        return scatter(
            x=list(places.values()),
            y=[-row] * len(places),
            mode="lines+markers",
            showlegend=False,
            name=str(edge.id),
            yaxis="y3",
            customdata=[[str(edge.id), name] for name in places],
            text=[plain(f"{words} · {name}") for name in places],
            hovertemplate="%{text}<extra></extra>",
            line={"width": 1, "color": faded(colour, 0.35)},
            marker={
                "size": 7 if len(places) < CROWDED else 4,
                "color": self.look.palette.accent if chosen else faded(colour, 1 if on else QUIET),
                "symbol": ANCHOR_SYMBOLS[edge.anchor.kind],
            },
            **FULL,
        )

    def _members(self, turns: Sequence[TurnId]) -> dict[str, float]:
        """The places of member turns by their names; folded, one a session."""
        if self.folded:
            held = {t.session for t in turns}
            return {f"D{b.session}": _centre(b) for b in self._bands() if b.session in held}
        found = ((t, self.sheet.axis.x(t)) for t in turns)
        return {str(t): x for t, x in found if x is not None}

    # ------------------------------------------------------------ folded to sessions

    def _session_bars(self) -> list[Part]:
        """The scores of a session's items as one bar, stacked by term; a click opens it."""
        scored = self._by_session()
        names = self._names() or ("score",)
        bands = [b for b in self._bands() if b.session in scored]
        words = self._session_words(bands)
        return [
            bar(
                x=[_centre(b) for b in bands],
                y=[fsum(_amount(c, name) for c in scored[b.session]) for b in bands],
                name=term_words(name),
                showlegend=False,
                yaxis="y2",
                width=[(b.right - b.left) * 0.8 for b in bands],
                customdata=[[f"D{b.session}"] for b in bands],
                hovertext=words,
                hovertemplate="%{hovertext}<extra></extra>",
                marker={
                    "color": [self._session_ink(b, self._hue(n)) for b in bands],
                    "line": {"width": 0},
                },
                **FULL,
            )
            for n, name in enumerate(names)
        ]

    def _by_session(self) -> dict[int, list[Candidate]]:
        found: dict[int, list[Candidate]] = {}
        for candidate in self._scored():
            for session in {t.session for t in self._behind(candidate.item)}:
                found.setdefault(session, []).append(candidate)
        return found

    def _behind(self, item: Item) -> tuple[TurnId, ...]:
        if isinstance(item, TurnId):
            return (item,)
        return self.behind.get(item, ())[:1]

    def _session_ink(self, band: Band, colour: str) -> str:
        if any(item.startswith(f"D{band.session}:") for item in self.look.lit):
            return self.look.palette.accent
        return colour if band.session in self.sessions else faded(colour, QUIET)

    def _session_words(self, bands: Sequence[Band]) -> list[str]:
        total = Counter(t.session for t in self.sheet.axis.turns)
        counts = [(b.label, self.sessions[b.session], total[b.session]) for b in bands]
        return [
            plain(say("step.session_in_play", session=label, active=active, total=whole))
            for label, active, whole in counts
        ]

    def _session_ticks(self) -> list[Part]:
        palette, bands = self.look.palette, self._bands()
        golden = {t.session for t in self.look.gold}
        gold = [b.session in golden for b in bands]
        return [
            scatter(
                x=[_centre(b) for b in bands],
                y=[0] * len(bands),
                mode="markers",
                showlegend=False,
                name="sessions",
                yaxis="y",
                customdata=[[f"D{b.session}"] for b in bands],
                text=self._session_words(bands),
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "symbol": ["star" if g else "square" for g in gold],
                    "size": [13 if g else 10 for g in gold],
                    "color": [
                        palette.gold if g else self._session_ink(b, palette.ink)
                        for b, g in zip(bands, gold, strict=True)
                    ],
                },
                **FULL,
            )
        ]

    # ------------------------------------------------------------ bars

    def legend(self) -> list[Part]:
        """One empty bar a term: Plotly colours a legend by the first mark, which may be faded."""
        return legend_of(self._names(), self.look.palette, "y2")

    def _names(self) -> tuple[str, ...]:
        every = (c for step in self.reply.trace.steps for c in step.entered)
        return tuple(sorted({t.name for c in every for t in c.terms}))

    def bars(self) -> list[Part]:
        if self.folded:
            return self._session_bars()
        places = self._fact_places()
        rows = [(c, x) for c in self._scored() if (x := self._x(c.item, places)) is not None]
        names = self._names() or ("score",)
        return [self._bar(name, self._hue(n), rows) for n, name in enumerate(names)]

    def _bar(self, name: str, hue: str, rows: Sequence[tuple[Candidate, float]]) -> Part:
        """The marks of one term; an item that it gave nothing has no mark here."""
        found = [(c, x, amount) for c, x in rows if (amount := _amount(c, name))]
        return bar(
            x=[x for _, x, _ in found],
            y=[amount for _, _, amount in found],
            name=term_words(name),
            showlegend=False,
            yaxis="y2",
            width=0.8,
            customdata=[[str(c.item)] for c, _, _ in found],
            hovertext=[
                plain(f"{c.item} · {name} {amount:.3f} of {c.score:.3f}") for c, _, amount in found
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            marker={"color": [self._ink(c.item, hue) for c, _, _ in found], "line": {"width": 0}},
            **FULL,
        )

    def _scored(self) -> list[Candidate]:
        """The candidates of the first channel that listed each item, up to this step."""
        found: dict[Item, Candidate] = {}
        for step in self._until_now():
            for candidate in step.entered:
                found.setdefault(candidate.item, candidate)
        return list(found.values())

    def _x(self, item: Item, places: dict[EntryId, tuple[float, float]]) -> float | None:
        if isinstance(item, EntryId):
            return places[item][0] if item in places else None
        return self.sheet.axis.x(item)

    def _hue(self, n: int) -> str:
        return hue(self.look.palette, n)

    # ------------------------------------------------------------ dialogue

    def dialogue(self) -> list[Part]:
        if self.folded:
            return self._session_ticks()
        speakers = self.memory.conversation.speakers
        gold, palette = set(self.look.gold), self.look.palette
        turns = self.memory.conversation.turns
        reached = self.reached
        return [
            scatter(
                x=list(self.sheet.axis.places),
                y=[-min(speakers.index(t.speaker), MOST_SPEAKERS - 1) for t in turns],
                mode="markers",
                showlegend=False,
                name="turns",
                yaxis="y",
                customdata=[[str(t.id)] for t in turns],
                text=[plain(f"{t.id} {t.speaker}: {t.text}") for t in turns],
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "symbol": ["star" if t.id in gold else "line-ns" for t in turns],
                    "size": [11 if t.id in gold else 9 for t in turns],
                    "color": [palette.gold if t.id in gold else palette.ink for t in turns],
                    "line": {
                        "width": [4 if str(t.id) in self.look.lit else 1.6 for t in turns],
                        "color": [self._turn_ink(t.id, reached, gold) for t in turns],
                    },
                },
                **FULL,
            )
        ]

    def _turn_ink(self, turn: TurnId, reached: frozenset[TurnId], gold: set[TurnId]) -> str:
        palette = self.look.palette
        if str(turn) in self.look.lit:
            return palette.accent
        if turn in gold:
            return palette.gold
        return palette.ink if turn in reached else faded(palette.ink, 0.3)

    # ------------------------------------------------------------ ink, layout

    def _ink(self, item: Item, colour: str) -> str:
        if str(item) in self.look.lit:
            return self.look.palette.accent
        return colour if item in self.active else faded(colour, QUIET)

    def _edge_ink(self, item: Item, colour: str) -> str:
        if str(item) in self.look.lit:
            return self.look.palette.accent
        return faded(colour, 0.9 if item in self.active else 0.35)

    def layout(self) -> Part:
        palette = self.look.palette
        bands = self._bands()
        left, right = (bands[0].left, bands[-1].right) if bands else (0.0, 1.0)
        height = _height(bool(self.sheet.facts), len(self.sheet.anchors))
        return {
            **still_frame(palette, height, legend=True),
            "barmode": "relative",
            "margin": {"l": 132, "r": 8, "t": 34 if len(self._names()) < 5 else 52, "b": 44},
            "xaxis": {
                **STILL,
                "range": [left - 1, right + 1],
                "anchor": "y",
                **ticks(bands, palette),
            },
            "shapes": self._shapes(bands),
            **self._rows(),
        }

    def _bands(self) -> tuple[Band, ...]:
        first, last = self.look.first_session, self.look.last_session
        return tuple(b for b in self.sheet.axis.bands if first <= b.session <= last)

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
        names = self._names() or ("score",)
        groups = self._by_session().values()
        return [[fsum(_amount(c, name) for c in found) for name in names] for found in groups]

    def _turn_amounts(self) -> list[list[float]]:
        """What is stacked over each place: facts of one turn stand on one another."""
        names, places = self._names() or ("score",), self._fact_places()
        found: dict[float | None, list[float]] = {}
        for candidate in self._scored():
            stack = found.setdefault(self._x(candidate.item, places), [])
            stack.extend(_amount(candidate, name) for name in names)
        return list(found.values())

    def _shapes(self, bands: Sequence[Band]) -> list[dict[str, object]]:
        palette, over = self.look.palette, {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
        fill = {"type": "rect", "fillcolor": palette.band, "line": {"width": 0}, "layer": "below"}
        rule = {"color": palette.gold, "width": 1, "dash": "dash"}
        shades = [{**over, **fill, "x0": b.left, "x1": b.right} for b in bands]
        golden = tuple(self._members(self.look.gold).values())
        rules = [{**over, "type": "line", "x0": x, "x1": x, "line": rule} for x in golden]
        return [*shades, *rules]


def hue(palette: Palette, n: int) -> str:
    """Return the n-th hue of a score's terms, in order of their names."""
    hues = (
        *(palette.co_occurrence, palette.episodic, palette.temporal, palette.fact),
        *(palette.bridge, palette.quiet, palette.ink),
    )
    return hues[n % 7]


def legend_of(names: Sequence[str], palette: Palette, axis_name: str = "y") -> list[Part]:
    """Return the legend of terms in their full hues, as bars without a mark."""
    return [
        bar(
            x=[None],
            y=[None],
            yaxis=axis_name,
            name=term_words(name),
            showlegend=True,
            hoverinfo="skip",
            marker={"color": hue(palette, n)},
        )
        for n, name in enumerate(names)
    ]


def is_folded(memory: Memory, look: Look) -> bool:
    """Whether the sessions shown hold more turns than the sheet draws one by one."""
    first, last = look.first_session, look.last_session
    return sum(first <= t.id.session <= last for t in memory.conversation.turns) > MOST_TURNS


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn or fact of the sheet's table: its words, its score, whether it is in play."""

    id: str
    gold: str
    words: str
    score: float
    state: str


def table(memory: Memory, reply: Reply, look: Look) -> tuple[TurnRow, ...]:
    """Return what is in play, gold or selected at a step, in order of the sheet."""
    step = reply.trace.steps[min(look.step, len(reply.trace.steps) - 1)]
    active = {c.item: c.score for c in reversed(step.kept)}
    gold = set(look.gold)
    turns = {t.id: f"{t.speaker}: {t.content}" for t in memory.conversation.turns}
    words: dict[Item, str] = {e.id: e.restatement for e in memory.evolution.entries} | dict(turns)
    shown = [i for i in words if i in active or i in gold or str(i) in look.lit]
    return tuple(
        TurnRow(
            str(item),
            "★" if item in gold else "",
            words[item],
            active.get(item, 0.0),
            say("turn_row.in_play" if item in active else "turn_row.out"),
        )
        for item in shown
    )


def _amount(candidate: Candidate, name: str) -> float:
    """The sum of a candidate's terms of one name; a score that is no sum is one bar."""
    if not candidate.terms:
        return candidate.score
    return fsum(t.amount for t in candidate.terms if t.name == name)


def ticks(bands: Sequence[Band], palette: Palette) -> dict[str, object]:
    """Return an x axis' ticks: session numbers with their dates, as many as have room."""
    shown: list[Band] = []
    room = (bands[-1].right - bands[0].left) / MOST_DATES if bands else 0.0
    for band in bands:
        if not shown or _centre(band) - _centre(shown[-1]) >= room:
            shown.append(band)
    return {
        "tickvals": [_centre(b) for b in shown],
        "ticktext": ["<br>".join(plain(p) for p in b.label.split(" · ")) for b in shown],
        "tickfont": {"size": 11, "color": palette.quiet},
        "tickangle": 0,
    }


def _centre(band: Band) -> float:
    return (band.left + band.right) / 2


def listed(labels: Sequence[str], n: int) -> dict[str, object]:
    """Return a y axis of `n` labelled rows, the first on top."""
    return {
        "range": [-max(n, 1) + 0.4, 0.6],
        "tickvals": [-i for i in range(n)],
        "ticktext": list(labels),
    }


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


def _symbol(fact: EntryId, bridges: set[EntryId], replaced: set[EntryId]) -> str:
    if fact in bridges:
        return "diamond"
    return "circle-x-open" if fact in replaced else "circle"


def _lines(
    name: str,
    edges: Sequence[GraphEdge],
    places: Mapping[EntryId, tuple[float, float]],
    line: Mapping[str, object],
) -> Part:
    """One trace of all edges of a style; a gap between two edges is a None."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    at: dict[Item, tuple[float, float]] = dict(places.items())
    for edge in edges:
        if edge.source in at and edge.target in at:
            (x0, y0), (x1, y1) = at[edge.source], at[edge.target]
            xs += [x0, x1, None]
            ys += [y0, y1, None]
    return scatter(
        x=xs,
        y=ys,
        mode="lines",
        name=name,
        yaxis="y4",
        hoverinfo="skip",
        line=line,
        showlegend=False,
    )
