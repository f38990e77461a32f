"""Fast paths (section 2.3 of the paper): two kinds of question answered from an index.

"What is X's attribute" and "how many times did X verb object" need no search if X is exactly one
known person and the index has exactly one answer. Anything else falls through to retrieval: a
wrong shortcut costs more than a search. The reader is still called, with these entries alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.annotate.keys import normalise, stem
from memcore.evolution.attribute_names import attribute_key
from memcore.evolution.facts import Facts
from memcore.evolution.states import State, States
from memcore.types import (
    Beat,
    Candidate,
    Entry,
    EntryId,
    Memory,
    Modality,
    Person,
    Step,
    Trace,
)

Stage = Callable[[Memory, Trace], Step]
Pattern = re.Pattern[str]

ATTRIBUTE: Final[tuple[Pattern, ...]] = (
    re.compile(
        r"^(?:what|who|where)(?:'s|’s| is| are) (?P<who>[^?]+?)['’]s? (?P<what>[^?]+?)\s*\?*$", re.I
    ),
    re.compile(r"^what(?:'s|’s| is) the (?P<what>[^?]+?) of (?P<who>[^?]+?)\s*\?*$", re.I),
    re.compile(
        r"^(?P<who>[^？?的]+)的(?P<what>[^？?]+?)(?:是|叫)(?:什么|谁|多少|哪里|哪儿|什么名字)\s*[？?]*$"
    ),
)
"""Questions for an attribute; `who` and `what` are case-folded before the look-up."""

_TIMES: Final = (
    r"^how (?:many times|often) did (?P<who>{name}) (?P<verb>[a-z]+) (?P<object>[^?]+?)\s*\?*$"
)
COUNT: Final[tuple[Pattern, ...]] = (
    re.compile(_TIMES.format(name=r"\S+"), re.IGNORECASE),
    re.compile(_TIMES.format(name=r"\S+ \S+"), re.IGNORECASE),
    re.compile(
        r"^(?P<who>[^？?]+?)(?P<verb>去|看|吃|买|见|玩)了?过?(?:几|多少)次(?P<object>[^？?]+?)\s*[？?]*$"
    ),
)
"""Questions for a count of events."""

EventKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class FastIndex:
    """Who is known by which name, which values an attribute has, which entries prove an event.

    Keys are case-folded: (person, attribute) and (person, verb, object).
    """

    aliases: Mapping[str, frozenset[str]]
    attributes: Mapping[tuple[str, str], tuple[EntryId, ...]]
    events: Mapping[EventKey, tuple[EntryId, ...]]

    def person(self, name: str) -> str | None:
        """Return the one person with exactly this alias, or None if nobody or several."""
        found = self.aliases.get(name.strip().casefold(), frozenset())
        return next(iter(found)) if len(found) == 1 else None


def event_key(person: str, verb: str, thing: str) -> EventKey:
    """Return the key of an event: the verb's stem and the object without its article.

    >>> event_key("Ana", "visits", "The Old Harbour")
    ('ana', 'visit', 'old harbour')
    """
    return person.casefold(), " ".join(stem(w) for w in verb.split()), normalise(thing)


EMPTY: Final = FastIndex({}, {}, {})
_PREPOSITION: Final = re.compile(
    r"^(?P<word>to|at|in|on|with|for|by|about|from|into|around) (?P<rest>.+)$"
)


def extended(index: FastIndex, entries: Iterable[Entry]) -> FastIndex:
    """Return the index with more entries; what stands is kept, so it grows as entries arrive."""
    aliases, attributes, events = dict(index.aliases), dict(index.attributes), dict(index.events)
    for entry in entries:
        for person in entry.persons:
            _name(aliases, person, (person, person.split(" ")[0]))
        if not (entry.subject and entry.attribute and entry.value):
            continue
        owned = (entry.subject.casefold(), attribute_key(entry.attribute))
        attributes[owned] = (*attributes.get(owned, ()), entry.id)
        if entry.modality is Modality.ASSERTED:
            key = event_key(entry.subject, entry.attribute, entry.value)
            events[key] = (*events.get(key, ()), entry.id)
    return FastIndex(aliases, attributes, events)


def with_persons(index: FastIndex, persons: Iterable[Person]) -> FastIndex:
    """Return the index with the other names that the transcript gives its speakers."""
    aliases = dict(index.aliases)
    for person in persons:
        _name(aliases, person.label.casefold(), (person.label, *person.aliases))
    return FastIndex(aliases, index.attributes, index.events)


def _name(aliases: dict[str, frozenset[str]], person: str, names: Sequence[str]) -> None:
    for name in names:
        key = name.casefold()
        aliases[key] = aliases.get(key, frozenset()) | {person.casefold()}


def look_up(index: FastIndex, found: States, question: str) -> tuple[EntryId, ...]:
    """Return the entries that answer a question by themselves, or none: then search.

    An attribute must have one current value; an event is counted from distinct entries, since
    an entry that was merged says the same one again.
    """
    text = " ".join(question.split())
    return _of_attribute(index, found, text) or _of_event(index, found, text)


def _of_attribute(index: FastIndex, found: States, text: str) -> tuple[EntryId, ...]:
    for match in filter(None, (p.match(text) for p in ATTRIBUTE)):
        person = index.person(match["who"])
        what = attribute_key(match["what"])
        proofs = index.attributes.get((person, what), ()) if person else ()
        current = tuple(e for e in proofs if found.state(e) is State.ACTIVE)
        if len({found.nodes[e].value.casefold() for e in current}) == 1:
            return current
    return ()


def _of_event(index: FastIndex, found: States, text: str) -> tuple[EntryId, ...]:
    for match in filter(None, (p.match(text) for p in COUNT)):
        person = index.person(match["who"])
        if person is None:
            continue
        verb, thing = match["verb"], match["object"]
        part = _PREPOSITION.match(thing.casefold())
        if part:
            verb, thing = f"{verb} {part['word']}", part["rest"]
        proofs = index.events.get(event_key(person, verb, thing), ())
        return _distinct(found.nodes[e] for e in proofs if e in found.nodes)
    return ()


def _distinct(proofs: Iterable[Entry]) -> tuple[EntryId, ...]:
    """Return one entry an occasion: what one turn or one date tells twice happened once."""
    found: list[Entry] = []
    for entry in proofs:
        twice = any(
            entry.source_turns == e.source_turns
            or (entry.time is not None and entry.time == e.time)
            for e in found
        )
        if not twice:
            found.append(entry)
    return tuple(e.id for e in found)


def fast_path(facts: Facts, index: FastIndex) -> Stage:
    """Return the stage that ends the retrieval where the index has the answer."""

    def check(_memory: Memory, trace: Trace) -> Step:
        if not facts.settings.fast_paths:
            return Step("fast_path", Beat.CUE, used=False)
        hits = look_up(index, facts.at(trace.as_of).states, trace.question)
        kept = tuple(Candidate(item, 1.0, channel="fast_path") for item in hits)
        return Step("fast_path", Beat.CUE, entered=kept, kept=kept, final=bool(kept))

    return check
