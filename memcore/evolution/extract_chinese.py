"""Chinese turns to entries: jieba words and patterns, one entry a clause that states something.

No parser of Chinese can be had, so a clause is what stands between commas, and its subject is what
stands before the first verb, else the subject of the clause before, else the speaker. That is
simpler than English and says so; what has no pattern keeps its words and gets a generic attribute.
Pronouns become names; the dropped subject is put back, since an entry must stand alone. Where it
cannot be told who or what is meant, nothing is stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from memcore.evolution import chinese_facts as facts
from memcore.evolution.chinese_answers import (
    PARSED,
    SENTENCE,
    about_the_asked,
    completed,
    last_question,
    statement,
)
from memcore.evolution.chinese_names import named
from memcore.evolution.chinese_words import KIN, words
from memcore.evolution.pronouns import Scene
from memcore.evolution.times import shown_in_chinese
from memcore.types import AnchorKind, Annotation, Entry, EntryId, TimeExpression, Turn

_CLAUSE: Final = re.compile(r"[^，,：:]+")
_EDGES: Final = ' \t\n。！？!?；;…~～"“”「」（）()'
_PARTICLES: Final = "呢呀哦啦嘛哈耶喔噢哟呗"
_OPENING: Final = re.compile(
    r"^(?:哈哈+|嗯+|哦+|啊+|唉|哎呀?|哇+|嘿|对了|是啊|是的|对[啊呀]?(?=[，,\s]|$)|好[的吧呀啊耶]?(?=[，,\s]|$)|没错"
    r"|那(?=[，,\s]|[我你咱就]|现在|以后|下次|今天|明天)|不过|但是?|而且|所以|然后|其实|说实话|另外|还有(?!的)|可是|可(?=[我他她])|于是|至少"
    r"|原来|当然|看来|看样子|还好|只是|实际上|事实上|因为|由于|虽然|尽管|既然|反正|结果|顺便|就是(?!说))[，,\s]*"
)
_CHATTER: Final = re.compile(
    r"^(?:谢谢|多谢|感谢|你好|您好|早上好|晚上好|晚安|再见|拜拜|恭喜|祝|加油|辛苦|没关系|不客气|没事"
    r"|新年好|太[^，。]{1,4}了|真[^，。]{1,5}$|好[棒厉]|厉害|放心|糟了|可以的?$|是吗|真的吗|好呀|好啊|哈哈)"
)
_NOTED: Final = re.compile(
    r"^(?:我|那我|我们)?(?:也|都|就|先|这就|一定|会|再|现在|终于|大概|已经|去|来)*"
    r"(?:知道|明白|懂|了解|记住|记下|收到|清楚|同意|(?:可以)?(?:再)?试试看?|试一试|没太?(?:明白|懂)|看看|听你的|努力|加油|相信|考虑|考虑一下|会的|是|一样|"
    r"(?:这么|这样|那么)(?:想|觉得|认为|说))(?:了|啦|的|吧|看|你)*$"
)
"""What takes note, agrees or promises in general."""
_IGNORANT: Final = re.compile(
    r"^(?:我|我们)?(?:也|还|真|都|很|就|其实)*(?:想知道|不知道|想问|好奇|不明白|不懂|不清楚|不确定|就?知道你)"
)
_PRAISED: Final = re.compile(
    r"^(?:[真很太超好更最挺还可都也的确实]|超级|特别|非常|十分|有点|真的|更加)*"
    r"(?:好吃|好喝|好看|好玩|好听|难吃|难看|漂亮|美味|有趣|便宜|贵|酷|可爱|精彩|方便|不错|棒|好|香|甜|辣|合适"
    r"|有意思|没意思|简单|难|美)(?:了|的|极了|得很|多了)?$"
)
"""What is said of a thing that the clause does not name."""
_UNNAMED: Final = re.compile(
    r"^(?:听起来|看起来|看上去|看样子|看着|感觉像|有点像|像|好像是.*[上里候天]$|[和跟比].{1,10}(?:差不多|一样|似的)|给.{1,4}[吃看用]了|(?![我你他她])[\u4e00-\u9fff]?[^觉记值晓\W]得(?:真|很|其实|太|特别|不错|好|挺)"
    r"|够|省得|(?:似乎|好像)?没(?:什么|有)用|.{0,3}够[\u4e00-\u9fff]了)"
)
"""Beginnings whose dropped subject is not the speaker."""
_WHAT_IS: Final = re.compile(r"^[\u4e00-\u9fff]{1,3}的(?:都|全)?是.*的$")
_FEELS: Final = re.compile(
    r"^(?:[真很太超好更最挺还可都也就]|超级|特别|非常|有点|真的)*"
    r"(?:难过|开心|担心|伤心|高兴|生气|失望|害怕|累|困|紧张|兴奋|感动|难受|着急)"
)
"""What the speaker may feel about somebody whom the clause before is about."""
_SENSES: Final = re.compile("^(?:现在|真的|就|我)*(?:感觉|觉得)")
"""What only the speaker can tell, whomever the clause before is about."""
_MADE_TO: Final = re.compile(r"(?:请|让|叫|派|邀请|邀|劝|催)(.+)")
"""Who is asked to do something is the subject of what follows."""
_QUESTION: Final = re.compile(
    r"[?？]|吗[。！]?$|什么时候|为什么|怎么样|(?<!不)怎么|哪[里儿个些]|谁|多少|是不是|有没有|要不要|能不能|会不会"
)
_ADVICE: Final = re.compile(
    r"你.{0,4}(?:应该|可以|最好|不妨|要不|试试|记得|需要|别)|^你们?得(?=[\u4e00-\u9fff]{2})|建议你"
)
_TELLS: Final = re.compile(r"我|咱|[了过]|还欠|告诉")
_REQUEST: Final = re.compile(
    r"给[我你][听看]|帮我|^再?给我一?[些个点]|^[请麻]烦?(?![客假教])|^我?(?:还|只|也|实际上)*(?:想|需要|希望|想要)(?:让|请)?你|告诉[我你]|[跟和]你说|^说[件个]|^先.{0,6}好$|^慢慢|^带上|小心(?!翼)|吧$|^(?:正好)?陪我"
)
_OPEN: Final = re.compile(
    r"^(?:它们?|他们|她们|这|那)(?![个家里边只本天时种些次件条张位样儿盏幅座栋棵朵杯瓶块片群份部首场节门台辆所间双对套句])"
)
"""A subject that names nothing by itself."""
_BODY: Final = re.compile(
    r"^(?:心(?=$|[更很好都])|心里|心情|身体|肚子|头(?=[疼痛晕])|眼睛|嗓子|胃|手上)"
)
"""What is the speaker's own without saying so."""
_CONDITION: Final = re.compile(r"^(?:如果|要是|假如|万一)")
_GOES_ON: Final = re.compile(r"^(?:特别是|尤其是|比如|例如|包括|像是)")
_TORN: Final = re.compile(
    r"^(?:而|或者?|以及|主要是|是|[好很]多都|除了|为了|说到|提到|谈到|没有?我|经过|随着|关于|至于|最.{1,8}的是$|.*(?:的时候|(?<![小同按准随及当那平有])时)$|有(?:很多|好多|许多|一些))"
)
"""Beginnings of a clause about something that another clause names."""
_VERB: Final = re.compile("[当是叫在有没养住岁]")
_SPEAKS: Final = re.compile(r"^(?:我|你|您|他|她|咱|有[一个]*人|[还也]?有[的些])")
_AFTER: Final = re.compile(
    r".{1,10}(?:后|时|前|的时候|里|中|上)(?:[我他她]|[\u4e00-\u9fff]{1,4}们)"
)
"""A time or place before the subject: 起床后我."""
_WILLS: Final = re.compile("^(?:[也还就都]|现在|最近|有点)*(?:想|打算|准备|希望|喜欢|决定)")
"""What a person can, and a thing of the speaker's cannot."""
_OF_KIN: Final = re.compile(f"(?:{KIN})[\u4e00-\u9fff]{{0,3}}$")
_MADE_ME: Final = re.compile("^(?:让|使|令|害)我")
"""What the whole clause before did; it has no name."""
_THERE: Final = re.compile(r".{0,3}里面?(?=[有的])|没人|有人")


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause with its place in the turn; `asks` if the whole sentence does."""

    text: str
    start: int
    end: int
    asks: bool = False


@dataclass(slots=True)
class _Telling:
    """What a turn has told so far: whom the next clause is about, and under which condition."""

    subject: str
    told: str
    condition: str = ""


def entries(
    turn: Turn, annotation: Annotation, scene: Scene, before: Turn | None = None
) -> Iterator[Entry]:
    """Yield what the turn states; the first 8,000 characters are read.

    `before` is the turn of another speaker that this one may answer.
    """
    asked = last_question(before)
    # After a question about somebody else a dropped subject is not the speaker's.
    telling = _Telling(scene.speaker if not asked or about_the_asked(asked) else "", asked)
    for sentence in SENTENCE.finditer(turn.text[:PARSED]):
        scene.sentence += 1
        if _QUESTION.search(sentence[0]):
            named(sentence[0], scene)  # whom it names can be called 他 in what follows
        answer = statement(asked, sentence[0], scene) if asked else ""
        if answer:
            yield _entry(_Said(answer, sentence.start(), sentence.end()), turn, annotation, scene)
        else:
            for said in _told(sentence, telling, scene, annotation):
                yield _entry(said, turn, annotation, scene)
        telling.told += f"，{sentence[0]}"
        keeps = telling.subject in scene.names and telling.subject
        telling.subject = telling.subject if keeps else scene.speaker
        asked = ""


def _told(
    sentence: re.Match[str], telling: _Telling, scene: Scene, annotation: Annotation
) -> Iterator[_Said]:
    """What the clauses of a sentence state, in names; a condition goes before what it is for."""
    telling.condition = ""
    clauses = tuple(_clauses(sentence))
    for n, said in enumerate(clauses):
        stated = _stated(said, telling, scene, annotation)
        telling.told += f"，{said.text}"
        if not stated:
            continue
        if _CONDITION.match(said.text) and (said.asks or n + 1 < len(clauses)):
            telling.condition = stated
            continue
        telling.subject = _about(_undated(stated), scene) or telling.subject
        yield replace(said, text=f"{telling.condition}，{stated}".removeprefix("，"))
        telling.condition = ""


def _about(stated: str, scene: Scene) -> str:
    """Whom a statement is about, for what follows it."""
    made = _MADE_TO.search(stated)
    asked = next((n for n in scene.names if made and made[1].startswith(n)), "")
    subject, _ = facts.subject_of(stated, scene)
    return asked or ("" if _BODY.match(subject) else facts.clean_name(subject, scene))


def _clauses(sentence: re.Match[str]) -> Iterator[_Said]:
    """The clauses that are no question; the mark at the end belongs to the last one."""
    found: list[_Said] = []
    parts = list(_CLAUSE.finditer(sentence[0]))
    asks = bool(re.search("[?？]", sentence[0]))
    for part in parts:
        whole = part[0].strip() if part is not parts[-1] else sentence[0][part.start() :].strip()
        text = part[0].strip(_EDGES).rstrip(_PARTICLES)
        opened = _OPENING.sub("", text)
        start = sentence.start() + part.start() + part[0].find(opened)
        end = start + len(opened)
        if not opened or _QUESTION.search(whole):
            found.append(_Said("", start, end))  # what follows does not go on from before it
        elif _GOES_ON.match(opened) and found and found[-1].text:
            found[-1] = replace(found[-1], text=f"{found[-1].text}，{opened}", end=end)
        else:
            found.append(_Said(opened, start, end, asks))
    yield from (said for said in found if said.text)


def _stated(said: _Said, telling: _Telling, scene: Scene, annotation: Annotation) -> str:
    """The clause in the third person, or nothing if it states nothing."""
    text = said.text
    if _OPEN.match(text) or _GOES_ON.match(text) or _TORN.match(text):
        telling.subject = ""
        return ""
    if _idle(said, words(text, scene.names), telling):
        return ""
    if _ADVICE.search(text):
        return f"{scene.speaker}建议{named(text, scene)}" if scene.other else ""
    text = completed(_dated(said, annotation), telling.told)
    condition = _CONDITION.match(text)
    start = condition[0] if condition else ""
    text = text[len(start) :]
    subject = _dropped(text, telling, scene)
    return "" if subject is None else f"{start}{subject}{named(text, scene)}"


def _dropped(text: str, telling: _Telling, scene: Scene) -> str | None:
    """The subject that a clause leaves out, "" if it has one; None where nobody can be meant."""
    bare = _undated(text)
    own = telling.subject == scene.speaker
    if _MADE_ME.match(text) if own else _FEELS.match(text):
        return None
    if not _BODY.match(text) and _has_subject(words(bare, scene.names), bare):
        return ""
    things = telling.subject.startswith(f"{scene.speaker}的") and not _OF_KIN.search(
        telling.subject
    )
    if _SENSES.match(text) or (things and _WILLS.match(text)):
        return scene.speaker
    return telling.subject or None


def _idle(said: _Said, tags: tuple[tuple[str, str], ...], telling: _Telling) -> bool:
    """Whether the clause is chatter, a request, a compliment, or has no verb."""
    text = said.text
    verbs = [w for w, tag in tags if tag.startswith(("v", "a", "zg", "i", "l", "nr"))]
    if len(text) < 3 or not (verbs or _VERB.search(text) or text.endswith("了")):
        if re.match("[他她它]", text):
            telling.subject = ""
        return True
    noise = (_CHATTER, _NOTED, _IGNORANT, _PRAISED, _UNNAMED)
    if any(p.match(text) for p in noise) or _REQUEST.search(text):
        return True
    if tags[0][1][0] == "v" and _WHAT_IS.match(text):
        return True
    addressed = re.match(r"^[您你](?!们)", text)
    if said.asks and re.match("^[您你]", text):
        return True
    praise = addressed and not _TELLS.search(text) and not _ADVICE.search(text)
    return bool(praise)


def _has_subject(tags: tuple[tuple[str, str], ...], text: str) -> bool:
    if facts.is_titled(text) or re.match(r".{1,6}的.{1,3}(?:叫|是|在|会|很)", text):
        return True
    if _SPEAKS.match(text) or _THERE.match(text) or _AFTER.match(text):
        return True
    for n, (word, tag) in enumerate(tags):
        if word in facts.WITH:
            return False
        if word in facts.DEGREES:
            continue
        if tag[0] in "tmfcqdub" or tag == "tg" or facts.is_small(tags, n):
            continue
        names = word == "会议" or tag.startswith(("n", "r", "s", "x", "eng", "j"))
        return names and n + 1 < len(tags)
    return False


def _dated(said: _Said, annotation: Annotation) -> str:
    """The clause with the resolved date beside each relative wording."""
    text = said.text
    for found in reversed(_times(said, annotation)):
        wording = text[found.start - said.start : found.end - said.start]
        if not re.search(r"\d{4}", wording):
            place = found.end - said.start
            text = f"{text[:place]}（{shown_in_chinese(found.interval)}）{text[place:]}"
    return text


def _undated(text: str) -> str:
    return re.sub(r"（[^）]*）", "", text)


def _times(said: _Said, annotation: Annotation) -> list[TimeExpression]:
    return [t for t in annotation.times if said.start <= t.start and t.end <= said.end]


# ------------------------------------------------------------------ the entry


def _entry(said: _Said, turn: Turn, annotation: Annotation, scene: Scene) -> Entry:
    times = [t for t in annotation.times if said.start <= t.start < said.end]
    plain = _undated(said.text)
    future = bool(times and turn.said_at and times[0].interval.start > turn.said_at)
    when = [turn.text[t.start : t.end] for t in times]
    fact = facts.fact_of(plain, scene, when, future=future)
    persons = _persons(plain, scene)
    names = {m.key for m in annotation.mentions
             if m.kind is AnchorKind.ENTITY and said.start <= m.start < said.end}  # fmt: skip
    nouns = [w for w, tag in _tags(plain, scene) if tag.startswith("n") and len(w) > 1]
    return Entry(
        EntryId(1),
        f"{said.text}。",
        (turn.id,),
        keywords=_keywords(plain, scene),
        persons=persons,
        entities=tuple(sorted(names | set(persons))),
        location=next((w for w, tag in words(plain, scene.names) if tag == "ns"), ""),
        topic=next((n for n in reversed(nouns) if n not in scene.names), ""),
        time=times[0].interval if times else None,
        modality=fact.modality,
        said_at=turn.said_at,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value,
    )


def _tags(text: str, scene: Scene) -> tuple[tuple[str, str], ...]:
    """The words of a sentence without its speakers' names, which jieba would cut anew."""
    names = "|".join(re.escape(n) for n in scene.names if n)
    parts = re.split(names, text) if names else [text]
    return tuple(pair for part in parts if part for pair in words(part))


def _persons(text: str, scene: Scene) -> tuple[str, ...]:
    named = {n for n in scene.names if n and n in text}
    named |= {m.words for m in scene.mentions if m.words in text and "的" not in m.words}
    return tuple(sorted(n.casefold() for n in named))


def _keywords(text: str, scene: Scene) -> tuple[str, ...]:
    found = {w.casefold() for w, tag in _tags(text, scene)
             if len(w) > 1 and tag[0] in "nvaijlse" and w not in scene.names}  # fmt: skip
    return tuple(sorted(found))
