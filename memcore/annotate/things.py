"""The things that a question takes for granted: its nouns, without those it merely asks with.

"What is her **sculpture** a reminder of?" takes a sculpture for granted; "which **language** does she
learn?" asks for one. Tags decide what is a noun; dates, and nouns that only carry a question (kind,
reason, way), are left out by a closed list. A parser was turned down: it costs five times the tags.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memcore.annotate.keys import stem
from memcore.annotate.languages import CHINESE
from memcore.annotate.pipelines import chinese, english
from memcore.types import AnchorKind, Mention, Query

_LIGHT_WORDS: Final = """
ability activity addition amount anyone anything area aspect attitude attribute change condition
day decision description detail discussion duration effect element event everyone everything
example experience experimentation feature feeling field focus form frequency goal idea impact
intention kind life location lot manner member method month name number opinion outcome part people
person place plan process purpose reaction reason regard result role situation someone something
sort state status style thing thought time topic type view way week year
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday
spring summer autumn fall winter weekend morning evening night
"""
_LIGHT: Final = frozenset(stem(word) for word in _LIGHT_WORDS.split()) | frozenset(
    [
        "事情",
        "事",
        "东西",
        "时候",
        "时间",
        "地方",
        "原因",
        "方式",
        "名字",
        "人",
        "次",
        "种类",
        "活动",
        "情况",
        "结果",
        "感觉",
        "心情",
        "关系",
    ]
)
_ASKED_FOR: Final = re.compile(
    r"\b(?:what|which|how|whose)\b(?P<en>.*?)"
    r"(?=\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might)\b|$)"
    r"|(?:什么|哪[个些种家位本部条]?|几[个种位本]?|多少)(?P<zh>[^的是，。？?]{0,4})",
    re.IGNORECASE,
)


def things(query: Query, speakers: tuple[str, ...] = ()) -> tuple[Mention, ...]:
    """Return the mentions that name what a question takes for granted, by place."""
    asked = _ASKED_FOR.search(query.text)
    start, end = asked.span(asked.lastgroup or 0) if asked else (0, 0)
    nouns = _nouns(query, speakers)
    return tuple(
        m
        for m in query.mentions
        if m.kind is AnchorKind.LEXICAL
        and nouns.get(m.start) == m.end
        and not start <= m.start < end
        and m.key not in _LIGHT
        and not m.key.isdecimal()
    )


def _nouns(query: Query, speakers: tuple[str, ...]) -> Mapping[int, int]:
    """Return where the nouns of a question start, and where each of them ends."""
    if query.language != CHINESE:
        doc = english()(query.text, disable=["ner"])
        return {t.idx: t.idx + len(t) for t in doc if t.pos_ in {"NOUN", "PROPN"}}
    found, place = {}, 0
    for word, tag in chinese(query.text, speakers):
        if tag.startswith("n"):
            found[place] = place + len(word)
        place += len(word)
    return found
