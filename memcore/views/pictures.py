"""One picture for each beat: cues, activated anchors, ranked scores, and the token waterfall.

Every mark carries its id as first customdata; each picture has a row type of its own that the
table twin shows. Pictures of the time axis (arcs, ladder, path lanes) are in `graph_pictures`.
Hues of score terms follow the sheet: the same term has the same hue in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from memcore.annotate.tokens import tokens
from memcore.context import turn_words
from memcore.types import (
    AnchorKind,
    Beat,
    Cue,
    Drop,
    Item,
    Memory,
    Reason,
    Reply,
    TurnId,
)
from memcore.views.canvas import NONE, STILL, Lit, Part, Picture, bar, picture, still_frame
from memcore.views.life import Life, lives
from memcore.views.marks import FULL, listed
from memcore.views.score_terms import Piece, hue, legend_of, pieces
from memcore.views.strings import say
from memcore.views.theme import ANCHOR_MARKS, Palette, faded, plain

MOST_CANDIDATES = 40
"""Candidates of a channel that the rank picture shows; the ledger holds all."""

ROWS_A_PAGE = 20
"""Activated anchors of one page."""

MOST_BEYOND = 12
"""Items behind the cut line of the waterfall."""

ROW = 22

FAR = 1.5
"""From so many times the tokens drawn, a limit is not drawn to scale."""

STRIP_HEIGHT, STRIP_GAP = 120, 0.12
"""Pixels of a channel's strip of ranks, and the share of the height between two strips."""

BUDGETS = (
    Reason.OVER_SHARE,
    Reason.OVER_TURN_BUDGET,
    Reason.OVER_TOKEN_BUDGET,
    Reason.OVER_NODE_BUDGET,
)


# ---------------------------------------------------------------- 1 cue


def cue_strip(memory: Memory, reply: Reply, palette: Palette, lit: Lit = NONE) -> Picture:
    """Return the question's cues from left to right, as tall as the turns that each reaches.

    A cue that scores nothing is hollow; its reason stands in the hover text and in the table.
    """
    cues = sorted(reply.trace.cues, key=lambda c: (c.start, c.end, c.kind))
    wanted = {a for c in cues for a in c.anchors}
    sizes = {h.id: len(h.members) for h in memory.hypergraph.hyperedges if h.id in wanted}
    reached = [sum(sizes.get(a, 0) for a in c.anchors) for c in cues]
    hues = [palette.anchor(c.kind) for c in cues]
    chosen = [not lit.isdisjoint(map(str, c.anchors)) for c in cues]
    bars = bar(
        x=list(range(len(cues))),
        y=[max(n, 0.5) for n in reached],
        customdata=[[str(c.anchors[0]) if c.anchors else ""] for c in cues],
        text=[f"{n}" for n in reached],
        textposition="outside",
        cliponaxis=False,
        hovertext=[plain(_cue_words(c, reply), 110) for c in cues],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": [
                palette.accent if on else faded(h, 0.0 if c.reason else 1)
                for h, c, on in zip(hues, cues, chosen, strict=True)
            ],
            "line": {"width": 1.5, "color": hues},
        },
        **FULL,
    )
    names = [plain(f"{ANCHOR_MARKS[c.kind]} {_said(c, reply)}", 16) for c in cues]
    axes: Part = {
        "xaxis": {**STILL, "tickvals": list(range(len(cues))), "ticktext": names},
        "yaxis": {**STILL, "title": {"text": say("cue.turns")}, "nticks": 3},
    }
    return picture([bars], still_frame(palette, 220, left=60) | axes)


def _said(cue: Cue, reply: Reply) -> str:
    return reply.trace.question[cue.start : cue.end] or cue.key


def _cue_words(cue: Cue, reply: Reply) -> str:
    note = f" · {say(f'reason.{cue.reason}')}" if cue.reason else ""
    return f"{_said(cue, reply)} · {say(f'kind.{cue.kind}')} “{cue.key}”{note}"


# ---------------------------------------------------------------- 2 activate


@dataclass(frozen=True, slots=True)
class ActiveRow:
    """One anchor that a cue woke: its members and what it gave to the scores of this run."""

    id: str
    kind: str
    key: str
    turns: int
    gave: float
    note: str


