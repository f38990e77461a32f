"""The model server that the environment names, its prices, and whether its replies are kept."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from memcore.chat import DEFAULT_SECONDS, Server
from memcore.errors import ServerError
from memcore.prices import Prices, parse

ADDRESS: Final = "MEMCORE_BASE_URL"
MODEL: Final = "MEMCORE_MODEL"
KEY: Final = "MEMCORE_API_KEY"
PRICES: Final = "MEMCORE_PRICES"
TIMEOUT: Final = "MEMCORE_TIMEOUT"


NAMES: Final = (ADDRESS, MODEL, KEY, PRICES, TIMEOUT)
Variable = Callable[[str], str]
"""How a value is found by its name, empty where it is not set."""


def environment(name: str) -> str:
    """Return a variable of the environment, empty where it is not set."""
    return os.environ.get(name, "")


def server(variable: Variable = environment) -> Server | None:
    """Return the server that the environment names, None if it names none.

    Raises:
        ServerError: if an address has no model, or a value is of no use.
    """
    url, model = variable(ADDRESS), variable(MODEL)
    if not url:
        return None
    if not model:
        msg = f"{ADDRESS} is set but {MODEL} is not; name the model to ask"
        raise ServerError(msg)
    return Server(url, model, variable(KEY), timeout=_seconds(variable(TIMEOUT)))


def prices(variable: Variable = environment) -> Prices:
    """Return the prices that the environment names; empty if it names none.

    Raises:
        SettingsError: if they are of another form.
    """
    return parse(variable(PRICES))


def _seconds(text: str) -> float:
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
