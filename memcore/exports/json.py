"""A run as JSON: all six record kinds by name; read again, it is the same run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, cast

from memcore.errors import StoreError
from memcore.exports.choice import About
from memcore.store import codec
from memcore.store.records import Records

FORMAT: Final = "memcore-run"
VERSION: Final = 1


def dump(records: Records, about: Sequence[About] = ()) -> str:
    """Return the records of a run as JSON text."""
    head: dict[str, codec.Json] = {"format": FORMAT, "version": VERSION}
    if about:
        head["about"] = {a.name: a.value for a in about}
    body = cast("dict[str, codec.Json]", codec.to_json(records))
    return json.dumps(head | body, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def load(text: str) -> Records:
    """Return the records that `dump` wrote.

    Raises:
        StoreError: if the text is no run of memcore, or one of a newer version.
    """
    try:
        plain = json.loads(text)
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            msg = f'the file is no run of memcore; expected JSON with "format": "{FORMAT}"'
            raise StoreError(msg)
        if plain.get("version") != VERSION:
            msg = f"the run has version {plain.get('version')!r}; this memcore reads {VERSION}"
            raise StoreError(msg)
        return codec.from_json(Records, plain)
    except (ValueError, KeyError, TypeError) as error:
        msg = "the file is no whole run of memcore; export it again"
        raise StoreError(msg) from error
