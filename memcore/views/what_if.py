"""The What-if page's values: fields by cost, what moved, flip points and sweeps in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from memcore.settings import Settings
from memcore.types import Beat, EntryId, Item, Memory, Reply, Trace, TurnId
from memcore.views.life import counts, lives, stars, turns_of
from memcore.views.rows import texts
from memcore.views.strings import say
from memcore.views.theme import Palette, faded
from memcore.what_if.difference import Difference, Shift
from memcore.what_if.flip import Flip, NoFlip
from memcore.what_if.knobs import Cost, groups
from memcore.what_if.sweep import Swept, can_sweep, flats


@dataclass(frozen=True, slots=True)
class Field:
    """One setting as an input: its kind, the run's value, its range, its source and trade."""

    name: str
    kind: str
    value: float | bool
    low: float | None
    high: float | None
    note: str


def field_groups(trace: Trace) -> tuple[tuple[Cost, tuple[Field, ...]], ...]:
    """Return the settings that act on a run's retriever by what a change of each costs."""
    known = {f.name: f for f in fields(Settings)}
    return tuple(
        (
            cost,
            tuple(
                Field(
                    name,
                    str(known[name].type),
                    getattr(trace.settings, name),
                    known[name].metadata["low"],
                    known[name].metadata["high"],
                    f"{known[name].metadata['source']}: {known[name].metadata['note']}",
                )
                for name in sorted(names, key=_weights_last)
            ),
        )
        for cost, names in groups(trace)
    )


def _weights_last(name: str) -> bool:
    """Budgets, shares and counts are what people try first; the other settings keep their order."""
    return not (name.endswith(("_k", "_share")) or "budget" in name)


def sweepable(trace: Trace) -> tuple[str, ...]:
    """Return the settings of a run's retriever that a sweep can take over a range, budgets first."""
    wanted = (Cost.INSTANT, Cost.LOCAL)
    names = [name for cost, found in groups(trace) if cost in wanted for name in found]
    budgets = [name for name in names if name in ("turn_budget", "entry_budget")]
    return tuple(name for name in dict.fromkeys((*budgets, *names)) if can_sweep(name))


# ---------------------------------------------------------------- what moved


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """What one stage kept now and not before, the other way, and at another rank."""

    beat: str
    stage: str
    entered: int
    left: int
    moved: int


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One item that came into the packet, left it, or has another rank."""

    id: str
    gold: str
    change: str
    before: str
    after: str
    words: str


def shift_rows(found: Difference, language: str = "") -> tuple[ShiftRow, ...]:
    """Return the stages where anything changed; the packet has a line of its own."""
    return tuple(
        ShiftRow(
            f"{s.beat.value} {say(f'beat.{s.beat.value}', language)}",
            say(f"stage.{s.stage}", language),
            *(len(s.entered), len(s.left), len(s.moved)),
        )
        for s in found.changed
        if s.stage != "packet"
    )


def packet_rows(
    memory: Memory, found: Difference, gold: tuple[TurnId, ...], language: str = ""
) -> tuple[PacketRow, ...]:
    """Return what changed in the packet: entered first, then left, then moved."""
    words, marked = texts(memory), set(gold)
    packed = found.packed

    def row(shift: Shift, change: str) -> PacketRow:
        golden = bool(marked & turns_of(memory, (shift.item,))) if marked else False
        return PacketRow(
            str(shift.item),
            "★" if golden else "",
            say(f"what_if.{change}", language),
            "" if shift.before is None else str(shift.before),
            "" if shift.after is None else str(shift.after),
            words.get(str(shift.item), ""),
        )

    return (
        *(row(s, "entered") for s in packed.entered),
        *(row(s, "left") for s in packed.left),
        *(row(s, "moved") for s in packed.moved),
    )


def headline(found: Difference, language: str = "") -> str:
    """Return what changed in the packet in one line."""
    packed = found.packed
    if not found.changed:
        return say("what_if.same_run", language)
    return say(
        "what_if.headline",
        language,
        entered=len(packed.entered),
        left=len(packed.left),
        moved=len(packed.moved),
    )


def price(found: Difference, language: str = "") -> str:
    """Return items and tokens of the packet before and after."""
    return say(
        "what_if.price",
        language,
        items=found.items[0],
        items_after=found.items[1],
        tokens=found.tokens[0],
        tokens_after=found.tokens[1],
        change=f"{found.tokens[1] - found.tokens[0]:+,d}",
    )


def gold_line(
    memory: Memory, before: Reply, after: Reply, gold: tuple[TurnId, ...], language: str = ""
) -> str:
    """Return the gold in the packet before and after, and at the beats where it differs before.

    Empty without gold.
    """
    if not gold:
        return ""
    pairs = zip(counts(memory, before, gold), counts(memory, after, gold), strict=True)
    parts = (
        say(
            "what_if.gold_at",
            language,
            beat=say(f"beat.{one.beat.value}", language),
            before=stars(one.gold or 0, len(gold)),
            after=stars(other.gold or 0, len(gold)),
        )
        for one, other in pairs
        if one.beat is Beat.PACK or (one.beat < Beat.PACK and one.gold != other.gold)
    )
    return " · ".join(parts)


# ---------------------------------------------------------------- flip points


def followed(memory: Memory, reply: Reply, selected: str) -> Item | None:
    """Return the item of a run that a selection stands for.

    In a run of facts a turn stands for the fact made of it that came furthest.
    """
    if selected[:1] == "E":
        return EntryId.parse(selected)
    if selected[:1] != "D":
        return None
    turn = TurnId.parse(selected)
    found = [life for life in lives(reply) if life.item == turn]
    made = {e.id for e in memory.evolution.entries if turn in e.source_turns}
    facts = [life for life in lives(reply) if life.item in made]
    if found or not facts:
        return turn
    order = [step.name for step in reply.trace.steps]
    return max(
        facts, key=lambda f: (f.packed, order.index(f.left) if f.left else len(order), -f.rank)
    ).item


def flip_sentence(item: Item, found: Flip | NoFlip, language: str = "") -> str:
    """Return a flip point with its price, or why there is none."""
    if isinstance(found, NoFlip):
        return say(f"what_if.flip.{found}", language, id=item)
    return say(
        "what_if.flip",
        language,
        id=item,
        setting=found.setting,
        value=found.value,
        before=found.before,
        others=found.others,
        lost=found.lost,
        tokens=f"{found.tokens:+,d}",
        reason=say(f"reason.{found.reason}", language),
    )


# ---------------------------------------------------------------- sweeps


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One value of a sweep: gold found, its share, and the tokens a question."""

    value: str
    found: str
    share: str
    tokens: str


