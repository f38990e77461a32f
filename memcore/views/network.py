"""The two networks: the evolution graph, and the hypergraph as turns and anchors.

Places depend on the memory alone: x is the one time axis, y the lane of a fact, the row of a
speaker, or the kind of an anchor; no force moves a node. What is drawn is bounded by relevance to
the selection and the run, never by the first so many, and the sentence says how many there are.
Nodes and edges go through pyvis, whose lists both the page's component and the offline file draw.
Labels and titles are plain text; `href` is broken by a word joiner, since pyvis reads a title that
holds it as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from memcore.types import (
    PARTS,
    AnchorKind,
    EntryId,
    Hyperedge,
    Item,
    Memory,
    Part,
    Reply,
    TurnId,
)
from memcore.views.axis import axis
from memcore.views.life import turns_of
from memcore.views.panorama import panorama
from memcore.views.theme import ANCHOR_MARKS, Palette, faded

if TYPE_CHECKING:
    from pyvis.network import Network

MOST_NODES = 400
HOPS = 2
CROWDED = 60
"""Nodes from which a turn that is not in play has no label; its title has it."""

MOST_SHARED = 12
"""Facts that an entity may join; one that is named everywhere joins nothing."""

WIDTH, LANES_HEIGHT, SPEAKER_ROW = 1500.0, 520.0, 44.0
"""Pixels of the whole axis, of all lanes of facts, and of one speaker's row, before any zoom."""

LIGHT_KINDS = frozenset({AnchorKind.ENTITY, AnchorKind.MONTH, AnchorKind.YEAR, AnchorKind.DAY})
"""Anchor kinds drawn without being asked for: sessions, windows and speakers join everything."""

COMMON_SHARE = 0.2
"""An anchor in more of the turns than this is drawn only if the question or a click names it."""

ROWS: Mapping[Part, float] = {
    Part.CO_OCCURRENCE: -170.0,
    Part.TEMPORAL: -60.0,
    Part.EPISODIC: 200.0,
}
"""Where the anchors of each part stand: above and below the turns."""


@dataclass(frozen=True, slots=True)
class Node:
    """A fact, a turn or an anchor at its fixed place; `look` names its style."""

    id: str
    label: str
    title: str
    x: float
    y: float
    look: str
    active: bool = False
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two nodes; `look` names its style."""

    source: str
    target: str
    look: str


@dataclass(frozen=True, slots=True)
class Net:
    """What is drawn: nodes, edges among them, and how many nodes the whole has."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Focus:
    """What a view is bounded by: the run's items, gold turns, and the selected id."""

    reply: Reply | None = None
    gold: tuple[TurnId, ...] = ()
    selected: str = ""


# ---------------------------------------------------------------- the evolution graph


def evolution(memory: Memory, focus: Focus = Focus()) -> Net:
    """Return the facts around the selection or the run, with stored links and the run's edges."""
    graph = memory.evolution
    edges = [
        *(
            Edge(str(e.older), str(e.newer), "update" if e.supersedes else "link")
            for e in graph.edges
        ),
        *_merges(memory),
        *_run_edges(focus.reply),
        *_shared(memory),
    ]
    active = {str(i) for i in _kept(focus.reply) if isinstance(i, EntryId)}
    golden = _gold_facts(memory, focus.gold)
    nodes = _fact_nodes(memory, frozenset(active), golden)
    chosen = _facts_of(memory, focus.selected)
    return _bounded(nodes, edges, chosen, (*sorted(active), *sorted(golden)))


def _facts_of(memory: Memory, selected: str) -> tuple[str, ...]:
    """Return the selected fact, or the facts that the selected turn gave."""
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    if selected.startswith("D"):
        return tuple(str(e.id) for e in entries if selected in map(str, e.source_turns))
    return tuple(str(e.id) for e in entries if str(e.id) == selected)


def _shared(memory: Memory) -> Iterable[Edge]:
    """Join the facts of each rare entity in the order in which they were said."""
    found: dict[str, list[str]] = {}
    for e in memory.evolution.entries:
        for name in e.entities:
            found.setdefault(name, []).append(str(e.id))
    for facts in found.values():
        if len(facts) <= MOST_SHARED:
            yield from (Edge(a, b, "near") for a, b in pairwise(facts))


