"""What the detection sees of a file: the first megabyte, as text, as JSON and as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memcore.transcripts import characters, json_text
from memcore.transcripts.files import File
from memcore.transcripts.json_text import Fields, Json
from memcore.transcripts.sources import HEAD

LOOKED_AT = 400
"""How many lines, and how many elements of a list, a score is made of."""

_OPENS = re.compile(r'\s*(\{\s*["}]|\[\s*[\[{"\]])')


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well a format fits, from 0 to 1, and why in words."""

    score: float
    words: str


NOTHING = Evidence(0.0, "")


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file; `json` is its shape as far as it was read, `rows` its JSON lines.

    `is_json` tells whether it opens as JSON does, broken or not.
    """

    name: str
    text: str
    json: Json
    rows: tuple[Json, ...]
    lines: tuple[str, ...]
    whole: bool
    is_json: bool

    @property
    def objects(self) -> tuple[Fields, ...]:
        """The objects at the top: of the lines, the elements of a list, or the one object."""
        values: Iterable[Json] = self.json if isinstance(self.json, list) else (self.json,)
        if len(self.rows) > 1:
            values = self.rows
        return tuple(Fields(v) for v in values if isinstance(v, dict))[:LOOKED_AT]


def sample(file: File) -> Sample:
    """Return the beginning of a file as the formats judge it."""
    head = file.head()
    is_whole = file.source.size <= HEAD
    opens = bool(_OPENS.match(head))  # "[12.03.21, 16:05]" is no list
    found = characters.lines(head)
    full = found if is_whole or len(found) == 1 else found[:-1]  # a line may be longer than this
    shape = json_text.prefix(head, file.limits) if opens else None
    return Sample(file.name, head, shape, _rows(full) if opens else (), full, is_whole, opens)


def _rows(lines: tuple[str, ...]) -> tuple[Json, ...]:
    """Return the values of JSON lines; none where the first line is no value of its own."""
    rows: list[Json] = []
    for line in lines[:LOOKED_AT]:
        if line.strip():
            row = json_text.loads_or_none(line)
            if row is None and not rows:
                return ()
            rows.append(row)
    return tuple(rows)


def share(matching: int, total: int, words: str) -> Evidence:
    """Return the evidence `words` for a share of what was looked at.

    >>> share(3, 4, "of the elements hold a mapping")
    Evidence(score=0.75, words='3 of 4 of the elements hold a mapping')
    """
    if not matching:
        return NOTHING
    return Evidence(round(matching / total, 3), f"{matching} of {total} {words}")