def active(memory: Memory, reply: Reply) -> tuple[ActiveRow, ...]:
    """Return the activated anchors, the largest contribution first, then by id."""
    reasons = {a: c.reason for c in reply.trace.cues for a in c.anchors}
    gave: dict[str, list[float]] = {}
    for life in lives(reply):
        for term in life.candidate.terms:
            gave.setdefault(str(term.source), []).append(term.amount)
    found = [
        ActiveRow(
            str(h.id),
            f"{ANCHOR_MARKS[h.anchor.kind]} {say(f'kind.{h.anchor.kind}')}",
            h.label or h.anchor.key,
            len(h.members),
            round(fsum(gave.get(str(h.anchor), ())), 6),
            say(f"reason.{reasons[h.id]}") if reasons[h.id] else "",
        )
        for h in memory.hypergraph.hyperedges
        if h.id in reasons
    ]
    return tuple(sorted(found, key=lambda r: (-r.gave, -r.turns, int(r.id[1:]))))


def active_bars(rows: Sequence[ActiveRow], palette: Palette, lit: Lit = NONE) -> Picture:
    """Return one bar a row, as long as what the anchor gave; the number behind it is its turns."""
    marks = {mark: palette.anchor(kind) for kind, mark in ANCHOR_MARKS.items()}
    hues = [marks.get(r.kind[0], palette.anchor(AnchorKind.LEXICAL)) for r in rows]
    bars = bar(
        x=[r.gave for r in rows],
        y=[-n for n in range(len(rows))],
        orientation="h",
        customdata=[[r.id] for r in rows],
        text=[say("active.members", n=r.turns) for r in rows],
        textposition="outside",
        cliponaxis=False,
        hovertext=[plain(f"{r.id} {r.key} · {r.gave:g} {r.note}", 110) for r in rows],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": [palette.accent if r.id in lit else h for r, h in zip(rows, hues, strict=True)]
        },
        **FULL,
    )
    most = max((r.gave for r in rows), default=0.0) or 1.0
    names = [plain(f"{r.kind[0]} {r.key}", 18) for r in rows]
    axes: Part = {
        "xaxis": {**STILL, "range": [0, most * 1.25], "title": {"text": say("active.gave")}},
        "yaxis": {**STILL, **listed(names, len(rows))},
    }
    return picture([bars], still_frame(palette, 70 + ROW * max(len(rows), 1)) | axes)


# ---------------------------------------------------------------- 3 collect


@dataclass(frozen=True, slots=True)
class RankRow:
    """One candidate of one channel at its rank, and what became of it."""

    id: str
    channel: str
    rank: int
    score: float
    lists: str
    end: str


def ranks(reply: Reply, beat: Beat, stage: str = "") -> tuple[RankRow, ...]:
    """Return the candidates that entered in a beat, or a stage of it, by channel and rank."""
    return tuple(
        RankRow(
            str(life.item),
            say(f"stage.{life.channel or life.entered}"),
            life.rank,
            life.candidate.score,
            " · ".join(f"{say(f'stage.{p.list}')} #{p.rank}" for p in life.candidate.placements),
            _end(life),
        )
        for life in _entering(reply, beat, stage)
    )


def _entering(reply: Reply, beat: Beat, stage: str) -> list[Life]:
    found = [life for life in lives(reply) if life.beat is beat]
    return [life for life in found if stage in {"", life.entered}]


def _end(life: Life) -> str:
    if life.drop:
        return say(f"reason.{life.drop.reason}")
    if life.cited:
        return say("reason.cited")
    return say("reason.packed_uncited" if life.packed else "reason.merged_way")


def rank_bars(
    reply: Reply, beat: Beat, palette: Palette, lit: Lit = NONE, stage: str = ""
) -> Picture:
    """Return a strip of bars by rank for each channel of a beat, stacked by term.

    Faded bars did not reach the packet; the dashed line stands behind the last rank that did.
    """
    found = _entering(reply, beat, stage)
    channels = tuple(dict.fromkeys(life.channel or life.entered for life in found))
    shown = pieces(reply)
    lengths = Counter(x.channel or x.entered for x in found)
    longest = min(MOST_CANDIDATES, max([10, *lengths.values()]))
    parts, cuts = legend_of(shown, palette), list[Part]()
    axes: Part = {}
    for row, channel in enumerate(channels):
        mine = [x for x in found if (x.channel or x.entered) == channel][:MOST_CANDIDATES]
        held = [piece for piece in shown if any(piece.amount(x.candidate) for x in mine)]
        parts += [_rank_bar(mine, piece, (palette, lit)) | _on(row) for piece in held]
        axes |= _strip_axes(row, len(channels), channel, longest)
        cuts += _cut(row, mine, palette)
    height = 70 + STRIP_HEIGHT * max(len(channels), 1)
    frame = still_frame(palette, height, left=72, legend=any(piece.names for piece in shown))
    return picture(parts, frame | axes | {"barmode": "relative", "shapes": cuts})


