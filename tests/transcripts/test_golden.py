"""Every golden file reads as its expected.json says, and its accounts balance."""

import json

import pytest

from memcore.transcripts.codes import FILE_SKIPS
from memcore.transcripts.detect import NAMES
from memcore.transcripts.read import read
from tests.transcripts.golden import cases, options, outcome, sources


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.name)
def test_a_golden_file_reads_as_expected(case):
    assert outcome(case) == json.loads((case / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.name)
def test_the_accounts_of_a_golden_file_balance(case):
    report = read(sources(case), options(case)).report
    lost = sum(c.n for c in report.skipped if c.name not in FILE_SKIPS)
    assert report.records_seen == report.turns + report.merged + lost


def test_every_format_has_two_golden_files_at_least():
    met = [c.name.partition("-")[0] for c in cases()]
    assert {n: met.count(n) >= 2 for n in NAMES} == dict.fromkeys(NAMES, True)
