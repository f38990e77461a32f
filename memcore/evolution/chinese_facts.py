"""Who and what a Chinese statement is about: subject, attribute, value, and whether it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memcore.evolution.chinese_names import SURNAME
from memcore.evolution.chinese_words import KIN, NOT, Words, words
from memcore.evolution.pronouns import Scene
from memcore.types import Modality

_HYPOTHETICAL: Final = re.compile(
    r"如果|要是|假如|可能|也许|或许|大概|说不定|希望|万一|会不会|好像|恐怕"
)
_CALLED_OFF: Final = re.compile(r"取消|放弃|作罢|不再|从不|从未|未曾|再也不")
_PLANNED: Final = re.compile(
    r"打算|准备(?!好)|计划|决定|考虑|下次|将[要会]?|(?<![机社])会(?=[去在来给把和再]|继续|注意|参考|按照|努力|尝试)|[也还就一定]会(?=[\u4e00-\u9fff]{2,}的?$)"
)
_WISHES: Final = frozenset({"想", "想要", "要", "打算", "准备", "计划", "决定", "考虑", "不想"})
_SAYS: Final = frozenset({"说", "让", "叫", "要求", "需要", "重要", "主要"})
_JOBS: Final = (
    "老师|护士|医生|律师|厨师|司机|工程师|程序员|会计|设计师|记者|演员|歌手|警察|销售|经理|店员|学生"
    "|教授|作家|画家|导游|翻译|摄影师|飞行员|消防员|编辑|教练|研究生|秘书|公务员|老板"
)
_STILL: Final = "(?:还|现在|一直|已经|都|仍然|也|就|目前|最近|以前|之前|曾经|原来|过去|终于|刚刚?)*"
_GIVEN_UP: Final = {"烟": "抽", "酒": "喝", "咖啡": "喝", "奶茶": "喝", "可乐": "喝", "茶": "喝"}
"""What is taken with another verb than 吃."""
_PLACE: Final = r"([\u4e00-\u9fffA-Za-z]{2,8}?)"
_END: Final = r"(?=$|[了的呢啊吧，。！]|看|玩|旅游|旅行|出差|上班|工作|生活|定居|这|那)"
_TRIP: Final = re.compile(
    rf"(?:去|到|飞){_PLACE}(?:的?(?:旅游|旅行|行程|玩|出差|看日出|计划))?{_END}"
)
_TOUR: Final = re.compile(r"([\u4e00-\u9fff]{2,6})(?:之行|之旅|旅行|行程)")
DEGREES: Final = frozenset(
    {
        "那么",
        "这么",
        "那样",
        "这样",
        "自己",
        "每个",
        "每次",
        "有时",
        "有时候",
        "每天",
        "每周",
        "每年",
        "每晚",
    }
)
"""Pronouns by jieba's tag that name nobody."""
WITH: Final = frozenset({"和", "跟", "与", "同", "及"})
"""Between nouns they join, before the first they begin a company."""
_AUXILIARY: Final = frozenset({"会", "要", "能", "可以", "应该", "没有", "能够", "必须", "得"})
_TITLED: Final = re.compile(
    rf"^{SURNAME}(?:老太太|老先生|先生|女士|太太|阿姨|叔叔|奶奶|爷爷|老师|医生|总|姐|哥)"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said of what; the modality says in which way."""

    subject: str
    attribute: str
    value: str
    modality: Modality = Modality.ASSERTED


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern whose groups are subject and value of an attribute."""

    pattern: re.Pattern[str]
    attribute: str


_RULES: Final = tuple(
    _Rule(re.compile(pattern), attribute)
    for pattern, attribute in (
        (rf"^(?P<s>.+?){_STILL}(?:从.{{1,8}}?)?(?:不再|不)?(?:住在|搬到|搬去|搬来|搬回|定居在|定居|住)了?(?P<v>[^了]{{2,12}})", "home"),
        (r"^(?P<s>.+?)(?:搬离|搬出)了?(?P<v>[^了]{2,10})", "home"),
        (r"^(?P<s>.+?)从(?P<v>.{2,8}?)搬(?:走|出来|出去)", "home"),
        (rf"^(?P<s>.+?){_STILL}(?:不再|不)?在(?P<v>.{{2,14}}?)(?:上班|工作|当.{{2,5}}|教.{{2,8}})", "job"),
        (rf"^(?P<s>.+?){_STILL}(?:是|当|做)(?:了|上了|一名|一个|一位|名|个)*(?P<v>.{{0,4}}(?:{_JOBS}))$", "job"),
        (r"^(?P<s>.+?)(?:已经|刚|上周|昨天)*(?P<v>辞职|退休|失业|换工作)", "job"),
        (r"^(?P<s>.+?)(?:已经|刚|上周|昨天)*(?P<v>换)了(?:一?份)?(?:新的?)?工作", "job"),
        (r"^(?P<s>.+?)(?:入职|跳槽到|跳槽去)了?(?P<v>[^了]{2,12})", "job"),
        (r"^(?P<s>.+?)的(?P<a>[^的]{1,4})(?:的名字)?(?:叫做|名叫|叫(?![卖声好醒上我他她喊来出了]))(?P<v>.{1,8})$", "的名字"),
        (r"^(?P<s>.+?)(?:叫做|名叫|叫(?![卖声好醒上我他她喊来出了]))(?P<v>.{1,8})$", "name"),
        (r"^(?P<s>.+?)的?(?P<a>最喜欢的.{1,5}|生日|年龄|爱好)是(?P<v>.{1,30})$", ""),
        (rf"^(?P<s>.+?)(?:非常|很|最|特别|超级|也|不再|不|真的|{_STILL})*喜欢(?!的)(?P<v>.{{1,30}})$", "喜欢"),
        (r"^(?P<s>.+?)(?:今年|现在|已经|都|快|才|就)*(?:满|是)?(?P<v>(?:\d{1,3}|[一二三四五六七八九十百]{1,4})岁)", "年龄"),
        (r"^(?P<s>.+?)对(?P<v>.{1,8})过敏", "过敏"),
        (r"^(?P<s>.+?)把(?P<a>[^把]{1,6})换成了?(?P<v>.{1,12})$", ""),
        (r"^(?:.*?的)?(?P<s>[\u4e00-\u9fff]{2,6})(?:改到|推迟到|定在|提前到|改在)(?P<v>.{2,12})$", "时间"),
    )
)  # fmt: skip
_QUIT: Final = re.compile(
    r"^(?P<s>.+?)(?:已经|终于|早就|都|把|刚)*(?:(?P<a>[^把]{1,4})(?:给|都|也)?戒掉?了|戒掉?了?(?P<b>[^了]{1,4})了?$)"
)


def fact_of(text: str, scene: Scene, when: Sequence[str] = (), *, future: bool = False) -> Fact:
    """Return the fact of a statement; `when` are its words of time, `future` if one is to come."""
    if text.startswith(f"{scene.speaker}建议"):
        value = text.removeprefix(f"{scene.speaker}建议")
        return Fact(scene.speaker, "建议", value, Modality.HYPOTHETICAL)
    plan = _plan(text, scene)
    if plan is not None:
        return plan
    found = _quit(text, scene) or _by_rule(text, scene) or _generic(_without(text, when), scene)
    return Fact(found.subject, found.attribute, found.value, _modality(text, found, scene, future))


def _without(text: str, when: Sequence[str]) -> str:
    for wording in when:
        text = text.replace(wording, "", 1)
    return text


def _quit(text: str, scene: Scene) -> Fact | None:
    found = _QUIT.match(text)
    if found is None:
        return None
    what = found["a"] or found["b"]
    return Fact(clean(found["s"], scene), _GIVEN_UP.get(what, "吃"), what, Modality.NEGATED)


def _by_rule(text: str, scene: Scene) -> Fact | None:
    for rule in _RULES:
        found = rule.pattern.match(text)
        if found:
            parts = found.groupdict()
            attribute = f"{parts.get('a') or ''}{rule.attribute}"
            value = parts["v"].rstrip("了的")
            value = _place(value) if attribute == "home" else value
            if value:
                return Fact(clean(parts["s"], scene), attribute, value)
    return None


def _place(value: str) -> str:
    """The place at the beginning of a value: 杭州 of 杭州已经三年."""
    found = ""
    for word, tag in words(value):
        if tag[0] in "vdcu" and found:
            break
        found += word
    return found.strip("的")


# ------------------------------------------------------------------ does it hold


def _modality(text: str, found: Fact, scene: Scene, future: bool) -> Modality:
    if found.modality is not Modality.ASSERTED:
        return found.modality
    if _HYPOTHETICAL.search(text):
        return Modality.HYPOTHETICAL
    told = words(text, scene.names)
    if _CALLED_OFF.search(text) or re.search("搬离|搬出|搬走", text) or _denial(told) is not None:
        return Modality.NEGATED
    done = re.search("[了过]", text)
    if not done and (_PLANNED.search(text) or _wishes(told) or future):
        return Modality.PLANNED
    return Modality.ASSERTED


def _denial(told: Words) -> int | None:
    """The place of the negation of the main verb; one inside of "一盏不能灭的灯" is none."""
    for n, (word, _) in enumerate(told):
        if word not in NOT and not (len(word) > 1 and word[:2] in {"不再", "不太", "不怎", "不想"}):
            continue
        acted = any(t == "v" and w not in _WISHES | _AUXILIARY | _SAYS for w, t in told[:n])
        described = any(t == "uj" for _, t in told[n + 1 :])
        if not (acted and described):
            return n
    return None


def _wishes(told: Words) -> bool:
    """Whether somebody wants or means to do something: 想, 要 before a verb."""
    for n, (word, _) in enumerate(told):
        if word not in _WISHES or (n and told[n - 1][0] in _SAYS):
            continue
        after = told[n + 1 : n + 6]
        if any(tag[0] == "v" for _, tag in after):
            return True
    return False


def _plan(text: str, scene: Scene) -> Fact | None:
    """A trip that is planned, called off, or taken up again; one that was made is no plan."""
    found = _TRIP.search(text) or _TOUR.search(text)
    if found is None or re.search(r"[去到]过|去了(?!$)|回来", text) or _HYPOTHETICAL.search(text):
        return None
    place = found[1]
    if not next((tag.startswith(("n", "s", "l")) for _, tag in words(place)), False):
        return None
    modality = Modality.PLANNED
    if re.search(r"取消|不去|去不了|不能去|放弃|泡汤|作罢", text):
        status, modality = "取消", Modality.NEGATED
    elif re.search(r"还是去|又(?:可以|能|要|决定)|照常|恢复|重新|决定去", text):
        status = "恢复"
    elif re.search(r"打算|准备|计划|决定|想要?去|将|会去|要去", text) or re.search(
        r"[月号日天周年末](?:[^了]{0,4})去", text
    ):
        status = "计划"
    else:
        return None
    return Fact(_subject_before(text, found.start(), scene), f"plan:去{place}", status, modality)


def _subject_before(text: str, end: int, scene: Scene) -> str:
    persons = (*scene.names, *(m.words for m in scene.mentions))
    return next((n for n in persons if n in text[:end]), scene.speaker)


# ------------------------------------------------------------------ who and what


def clean(subject: str, scene: Scene) -> str:
    """Return the subject without time and adverbs; a name among other words is the name."""
    subject = re.sub(r"从.{1,8}$", "", subject) or subject
    owned = re.search(rf"(?:[\u4e00-\u9fffA-Za-z]{{2,12}})的(?:{KIN})", subject)
    if owned:
        return owned[0]
    kept = [w for w, tag in words(subject, scene.names) if tag[0] in "nrsxej" or w in scene.names]
    name = next((n for n in scene.names if n in subject), "")
    if name and f"{name}的" in subject:
        return subject_of(subject, scene)[0] or name
    return name or "".join(kept) or subject


def subject_of(text: str, scene: Scene) -> tuple[str, str]:
    """Return what stands before the first verb, and the rest of the statement.

    >>> scene = Scene("林夏", "周远", ("林夏", "周远"))
    >>> subject_of("昨天林夏的姐姐生了一个女儿", scene)
    ('林夏的姐姐', '生了一个女儿')
    >>> subject_of("爷爷做的蛋糕特别好吃", scene)
    ('爷爷做的蛋糕', '特别好吃')
    """
    told = words(text, (*scene.names, *(f"{n}等人" for n in scene.names)))
    found, place = "", 0
    for n, (word, tag) in enumerate(told):
        small = is_small(told, n)
        relative = found and tag[0] == "v" and n + 2 < len(told) and told[n + 1][1] == "uj"
        if not found and word in WITH:
            break
        if (not (relative or small) and tag[0] in "vdpazu" and tag != "uj") or (
            found and word in DEGREES
        ):
            break
        joins = tag[0] in "ub" or (tag[0] == "c" and word in WITH)
        counts = tag[0] in "mq" and n + 1 < len(told) and told[n + 1][1][0] in "nq"
        if tag[0] in "nrsejlxf" or relative or small or (found and (counts or joins)):
            found += word
        place += len(word)
    return found.replace("的的", "的").removesuffix("的"), text[place:]


def is_small(told: Words, n: int) -> bool:
    """Whether a word describes the noun after it: 小乌龟."""
    word, tag = told[n]
    return tag == "a" and len(word) == 1 and n + 1 < len(told) and told[n + 1][1][0] == "n"


def _generic(text: str, scene: Scene) -> Fact:
    subject, rest = subject_of(text, scene)
    subject = clean_name(subject, scene)
    told = words(rest, scene.names)
    denial = _denial(told)
    place = 0
    for n, (word, tag) in enumerate(told):
        place += len(word)
        intends = word in _WISHES and any(t == "v" for _, t in told[n + 1 : n + 3])
        main = tag[0] == "v" and tag != "vn" and word not in _AUXILIARY and not intends
        if main and (denial is None or n > denial):
            value = rest[place:].lstrip("了过着")
            return Fact(subject, word, value.rstrip("了过" if denial is not None else "")[:30])
    helped = next((w for w, _ in told if w in _AUXILIARY or w == "在"), "")
    if helped:
        return Fact(subject, helped, rest.partition(helped)[2][:30])
    return Fact(subject, "是", rest[:30]) if rest else Fact("", "是", text[:30])


def clean_name(subject: str, scene: Scene) -> str:
    """A speaker among adverbs is the speaker; an owner's thing stays the thing."""
    name = next((n for n in scene.names if subject.startswith(n)), "")
    if name and not re.match("[的和跟与、]", subject[len(name) :]):
        return name
    return next((n for n in scene.names if subject.endswith(n)), subject)


def is_titled(text: str) -> bool:
    """Whether a text begins with a surname and a title, which jieba cuts apart."""
    return bool(_TITLED.match(text))
