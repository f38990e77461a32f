"""The score sheet drawn: facts, anchors, scores and the dialogue as panels of one figure.

One figure with a shared x, so that panels cannot drift apart. Every mark carries its id as first
customdata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from memcore.types import Beat, Candidate, EntryId, GraphEdge, Hyperedge, Item, Memory, Reply
from memcore.views.axis import Band
from memcore.views.canvas import Part, Picture, bar, picture, scatter
from memcore.views.marks import ANCHOR_SYMBOLS, CROWDED, FULL, QUIET, centre
from memcore.views.score_terms import Piece, legend_of
from memcore.views.sheet import MOST_SPEAKERS, Look, Sheet
from memcore.views.sheet_drawing import Drawing, drawing
from memcore.views.strings import say
from memcore.views.theme import faded, plain


def figure(memory: Memory, reply: Reply, layout: Sheet, look: Look) -> Picture:
    """Return the sheet at one step, selection and theme; positions come from `layout` alone."""
    drawn = drawing(memory, reply, layout, look)
    legend = legend_of(drawn.pieces, look.palette, "y2")
    panels = (_facts(drawn), _anchors(drawn), legend, _bars(drawn), _dialogue(drawn))
    return picture([trace for panel in panels for trace in panel], drawn.layout())


def _facts(drawing: Drawing) -> list[Part]:
    palette, places = drawing.look.palette, drawing.fact_places()
    if not places:
        return []
    bridges = {g.bridge for s in drawing.until_now() for g in s.gaps if g.bridge}
    replaced = {e.older for e in drawing.memory.evolution.edges if e.supersedes}
    words = {e.id: e.restatement for e in drawing.memory.evolution.entries}
    hues = {f: palette.bridge if f in bridges else palette.fact for f in places}
    lit = drawing.look.lit
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
            "size": [11 if f in drawing.active else 8 for f in places],
            "symbol": [_symbol(f, bridges, replaced) for f in places],
            "color": [drawing.ink(f, hues[f]) for f in places],
            "line": {
                "width": [3 if str(f) in lit else 1 for f in places],
                "color": [drawing.edge_ink(f, hues[f]) for f in places],
            },
        },
        **FULL,
    )
    return [*_edges(drawing, places), marks]


def _edges(drawing: Drawing, places: dict[EntryId, tuple[float, float]]) -> list[Part]:
    palette = drawing.look.palette
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
    edges = dict.fromkeys(e for s in drawing.until_now() for e in s.edges)
    return [
        _lines(name, [e for e in edges if e.kind in kinds], places, looks[name])
        for name, kinds in styles.items()
    ]


def _anchors(drawing: Drawing) -> list[Part]:
    return [_anchor(drawing, row, edge) for row, edge in enumerate(drawing.sheet.anchors)]


def _anchor(drawing: Drawing, row: int, edge: Hyperedge) -> Part:
    colour = drawing.look.palette.anchor(edge.anchor.kind)
    on = drawing.step.beat > Beat.CUE
    chosen = str(edge.id) in drawing.look.lit
    words = f"{edge.id} {edge.label or edge.anchor.key}"
    places = drawing.members(edge.members)
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
            "color": drawing.look.palette.accent if chosen else faded(colour, 1 if on else QUIET),
            "symbol": ANCHOR_SYMBOLS[edge.anchor.kind],
        },
        **FULL,
    )


def _session_bars(drawing: Drawing) -> list[Part]:
    """The scores of a session's items as one bar, stacked by term; a click opens it."""
    scored = drawing.by_session()
    bands = [b for b in drawing.bands() if b.session in scored]
    words = _session_words(drawing, bands)
    return [
        bar(
            x=[centre(b) for b in bands],
            y=[fsum(map(piece.amount, scored[b.session])) for b in bands],
            name=piece.words,
            showlegend=False,
            yaxis="y2",
            width=[(b.right - b.left) * 0.8 for b in bands],
            customdata=[[f"D{b.session}"] for b in bands],
            hovertext=words,
            hovertemplate="%{hovertext}<extra></extra>",
            marker={
                "color": [drawing.session_ink(b, piece.hue(drawing.look.palette)) for b in bands],
                "line": {"width": 0},
            },
            **FULL,
        )
        for piece in drawing.pieces
    ]


def _session_words(drawing: Drawing, bands: Sequence[Band]) -> list[str]:
    total = Counter(t.session for t in drawing.sheet.axis.turns)
    counts = [(b.label, drawing.sessions[b.session], total[b.session]) for b in bands]
    return [
        plain(say("step.session_in_play", session=label, active=active, total=whole))
        for label, active, whole in counts
    ]


def _session_ticks(drawing: Drawing) -> list[Part]:
    palette, bands = drawing.look.palette, drawing.bands()
    golden = {t.session for t in drawing.look.gold}
    gold = [b.session in golden for b in bands]
    return [
        scatter(
            x=[centre(b) for b in bands],
            y=[0] * len(bands),
            mode="markers",
            showlegend=False,
            name="sessions",
            yaxis="y",
            customdata=[[f"D{b.session}"] for b in bands],
            text=_session_words(drawing, bands),
            hovertemplate="%{text}<extra></extra>",
            marker={
                "symbol": ["star" if g else "square" for g in gold],
                "size": [13 if g else 10 for g in gold],
                "color": [
                    palette.gold if g else drawing.session_ink(b, palette.ink)
                    for b, g in zip(bands, gold, strict=True)
                ],
            },
            **FULL,
        )
    ]


def _bars(drawing: Drawing) -> list[Part]:
    if drawing.folded:
        return _session_bars(drawing)
    places = drawing.fact_places()
    rows = [(c, x) for c in drawing.scored() if (x := drawing.x(c.item, places)) is not None]
    return [_bar(drawing, piece, rows) for piece in drawing.pieces]


def _bar(drawing: Drawing, piece: Piece, rows: Sequence[tuple[Candidate, float]]) -> Part:
    """The marks of one piece; an item that it gave nothing has no mark here."""
    found = [(c, x, given) for c, x in rows if (given := piece.amount(c))]
    hue = piece.hue(drawing.look.palette)
    return bar(
        x=[x for _, x, _ in found],
        y=[given for _, _, given in found],
        name=piece.words,
        showlegend=False,
        yaxis="y2",
        width=0.8,
        customdata=[[str(c.item)] for c, _, _ in found],
        hovertext=[
            plain(f"{c.item} · {piece.words} {given:.3f} of {c.score:.3f}") for c, _, given in found
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={"color": [drawing.ink(c.item, hue) for c, _, _ in found], "line": {"width": 0}},
        **FULL,
    )


def _dialogue(drawing: Drawing) -> list[Part]:
    if drawing.folded:
        return _session_ticks(drawing)
    speakers = drawing.memory.conversation.speakers
    gold, palette = set(drawing.look.gold), drawing.look.palette
    turns = drawing.memory.conversation.turns
    reached = drawing.reached
    return [
        scatter(
            x=list(drawing.sheet.axis.places),
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
                    "width": [4 if str(t.id) in drawing.look.lit else 1.6 for t in turns],
                    "color": [drawing.turn_ink(t.id, reached, gold) for t in turns],
                },
            },
            **FULL,
        )
    ]


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
