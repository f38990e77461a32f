"""Own questions: one a line, their evidence by id, by place or by words."""

import json

import pytest

from memcore.errors import TranscriptError
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import read_all, read_questions
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source


@pytest.fixture(scope="module")
def garden():
    turns = [
        {"id": "t1", "speaker": "Noor", "text": "The hedge\nis cut."},
        {"id": "t2", "speaker": "Ilse", "text": "Well done."},
        {"speaker": "Noor", "text": "Well, thanks."},
    ]
    talk = {"id": "garden", "title": "Garden", "sessions": [{"turns": turns}]}
    whole = {"format": "memcore-transcript", "version": 1, "conversations": [talk]}
    return read([Source("garden.json", json.dumps(whole).encode())]).conversations[0]


def lines(*rows):
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows)
    return Source("questions.jsonl", text.encode())


def test_evidence_is_an_id_a_place_or_a_quote(garden):
    evidence = ["t2", "D1:1", {"session": 1, "turn": 3}, {"quote": "hedge is  cut"}]
    found = read_questions(lines({"question": "Who?", "evidence": evidence}), garden)
    assert [str(t) for t in found[0].evidence_turns] == ["D1:2", "D1:1", "D1:3"]
    assert (found[0].id, found[0].conversation) == ("q1", "garden")


def test_what_names_no_turn_or_two_is_unresolved(garden):
    evidence = ["t9", "D7:1", {"quote": "Well"}, {"quote": "shed"}]
    found = read_all(lines({"question": "Who?", "evidence": evidence}), (garden,), Options())
    assert found.questions[0].evidence_unresolved == ("t9", "D7:1", "Well", "shed")
    assert (found.gold.questions, found.gold.with_evidence) == (1, 0)


def test_bad_lines_are_reported_and_the_others_read(garden):
    source = lines(
        {"format": "memcore-questions", "version": 1},
        {"question": "Fine?", "abstain": True, "asked_at": "2021-03-05"},
        {"question": "Both?", "abstain": True, "answer": "yes"},
        {"question": "Elsewhere?", "conversation": "shed"},
        {"answer": "no question"},
        "{broken",
        "",
    )
    found = read_all(source, (garden,), Options())
    assert [q.text for q in found.questions] == ["Fine?"]
    assert str(found.questions[0].asked_at.at) == "2021-03-05 00:00:00+00:00"
    assert [s.place for s in found.skipped] == ["line 3", "line 4", "line 5", "line 6"]


def test_another_version_and_a_file_without_questions_are_refused(garden):
    for rows, kind in (
        ([{"format": "memcore-questions", "version": 2}], "unsupported_version"),
        ([{"answer": "alone"}], "no_turns"),
    ):
        with pytest.raises(TranscriptError) as refused:
            read_questions(lines(*rows), garden)
        assert refused.value.kind == kind