def _merges(memory: Memory) -> Iterable[Edge]:
    merged = {e.id for e in memory.evolution.merged}
    for d in memory.evolution.decisions:
        if d.entry in merged and d.target is not None:
            yield Edge(str(d.entry), str(d.target), "merge")


def _run_edges(reply: Reply | None) -> Iterable[Edge]:
    looks = {"entity": "near", "time": "near", "link": "link", "successor": "link"}
    steps = reply.trace.steps if reply else ()
    for e in dict.fromkeys(e for s in steps for e in s.edges):
        yield Edge(str(e.source), str(e.target), looks.get(e.kind, e.kind))


def _fact_nodes(memory: Memory, active: frozenset[str], gold: frozenset[str]) -> dict[str, Node]:
    graph = memory.evolution
    replaced = {e.older for e in graph.edges if e.supersedes}
    at = _fact_places(memory)
    found: dict[str, Node] = {}
    for e in graph.entries:
        if e.id in at:
            look = "was" if e.id in replaced else "fact"
            found[str(e.id)] = _node(e.id, str(e.id), e.restatement, at[e.id], look, active, gold)
    homes = {d.entry: d.target for d in graph.decisions}
    for n, e in enumerate(graph.merged):
        home = found.get(str(homes.get(e.id)))
        if home:
            place = home.x + 18 + 6 * (n % 3), home.y + 30
            found[str(e.id)] = _node(e.id, str(e.id), e.restatement, place, "merged", active, gold)
    return found


def _fact_places(memory: Memory) -> dict[EntryId, tuple[float, float]]:
    """Facts on the time axis in the lanes of their chains, fitted to one sheet."""
    places = panorama(memory)
    wide = WIDTH / max(places.axis.end, 1.0)
    most = max((-y for _, _, y in places.facts), default=0.0)  # a chart's y grows upwards
    high = LANES_HEIGHT / max(most, 1.0)
    taken: dict[tuple[float, float], int] = {}
    found: dict[EntryId, tuple[float, float]] = {}
    for fact, x, y in places.facts:
        near = round(x * wide / 24), y
        taken[near] = n = taken.get(near, -1) + 1
        found[fact] = x * wide, -y * high + 34 * n
    return found


def _gold_facts(memory: Memory, gold: tuple[TurnId, ...]) -> frozenset[str]:
    wanted = set(gold)
    return frozenset(str(e.id) for e in memory.evolution.entries if wanted & set(e.source_turns))


# ---------------------------------------------------------------- the hypergraph


def hypergraph(memory: Memory, focus: Focus = Focus()) -> Net:
    """Return turns and anchors around the selection or the run; a spoke for each membership."""
    packed = turns_of(memory, tuple(_packed(focus.reply)))
    active = frozenset(str(t) for t in packed) | _cued(focus.reply)
    golden = frozenset(str(t) for t in focus.gold)
    drawn = [h for h in memory.hypergraph.hyperedges if _wanted(h, memory, active, focus.selected)]
    nodes = _turn_nodes(memory, active, golden) | _anchor_nodes(memory, drawn, active)
    edges = [Edge(str(h.id), str(t), "spoke") for h in drawn for t in h.members]
    chosen = tuple(n for n in _turns_of(memory, focus.selected) if n in nodes)
    return _bounded(nodes, edges, chosen, (*sorted(golden), *sorted(active)))


def _turns_of(memory: Memory, selected: str) -> tuple[str, ...]:
    """Return the selected turn or anchor, or the turns that a selected fact came from."""
    if not selected.startswith("E"):
        return (selected,)
    entries = (*memory.evolution.entries, *memory.evolution.merged)
    return tuple(str(t) for e in entries if str(e.id) == selected for t in e.source_turns)


