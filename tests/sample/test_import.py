"""The samples come in through the ordinary importer, whole and without a warning."""

from __future__ import annotations

import pytest

from memcore.transcripts import own
from memcore.transcripts.options import Options
from memcore.transcripts.questions_file import read_questions
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source

SIZES = {"english": (12, 188, 30, 5), "chinese": (6, 90, 12, 2)}


@pytest.fixture(params=SIZES)
def name(request):
    return request.param


@pytest.fixture
def result(sample_data, name):
    return read((Source(f"{name}.json", (sample_data / f"{name}.json").read_bytes()),), Options())


@pytest.fixture
def questions(sample_data, name, result):
    file = f"{name}.questions.jsonl"
    source = Source(file, (sample_data / file).read_bytes())
    return read_questions(source, result.conversations[0])


def test_every_session_and_turn_is_read_and_nothing_is_skipped(name, result):
    report = result.report
    assert (report.sessions, report.turns) == SIZES[name][:2]
    assert report.records_seen == report.turns
    assert (report.skipped, report.warnings, report.ignored_keys) == ((), (), ())
    assert report.turns_without_time == 0


def test_every_question_finds_its_evidence(name, questions):
    assert len(questions) == SIZES[name][2]
    assert sum(q.abstain for q in questions) == SIZES[name][3]
    for question in questions:
        assert question.evidence_unresolved == ()
        assert bool(question.evidence_turns) == bool(question.answer) != question.abstain


def test_the_sample_written_out_reads_back_equal(result, questions):
    text = own.dump(result.conversations[0], questions)
    again = read((Source("again.json", text.encode()),), Options())
    assert again.conversations == result.conversations
    assert again.questions == questions
