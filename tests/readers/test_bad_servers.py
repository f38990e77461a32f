"""The reader against every kind of server, read whole and streamed: an answer, or one error."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memcore.chat import Chat, Server
from memcore.errors import LateError, ReplyError, ServerError
from memcore.readers.openai_compatible import ModelReader
from memcore.types import Answer, TurnId, Usage
from tests.readers.packets import packet
from tests.readers.server import Said, chat, nobody, refusal, serving, streamed

PACKET = packet(("Ana", "2023-05-08", "I moved to Porto."), ("Bo", "2023-05-09", "Lovely."))
QUESTION = "Where does Ana live?"
REFUSAL = "Not mentioned in the conversation."
GOOD = '{"reasoning": "r", "answer": "Porto", "cited": [1]}'
TEXTS = {
    "plain": (GOOD, "Porto"),
    "thinks aloud": (f'<think>or {{"answer": "Rome"}}?</think>{GOOD}', "Porto"),
    "thinks aloud without a beginning": (f"Rome? No.</think>{GOOD}", "Porto"),
    "fences": (f"Here you are:\n```json\n{GOOD}\n```\nBye.", "Porto"),
    "wraps": (f'{{"result": {GOOD}}}', "Porto"),
    "cuts among the citations": (GOOD[:-2], "Porto"),
    "cuts inside the answer": (GOOD[:32], ReplyError),
    "cuts before the answer": (GOOD[:18], ReplyError),
    "only thinks": ("<think>so she", ReplyError),
    "returns nothing": ("", ReplyError),
    "returns blanks": (" \n ", ReplyError),
    "answers nothing": ('{"answer": "", "cited": []}', REFUSAL),
}
"""What a server says, and the answer or the error that it comes to."""
WHOLE = {name: (chat(text), ends) for name, (text, ends) in TEXTS.items()} | {
    "hangs": (Said("", hangs=True), LateError),
    "stalls in the middle": (replace(chat(GOOD), stalls=True), LateError),
    "hangs up in the middle": (replace(chat(GOOD), breaks=True), ServerError),
    "refuses the key": (refusal(401), ServerError),
    "fails": (refusal(500), ServerError),
    "is a web page": (Said("<html>", kind="text/html"), ServerError),
    "nests without end": (Said("[" * 100_000), ServerError),
}
USAGES = {
    "a word": ("x", "y"),
    "below nothing": (-5, 2.5),
    "no number": (float("nan"), float("inf")),
    "too many": (10**30, -1),
}
"""Counts of tokens that are none."""
STREAMED = {name: (streamed(*text), ends) for name, (text, ends) in TEXTS.items()} | {
    "hangs": (Said("", hangs=True), LateError),
    "stalls in the middle": (replace(streamed(*GOOD), stalls=True), LateError),
    "hangs up in the middle": (replace(streamed(*GOOD), breaks=True), ServerError),
    "refuses the key": (refusal(401), ServerError),
    "fails": (refusal(500), ServerError),
    "is a web page": (Said("<html>", kind="text/html"), ServerError),
    "cannot stream": (chat(GOOD), "Porto"),
    "nests without end": (Said("[" * 100_000), ServerError),
}


def reader(url: str) -> ModelReader:
    return ModelReader(Chat(Server(url, "m", "key", timeout=0.4, tries=1)))


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_reply_comes_to_an_answer_or_one_error(name):
    said, ends = WHOLE[name]
    with serving(said) as peer:
        if isinstance(ends, type):
            with pytest.raises(ends):
                reader(peer.base_url).read(QUESTION, PACKET)
            return
        answer = reader(peer.base_url).read(QUESTION, PACKET)
    assert (answer.text, answer.citations) == (ends, () if ends == REFUSAL else (TurnId(1, 1),))


@pytest.mark.parametrize("name", STREAMED)
def test_a_stream_shows_a_beginning_of_its_answer_and_ends_with_it_or_in_one_error(name):
    said, ends = STREAMED[name]
    shown: list[str | Answer] = []
    with serving(said) as peer:
        if isinstance(ends, type):
            with pytest.raises(ends):
                shown.extend(reader(peer.base_url).stream(QUESTION, PACKET))
            return
        shown.extend(reader(peer.base_url).stream(QUESTION, PACKET))
    last = shown.pop()
    assert isinstance(last, Answer)
    assert "".join(map(str, shown)) in {ends, ""}  # neither thoughts nor reasoning
    assert (last.text, last.citations) == (ends, () if ends == REFUSAL else (TurnId(1, 1),))


def test_an_absent_server_is_one_error_both_ways():
    with pytest.raises(ServerError, match="no model server"):
        reader(nobody()).read(QUESTION, PACKET)
    with pytest.raises(ServerError, match="no model server"):
        list(reader(nobody()).stream(QUESTION, PACKET))


@pytest.mark.parametrize("usage", USAGES.values(), ids=USAGES)
def test_what_is_no_count_of_tokens_is_none(usage):
    said = chat(GOOD)
    body = json.loads(said.body)
    body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": 0}
    with serving(replace(said, body=json.dumps(body))) as peer:
        answer = reader(peer.base_url).read(QUESTION, PACKET)
    assert (answer.text, answer.usage) == ("Porto", Usage(1, 0, 0))


def test_half_a_character_is_marked_as_lost():
    with serving(chat('{"answer": "Porto \ud800", "cited": [1]}')) as peer:
        answer = reader(peer.base_url).read(QUESTION, PACKET)
    assert answer.text == "Porto ?"
    answer.raw.encode("utf-8")
