from __future__ import annotations

import pytest

from memcore.errors import SeamError
from memcore.readers.function import FunctionReader
from memcore.types import Answer, Sentence, TurnId
from tests.readers.packets import packet

PACKET = packet(("Ana", "2023-05-08", "I moved to Porto."))


def test_a_function_is_a_reader():
    answer = Answer("Porto", (TurnId(1, 1),))
    assert FunctionReader(lambda _question, _context: answer).read("Where?", PACKET) == answer


@pytest.mark.parametrize(
    "answer",
    [Answer("x", (TurnId(9, 9),)), Answer("x", sentences=(Sentence("x", (TurnId(9, 9),)),))],
)
def test_a_function_that_cites_what_it_was_not_given_is_refused(answer):
    with pytest.raises(SeamError, match="cites D9:9, which is not in the packet"):
        FunctionReader(lambda _question, _context: answer, "mine").read("Where?", PACKET)