def _wanted(edge: Hyperedge, memory: Memory, active: frozenset[str], selected: str) -> bool:
    if str(edge.id) == selected or str(edge.id) in active:
        return True
    most = COMMON_SHARE * len(memory.conversation.turns)
    return edge.anchor.kind in LIGHT_KINDS and 1 < len(edge.members) <= max(most, 2)


def _turn_nodes(memory: Memory, active: frozenset[str], gold: frozenset[str]) -> dict[str, Node]:
    places = axis(memory.conversation)
    wide = WIDTH / max(places.end, 1.0)
    speakers = memory.conversation.speakers
    return {
        str(t.id): _node(
            t.id,
            str(t.id),
            f"{t.speaker}: {t.content}",
            (x * wide, min(speakers.index(t.speaker), 3) * SPEAKER_ROW + 9 * (t.id.turn % 4)),
            "turn",
            active,
            gold,
        )
        for t, x in zip(memory.conversation.turns, places.places, strict=True)
    }


def _anchor_nodes(
    memory: Memory, drawn: Sequence[Hyperedge], active: frozenset[str]
) -> dict[str, Node]:
    places = axis(memory.conversation)
    found: dict[str, Node] = {}
    for h in drawn:
        xs = [x for t in h.members if (x := places.x(t)) is not None]
        part = dict(PARTS)[h.anchor.kind]
        step = {Part.CO_OCCURRENCE: -30, Part.TEMPORAL: -12, Part.EPISODIC: 24}[part]
        y = ROWS[part] + step * (h.id.n % 7)
        words = h.label or h.anchor.key
        label = f"{ANCHOR_MARKS[h.anchor.kind]} {_short(words, 18)}"
        place = fmean(xs or [0.0]) * WIDTH / max(places.end, 1.0), y
        found[str(h.id)] = _node(h.id, label, words, place, part.value, active, frozenset())
    return found


# ---------------------------------------------------------------- bounds


def _kept(reply: Reply | None) -> Iterable[Item]:
    return (c.item for c in reply.trace.candidates) if reply else ()


def _packed(reply: Reply | None) -> Iterable[Item]:
    return reply.context.items if reply else ()


def _cued(reply: Reply | None) -> frozenset[str]:
    cues = reply.trace.cues if reply else ()
    return frozenset(str(a) for cue in cues if not cue.reason for a in cue.anchors)


def _bounded(
    nodes: Mapping[str, Node],
    edges: Sequence[Edge],
    selected: Sequence[str],
    active: Sequence[str],
) -> Net:
    """Return at most MOST_NODES: those that a view is about, then what is joined to them.

    A selection shows its ego network of two hops; a run, its items and their neighbours; neither,
    the nodes that are joined most stand for the whole.
    """
    near = _neighbours(nodes, edges)
    seeds, hops = (selected, HOPS) if selected else (active, 1)
    chosen = dict.fromkeys(s for s in seeds if s in nodes)
    if not chosen:
        order = {name: n for n, name in enumerate(nodes)}
        chosen = dict.fromkeys(sorted(nodes, key=lambda n: (-len(near[n]), order[n])))
    layer = list(chosen)
    for _ in range(hops):
        found = dict.fromkeys(n for one in layer for n in near[one] if n not in chosen)
        layer = sorted(found, key=lambda n: (len(near[n]), n))
        chosen |= dict.fromkeys(layer)
    kept = dict.fromkeys(list(chosen)[:MOST_NODES])
    shown = tuple(node for name, node in nodes.items() if name in kept)
    lines = dict.fromkeys(e for e in edges if e.source in kept and e.target in kept)
    return Net(shown, tuple(lines), len(nodes))


def _neighbours(nodes: Mapping[str, Node], edges: Sequence[Edge]) -> dict[str, dict[str, None]]:
    """Return what each node is joined to, in a fixed order."""
    near: dict[str, dict[str, None]] = {name: {} for name in nodes}
    for e in edges:
        if e.source in near and e.target in near:
            near[e.source][e.target] = None
            near[e.target][e.source] = None
    return near


