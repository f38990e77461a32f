"""Section 4 of the import specification: each bad input has its outcome, and nothing else."""

import pytest

from memcore.errors import SettingsError, TranscriptError
from memcore.transcripts.codes import Refusal, Skip, Warn
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.read import read, require_whole
from memcore.transcripts.sources import Source

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
TURN = '{"speaker": "Noor", "dia_id": "D1:1", "text": "%s"}'
LOCOMO = '[{"sample_id": "g", "conversation": {"session_1": [%s]}}]'

REFUSED = [
    (b"", "empty"),
    (b"\xef\xbb\xbf", "empty"),
    (b"\xff\xfe", "empty"),
    (b" \n\t ", "no_turns"),
    (b"Once upon a time there was a hedge.\nIt was cut.", "no_turns"),
    (b"null", "no_turns"),
    (b"[]", "no_turns"),
    (b'[{"conversation": {"session_1": [{"speaker": "Noor", "text": ""}]}}]', "no_turns"),
    (b'{"a": 1', "bad_json"),
    (b'[{"a": 1},\n {"b" 2}]', "bad_json"),
    (b'[{"conversation": {"session_1": []}}] and more', "bad_json"),
    (b'{"width": 3, "height": 4}', "unknown_shape"),
    (b"[" * 200_000, "too_deep"),
    (b'{"a": ' * 101 + b"1" + b"}" * 101, "too_deep"),
    (b'{"a": ' + b"9" * 401 + b"}", "number_too_long"),
    (b"\n <!DOCTYPE html><html><body>Noor: hi</body></html>", "html_page"),
    (PNG, "not_text"),
    (b"%PDF-1.7 ...", "not_text"),
    (b"SQLite format 3\0" + bytes(100), "not_text"),
    (b"\0\0\0\x18ftypmp42" + bytes(100), "not_text"),
    (bytes(range(1, 9)) * 40, "not_text"),
    (b'{"format": "memcore-transcript", "version": 9}', "unsupported_version"),
    (b'{"format": "memcore-transcript", "version": 1}', "wrong_shape"),
]


@pytest.mark.parametrize(("data", "kind"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_a_bad_file_is_refused_with_its_kind_and_the_name_of_the_file(data, kind):
    with pytest.raises(TranscriptError) as refused:
        read([Source("talk.any", data)])
    assert refused.value.kind == kind
    assert str(refused.value).startswith("talk.any")


def test_broken_json_is_refused_with_line_and_column():
    with pytest.raises(TranscriptError) as refused:
        read([Source("a.json", b'[{"a": 1},\n {"b" 2}]')])
    assert (refused.value.line, refused.value.column) == (2, 7)  # the 2 where a colon should stand


def test_a_forced_format_that_yields_no_turn_is_the_wrong_shape():
    with pytest.raises(TranscriptError) as refused:
        read([Source("a.json", b'[{"a": 1}]')], Options(format="locomo"))
    assert refused.value.kind == "wrong_shape"


def test_an_unknown_format_names_those_that_are_known():
    with pytest.raises(TranscriptError, match="longmemeval"):
        read([Source("a.txt", b"Noor: hi")], Options(format="fax"))


def test_a_forced_encoding_that_cannot_decode_names_the_byte():
    with pytest.raises(TranscriptError, match="byte 6 ") as refused:
        read([Source("a.txt", b"Noor: \xe9")], Options(encoding="utf-8"))
    assert refused.value.kind == "bad_encoding"


def test_a_file_over_the_limit_is_refused_with_both_numbers():
    with pytest.raises(TranscriptError, match="9 bytes, the limit is 8") as refused:
        read([Source("a.txt", b"Noor: hi!")], Options(limits=Limits(file_bytes=8)))
    assert refused.value.kind == "too_large"


def test_mostly_bad_records_are_partial_and_stored_only_when_agreed_to():
    text = LOCOMO % ", ".join([TURN % "hi", "1", "2"])
    report = read([Source("a.json", text.encode())]).report
    assert report.partial
    with pytest.raises(TranscriptError) as refused:
        require_whole(report, Options())
    assert refused.value.kind == "partial_refused"
    require_whole(report, Options(allow_partial=True))


ACCEPTED = [
    (b"Noor: a\0b", "a\ufffdb", "characters_replaced"),
    ((LOCOMO % (TURN % "a\\ud83d")).encode(), "a\ufffd", "characters_replaced"),
    (b"Noor: caf\xe9", "café", "encoding_guessed"),
    (b"Noor: caf\x81", "caf\ufffd", "undecodable_bytes"),
    ("Noor: hé".encode("utf-16-le"), "hé", "encoding_guessed"),
    ("Noor: a\u2028b\u0085c\vd".encode(), "a\u2028b\u0085c\vd", ""),
    (b"Noor: one\rIlse: two", "one", ""),
]


@pytest.mark.parametrize(("data", "text", "warning"), ACCEPTED)
def test_odd_characters_are_accepted_and_reported(data, text, warning):
    found = read([Source("talk", data)])
    assert found.conversations[0].turns[0].text == text
    assert warning in {"", *(w.name for w in found.report.warnings)}


def test_the_last_of_two_equal_keys_counts():
    text = LOCOMO % '{"speaker": "Noor", "text": "first", "text": "second"}'
    found = read([Source("a.json", text.encode())])
    assert found.conversations[0].turns[0].text == "second"


def test_a_turn_over_the_limit_is_left_out_and_never_cut():
    found = read([Source("a.txt", b"Noor: hi\nIlse: hello")], Options(limits=Limits(turn=3)))
    assert [t.text for t in found.conversations[0].turns] == ["hi"]
    assert [(c.name, c.n) for c in found.report.skipped] == [("over_limit", 1)]


def test_no_refusal_holds_a_whole_turn():
    secret = "a secret of some length " * 10
    with pytest.raises(TranscriptError) as refused:
        read([Source("a.json", f'{{"secret": "{secret}"'.encode())])
    assert secret not in str(refused.value)


@pytest.mark.parametrize("wrong", [{"session": "weekly"}, {"timezone": "Mars/Base"}])
def test_an_option_out_of_range_is_refused(wrong):
    with pytest.raises(SettingsError):
        Options(**wrong)


def test_every_code_has_a_sentence():
    for code in (*Skip, *Warn, *Refusal):
        assert code.sentence.endswith((".", ";"))
        assert code == code.value
