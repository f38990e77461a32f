"""Every code of the closed lists comes out of some reading here, and no other code does."""

from datetime import UTC, datetime

import pytest

from memcore.transcripts.codes import Refusal, Skip, Warn
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from tests.transcripts.golden import cases, options, sources

BY_THE_STORE = {
    "already_stored",
    "possible_renamed_copy",
    "turn_changed",
    "turn_missing",
}
"""What only a comparison with the workspace can tell."""

ELSEWHERE = {"unsafe_path", "over_limit", "not_selected", "undecodable_bytes", "encoding_guessed"}
"""Held by test_archives.py, test_bad_input.py and test_rules.py."""


@pytest.fixture(scope="module")
def met():
    """The codes of all golden files and of a few texts."""
    texts = [
        ("\n".join(f"Name {n}: x" for n in range(60)), Options()),
        ("1 March 2021\nNoor: hi", Options(moment=datetime(2020, 1, 1, tzinfo=UTC))),
        ('[{"ts": 5, "speaker": "Noor", "text": "hi"}]', Options()),
        ("[13/03/21, 16:05:00] Noor: a\n[03/14/21, 16:05:00] Noor: b\n" * 2, Options()),
        ('[{"conversation": {"session_1": [1, 2, {"speaker": "N", "text": "x"}]}}]', Options()),
    ]
    reports = [read(sources(c), options(c)).report for c in cases()]
    reports += [read([Source("talk", t.encode())], o).report for t, o in texts]
    found = set()
    for report in reports:
        found |= {c.name for c in (*report.skipped, *report.warnings, *report.parts_dropped)}
    return found


def test_no_code_is_outside_of_the_lists(met):
    assert met <= {*Skip, *Warn}


def test_every_skip_and_warning_is_met(met):
    zone = {"ambiguous_hour"}  # test_rules.py holds it
    assert {*Skip, *Warn} - met <= BY_THE_STORE | ELSEWHERE | zone


def test_limits_name_their_value():
    with pytest.raises(ValueError, match="the limit is 3"):
        read([Source("a.txt", b"Noor: hi")], Options(limits=Limits(file_bytes=3)))


def test_every_refusal_has_a_sentence():
    assert all(kind.sentence for kind in Refusal)
