"""Sliding windows over one session (Eq. 4).

Windows are cut over the turns as spoken, before the gate: so the cut of a session never depends
on what other sessions stored. Cutting over the turns that pass was turned down for that reason.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Places [start, end) of one window; those before `new` were read by the window before."""

    start: int
    new: int
    end: int


def windows(turns: int, size: int, overlap: int) -> tuple[Window, ...]:
    """Return the windows over a session of `turns` turns; each turn is new in exactly one.

    >>> windows(21, 20, 2)
    (Window(start=0, new=0, end=20), Window(start=18, new=20, end=21))
    """
    found: list[Window] = []
    new = 0
    while new < turns:
        start = max(0, new - min(overlap, size - 1))
        found.append(Window(start, new, min(start + size, turns)))
        new = found[-1].end
    return tuple(found)
