"""Random values for the tests of the store: conversations, memories and replies that keep the law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from hypothesis import strategies as st
from sqlite_utils import Database

from memcore.settings import PAPER, SAFE
from memcore.store.schema import transaction
from memcore.types import (
    Action,
    Anchor,
    AnchorId,
    AnchorKind,
    Annotation,
    Answer,
    Attachment,
    Beat,
    BridgeCandidate,
    Candidate,
    Change,
    Comparison,
    Context,
    Conversation,
    Cue,
    Decision,
    Drop,
    EdgeKind,
    Entry,
    EntryId,
    EvolutionEdge,
    EvolutionGraph,
    Gap,
    Grain,
    GraphEdge,
    GraphPath,
    Hyperedge,
    Hypergraph,
    Interval,
    Item,
    Membership,
    Mention,
    Person,
    Placement,
    Query,
    Question,
    Quote,
    Reason,
    Reply,
    Rest,
    SaidTime,
    Sentence,
    Session,
    Span,
    SpanPart,
    Step,
    Term,
    TimeExpression,
    Trace,
    Turn,
    TurnId,
    Usage,
    Warning,
)

texts = st.text(st.characters(codec="utf-8"), max_size=12)
words = st.text("abcdefgh 我们=<'\"", min_size=1, max_size=6)
moments = st.integers(0, 2**31).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
numbers = st.floats(-1000, 1000).map(lambda x: round(x, 6))
turn_ids = st.builds(TurnId, st.integers(1, 4), st.integers(1, 6))
entry_ids = st.builds(EntryId, st.integers(1, 20))
items: st.SearchStrategy[Item] = turn_ids | entry_ids


def clear(db: Database) -> None:
    """Delete all dialogues: one example of a property test must not meet the one before."""
    with transaction(db):
        db.execute("DELETE FROM conversations")


def few(strategy: st.SearchStrategy, most: int = 3) -> st.SearchStrategy:
    return st.lists(strategy, max_size=most).map(tuple)


intervals = st.builds(Interval, moments, moments, st.sampled_from(Grain))
said_times = st.builds(SaidTime, at=st.none() | moments, original=texts)
turn_bodies = st.builds(
    Turn,
    id=st.just(TurnId(1, 1)),
    speaker=words,
    text=texts,
    caption=texts,
    said=said_times,
    attachments=few(st.builds(Attachment, texts, texts, texts), 2),
    quotes=few(st.builds(Quote, texts, texts), 2),
    edited=st.booleans(),
)


@st.composite
def conversations(draw: Callable, key: str = "") -> Conversation:
    """A conversation of one to four sessions whose turns have keys of their own."""
    sessions = []
    for index in range(1, draw(st.integers(1, 4)) + 1):
        turns = tuple(
            replace(body, id=TurnId(index, n), key=f"k{index}.{n}")
            for n, body in enumerate(draw(st.lists(turn_bodies, min_size=1, max_size=4)), 1)
        )
        sessions.append(Session(index, turns, draw(said_times), source_id=f"s{index}"))
    persons = draw(few(st.builds(Person, words, words, few(words))))
    return Conversation(draw(words), tuple(sessions), key, "own", draw(texts), persons)


questions = st.builds(
    Question,
    id=st.uuids().map(str),
    text=texts,
    answer=texts,
    category_code=st.none() | st.integers(0, 9),
    evidence_turns=few(turn_ids),
    evidence_sessions=few(st.integers(1, 9)),
    evidence_raw=few(texts),
    abstain=st.booleans(),
    asked_at=said_times,
)


def annotations_of(conversation: Conversation, draw: Callable) -> tuple[Annotation, ...]:
    kinds = st.sampled_from([AnchorKind.ENTITY, AnchorKind.LEXICAL])
    mentions = few(st.builds(Mention, st.integers(0, 9), st.integers(0, 9), kinds, words))
    times = few(st.builds(TimeExpression, st.integers(0, 9), st.integers(0, 9), intervals), 2)
    return tuple(
        Annotation(turn.id, draw(mentions), draw(times), draw(st.sampled_from(["en", "zh"])))
        for turn in conversation.turns
    )


def hypergraph_of(conversation: Conversation, draw: Callable) -> Hypergraph:
    """Every turn, in order, in one of a few anchors, which are numbered as they appear."""
    anchors = [Anchor(AnchorKind.ENTITY, key) for key in ("ana", "porto", "tea")]
    members: dict[Anchor, list[Membership]] = {}
    for turn in conversation.turns:
        anchor = draw(st.sampled_from(anchors))
        spans = draw(few(st.tuples(st.integers(0, 9), st.integers(0, 9)), 2))
        members.setdefault(anchor, []).append(Membership(turn.id, len(spans), spans=spans))
    return Hypergraph(
        tuple(
            Hyperedge(AnchorId(n), anchor, tuple(ms), draw(texts))
            for n, (anchor, ms) in enumerate(members.items(), 1)
        )
    )


def evolution_of(conversation: Conversation, draw: Callable) -> list[EvolutionGraph]:
    """The graph after each session; every session adds a few entries and drops its last turn."""
    graph, graphs, n = EvolutionGraph(), [], 0
    for session in conversation.sessions:
        for _ in range(draw(st.integers(0, 2))):
            n += 1
            graph = _with_entry(graph, _entry(n, session, draw), draw)
        drop = Drop(session.turns[-1].id, Reason.GATED, draw(numbers), 0.8, other=EntryId(1))
        graph = replace(graph, dropped=(*graph.dropped, drop))
        graphs.append(graph)
    return graphs


def _entry(n: int, session: Session, draw: Callable) -> Entry:
    return Entry(
        EntryId(n),
        draw(texts),
        (session.turns[0].id,),
        draw(few(words)),
        draw(few(words)),
        time=draw(st.none() | intervals),
        said_at=draw(st.none() | moments),
        subject=draw(texts),
    )


def _with_entry(graph: EvolutionGraph, entry: Entry, draw: Callable) -> EvolutionGraph:
    action = draw(st.sampled_from(Action)) if graph.entries else Action.ADD
    target = graph.entries[0].id if action is not Action.ADD else None
    compared = draw(few(st.builds(Comparison, entry_ids, numbers, numbers)))
    change = draw(st.sampled_from(Change))
    decision = Decision(entry.id, action, target, draw(numbers), draw(numbers), change, compared)
    graph = replace(graph, decisions=(*graph.decisions, decision))
    if action is Action.MERGE:
        return replace(graph, merged=(*graph.merged, entry))
    if action is Action.LINK and target is not None:
        edge = EvolutionEdge(target, entry.id, draw(numbers), draw(numbers), draw(st.booleans()))
        graph = replace(graph, edges=(*graph.edges, edge))
    return replace(graph, entries=(*graph.entries, entry))


def rows_of(count: int) -> np.ndarray:
    """One vector a row, all different."""
    return np.arange(count * 3, dtype=np.float32).reshape(count, 3) / 7


# ---------------------------------------------------------------- replies

sources = st.none() | items | st.builds(Anchor, st.sampled_from(AnchorKind), words)
terms = st.builds(Term, words, numbers, sources)
candidates = st.builds(
    Candidate,
    items,
    numbers,
    few(terms, 2),
    st.sampled_from(["core", "temporal"]),
    few(st.builds(Placement, words, st.integers(1, 9)), 1),
)
maybe = st.none() | numbers
edges = st.builds(GraphEdge, items, items, st.sampled_from(EdgeKind), few(words), maybe, maybe)
paths = st.builds(GraphPath, few(entry_ids), maybe)
reasons = st.sampled_from(Reason)
tried = st.builds(BridgeCandidate, entry_ids, numbers, st.none() | reasons)
gaps = st.builds(
    Gap,
    entry_ids,
    entry_ids,
    maybe,
    few(words),
    st.none() | entry_ids,
    st.none() | reasons,
    few(tried),
)


@st.composite
def steps(draw: Callable, given: tuple[Candidate, ...]) -> Step:
    """A step that keeps, drops, orders and scores anew what came, and loses nothing."""
    entered = draw(few(candidates, 4))
    kept, dropped = [], []
    for c in draw(st.permutations((*given, *entered))):
        fate = draw(st.sampled_from(["stay", "stay", "score", "drop"]))
        if fate == "drop":
            other = draw(st.none() | items)
            dropped.append(Drop(c.item, draw(reasons), draw(maybe), draw(maybe), c.channel, other))
        else:
            kept.append(replace(c, score=draw(numbers)) if fate == "score" else c)
    rest = draw(few(st.builds(Rest, st.integers(1, 9), reasons, numbers, numbers), 1))
    return Step(
        draw(words),
        draw(st.sampled_from(Beat)),
        given,
        entered,
        tuple(kept),
        tuple(dropped),
        draw(few(edges, 2)),
        draw(few(paths, 2)),
        draw(few(gaps, 2)),
        rest,
        draw(st.booleans()),
        draw(st.booleans()),
        draw(texts),
    )


spans = st.builds(
    Span,
    st.sampled_from(SpanPart),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 99),
    st.none() | items,
    texts,
    texts,
    st.none() | moments,
    few(intervals, 2),
    few(turn_ids),
    st.integers(0, 99),
)
contexts = st.builds(
    Context, texts, few(spans), st.integers(0, 99), st.integers(0, 9), st.integers(0, 99)
)
answers = st.builds(
    Answer,
    texts,
    few(items),
    few(st.builds(Sentence, texts, few(items))),
    few(texts),
    st.booleans(),
    st.builds(Usage, st.integers(0, 3), st.integers(0, 99), st.integers(0, 99)),
    texts,
    texts,
    texts,
)
cues = st.builds(
    Cue,
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(AnchorKind),
    words,
    few(st.builds(AnchorId, st.integers(1, 9))),
    st.none() | reasons,
)
queries = st.builds(
    Query,
    texts,
    interval=st.none() | intervals,
    speakers=few(words),
    asked_at=st.none() | moments,
)


@st.composite
def replies(draw: Callable) -> Reply:
    """A reply of up to four steps, each given what the one before kept."""
    made: list[Step] = []
    for _ in range(draw(st.integers(0, 4))):
        made.append(draw(steps(made[-1].kept if made else ())))
    trace = Trace(
        draw(queries),
        draw(words),
        draw(st.sampled_from([SAFE, PAPER])),
        draw(texts),
        draw(st.none() | st.integers(1, 9)),
        draw(few(cues)),
        tuple(made),
    )
    warnings = draw(few(st.sampled_from(Warning), 2))
    milliseconds = draw(few(st.floats(0, 1000)))
    answer = draw(st.none() | answers)
    # a packet is asked when its question is
    context = replace(draw(contexts), asked_at=trace.query.asked_at)
    return Reply(trace, context, answer, warnings, milliseconds, draw(texts))
