"""The import report on Start: every switch, the choice of conversations, what is stored already.

AppTest cannot edit a table, so renaming is tested by the function that reads the edited rows.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from memcore.store import conversations
from memcore.store.schema import open_workspace
from memcore.transcripts.choosing import keep
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.views import import_rows
from memcore.views.strings import say
from pages import frame
from tests.test_pages import alone, empty, open_on, ran, shown

__all__ = ["empty", "open_on"]

LINES = """\
{"conversation": "Garden", "speaker": "Noor", "id": "a", "text": "The hedge is cut.", "time": "2021-03-02T10:00"}
{"conversation": "Garden", "speaker": "Edda", "id": "b", "text": "Good.", "time": "2021-03-02T20:00"}
{"conversation": "Trip", "speaker": "Noor", "id": "c", "text": "We leave at six.", "time": "2021-05-01T10:00"}
"""
TABLE = "wer;was\nNoor;The hedge is cut.\nEdda;Good.\n"
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Noor>The hedge is cut.\n"


def upload(at, *files):
    at.file_uploader[0].set_value([(n, text.encode(), "text/plain") for n, text in files])
    return ran(at)


def start(open_on, workspace):
    return alone(open_on("pages/start.py", workspace), frame.State())


def widget(kind, key):
    return next(w for w in kind if w.label == say(key))


def importer(at):
    """The button that stores: one dialogue, or a number of them."""
    many = {say("start.import_many", n=n) for n in range(2, 9)}
    return next(b for b in at.button if b.label in {say("start.import"), *many})


def names(workspace):
    with open_workspace(workspace, read_only=True) as db:
        return {(row.name, row.turns) for row in conversations.listing(db)}


def test_only_the_chosen_conversations_are_stored(open_on, empty):
    at = upload(start(open_on, empty), ("talks.jsonl", LINES))
    widget(at.radio, "start.talks_which").set_value("some")
    ran(at)
    assert say("start.talks_nobody") in [w.value for w in at.warning]
    widget(at.text_input, "start.talks_search").set_value("trip")
    ran(at)
    next(b for b in at.button if b.label == say("start.talks_add", n=1)).click()
    ran(at)
    importer(at).click()
    ran(at)
    assert names(empty) == {("Trip", 1)}


def test_several_files_are_read_together(open_on, empty):
    second = "Edda: Is the gate shut?\nNoor: It is.\n"
    at = upload(start(open_on, empty), ("a.txt", "Noor: Hello.\nEdda: Hi.\n"), ("b.txt", second))
    importer(at).click()
    ran(at)
    assert names(empty) == {("a", 2), ("b", 2)}


def test_a_table_of_unknown_heads_asks_for_its_columns(open_on, empty):
    at = upload(start(open_on, empty), ("talk.csv", TABLE))
    assert "no column for speaker or text" in shown(at)
    widget(at.selectbox, "start.column_speaker").set_value("wer")
    widget(at.selectbox, "start.column_text").set_value("was")
    ran(at)
    importer(at).click()
    ran(at)
    assert names(empty) == {("talk", 2)}


def test_a_call_without_a_date_asks_for_one(open_on, empty):
    at = upload(start(open_on, empty), ("call.vtt", VTT))
    assert say("start.date_missing") in [w.value for w in at.warning]
    at.date_input[0].set_value(date(2021, 3, 2))
    ran(at)
    assert at.warning == []
    assert "2 March 2021" in shown(at) or "2 Mar 2021" in shown(at)


def test_the_pause_changes_the_number_of_sessions(open_on, empty):
    at = upload(start(open_on, empty), ("talks.jsonl", LINES))
    assert say("start.counts", sessions=3, turns=3, speakers=2) in shown(at)
    widget(at.selectbox, "start.session").set_value("pause")
    ran(at)
    at.slider[0].set_value(24)
    ran(at)
    assert say("start.counts", sessions=2, turns=3, speakers=2) in shown(at)


@pytest.mark.parametrize(("way", "text"), [("keep", "Good."), ("replace", "Fine.")])
def test_a_changed_turn_is_kept_or_replaced_as_chosen(way, text, open_on, empty):
    at = upload(start(open_on, empty), ("talk.jsonl", LINES))
    importer(at).click()
    ran(at)
    at = upload(at, ("talk.jsonl", LINES))
    assert say("start.same", unchanged=3) in shown(at)
    at = upload(start(open_on, empty), ("talk.jsonl", LINES.replace("Good.", "Fine.")))
    widget(at.radio, "start.changed").set_value(way)
    ran(at)
    importer(at).click()
    ran(at)
    with open_workspace(empty, read_only=True) as db:
        assert conversations.load(db, 1).turns[1].text == text


TREE = """\
[{"title": "Hedge", "conversation_id": "t", "current_node": "a", "mapping": {
 "u": {"id": "u", "parent": null, "children": ["a", "b"], "message": {"id": "u",
  "author": {"role": "user"}, "create_time": 1614697500.0,
  "content": {"content_type": "text", "parts": ["Is it cut?"]}}},
 "a": {"id": "a", "parent": "u", "children": [], "message": {"id": "a",
  "author": {"role": "assistant"}, "create_time": 1614697510.0,
  "content": {"content_type": "text", "parts": ["Yes."]}}},
 "b": {"id": "b", "parent": "u", "children": [], "message": {"id": "b",
  "author": {"role": "assistant"}, "create_time": 1614697520.0,
  "content": {"content_type": "text", "parts": ["No."]}}}}}]
