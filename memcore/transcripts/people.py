"""Persons of a conversation: by the format's stable id, else by the folded label.

The shown label keeps the file's spelling: the first in the order of the talk; later ones are
aliases. Equal names in two conversations are never merged.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memcore.transcripts.characters import visible
from memcore.transcripts.codes import Skip
from memcore.transcripts.drafts import DraftConversation, DraftTurn
from memcore.transcripts.notes import Notes
from memcore.transcripts.order import Item
from memcore.types import Person, PersonKind

NAMELESS = "Unknown"


def fold(label: str) -> str:
    r"""Return the label as it is compared.

    >>> fold("  NOOR\u200e  Haddad ")
    'noor haddad'
    """
    return " ".join(visible(unicodedata.normalize("NFKC", label)).casefold().split())


def key_of(turn: DraftTurn) -> str:
    """Return the key of a draft turn's person."""
    return turn.person or fold(turn.label) or fold(NAMELESS)


def renamed(items: Sequence[Item], notes: Notes) -> list[Item]:
    """Return the turns with joined and renamed speakers; struck ones join the turn above."""
    if not notes.options.speakers:
        return list(items)
    rules = {fold(name): other for name, other in notes.options.speakers}
    keys = {fold(i.turn.label): key_of(i.turn) for i in items}
    done: list[Item] = []
    for item in items:
        other = rules.get(fold(item.turn.label))
        if other is None:
            done.append(item)
        elif other:
            own = item.turn.person
            turn = replace(item.turn, label=other, person=keys.get(fold(other), own) if own else "")
            done.append(replace(item, turn=turn))
        else:
            _join(done, item, notes)
    return done


def _join(done: list[Item], item: Item, notes: Notes) -> None:
    words = f"{item.turn.label}: {item.turn.text}"
    if not done or done[-1].session != item.session:
        notes.skip(Skip.NOTICE, item.turn.place, words)
        return
    above = done[-1].turn
    done[-1] = replace(done[-1], turn=replace(above, text=f"{above.text}\n{words}"))
    notes.merged += 1


def persons(draft: DraftConversation, items: Sequence[Item]) -> dict[str, Person]:
    """Return the persons by key: as the file lists them, else by the labels of their turns."""
    found: dict[str, Person] = {}
    given = {p.key: p for p in draft.persons}
    labels: dict[str, dict[str, None]] = {}
    for item in items:
        key = key_of(item.turn)
        label = item.turn.label or (key if item.turn.person else NAMELESS)
        known = found.get(key) or given.get(key)
        if known is None:
            found[key] = Person(key, label, (), item.turn.kind)
        else:
            found[key] = known
        if key not in given:
            labels.setdefault(key, {})[label] = None
    for key, met in labels.items():
        found[key] = replace(found[key], aliases=tuple(n for n in met if n != found[key].label))
    return found


def listed(
    draft: DraftConversation, found: Mapping[str, Person], items: Sequence[Item]
) -> tuple[Person, ...]:
    """Return the persons in the file's order, else in that of their first turn."""
    first = [p.key for p in draft.persons] + [key_of(i.turn) for i in items]
    return tuple(found[k] for k in dict.fromkeys(first) if k in found)


def owner(draft: DraftConversation, found: Mapping[str, Person], name: str) -> str:
    """Return the key of the person that "me" stands for, empty where unknown."""
    if not name:
        return draft.owner
    wanted = fold(name)
    for person in found.values():
        if wanted in {fold(person.key), *(fold(n) for n in (person.label, *person.aliases))}:
            return person.key
    return draft.owner


def is_generic(label: str) -> bool:
    """Tell whether a label names nobody, such as "Speaker 5"."""
    words = fold(label).split()
    return words in (["unknown", "speaker"], ["unknown"], ["speaker"]) or (
        len(words) == 2 and words[0] == "speaker" and len(words[1]) <= 3
    )


def kind_of(label: str) -> PersonKind:
    """Return `label` for a name that names nobody, else `human`."""
    return PersonKind.LABEL if is_generic(label) else PersonKind.HUMAN
