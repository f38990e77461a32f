"""The import report: the account of what was read, as one value that is shown before storing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.notes import Notes
from memcore.transcripts.questions_file import counted
from memcore.types import (
    Conversation,
    Count,
    Detection,
    GoldCount,
    ImportReport,
    Person,
    PersonCount,
    Question,
    SaidTime,
    Skipped,
    SourceFile,
)

SAMPLES = 5
"""How many skipped records of each reason a report shows."""


@dataclass(slots=True)
class Summary:
    """What a report says of conversations, added up one by one."""

    conversations: int = 0
    sessions: int = 0
    without_time: int = 0
    first: SaidTime = field(default_factory=SaidTime)
    last: SaidTime = field(default_factory=SaidTime)
    persons: dict[tuple[str, str], Person] = field(default_factory=dict)
    turns: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, conversation: Conversation) -> None:
        """Take one more conversation into account."""
        self.conversations += 1
        self.sessions += len(conversation.sessions)
        known = {p.key: p for p in conversation.persons}
        for turn in conversation.turns:
            person = known.get(turn.person) or Person(turn.person, turn.speaker)
            mark = (person.key, person.label)
            self.persons.setdefault(mark, person)
            self.turns[mark] += 1
            self._time(turn.said)

    def _time(self, said: SaidTime) -> None:
        if said.at is None:
            self.without_time += 1
            return
        if self.first.at is None or said.at < self.first.at:
            self.first = said
        if self.last.at is None or said.at > self.last.at:
            self.last = said

    def counts(self) -> tuple[PersonCount, ...]:
        """The persons, those who say most first."""
        rows = [PersonCount(p.label, p.aliases, self.turns[m]) for m, p in self.persons.items()]
        return tuple(sorted(rows, key=lambda r: (-r.turns, r.label)))


def report(
    notes: Notes,
    summary: Summary,
    detection: Detection,
    files: Sequence[SourceFile],
    questions: Sequence[Question],
) -> ImportReport:
    """Return the account of an import."""
    skipped = notes.counted()
    bad = skipped[Skip.BAD_RECORD.value]
    many_bad = 2 * bad > notes.records
    if many_bad:
        notes.warnings[Warn.BAD_RECORDS] = bad
    return ImportReport(
        detection.format,
        detection,
        files=tuple(files),
        options=notes.options.used(),
        partial=many_bad or bool(skipped[Skip.UNREADABLE_FILE.value]),
        records_seen=notes.records,
        conversations=summary.conversations,
        sessions=summary.sessions,
        session_rule=" + ".join(notes.session_rules),
        turns=notes.turns,
        persons=summary.counts(),
        first_time=summary.first,
        last_time=summary.last,
        turns_without_time=summary.without_time,
        date_order=notes.date_order,
        zone=notes.options.timezone,
        start_source=notes.start_source,
        merged=notes.merged,
        skipped=tuple(
            Count(s.value, skipped[s.value], s.sentence) for s in Skip if skipped[s.value]
        ),
        parts_dropped=tuple(
            Count(s.value, notes.parts[s], s.sentence) for s in Skip if notes.parts[s]
        ),
        samples=samples(notes.skipped),
        repairs=tuple(Count(k, n) for k, n in sorted(notes.repairs.items()) if n),
        ignored_keys=tuple(sorted(notes.ignored)),
        warnings=tuple(
            Count(w.value, notes.warnings[w], w.sentence) for w in Warn if notes.warnings[w]
        ),
        gold=_gold(notes, questions),
    )


def _gold(notes: Notes, questions: Sequence[Question]) -> GoldCount:
    found = counted(questions, notes.repaired_evidence)
    if not notes.bad_questions:
        return found
    broken = f"{notes.bad_questions} questions could not be read"
    return replace(found, unresolved=(*found.unresolved, broken))


def samples(skipped: Sequence[Skipped]) -> tuple[Skipped, ...]:
    """Return the first records of each reason."""
    met: Counter[str] = Counter()
    shown = []
    for record in skipped:
        met[record.reason] += 1
        if met[record.reason] <= SAMPLES:
            shown.append(record)
    return tuple(shown)
