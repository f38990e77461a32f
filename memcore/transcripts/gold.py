"""Questions with their evidence: citations resolved to places, mended where that is certain.

Never a neighbour: what names no turn stays in `evidence_unresolved`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from memcore.transcripts.drafts import Citation, DraftQuestion
from memcore.types import Conversation, Question, TurnId

_LOOSE = re.compile(r"D:?0*(\d{1,9}):0*(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Found:
    """The turns of a question's citations, what was mended, and what names no turn."""

    turns: tuple[TurnId, ...]
    repaired: int = 0
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """Where the ids, the drafts and the words of a conversation stand."""

    conversation: Conversation
    ids: Mapping[str, TurnId]
    loose: Mapping[str, TurnId]
    moved: Mapping[TurnId, TurnId]

    def find(self, citation: Citation, *, exact: bool = False) -> Found:
        """Return the turns of one citation; an exact one is a place, whatever the ids say."""
        if citation.quote:
            return self._quoted(citation)
        if citation.raw in self.ids and not exact:
            return Found((self.ids[citation.raw],))
        if citation.place is not None and citation.place in self.moved:
            return Found((self.moved[citation.place],))
        names = [f"D{m[1]}:{m[2]}" for m in _LOOSE.finditer(citation.raw)]
        turns = tuple(self.loose[n] for n in names if n in self.loose)
        lost = tuple(n for n in names if n not in self.loose)
        if not turns:
            return Found((), 0, (citation.raw,))
        return Found(turns, 1, lost)

    def _quoted(self, citation: Citation) -> Found:
        words = " ".join(citation.quote.split())
        holders = [t.id for t in self.conversation.turns if words in " ".join(t.text.split())]
        return Found((holders[0],)) if len(holders) == 1 else Found((), 0, (citation.raw,))


def places(conversation: Conversation, moved: Mapping[TurnId, TurnId] | None = None) -> Places:
    """Return where everything of a conversation stands; a turn without an id goes by its place.

    `moved` leads from the places in the file to those after sessions were cut anew.
    """
    stay = {t.id: t.id for t in conversation.turns}
    ids: dict[str, TurnId] = {}
    loose: dict[str, TurnId] = {}
    for turn in conversation.turns:
        ids.setdefault(turn.source_id or str(turn.id), turn.id)
        found = _LOOSE.fullmatch(turn.source_id)
        if found:
            loose.setdefault(f"D{found[1]}:{found[2]}", turn.id)
    return Places(conversation, ids, loose, stay if moved is None else moved)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question whose evidence is places, and how many citations were mended."""

    question: Question
    repaired: int


def resolve(draft: DraftQuestion, where: Places, drafted: tuple[TurnId | None, ...]) -> Resolved:
    """Return the question with its evidence in places; `drafted` are those of the draft turns."""
    found = [where.find(c, exact=draft.exact) for c in draft.cited]
    direct = [drafted[n] for n in draft.turns]
    turns = [t for f in found for t in f.turns] + [t for t in direct if t is not None]
    asked = draft.question
    sessions = {*asked.evidence_sessions, *(t.session for t in turns)}
    done = replace(
        asked,
        conversation=asked.conversation or where.conversation.key or where.conversation.name,
        evidence_turns=tuple(dict.fromkeys(turns)),
        evidence_unresolved=asked.evidence_unresolved
        + tuple(raw for f in found for raw in f.unresolved),
    )
    if not draft.exact:
        raw = asked.evidence_raw or tuple(c.raw for c in draft.cited)
        done = replace(done, evidence_raw=raw, evidence_sessions=tuple(sorted(sessions)))
    return Resolved(done, sum(f.repaired for f in found))
