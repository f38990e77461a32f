"""Measure AriadneMem on every dialogue of a workspace: what is written, linked and found.

    python tests/benchmarks/bench_ariadnemem.py WORKSPACE [--dialogues N] [--links 50]
        [--every 3] [--paper-every 10] [--only NAME,...]

The workspace must hold dialogues with questions and a built memory, whose annotations and turn
vectors are read; the evolution graphs are made anew by the code as it stands, and nothing is
written. `--links N` prints N links of each preset, evenly sampled, to be read by hand.

Every third question is asked of each system, every tenth of `ariadnemem-paper`, which embeds a
text for each of about 25 gaps a question. Progress goes to the error stream.

An entry counts as its source turns. "dense, same tokens" is the recall of the entries nearest to
the question, filled to as many tokens as the packet has.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time

import numpy as np

from memcore.annotate.tokens import tokens
from memcore.context import pack
from memcore.evolution.base_graph import edges_of
from memcore.evolution.bridges import Components
from memcore.evolution.build import evolution, grow, sittings
from memcore.evolution.serialization import serialize
from memcore.evolution.states import States, states
from memcore.pipeline import language_spoken, offline_parts
from memcore.retrieval.ariadnemem import ariadnemem
from memcore.retrieval.listing import listed
from memcore.retrieval.loop import retrieve
from memcore.seams import Embedder, Extractor, Parts
from memcore.settings import BEST, PAPER, SAFE, Settings
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.types import (
    Annotation,
    Candidate,
    EdgeKind,
    Entry,
    EntryId,
    EvolutionGraph,
    GraphEdge,
    Item,
    Memory,
    Question,
    Reason,
    Trace,
    Turn,
    TurnId,
    Vectors,
)

SYSTEMS: Mapping[str, tuple[str, Settings]] = {
    "ariadnemem-paper": ("paper", PAPER),
    "ariadnemem-safe": ("safe", SAFE),
    "safe, no bridges": ("safe", replace(SAFE, bridges=False)),
    "safe, no paths": ("safe", replace(SAFE, mine_paths=False)),
    "ariadnemem-best": ("safe", BEST),
    "best, bridges on": ("safe", replace(BEST, bridges=True)),
}
BEGAN = perf_counter()
TIMED = 10
"""Questions of a dialogue that are timed, with the embedder as it is."""


@dataclass
class Remembering:
    """An embedder that makes each vector once: systems share most of their texts."""

    inner: Embedder
    known: dict[str, Vectors] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.inner.name

    def encode(self, texts: Sequence[str], /) -> Vectors:
        new = [t for t in dict.fromkeys(texts) if t not in self.known]
        if new:
            self.known.update(zip(new, self.inner.encode(new), strict=True))
        return np.array([self.known[t] for t in texts], dtype=np.float32)


@dataclass
class ReadOnce:
    """An extractor that reads each window once: two presets share nearly all of them."""

    inner: Extractor
    known: dict[tuple[object, ...], tuple[Entry, ...]] = field(default_factory=dict)

    def extract(
        self, turns: Sequence[Turn], annotations: Sequence[Annotation], earlier: Sequence[Entry], /
    ) -> tuple[Entry, ...]:
        key = (tuple(t.id for t in turns), tuple((e.restatement, e.subject) for e in earlier))
        if key not in self.known:
            self.known[key] = self.inner.extract(turns, annotations, earlier)
        return self.known[key]


@dataclass
class Figures:
    """What is counted over the questions of one system."""

    context: list[float] = field(default_factory=list)
    dense: list[float] = field(default_factory=list)
    listed25: list[float] = field(default_factory=list)
    dense25: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        """Return the figures as one row of a table."""
        recall = [f"{100 * mean(x):.1f}" for x in (self.context, self.dense, self.listed25)]
        c, n = self.counts, len(self.context)
        several = max(1, c["several gold"])
        shares = (
            f"{c['bridges'] / n:.1f}",
            f"{100 * c['new gold by bridge'] / n:.1f}",
            *(f"{100 * c[how] / several:.0f}" for how in ("joined", "by bridge", "path")),
        )
        cells = (
            name,
            f"{n}",
            *recall,
            f"{100 * mean(self.dense25):.1f}",
            f"{median(self.tokens):.0f}",
        )
        times = (f"{percentile(self.ms, 0.5):.0f}", f"{percentile(self.ms, 0.95):.0f}")
        return f"| {' | '.join((*cells, *shares, *times))} |"


def say(words: str) -> None:
    """Write how far it is to the error stream."""
    sys.stderr.write(f"{perf_counter() - BEGAN:5.0f} s  {words}\n")
    sys.stderr.flush()


def show(*lines: str) -> None:
    """Write lines to the terminal."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def recall(found: set[TurnId], gold: set[TurnId]) -> float:
    """Return the share of the gold turns that were found."""
    return len(gold & found) / len(gold)


