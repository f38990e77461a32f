"""The table of retrievers: the names of contract.md and what makes each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from memcore.retrieval import baselines
from memcore.retrieval.ariadnemem import paper, safe
from memcore.retrieval.best import best_lexical, best_of_all
from memcore.retrieval.edgemem import edgemem
from memcore.retrieval.loop import Retriever
from memcore.retrieval.ppr import ppr
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Memory

Make = Callable[[Memory, Settings, Parts], Retriever]

RETRIEVERS: Final[Mapping[str, Make]] = {
    "edgemem": edgemem,
    "best": best_of_all,
    "best-lexical": best_lexical,
    "ariadnemem-paper": paper,
    "ariadnemem-safe": safe,
    "bm25": baselines.bm25,
    "dense": baselines.dense,
    "hybrid": baselines.hybrid,
    "ppr": ppr,
    "recency": baselines.recency,
    "full": baselines.full,
}
"""Each retriever by its name in command line, pages and run files."""