def _on(row: int) -> Part:
    """The axes of a strip of the rank picture, the first on top."""
    return {"xaxis": f"x{row + 1 if row else ''}", "yaxis": f"y{row + 1 if row else ''}"}


def _strip_axes(row: int, rows: int, channel: str, longest: int) -> Part:
    place, on = (1 - STRIP_GAP * (rows - 1)) / rows, _on(row)
    top = 1 - row * (place + STRIP_GAP)
    x, y = str(on["xaxis"]), str(on["yaxis"])
    title = {"text": say("ledger.rank")} if row == rows - 1 else {}
    name = {"text": plain(say(f"stage.{channel}"), 16), "font": {"size": 12}}
    return {
        f"xaxis{x[1:]}": {**STILL, "range": [0.3, longest + 0.7], "anchor": y, "title": title},
        f"yaxis{y[1:]}": {
            **STILL,
            "nticks": 3,
            "title": name,
            "anchor": x,
            "domain": [max(0.0, top - place), top],
        },
    }


def _cut(row: int, mine: Sequence[Life], palette: Palette) -> list[Part]:
    """The dashed line behind the last rank of a strip that reached the packet."""
    last = max((x.rank for x in mine if x.packed), default=0)
    if not last or len(mine) <= last:
        return []
    on = _on(row)
    return [_upright(last + 0.5, palette, str(on["xaxis"]), f"{on['yaxis']} domain", "dash")]


def _upright(x: float, palette: Palette, across: str, along: str, dash: str) -> Part:
    line = {"color": palette.quiet, "width": 1, "dash": dash}
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1}
    return {"type": "line", "xref": across, "yref": along, **ends, "line": line}


def _rank_bar(mine: Sequence[Life], piece: Piece, look: tuple[Palette, Lit]) -> Part:
    palette, lit = look
    colour = piece.hue(palette)
    return bar(
        x=[x.rank for x in mine],
        y=[piece.amount(x.candidate) for x in mine],
        showlegend=False,
        customdata=[[str(x.item)] for x in mine],
        hovertext=[
            plain(f"{x.item} · #{x.rank} · {x.candidate.score:g} · {_end(x)}") for x in mine
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": [
                palette.accent if str(x.item) in lit else faded(colour, 1 if x.packed else 0.4)
                for x in mine
            ],
            "line": {"width": 0},
        },
        **FULL,
    )


# ---------------------------------------------------------------- 5 pack


@dataclass(frozen=True, slots=True)
class FallRow:
    """One stretch of the packet, or one item behind the cut line, with the running sum."""

    id: str
    part: str
    label: str
    tokens: int
    running: int
    fits: str


def waterfall_rows(memory: Memory, reply: Reply) -> tuple[FallRow, ...]:
    """Return the packet in the order sent, its frame, then what did not fit, each with its tokens.

    Tokens of what did not fit are counted as the budget counts them.
    """
    rows: list[FallRow] = []
    running = 0
    for span in reply.context.spans:
        running += span.tokens
        part = say(f"part.{span.part.replace(' ', '_')}")
        item = str(span.item) if span.item else ""
        rows.append(FallRow(item, part, span.label, span.tokens, running, WENT))
    if reply.context.overhead:
        running += reply.context.overhead
        rows.append(FallRow("", say("part.frame"), "", reply.context.overhead, running, WENT))
    for drop in _beyond(reply):
        size = _size(memory, drop.item)
        running += size
        why = say(f"reason.{drop.reason}")
        rows.append(FallRow(str(drop.item), say("part.beyond"), "", size, running, why))
    return tuple(rows)


WENT = "✓"


def _beyond(reply: Reply) -> tuple[Drop, ...]:
    """What a budget cut, the nearest first; items that came in by another way are left out."""
    packed = set(reply.context.items)
    drops = [d for s in reply.trace.steps for d in s.dropped if d.reason in BUDGETS]
    found = {d.item: d for d in reversed(drops) if d.item not in packed}
    order = sorted(found.values(), key=lambda d: (d.margin or 0.0, str(d.item)))
    return tuple(order[:MOST_BEYOND])


def _size(memory: Memory, item: Item) -> int:
    if isinstance(item, TurnId):
        turn = next((t for t in memory.conversation.turns if t.id == item), None)
        return tokens(turn_words(turn)) if turn else 0
    entry = next((e for e in memory.evolution.entries if e.id == item), None)
    return tokens(entry.restatement) if entry else 0


