"""The model server that the environment names, its prices, and whether its replies are kept."""

from __future__ import annotations

import os
from typing import Final

from memcore.chat import DEFAULT_SECONDS, Server
from memcore.errors import ServerError
from memcore.prices import Prices, parse

ADDRESS: Final = "MEMCORE_BASE_URL"
MODEL: Final = "MEMCORE_MODEL"
KEY: Final = "MEMCORE_API_KEY"
PRICES: Final = "MEMCORE_PRICES"
TIMEOUT: Final = "MEMCORE_TIMEOUT"


def server() -> Server | None:
    """Return the server that the environment names, None if it names none.

    Raises:
        ServerError: if an address has no model, or a value is of no use.
    """
    url, model = os.environ.get(ADDRESS, ""), os.environ.get(MODEL, "")
    if not url:
        return None
    if not model:
        msg = f"{ADDRESS} is set but {MODEL} is not; name the model to ask"
        raise ServerError(msg)
    return Server(url, model, os.environ.get(KEY, ""), timeout=_seconds())


def prices() -> Prices:
    """Return the prices that the environment names; empty if it names none."""
    return parse(os.environ.get(PRICES, ""))


def _seconds() -> float:
    text = os.environ.get(TIMEOUT, "")
    if not text:
        return DEFAULT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= 3600:
        msg = f"{TIMEOUT} is {text[:20]!r}; expected seconds from 1 to 3600"
        raise ServerError(msg)
    return seconds
