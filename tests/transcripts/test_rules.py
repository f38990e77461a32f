"""The rules that all formats share: order, sessions, times, persons, ids."""

from decimal import Decimal

import pytest

from memcore.errors import TranscriptError
from memcore.transcripts import dates, json_text, own, written
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Precision, TimeKind, TimeSource


def read_text(text, **options):
    return read([Source("talk.txt", text.encode())], Options(**options))


def turns(found):
    return [(str(t.id), t.speaker, t.text) for c in found.conversations for t in c.turns]


def own_file(*times):
    rows = ", ".join(
        f'{{"id": "t{n}", "speaker": "Noor", "text": "x", "time": {t}}}'
        for n, t in enumerate(times)
    )
    return (
        '{"format": "memcore-transcript", "version": 1, "conversations": '
        f'[{{"sessions": [{{"turns": [{rows}]}}]}}]}}'
    )


def test_a_pause_of_exactly_the_hours_is_no_border():
    day = '"2021-03-02T%s:00Z"'
    text = own_file(day % "10:00", day % "16:00", '""', day % "22:01")
    found = read_text(text, session="pause:6")
    assert [len(s.turns) for s in found.conversations[0].sessions] == [3, 1]


def test_cutting_anew_keeps_keys_and_moves_the_evidence_along():
    text = own_file('"2021-03-02T10:00:00Z"', '"2021-03-03T10:00:00Z"').replace(
        "]}]}]}", ']}], "questions": [{"id": "q", "text": "?", "evidence_turns": ["D1:2"]}]}]}'
    )
    whole, cut = read_text(text), read_text(text, session="day")
    assert [t.key for t in whole.conversations[0].turns] == ["t0", "t1"]
    assert [t.key for t in cut.conversations[0].turns] == ["t0", "t1"]
    assert [str(t.id) for t in cut.conversations[0].turns] == ["D1:1", "D2:1"]
    assert [str(t) for t in cut.questions[0].evidence_turns] == ["D2:1"]


def test_an_hour_that_occurs_twice_is_told_by_the_turn_before():
    text = own_file(
        '"2021-10-31T02:50:00"', '"2021-10-31T02:10:00"', '"2021-10-31T12:00:00"'
    )  # clocks in Lisbon went back at 2:00, in Berlin at 3:00
    found = read_text(text, timezone="Europe/Berlin")
    said = [t.said for t in found.conversations[0].turns]
    assert [s.at.isoformat() for s in said] == [
        "2021-10-31T00:50:00+00:00",
        "2021-10-31T01:10:00+00:00",
        "2021-10-31T11:00:00+00:00",
    ]
    assert [s.offset for s in said] == [120, 60, 60]
    assert {s.source for s in said} == {TimeSource.USER}
    assert [(w.name, w.n) for w in found.report.warnings] == [("ambiguous_hour", 1)]


def test_a_struck_speaker_joins_the_turn_above_and_two_names_can_be_one():
    text = "Noor: hi\nAgenda item: the hedge\nN.: bye"
    found = read_text(text, speakers=(("agenda item", ""), ("N.", "Noor")))
    assert turns(found) == [("D1:1", "Noor", "hi\nAgenda item: the hedge"), ("D1:2", "Noor", "bye")]
    assert found.report.merged == 1
    assert found.report.records_seen == 3


def test_labels_are_one_person_whatever_their_case_width_and_marks():
    found = read_text("Noor: a\nＮＯＯＲ: b\n\u200enoor\u202c : c")
    person = found.conversations[0].persons[0]
    assert (person.key, person.label) == ("noor", "Noor")
    assert len(found.conversations[0].persons) == 1


def test_equal_turns_get_keys_of_their_own_that_a_longer_export_repeats():
    short = read_text("Noor: ok\nNoor: ok").conversations[0].turns
    long = read_text("Noor: ok\nNoor: ok\nIlse: ok").conversations[0].turns
    assert len({t.key for t in long}) == 3
    assert [t.key for t in long[:2]] == [t.key for t in short]


