"""A run as one HTML file that steps through its six beats, offline.

The page is constant: `pages/replay.html` with a style, a script and a place for data. The data is
JSON in a block that no browser runs, and the script puts it on the screen through text nodes
only. The content policy allows this very script and style by their digests and nothing else: no
request, no picture, no other script. Turned down: Plotly inside the file (4 MB, and its labels
read markup), and markup made here, which one forgotten escape would open.
All places are computed here once; a step changes emphasis in the page and moves nothing.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from importlib.resources import files
from math import fsum
from typing import TYPE_CHECKING, Final

from memcore.exports.choice import About, Choice, Subject, about
from memcore.settings import preset_of
from memcore.store import codec
from memcore.types import (
    PARTS,
    Beat,
    Candidate,
    EdgeKind,
    EntryId,
    Hyperedge,
    Item,
    Memory,
    Reply,
    Step,
    Turn,
)
from memcore.views import beats, life, rows
from memcore.views.axis import spread
from memcore.views.sheet import MOST_SPEAKERS, Sheet, sheet
from memcore.views.strings import minute, say, term_words
from memcore.views.theme import ANCHOR_MARKS, PALETTES, Palette

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

WORDS: Final = (
    *("back", "next", "keys", "ledger", "packet", "reader", "none", "clear", "search", "rows"),
    *("about", "gold", "cut_rows", "question", "sheet"),
)
"""The page's own words, by the last part of their key."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text; `ids` has the id that each row selects, empty for none."""

    title: str
    columns: tuple[str, ...]
    numbers: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A session on the axis."""

    left: float
    right: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A turn or a fact at its place."""

    id: str
    x: float
    y: float
    look: str


@dataclass(frozen=True, slots=True)
class Row:
    """An anchor: its label, the part whose hue it has, and the places of its member turns."""

    id: str
    label: str
    part: str
    xs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A score at its place: the amount of each term, in the order of the terms."""

    id: str
    x: float
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An edge between two facts."""

    source: str
    target: str
    look: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The score sheet: places that no step moves."""

    end: float
    bands: tuple[Band, ...]
    speakers: tuple[str, ...]
    turns: tuple[Mark, ...]
    rows: tuple[Row, ...]
    facts: tuple[Mark, ...]
    bars: tuple[Bar, ...]
    terms: tuple[str, ...]
    top: float


@dataclass(frozen=True, slots=True)
class Page:
    """One beat: its sentence, what is in full ink, what has a bar, its edges and tables."""

    n: int
    name: str
    used: bool
    sentence: str
    shown: str
    active: tuple[str, ...]
    scored: tuple[str, ...]
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """One sentence of the answer with the ids it cites, or a word on why it cites none."""

    text: str
    cites: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What the reader shows of an id."""

    id: str
    head: str
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A word of the page under its name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Replay:
    """All that the page shows."""

    language: str
    words: tuple[Named, ...]
    about: tuple[About, ...]
    question: str
    run: str
    warnings: tuple[str, ...]
    gold: tuple[str, ...]
    strip: Table
    picture: Picture
    pages: tuple[Page, ...]
    ledger: Table
    packet: Table
    answer: tuple[Answered, ...]
    reader: tuple[Told, ...]


def html(subject: Subject, choice: Choice, whole: Memory) -> str:
    """Return the page of a run whose text is cut already; `whole` is the memory for `N of M`."""
    data = replay(subject, choice, whole)
    return filled("replay", str(subject.records.run.id), embedded(codec.to_json(data)))


def filled(name: str, title: str, data: str, before: str = "") -> str:
    """Return a constant page with its style, script, policy and data put in.

    `before` is script that the page's own needs.
    """
    style, script, page = (_file(f"{name}.{end}") for end in ("css", "js", "html"))
    script = before + script
    style += _colours()
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {_digest(script)}; style-src {_digest(style)}"
    )
    parts = {"POLICY": policy, "STYLE": style, "SCRIPT": script, "RUN": title, "DATA": data}
    pieces = page.split("@@")
    return "".join(parts.get(piece, piece) for piece in pieces)


def embedded(plain: object) -> str:
    r"""Return JSON that cannot end the block it stands in, nor open a comment.

    >>> embedded("</script><!--")
    '"\\u003c/script\\u003e\\u003c!--"'
    """
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return files("memcore.exports").joinpath("pages", name).read_text("utf-8")


def _colours() -> str:
    """The palettes as variables of the style, so that a file has the colours of the app."""
    light, dark = (_variables(PALETTES[name]) for name in ("light", "dark"))
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{color-scheme:light;{light}}}}}\n"
    )


def _variables(palette: Palette) -> str:
    names = (f.name for f in fields(palette) if f.name != "name")
    return "".join(f"--{n.replace('_', '-')}:{getattr(palette, n)};" for n in names)


# ---------------------------------------------------------------- the data


