"""The switches of `memcore import`, by the names that the page and the report give them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from memcore.cli.common import now
from memcore.errors import SettingsError
from memcore.transcripts.columns import ROLES
from memcore.transcripts.options import Limits, Options

PLAIN: Mapping[str, str] = MappingProxyType(
    {
        "format": "the format, instead of the one detected",
        "timezone": "the zone of times without one: Europe/Lisbon",
        "start": "when a call began: 2021-03-02 16:05",
        "encoding": "instead of the one found",
        "owner": 'whom "me" stands for',
    }
)
"""Switches that take any word, with their help."""

LIMITS = tuple(f.name for f in fields(Limits))


def add(one: argparse.ArgumentParser) -> None:
    """Add the switches to the arguments of a command."""
    for name, words in PLAIN.items():
        one.add_argument(f"--{name}", default="", help=words)
    one.add_argument("--date-order", default="", choices=("dmy", "mdy", "ymd"))
    one.add_argument("--session", default="own", help="own, pause:HOURS, day or none")
    one.add_argument("--branches", default="visible", choices=("visible", "all"))
    one.add_argument("--mojibake", default="auto", choices=("auto", "on", "off"))
    _pairs(one, "columns", "ROLE=HEAD", f"which column is what: {', '.join(ROLES)}")
    _pairs(one, "speakers", "NAME=OTHER", "rename or join a speaker; NAME= strikes it")
    _pairs(one, "limits", "NAME=N", f"a limit: {', '.join(LIMITS)}")
    one.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="TITLE",
        help="keep the conversation of this id or title only; may be repeated",
    )
    one.add_argument("--as-sessions", action="store_true", help="the files are sessions of one")
    one.add_argument("--allow-partial", action="store_true", help="store what could be read")


def _pairs(one: argparse.ArgumentParser, name: str, shape: str, words: str) -> None:
    words = f"{words}; may be repeated"
    one.add_argument(
        f"--{name}", action="append", default=[], type=_pair, metavar=shape, help=words
    )


def _pair(text: str) -> tuple[str, str]:
    name, sign, other = text.rpartition("=")
    if not sign or not name:
        msg = f"{text[:40]!r} has no name before a =; expected NAME=VALUE"
        raise argparse.ArgumentTypeError(msg)
    return name.strip(), other.strip()


def read(arguments: argparse.Namespace) -> Options:
    """Return the switches.

    Raises:
        SettingsError: if one has a value that cannot be.
    """
    return Options(
        format=arguments.format,
        session=arguments.session,
        date_order=arguments.date_order,
        timezone=arguments.timezone,
        start=arguments.start,
        encoding=arguments.encoding,
        columns=tuple(arguments.columns),
        branches=arguments.branches,
        mojibake=arguments.mojibake,
        owner=arguments.owner,
        speakers=tuple(arguments.speakers),
        select=tuple(arguments.select),
        as_sessions=arguments.as_sessions,
        allow_partial=arguments.allow_partial,
        limits=limits(arguments.limits),
        moment=now(),
    )


def limits(pairs: list[tuple[str, str]]) -> Limits:
    """Return the limits with other values.

    Raises:
        SettingsError: if a name or a number is none.
    """
    return replace(Limits(), **{name: number(name, text) for name, text in pairs})


def number(name: str, text: str) -> int:
    """Return the value of a limit.

    Raises:
        SettingsError: if the name or the number is none.
    """
    if name not in LIMITS:
        msg = f"limits is {name[:40]!r}; expected one of {', '.join(LIMITS)}"
        raise SettingsError(msg)
    plain = text.replace("_", "").replace(",", "")
    if not (plain.isascii() and plain.isdecimal() and 0 < len(plain) <= 15 and int(plain)):
        msg = f"limits has {name}={text[:40]!r}; expected a whole number from 1"
        raise SettingsError(msg)
    return int(plain)
