"""Windows: every turn is new in exactly one, and neighbours share the overlap."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memcore.evolution.windows import Window, windows


def test_twenty_one_turns_make_two_windows_that_share_two():
    assert windows(21, 20, 2) == (Window(0, 0, 20), Window(18, 20, 21))


def test_twenty_turns_make_one_window():
    assert windows(20, 20, 2) == (Window(0, 0, 20),)


def test_no_turns_make_no_window():
    assert windows(0, 20, 2) == ()


@given(st.integers(0, 200), st.integers(1, 30), st.integers(0, 40))
def test_each_turn_is_new_once_and_no_window_is_longer_than_its_size(turns, size, overlap):
    found = windows(turns, size, overlap)
    assert [n for w in found for n in range(w.new, w.end)] == list(range(turns))
    assert all(0 < w.end - w.start <= size for w in found)
