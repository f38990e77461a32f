"""The table of retrievers: the names of contract.md and what makes each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from memcore.retrieval import baselines
from memcore.retrieval.ariadnemem import best, paper, safe
from memcore.retrieval.best import best_lexical, best_of_all
from memcore.retrieval.edgemem import edgemem
from memcore.retrieval.loop import Retriever
from memcore.retrieval.ppr import ppr
from memcore.retrieval.premise import premise
from memcore.seams import Parts
from memcore.settings import Settings
from memcore.types import Memory

Make = Callable[[Memory, Settings, Parts], Retriever]

_MAKES: Final[Mapping[str, Make]] = {
    "edgemem": edgemem,
    "best": best_of_all,
    "best-lexical": best_lexical,
    "ariadnemem-paper": paper,
    "ariadnemem-safe": safe,
    "ariadnemem-best": best,
    "bm25": baselines.bm25,
    "dense": baselines.dense,
    "hybrid": baselines.hybrid,
    "ppr": ppr,
    "recency": baselines.recency,
    "full": baselines.full,
}


def _checked(make: Make) -> Make:
    """Return what makes the same retriever, which also checks what a question takes for granted."""

    def whole(memory: Memory, settings: Settings, parts: Parts) -> Retriever:
        return replace(make(memory, settings, parts), premise=premise(memory, settings))

    return whole


RETRIEVERS: Final[Mapping[str, Make]] = {name: _checked(make) for name, make in _MAKES.items()}
"""Each retriever by its name in command line, pages and run files."""
