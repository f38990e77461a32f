"""The client of model servers, against a real local server that behaves well and badly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.chat import Chat, Completion, Request, Server, check
from memcore.errors import LateError, ServerError, TooLongError
from memcore.replies import fields_of, text_so_far
from tests.readers.server import (
    Said,
    chat,
    in_turn,
    nobody,
    rate_limited,
    refusal,
    serving,
    streamed,
    tool_call,
    without,
    without_json_mode,
)

ASK = Request("Be brief.", "Where?")
KEY = "sk-very-secret"


def one(url: str, timeout: float = 5.0, tries: int = 1) -> Chat:
    return Chat(Server(url, "m", KEY, timeout=timeout, tries=tries))


def test_a_reply_comes_with_its_token_counts():
    with serving(chat("Porto")) as peer:
        assert one(peer.base_url).complete(ASK) == Completion("Porto", 11, 7)


def test_a_request_holds_what_was_given_and_asks_for_json():
    with serving(chat("Porto")) as peer:
        one(peer.base_url).complete(ASK)
    (sent,) = peer.requests
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where?"},
    ]
    assert (sent["model"], sent["temperature"]) == ("m", 0)
    assert sent["response_format"] == {"type": "json_object"}


def test_a_server_without_json_mode_is_asked_again_in_plain_words_and_remembered():
    with serving(without_json_mode(chat("Porto"))) as peer:
        client = one(peer.base_url)
        assert client.complete(ASK).text == "Porto"
        assert client.complete(ASK).text == "Porto"
    assert ["response_format" in r for r in peer.requests] == [True, False, False]


def test_a_stream_gives_the_pieces_and_then_the_whole():
    with serving(streamed("Por", "to")) as peer:
        assert list(one(peer.base_url).stream(ASK)) == ["Por", "to", Completion("Porto", 11, 7)]


def test_a_stream_too_does_without_json_mode():
    with serving(without_json_mode(streamed("Porto"))) as peer:
        assert list(one(peer.base_url).stream(ASK))[-1] == Completion("Porto", 11, 7)


def test_a_server_that_fails_once_is_asked_again():
    with serving(in_turn(refusal(503), chat("Porto"))) as peer:
        assert one(peer.base_url, tries=2).complete(ASK).text == "Porto"
    assert len(peer.requests) == 2


def test_a_server_at_its_rate_limit_is_asked_again_when_it_says():
    with serving(in_turn(rate_limited(), rate_limited(), chat("Porto"))) as peer:
        assert one(peer.base_url, tries=3).complete(ASK).text == "Porto"
    assert len(peer.requests) == 3


@pytest.mark.parametrize("name", ["temperature", "seed", "max_tokens"])
def test_a_field_that_a_server_refuses_is_left_out_from_then_on(name):
    with serving(without(name, chat("Porto"))) as peer:
        client = one(peer.base_url)
        assert [client.complete(ASK).text for _ in range(2)] == ["Porto", "Porto"]
    assert [name in r for r in peer.requests] == [True, False, False]
    assert all("response_format" in r for r in peer.requests)


def test_the_limit_of_the_reply_goes_by_its_newer_name_where_the_older_is_refused():
    with serving(without("max_tokens", chat("Porto"))) as peer:
        one(peer.base_url).complete(ASK)
    assert [r.get("max_completion_tokens") for r in peer.requests] == [None, 4000]


def test_a_stream_does_without_the_token_count_where_it_is_refused():
    with serving(without("stream_options", streamed("Porto"))) as peer:
        assert "Porto" in list(one(peer.base_url).stream(ASK))


def test_a_reply_in_the_shape_of_a_tool_call_is_read():
    with serving(tool_call('{"answer": "Porto"}')) as peer:
        assert one(peer.base_url).complete(ASK).text == '{"answer": "Porto"}'


def test_a_server_that_cannot_stream_is_read_whole():
    with serving(chat("Porto")) as peer:
        assert list(one(peer.base_url).stream(ASK)) == [Completion("Porto", 11, 7)]


TOO_LONG = {
    "by name": refusal(400, "This model's maximum context length is 2048 tokens"),
    "by status": refusal(413),
    "by a local server": refusal(400, "the request exceeds the available context size"),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_request_that_is_too_long_is_an_error_of_its_own_and_not_asked_again(name):
    with serving(TOO_LONG[name]) as peer, pytest.raises(TooLongError, match="too long for model"):
        one(peer.base_url).complete(ASK)
    assert len(peer.requests) == 1


def test_a_key_that_a_reply_repeats_is_not_in_what_is_kept():
    with serving(chat(f"Your key is {KEY}.")) as peer:
        assert one(peer.base_url).complete(ASK).text == "Your key is [key]."


CHECKS = {
    "works": (chat('{"answer": "ok"}'), True, "m answers at {url}, in its own JSON mode"),
    "another form": (chat("ok"), True, "it did not keep to the form asked for"),
    "wrong key": (refusal(401), False, "the key is missing or wrong"),
    "wrong model": (refusal(404), False, "the model or the path is unknown there"),
    "empty": (chat(""), False, "empty reply"),
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_trial_says_in_one_sentence_whether_the_server_answers(name):
    said, works, words = CHECKS[name]
    with serving(said, models=("n", "m")) as peer:
        found = check(Server(peer.base_url, "m", KEY))
    assert found.works == works
    assert words.format(url=peer.base_url) in found.sentence
    assert found.models == (() if works else ("m", "n"))


def test_a_trial_of_an_absent_server_says_so():
    assert "no model server answers" in check(Server(nobody(), "m", KEY)).sentence


BAD = {
    "no key": (
        refusal(401, f"Incorrect API key provided: {KEY}"),
        "status 401: the key is missing",
    ),
    "no model": (refusal(404), "status 404: the model or the path is unknown there"),
    "quota": (refusal(429), "status 429: too many requests"),
    "own failure": (refusal(500), "status 500: it failed on its side"),
    "unwilling": (refusal(400), "status 400: the request was refused"),
    "empty": (chat(""), "returned an empty reply of model 'm'"),
    "no content": (chat(None), "returned an empty reply of model 'm'"),
    "a page": (Said("<html>hello</html>", kind="text/html"), "not in OpenAI's chat format"),
    "broken JSON": (Said('{"choices": [', kind="application/json"), "not in OpenAI's chat format"),
    "other JSON": (Said('{"ok": true}'), "not in OpenAI's chat format"),
    "no choice": (Said('{"choices": []}'), "not in OpenAI's chat format"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_server_is_told_in_one_sentence_without_the_key(name):
    said, words = BAD[name]
    with serving(said) as peer, pytest.raises(ServerError) as error:
        one(peer.base_url).complete(ASK)
    assert words in str(error.value)
    assert peer.base_url in str(error.value)
    assert KEY not in str(error.value)


@pytest.mark.parametrize("name", [n for n in BAD if "JSON" not in n and "choice" not in n])
def test_a_bad_server_fails_a_stream_with_the_same_error(name):
    said, _ = BAD[name]
    with serving(said) as peer, pytest.raises(ServerError) as error:
        list(one(peer.base_url).stream(ASK))
    assert KEY not in str(error.value)


def test_a_server_that_hangs_is_left_after_the_timeout():
    with serving(Said("", hangs=True)) as peer, pytest.raises(LateError, match=r"within 0\.2 s"):
        one(peer.base_url, timeout=0.2).complete(ASK)


def test_an_absent_server_is_named():
    with pytest.raises(ServerError, match="no model server answers at http://127"):
        one(nobody()).complete(ASK)


def test_an_address_that_is_none_is_refused_with_an_example():
    with pytest.raises(ServerError, match=r"expected one like http://127\.0\.0\.1:8080/v1"):
        Server("my-server", "m")


def test_a_password_in_the_address_is_never_shown():
    server = Server("http://me:hidden@127.0.0.1:1/v1?token=hidden", "m", KEY)
    assert server.place == "http://127.0.0.1:1/v1"
    assert KEY not in repr(server)


REPLIES = {
    "plain": '{"answer": "Porto", "cited": ["1"]}',
    "fenced": 'Here you are:\n```json\n{"answer": "Porto", "cited": ["1"]}\n```\nBye {friend}!',
    "thinking": '<think>{"answer": "Rome"}?</think>{"answer": "Porto", "cited": ["1"]}',
    "thinking, tag opened by the server": 'Rome? {"answer": 1}</think>{"answer": "Porto", "cited": 1}',
    "thinking aloud": 'As in {"answer": "..."}: so {"answer": "Porto", "cited": ["1"]}',
    "trailing commas": '{"answer": "Porto", "cited": ["1", ], }',
    "scalar for list": '{"answer": "Porto", "cited": 1}',
    "list for scalar": '{"answer": ["Porto"], "cited": ["1", null, "null"]}',
    "wrapped": '{"result": {"answer": "Porto", "cited": ["1"]}}',
    "as a tool call": '{"name": "f", "arguments": "{\\"answer\\": \\"Porto\\", \\"cited\\": 1}"}',
    "line break inside": '{"reasoning": "a\nb", "answer": "Porto", "cited": ["1"]}',
    "cut in the list": '{"answer": "Porto", "cited": ["1", ',
    "cut after a name": '{"answer": "Porto", "cited": ["1"], "more"',
}


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_is_read_in_spite_of_its_form(name):
    fields = fields_of(REPLIES[name], "answer")
    assert fields is not None
    assert (fields.text("answer"), fields.texts("cited")) == ("Porto", ("1",))
    assert fields.cut == name.startswith("cut")


@pytest.mark.parametrize("text", ["", "Porto", "{", '{"other": 1}', "[1, 2]", "{answer: Porto}"])
def test_a_reply_without_the_object_gives_none(text):
    assert fields_of(text, "answer") is None


def test_a_bare_list_of_objects_stands_for_the_list_asked_for():
    fields = fields_of('[{"fact": "a"}, {"fact": "b"}]', "facts")
    assert fields is not None
    assert [f.text("fact") for f in fields.objects("facts")] == ["a", "b"]


WHOLE = '{"reasoning": "says \\"x\\" {[", "answer": "In \\u00d3bidos, \\\\ ok", "cited": ["1"]}'


@given(st.integers(0, len(WHOLE)))
def test_a_reply_cut_anywhere_gives_a_beginning_of_its_answer(end):
    whole = "In Óbidos, \\ ok"
    assert whole.startswith(text_so_far(WHOLE[:end], "answer"))
    fields = fields_of(WHOLE[:end], "answer")
    assert fields is None or whole.startswith(fields.text("answer"))


@given(st.text(alphabet='{}[]",:\\ answer1\n', max_size=60))
def test_no_text_breaks_the_reading_of_replies(text):
    fields_of(text, "answer")
    text_so_far(text, "answer")
