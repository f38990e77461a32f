"""The keys under which turns meet: stems of lemmas, normalised names, and the words left out.

Snowball stems of lemmas were taken over lemmas alone: "hiking" (noun) and "hike" (verb) meet.
The stop list is closed: function words, pronouns, and the small words of chat.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

import snowballstemmer

_STEMMER: Final = snowballstemmer.stemmer("english")
_POSSESSIVE: Final = re.compile(r"(?:['\u2019]s?|\bs['\u2019])$")
_DETERMINERS: Final = "the|a|an|my|your|his|her|its|our|their|this|that"
DETERMINERS: Final = frozenset(_DETERMINERS.split("|"))
"""Words that a name may begin with and a key does not."""

_DETERMINER: Final = re.compile(rf"^(?:{_DETERMINERS})\s+")
_NAMES_KEPT: Final = 4096
_EDGES: Final = " \t\n.,;:!?\"'`\u2018\u2019\u201c\u201d()[]{}<>*_~-\u2013\u2014#@&/|"

_FUNCTION: Final = """
a about above across actually after afterwards again against all almost along already also although
always am among an and another any anybody anyhow anyone anything anyway anywhere are around as at
away back be became because become been before being below besides between beyond both but by can
cannot could definitely did do does doing done down during each either else enough especially etc
even ever every everybody everyone everything everywhere except few for from further get gets
getting give given go goes going gone got had has have having he hence her here hers herself him
himself his how however i if in indeed instead into is it its itself just keep kind last least less
let lot lots made make makes making many may maybe me might mine more most mostly much must my
myself namely neither never nevertheless next no nobody none nor not nothing now nowhere of off
often on once one only onto or other others otherwise our ours ourselves out over own per perhaps
please pretty put quite rather re really same say see seem seemed several shall she should since so
some somebody somehow someone something sometimes somewhere soon sort still stuff such sure take
than that the their theirs them themselves then there therefore these they thing things this those
though through throughout thus till to together too toward towards under unless until up upon us
use used using usually various very via was we well were what whatever when whenever where whereas
wherever whether which while who whoever whole whom whose why will with within without would yes yet
you your yours yourself yourselves
"""
_CONTRACTIONS: Final = """
ai ain aren arent can't couldn d didn didnt doesn doesnt don dont hadn hasn haven isn isnt ll m ma
mightn mustn n't nt re s shan shouldn t ve wasn wasnt weren won wont wouldn y
"""
_CHAT: Final = """
ah aha alright amazing aw aww awesome bye cool dude gonna gotta great ha haha hahaha hey hi hello hmm
hmmm lol nah nope oh oops ok okay omg ooh thank thanks thx ugh uh um wanna whoa woah wow yay yea yeah
yep yo yup ya awww woohoo congrats congratulations bummer lemme fyi btw yikes welcome tons looky
glad nice good know think like want come look tell feel mean guess
"""
STOP_WORDS: Final = frozenset(f"{_FUNCTION} {_CONTRACTIONS} {_CHAT}".split())
"""English words that give no key, case-folded."""

_CHINESE: Final = """
的 了 着 过 是 在 有 和 与 及 或 就 都 也 很 太 更 最 还 又 再 才 只 不 没 没有 别 被 把 让 给 对
从 到 向 往 以 为 为了 因为 所以 如果 但 但是 可是 不过 而 而且 然后 那么 这么 怎么 怎么样 什么 哪
哪里 哪儿 哪些 哪个 谁 几 多少 多久 多长 何时 为什么 吗 呢 吧 啊 呀 哦 嗯 哈 哈哈 嘿 喂 嘛 啦 哇
我 你 您 他 她 它 我们 你们 他们 她们 它们 咱 咱们 自己 大家 这 那 这个 那个 这些 那些 这里 那里
这儿 那儿 这样 那样 一个 一些 一下 一点 一样 一直 已经 正在 可以 可能 能 会 要 想 应该 需要 得 地
之 其 并 等 上 下 里 中 后 前 时 时候 说 去 来 做 看 觉得 知道 真 真的 非常 特别 好 好的 谢谢 请
请问 是否 是不是 有没有 跟 比 像 用 很多 多 大 小 个 次 件 位 种 那天 什么时候 人 一起 一定 一次
一种 一会儿 一边 一般 一切 不是 不能 不要 不会 不用 不得不 不同 不管 不仅 有点 有点儿 有些 有时
有时候 有的 还有 还是 就是 只是 只有 只要 只能 却 却是 并且 并不 以及 以后 以前 以来 之后 之前
之间 后来 当时 现在 最近 刚刚 刚才 马上 很快 从来 总是 经常 往往 常常 每次 每个 其他 其它 其中
其实 别的 别人 某个 任何 所有 全部 完全 十分 超级 比较 几乎 差不多 大概 好像 似乎 也许 或者 或许
虽然 即使 尽管 既然 由于 因此 于是 然而 否则 例如 比如 关于 通过 随着 根据 起来 出来 下来 过来
过去 出去 回来 回去 进来 进去 上去 下去 变得 成为 使得 感觉 感到 认为 以为 想要 喜欢 告诉 记得
必须 能够 愿意 肯定 东西 事情 事 样子 有人 没人 怎么办 怎样 如何 为何 那种 这种 那边 这边 那时
这时 的话 么 哎 唉 噢 呃 嗨 真是 确实 当然 太棒了 不错 不好意思 没关系 没事 对不起 你好 您好 再见
"""
CHINESE_STOP_WORDS: Final = frozenset(_CHINESE.split())
"""Chinese words that give no key."""


@cache
def stem(word: str) -> str:
    """Return the case-folded Snowball stem of one word.

    >>> stem("Hiking"), stem("hikes"), stem("paintings")
    ('hike', 'hike', 'paint')
    """
    stemmed: str = _STEMMER.stemWord(word.casefold())
    return stemmed


@lru_cache(maxsize=_NAMES_KEPT)
def normalise(name: str) -> str:
    """Return a name as a key: case-folded, one blank between words, no article, no possessive.

    >>> normalise("The  Golden Gate\u2019s"), normalise("Caroline's"), normalise("!")
    ('golden gate', 'caroline', '')
    """
    folded = " ".join(name.casefold().split()).strip(_EDGES)
    bare = _DETERMINER.sub("", folded)
    return _POSSESSIVE.sub("", bare).strip(_EDGES)
