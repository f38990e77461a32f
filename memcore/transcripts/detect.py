"""Which format a file is of: the table of formats, and the one that fits best by structure.

A new format is a new module and one name in FORMATS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from memcore.errors import TranscriptError
from memcore.transcripts import (
    chatgpt,
    claude,
    discord,
    generic_json,
    google_chat,
    imessage,
    instagram,
    langchain,
    locomo,
    longmemeval,
    markdown,
    messenger,
    openai_messages,
    otter_text,
    own,
    plain,
    sharegpt,
    slack,
    srt,
    tables,
    teams_text,
    telegram,
    vtt,
    whatsapp,
    zoom_chat,
)
from memcore.transcripts.archives import entries, is_archive
from memcore.transcripts.codes import Refusal
from memcore.transcripts.drafts import DraftConversation
from memcore.transcripts.files import File, check
from memcore.transcripts.json_text import Fields
from memcore.transcripts.notes import Notes
from memcore.transcripts.options import Options
from memcore.transcripts.samples import Evidence, Sample, sample
from memcore.transcripts.sources import Source
from memcore.types import Detection

FLOOR = 0.5
LEAD = 0.2
MAP_IT = "Records with other keys: choose jsonl as the format and say which columns they are."


class Format(Protocol):
    """One module: a name, a judgement by the first megabyte, and a reader."""

    @property
    def name(self) -> str:
        """The name on the page, in reports and for `--format`."""

    def score(self, sample: Sample) -> Evidence:
        """Return how well a file fits."""

    def read(self, files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
        """Yield the conversations of the files, which are all of this format."""


FORMATS: tuple[Format, ...] = (
    own,
    locomo,
    longmemeval,
    chatgpt,
    claude,
    openai_messages,
    sharegpt,
    langchain,
    slack,
    whatsapp,
    discord,
    telegram,
    messenger,
    instagram,
    imessage,
    google_chat,
    vtt,
    srt,
    zoom_chat,
    teams_text,
    otter_text,
    markdown,
    tables,
    generic_json,
    plain,
)
"""Every format that is read; the order counts for nothing but lists."""

NAMES = tuple(f.name for f in FORMATS)


def by_name(name: str) -> Format:
    """Return the format of that name.

    Raises:
        TranscriptError: if there is none.
    """
    for found in FORMATS:
        if found.name == name:
            return found
    msg = f"format is {name[:40]!r}; expected one of {', '.join(NAMES)}."
    raise TranscriptError(Refusal.WRONG_SHAPE, msg)


def detect(sources: Sequence[Source]) -> tuple[Detection, ...]:
    """Return every format that fits at all, best first, judged over all the files."""
    notes = Notes(Options())
    found: dict[str, Detection] = {}
    for source in sources:
        for detection in _fitting(source, notes):
            known = found.get(detection.format)
            if known is None or known.score < detection.score:
                found[detection.format] = detection
    return tuple(sorted(found.values(), key=lambda d: (-d.score, NAMES.index(d.format))))


def _fitting(source: Source, notes: Notes) -> list[Detection]:
    parts = entries(source, notes) if is_archive(source) else (source,)
    return [d for part in parts for d in ranked(sample(check(part, notes, hashed=False).file))]


def ranked(sample_: Sample) -> tuple[Detection, ...]:
    """Return the formats that fit one file, best first, each with its evidence."""
    scores = [(f.name, f.score(sample_)) for f in FORMATS]
    fitting = [Detection(n, e.score, e.words) for n, e in scores if e.score > 0]
    return tuple(sorted(fitting, key=lambda d: (-d.score, NAMES.index(d.format))))


def chosen(file: File) -> Detection:
    """Return the format that fits best, far enough before the next.

    Raises:
        TranscriptError: `unknown_shape`, `no_turns` or `ambiguous_format`; `bad_json` where
            nothing fits because the JSON breaks.
    """
    sample_ = sample(file)
    found = ranked(sample_)
    if not found or found[0].score < FLOOR:
        if sample_.is_json and len(sample_.rows) < 2:
            file.json()
        raise _unknown(sample_)
    best = found[0]
    if len(found) == 1:
        return best
    second = found[1]
    if best.score - second.score < LEAD:
        close = [d.format for d in found if best.score - d.score < LEAD]
        msg = f"{' and '.join(close)} fit equally well; choose one of them as the format."
        raise TranscriptError(Refusal.AMBIGUOUS_FORMAT, msg, file=sample_.name)
    words = f"{second.format}: {second.evidence}"
    return Detection(best.format, best.score, best.evidence, words)


def decided(found: Sequence[tuple[str, Detection]], archive: str) -> Detection:
    """Return the format of an archive: that of its best entry.

    Raises:
        TranscriptError: `no_turns` where no entry fits.
    """
    best = max(found, key=lambda pair: pair[1].score, default=None)
    if best is None or best[1].score < FLOOR:
        msg = "the archive holds no chat; expected an export."
        hint = "Archives in archives are not opened; unpack those first."
        raise TranscriptError(Refusal.NO_TURNS, msg, file=archive, hint=hint)
    entry, detection = best
    others = sorted({d.format for _, d in found if d.format != detection.format})
    words = f"{entry}: {detection.evidence}"
    return Detection(detection.format, detection.score, words, ", ".join(others))


def _unknown(sample_: Sample) -> TranscriptError:
    if not sample_.is_json:
        msg = "no line opens with a speaker and a colon; expected a transcript."
        return TranscriptError(Refusal.NO_TURNS, msg, file=sample_.name)
    if not sample_.objects:
        msg = "the JSON holds no record; expected a transcript."
        return TranscriptError(Refusal.NO_TURNS, msg, file=sample_.name)
    keys = ", ".join(_keys(sample_.objects[0]))
    msg = f"valid JSON with the keys {keys}, but no chat; expected one of {', '.join(NAMES)}."
    return TranscriptError(Refusal.UNKNOWN_SHAPE, msg, file=sample_.name, hint=MAP_IT)


def _keys(record: Fields) -> list[str]:
    return [k[:40] for k in record.values][:20] or ["(none)"]