def _node(  # noqa: PLR0913 - one argument for each thing that a node shows
    item: object,
    label: str,
    words: str,
    place: tuple[float, float],
    look: str,
    active: frozenset[str],
    gold: frozenset[str],
) -> Node:
    name = str(item)
    title = plain_title(f"{name} · {_short(words, 160)}")
    x, y = (round(at, 2) for at in place)
    return Node(name, plain_title(label), title, x, y, look, name in active, name in gold)


def plain_title(text: str) -> str:
    r"""Return text in which pyvis and vis-network see no markup: one line, `href` broken.

    >>> plain_title("see href and HREF") == "see h\u2060ref and H\u2060REF"
    True
    """
    line = " ".join(text.split())
    at = line.casefold().find("href")
    while at >= 0 and len(line.casefold()) == len(line):
        line = f"{line[: at + 1]}\u2060{line[at + 1 :]}"
        at = line.casefold().find("href", at + 2)
    return line.replace("href", "h\u2060ref")


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


# ---------------------------------------------------------------- what is drawn


def drawn(net: Net, selected: str = "") -> Network:
    """Return the pyvis network: fixed places, no physics; styles are named by `group`."""
    from pyvis.network import Network  # on first use: it loads networkx and IPython

    made = Network(cdn_resources="in_line")
    crowded = len(net.nodes) > CROWDED
    for node in net.nodes:
        chosen = node.id == selected
        silent = crowded and node.look == "turn" and not (chosen or node.active or node.gold)
        made.add_node(
            node.id,
            label=" " if silent else node.label,
            title=node.title,
            x=node.x,
            y=node.y,
            physics=False,
            fixed=True,
            group="selected" if chosen else node.look,
            opacity=1.0 if node.active or node.gold or chosen else 0.55,
            borderWidth=4 if chosen or node.gold else 1,
            shape=SHAPES[node.look],
            size=SIZES[node.look],
            gold=node.gold,
        )
    for edge in net.edges:
        dashes = edge.look in {"update", "merge", "near"}
        made.add_edge(edge.source, edge.target, look=edge.look, dashes=dashes)
    return made


SHAPES: Mapping[str, str] = {
    "fact": "dot",
    "was": "triangleDown",
    "merged": "square",
    "turn": "dot",
    Part.CO_OCCURRENCE.value: "diamond",
    Part.TEMPORAL.value: "square",
    Part.EPISODIC.value: "triangle",
}
SIZES: Mapping[str, int] = {
    "fact": 11,
    "was": 11,
    "merged": 6,
    "turn": 8,
    Part.CO_OCCURRENCE.value: 10,
    Part.TEMPORAL.value: 9,
    Part.EPISODIC.value: 9,
}


@dataclass(frozen=True, slots=True)
class Style:
    """The colour of one look in one theme."""

    name: str
    colour: str


def styles(palette: Palette) -> tuple[Style, ...]:
    """Return the colours of all looks in a theme."""
    return (
        Style("fact", palette.fact),
        Style("was", palette.quiet),
        Style("merged", palette.quiet),
        Style("turn", palette.quiet),
        Style(Part.CO_OCCURRENCE.value, palette.co_occurrence),
        Style(Part.TEMPORAL.value, palette.temporal),
        Style(Part.EPISODIC.value, palette.episodic),
        Style("selected", palette.accent),
        Style("gold", palette.gold),
        Style("ink", palette.ink),
        Style("paper", palette.paper),
        Style("update", palette.fact),
        Style("link", palette.quiet),
        Style("merge", palette.quiet),
        Style("near", palette.rule),
        Style("spoke", faded(palette.quiet, 0.45)),
        Style("bridge", palette.bridge),
    )


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node in the table twin."""

    id: str
    kind: str
    words: str
    joined: int


def node_rows(net: Net) -> tuple[NodeRow, ...]:
    """Return the nodes drawn, those joined most first."""
    count: dict[str, int] = {}
    for edge in net.edges:
        for name in (edge.source, edge.target):
            count[name] = count.get(name, 0) + 1
    found = (NodeRow(n.id, n.look, n.title, count.get(n.id, 0)) for n in net.nodes)
    return tuple(sorted(found, key=lambda r: (-r.joined, r.id)))
