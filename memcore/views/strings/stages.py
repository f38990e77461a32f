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

CHINESE: Final[Mapping[str, str]] = {
    "stage.cues": "线索",
    "stage.query": "查询",
    "stage.fast_path": "快速路径",
    "stage.activate": "激活",
    "stage.core": "情节核心",
    "stage.co_occurrence": "共现",
    "stage.temporal": "时间",
    "stage.hop": "一跳",
    "stage.union": "并集",
    "stage.connect": "连接",
    "stage.pack": "装包",
    "stage.dense": "向量",
    "stage.lexical": "BM25",
    "stage.bm25": "BM25",
    "stage.recency": "最近优先",
    "stage.full": "完整历史",
    "stage.fusion": "排名融合",
    "stage.terminals": "端点",
    "stage.base_graph": "基础图",
    "stage.bridges": "搭桥",
    "stage.node_budget": "节点预算",
    "stage.paths": "路径",
    "stage.serialize": "序列化",
    "stage.sum": "加权和",
    "stage.bridge": "桥",
    "stage.successor": "后继",
}
