"""The six scenes of the Present page, each from recorded data: figure, sentence, twin, quotes.

A scene without material is left out and named as such by the page; nothing is made up for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from memcore.annotate.tokens import tokens
from memcore.context import turn_words
from memcore.types import (
    AnchorKind,
    Beat,
    Entry,
    EntryId,
    EvolutionEdge,
    Hyperedge,
    Item,
    Memory,
    Reply,
    Turn,
    TurnId,
)
from memcore.views import beats, evidence, life, rows, sheet
from memcore.views.axis import axis
from memcore.views.canvas import STILL
from memcore.views.sheet import Look
from memcore.views.strings import day, say
from memcore.views.theme import ANCHOR_MARKS, Palette, plain

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SCENES = 6
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
    """One scene: its number, its sentence, its figure with a table twin, and the quotes."""

    n: int
    sentence: str
    figure: go.Figure
    rows: tuple[DataclassInstance, ...]
    names: str
    quotes: tuple[Quote, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Failed:
    """A run that failed honestly: what was lost of its gold, where, and why."""

    run: int
    shown: Shown


def scenes(shown: Shown, failed: Failed | None) -> tuple[Scene | None, ...]:
    """Return the six scenes in their order, None for one without material."""
    made: tuple[Callable[[Shown], Scene | None], ...] = (talk, changed, chords, link, receipts)
    return (*(scene(shown) for scene in made), failure(failed) if failed else None)


# ---------------------------------------------------------------- 1: months of talk on one line


@dataclass(frozen=True, slots=True)
class TalkRow:
    """One session: when, how much was said, and how many facts it gave."""

    session: str
    date: str
    turns: int
    facts: int


def talk(shown: Shown) -> Scene | None:
    """Return the dialogue as ticks on one line, filling up with facts."""
    memory, palette = shown.memory, shown.palette
    if not memory.conversation.turns:
        return None
    places, speakers = axis(memory.conversation), memory.conversation.speakers
    found = _talk_rows(shown)
    rising, total = [], 0
    for row in found:
        total += row.facts
        rising.append(total)
    ticks = go.Scatter(
        x=list(places.places),
        y=[-min(speakers.index(t.speaker), 3) for t in memory.conversation.turns],
        mode="markers",
        marker={
            "symbol": "line-ns",
            "size": 26,
            "line": {"width": 2.4, "color": palette.ink},
            "color": palette.ink,
        },
        customdata=[[str(t.id)] for t in memory.conversation.turns],
        hoverinfo="skip",
        yaxis="y",
    )
    filled = go.Scatter(
        x=[b.right for b in places.bands],
        y=rising,
        mode="lines+markers",
        line={"shape": "hv", "color": palette.fact, "width": 3},
        fill="tozeroy",
        hoverinfo="skip",
        yaxis="y2",
    )
    layout = _layout(shown, 460) | {
        "xaxis": {
            **STILL,
            "range": [-1, places.end + 1],
            **sheet.ticks(places.bands, palette),
            "tickfont": {"size": 14, "color": palette.quiet},
        },
        "yaxis": {
            **STILL,
            "domain": [0, 0.34],
            **sheet.listed([plain(s, 14) for s in speakers[:4]], len(speakers[:4])),
        },
        "yaxis2": {
            **STILL,
            "domain": [0.42, 1],
            "rangemode": "tozero",
            "title": shown.say("present.facts_so_far"),
        },
    }
    counts = {
        "sessions": len(found),
        "turns": len(memory.conversation.turns),
        "facts": len(memory.evolution.entries),
        "anchors": len(memory.hypergraph.hyperedges),
        "first": found[0].date or found[0].session,
        "last": found[-1].date or found[-1].session,
    }
    figure = go.Figure([ticks, filled], layout)
    return Scene(1, shown.say("present.1.said", **counts), figure, found, "talk")


def _talk_rows(shown: Shown) -> tuple[TalkRow, ...]:
    memory, given = shown.memory, dict[int, int]()
    for e in memory.evolution.entries:
        given[e.source_turns[0].session] = given.get(e.source_turns[0].session, 0) + 1
    return tuple(
        TalkRow(
            f"D{s.index}",
            day(s.started_at, shown.language) if s.started_at else "",
            len(s.turns),
            given.get(s.index, 0),
        )
        for s in memory.conversation.sessions
    )


# ---------------------------------------------------------------- 2: a fact changed


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One value of a fact: what it was or is, said when and where."""

    id: str
    state: str
    fact: str
    said: str
    turns: str