def as_turns(
    items: Sequence[Item], behind: Mapping[EntryId, tuple[TurnId, ...]]
) -> tuple[TurnId, ...]:
    """Return the turns that a list of entries stands for, each once."""
    entries = (i for i in items if isinstance(i, EntryId))
    return tuple(dict.fromkeys(t for entry in entries for t in behind[entry]))


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of the values."""
    return float(np.quantile(values, share))


def sources(found: States, items: Sequence[EntryId]) -> set[TurnId]:
    """Return the turns that the entries stand for."""
    return {turn for item in items for turn in found.sources(item)}


@dataclass(frozen=True)
class Asked:
    """One memory, ready for the comparison with its nearest entries."""

    memory: Memory
    states: States
    costs: tuple[int, ...]

    def nearest(self, vector: Vectors) -> list[int]:
        scores = np.round(self.memory.vectors @ vector, 6)
        return [int(n) for n in np.lexsort((np.arange(len(scores)), -scores))]

    def within(self, order: Sequence[int], limit: int) -> set[TurnId]:
        """Return the turns of the nearest entries that fit in so many tokens."""
        kept: list[EntryId] = []
        for n in order:
            if self.costs[n] <= limit:
                limit -= self.costs[n]
                kept.append(self.memory.evolution.entries[n].id)
        return sources(self.states, kept)


def asked(memory: Memory) -> Asked:
    """Return the memory with the tokens that each entry takes in a packet."""
    entries = memory.evolution.entries
    lines = {e.id: serialize(memory, [Candidate(e.id, 0.0)], (), ()) for e in entries}
    costs = tuple(sum(tokens(line.text) for line in lines[e.id]) for e in entries)
    return Asked(memory, states(memory.evolution), costs)


def measure(
    one: Asked, questions: Sequence[Question], parts: Parts, settings: Settings, into: Figures
) -> None:
    """Ask all questions of a memory and count."""
    retriever = ariadnemem(one.memory, settings, parts, "measured")
    behind = {e.id: one.states.sources(e.id) for e in one.memory.evolution.entries}
    for question in questions:
        *_, trace = retrieve(retriever, question.text, question.asked_at.at)
        gold = set(question.evidence_turns)
        packet = pack(one.memory, trace)
        order = one.nearest(parts.embedder.encode([question.text])[0])
        into.tokens.append(packet.tokens)
        into.context.append(recall({t for s in packet.spans for t in s.sources}, gold))
        into.dense.append(recall(one.within(order, packet.tokens), gold))
        into.listed25.append(recall(set(as_turns(listed((trace,)), behind)[:25]), gold))
        ids = [one.memory.evolution.entries[n].id for n in order[:25]]
        into.dense25.append(recall(sources(one.states, ids), gold))
        into.counts.update(joined(one.states, trace, gold))


def joined(found: States, trace: Trace, gold: set[TurnId]) -> Iterator[str]:
    """Yield what bridges, edges and paths did for one question."""
    kept = {c.item for c in trace.candidates}
    bridges = [g.bridge for s in trace.steps for g in s.gaps if g.bridge]
    before = next((s.kept for s in trace.steps if s.name == "terminals"), ())
    known = sources(found, [c.item for c in before if isinstance(c.item, EntryId)])
    for bridge in bridges:
        yield "bridges"
        if bridge in kept and (set(found.sources(bridge)) & gold) - known:
            yield "new gold by bridge"
    if len(gold) < 2:
        return
    yield "several gold"
    items = [c.item for c in trace.candidates if isinstance(c.item, EntryId)]
    edges = edges_of(trace, items)
    plain = [e for e in edges if e.kind is not EdgeKind.BRIDGE]
    if together(found, items, plain, gold):
        yield "joined"
    elif together(found, items, edges, gold):
        yield "by bridge"
    paths = trace.steps[-1].paths
    if any(len(sources(found, p.entries) & gold) > 1 for p in paths):
        yield "path"


def together(
    found: States, items: Sequence[EntryId], edges: Sequence[GraphEdge], gold: set[TurnId]
) -> bool:
    """Whether entries of two gold turns lie in one component."""
    components = Components(items, edges)
    turns: dict[EntryId, set[TurnId]] = {}
    for item in items:
        turns.setdefault(components.of(item), set()).update(set(found.sources(item)) & gold)
    return any(len(known) > 1 for known in turns.values())


def time(
    one: Asked, questions: Sequence[Question], parts: Parts, settings: Settings, into: Figures
) -> None:
    """Time the first questions, from the question to the whole trace."""
    retriever = ariadnemem(one.memory, settings, parts, "timed")
    for question in (*questions[:1], *questions[:TIMED]):
        began = perf_counter()
        list(retrieve(retriever, question.text, question.asked_at.at))
        into.ms.append((perf_counter() - began) * 1000)
    del into.ms[-TIMED - 1 : -TIMED]


@dataclass
class Written:
    """What a preset wrote over all dialogues."""

    counts: Counter[str] = field(default_factory=Counter)
    links: list[str] = field(default_factory=list)

    def add(self, name: str, graph: EvolutionGraph, gold: set[TurnId], turns: int) -> None:
        self.counts["turns"] += turns
        self.counts["gold turns"] += len(gold)
        self.counts.update(d.action.value for d in graph.decisions)
        for drop in graph.dropped:
            self.counts[drop.reason.value] += 1
            self.counts[f"gold {drop.reason.value}"] += drop.item in gold
        entries = {e.id: e for e in (*graph.entries, *graph.merged)}
        reasons = {d.entry: d.change.value for d in graph.decisions}
        self.links += [
            f"{name} {e.similarity:.2f} {reasons[e.newer]} {'replaces' if e.supersedes else ''}\n"
            f"    {entries[e.older].restatement}\n    {entries[e.newer].restatement}"
            for e in graph.edges
        ]

    def line(self, name: str) -> str:
        c = self.counts
        decided = max(1, c["merge"] + c["link"] + c["add"])
        gated, silent = Reason.GATED.value, Reason.NO_STATEMENT.value
        cells = (
            name,
            f"{100 * c[gated] / c['turns']:.1f}",
            f"{c[f'gold {gated}']}",
            f"{100 * c[silent] / c['turns']:.1f}",
            f"{c[f'gold {silent}']} of {c['gold turns']}",
            *(f"{100 * c[a] / decided:.1f}" for a in ("merge", "link", "add")),
            f"{len(self.links)}",
        )
        return f"| {' | '.join(cells)} |"


def loaded(path: Path, only: frozenset[str]) -> Iterator[tuple[Memory, tuple[Question, ...]]]:
    """Yield each dialogue of the workspace with its questions that have evidence."""
    with open_workspace(path, read_only=True) as db:
        for dialogue in conversations.listing(db):
            questions = conversations.questions(db, dialogue.id)
            with_gold = tuple(q for q in questions if q.evidence_turns)
            memory = memories.load_memory(db, dialogue.id, SAFE)
            if with_gold and (not only or memory.conversation.key in only):
                yield memory, with_gold


def rebuilt(memory: Memory, parts: Parts, settings: Settings) -> Memory:
    """Return the memory with an evolution graph made by the code as it stands."""
    made = evolution(memory.conversation, memory.annotations, memory.turn_vectors, parts, settings)
    return replace(memory, evolution=made[0], vectors=made[1])


def appended(memory: Memory, parts: Parts) -> tuple[float, float]:
    """Return the seconds that the last session takes alone, and those of all sessions."""
    began = process_time()
    whole = sittings(memory.conversation, memory.annotations, memory.turn_vectors)
    graph, vectors = EvolutionGraph(), np.zeros((0, memory.vectors.shape[1]), dtype=np.float32)
    for sitting in whole[:-1]:
        graph, vectors = grow(graph, vectors, sitting, parts, SAFE)
    before = process_time()
    grow(graph, vectors, whole[-1], parts, SAFE)
    return process_time() - before, process_time() - began


def one_dialogue(
    memory: Memory,
    questions: Sequence[Question],
    every: tuple[int, int],
    written: Mapping[str, Written],
    figures: Mapping[str, Figures],
) -> str:
    """Measure one dialogue; return what its last session took."""
    real = offline_parts(language_spoken(memory.conversation))
    parts = replace(real, embedder=Remembering(real.embedder), extractor=ReadOnce(real.extractor))
    gold = {t for q in questions for t in q.evidence_turns}
    made: dict[str, Asked] = {}
    for preset, settings in (("paper", PAPER), ("safe", SAFE)):
        made[preset] = asked(rebuilt(memory, parts, settings))
        graph, name = made[preset].memory.evolution, memory.conversation.key
        written[preset].add(name, graph, gold, len(memory.conversation.turns))
        say(f"{name}: {preset} written, {len(graph.entries)} entries")
    for system, (preset, settings) in SYSTEMS.items():
        chosen = questions[:: every[settings is PAPER]]
        measure(made[preset], chosen, parts, settings, figures[system])
        say(f"{name}: {len(chosen)} questions asked of {system}")
        time(made[preset], questions, real, settings, figures[system])
    last, whole = appended(memory, real)
    turns = len(memory.conversation.sessions[-1].turns) / len(memory.conversation.turns)
    return f"{memory.conversation.key}: {last / whole:.3f} of the time, {turns:.3f} of the turns"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--links", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--dialogues", type=int, default=0, help="only the first n")
    parser.add_argument("--every", type=int, default=3, help="ask only each n-th question")
    parser.add_argument("--paper-every", type=int, default=10, help="the same for the paper preset")
    given = parser.parse_args()
    only = frozenset(filter(None, given.only.split(",")))
    written: dict[str, Written] = {"paper": Written(), "safe": Written()}
    figures = {name: Figures() for name in SYSTEMS}
    shares: list[str] = []
    every = given.every, given.paper_every
    for memory, questions in islice(loaded(given.workspace, only), given.dialogues or None):
        shares.append(one_dialogue(memory, questions, every, written, figures))
    print_all(written, figures, shares)
    for preset, one in written.items():
        step = max(1.0, len(one.links) / max(1, given.links))
        for n in range(min(given.links, len(one.links))):
            show(f"{preset} {n + 1} {one.links[int(n * step)]}")


def print_all(
    written: Mapping[str, Written], figures: Mapping[str, Figures], shares: Sequence[str]
) -> None:
    """Print all tables as Markdown."""
    show("| preset | turns gated % | gold gated | silent % | gold silent | merge % | link % |"
          " add % | links |")  # fmt: skip
    show("| --- |" + " ---: |" * 8)
    for name, one in written.items():
        show(one.line(name))
    show("")
    show("| system | questions | context recall | dense, same tokens | R@25 | dense, best 25 |"
          " tokens | bridges a question | new gold by a bridge % | gold joined % |"
          " only by a bridge % | by a path % | p50 ms | p95 ms |")  # fmt: skip
    show("| --- |" + " ---: |" * 13)
    for name, found in figures.items():
        show(found.line(name))
    show("", "last session appended:", *shares, "", *verdicts(written["safe"], figures))


def verdicts(safe: Written, figures: Mapping[str, Figures]) -> Iterator[str]:
    """Yield what is asked of the safe preset, and whether it holds."""
    found, gated = figures["ariadnemem-safe"], safe.counts[f"gold {Reason.GATED.value}"]
    yield f"safe, no gold turn gated: {'yes' if not gated else f'no, {gated}'}"
    ours, theirs = 100 * mean(found.context), 100 * mean(found.dense)
    held = "yes" if ours >= theirs else "no"
    yield f"safe, recall of the packet at least that of dense at its tokens: {held}, {ours:.1f} and {theirs:.1f}"
    middle = median(found.tokens)
    yield f"safe, median of at most 500 tokens: {'yes' if middle <= 500 else 'no'}, {middle:.0f}"


if __name__ == "__main__":
    main()