def replay(subject: Subject, choice: Choice, whole: Memory) -> Replay:
    """Return what the page shows of a run."""
    memory, reply, language = subject.memory, subject.reply, choice.language
    counts = life.counts(memory, reply, subject.gold)
    strip = beats.strip(reply, counts, len(subject.gold), language)
    ledger = rows.ledger(memory, reply, subject.gold, language)
    return Replay(
        language=language,
        words=tuple(Named(w, say(f"replay.{w}", language)) for w in WORDS),
        about=about(subject, choice, whole),
        question=reply.trace.question or say("replay.no_text", language),
        run=_run_line(subject, language),
        warnings=_warnings(reply, language),
        gold=tuple(str(t) for t in subject.gold),
        strip=_table("", strip, "strip", language),
        picture=_picture(subject, language),
        pages=tuple(_page(subject, count, language) for count in counts),
        ledger=_table(say("step.ledger", language), ledger, "ledger", language),
        packet=_packet(subject, language),
        answer=_answer(reply, language),
        reader=_reader(memory, language),
    )


def _run_line(subject: Subject, language: str) -> str:
    run = subject.records.run
    return say(
        "step.run",
        language,
        run=run.id,
        retriever=run.retriever,
        preset=preset_of(run.settings),
        ms=f"{sum(run.milliseconds):.0f}",
        tokens=run.tokens,
        how=say("ask.counted" if run.counted else "ask.estimated", language),
    )


def _warnings(reply: Reply, language: str) -> tuple[str, ...]:
    subject = reply.trace.query.subject
    return tuple(
        say(f"warning.{w}", language, subject=subject, message=reply.trouble)
        for w in reply.warnings
    )


