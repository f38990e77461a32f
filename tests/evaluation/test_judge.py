"""The judge, against a server that behaves well and badly."""

from __future__ import annotations

import json

import pytest

from memcore.chat import Chat, Server
from memcore.errors import ServerError
from memcore.evaluation.judge import LENIENT, RUBRICS, STRICT, Judge
from memcore.types import Usage
from tests.readers.server import Said, chat, serving

ASKED = ("When did Ana move?", "7 May 2023", "On 2023-05-07, ${gold} aside.")


def verdict(said: Said, rubric: str = STRICT):
    with serving(said) as peer:
        judge = Judge(Chat(Server(peer.base_url, "m", "key", timeout=5.0, tries=1)), rubric)
        return judge.judge(*ASKED), peer.requests


def said(**reply: object) -> Said:
    return chat(json.dumps(reply))


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("rubric", RUBRICS)
def test_a_verdict_keeps_model_prompt_and_both_texts(rubric, right):
    found, requests = verdict(said(reason="same day", right=right), rubric)
    assert (found.right, found.reason, found.model) == (right, "same day", "m")
    assert found.prompt_name == rubric
    assert found.prompt == "\n\n".join(m["content"] for m in requests[0]["messages"])
    assert json.loads(found.raw) == {"reason": "same day", "right": right}
    assert found.usage == Usage(1, 11, 7)


def test_question_gold_and_answer_are_sent_word_for_word_as_data():
    _, requests = verdict(said(right=True))
    assert requests[0]["messages"][1]["content"] == (
        "Question: When did Ana move?\nExpected answer: 7 May 2023\n"
        "Reply: On 2023-05-07, ${gold} aside."
    )


def test_the_two_rubrics_are_told_apart_by_their_words():
    (_, strict), (_, lenient) = (verdict(said(right=True), r) for r in (STRICT, LENIENT))
    told = [r[0]["messages"][0]["content"] for r in (strict, lenient)]
    assert "hedges" in told[0]
    assert "generous" in told[1]


def test_a_verdict_may_be_fenced_or_stand_among_words():
    thought = '<think>perhaps {"right": false}</think>'
    assert verdict(chat(thought + '{"right": true}'))[0].right
    assert verdict(chat('Sure: ```json\n{"right": true}\n```'))[0].right


@pytest.mark.parametrize(
    "reply", [chat("yes"), chat('{"right": "perhaps"}'), chat('{"right": tru'), chat("[true]")]
)
def test_what_is_no_verdict_is_an_error_and_not_wrong(reply):
    with pytest.raises(ServerError, match="no verdict"):
        verdict(reply)
