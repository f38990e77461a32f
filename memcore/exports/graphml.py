"""Both memories as GraphML, which networkx, Gephi and yEd open.

The hypergraph is written as a bipartite graph: turns and anchors are nodes, told apart by `kind`.
Written by the standard library's XML writer; networkx's own was turned down, since it writes the
control characters that XML forbids and then cannot read its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from xml.etree import ElementTree as Xml

from memcore.exports.choice import About
from memcore.types import Entry, Memory

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_TYPES: Final[Mapping[type, str]] = {bool: "boolean", int: "int", float: "double", str: "string"}

_Value = bool | int | float | str
_Node = tuple[str, Mapping[str, _Value]]
_Edge = tuple[str, str, Mapping[str, _Value]]


def evolution(memory: Memory, about: Sequence[About] = ()) -> str:
    """Return the evolution graph: entries, the links between them, and what was merged."""
    graph = memory.evolution
    nodes = [
        *((str(e.id), _entry(e, merged=False)) for e in graph.entries),
        *((str(e.id), _entry(e, merged=True)) for e in graph.merged),
    ]
    links: list[_Edge] = [
        (
            str(e.older),
            str(e.newer),
            {
                "kind": e.kind,
                "supersedes": e.supersedes,
                "similarity": e.similarity,
                "overlap": e.overlap,
            },
        )
        for e in graph.edges
    ]
    merged = {e.id for e in graph.merged}
    merges: list[_Edge] = [
        (str(d.entry), str(d.target), {"kind": "merge", "similarity": d.similarity})
        for d in graph.decisions
        if d.entry in merged and d.target
    ]
    return _graphml(nodes, [*links, *merges], "directed", about)


def hypergraph(memory: Memory, about: Sequence[About] = ()) -> str:
    """Return the hypergraph as a bipartite graph of turns and anchors."""
    turns: list[_Node] = [
        (
            str(t.id),
            {
                "kind": "turn",
                "label": f"{t.speaker}: {t.content}",
                "said_at": t.said_at.isoformat() if t.said_at else "",
            },
        )
        for t in memory.conversation.turns
    ]
    anchors: list[_Node] = [
        (str(h.id), {"kind": h.anchor.kind.value, "label": h.label or h.anchor.key})
        for h in memory.hypergraph.hyperedges
    ]
    edges: list[_Edge] = [
        (str(h.id), str(m.turn), {"count": m.count, "role": m.role.value})
        for h in memory.hypergraph.hyperedges
        for m in h.memberships
    ]
    return _graphml([*turns, *anchors], edges, "undirected", about)


def _entry(entry: Entry, *, merged: bool) -> Mapping[str, _Value]:
    return {
        "kind": "merged" if merged else "entry",
        "label": entry.restatement,
        "time": entry.moment.isoformat() if entry.moment else "",
        "modality": entry.modality.value,
        "sources": " ".join(map(str, entry.source_turns)),
    }


def _graphml(
    nodes: Iterable[_Node], edges: Iterable[_Edge], direction: str, about: Sequence[About]
) -> str:
    root = Xml.Element("graphml", xmlns=_NAMESPACE)
    graph = Xml.Element("graph", edgedefault=direction)
    keys: dict[tuple[str, str], str] = {}
    _values(graph, "graph", {a.name.replace(" ", "_"): a.value for a in about}, keys)
    for name, values in nodes:
        _values(Xml.SubElement(graph, "node", id=name), "node", values, keys)
    for n, (source, target, values) in enumerate(edges):
        one = Xml.SubElement(graph, "edge", id=f"e{n}", source=source, target=target)
        _values(one, "edge", values, keys)
    for (owner, name), kind in keys.items():
        attributes = {"id": f"{owner}_{name}", "for": owner, "attr.name": name, "attr.type": kind}
        Xml.SubElement(root, "key", attributes)
    root.append(graph)
    Xml.indent(root, " ")
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _values(
    element: Xml.Element, owner: str, values: Mapping[str, _Value], keys: dict[tuple[str, str], str]
) -> None:
    for name, value in values.items():
        keys[owner, name] = _TYPES[type(value)]
        text = str(value).lower() if isinstance(value, bool) else str(value)
        Xml.SubElement(element, "data", key=f"{owner}_{name}").text = _FORBIDDEN.sub("", text)
