"""Words of the stages of the retrievers, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "stage.cues": "cues",
    "stage.query": "query",
    "stage.fast_path": "fast path",
    "stage.activate": "activate",
    "stage.core": "episodic core",
    "stage.co_occurrence": "co-occurrence",
    "stage.temporal": "temporal",
    "stage.hop": "hop",
    "stage.union": "union",
    "stage.connect": "connect",
    "stage.pack": "pack",
    "stage.dense": "dense",
    "stage.lexical": "BM25",
    "stage.bm25": "BM25",
    "stage.recency": "recency",
    "stage.full": "full history",
    "stage.fusion": "rank fusion",
    "stage.terminals": "terminals",
    "stage.base_graph": "base graph",
    "stage.bridges": "bridges",
    "stage.node_budget": "node budget",
    "stage.paths": "paths",
    "stage.serialize": "serialize",
    "stage.sum": "weighted sum",
    "stage.bridge": "bridge",
    "stage.successor": "successor",
}

CHINESE: Final[Mapping[str, str]] = {}
