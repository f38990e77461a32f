"""When the server looks for garbage: not in what lives as long as itself.

Python walks through all that is alive each time that many things were made. On the way to the
first page that is every module and the whole memory, again and again: half the time of reading
5,000 turns. What is there when this module is loaded, and what is read for all sessions, is set
apart; it is still let go when nobody holds it any longer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

gc.freeze()


@contextmanager
def kept() -> Iterator[None]:
    """Make many things that will live long: no search for garbage among them, now or later."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
        gc.freeze()
