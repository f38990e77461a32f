"""Read files as conversations: `read` at once, `Reading` one conversation at a time.

`Reading.open` decides formats and encodings and refuses what is no transcript; the conversations
then come one by one, so that a file larger than memory can be stored.

Nothing is written and no clock is read; what cannot be read as talk is refused with a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memcore.errors import TranscriptError
from memcore.transcripts import series
from memcore.transcripts.assemble import Assembled, assemble
from memcore.transcripts.characters import Mending
from memcore.transcripts.codes import Refusal, Skip
from memcore.transcripts.detect import Format, by_name
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File, digest
from memcore.transcripts.meter import Meter
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Options
from memcore.transcripts.report import Summary, report
from memcore.transcripts.sources import Source
from memcore.transcripts.uploads import opened
from memcore.types import Conversation, Detection, ImportReport, Question, ReadResult, SourceFile


def read(sources: Sequence[Source], options: Options | None = None) -> ReadResult:
    """Return all conversations and questions of the files, with the report.

    Raises:
        TranscriptError: if a file cannot be read as a conversation.
    """
    reading = Reading(tuple(sources), options or Options())
    conversations: list[Conversation] = []
    questions: list[Question] = []
    for found in reading:
        conversations.append(found.conversation)
        questions.extend(found.questions)
    return ReadResult(
        tuple(conversations), tuple(questions), reading.report(), tuple(reading.notes.skipped)
    )


def require_whole(found: ImportReport, options: Options) -> None:
    """Refuse a partial import that was not agreed to.

    Raises:
        TranscriptError: `partial_refused`.
    """
    if found.partial and not options.allow_partial:
        lost = sum(c.n for c in found.skipped if c.name in {Skip.BAD_RECORD, Skip.UNREADABLE_FILE})
        msg = f"only a part could be read: {lost} records or files are broken."
        hint = "Look at the skipped records; agree to a partial import to go on."
        raise TranscriptError(Refusal.PARTIAL_REFUSED, msg, hint=hint)


@dataclass(frozen=True, slots=True)
class _Group:
    """The files of one format."""

    format: Format
    detection: Detection
    files: tuple[File, ...]


@dataclass(slots=True)
class Reading:
    """An import under way: iterate over its conversations, then ask for the report."""

    sources: tuple[Source, ...]
    options: Options
    meter: Meter | None = None
    notes: Notes = field(init=False)
    rows: list[SourceFile] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)
    questions: list[Question] = field(default_factory=list)
    mending: Mending = field(default_factory=Mending)

    def __post_init__(self) -> None:
        """Begin an account."""
        self.notes = Notes(self.options, alone=len(self.sources) < 2)

    def __iter__(self) -> Iterator[Assembled]:
        """Yield each conversation with its questions, as soon as it is read.

        Raises:
            TranscriptError: if a file cannot be read, or nobody says anything in all of them.
        """
        if not self.groups:
            self.open()
        for draft in self._drafts():
            found = self._placed(draft)
            if found is not None:
                self.summary.add(found.conversation)
                self.questions.extend(found.questions)
                for turn in found.conversation.turns:
                    self.mending = self.mending.look(turn.text)
                yield found
        if self.meter is not None:
            self.meter.finish()
        if not self.notes.turns:
            raise self._nothing()

    def report(self) -> ImportReport:
        """The account, whole once the conversations have been read."""
        first = self.groups[0].detection
        names = " + ".join(dict.fromkeys(g.detection.format for g in self.groups))
        detection = replace(first, format=names)
        return report(self.notes, self.summary, detection, self.rows, self.questions)

    def open(self) -> None:
        """Decide formats and encodings, before a conversation is read.

        Raises:
            TranscriptError: if a file is no transcript.
        """
        found: dict[str, list[File]] = {}
        detections: dict[str, Detection] = {}
        for n, source in enumerate(self.sources):
            with self.notes.reading(source.name):
                upload = opened(source, self.notes)
                self.rows.append(upload.row)
                self.notes.alone = self.notes.alone and len(upload.files) < 2
                found.setdefault(upload.detection.format, []).extend(self._metered(upload.files))
                detections.setdefault(upload.detection.format, upload.detection)
            if len(self.rows) == n:  # it could not be read, and was noted
                lost = SourceFile(source.name, source.size, digest(source), status="unreadable")
                self.rows.append(lost)
        for name, files in found.items():
            self.groups.append(_Group(by_name(name), detections[name], tuple(files)))

    def _metered(self, files: Sequence[File]) -> Sequence[File]:
        if self.meter is None:
            return files
        return [replace(file, source=self.meter.over(file.source)) for file in files]

    def _drafts(self) -> Iterator[DraftConversation]:
        drafts = self._counted()
        if self.options.as_sessions:
            whole = tuple(drafts)
            drafts = iter((series.joined(whole),) if whole else ())
        yield from drafts

    def _counted(self) -> Iterator[DraftConversation]:
        for group in self.groups:
            before = self.notes.records
            for draft in group.format.read(group.files, self.notes):
                self._count(draft, before)
                yield draft
                before = self.notes.records

    def _count(self, draft: DraftConversation, before: int) -> None:
        """Count a conversation without a single record as one."""
        if not draft.turns and self.notes.records == before:
            self.notes.seen()
            self.notes.skip(Skip.EMPTY_CONVERSATION, draft.source_id or draft.title, draft.title)

    def _placed(self, draft: DraftConversation) -> Assembled | None:
        selected = self.options.select
        names = {self.notes.clean(n) for n in (draft.source_id, draft.title)}
        if selected and not names & set(selected):
            for turn in draft.turns:
                self.notes.skip(Skip.NOT_SELECTED, turn.place, turn.text)
            return None
        return assemble(draft, self.notes)

    def _nothing(self) -> TranscriptError:
        counts: Counter[str] = self.notes.counted()
        why = ", ".join(f"{n} {reason}" for reason, n in sorted(counts.items())) or "no record"
        file = self.sources[0].name if len(self.sources) == 1 else ""
        if self.options.format:
            msg = f"the file is not {self.options.format}: it yields no turn ({why})."
            hint = "Leave the format open to have it detected."
            return TranscriptError(Refusal.WRONG_SHAPE, msg, file=file, hint=hint)
        msg = f"nobody says anything in it: {why}."
        return TranscriptError(Refusal.NO_TURNS, msg, file=file, hint=self._hint(counts))

    def _hint(self, counts: Counter[str]) -> str:
        longest = self.options.limits.turn
        if not counts[Skip.OVER_LIMIT.value]:
            return ""
        return f"A turn may have {longest:,} characters and is never cut; raise the limit `turn`."