def _table(
    title: str, found: Sequence[DataclassInstance], names: str, language: str, most: int = 0
) -> Table:
    """Rows of values as text, under the column titles of the strings."""
    drawn = [asdict(row) for row in (found[:most] if most else found)]
    columns = tuple(drawn[0]) if drawn else ()
    if most and len(found) > most:
        title = f"{title} · {say('replay.cut', language, shown=most, total=len(found))}"
    return Table(
        title,
        tuple(say(f"{names}.{c}", language) for c in columns),
        tuple(isinstance(drawn[0][c], int | float) for c in columns),
        tuple(tuple(_cell(value) for value in row.values()) for row in drawn),
        tuple(str(row.get("id", "")) for row in drawn),
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _packet(subject: Subject, language: str) -> Table:
    found = rows.packet(subject.memory, subject.reply, subject.gold)
    return _table(say("step.packet", language), found, "packet", language)


def _answer(reply: Reply, language: str) -> tuple[Answered, ...]:
    if reply.answer is None:
        return (Answered(say("ask.no_answer", language), ()),)
    refused = reply.answer.refused
    return tuple(
        Answered(
            s.text,
            tuple(dict.fromkeys(str(c) for c in s.citations)),
            "" if s.citations or refused else say("ask.uncited", language),
        )
        for s in reply.answer.sentences
    ) or (Answered(reply.answer.text, tuple(str(c) for c in reply.answer.citations)),)


def _reader(memory: Memory, language: str) -> tuple[Told, ...]:
    turns = (
        Told(str(t.id), f"{t.speaker} · {_said(t, language)}", t.content)
        for t in memory.conversation.turns
    )
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    facts = (
        Told(str(e.id), " ".join(str(t) for t in e.source_turns), e.restatement) for e in entries
    )
    anchors = (
        Told(
            str(h.id),
            f"{ANCHOR_MARKS[h.anchor.kind]} {h.anchor.kind} · {h.label or h.anchor.key}",
            " ".join(str(t) for t in h.members),
        )
        for h in memory.hypergraph.hyperedges
    )
    return (*turns, *facts, *anchors)


def _said(turn: Turn, language: str) -> str:
    return minute(turn.said_at, language)


# ---------------------------------------------------------------- the picture


def _picture(subject: Subject, language: str) -> Picture:
    memory, reply = subject.memory, subject.reply
    layout, gold = sheet(memory, reply), set(subject.gold)
    spoken = memory.conversation.speakers
    turns = zip(memory.conversation.turns, layout.axis.places, strict=True)
    facts = _facts(memory, layout)
    names, bars = _bars(reply, layout, {f.id: f.x for f in facts})
    scores = [fsum(b.amounts) for b in bars]
    return Picture(
        end=layout.axis.end,
        bands=tuple(Band(b.left, b.right, b.label) for b in layout.axis.bands),
        speakers=spoken[:MOST_SPEAKERS],
        turns=tuple(
            Mark(
                str(t.id),
                x,
                min(spoken.index(t.speaker), MOST_SPEAKERS - 1),
                "gold" if t.id in gold else "",
            )
            for t, x in turns
        ),
        rows=tuple(_row(layout, h) for h in layout.anchors),
        facts=facts,
        bars=bars,
        terms=tuple(term_words(n, language) for n in names),
        top=max(scores, default=1.0) or 1.0,
    )


def _row(layout: Sheet, edge: Hyperedge) -> Row:
    part = dict(PARTS)[edge.anchor.kind]
    xs = spread(layout.axis, edge.members)
    label = f"{ANCHOR_MARKS[edge.anchor.kind]} {edge.label or edge.anchor.key}"
    return Row(str(edge.id), label, part.value, xs)


def _facts(memory: Memory, layout: Sheet) -> tuple[Mark, ...]:
    entries = {e.id: e for e in memory.evolution.entries}
    replaced = {e.older for e in memory.evolution.edges if e.supersedes}
    taken: dict[tuple[float, float], int] = {}
    found: list[Mark] = []
    for fact, lane in zip(layout.facts, layout.lanes, strict=True):
        x = layout.axis.x(entries[fact].source_turns[0])
        if x is None:
            continue
        n = taken[x, lane] = taken.get((x, lane), -1) + 1
        found.append(Mark(str(fact), x + 0.28 * n, lane, "was" if fact in replaced else ""))
    return tuple(found)


def _bars(
    reply: Reply, layout: Sheet, places: dict[str, float]
) -> tuple[tuple[str, ...], tuple[Bar, ...]]:
    """Return the names of the terms, and one bar an item: of the first channel that listed it."""
    first: dict[Item, Candidate] = {}
    for candidate in (c for step in reply.trace.steps for c in step.entered):
        first.setdefault(candidate.item, candidate)
    every = (c for step in reply.trace.steps for c in step.entered)
    names = tuple(sorted({t.name for c in every for t in c.terms})) or ("score",)
    found: list[Bar] = []
    for item, candidate in first.items():
        x = places.get(str(item)) if isinstance(item, EntryId) else layout.axis.x(item)
        if x is not None:
            found.append(Bar(str(item), x, tuple(_amount(candidate, name) for name in names)))
    return names, tuple(found)


def _amount(candidate: Candidate, name: str) -> float:
    if not candidate.terms:
        return round(candidate.score, 6)
    return round(fsum(t.amount for t in candidate.terms if t.name == name), 6)


# ---------------------------------------------------------------- the beats

_LOOKS: Final = {
    EdgeKind.ENTITY: "near",
    EdgeKind.TIME: "near",
    EdgeKind.LINK: "update",
    EdgeKind.SUCCESSOR: "update",
    EdgeKind.BRIDGE: "bridge",
}
MOST_ROWS: Final = 60
"""Rows of a beat's own table; the ledger holds all."""


def _page(subject: Subject, count: life.BeatCount, language: str) -> Page:
    memory, reply = subject.memory, subject.reply
    steps = reply.trace.steps[: beats.last_step(reply.trace, count.beat) + 1]
    active = steps[-1].kept if steps else ()
    edges = dict.fromkeys(e for s in steps for e in s.edges)
    kept = tuple(dict.fromkeys(str(c.item) for c in active))
    facts = any(isinstance(c.item, EntryId) for c in active)
    total = len(memory.evolution.entries if facts else memory.conversation.turns)
    return Page(
        n=count.beat.value,
        name=say(f"beat.{count.beat.value}", language),
        used=count.used,
        sentence=beats.sentence(memory, reply, count, language),
        shown=say("replay.in_play", language, active=len(kept), total=total),
        active=kept,
        scored=tuple(dict.fromkeys(str(c.item) for s in steps for c in s.entered)),
        lines=tuple(Line(str(e.source), str(e.target), _LOOKS[e.kind]) for e in edges),
        tables=tuple(t for t in _tables(subject, count.beat, language) if t.rows),
    )


def _tables(subject: Subject, beat: Beat, language: str) -> Iterable[Table]:
    """Yield what a beat did as tables: cues, stages, its candidates, bridges and paths."""
    memory, reply = subject.memory, subject.reply
    if beat in {Beat.CUE, Beat.ACTIVATE}:
        yield _table(
            say("step.cues", language), rows.cues(memory, reply, language), "cue", language
        )
    steps = beats.steps_of(reply.trace, beat)
    stages = tuple(rows.stage(step, language) for step in steps)
    yield _table(say("step.stage", language), stages, "stage_row", language)
    for step in steps:
        yield from _of_step(memory, step, language)
    if beat in {Beat.COLLECT, Beat.CONNECT}:
        names = {say(f"stage.{s.name}", language) for s in steps}
        every = rows.ledger(memory, reply, subject.gold, language)
        here = [r for r in every if r.entered in names]
        best = sorted(here, key=lambda r: (-r.score, r.rank, r.id))
        yield _table(say("step.entered", language), best, "ledger", language, MOST_ROWS)
    if beat is Beat.PACK:
        yield _packet(subject, language)


def _of_step(memory: Memory, step: Step, language: str) -> Iterable[Table]:
    ladder = rows.ladder(memory, step.gaps, language)
    yield _table(say("step.ladder", language), ladder, "ladder", language, MOST_ROWS)
    yield _table(say("step.paths", language), rows.paths(step), "path", language, MOST_ROWS)
    edges = rows.edges(step, language)
    yield _table(say("step.edges", language), edges, "edge_row", language, MOST_ROWS)
