"""A network as one HTML file that opens offline: pyvis's lists, drawn by the vis-network it ships.

pyvis's own page was turned down: it links two files on other hosts even when asked for everything
in line, reads titles as markup, and cannot carry a content policy that names its scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from memcore.exports.choice import About, Choice, Subject, about
from memcore.exports.replay import Named, embedded, filled
from memcore.store import codec
from memcore.types import Memory
from memcore.views import network as views
from memcore.views.network import Focus, Net, NodeRow, Style
from memcore.views.strings import say
from memcore.views.theme import PALETTES


@dataclass(frozen=True, slots=True)
class NetworkPage:
    """What the page shows beside pyvis's lists."""

    language: str
    title: str
    said: str
    words: tuple[Named, ...]
    columns: tuple[str, ...]
    rows: tuple[NodeRow, ...]
    light: tuple[Style, ...]
    dark: tuple[Style, ...]
    about: tuple[About, ...]


def facts(subject: Subject, choice: Choice, whole: Memory) -> str:
    """Return the evolution graph around a run as a page."""
    return _page(subject, choice, whole, views.evolution)


def anchors(subject: Subject, choice: Choice, whole: Memory) -> str:
    """Return the hypergraph around a run as a page."""
    return _page(subject, choice, whole, views.hypergraph)


def vis() -> str:
    """Return the vis-network that pyvis ships, then what draws with it."""
    found = find_spec("pyvis")  # where it is; to import it would load networkx and IPython
    assert found is not None
    assert found.submodule_search_locations
    place = Path(found.submodule_search_locations[0])
    shipped = place.joinpath("templates", "lib", "vis-9.1.2", "vis-network.min.js")
    ours = files("memcore.views").joinpath("network.js")
    return f"{shipped.read_text('utf-8')}\n{ours.read_text('utf-8')}\n"


def said(net: Net, language: str = "") -> str:
    """Return what a network shows and leaves out, as one sentence."""
    return say(
        "network.said", language, shown=len(net.nodes), total=net.total, edges=len(net.edges)
    )


def _page(
    subject: Subject, choice: Choice, whole: Memory, view: Callable[[Memory, Focus], Net]
) -> str:
    language = choice.language
    net = view(subject.memory, Focus(subject.reply, subject.gold))
    kind = "facts" if view is views.evolution else "anchors"
    page = NetworkPage(
        language=language,
        title=subject.reply.trace.question or say(f"network.{kind}", language),
        said=said(net, language),
        words=tuple(Named(w, say(f"network.{w}", language)) for w in ("twin", "about", "none")),
        columns=tuple(say(f"node.{c}", language) for c in ("id", "kind", "words", "joined")),
        rows=views.node_rows(net),
        light=views.styles(PALETTES["light"]),
        dark=views.styles(PALETTES["dark"]),
        about=(*about(subject, choice, whole), About("nodes", f"{len(net.nodes)} of {net.total}")),
    )
    lists = views.drawn(net)
    plain = cast("dict[str, codec.Json]", codec.to_json(page))
    data = plain | {"nodes": lists.nodes, "edges": lists.edges}
    return filled("network", str(subject.records.run.id), embedded(data), before=vis())