def changed(shown: Shown) -> Scene | None:
    """Return one lane of the evolution graph: what was, and what replaced it."""
    edge = _change(shown)
    if edge is None:
        return None
    entries = {e.id: e for e in shown.memory.evolution.entries}
    older, newer = entries[edge.older], entries[edge.newer]
    pair = ((older, "was"), (newer, "is"))
    palette = shown.palette
    marks = go.Scatter(
        x=[0, 1],
        y=[0, 0],
        mode="markers+lines+text",
        line={"dash": "dash", "width": 3, "color": palette.fact},
        marker={
            "size": 34,
            "symbol": ["circle-x-open", "circle"],
            "color": palette.fact,
            "line": {"width": 3, "color": palette.fact},
        },
        text=[plain(f"{shown.say(f'present.{word}')} {_value(e)}", 46) for e, word in pair],
        textposition=["top right", "top left"],
        textfont={"size": 24, "color": palette.ink},
        customdata=[[str(older.id)], [str(newer.id)]],
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = _layout(shown, 240) | {
        "xaxis": {
            **STILL,
            "range": [-0.08, 1.08],
            "tickvals": [0, 1],
            "ticktext": [_date(shown, older), _date(shown, newer)],
        },
        "yaxis": {**STILL, "range": [-0.6, 1.4], "visible": False},
    }
    table = tuple(
        ChangeRow(
            str(e.id),
            shown.say(f"present.{word}"),
            e.restatement,
            _date(shown, e),
            " ".join(str(t) for t in e.source_turns),
        )
        for e, word in pair
    )
    said = shown.say("present.2.said", older=older.id, newer=newer.id)
    quotes = _quotes(shown, (*older.source_turns[:1], *newer.source_turns[:1]))
    return Scene(2, said, go.Figure([marks], layout), table, "change_row", quotes)


def _change(shown: Shown) -> EvolutionEdge | None:
    """The replaced fact that this run came nearest to: in its packet, among its candidates."""
    graph = shown.memory.evolution
    known = {e.id for e in graph.entries}
    packed = set(life.turns_of(shown.memory, shown.reply.context.items))
    found = [e for e in graph.edges if e.supersedes and {e.older, e.newer} <= known]
    sources = {e.id: set(e.source_turns) for e in graph.entries}

    def near(edge: EvolutionEdge) -> tuple[int, float, EntryId]:
        both = sources[edge.older] | sources[edge.newer]
        hits = len(both & set(shown.gold)) * 2 + len(both & packed)
        return (-hits, -edge.similarity, edge.older)

    return min(found, key=near, default=None)


def _value(entry: Entry) -> str:
    """The value in the case of the sentence; without one, the sentence."""
    at = entry.restatement.casefold().find(entry.value.casefold())
    if not entry.value or at < 0:
        return entry.value or entry.restatement
    return entry.restatement[at : at + len(entry.value)]


def _date(shown: Shown, entry: Entry) -> str:
    return f"{entry.source_turns[0]} · {day(entry.said_at, shown.language)}"


# ---------------------------------------------------------------- 3: the question plays its chords


def chords(shown: Shown) -> Scene | None:
    """Return the score sheet of the run at its Collect beat: rows lit, bars risen."""
    layout = sheet.sheet(shown.memory, shown.reply)
    if not layout.anchors:
        return None
    layout = replace(layout, anchors=layout.anchors[:8], facts=(), lanes=())
    step = beats.last_step(shown.reply.trace, Beat.COLLECT)
    figure = sheet.figure(
        shown.memory, shown.reply, layout, Look(step, shown.palette, "", shown.gold)
    ).figure()
    figure.update_layout(font={"size": FONT - 3}, height=520, margin={"l": 190})
    figure.update_xaxes(tickfont={"size": 14})
    figure.update_layout(legend={"font": {"size": 15}})
    anchors = {a for c in shown.reply.trace.cues for a in c.anchors}
    said = shown.say(
        "present.3.said",
        cues=sum(bool(c.anchors) for c in shown.reply.trace.cues),
        anchors=len(anchors),
        scored=len({c.item for s in shown.reply.trace.steps[: step + 1] for c in s.entered}),
        total=len(shown.memory.conversation.turns),
    )
    found = rows.cues(shown.memory, shown.reply, shown.language)
    return Scene(3, said, figure, found, "cue")


# ---------------------------------------------------------------- 4: the missing link


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One of the three: the two ends, and what joins them."""

    id: str
    part: str
    words: str


@dataclass(frozen=True, slots=True)
class _Join:
    """Two items and what lies between them: a bridge, a hop, or an anchor that both hold."""

    left: Item
    right: Item
    middle: str
    words: str
    kind: str
    quotes: tuple[TurnId, ...]


def link(shown: Shown) -> Scene | None:
    """Return two islands and what joins them: a bridge, else a hop or a key over sessions."""
    join = _bridge(shown) or _over_sessions(shown)
    if join is None:
        return None
    palette, words = shown.palette, rows.texts(shown.memory)
    hue = palette.bridge if join.kind == "bridge" else palette.co_occurrence
    ends = go.Scatter(
        x=[0, 0.5, 1],
        y=[0, 0.8, 0],
        mode="markers+lines+text",
        line={"width": 3, "color": hue},
        marker={
            "size": [30, 34, 30],
            "symbol": ["circle", "diamond" if join.kind == "bridge" else "triangle-up", "circle"],
            "color": [palette.fact, hue, palette.fact],
            "opacity": 1,
        },
        text=[str(join.left), plain(join.middle, 40), str(join.right)],
        textposition=["bottom center", "top center", "bottom center"],
        textfont={"size": 22, "color": palette.ink},
        customdata=[[str(join.left)], [_id(join.middle)], [str(join.right)]],
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = _layout(shown, 340) | {
        "xaxis": {**STILL, "range": [-0.15, 1.15], "visible": False},
        "yaxis": {**STILL, "range": [-0.5, 1.3], "visible": False},
    }
    said = shown.say(f"present.4.{join.kind}", left=join.left, right=join.right, middle=join.middle)
    table = (
        LinkRow(str(join.left), shown.say("present.end"), words.get(str(join.left), "")),
        LinkRow(_id(join.middle), shown.say("present.joins"), join.words),
        LinkRow(str(join.right), shown.say("present.end"), words.get(str(join.right), "")),
    )
    figure = go.Figure([ends], layout)
    return Scene(4, said, figure, table, "link_row", _quotes(shown, join.quotes))


def _id(text: str) -> str:
    return text.split(" ")[0] if text[:1] in {"A", "D", "E"} else ""


def _bridge(shown: Shown) -> _Join | None:
    """The bridge of the widest gap, one in the packet first."""
    packed = set(shown.reply.context.items)
    gaps = [g for s in shown.reply.trace.steps for g in s.gaps if g.bridge]
    entries = {e.id: e for e in shown.memory.evolution.entries}
    golden = {e.id for e in entries.values() if set(e.source_turns) & set(shown.gold)}
    order = sorted(
        gaps,
        key=lambda g: (
            -len({g.older, g.newer, g.bridge} & golden),
            g.bridge not in packed,
            -(g.hours or 0),
            g.older,
        ),
    )
    for gap in order:
        found = entries.get(gap.bridge) if gap.bridge else None
        if found is not None:
            three = (entries.get(gap.older), found, entries.get(gap.newer))
            turns = tuple(e.source_turns[0] for e in three if e)
            name, words = str(gap.bridge), found.restatement
            return _Join(gap.older, gap.newer, name, words, "bridge", turns)
    return None


def _over_sessions(shown: Shown) -> _Join | None:
    """The rarest name that two packed turns of different sessions hold, the evidence first."""
    packed = sorted(life.turns_of(shown.memory, shown.reply.context.items))
    gold = set(shown.gold)
    best: tuple[tuple[int, int, int], Hyperedge, TurnId, TurnId] | None = None
    for edge in shown.memory.hypergraph.hyperedges:
        if edge.anchor.kind is not AnchorKind.ENTITY:
            continue
        held = [t for t in packed if t in edge.members]
        first = min(held, key=lambda t: (t not in gold, t), default=None)
        others = [t for t in held if first and t.session != first.session]
        other = min(others, key=lambda t: (t not in gold, t), default=None)
        if first is None or other is None:
            continue
        rank = (-len({first, other} & gold), len(edge.members), edge.id.n)
        if best is None or rank < best[0]:
            best = (rank, edge, min(first, other), max(first, other))
    if best is None:
        return None
    _, edge, left, right = best
    name = f"{edge.id} {ANCHOR_MARKS[edge.anchor.kind]} {edge.label or edge.anchor.key}"
    words = " ".join(str(t) for t in edge.members)
    return _Join(left, right, name, words, "over", (left, right))


# ---------------------------------------------------------------- 5: the answer with receipts


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
        text=[f"{v:,}" for v in values],
        textposition="outside",
        textfont={"size": FONT + 2, "color": palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = _layout(shown, 220) | {
        "xaxis": {**STILL, "range": [0, max(values) * 1.15], "visible": False},
        "yaxis": {**STILL, "autorange": "reversed"},
        "margin": {"l": 190, "r": 20, "t": 10, "b": 10},
    }
    told = reply.answer.sentences
    table = tuple(ReceiptRow(s.text, " ".join(str(c) for c in s.citations)) for s in told)
    said = shown.say(
        "present.5.said",
        answer=reply.answer.text,
        tokens=reply.context.tokens,
        whole=whole,
        share=f"{100 * reply.context.tokens / max(whole, 1):.0f}",
    )
    cited = sorted(life.turns_of(shown.memory, reply.answer.citations))
    figure = go.Figure([bars], layout)
    return Scene(5, said, figure, table, "receipt_row", _quotes(shown, tuple(cited)))


# ---------------------------------------------------------------- 6: and where it failed


@dataclass(frozen=True, slots=True)
class LossRow:
    """One gold turn: whether it was packed, else where and why it was lost."""

    id: str
    stage: str
    reason: str
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
    counts = life.counts(shown.memory, shown.reply, shown.gold)
    palette = shown.palette
    left = [c.gold or 0 for c in counts]
    line = go.Scatter(
        x=[shown.say(f"beat.{c.beat.value}") for c in counts],
        y=left,
        mode="lines+markers+text",
        line={"shape": "hv", "width": 4, "color": palette.gold},
        marker={"size": 16, "symbol": "star", "color": palette.gold},
        text=[f"{n}" for n in left],
        textposition="top center",
        textfont={"size": FONT + 2, "color": palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )
    layout = _layout(shown, 320) | {
        "xaxis": {**STILL},
        "yaxis": {**STILL, "range": [-0.3, len(shown.gold) + 0.8], "dtick": 1},
    }
    table = _losses(shown)
    lost = next((r for r in table if r.stage), None)
    said = shown.say(
        "present.6.said",
        run=failed.run,
        question=shown.reply.trace.question,
        lost=len(shown.gold) - left[-2],
        total=len(shown.gold),
        stage=lost.stage if lost else shown.say("beat.6"),
        reason=lost.reason if lost else shown.say("beat.6.refused"),
    )
    return Scene(6, said, go.Figure([line], layout), table, "loss_row", _quotes(shown, shown.gold))


def _losses(shown: Shown) -> tuple[LossRow, ...]:
    ledger = rows.ledger(shown.memory, shown.reply, shown.gold, shown.language)
    packed = life.turns_of(shown.memory, shown.reply.context.items)
    found: list[LossRow] = []
    words = rows.texts(shown.memory)
    for turn in shown.gold:
        row = next((r for r in ledger if r.id == str(turn)), None)
        inside = turn in packed
        stage = "" if inside else (row.left if row and row.left else shown.say("present.never"))
        reason = shown.say("present.packed") if inside else (row.reason if row else "")
        found.append(LossRow(str(turn), stage, reason, words.get(str(turn), "")))
    return tuple(found)


def advice(scene: Scene) -> str:
    """Return the key of what one could change, by where the failure lost its evidence."""
    never = any(isinstance(r, LossRow) and r.stage for r in scene.rows)
    return "present.advice.lost" if never else "present.advice.reader"


# ---------------------------------------------------------------- shared


def _quotes(shown: Shown, turns: Sequence[TurnId]) -> tuple[Quote, ...]:
    known: dict[TurnId, Turn] = {t.id: t for t in shown.memory.conversation.turns}
    return tuple(
        Quote(
            str(t),
            f"{known[t].speaker} · {evidence.head(shown.memory, t, shown.language)}",
            known[t].content,
        )
        for t in dict.fromkeys(turns)
        if t in known
    )[:MOST_QUOTES]


def _layout(shown: Shown, height: int) -> dict[str, object]:
    palette = shown.palette
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
