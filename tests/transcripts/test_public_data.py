"""The figures of the public data, where it is present."""

import pytest

from memcore.transcripts import own
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source, from_path


@pytest.fixture(scope="module")
def locomo(shared_data):
    return read([from_path(shared_data / "locomo-dev" / "locomo-dev.json")])


def test_locomo_has_999_questions_of_which_997_can_be_scored(locomo):
    found = locomo
    assert found.report.format == "locomo"
    assert found.report.records_seen == found.report.turns == 2760
    assert found.report.gold.questions == 999
    assert sum(bool(q.evidence_turns) for q in found.questions) == 997
    assert found.report.gold.unresolved == ("conv-42:q58: D10:19", "conv-42:q88: D")


def test_longmemeval_is_one_conversation_of_53_sessions(shared_data):
    path = shared_data / "longmemeval-one" / "longmemeval_single.json"
    found = read([from_path(path)])
    assert [len(c.sessions) for c in found.conversations] == [53]
    assert [str(t) for t in found.questions[0].evidence_turns] == ["D52:5", "D52:6"]


def test_own_format_gives_the_public_dialogues_again(locomo):
    for conversation in locomo.conversations[:2]:
        asked = tuple(q for q in locomo.questions if q.conversation == conversation.key)
        text = own.dump(conversation, asked)
        again = read([Source("again.json", text.encode())])
        assert again.conversations == (conversation,)
        assert again.questions == asked
