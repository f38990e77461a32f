"""Words of the networks, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "step.network": "Network",
    "memory.network": "Network",
    "network.facts": "Evolution graph",
    "network.anchors": "Hypergraph",
    "network.which": "Network",
    "network.said": (
        "{shown} of {total} nodes and {edges} lines: the selection with two hops around it, else "
        "what this run kept with its neighbours, else what is joined most. Select a node for more."
    ),
    "network.twin": "The same nodes as a table",
    "network.about": "About this file",
    "network.none": "Select a node to read it.",
    "network.download": "Download this run's network",
    "network.empty": "This memory has no such network: it was not built.",
    "node.id": "id",
    "node.kind": "kind",
    "node.words": "words",
    "node.joined": "lines",
}

CHINESE: Final[Mapping[str, str]] = {
    "step.network": "网络图",
    "memory.network": "网络图",
    "network.facts": "演化图",
    "network.anchors": "超图",
    "network.which": "网络图",
    "network.said": (
        "显示 {shown} / {total} 个节点、{edges} 条连线：有选中项时为其两跳邻域，"
        "否则为本次运行保留的节点及其相邻节点，再否则为连线最多的节点。点选节点可查看更多。"
    ),
    "network.twin": "以表格列出相同节点",
    "network.about": "关于此文件",
    "network.none": "点选节点查看内容。",
    "network.download": "下载本次运行的网络图",
    "network.empty": "该记忆没有此网络图：尚未构建。",
    "node.id": "编号",
    "node.kind": "类型",
    "node.words": "内容",
    "node.joined": "连线数",
}
