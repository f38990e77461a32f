"""memcore builds two memories of a dialogue and shows how each finds its evidence.

    from memcore import open_workspace, offline_parts, build, load_memory, RETRIEVERS, ask

These names are for users; inside memcore the modules are imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memcore.pipeline import ask, build, offline_parts
    from memcore.readers.function import FunctionReader
    from memcore.retrieval.table import RETRIEVERS
    from memcore.seams import Parts
    from memcore.settings import PAPER, SAFE, Settings
    from memcore.store.memories import load_memory
    from memcore.store.schema import open_workspace

__version__ = "0.1.0"

__all__ = [
    "PAPER",
    "RETRIEVERS",
    "SAFE",
    "FunctionReader",
    "Parts",
    "Settings",
    "ask",
    "build",
    "load_memory",
    "offline_parts",
    "open_workspace",
]

_HOMES = {
    "PAPER": "settings",
    "RETRIEVERS": "retrieval.table",
    "SAFE": "settings",
    "FunctionReader": "readers.function",
    "Parts": "seams",
    "Settings": "settings",
    "ask": "pipeline",
    "build": "pipeline",
    "load_memory": "store.memories",
    "offline_parts": "pipeline",
    "open_workspace": "store.schema",
}


def __getattr__(name: str) -> object:
    """Load a name's module when it is asked for: to show a recorded run, most are not needed."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"memcore.{_HOMES[name]}"), name)
