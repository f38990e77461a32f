"""Windows of a served model: several at once, taken in order, each asked for once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Barrier, Event

import numpy as np
import pytest

from memcore.errors import ServerError
from memcore.evolution.ahead import RecordedExtractor, cuts, extractions, joined, left
from memcore.evolution.build import Sitting
from memcore.seams import WindowError
from memcore.types import Annotation, Extraction, TurnId, Usage
from tests.evolution.talk import entry, turn

IDS = tuple(TurnId(1, n) for n in range(1, 7))
TURNS = tuple(turn(str(i), f"word{i.turn}") for i in IDS)
SITTING = Sitting(TURNS, tuple(Annotation(i) for i in IDS), np.zeros((6, 0), dtype=np.float32))
SINGLE = cuts((SITTING,), 1, 0)  # six windows of one turn


@dataclass
class Asking:
    """An extractor from a function of a window's turns; it writes down what it was asked."""

    act: Callable[[tuple[TurnId, ...]], Extraction]
    asked: list[tuple[tuple[TurnId, ...], tuple[str, ...]]] = field(default_factory=list)
    name: str = "asking"

    def read_window(self, turns, annotations, earlier) -> Extraction:
        ids = tuple(t.id for t in turns)
        self.asked.append((ids, tuple(e.restatement for e in earlier)))
        return self.act(ids)

    def asks(self, turns, earlier) -> str:
        return ""


def told(ids: tuple[TurnId, ...], *failed: TurnId) -> Extraction:
    """One fact a turn, save the failed ones."""
    good = [i for i in ids if i not in failed]
    entries = tuple(entry(n, f"says {i}", str(i)) for n, i in enumerate(good, 1))
    return Extraction(ids[0], ids[-1], entries, failed, "cut" if failed else "", Usage(1, 10, 5))


def read(asking: Asking, known=(), calls: int = 1) -> list[Extraction]:
    places = {(e.first, e.last): e for e in known}
    return [e for e in extractions(asking, SINGLE, places, calls) if e is not None]


def test_windows_of_a_talk_never_cross_a_session():
    found = cuts((SITTING, SITTING), 4, 1)
    assert [(c.place[0].turn, c.place[1].turn) for c in found] == [(1, 4), (4, 6), (1, 4), (4, 6)]


def test_so_many_windows_are_asked_for_at_once_and_no_more():
    together = Barrier(3)

    def wait_for_all(ids):
        together.wait(10)  # passes only when three are here at once; a fourth would break it
        return told(ids)

    assert [e.first for e in read(Asking(wait_for_all), calls=3)] == list(IDS)


def test_replies_are_taken_in_the_order_of_the_talk_and_not_of_their_coming():
    second = Event()

    def first_last(ids):
        if ids == IDS[:1]:
            assert second.wait(10)
        if ids == IDS[1:2]:
            second.set()
        return told(ids)

    assert [e.first for e in read(Asking(first_last), calls=2)] == list(IDS)


def test_a_window_gets_the_facts_up_to_the_one_so_many_calls_before_it():
    asking = Asking(told)
    read(asking, calls=2)
    given = dict(asking.asked)
    assert given[IDS[:1]] == given[IDS[1:2]] == ()
    assert given[IDS[2:3]] == ("says D1:1",)
    assert given[IDS[5:6]] == tuple(f"says D1:{n}" for n in (1, 2, 3, 4))


def test_what_is_known_is_not_asked_for_and_still_is_context():
    asking = Asking(told)
    found = read(asking, known=[told(IDS[n : n + 1]) for n in range(4)], calls=2)
    assert [e.first for e in found] == [IDS[4], IDS[5]]
    assert dict(asking.asked)[IDS[5:6]] == tuple(f"says D1:{n}" for n in (1, 2, 3, 4))


def test_of_a_window_that_failed_in_part_only_the_failed_turns_are_asked_for():
    (cut, rest) = cuts((SITTING,), 4, 0)
    known = {cut.place: told(IDS[:4], IDS[1], IDS[2]), rest.place: told(IDS[4:])}
    assert left((cut, rest), known) == (0,)
    asking = Asking(told)
    (found,) = (e for e in extractions(asking, (cut, rest), known, 4) if e is not None)
    assert [ids for ids, _ in asking.asked] == [IDS[1:3]]
    assert (found.first, found.last, found.failed, found.trouble) == (IDS[0], IDS[3], (), "")
    assert [e.source_turns[0] for e in found.entries] == list(IDS[:4])
    assert [e.id.n for e in found.entries] == [1, 2, 3, 4]
    assert found.usage == Usage(2, 20, 10)


def test_turns_that_fail_again_stay_failed_and_cost_is_added():
    before = told(IDS[:2], IDS[1])
    again = joined(before, told(IDS[1:2], IDS[1]))
    assert (again.failed, again.trouble, again.usage) == ((IDS[1],), "cut", Usage(2, 20, 10))


def test_after_an_error_what_was_on_its_way_is_taken_and_nothing_new_is_sent():
    together = Barrier(3)

    def second_fails(ids):
        together.wait(10)
        if ids == IDS[1:2]:
            raise ServerError("gone")
        return told(ids)

    asking = Asking(second_fails)
    found: list[Extraction] = []
    with pytest.raises(ServerError, match="gone"):
        # window 4 is sent when window 1 has been taken, so it may be one of those on their way
        found.extend(e for e in extractions(asking, SINGLE[:3], {}, 3) if e is not None)
    assert sorted(ids[0].turn for ids, _ in asking.asked) == [1, 2, 3]


def test_a_fault_of_our_own_is_raised_where_the_reply_is_taken():
    def broken(ids):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(Asking(broken))


def test_one_who_waits_is_told_so():
    answers = Event()

    def slow(ids):
        assert answers.wait(10)
        return told(ids)

    stream = extractions(Asking(slow), SINGLE[:1], {}, 1, tick=0.001)
    assert next(stream) is None
    answers.set()
    found = [e for e in stream if e is not None]  # how often it waited is not told: None again
    assert [replace(e, request="") for e in found] == [told(IDS[:1])]


def test_recorded_facts_come_without_the_turns_that_the_gate_dropped():
    whole = Extraction(
        IDS[0],
        IDS[5],
        (entry(1, "a", "D1:1"), entry(2, "b", "D1:2"), entry(3, "c", "D1:3")),
    )
    found = RecordedExtractor("r", (whole,)).extract((TURNS[0], TURNS[2]), (), ())
    assert [(e.restatement, e.source_turns) for e in found] == [
        ("a", (IDS[0],)),
        ("c", (IDS[2],)),
    ]


def test_recorded_failures_are_told_to_the_builder():
    with pytest.raises(WindowError) as error:
        RecordedExtractor("r", (told(IDS[:2], IDS[1]),)).extract(TURNS[:2], (), ())
    assert error.value.turns == (IDS[1],)
    assert [e.source_turns for e in error.value.entries] == [(IDS[0],)]
