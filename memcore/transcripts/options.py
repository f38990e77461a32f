"""The switches of an import, by one name on the page and the command line.

The limits are a value of their own, since tests and large imports change them together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memcore.errors import SettingsError

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What an import may cost; sizes in bytes, texts in characters."""

    file_bytes: int = 1024 * MIB
    unpacked_bytes: int = 4096 * MIB
    archive_entries: int = 200_000
    ratio: int = 200
    ratio_from_bytes: int = 10 * MIB
    depth: int = 100
    digits: int = 400
    line: int = 16 * MIB
    turn: int = 1_000_000
    text_name: int = 60
    name: int = 200


def _choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        msg = f"{name} is {value!r}; expected one of {', '.join(c or 'empty' for c in choices)}"
        raise SettingsError(msg)


@dataclass(frozen=True, slots=True)
class Options:
    """How a file is to be read; the defaults decide by the file.

    Args:
        format: a name of the table of formats; empty: by structure.
        session: `own`, `pause:<hours>`, `day` or `none`.
        date_order: `dmy`, `mdy` or `ymd`; empty: one decision for each file.
        timezone: the zone of times without one, as `Europe/Lisbon`.
        start: when a call began, ISO; empty: by the file.
        encoding: a codec's name; empty: by the bytes.
        columns: (role, column head) pairs for tables.
        branches: `visible` or `all`.
        mojibake: `auto`, `on` or `off`.
        owner: the name of the person whom "me" stands for.
        speakers: (name, other name) pairs joins or renames, (name, "") strikes "not a speaker".
        select: the ids or titles of the conversations to keep; empty: all.
        as_sessions: the files are the sessions of one conversation.
        allow_partial: a partial import is agreed to.
        limits: what the import may cost.
        moment: the moment of import, aware; times far after it are reported.
    """

    format: str = ""
    session: str = "own"
    date_order: str = ""
    timezone: str = ""
    start: str = ""
    encoding: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    branches: str = "visible"
    mojibake: str = "auto"
    owner: str = ""
    speakers: tuple[tuple[str, str], ...] = ()
    select: tuple[str, ...] = ()
    as_sessions: bool = False
    allow_partial: bool = False
    limits: Limits = Limits()
    moment: datetime | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check what can be checked without the file."""
        if not re.fullmatch(r"own|day|none|pause:\d{1,6}(\.\d{1,6})?", self.session):
            msg = f"session is {self.session!r}; expected own, pause:<hours>, day or none"
            raise SettingsError(msg)
        _choice("date_order", self.date_order, ("", "dmy", "mdy", "ymd"))
        _choice("branches", self.branches, ("visible", "all"))
        _choice("mojibake", self.mojibake, ("auto", "on", "off"))
        if self.timezone:
            zone(self.timezone)

    def used(self) -> tuple[tuple[str, str], ...]:
        """The options that differ from their defaults, as (name, value)."""
        plain = Options()
        return tuple(
            (f.name, str(getattr(self, f.name)))
            for f in fields(self)
            if f.name != "moment" and getattr(self, f.name) != getattr(plain, f.name)
        )


def zone(name: str) -> ZoneInfo:
    """Return the zone of that name.

    Raises:
        SettingsError: if there is none.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        msg = f"timezone is {name!r}; expected a name such as Europe/Lisbon"
        raise SettingsError(msg) from None