"""


def test_all_branches_are_read_when_asked_for(open_on, empty):
    at = upload(start(open_on, empty), ("chat.json", TREE))
    assert say("start.branches_left", n=1) in [c.value for c in at.caption]
    widget(at.toggle, "start.branches").set_value(True)
    ran(at)
    assert say("start.counts", sessions=2, turns=3, speakers=2) in shown(at)


def test_wrong_letters_are_offered_to_be_mended_and_are_mended(open_on, empty):
    wrong = "Noor: Sch\u00c3\u00b6n.\nEdda: Gr\u00c3\u00bc\u00c3\u009fe.\n"
    at = upload(start(open_on, empty), ("tea.txt", wrong))
    assert say("start.mojibake_offer") in [w.value for w in at.warning]
    widget(at.selectbox, "start.mojibake").set_value("on")
    ran(at)
    assert at.warning == []
    importer(at).click()
    ran(at)
    with open_workspace(empty, read_only=True) as db:
        assert [t.text for t in conversations.load(db, 1).turns] == ["Schön.", "Grüße."]


def test_me_is_named_among_those_who_speak(open_on, empty):
    at = upload(start(open_on, empty), ("tea.txt", "Noor: Hello.\nEdda: Hi.\n"))
    box = widget(at.selectbox, "start.owner")
    assert set(box.options) == {"Noor", "Edda"}
    box.set_value("Edda")
    ran(at)
    assert say("start.owner_found", names="Edda") in [c.value for c in at.caption]
    importer(at).click()
    ran(at)
    with open_workspace(empty, read_only=True) as db:
        assert conversations.load(db, 1).owner == "edda"


def test_each_order_of_day_and_month_shows_what_becomes_of_the_file():
    text = "[03.02.21, 10:00:00] Noor: Hi.\n[04.02.21, 10:00:00] Edda: Hi.\n"
    source = (Source("chat.txt", text.encode()),)
    rows = [import_rows.order(o, read(source, Options(date_order=o)), "en") for o in ("dmy", "mdy")]
    assert [row.dates for row in rows] == [
        "3 Feb 2021, 4 Feb 2021",
        "2 Mar 2021, 2 Apr 2021",
    ]
    assert [(row.sessions, row.undated) for row in rows] == [(2, 0), (2, 0)]


def test_a_limit_is_set_on_the_page(open_on, empty):
    at = upload(start(open_on, empty), ("tea.txt", "Noor: A long word.\nEdda: Hi.\n"))
    assert say("start.counts", sessions=1, turns=2, speakers=2) in shown(at)
    widget(at.number_input, "start.limit_turn").set_value(5)
    ran(at)
    assert say("start.counts", sessions=1, turns=1, speakers=1) in shown(at)


def test_records_with_other_keys_are_mapped(open_on, empty):
    records = '{"wer": "Noor", "was": "Hi."}\n{"wer": "Edda", "was": "Good."}\n'
    at = upload(start(open_on, empty), ("talk.jsonl", records))
    widget(at.selectbox, "start.format").set_value("jsonl")
    ran(at)
    widget(at.selectbox, "start.column_speaker").set_value("wer")
    widget(at.selectbox, "start.column_text").set_value("was")
    ran(at)
    importer(at).click()
    ran(at)
    assert names(empty) == {("talk", 2)}


def test_a_call_gets_its_day_and_its_hour(open_on, empty):
    at = upload(start(open_on, empty), ("call.vtt", VTT))
    at.date_input[0].set_value(date(2021, 3, 2))
    at.time_input[0].set_value(time(16, 5))
    ran(at)
    importer(at).click()
    ran(at)
    with open_workspace(empty, read_only=True) as db:
        said = conversations.load(db, 1).turns[0].said_at
    assert said == datetime(2021, 3, 2, 16, 5, 1, tzinfo=UTC)


# ---------------------------------------------------------------- values


def test_the_account_stays_balanced_when_conversations_are_left_out():
    result = read((Source("talks.jsonl", LINES.encode()),), Options())
    kept = keep(result, {1})
    assert [c.name for c in kept.conversations] == ["Trip"]
    assert [(c.name, c.n) for c in kept.report.skipped] == [("not_selected", 2)]
    assert (kept.report.turns, kept.report.sessions, len(kept.skipped)) == (1, 1, 2)
    assert kept.report.records_seen == 3


def test_an_edited_table_of_speakers_merges_renames_and_strikes():
    text = "Noor: Hello.\nN.: Again.\nEdda: Hi.\nGate: It is shut.\n"
    source = (Source("talk.txt", text.encode()),)
    report = read(source, Options()).report
    rows = import_rows.speakers(report)
    shown_as = {"N.": "Noor", "Edda": "Edda Berg"}
    edited = [
        import_rows.SpeakerRow(r.name, r.turns, shown_as.get(r.name, r.name), r.name == "Gate")
        for r in rows
    ]
    pairs = import_rows.renames(report, edited)
    assert set(pairs) == {("N.", "Noor"), ("Edda", "Edda Berg"), ("Gate", "")}
    anew = read(source, Options(speakers=pairs)).report
    assert [(p.label, p.turns) for p in anew.persons] == [("Noor", 2), ("Edda Berg", 1)]


def test_pauses_count_the_sessions_that_each_would_make():
    # Garden: a gap of 10 hours; Trip: one turn.
    result = read((Source("talks.jsonl", LINES.encode()),), Options())
    found = import_rows.pauses(result.conversations, (6, 12))
    assert [(row.hours, row.sessions) for row in found] == [(6, 3), (12, 2)]