def test_a_selection_leaves_the_other_conversations_out():
    one = '{"id": "%s", "sessions": [{"turns": [{"speaker": "Noor", "text": "hi"}]}]}'
    both = f"[{one % 'a'}, {one % 'b'}]"
    text = f'{{"format": "memcore-transcript", "version": 1, "conversations": {both}}}'
    found = read_text(text, select=("b",))
    assert [c.key for c in found.conversations] == ["b"]
    assert [(c.name, c.n) for c in found.report.skipped] == [("not_selected", 1)]


EPOCHS = [  # value, at, precision
    (1614697500, "2021-03-02T15:05:00+00:00", Precision.SECOND),
    (Decimal("1614697500.123456"), "2021-03-02T15:05:00.123456+00:00", Precision.US),
    (1614697500123, "2021-03-02T15:05:00.123000+00:00", Precision.MS),
    (1614697500123456, "2021-03-02T15:05:00.123456+00:00", Precision.US),
    (1614697500123456789, "2021-03-02T15:05:00.123457+00:00", Precision.US),
    ("1614697500", "2021-03-02T15:05:00+00:00", Precision.SECOND),
]


@pytest.mark.parametrize(("value", "at", "precision"), EPOCHS)
def test_a_number_is_a_time_by_its_size(value, at, precision):
    said = dates.value(value).said
    assert (said.at.isoformat(), said.precision, said.kind) == (at, precision, TimeKind.AWARE)
    assert said.original == str(value)


NO_TIMES = [
    0,
    "",
    "null",
    None,
    "NaN",
    "soon",
    1,
    "1e9",
    "9" * 30,
    "2021-13-02",
    "2101-01-01",
    True,
]


@pytest.mark.parametrize("value", NO_TIMES)
def test_what_is_no_time_stays_missing(value):
    assert dates.value(value).said.at is None


WRITTEN = [
    ("2 March 2021", "2021-03-02T00:00:00", Precision.DAY),
    ("Tuesday, March 2, 2021 at 4:05:06 PM", "2021-03-02T16:05:06", Precision.SECOND),
    ("2. März 2021, 16:05", "2021-03-02T16:05:00", Precision.MINUTE),
    ("2 de marzo de 2021", "2021-03-02T00:00:00", Precision.DAY),
    ("2021年3月2日 下午4:05", "2021-03-02T16:05:00", Precision.MINUTE),
    ("2021年3月2日 凌晨12:05", "2021-03-02T00:05:00", Precision.MINUTE),
    ("12:05 a. m. on 2 March, 2021", "2021-03-02T00:05:00", Precision.MINUTE),
    ("02/03/21 16:05", "2021-03-02T16:05:00", Precision.MINUTE),
    ("٠٢/٠٣/٢٠٢١ ٤:٠٥ م", "2021-03-02T16:05:00", Precision.MINUTE),
    ("2021-03-02T16:05:06.1234567", "2021-03-02T16:05:06.123456", Precision.US),
]


@pytest.mark.parametrize(("text", "at", "precision"), WRITTEN)
def test_a_date_in_words_or_digits_is_read_as_it_stands(text, at, precision):
    said = written.read_date(text, "dmy", TimeSource.HEAD).said
    assert (said.at.replace(tzinfo=None).isoformat(), said.precision) == (at, precision)
    assert (said.kind, said.original) == (TimeKind.LOCAL, text)


@pytest.mark.parametrize("text", ["may", "a second", "the 3rd", "5", "12:30", "Noor", "1/2"])
def test_words_that_are_no_date_are_none(text):
    assert written.read_date(text, "dmy", TimeSource.HEAD) is None


