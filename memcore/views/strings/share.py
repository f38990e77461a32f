"""Words of exports and of the replay, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "replay.back": "Back",
    "replay.next": "Next",
    "replay.keys": "← → step · 1–6 jump · Esc clears the selection",
    "replay.ledger": "Ledger: every candidate",
    "replay.packet": "Packet as sent",
    "replay.reader": "Reader",
    "replay.none": "Select a bar, a dot or an id to read what stands behind it.",
    "replay.clear": "Clear selection",
    "replay.search": "Search the ledger",
    "replay.rows": "candidates",
    "replay.about": "About this file",
    "replay.gold": "known evidence",
    "replay.cut_rows": "more rows in the ledger",
    "replay.question": "Question",
    "replay.sheet": (
        "Score sheet: the dialogue on one time axis, activated anchors as rows, scores as bars; "
        "the tables below hold the same ids."
    ),
    "replay.no_text": "(the question is left out of this file)",
    "replay.cut": "{shown} of {total} shown; the ledger holds all",
    "replay.in_play": "{active} of {total} in play",
}

CHINESE: Final[Mapping[str, str]] = {
    "replay.back": "上一步",
    "replay.next": "下一步",
    "replay.keys": "← → 逐步 · 1–6 跳转 · Esc 取消选择",
    "replay.ledger": "台账：全部候选项",
    "replay.packet": "实际发送的上下文",
    "replay.reader": "原文",
    "replay.none": "点选柱、点或编号，即可查看其原文。",
    "replay.clear": "取消选择",
    "replay.search": "搜索台账",
    "replay.rows": "个候选项",
    "replay.about": "关于此文件",
    "replay.gold": "已知证据",
    "replay.cut_rows": "其余各行见台账",
    "replay.question": "问题",
    "replay.sheet": "得分谱：对话按轮次排在一条时间轴上，激活的锚点各占一行，得分画成柱；下方表格使用相同的编号。",
    "replay.no_text": "（此文件不含问题原文）",
    "replay.cut": "显示 {shown} / {total}，台账中有全部",
    "replay.in_play": "{total} 项中有 {active} 项在用",
}