def waterfall(rows: Sequence[FallRow], limit: int, palette: Palette, lit: Lit = NONE) -> Picture:
    """Return the tokens as steps from left to right with the limit as a dashed line.

    What did not fit goes on behind it, hatched.
    """
    inside = [r for r in rows if r.fits == WENT]
    hues = {r.part: hue(palette, n) for n, r in enumerate({r.part: r for r in rows}.values())}
    bars = bar(
        x=list(range(len(rows))),
        y=[r.tokens for r in rows],
        base=[r.running - r.tokens for r in rows],
        customdata=[[r.id] for r in rows],
        hovertext=[
            plain(f"{r.part} {r.id} {r.label} · {r.tokens} → {r.running} · {r.fits}") for r in rows
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": [
                palette.accent
                if r.id in lit
                else faded(hues[r.part], 1 if r.fits == WENT else 0.45)
                for r in rows
            ],
            "pattern": {
                "shape": ["" if r.fits == WENT else "/" for r in rows],
                "fgcolor": palette.ink,
                "size": 5,
            },
            "line": {"width": 1, "color": palette.quiet},
        },
        **FULL,
    )
    names = {n: plain(r.label or r.id, 8) for n, r in enumerate(rows) if r.label or r.id}
    places = list(names)[:: len(names) // 12 + 1]
    most = max((r.running for r in rows), default=1)
    far = limit > FAR * most
    top = most if far else max(limit, most)
    cuts, notes = _limit(limit, 1.1 * top if far else limit, palette)
    if len(inside) < len(rows):
        cuts.append(_upright(len(inside) - 0.5, palette, "x", "y domain", "dot"))
        notes.append(_note(say("fall.beyond"), len(inside) - 0.5, 0, palette.quiet))
    axes: Part = {
        "xaxis": {
            **STILL,
            "tickvals": places,
            "ticktext": [names[n] for n in places],
            "tickangle": 0,
        },
        "yaxis": {
            **STILL,
            "nticks": 4,
            "range": [0, top * 1.2],
            "title": {"text": say("packet.tokens")},
        },
        "shapes": cuts,
        "annotations": notes,
    }
    return picture([bars], still_frame(palette, 260, left=60) | axes)


def _limit(limit: int, at: float, palette: Palette) -> tuple[list[Part], list[Part]]:
    """The limit as a dashed line with its words; none where the packet has no limit.

    A limit far above the packet stands at the top with an arrow: drawn to scale it would press
    the packet into a flat line.
    """
    if not limit:
        return [], []
    line = {"color": palette.defect, "width": 1.5, "dash": "dash"}
    ends = {"x0": 0, "x1": 1, "y0": at, "y1": at}
    said = say("fall.limit" if at == limit else "fall.limit_far", limit=limit)
    shape: Part = {"type": "line", "xref": "x domain", "yref": "y", **ends, "line": line}
    return [shape], [_note(said, 0, at, palette.defect, "x domain")]


def _note(said: str, x: float, y: float, colour: str, across: str = "x") -> Part:
    """Words that begin at a place of the picture."""
    return {
        "text": said,
        "font": {"size": 11, "color": colour},
        "showarrow": False,
        "x": x,
        "xref": across,
        "xanchor": "left",
        "y": y,
        "yref": "y",
        "yanchor": "bottom",
    }


# ---------------------------------------------------------------- 6 answer


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One sentence of the answer beside what it cites; or what was packed and never cited."""

    id: str
    sentence: str
    cites: str
    flag: str


def sentences(reply: Reply) -> tuple[SentenceRow, ...]:
    """Return the answer's sentences with their citations and flags, then the unused packet."""
    answer = reply.answer
    if answer is None:
        return ()
    rows = [
        SentenceRow(
            str(s.citations[0]) if s.citations else "",
            s.text,
            " ".join(dict.fromkeys(str(c) for c in s.citations)),
            "" if s.citations or answer.refused else say("ask.uncited"),
        )
        for s in answer.sentences
    ]
    absent = (SentenceRow("", "", name, say("answer.absent")) for name in answer.absent)
    cited = set(answer.citations)
    unused = (i for i in dict.fromkeys(reply.context.items) if i not in cited)
    rest = (SentenceRow(str(i), "", str(i), say("reason.packed_uncited")) for i in unused)
    return (*rows, *absent, *rest)
