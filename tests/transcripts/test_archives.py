"""Archives are read as streams and never trusted."""

import io
import struct
import zipfile

import pytest

from memcore.errors import TranscriptError
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source, from_path

CHAT = "02/03/2021, 16:05 - Noor: The hedge is cut.\n02/03/2021, 16:06 - Ilse: Well done.\n"


def archive(entries, **more):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as found:
        for name, data in entries:
            entry = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            found.writestr(entry, data)
    return Source(more.get("name", "chat.zip"), stream.getvalue())


def link(name):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o120777 << 16
    return entry


def skipped(found):
    return {c.name: c.n for c in found.report.skipped}


def refusal(source, **options):
    with pytest.raises(TranscriptError) as refused:
        read([source], Options(**options))
    return refused.value.kind


def test_entries_that_point_outside_are_ignored_and_the_rest_is_read():
    bad = ["../_chat.txt", "/etc/_chat.txt", "C:\\_chat.txt", "a\\..\\..\\b.txt", link("link.txt")]
    found = read([archive([("_chat.txt", CHAT), *((name, CHAT) for name in bad)])])
    assert skipped(found) == {"unsafe_path": 5}
    assert found.report.turns == 2


def test_pictures_and_archives_inside_are_not_opened():
    inner = archive([("_chat.txt", CHAT)]).data
    found = read(
        [archive([("_chat.txt", CHAT), ("photo.jpg", b"\xff\xd8\xff"), ("in.zip", inner)])]
    )
    assert skipped(found) == {"not_transcript": 2}


def test_an_archive_reads_as_its_unpacked_file(tmp_path):
    path = tmp_path / "chat.txt"
    path.write_text(CHAT, "utf-8")
    alone = read([from_path(path)]).conversations[0]
    packed = read([archive([("chat.txt", CHAT)])]).conversations[0]
    assert packed == alone


def test_an_archive_that_unpacks_out_of_proportion_is_a_bomb():
    bomb = archive([("_chat.txt", CHAT + "0" * 200_000)])
    assert refusal(bomb, limits=Limits(ratio_from_bytes=1000)) == "zip_bomb"


def test_an_archive_over_the_unpacked_limit_is_too_large():
    big = archive([("_chat.txt", CHAT * 50), ("b.txt", CHAT * 50)])
    assert refusal(big, limits=Limits(unpacked_bytes=3000)) == "too_large"


def test_an_archive_over_the_upload_limit_is_too_large():
    assert refusal(archive([("_chat.txt", CHAT)]), limits=Limits(file_bytes=20)) == "too_large"


def test_too_many_entries_are_refused_by_the_directory_alone():
    many = archive([(f"{n}.txt", "") for n in range(11)])
    assert refusal(many, limits=Limits(archive_entries=10)) == "too_many_files"


def test_a_directory_that_lies_about_its_count_is_counted():
    many = archive([(f"{n}.txt", "") for n in range(11)])
    lying = bytearray(many.data)
    struct.pack_into("<HH", lying, len(lying) - 14, 1, 1)
    source = Source("chat.zip", bytes(lying))
    assert refusal(source, limits=Limits(archive_entries=10)) == "too_many_files"


def test_a_locked_archive_says_so():
    locked = bytearray(archive([("_chat.txt", CHAT)]).data)
    central = locked.index(b"PK\x01\x02")
    locked[6] |= 1
    locked[central + 8] |= 1
    assert refusal(Source("chat.zip", bytes(locked))) == "zip_encrypted"


def test_a_cut_archive_is_damaged():
    data = archive([("_chat.txt", CHAT)]).data
    assert refusal(Source("chat.zip", data[:40])) == "zip_damaged"


def test_a_damaged_entry_among_good_ones_makes_the_import_partial():
    day = '[{"type": "message", "user": "U1", "text": "hi", "ts": "1614697500.0001"}]'
    data = bytearray(
        archive([("general/2021-03-01.json", day), ("general/2021-03-02.json", day * 50)]).data
    )
    second = data.rindex(b"PK\x03\x04") + 30 + len("general/2021-03-02.json")
    data[second + 8 : second + 14] = b"\xff" * 6
    found = read([Source("slack.zip", bytes(data))])
    assert (found.report.partial, skipped(found)) == (True, {"unreadable_file": 1})


def test_a_word_document_is_no_text_and_the_hint_says_what_to_do():
    with pytest.raises(TranscriptError, match="VTT") as refused:
        read([archive([("word/document.xml", "<w/>"), ("[Content_Types].xml", "")])])
    assert refused.value.kind == "not_text"


def test_an_archive_without_a_chat_has_no_turns():
    assert refusal(archive([("a.txt", "only prose"), ("b.png", "x")])) == "no_turns"


def test_a_bad_file_among_good_ones_is_named_and_passed_over():
    good, bad = Source("a.txt", b"Noor: hi"), Source("b.json", b'{"a": ')
    found = read([good, bad])
    assert (found.report.partial, skipped(found)) == (True, {"unreadable_file": 1})
    assert found.skipped[0].place == "b.json"
