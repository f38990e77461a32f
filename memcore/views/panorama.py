"""The Memory page's picture: facts in lanes of value chains, anchors as rows, the dialogue below.

Positions depend on the whole memory alone, so an as-of session hides marks and moves none.
A lane is a chain: facts joined by stored links, was to is. Facts that nothing joins fold into one
band under the lanes; a merged fact is a small hollow square at its source in its survivor's lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from memcore.types import Entry, EntryId, EvolutionEdge, Hyperedge, Memory, Modality, Reason, TurnId
from memcore.views.axis import Axis, axis, spread
from memcore.views.canvas import NONE, STILL, Lit, layout
from memcore.views.lane_labels import Label, labels
from memcore.views.marks import ANCHOR_SYMBOLS, CROWDED, FULL, listed, ticks
from memcore.views.strings import say
from memcore.views.theme import ANCHOR_MARKS, Palette, faded, plain

LANE_HEIGHT, ROW_HEIGHT, STRIP_HEIGHT = 24, 20, 56
MOST_LANES = 10
"""Lanes drawn; chains with a replaced value come first, the rest folds with the other facts."""

FOLDED_ROWS = 4
"""Lines of the band of facts that nothing joins, so that neighbours stay apart."""


@dataclass(frozen=True, slots=True)
class Panorama:
    """The places of everything on the Memory page; made once a memory.

    `lanes` are the names of the value chains from the top; `folded` counts the facts below them.
    """

    axis: Axis
    facts: tuple[tuple[EntryId, float, float], ...]
    lanes: tuple[str, ...]
    folded: int


def panorama(memory: Memory) -> Panorama:
    """Return the fixed places of all facts of a whole memory."""
    places = axis(memory.conversation)
    chains = lanes_of(memory)
    lane_of = {entry: n for n, chain in enumerate(chains) for entry in chain}
    entries = {e.id: e for e in (*memory.evolution.entries, *memory.evolution.merged)}
    taken: dict[tuple[float, float], int] = {}
    facts: list[tuple[EntryId, float, float]] = []
    for n, (fact, entry) in enumerate(sorted(entries.items())):
        x = places.x(entry.source_turns[0])
        if x is None:
            continue
        lane = lane_of.get(fact)
        y = -float(lane) if lane is not None else -len(chains) - (n % FOLDED_ROWS) * 0.4
        place = taken.get((x, y), 0)
        taken[x, y] = place + 1
        facts.append((fact, x + 0.28 * place, y))
    names = tuple(lane_name(entries[chain[-1]]) for chain in chains)
    return Panorama(places, tuple(facts), names, len(facts) - len(lane_of))


def lanes_of(memory: Memory) -> tuple[tuple[EntryId, ...], ...]:
    """Return the chains of facts joined by links or merges, those with a replaced value first."""
    graph = memory.evolution
    joins = [(e.older, e.newer) for e in graph.edges]
    merged = {e.id for e in graph.merged}
    joins += [(d.target, d.entry) for d in graph.decisions if d.entry in merged and d.target]
    roots: dict[EntryId, EntryId] = {}

    def root(fact: EntryId) -> EntryId:
        while fact in roots:
            fact = roots[fact]
        return fact

    for older, newer in joins:
        one, other = sorted((root(older), root(newer)))
        if one != other:
            roots[other] = one
    chains: dict[EntryId, list[EntryId]] = {}
    for fact in sorted({f for pair in joins for f in pair}):
        chains.setdefault(root(fact), []).append(fact)
    replaced = {e.older for e in graph.edges if e.supersedes}
    order = sorted(chains.values(), key=lambda c: (not replaced & set(c), c[0]))
    return tuple(tuple(chain) for chain in order[:MOST_LANES])


def lane_name(entry: Entry) -> str:
    """Return what a lane is about: subject and attribute, else the first word that names it."""
    subject = spelled(entry.subject, entry.restatement)
    found = " · ".join(p for p in (subject, attribute_words(entry.attribute)) if p)
    return found or entry.topic or next(iter(entry.entities), str(entry.id))


def attribute_words(attribute: str) -> str:
    """Return an attribute in the words of the screen; verbs and nouns of the dialogue as they are.

    >>> attribute_words("plan:trip to rome"), attribute_words("dog's name")
    ('plan: trip to rome', "dog's name")
    """
    if attribute.startswith("plan:"):
        return say("attribute.plan", what=attribute.removeprefix("plan:"))
    return say(f"attribute.{attribute}") if attribute in _NAMED else attribute.replace(":", ": ")


_NAMED: Final = frozenset({"home", "job", "name"})
"""Attributes that the extractors name themselves."""


def spelled(key: str, text: str) -> str:
    """Return a key as a text spells it; keys are case-folded, names on the screen are not.

    >>> spelled("ghent", "Ruth lives in Ghent now."), spelled("half marathon", "She ran it.")
    ('Ghent', 'half marathon')
    """
    at = text.lower().find(key)
    return text[at : at + len(key)] if key and at >= 0 else key


def figure(
    memory: Memory,
    places: Panorama,
    anchors: Sequence[Hyperedge],
    palette: Palette,
    chosen: Lit = NONE,
) -> go.Figure:
    """Return both memories on one axis; `anchors` are the rows to show, `chosen` selected ids.

    `memory` may be as of a session: what it does not know of is not drawn, and nothing moves.
    """
    lit = _lit(memory, chosen)
    traces = [
        *_updates(memory, places, palette),
        _merges(memory, places, palette),
        _facts(memory, places, palette, chosen, lit),
        *(_row(n, h, places.axis, palette, chosen) for n, h in enumerate(anchors)),
        _dialogue(memory, places.axis, palette, chosen, lit),
    ]
    return go.Figure(data=traces, layout=_layout(memory, places, anchors, palette))


def _lit(memory: Memory, chosen: Lit) -> Lit:
    """The ids that belong to the selection: a turn's facts, a fact's turns, an anchor's turns."""
    found: set[str] = set()
    for entry in memory.evolution.entries:
        turns = {str(t) for t in entry.source_turns}
        if str(entry.id) in chosen:
            found |= turns
        if not chosen.isdisjoint(turns):
            found.add(str(entry.id))
    rows = any(item.startswith("A") for item in chosen)
    for edge in memory.hypergraph.hyperedges if rows else ():
        if str(edge.id) in chosen:
            found |= {str(t) for t in edge.members}
    return frozenset(found)


