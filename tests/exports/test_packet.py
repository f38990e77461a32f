from __future__ import annotations

from dataclasses import replace

from memcore.exports.packet import packet
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import Answer
from tests.store.test_runs import REPLY


def test_the_packet_of_a_local_reader_is_what_it_read() -> None:
    assert packet(records_of(REPLY, 1, RunMeta())) == "packet\n"


def test_the_packet_of_a_model_is_the_request_to_the_letter() -> None:
    reply = replace(REPLY, answer=Answer("Porto", prompt="Answer from this.\npacket\n"))
    assert packet(records_of(reply, 1, RunMeta())) == "Answer from this.\npacket\n"
