"""What is left of a read file when only some of its conversations are wanted.

The file is not read again: a choice on the page is to show at once, and conversations without
an id may share a title, so they are chosen by their place. The account stays balanced: the turns
left out are counted as `not_selected`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memcore.transcripts.codes import Skip
from memcore.transcripts.questions_file import counted
from memcore.transcripts.report import Summary
from memcore.types import Conversation, Count, ReadResult, Skipped

EXCERPT = 80


def keep(result: ReadResult, places: Collection[int]) -> ReadResult:
    """Return the conversations at these places, from 0, with their questions and their report."""
    kept = tuple(c for n, c in enumerate(result.conversations) if n in places)
    if len(kept) == len(result.conversations):
        return result
    left = [c for n, c in enumerate(result.conversations) if n not in places]
    summary = Summary()
    for conversation in kept:
        summary.add(conversation)
    turns = sum(len(c.turns) for c in left)
    names = {name for c in kept for name in (c.key, c.name) if name}
    questions = tuple(q for q in result.questions if q.conversation in names)
    report = replace(
        result.report,
        conversations=summary.conversations,
        sessions=summary.sessions,
        turns=result.report.turns - turns,
        persons=summary.counts(),
        first_time=summary.first,
        last_time=summary.last,
        turns_without_time=summary.without_time,
        skipped=_counted(result.report.skipped, turns),
        gold=counted(questions, 0),
    )
    skipped = (*result.skipped, *(record for c in left for record in _records(c)))
    return ReadResult(kept, questions, report, skipped)


def _counted(skipped: tuple[Count, ...], turns: int) -> tuple[Count, ...]:
    reason = Skip.NOT_SELECTED
    before = sum(c.n for c in skipped if c.name == reason.value)
    others = tuple(c for c in skipped if c.name != reason.value)
    return (*others, Count(reason.value, before + turns, reason.sentence))


def _records(left: Conversation) -> tuple[Skipped, ...]:
    reason = Skip.NOT_SELECTED.value
    return tuple(
        Skipped(reason, left.name, str(t.id), " ".join(t.content.split())[:EXCERPT])
        for t in left.turns
    )