def sweep_rows(swept: Swept, language: str = "") -> tuple[SweepRow, ...]:
    """Return one row a value; the share is n.a. where no gold is known."""
    return tuple(
        SweepRow(
            _value(p.value, language),
            f"{p.found}/{p.gold}" if p.gold else say("compare.na", language),
            f"{100 * p.found / p.gold:.1f}" if p.gold else say("compare.na", language),
            f"{p.tokens / p.questions:,.0f}",
        )
        for p in swept.points
    )


def _value(value: float | bool, language: str = "") -> str:
    if isinstance(value, bool):
        return say("what_if.on" if value else "what_if.off", language)
    return f"{value:g}"


def sweep_sentence(swept: Swept, now: float | bool, language: str = "") -> str:
    """Return where the curve is best, and where it is flat."""
    points = swept.points
    if not points or not points[0].gold:
        return say("what_if.no_gold", language)
    top = max(p.found for p in points)
    best = next(p for p in points if p.found == top)
    said = say(
        "what_if.sweep_best",
        language,
        found=top,
        gold=best.gold,
        setting=swept.setting,
        value=_value(best.value, language),
        now=_value(now, language),
    )
    level = [
        say("what_if.flat", language, low=_value(a.value), high=_value(b.value))
        for a, b in flats(points)
    ]
    return " ".join((said, *level))


def sweep_figure(swept: Swept, now: float | bool, look: Palette, language: str = "") -> go.Figure:
    """Return gold found and tokens a question over the values, on one axis of values."""
    labels = [_value(p.value, language) for p in swept.points]
    places = list(range(len(labels)))
    titles = (say("what_if.gold_axis", language), say("what_if.tokens_axis", language))
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, subplot_titles=titles)
    series = (
        ([p.found for p in swept.points], look.gold, "circle"),
        ([p.tokens / p.questions for p in swept.points], look.ink, "square"),
    )
    for row, (values, colour, symbol) in enumerate(series, 1):
        figure.add_trace(
            go.Scatter(
                x=places,
                y=values,
                mode="lines+markers",
                line={"color": colour, "width": 2},
                marker={"symbol": symbol, "size": 8, "color": colour},
                hovertemplate="%{y:,.0f}<extra></extra>",
            ),
            row=row,
            col=1,
        )
        figure.update_yaxes(
            row=row, col=1, rangemode="tozero", gridcolor=faded(look.rule, 0.6), fixedrange=True
        )
    if _value(now, language) in labels:
        figure.add_vline(
            x=labels.index(_value(now, language)), line={"color": look.quiet, "dash": "dot"}
        )
    figure.update_xaxes(tickvals=places, ticktext=labels, fixedrange=True, showgrid=False)
    figure.update_layout(
        paper_bgcolor=look.paper,
        plot_bgcolor=look.paper,
        font={"color": look.ink, "size": 13},
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        height=360,
        showlegend=False,
        dragmode=False,
    )
    return figure


def names_of(changes: Sequence[tuple[str, object, object]]) -> str:
    """Return changed settings as `turn_budget 20 → 42`."""
    return " · ".join(f"{name} {_shown(old)} → {_shown(new)}" for name, old, new in changes)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _value(value)
    return f"{value:g}" if isinstance(value, float | int) else str(value)


def field_of(message: str) -> str:
    """Return the setting that a refusal names, empty if it names none.

    >>> field_of("core, co-occurrence and temporal share add up to 1.1; expected 1")
    'core_share'
    >>> field_of("turn_budget is 0; expected 1 to")
    'turn_budget'
    """
    if "share add up" in message:
        return "core_share"
    name = message.split(" ", 1)[0]
    return name if name in {f.name for f in fields(Settings)} else ""
