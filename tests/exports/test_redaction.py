from __future__ import annotations

import re

import pytest

from memcore.exports import redaction
from memcore.exports.choice import Choice, Scope, prepared
from memcore.exports.json import dump, load
from memcore.exports.menu import EXPORTS
from memcore.exports.redaction import Redaction
from memcore.store.recalling import reply_of
from memcore.store.recording import records_of
from tests.exports import hostile

SYSTEMS = ("edgemem", "ariadnemem-safe", "hybrid")
every_export = pytest.mark.parametrize("name", EXPORTS)
every_system = pytest.mark.parametrize("system", SYSTEMS)


@every_export
@every_system
def test_no_word_of_dialogue_question_or_answer_is_in_an_export_of_ids(name, system):
    data = EXPORTS[name].data(hostile.subject(system), Choice(Redaction.IDS)).decode()
    assert re.findall(r"zq[a-z]+|我们|gniht|\bAnn\b", data, re.IGNORECASE) == []


@every_export
@every_system
def test_ids_and_numbers_stay_where_the_words_go(name, system):
    data = EXPORTS[name].data(hostile.subject(system), Choice(Redaction.IDS)).decode()
    assert re.search(r"D\d+:\d+|E\d+|A\d+", data)
    assert "redaction" in data
    assert "ids" in data


@every_export
def test_of_a_long_text_no_export_holds_more_than_its_first_80_characters(name):
    # 80 characters hold "zqlong " eleven times and three letters of the twelfth
    data = EXPORTS[name].data(hostile.subject("full"), Choice(Redaction.FIRST80)).decode()
    runs = [len(found) // len("zqlong ") for found in re.findall("(?:zqlong ?)+", data)]
    assert max(runs, default=0) <= 11
    assert "zqraw" not in data
    assert "zqprompt" not in data


@every_export
def test_a_file_says_what_it_holds(name):
    text = EXPORTS[name].data(hostile.subject(), Choice(version="9.9.9")).decode()
    if name == "packet":  # to the letter, so that it can be sent again
        assert text == "zqprompt\n"
        return
    for word in ("9.9.9", "edgemem", "safe", "f00d", "full", "token_budget"):
        assert word in text, word
    assert re.search(r"\d+ of \d+", text)


def test_a_cut_run_keeps_the_law_of_the_trace():
    records = hostile.subject("ariadnemem-safe").records
    for kind in (Redaction.FIRST80, Redaction.IDS):
        cut = redaction.run(records, kind, redaction.names(hostile.memory()))
        again = records_of(reply_of(cut), 3, _meta(cut), 7)
        assert again.event == cut.event
        assert load(dump(cut)) == cut


def _meta(records):
    from memcore.store.records import RunMeta

    run = records.run
    return RunMeta(run.kind, run.preset, None, run.name, run.memory, run.code, run.created_at)


def test_a_cut_packet_still_shows_which_span_is_which_item():
    records = redaction.run(hostile.subject().records, Redaction.IDS)
    spans = [s for s in records.span if s.item]
    assert spans
    assert all(str(s.item) in records.run.packet[s.start : s.end] for s in spans)


def test_an_emoji_of_several_parts_is_not_cut_in_two():
    family = "👩‍👩‍👧"  # five code points: 79 + 5 would be cut in the middle
    assert redaction.cut("a" * 79 + family, Redaction.FIRST80) == "a" * 79 + "…"
    assert redaction.cut("e\u0301" * 41, Redaction.FIRST80) == "e\u0301" * 40 + "…"


def test_what_a_run_touched_is_a_part_of_the_memory():
    subject = hostile.subject("bm25")
    part = prepared(subject, Choice(scope=Scope.SHOWN)).memory
    turns = {t.id for t in part.conversation.turns}
    scored = {c.item for s in subject.reply.trace.steps for c in s.entered}
    assert turns == scored | set(subject.gold)
    assert all(set(h.members) <= turns for h in part.hypergraph.hyperedges)


def test_names_of_files_hold_ids_only():
    assert EXPORTS["html"].file_name(7) == "memcore-run-7.html"
    assert EXPORTS["json"].file_name(10) == "memcore-run-10.json"
    assert EXPORTS["csv-facts"].file_name(7) == "memcore-run-7-csv-facts.csv"
