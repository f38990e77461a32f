"""Words of the legend, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "legend.turn": "tick: a turn, one row a speaker; strong = in play at this step",
    "legend.fact": "filled circle: a current fact; circle with a cross: a replaced one (“was”)",
    "legend.bridge": "diamond: a bridge between facts that nothing joined",
    "legend.anchor": "row: an anchor with a dot for each member turn",
    "legend.kinds": "▲ entity · ● lexical · ◐ speaker · ■ calendar · ▬ session · ┅ window",
    "legend.gold": "★ and dashed line: known evidence",
    "legend.accent": "pink: selected",
    "legend.quiet": "pale: not in play at this step",
}

CHINESE: Final[Mapping[str, str]] = {
    "legend.turn": "短竖线：一轮发言，每位说话人一行；深色 = 这一步仍在场",
    "legend.fact": "实心圆：当前事实；带叉的圆：已被取代的事实（“曾经”）",
    "legend.bridge": "菱形：把原本不相连的事实接起来的桥",
    "legend.anchor": "一行：一个锚点，每个成员轮次一个点",
    "legend.kinds": "▲ 实体 · ● 词汇 · ◐ 说话人 · ■ 日历 · ▬ 会话 · ┅ 窗口",
    "legend.gold": "★ 与虚线：标注证据",
    "legend.accent": "粉红：选中",
    "legend.quiet": "浅色：这一步不在场",
}
