"""Words of the page Present, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "page.present": "Present",
    "present.empty": "No run to present: load the sample, and its run gives all scenes.",
    "present.which": "Run presented",
    "present.sample": "Load the sample dialogue",
    "present.recorded": "Run {run} · {retriever} · recorded, no network",
    "present.place": "{n} of {total} · {name}",
    "present.back": "Back",
    "present.next": "Next",
    "present.step": "Open in Step",
    "present.and": ", ",
    "present.asked": "Asked: {question}",
    "present.skipped": "Left out, since this run has no material for it: {names}.",
    "present.no_scene": "This run has no scene {n}; showing scene {shown}.",
    "present.notes": "Notes",
    "present.table": "The same as a table",
    "present.alt": "{said} The table below holds the same.",
    "present.1": "Months of talk on one line",
    "present.2": "A fact changed",
    "present.3": "The question plays its chords",
    "present.4": "The missing link",
    "present.5": "The answer with receipts",
    "present.6": "And where it failed",
    "present.1.said": (
        "{sessions} sessions from {first} to {last}: {turns} turns became {facts} facts and "
        "{anchors} anchors."
    ),
    "present.2.said": (
        "Was {was} ({until}), is {now} ({since}); the old value and its quote stay visible."
    ),
    "present.3.said": (
        "{cues} stretches of the question light {anchors} anchors; "
        "{scored} of {total} turns rise with a score."
    ),
    "present.3.facts": "{scored} of {total} facts light up, each over its turn; bars are the scores.",
    "present.3.turns": "{scored} of {total} turns rise with a score.",
    "present.4.bridge": "{middle} joins {left} and {right}, which nothing connected before.",
    "present.4.over": "{left} and {right} lie in different sessions; {middle} joins them.",
    "present.5.said": "“{answer}” from {tokens} of {whole} tokens, {share} % of the dialogue.",
    "present.6.said": (
        "Run {run} asked “{question}”: {lost} of {total} pieces of evidence did not reach the "
        "packet. First loss: {why}."
    ),
    "present.6.refused": (
        "Run {run} asked “{question}”: all {total} pieces of evidence were in the packet, and the "
        "reader refused."
    ),
    "present.1.note": "Each tick is a turn, each row a speaker; the area counts the facts so far.",
    "present.2.note": "Nothing was overwritten: both values keep their turn and their date.",
    "present.3.note": "A row is one anchor with a dot for each of its turns; bars are the scores.",
    "present.4.note": "The piece in the middle was not asked for; it was found between the two.",
    "present.5.note": "Both bars are drawn to the same scale; each citation is a turn below.",
    "present.6.note": "Stars count the known evidence that is still there after each beat.",
    "present.facts_so_far": "facts so far",
    "present.was": "was",
    "present.is": "is",
    "present.end": "end",
    "present.joins": "joins them",
    "present.packet": "packet",
    "present.dialogue": "whole dialogue",
    "present.never": "never reached",
    "present.packed": "in the packet",
    "present.lost": "lost",
    "present.of": "{n} of {total}",
    "present.advice.never": (
        "What one could change: no cue of the question led there. An embedder that knows the "
        "question's words, or a retriever that reads the other memory, may: try it in Compare."
    ),
    "present.advice.rank": (
        "What one could change: it was found and ranked too low. A larger k or other weights may "
        "keep it: What-if tries them without a model."
    ),
    "present.advice.budget": (
        "What one could change: it was found and did not fit. A larger budget or share may keep "
        "it: What-if gives the smallest one that does."
    ),
    "present.advice.reader": "What one could change: the reader; the evidence was in its packet.",
    "talk.session": "session",
    "talk.date": "date",
    "talk.turns": "turns",
    "talk.facts": "facts",
    "change_row.id": "fact",
    "change_row.state": "state",
    "change_row.fact": "words",
    "change_row.said": "said",
    "change_row.turns": "turns",
    "link_row.id": "id",
    "link_row.part": "part",
    "link_row.words": "words",
    "receipt_row.sentence": "sentence",
    "receipt_row.cites": "cites",
    "loss_row.id": "turn",
    "loss_row.stage": "lost at",
    "loss_row.reason": "reason",
    "loss_row.margin": "margin",
    "loss_row.words": "words",
}

CHINESE: Final[Mapping[str, str]] = {
    "page.present": "演示",
    "present.empty": "没有可演示的运行：载入示例，其运行即可给出全部场景。",
    "present.which": "所演示的运行",
    "present.sample": "载入示例对话",
    "present.recorded": "运行 {run} · {retriever} · 已记录，无需网络",
    "present.place": "第 {n} / {total} 幕 · {name}",
    "present.back": "上一幕",
    "present.next": "下一幕",
    "present.step": "在步进页打开",
    "present.and": "、",
    "present.asked": "问题：{question}",
    "present.skipped": "因本次运行没有相应内容而略过：{names}。",
    "present.no_scene": "本次运行没有第 {n} 幕，改为显示第 {shown} 幕。",
    "present.notes": "讲稿",
    "present.table": "以表格查看",
    "present.alt": "{said}下方表格内容相同。",
    "present.1": "数月对话，一线展开",
    "present.2": "一个事实变了",
    "present.3": "问题奏响和弦",
    "present.4": "缺失的一环",
    "present.5": "有据可查的回答",
    "present.6": "失败在哪里",
    "present.1.said": (
        "从 {first} 到 {last} 共 {sessions} 次会话：{turns} 轮对话变成 {facts} 条事实和 {anchors} 个锚点。"
    ),
    "present.2.said": "曾是 {was}（{until}），现为 {now}（{since}）；旧值及其原话仍然可见。",
    "present.3.said": (
        "问题中的 {cues} 段文字点亮 {anchors} 个锚点；{total} 轮中有 {scored} 轮获得得分。"
    ),
    "present.3.facts": "{total} 条事实中有 {scored} 个被点亮，各在其轮次上方；柱是得分。",
    "present.3.turns": "{total} 轮中有 {scored} 轮获得得分。",
    "present.4.bridge": "{middle} 连接了此前互不相连的 {left} 与 {right}。",
    "present.4.over": "{left} 与 {right} 位于不同会话，由 {middle} 连接。",
    "present.5.said": "“{answer}”：只用了 {whole} 个词元中的 {tokens} 个，占整个对话的 {share}%。",
    "present.6.said": (
        "运行 {run} 的问题是“{question}”：{total} 处证据中有 {lost} 处未进入上下文。"
        "首次丢失：{why}。"
    ),
    "present.6.refused": (
        "运行 {run} 的问题是“{question}”：{total} 处证据都在上下文中，但阅读器拒绝作答。"
    ),
    "present.1.note": "每一竖是一轮，每一行是一位说话人；面积表示累计事实数。",
    "present.2.note": "没有任何内容被覆盖：新旧两个值都保留其轮次和日期。",
    "present.3.note": "每行是一个锚点，每个点是它的一轮对话；柱是得分。",
    "present.4.note": "中间这一环并非问题所问，而是在两者之间找到的。",
    "present.5.note": "两条柱按同一比例绘制；每个引用都是下方的一轮原话。",
    "present.6.note": "星号表示各拍之后仍在的标注证据数。",
    "present.facts_so_far": "累计事实",
    "present.was": "曾是",
    "present.is": "现为",
    "present.end": "端点",
    "present.joins": "连接两者",
    "present.packet": "上下文",
    "present.dialogue": "整个对话",
    "present.never": "从未触及",
    "present.packed": "在上下文中",
    "present.lost": "已丢失",
    "present.of": "{n} / {total}",
    "present.advice.never": (
        "可以改变的：问题中没有线索通向它。换用认识问题用词的嵌入器，或读取另一种记忆的检索器，"
        "可在比较页尝试。"
    ),
    "present.advice.rank": (
        "可以改变的：它被找到了，但排名太低。更大的 k 或其他权重也许能留住它，"
        "假设页无需模型即可尝试。"
    ),
    "present.advice.budget": (
        "可以改变的：它被找到了，但放不下。更大的预算或份额也许能留住它，假设页会给出最小的取值。"
    ),
    "present.advice.reader": "可以改变的：阅读器；证据已在其上下文中。",
    "talk.session": "会话",
    "talk.date": "日期",
    "talk.turns": "轮次",
    "talk.facts": "事实",
    "change_row.id": "事实",
    "change_row.state": "状态",
    "change_row.fact": "内容",
    "change_row.said": "说于",
    "change_row.turns": "轮次",
    "link_row.id": "编号",
    "link_row.part": "部分",
    "link_row.words": "内容",
    "receipt_row.sentence": "句子",
    "receipt_row.cites": "引用",
    "loss_row.id": "轮次",
    "loss_row.stage": "丢失于",
    "loss_row.reason": "原因",
    "loss_row.margin": "差距",
    "loss_row.words": "内容",
}
