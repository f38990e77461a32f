"""The words of a Chinese clause with their tags, and the closed lists that the extractor reads.

jieba's tags are mended where its dictionary joins a negation or an object to the verb (不太会,
养猫, 打乒乓球) and where it calls kin a verb (邻居).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memcore.annotate.pipelines import chinese

CLOSE_KIN: Final = (
    "妈妈|爸爸|母亲|父亲|姐姐|妹妹|哥哥|弟弟|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|丈夫|妻子|儿子|女儿"
    "|男朋友|女朋友|表弟|表妹|表哥|表姐|堂弟|堂妹|堂哥|堂姐"
    "|舅舅|舅妈|姑妈|姑姑|姑父|姨妈|婶婶|伯伯|孙子|孙女"
)
"""Kin that without an owner are the speaker's."""
KIN: Final = (
    f"{CLOSE_KIN}|妈|爸|朋友|同事|老板|邻居|房东|老师|室友|同学|同桌|叔叔|阿姨|哥|姐|弟|妹|狗|猫"
)
SHE: Final = frozenset("妈姐妹奶婆妻女姨姥")

NOT: Final = (
    "不",
    "没",
    "没有",
    "不再",
    "再也不",
    "别",
    "从不",
    "从来不",
    "从没",
    "从未",
    "未",
    "不是",
)
_LEXICAL: Final = frozenset((
    "不错", "不断", "不同", "不仅", "不过", "不管", "不久", "不少", "不如", "不得不", "不好意思", "不小心", "不一样", "不然",
    "不禁", "不只", "不光", "不论", "不但", "不止", "不由得", "不动产", "没关系", "没事", "没错", "没准", "没想到",
))  # fmt: skip
"""Words that begin with a negation and deny nothing."""
_JOINED: Final = re.compile(r"(不太|不怎么|不再|不|没)(.+)")
_WHOLE: Final = frozenset({"打印机", "打火机", "吃货", "弹簧", "养分", "养殖", "打扮", "喝彩"})
_FAMILIAR: Final = frozenset("小阿老")
"""Before one character they make a name: 小美."""

_TAGS: Final = {
    **dict.fromkeys((*KIN.split("|"), "点心", "锁"), "n"),
    **dict.fromkeys(
        ("感觉", "想象", "希望", "以为", "教", "学", "满怀", "戒烟", "戒酒", "打工", "养老"), "v"
    ),
    **dict.fromkeys(
        (
            "超",
            "超级",
            "好",
            "一共",
            "总共",
            "一起",
            "也许",
            "好像",
            "真的",
            "宁可",
            "根本",
            "简直",
            "有点",
            "本来",
        ),
        "d",
    ),
}
"""The tags of words that jieba's dictionary has under another."""
_CUT: Final = {
    "n": (
        (re.compile("([好很超太])([\u4e00-\u9fff]{2})"), "d", "a"),
        (re.compile("([打养戒喝吃弹])(.+)"), "v", "n"),
    ),
    "i": ((re.compile("([打喝吃])(.+)"), "v", "n"),),
    "v": ((re.compile("([抽喝弹骑养])([\u4e00-\u9fff])"), "v", "n"),),
}
"""What is two words by the tag that its dictionary gives it: 抽烟 is a verb and its object."""

Words = tuple[tuple[str, str], ...]


def words(text: str, names: Sequence[str] = ()) -> Words:
    """Return the words of a clause with mended tags; joined, the words are the text.

    >>> words("我还不太会打乒乓球")
    (('我', 'r'), ('还', 'd'), ('不太', 'd'), ('会', 'v'), ('打', 'v'), ('乒乓球', 'n'))
    """
    tagged = (pair for word, tag in chinese(text, names) for pair in _mended(word, tag, names))
    found: list[tuple[str, str]] = []
    for word, tag in tagged:
        done = tag == "ul" and found and found[-1][1] in {"n", "vn", "ud"}
        if done and found[-1][0] not in names:
            found[-1] = (found[-1][0], "v")  # 转学了, 得了: what is done is no noun
        if found and found[-1][0] in _FAMILIAR and len(word) == 1 and tag[0] in "jnr":
            found[-1] = (f"{found[-1][0]}{word}", "nr")
        else:
            found.append((word, tag))
    if found and found[-1] == ("好", "d"):
        found[-1] = ("好", "a")
    return tuple(found)


def _splits(word: str, tag: str) -> bool:
    """Whether a word that begins with a negation is two."""
    helps = word[1:] in {"要", "会", "能", "用", "想"}
    return word not in (*_LEXICAL, *NOT) and (tag[0] in "nva" or helps)


def _mended(word: str, tag: str, names: Sequence[str]) -> Words:
    if word in names:
        return ((word, tag),)
    if word in _TAGS:
        return ((word, _TAGS[word]),)
    if (found := _JOINED.fullmatch(word)) and _splits(word, tag):
        return ((found[1], "d"), (found[2], "v"))
    if word not in _WHOLE:
        for pattern, first, second in _CUT.get(tag[0], ()):
            if found := pattern.fullmatch(word):
                return ((found[1], first), (found[2], second))
    return ((word, tag),)
