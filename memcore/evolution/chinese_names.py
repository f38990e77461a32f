"""Names for the pronouns of a Chinese clause, and who is named for the pronouns to come."""

from __future__ import annotations

import re
from typing import Final

from memcore.evolution.chinese_words import CLOSE_KIN, KIN, SHE, words
from memcore.evolution.pronouns import Kind, Scene

SURNAME: Final = (
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任"
    "沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤阿小老]"
)
_NAME: Final = re.compile(rf"{SURNAME}[\u4e00-\u9fff]{{1,2}}$")
_OURS: Final = re.compile(
    "(?:我们|咱们)(?=班|校|学校|公司|店|书店|家|老师|组|队|小区|宿舍|单位|部门|老板|村|城市)"
)
_OWNED: Final = re.compile(rf"我(?=(?:{KIN}))")
_HER_KIN: Final = re.compile(rf"([她他])(?=(?:{KIN}))")
_KIN: Final = frozenset(KIN.split("|"))
_CLOSE: Final = frozenset(CLOSE_KIN.split("|"))
_FREE: Final = ("t", "d", "c", "p", "zg")
"""Tags of a word before kin that leaves open whose they are, as does nothing before it."""


def named(text: str, scene: Scene, kin_of: str = "") -> str:
    """Return the clause with names for pronouns; whom it names can be called 他 and 她 later.

    Kin without an owner are those of `kin_of`, else of whom the clause addresses, else the
    speaker's; kin that were spoken of before stay whose they were.
    """
    owner = kin_of or scene.speaker
    both = f"{scene.speaker}和{scene.other}" if scene.other else f"{scene.speaker}等人"
    ours = both if re.search("[你您]", text) else f"{scene.speaker}等人"
    pairs = ((_OURS.pattern, f"{scene.speaker}的"), (r"咱们|我们俩", both), (r"我们", ours),
             (_OWNED.pattern, f"{scene.speaker}的"), (r"(?<!自)我", scene.speaker))  # fmt: skip
    for pattern, name in pairs:
        text = name.join(re.split(pattern, text))
    if scene.other:
        owner = kin_of or (scene.other if re.search("[你您]", text) else scene.speaker)
        text = scene.other.join(re.split(r"[你您](?!们)", text))
    return _third(_own_kin(text, scene, owner), scene)


def _own_kin(text: str, scene: Scene, owner: str) -> str:
    """Close kin without an owner have one put before them: 妈妈说 is 林夏的妈妈说."""
    found: list[str] = []
    last = ""
    for word, tag in words(text, scene.names):
        if word in _CLOSE and (not last or last.startswith(_FREE)):
            spoken_of = (m.words for m in reversed(scene.mentions) if m.words.endswith(f"的{word}"))
            found.append(next(spoken_of, f"{owner}的").removesuffix(word))
        found.append(word)
        last = "" if word in {"为什么", "怎么"} else tag
    return "".join(found)


def _third(text: str, scene: Scene) -> str:
    for word, tag in words(text, scene.names):
        chinese_name = tag.startswith("nr") and _NAME.match(word)
        if word not in scene.names and (chinese_name or (tag == "eng" and word.istitle())):
            scene.notice(word, Kind.PERSON, 2)
    told = words(text, scene.names)
    for (owner_word, tag), (of, _), (kin, _) in zip(told, told[1:], told[2:], strict=False):
        known = owner_word in scene.names or tag.startswith("nr") or tag == "eng"
        if known and of == "的" and kin in _KIN:
            called = f"{owner_word}的{kin}"
            scene.notice(called, Kind.SHE if kin[-1] in SHE else Kind.PERSON, 2)

    def owner(match: re.Match[str]) -> str:
        return scene.owner("she" if match[1] == "她" else "he") or match[1]

    text = _HER_KIN.sub(lambda m: f"{owner(m)}的" if owner(m) != m[1] else m[1], text)
    return re.sub(r"(?<!其)([她他])(?!们|人)", owner, text)
