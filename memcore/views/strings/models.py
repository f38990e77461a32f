"""Words on served models: who extracts and reads, what it costs, what failed; by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "phase.extract": "read windows with the model",
    "model.extractor": "Who turns the talk into facts",
    "model.reader": "Who answers",
    "model.local": "this machine",
    "model.served": "the model server",
    "model.estimate": (
        "{calls} calls for {windows} windows: about {asked} tokens asked (words1.3) "
        "and {answered} answered"
    ),
    "model.estimate_none": "This model has read every window; building asks it nothing.",
    "model.money": "about {money}",
    "model.leaves": "The turns of this dialogue are sent to {place}.",
    "model.build": "Build the facts anew",
    "model.ready": "The hypergraph is ready: EdgeMem can be asked already.",
    "model.failed": "{n} turns gave no usable reply",
    "model.failed.one": "{n} turn gave no usable reply",
    "model.failed.other": "{n} turns gave no usable reply",
    "model.retry": "Ask again for the failed turns",
    "model.windows": "Windows that failed",
    "model.try_local": "Answer on this machine",
    "model.costs": "What models cost",
    "model.prompt_tokens": (
        "{estimated} tokens by words1.3 (estimated), {counted} counted by the tokenizer of {reader}"
    ),
    "model.prompt_estimated": "{estimated} tokens by words1.3 (estimated)",
    "model.from_cache": "This reply was kept from before; nobody was asked.",
    "model.use_cache": "Reuse kept replies",
    "model.use_cache_help": "A reply to the same prompt, model and settings is taken from this file.",
    "model.bad_server": "The model server is not usable: {why}",
    "cost.what": "what",
    "cost.model": "model",
    "cost.calls": "calls",
    "cost.prompt": "tokens asked",
    "cost.answer": "tokens answered",
    "cost.seconds": "seconds",
    "cost.money": "cost",
    "cost.run": "this answer",
    "cost.all": "all answers of this dialogue",
    "cost.extraction": "facts of this dialogue",
    "cost.no_price": "no price set",
    "window.first": "from",
    "window.last": "to",
    "window.turns": "failed turns",
    "window.why": "why",
}

CHINESE: Final[Mapping[str, str]] = {
    "phase.extract": "由模型读取窗口",
    "model.extractor": "由谁把对话变成事实",
    "model.reader": "由谁回答",
    "model.local": "本机",
    "model.served": "模型服务器",
    "model.estimate": (
        "{windows} 个窗口需调用 {calls} 次：发送约 {asked} 个词元（words1.3），返回约 {answered} 个"
    ),
    "model.estimate_none": "该模型已读完所有窗口，构建时不再调用。",
    "model.money": "约 {money}",
    "model.leaves": "该对话的轮次将发送到 {place}。",
    "model.build": "重新构建事实",
    "model.ready": "超图已就绪：现在即可用 EdgeMem 提问。",
    "model.failed": "{n} 个轮次没有得到可用的回复",
    "model.failed.one": "{n} 个轮次没有得到可用的回复",
    "model.failed.other": "{n} 个轮次没有得到可用的回复",
    "model.retry": "重新请求失败的轮次",
    "model.windows": "失败的窗口",
    "model.try_local": "在本机回答",
    "model.costs": "模型费用",
    "model.prompt_tokens": (
        "按 words1.3 估计 {estimated} 个词元，{reader} 的分词器计数为 {counted} 个"
    ),
    "model.prompt_estimated": "按 words1.3 估计 {estimated} 个词元",
    "model.from_cache": "此回复取自本地缓存，没有调用模型。",
    "model.use_cache": "使用缓存的回复",
    "model.use_cache_help": "提示、模型和设置相同时，直接取用本文件中的回复。",
    "model.bad_server": "模型服务器不可用：{why}",
    "cost.what": "项目",
    "cost.model": "模型",
    "cost.calls": "调用次数",
    "cost.prompt": "发送词元",
    "cost.answer": "返回词元",
    "cost.seconds": "秒",
    "cost.money": "费用",
    "cost.run": "本次回答",
    "cost.all": "该对话的全部回答",
    "cost.extraction": "该对话的事实",
    "cost.no_price": "未设价格",
    "window.first": "起",
    "window.last": "止",
    "window.turns": "失败轮次",
    "window.why": "原因",
}
