"""The Ask page's rows: suggestions, evidence cards with their why-line, near misses."""

from __future__ import annotations

from calendar import month_abbr, month_name
from collections.abc import Mapping
from dataclasses import dataclass, replace

from memcore.types import Anchor, EntryId, Item, Memory, Question, Reply, Term, TurnId
from memcore.views import rows, selections
from memcore.views.life import Life, lives
from memcore.views.orders import commanding
from memcore.views.rows import LedgerRow, texts
from memcore.views.strings import day, say, term_words
from memcore.views.theme import ANCHOR_MARKS

MOST_CARDS, MOST_NEAR, MOST_REASONS = 6, 12, 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question to try and how the list shows it."""

    text: str
    shown: str


@dataclass(frozen=True, slots=True)
class Card:
    """One piece of evidence: who said it when, its words, what it replaced, why it is here."""

    id: str
    head: str
    words: str
    why: str
    before: str = ""
    beat: int = 0
    """The beat in which it entered, 0 if no stage listed it."""
    stage: str = ""
    """The stage in which it entered."""
    cited: tuple[str, ...] = ()
    """The sentences of the answer that cite it, by their ids."""


def suggestions(
    memory: Memory, known: tuple[Question, ...], language: str = ""
) -> tuple[Suggestion, ...]:
    """Return the questions that came with the dialogue, else one for each of three speakers."""
    if known:
        return tuple(Suggestion(q.text, _shown(q, language)) for q in known)
    spoken = memory.conversation.speakers[:3]
    texts_ = [say("ask.about", language, name=name) for name in spoken]
    return tuple(Suggestion(t, t) for t in texts_)


def _shown(question: Question, language: str) -> str:
    marks = say("ask.gold_count", language, n=len(question.evidence_turns))
    return f"{question.text}   ({question.category or '–'} · {marks})"


def gold_of(known: tuple[Question, ...], text: str) -> Question | None:
    """Return the question of the dialogue with this very text."""
    return next((q for q in known if q.text.strip() == text.strip()), None)


def cards(memory: Memory, reply: Reply, language: str = "") -> tuple[Card, ...]:
    """Return what the answer cites; where it cites nothing, the best items of the packet."""
    cited = tuple(dict.fromkeys(reply.answer.citations)) if reply.answer else ()
    packed = {life.item: life for life in reversed(lives(reply)) if life.packed}
    best = sorted(packed.values(), key=lambda x: (-x.candidate.score, x.item))
    chosen = cited or tuple(life.item for life in best)
    made = [_card(memory, item, packed.get(item), language) for item in chosen[:MOST_CARDS]]
    said = selections.sentences(reply).items()
    citing = {
        card.id: tuple(name for name, told in said if card.id in map(str, told.citations))
        for card in made
    }
    return tuple(replace(card, cited=citing[card.id]) for card in made)


def _card(memory: Memory, item: Item, life: Life | None, language: str) -> Card:
    words = texts(memory)
    return Card(
        str(item),
        head(memory, item, language),
        words.get(str(item), ""),
        why(life, words, language),
        _before(memory, item, language),
        life.beat.value if life else 0,
        life.entered if life else "",
    )


def head(memory: Memory, item: Item, language: str = "") -> str:
    """Return who said it and when; for a fact, its source turns."""
    if isinstance(item, TurnId):
        found = rows.turn(memory, item)
        said = day(found.said_at if found else None, language)
        order = found is not None and commanding(found.content)
        return f"{said} · {say('reader.order', language)}" if order else said
    entry = next((e for e in memory.evolution.entries if e.id == item), None)
    return " ".join(str(t) for t in entry.source_turns) if entry else ""


def why(life: Life | None, words: Mapping[str, str], language: str = "") -> str:
    """Return the largest terms of a score: `▲Boston 1.8, earlier neighbour D1:3 0.9`."""
    if life is None:
        return ""
    terms = sorted(life.candidate.terms, key=lambda t: (-t.amount, t.name, str(t.source)))
    shown = [_term(t, language) for t in terms[:MOST_REASONS]]
    if not shown:
        shown = [f"{p.list} #{p.rank}" for p in life.candidate.placements]
    return ", ".join((say(f"stage.{life.channel or life.entered}", language), *shown))


def _term(term: Term, language: str) -> str:
    if isinstance(term.source, Anchor):
        return f"{ANCHOR_MARKS[term.source.kind]} {term.source.key} {term.amount:.2f}"
    name = term_words(term.name, language)
    return f"{name} {term.source or ''} {term.amount:.2f}".replace("  ", " ")


def _before(memory: Memory, item: Item, language: str) -> str:
    """The replaced value; beside a turn it says that it comes from the evolution graph."""
    found = replaced(memory, item, language)
    graph = say("ask.by_evolution", language)
    return f"{found} · {graph}" if found and isinstance(item, TurnId) else found


def replaced(memory: Memory, item: Item, language: str = "") -> str:
    """Return the value that a current fact replaced, with its date; empty if it replaced none."""
    graph = memory.evolution
    facts = (
        {item}
        if isinstance(item, EntryId)
        else {e.id for e in graph.entries if item in e.source_turns}
    )
    older = {e.older for e in graph.edges if e.supersedes and e.newer in facts}
    found = [e for e in graph.entries if e.id in older]
    return "\n".join(
        say(
            "ask.replaced",
            language,
            words=e.restatement,
            date=day(e.said_at, language),
        )
        for e in found
    )


def unmatched(reply: Reply) -> tuple[str, ...]:
    """Return the words of a question that no turn of the memory uses, each once.

    A word of a date that was read as one, and a word inside a longer cue that was matched, are
    not missed by their own key.
    """
    trace = reply.trace
    met = [(c.start, c.end) for c in trace.cues if c.anchors and c.end > c.start]
    missed = [
        trace.question[c.start : c.end]
        for c in trace.cues
        if not c.anchors and not any(a < c.end and c.start < b for a, b in met)
    ]
    dated = trace.query.interval is not None
    return tuple(dict.fromkeys(w for w in missed if w and not (dated and _of_date(w))))


def _of_date(word: str) -> bool:
    months = {name.casefold() for name in (*month_name, *month_abbr) if name}
    return word.isdecimal() or word.casefold().rstrip(".") in months


def near_misses(memory: Memory, reply: Reply, language: str = "") -> tuple[LedgerRow, ...]:
    """Return the best candidates that did not reach the packet, best first."""
    return nearest(reply, rows.ledger(memory, reply, (), language))


def nearest(reply: Reply, ledger: tuple[LedgerRow, ...]) -> tuple[LedgerRow, ...]:
    """Return the best rows of a ledger that did not reach the packet, best first."""
    packed = {str(i) for i in reply.context.items}
    found = [r for r in ledger if r.id not in packed and r.left]
    return tuple(sorted(found, key=lambda r: (-r.score, r.rank, r.id))[:MOST_NEAR])
