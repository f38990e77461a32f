"""Short Chinese answers, joined with the question before them into a statement."""

from __future__ import annotations

import re
from typing import Final

from memcore.evolution.chinese_names import named
from memcore.evolution.chinese_words import words
from memcore.evolution.pronouns import Scene
from memcore.types import Turn

PARSED: Final = 8000
SENTENCE: Final = re.compile(r"[^。！？!?；;\n…~～]+[。！？!?；;\n…~～]*")
_LONGEST_ANSWER: Final = 12
_SHORTEST: Final = 3
_MARKS: Final = " 。！!，,~～\n"
_PARTICLES: Final = "呀呢哦啦嘛耶喔噢哟呗啊"
_WH: Final = re.compile(
    r"什么名字|什么颜色|什么时候|什么地方|哪里|哪儿|哪一?[年月天家个位]|谁|几点|多少钱|多少|多久|多长时间"
    r"|几(?=[个只岁本次年天周月])|什么"
)
_WHY: Final = re.compile(r"为什么|为何|怎么会")
_EITHER: Final = re.compile(
    r"(?P<v>[\u4e00-\u9fff])(?:不(?P=v)|没(?P=v)?)|([是有会要能])没?不?有?\2"
)
_IS_IT: Final = re.compile(
    "是不是(?=[也很都还就想要会在去有爱]|喜欢|觉得|特别|已经|经常|常|更|最|从|对|跟|和|又|真)"
)
"""Before a verb it only asks."""
_YES: Final = re.compile(r"是的?|对|对的|嗯+|是啊|有的?|会的?|没错|当然|要的?|能|可以|还?在的?|想")
_NO: Final = re.compile(r"不|不是的?|没有?|不会|不想|还没有?|不了|从来没有?|不要|不能")
_DENIALS: Final = (("喜欢", "不喜欢"), ("还在", "不在"), ("有", "没有"), ("会", "不会"), ("是", "不是"),
                   ("想", "不想"), ("要", "不要"), ("能", "不能"))  # fmt: skip
_CEASED: Final = re.compile(r"(?:再也不|不再|没再|不)([\u4e00-\u9fff]{1,2})了$")
_OBJECT: Final = r"(?:过|了|着)?([\u4e00-\u9fff]{1,4}?)(?=[，。！？,!?；、的了吗呢和]|很久|$)"


def last_question(before: Turn | None) -> str:
    """Return the last clause of the last question of a turn; "" where it asks nothing."""
    if before is None:
        return ""
    asked = [s[0] for s in SENTENCE.finditer(before.text[:PARSED]) if re.search(r"[?？]|吗", s[0])]
    return re.split(r"[，,]", asked[-1].strip())[-1].strip("？?。！ 呢") if asked else ""


def about_the_asked(question: str) -> bool:
    """Whether a question is about whom it is put to: by name of "you", or without a subject."""
    if re.search("[你您咱]", question):
        return True
    first = next((tag for _, tag in words(question) if tag[0] not in "dtcmq"), "v")
    return first[0] in "vp"


def statement(question: str, sentence: str, scene: Scene) -> str:
    """Return what a short answer makes of the question before it, in names; "" for nothing."""
    found = _statement(question, sentence, scene)
    return found if len(found) > _SHORTEST and found[0] not in "是的" else ""


def _statement(question: str, sentence: str, scene: Scene) -> str:
    answer = sentence.strip(_MARKS).strip(_PARTICLES).strip(_MARKS)
    wh, either = _WH.search(question), _EITHER.search(question)
    third = wh and not either and wh.start() > 1 and "你" not in question
    if wh and third and answer.startswith(question[wh.start() - 1]):
        return named(question[: wh.start() - 1] + answer, scene)
    if not answer or len(answer) > _LONGEST_ANSWER:
        return ""
    own = about_the_asked(question)
    whole = f"你{question}" if own and not re.search("[你您咱]", question) else question
    if either or whole.endswith(("吗", "没", "没有")):
        return _decided(whole.removesuffix("吗"), answer, scene)
    if not own:
        return ""
    return "" if re.search(r"[?？]", sentence) else _filled(whole, answer, scene)


def _asker(scene: Scene) -> Scene:
    return Scene(scene.other, scene.speaker, scene.names)


def _decided(question: str, answer: str, scene: Scene) -> str:
    """The question as a statement, affirmed or denied."""
    plain = re.sub(r"没有?$", "", question)
    plain = re.sub(r"[，,]?(?:是|对|好|可以)$", "", plain)
    plain = re.sub("^我(?:还)?记得", "", plain)
    plain = _IS_IT.sub("", plain)
    plain = _EITHER.sub(lambda m: m["v"] or m[2], plain)
    if _WH.search(plain):
        return ""
    plain = re.sub("^(你)?是(?=[想要去来在不可很也都])", r"\1", plain)
    verb = answer.removeprefix("不").removeprefix("没有").removeprefix("没").rstrip("了过的")
    echoed = bool(verb) and re.search(f"(?<![不没]){re.escape(verb)}", plain)
    if _YES.fullmatch(answer) or (echoed and answer[0] not in "不没" and len(verb) < 3):
        return named(plain, _asker(scene), scene.speaker)
    if _NO.fullmatch(answer):
        return _denied(plain, scene)
    if echoed and answer[0] in "不没":
        place = plain.rindex(verb)
        after = plain[place + len(verb) :].lstrip("了过")
        start = plain[:place].removesuffix("还")
        end = "了" if answer.endswith("了") else ""
        return named(f"{start}{answer.rstrip('了')}{after}{end}", _asker(scene), scene.speaker)
    return ""


def _denied(plain: str, scene: Scene) -> str:
    for word, denial in _DENIALS:
        if word in plain:
            return named(plain.replace(word, denial, 1), _asker(scene), scene.speaker)
    for word, tag in words(plain, scene.names):
        if tag.startswith("v"):
            denial = "没" if "过" in plain else "不"
            return named(plain.replace(word, f"{denial}{word}", 1), _asker(scene), scene.speaker)
    return ""


def _filled(question: str, answer: str, scene: Scene) -> str:
    """The question with the answer in the place of what it asks for."""
    if _WHY.search(question):
        if not answer.startswith(("因为", "为了")):
            return ""
        return (
            f"{named(_WHY.sub('', question), _asker(scene), scene.speaker)}，{named(answer, scene)}"
        )
    told = any(tag[0] in "vda" for _, tag in words(answer, scene.names))
    found = _WH.search(question)
    if told or not found:
        return ""
    before = named(question[: found.start()], _asker(scene), scene.speaker)
    return f"{before}{named(answer, scene)}{named(question[found.end() :], _asker(scene), scene.speaker)}"


def completed(text: str, told: str) -> str:
    """Return a clause that gives something up with what it gives up, if that was told before.

    >>> completed("现在不弹了", "我以前弹吉他")
    '现在不弹吉他了'
    """
    ceased = _CEASED.search(text)
    if ceased is None:
        return text
    found = re.search(f"{ceased[1]}{_OBJECT}", told)
    return f"{text[:-1]}{found[1]}了" if found else text