def _updates(memory: Memory, places: Panorama, palette: Palette) -> list[go.Scatter]:
    """Links as arrows from the older fact to the newer: dashed where it was replaced."""
    edges = memory.evolution.edges
    return [
        _arrows([e for e in edges if e.supersedes], places, palette.fact, "dash"),
        _arrows([e for e in edges if not e.supersedes], places, faded(palette.quiet, 0.7), "solid"),
    ]


def _arrows(edges: Sequence[EvolutionEdge], places: Panorama, colour: str, dash: str) -> go.Scatter:
    at = {fact: (x, y) for fact, x, y in places.facts}
    drawn = [(at[e.older], at[e.newer]) for e in edges if e.older in at and e.newer in at]
    return go.Scatter(
        x=[x for (x0, _), (x1, _) in drawn for x in (x0, x1, None)],
        y=[y for (_, y0), (_, y1) in drawn for y in (y0, y1, None)],
        mode="lines+markers",
        yaxis="y3",
        hoverinfo="skip",
        line={"color": colour, "width": 1.5 if dash == "dash" else 1, "dash": dash},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "color": colour,
            "size": [0, 9, 0] * len(drawn),
            "standoff": [0, 5, 0] * len(drawn),
        },
        **FULL,
    )


def _merges(memory: Memory, places: Panorama, palette: Palette) -> go.Scatter:
    """Merged facts: a small hollow square at the source, a short line to the survivor."""
    at = {fact: (x, y) for fact, x, y in places.facts}
    targets = {d.entry: d.target for d in memory.evolution.decisions}
    xs: list[float | None] = []
    ys: list[float | None] = []
    ids: list[list[str]] = []
    for entry in memory.evolution.merged:
        survivor = targets.get(entry.id)
        if entry.id in at and survivor in at:
            (x0, y0), (x1, y1) = at[entry.id], at[survivor]
            xs += [x0, x1, None]
            ys += [y0, y1, None]
            ids += [[str(entry.id)], [str(survivor)], [""]]
    return go.Scatter(
        x=xs,
        y=ys,
        mode="lines+markers",
        yaxis="y3",
        name="merged",
        customdata=ids,
        text=[plain(f"{i[0]} {say('memory.fact_state.merged')}") for i in ids],
        hovertemplate="%{text}<extra></extra>",
        line={"color": faded(palette.fact, 0.6), "width": 1},
        marker={
            "symbol": ["square-open", "circle", "circle"] * (len(ids) // 3),
            "size": [8, 1, 1] * (len(ids) // 3),
            "color": palette.fact,
        },
        **FULL,
    )


def _facts(
    memory: Memory, places: Panorama, palette: Palette, selected: Lit, lit: Lit
) -> go.Scatter:
    entries = {e.id: e for e in memory.evolution.entries}
    replaced = {e.older for e in memory.evolution.edges if e.supersedes}
    drawn = [(f, x, y) for f, x, y in places.facts if f in entries]
    ids = [f for f, _, _ in drawn]
    beside = _beside(memory, places, replaced)
    joined = [f in beside for f in ids]
    chosen = [str(f) in selected for f in ids]
    near = [str(f) in lit for f in ids]
    return go.Scatter(
        x=[x for _, x, _ in drawn],
        y=[y for _, _, y in drawn],
        mode="markers+text",
        name="facts",
        yaxis="y3",
        customdata=[[str(f)] for f in ids],
        hovertext=[plain(f"{f} {entries[f].restatement}", 110) for f in ids],
        hovertemplate="%{hovertext}<extra></extra>",
        text=[plain(beside[f].words) if f in beside else "" for f in ids],
        textposition=["top left" if f in beside and beside[f].left else "top right" for f in ids],
        textfont={"size": 11, "color": palette.quiet},
        cliponaxis=False,
        marker={
            "symbol": ["circle-x-open" if f in replaced else "circle" for f in ids],
            "size": [
                12 if c or n else 9 if j else 5
                for c, n, j in zip(chosen, near, joined, strict=True)
            ],
            "color": [
                palette.accent if c else faded(palette.fact, 1 if n or j else 0.45)
                for c, n, j in zip(chosen, near, joined, strict=True)
            ],
        },
        **FULL,
    )


def _beside(memory: Memory, places: Panorama, replaced: set[EntryId]) -> dict[EntryId, Label]:
    """The words beside each fact of a lane, cut to the room between its neighbours."""
    entries = {e.id: e for e in memory.evolution.entries}
    lanes: dict[float, list[tuple[float, EntryId]]] = {}
    for fact, x, y in places.facts:
        if fact in entries and y > -len(places.lanes):
            lanes.setdefault(y, []).append((x, fact))
    found: dict[EntryId, Label] = {}
    for marks in map(sorted, lanes.values()):
        texts = [(x, _value(entries[f], was=f in replaced)) for x, f in marks]
        kept = labels(texts, places.axis.end)
        found |= {f: label for (_, f), label in zip(marks, kept, strict=True)}
    return found


def _value(entry: Entry, *, was: bool) -> str:
    """The value beside a mark, with a word where it is replaced or not simply asserted."""
    words = [say("memory.fact_state.superseded")] if was else []
    if entry.modality is not Modality.ASSERTED:
        words.append(say(f"modality.{entry.modality}"))
    if entry.value not in {entry.modality, say(f"modality.{entry.modality}")}:
        words.append(spelled(entry.value, entry.restatement))
    return " ".join(words)


def _row(row: int, edge: Hyperedge, places: Axis, palette: Palette, selected: Lit) -> go.Scatter:
    colour = palette.anchor(edge.anchor.kind)
    members = [t for t in edge.members if places.x(t) is not None]
    chosen = str(edge.id) in selected
    words = f"{edge.id} {edge.label or edge.anchor.key}"
    inks = [palette.accent if chosen or str(t) in selected else colour for t in members]
    return go.Scatter(
        x=list(spread(places, members)),
        y=[-row] * len(members),
        mode="lines+markers",
        name=str(edge.id),
        yaxis="y2",
        customdata=[[str(edge.id), str(t)] for t in members],
        text=[plain(f"{words} · {t}") for t in members],
        hovertemplate="%{text}<extra></extra>",
        line={"width": 1, "color": faded(colour, 0.35)},
        marker={
            "size": 7 if len(members) < CROWDED else 4,
            "color": inks,
            "symbol": ANCHOR_SYMBOLS[edge.anchor.kind],
        },
        **FULL,
    )


def _dialogue(
    memory: Memory, places: Axis, palette: Palette, selected: Lit, lit: Lit
) -> go.Scatter:
    speakers = memory.conversation.speakers
    silent = {d.item for d in memory.evolution.dropped}
    gated = {d.item for d in memory.evolution.dropped if d.reason is Reason.GATED}
    turns = memory.conversation.turns
    return go.Scatter(
        x=list(spread(places, (t.id for t in turns))),
        y=[-min(speakers.index(t.speaker), 3) for t in turns],
        mode="markers",
        name="turns",
        customdata=[[str(t.id)] for t in turns],
        text=[plain(f"{t.id} {t.speaker}: {t.text}", 110) for t in turns],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": ["circle-open" if t.id in gated else "line-ns" for t in turns],
            "size": [7 if t.id in gated else 9 for t in turns],
            "color": palette.ink,
            "line": {
                "width": [4 if str(t.id) in selected | lit else 1.6 for t in turns],
                "color": [_tick(t.id, selected, lit, t.id in silent, palette) for t in turns],
            },
        },
        **FULL,
    )


def _tick(turn: TurnId, selected: Lit, lit: Lit, silent: bool, palette: Palette) -> str:
    if str(turn) in selected:
        return palette.accent
    return faded(palette.ink, 0.3) if silent and str(turn) not in lit else palette.ink


def _layout(
    memory: Memory, places: Panorama, anchors: Sequence[Hyperedge], palette: Palette
) -> go.Layout:
    speakers, bands = memory.conversation.speakers[:4], places.axis.bands
    lanes = len(places.lanes)
    heights = (STRIP_HEIGHT, ROW_HEIGHT * max(len(anchors), 1), LANE_HEIGHT * (lanes + 3))
    total, at, domains = sum(heights) + 20, 0.0, []
    for size in heights:
        domains.append([at / total, min(1.0, (at + size) / total)])
        at += size + 10
    labels = [
        plain(f"{ANCHOR_MARKS[h.anchor.kind]} {h.label or h.anchor.key}", 18) for h in anchors
    ]
    fill = {"type": "rect", "fillcolor": palette.band, "line": {"width": 0}, "layer": "below"}
    over = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    names = [plain(s, 16) for s in speakers]
    return layout(palette, int(total) + 56).update(
        margin={"l": 132, "r": 8, "t": 8, "b": 44},
        xaxis={
            **STILL,
            "range": [-1, places.axis.end + 1],
            "anchor": "y",
            **ticks(bands, palette),
        },
        yaxis={**STILL, "domain": domains[0], **listed(names, len(speakers))},
        yaxis2={**STILL, "domain": domains[1], **listed(labels, len(anchors))},
        yaxis3={
            **STILL,
            "domain": domains[2],
            "range": [-lanes - 1.8, 0.8],
            "tickvals": [*(-n for n in range(lanes)), -lanes - 0.6],
            "ticktext": [
                *(plain(name, 18) for name in places.lanes),
                say("memory.folded", n=places.folded),
            ],
        },
        shapes=[{**over, **fill, "x0": b.left, "x1": b.right} for b in bands],
    )


def density(memory: Memory, as_of: int, palette: Palette) -> go.Figure:
    """Return the facts of each session as bars; those after the as-of session are hollow.

    Bars are slim, so that each stands above its session on the slider below.
    """
    sessions = [s.index for s in memory.conversation.sessions]
    counts = dict.fromkeys(sessions, 0)
    for entry in memory.evolution.entries:
        counts[entry.source_turns[0].session] += 1
    bars = go.Bar(
        x=sessions,
        y=list(counts.values()),
        hovertext=[say("memory.density_bar", session=s, n=n) for s, n in counts.items()],
        hovertemplate="%{hovertext}<extra></extra>",
        width=0.32,
        marker={
            "color": [faded(palette.fact, 0.8 if s <= as_of else 0.0) for s in sessions],
            "line": {"width": 1, "color": faded(palette.fact, 0.8)},
        },
    )
    return go.Figure(
        data=[bars],
        layout=layout(palette, 44).update(
            margin={"l": 0, "r": 0, "t": 4, "b": 0},
            font={"size": 11},
            xaxis={**STILL, "tickvals": [], "range": [sessions[0] - 0.2, sessions[-1] + 0.2]},
            yaxis={**STILL, "tickvals": []},
        ),
    )
