"""Turns as quoted data: how a packet and an extraction window write them down.

All words of a dialogue are data. At the left edge stand only headings and labels of ours; every
further line of a turn is indented by four blanks and its caption by two, so no turn can fake a
heading, a label or a caption.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from memcore.types import Precision, SaidTime, Session, Turn

_WEEKDAYS: Final = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)


def flat(text: str) -> str:
    r"""Return the text on one line.

    >>> flat(" a\u2028b ")
    'a b'
    """
    return " ".join(text.split())


def quoted(turn: Turn, label: str) -> str:
    """Return `label speaker, date: text`, then the caption as a picture on a line of its own."""
    when = _when(turn.said)
    head = f"{label} {flat(turn.speaker)}, {when}:" if when else f"{label} {flat(turn.speaker)}:"
    # whatever character ends a line: an editor or a model may see a new line at each of them
    text = "\n    ".join(turn.text.splitlines())
    caption = f"\n  picture: {flat(turn.caption)}" if turn.caption else ""
    return f"{head} {text}{caption}"


def heading(session: Session) -> str:
    """Return the line above the turns of a session: its number, weekday and date."""
    local = _wall_time(session.started if session.started_at else session.turns[0].said)
    when = f"{_WEEKDAYS[local.weekday()]} {local:%Y-%m-%d}" if local else "date unknown"
    return f"Session {session.index} · {when}"


def _wall_time(said: SaidTime) -> datetime | None:
    """Return the time that the speakers saw on their clocks."""
    return said.at + timedelta(minutes=said.offset or 0) if said.at else None


def _when(said: SaidTime) -> str:
    local = _wall_time(said)
    if local is None:
        return ""
    whole_day = said.precision in {Precision.DAY, Precision.SESSION}
    return f"{local:%Y-%m-%d}" if whole_day else f"{local:%Y-%m-%d %H:%M}"
