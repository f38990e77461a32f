"""LoCoMo: samples of `session_<n>` lists, with questions and their evidence.

What answers the questions (`event_summary`, `observation`, `session_summary`, `qa`) never becomes
a turn. A variant keeps the sessions at the top beside `name`, with `clean_text` and `date_time`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memcore.transcripts import dates, walk
from memcore.transcripts.codes import Warn
from memcore.transcripts.drafts import (
    Citation,
    DraftConversation,
    DraftQuestion,
    DraftSession,
    DraftTurn,
)
from memcore.transcripts.files import File
from memcore.transcripts.json_text import BadRecordError, Fields, Json, fields_of
from memcore.transcripts.notes import Notes
from memcore.transcripts.samples import Evidence, Sample, share
from memcore.types import Attachment, Question, SaidTime

name = "locomo"

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""By the integer of the file; the order of the paper's list is another one."""
ADVERSARIAL = 5

_SESSION = re.compile(r"session_(\d{1,6})")
_DATE = re.compile(r"session_(\d{1,6})_date_time")
KNOWN_TURN = frozenset(
    [
        "speaker",
        "dia_id",
        "text",
        "clean_text",
        "img_url",
        "blip_caption",
        "query",
        "re-download",
        "date_time",
    ]
)
KNOWN_SAMPLE = frozenset(
    ["conversation", "qa", "sample_id", "event_summary", "observation", "session_summary"]
)


def score(sample: Sample) -> Evidence:
    """Judge by `session_<n>` lists inside `conversation`, or at the top beside `name`."""
    objects = sample.objects
    return share(
        sum(_is_sample(o) for o in objects), len(objects), "samples hold session_<n> lists"
    )


def _is_sample(record: Fields) -> bool:
    talk = _talk(record)
    return any(_SESSION.fullmatch(k) and isinstance(v, list) for k, v in talk.values.items())


def _talk(record: Fields) -> Fields:
    inner = record.value("conversation")
    return Fields(inner) if isinstance(inner, dict) else record


def read(files: Sequence[File], notes: Notes) -> Iterator[DraftConversation]:
    """Yield each sample as a conversation."""
    return walk.files(files, notes, _file)


def _file(file: File, notes: Notes) -> Iterator[DraftConversation]:
    for n, value in enumerate(file.elements(), 1):
        yield from _sample(value, n, file, notes)


def _sample(value: Json, n: int, file: File, notes: Notes) -> Iterator[DraftConversation]:
    if not isinstance(value, dict) or not _is_sample(Fields(value)):
        notes.bad(f"sample {n}", value, "no session_<n> list")
        return
    record = Fields(value)
    talk = _talk(record)
    if talk is not record:
        notes.ignore(record, KNOWN_SAMPLE)
    numbers = _numbers(talk, notes)
    id_ = (
        record.maybe("sample_id") if not isinstance(record.value("sample_id"), dict | list) else ""
    )
    title = id_ or (file.stem if n == 1 else f"{file.stem} {n}")
    yield DraftConversation(
        title,
        tuple(_session(talk, k, notes, f"sample {title}, ") for k in numbers),
        file.name,
        id_,
        own=True,
        questions=tuple(_questions(record, title, notes)),
        format=name,
    )


def _numbers(talk: Fields, notes: Notes) -> list[int]:
    """Return the numbers of the sessions in their order; dates without a list are reported."""
    found = {
        int(m[1]): k
        for k, v in talk.values.items()
        if (m := _SESSION.fullmatch(k)) and isinstance(v, list)
    }
    dated = {int(m[1]) for k in talk.values if (m := _DATE.fullmatch(k))}
    notes.warn(Warn.SESSION_WITHOUT_TURNS, len(dated - found.keys()))
    return sorted(found)


def _session(talk: Fields, number: int, notes: Notes, where: str) -> DraftSession:
    key = next(k for k in talk.values if (m := _SESSION.fullmatch(k)) and int(m[1]) == number)
    date = talk.value(f"{key}_date_time")
    started = notes.time(dates.locomo(date)) if isinstance(date, str) else SaidTime()
    turns = []
    for n, value in enumerate(talk.items(key), 1):
        notes.seen()
        place = f"{where}{key} turn {n}"
        with notes.guard(place, value):
            turns.append(_turn(fields_of(value, "the turn"), started, place, notes))
    return DraftSession(tuple(turns), source_id=key, started=started)


def _turn(record: Fields, started: SaidTime, place: str, notes: Notes) -> DraftTurn:
    notes.ignore(record, KNOWN_TURN)
    own = record.maybe("date_time")
    said = notes.time(dates.locomo(own)) if own else dates.of_session(started)
    text = record.text("clean_text" if "clean_text" in record.values else "text")
    id_ = record.maybe("dia_id")
    images = record.value("img_url")
    urls = images if isinstance(images, list) else [images]
    return DraftTurn(
        record.text("speaker"),
        text,
        place,
        said,
        source_id=id_,
        caption=record.maybe("blip_caption"),
        attachments=tuple(Attachment(u, "image") for u in urls if isinstance(u, str) and u),
        keep=bool(id_),
        media=True,
    )


def _questions(record: Fields, title: str, notes: Notes) -> Iterator[DraftQuestion]:
    asked = record.value("qa")
    for n, value in enumerate(asked if isinstance(asked, list) else ()):
        try:
            yield _question(fields_of(value), f"{title}:q{n}")
        except BadRecordError:
            notes.bad_questions += 1


def _question(record: Fields, id_: str) -> DraftQuestion:
    code = record.value("category")
    number = code if isinstance(code, int) and not isinstance(code, bool) else None
    answered = record.value("answer") is not None
    evidence = record.value("evidence")
    cited = evidence if isinstance(evidence, list) else [evidence]
    question = Question(
        id_,
        record.text("question"),
        answer=record.maybe("answer"),
        category_code=number,
        category=CATEGORIES.get(number, f"category {number}") if number is not None else "",
        abstain=number == ADVERSARIAL and not answered,
        bait=record.maybe("adversarial_answer"),
    )
    return DraftQuestion(question, tuple(Citation(c) for c in cited if isinstance(c, str)))