ORDERS = [  # dates, 12-hour clock, slash, order, rule
    ([(2021, 3, 2)], False, False, "ymd", "year first"),
    ([(2, 3, 21), (13, 3, 21)], False, True, "dmy", "a number above 12"),
    ([(3, 13, 21), (3, 2, 21)], False, True, "mdy", "a number above 12"),
    ([(1, 2, 21), (2, 2, 21), (1, 3, 21)], False, True, "dmy", "fewer steps back in time"),
    ([(1, 2, 21), (2, 2, 21)], False, True, "dmy", "the smaller span"),
    ([(2, 2, 21)], True, True, "mdy", "the clock"),
    ([(2, 2, 21)], True, False, "dmy", "the clock"),
]


@pytest.mark.parametrize(("found", "twelve", "slash", "order", "rule"), ORDERS)
def test_day_and_month_are_one_decision_of_the_file(found, twelve, slash, order, rule):
    decided = dates.date_order(found, twelve=twelve, slash=slash).order
    assert (decided.value, decided.rule) == (order, rule)


def test_the_user_can_switch_the_order_of_the_whole_file():
    text = "02/03/2021\nNoor: hi\n05/03/2021\nNoor: bye"
    month_first = read_text(text, date_order="mdy")
    assert [s.started_at.month for s in month_first.conversations[0].sessions] == [2, 5]
    assert month_first.report.date_order.rule == "user"


def test_the_report_counts_what_it_counts():
    found = read_text("2 March 2021\nNoor: hi\nIlse: hello")
    assert (found.report.sessions, found.report.turns, found.report.records_seen) == (1, 2, 2)
    assert found.report.first_time.at.isoformat() == "2021-03-02T00:00:00+00:00"
    assert own.dump(found.conversations[0]).startswith('{\n "format": "memcore-transcript"')


def test_weekly_calls_become_the_sessions_of_one_conversation():
    calls = [
        Source("2021-03-09 call.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nNoor: second\n"),
        Source("2021-03-02 call.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nSpeaker 1: first\n"),
    ]
    found = read(calls, Options(as_sessions=True)).conversations
    assert [(s.title, s.turns[0].text) for c in found for s in c.sessions] == [
        ("2021-03-02 call", "first"),
        ("2021-03-09 call", "second"),
    ]


def test_shuffled_messages_are_read_as_sorted_ones():
    rows = [
        f'{{"id": "{n}", "type": "Default", "timestamp": "2021-03-02T16:{n:02}:00+01:00", '
        f'"content": "{n}", "author": {{"id": "a", "name": "noor"}}}}'
        for n in range(20)
    ]

    def talk(rows):
        text = '{"guild": {}, "channel": {"id": "1", "name": "c"}, "messages": [%s]}'
        return read_text(text % ", ".join(rows)).conversations

    assert talk(rows) == talk(rows[::-1]) == talk(rows[1::2] + rows[::2])


def test_an_open_quote_at_the_end_of_a_table_is_named_by_its_line():
    with pytest.raises(TranscriptError) as refused:
        read_text('speaker,text\nNoor,"hi"\nIlse,"never closed\nand on\n')
    assert (refused.value.kind, refused.value.line) == ("bad_csv", 3)


def test_a_table_without_a_column_for_text_asks_for_the_mapping():
    with pytest.raises(TranscriptError, match="wann, speaker, kind") as refused:
        read([Source("t.csv", b"wann,speaker,kind\n1,Noor,a\n2,Ilse,b\n")])
    assert refused.value.kind == "needs_mapping"


def test_two_formats_that_fit_equally_well_are_named():
    text = "**Noor:** hi\n\nIlse: hello\nNoor: bye\n"
    with pytest.raises(TranscriptError, match="markdown and plain") as refused:
        read_text(text)
    assert refused.value.kind == "ambiguous_format"
    assert read_text(text, format="plain").report.turns == 2


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_streamed_array_is_read_as_the_whole_one(size):
    text = '[ {"a": "x\\"]},[", "n": [1, {"b": null}]} , 2.50, "é\\ud83d", [], {} ]\n'.encode()
    parts = [text[n : n + size] for n in range(0, len(text), size)]
    assert list(json_text.elements(parts, Limits(), "a")) == json_text.whole([text], Limits(), "a")
