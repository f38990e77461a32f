"""What must hold for any conversation: the round trip through the own format, and the accounts."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.transcripts import own
from memcore.transcripts.characters import clean
from memcore.transcripts.codes import FILE_SKIPS
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import (
    Attachment,
    Conversation,
    Person,
    PersonKind,
    Precision,
    Question,
    Quote,
    Role,
    SaidTime,
    Session,
    TimeKind,
    TimeSource,
    Turn,
    TurnId,
)

ODD = [
    "\0",
    "\ud83d",
    "\ud83d\ude00",
    "\r\n",
    "\u2028",
    "😀",
    "a\u0301",
    "\u202bשלום",
    ": ",
    "{",
    '"',
]
raw_text = st.lists(
    st.one_of(st.text(st.characters(), max_size=8), st.sampled_from(ODD)), max_size=4
).map("".join)
text = raw_text.map(lambda t: clean(t).text)
name = text.filter(bool)

START = datetime(1991, 1, 1, tzinfo=UTC)
moments = st.integers(0, 3_000_000_000_000_000).map(lambda n: START + timedelta(microseconds=n))


@st.composite
def times(draw):
    kind = draw(st.sampled_from(TimeKind))
    original = draw(text)
    if kind in {TimeKind.MISSING, TimeKind.OFFSET, TimeKind.CLOCK}:
        return SaidTime(None, original, kind)
    offset = draw(st.none() | st.integers(-840, 840)) if kind is TimeKind.AWARE else None
    return SaidTime(
        draw(moments),
        original,
        kind,
        offset,
        draw(st.none() | st.sampled_from(Precision)),
        draw(st.none() | st.sampled_from(TimeSource)),
    )


@st.composite
def conversations(draw):
    keys = draw(st.lists(name, min_size=1, max_size=3, unique=True))
    persons = [
        Person(
            k,
            draw(name),
            tuple(draw(st.lists(name, max_size=2))),
            draw(st.sampled_from(PersonKind)),
        )
        for k in keys
    ]
    sessions, used = [], 0
    for index in range(1, draw(st.integers(1, 3)) + 1):
        turns = []
        for n in range(1, draw(st.integers(1, 3)) + 1):
            used += 1
            who = draw(st.sampled_from(persons))
            turns.append(
                Turn(
                    TurnId(index, n),
                    who.label,
                    draw(text),
                    caption=draw(text),
                    said=draw(times()),
                    key=f"k{used}",
                    source_id=draw(st.sampled_from(["", f"k{used}", "same"])),
                    person=who.key,
                    role=draw(st.sampled_from(Role)),
                    attachments=tuple(
                        Attachment(draw(name), draw(text), draw(text))
                        for _ in range(draw(st.integers(0, 1)))
                    ),
                    quotes=tuple(
                        Quote(draw(name), draw(text)) for _ in range(draw(st.integers(0, 1)))
                    ),
                    reply_to=draw(text),
                    forwarded_from=draw(text),
                    direct_to=draw(text),
                    edited=draw(st.booleans()),
                    speaker_guessed=draw(st.booleans()),
                )
            )
        sessions.append(Session(index, tuple(turns), draw(times()), draw(text), draw(text)))
    spoken = {t.person for s in sessions for t in s.turns}
    return Conversation(
        draw(name),
        tuple(sessions),
        key=draw(text),
        format=draw(st.sampled_from(["locomo", "slack"])),
        owner=draw(st.sampled_from(["", keys[0]])),
        persons=tuple(p for p in persons if p.key in spoken),
    )


@st.composite
def questions(draw, conversation):
    ids = [t.id for t in conversation.turns]
    return Question(
        draw(name),
        draw(name),
        conversation=conversation.key or conversation.name,
        answer=draw(text),
        category_code=draw(st.none() | st.integers(1, 5)),
        category=draw(text),
        evidence_turns=tuple(draw(st.lists(st.sampled_from(ids), max_size=3, unique=True))),
        evidence_sessions=tuple(draw(st.lists(st.integers(1, 9), max_size=2))),
        evidence_raw=tuple(draw(st.lists(text, max_size=2))),
        evidence_unresolved=tuple(draw(st.lists(text, max_size=2))),
        abstain=draw(st.booleans()),
        bait=draw(text),
        asked_at=draw(times()),
    )


@st.composite
def pairs(draw):
    conversation = draw(conversations())
    asked = draw(st.lists(questions(conversation), max_size=2))
    return conversation, tuple(asked)


def balanced(report):
    lost = sum(c.n for c in report.skipped if c.name not in FILE_SKIPS)
    return report.records_seen == report.turns + report.merged + lost


@settings(max_examples=30)
@given(pairs())
def test_what_is_written_in_the_own_format_is_read_again_as_equal(pair):
    conversation, asked = pair
    result = read([Source("own.json", own.dump(conversation, asked).encode())])
    assert result.conversations == (conversation,)
    assert result.questions == asked
    assert balanced(result.report)


@settings(max_examples=8)
@given(conversations())
def test_the_same_file_in_other_encodings_and_line_ends_is_read_as_equal(conversation):
    text = own.dump(conversation)
    for data in (
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.encode("utf-16-be"),
        text.encode("utf-32"),
        text.replace("\n", "\r\n").encode(),
    ):
        assert read([Source("own.json", data)]).conversations == (conversation,)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "hi", "D1:1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("text"), inner),
    max_leaves=4,
)
rows = st.lists(
    st.fixed_dictionaries(
        {}, optional={"speaker": json_values, "text": json_values, "dia_id": json_values}
    )
    | json_values,
    max_size=6,
)


@settings(max_examples=30)
@given(rows)
def test_the_accounts_balance_whatever_the_records_are(records):
    good = {"speaker": "Noor", "text": "The hedge is cut."}
    whole = [{"conversation": {"session_1": [good, *records], "session_2": records}}]
    report = read([Source("a.json", json.dumps(whole).encode())]).report
    assert balanced(report)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.integers(1, 12))
def test_cutting_anew_changes_places_alone(gaps, hours):
    at, turns = datetime(2021, 3, 2, tzinfo=UTC), []
    for n, gap in enumerate(gaps, 1):
        at += timedelta(hours=gap)
        said = SaidTime(at, "", TimeKind.AWARE, 0, Precision.SECOND, TimeSource.TURN)
        turns.append(Turn(TurnId(1, n), "Noor", "hi", said=said, key=f"k{n}", person="noor"))
    person = (Person("noor", "Noor"),)
    whole = Conversation("a", (Session(1, tuple(turns)),), format="plain", persons=person)
    source = Source("own.json", own.dump(whole).encode())
    cut = read([source], Options(session=f"pause:{hours}")).conversations[0]
    assert [replace(t, id=TurnId(1, n)) for n, t in enumerate(cut.turns, 1)] == turns
    assert len(cut.sessions) == 1 + sum(gap > hours for gap in gaps[1:])
