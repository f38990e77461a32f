"""memcore builds two memories of a dialogue and shows how each finds its evidence.

    from memcore import open_workspace, offline_parts, build, load_memory, RETRIEVERS, ask

These names are for users; inside memcore the modules are imported.
"""

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
