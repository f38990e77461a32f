"""Chinese turns to entries: jieba words and patterns, one entry a clause that states something.

No parser of Chinese can be had, so a clause is what stands between commas, and its subject is what
stands before the first verb, else the subject of the clause before, else the speaker. That is
simpler than English and says so; what has no pattern keeps its words and gets a generic attribute.
Pronouns become names; the dropped subject is put back, since an entry must stand alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memcore.annotate.pipelines import chinese
from memcore.evolution.pronouns import Kind, Scene
from memcore.evolution.times import shown_in_chinese
from memcore.types import (
    AnchorKind,
    Annotation,
    Entry,
    EntryId,
    Modality,
    TimeExpression,
    Turn,
)

PARSED: Final = 8000
_LONGEST_ANSWER: Final = 10
_SENTENCE: Final = re.compile(r"[^。！？!?；;\n…~～]+[。！？!?；;\n…~～]*")
_CLAUSE: Final = re.compile(r"[^，,：:]+")
_OPENING: Final = re.compile(
    r"^(?:哈哈+|嗯+|哦+|啊+|唉|哎呀?|哇+|嘿|对了|是啊|是的|对啊?|好的?|好吧|没错|那(?!个|家|里|边|只|本)"
    r"|不过|但是?|而且|所以|然后|其实|说实话|另外|还有|可是|于是|至少|原来|当然)[，,\s]*"
)
_CHATTER: Final = re.compile(
    r"^(?:谢谢|多谢|感谢|你好|您好|早上好|晚上好|晚安|再见|拜拜|恭喜|祝|加油|辛苦|没关系|不客气|没事"
    r"|新年好|太[^，。]{1,4}了|真[^，。]{1,5}|好[棒厉]|厉害|放心|糟了|可以的?$|是吗|真的吗|好呀|好啊|哈哈)"
)
_QUESTION: Final = re.compile(
    r"[?？]|[吗呢][。！]?$|什么时候|为什么|怎么样|怎么|哪[里儿个些]|谁|多少|是不是|有没有|要不要"
)
_ADVICE: Final = re.compile(r"你.{0,4}(?:应该|可以|最好|不妨|要不|试试|记得|需要|得|别)|建议你")
_TELLS: Final = re.compile(r"我|咱|[了过]|还欠|告诉")
_HYPOTHETICAL: Final = re.compile(r"如果|要是|假如|可能|也许|或许|大概|说不定|希望|万一|会不会")
_NEGATED: Final = re.compile(
    r"取消|不再|不[去想要会能喜爱吃喝用是在住来做买打养]|没(?!关系|事|错)|未曾|从不|从未|放弃|作罢"
)
_PLANNED: Final = re.compile(
    r"打算|准备|计划|决定|想要?(?=[去学买做换吃看])|将[要会]?|(?<![机社])会(?=[去在来给把和])|要(?=[去来把给])"
)
_VERB: Final = re.compile("[当是叫在有没养住]")
_SURNAME: Final = (
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任"
    "沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤阿小老]"
)
_NAME: Final = re.compile(rf"{_SURNAME}[\u4e00-\u9fff]{{1,2}}$")
_TITLED: Final = re.compile(
    rf"^{_SURNAME}(?:老太太|老先生|先生|女士|太太|阿姨|叔叔|奶奶|爷爷|老师|医生|总|姐|哥)"
)
_REQUEST: Final = re.compile(
    r"给我[听看]|帮我|告诉我|^说[件个]|^先.{0,6}好$|^慢慢|^带上|小心|吧$|^(?:正好)?陪我"
)
_DENIED_VERB: Final = re.compile(r"(?:没有?|不再|不)([\u4e00-\u9fff])(.{1,20})")
_PLACE: Final = r"([\u4e00-\u9fffA-Za-z]{2,8}?)"
_END: Final = r"(?=$|[了的呢啊吧，。！]|看|玩|旅游|旅行|出差|上班|工作|生活|定居|这|那)"
_TRIP: Final = re.compile(
    rf"(?:去|到|飞){_PLACE}(?:的?(?:旅游|旅行|行程|玩|出差|看日出|计划))?{_END}"
)
_TOUR: Final = re.compile(r"([\u4e00-\u9fff]{2,6})(?:之行|之旅|旅行|行程)")
_KIN: Final = (
    "妈妈|爸爸|母亲|父亲|妈|爸|姐姐|妹妹|哥哥|弟弟|爷爷|奶奶|外公|外婆|老公|老婆|丈夫|妻子|儿子|女儿"
    "|男朋友|女朋友|朋友|同事|老板|邻居|房东|老师|室友|表弟|表妹|表哥|表姐|舅舅|叔叔|阿姨|孙子|狗|猫"
)
_OWNED: Final = re.compile(rf"我(?=(?:{_KIN}))")
_HER_KIN: Final = re.compile(rf"([她他])(?=(?:{_KIN}))")
_SHE: Final = frozenset("妈姐妹奶婆妻女姨")
_JOBS: Final = (
    "老师|护士|医生|律师|厨师|司机|工程师|程序员|会计|设计师|记者|演员|歌手|警察|销售|经理|店员|学生"
    "|教授|作家|画家|导游|翻译|摄影师|飞行员|消防员"
)
_SUBJECT_VERB: Final = "v|vn|vd|vi|d|p|zg|a"


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause with its place in the turn, and the sentence's subject so far."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern whose groups are subject and value of an attribute."""

    pattern: re.Pattern[str]
    attribute: str


_RULES: Final = (
    _Rule(re.compile(r"^(?P<s>.+?)(?:还|现在|一直|已经|都|仍然|也|就)*(?:不再|不)?(?:住在|搬到|搬去|搬来|定居在|定居|住)了?(?P<v>[^了]{2,10})"), "home"),
    _Rule(re.compile(r"^(?P<s>.+?)(?:还|现在|一直|已经|目前|也|就)*在(?P<v>.{2,14}?)(?:上班|工作|当.{2,5}|教.{2,8})"), "job"),
    _Rule(re.compile(rf"^(?P<s>.+?)(?:现在)?(?:是|当|做)(?:了|一名|一个|一位)*(?P<v>.{{0,4}}(?:{_JOBS}))$"), "job"),
    _Rule(re.compile(r"^(?P<s>.+?)(?:已经|刚|上周|昨天)*(?P<v>辞职|退休|失业|换工作)"), "job"),
    _Rule(re.compile(r"^(?P<s>.+?)的(?P<a>[^的]{1,4})(?:的名字)?(?:叫做?|名叫)(?P<v>.{1,8})$"), "的名字"),
    _Rule(re.compile(r"^(?P<s>.+?)(?:叫做?|名叫)(?P<v>.{1,8})$"), "name"),
    _Rule(re.compile(r"^(?P<s>.+?)的?(?P<a>最喜欢的.{1,5}|生日|年龄|爱好)是(?P<v>.{1,12})$"), ""),
    _Rule(re.compile(r"^(?P<s>.+?)(?:非常|很|最|特别|超级|也|不再|不|真的)*喜欢(?P<v>.{1,14})$"), "喜欢"),
    _Rule(re.compile(r"^(?P<s>.+?)对(?P<v>.{1,8})过敏"), "过敏"),
    _Rule(re.compile(r"^(?:.*?的)?(?P<s>[\u4e00-\u9fff]{2,6})(?:改到|推迟到|定在|提前到|改在)(?P<v>.{2,12})$"), "时间"),
)  # fmt: skip


def entries(
    turn: Turn, annotation: Annotation, scene: Scene, before: Turn | None = None
) -> Iterator[Entry]:
    """Yield what the turn states; the first 8,000 characters are read.

    `before` is the turn of another speaker that this one may answer.
    """
    asked = _last_question(before)
    # After a question about somebody else a dropped subject is not the speaker's.
    subject = scene.speaker if not asked or re.search("[你您咱]", asked) else ""
    for sentence in _SENTENCE.finditer(turn.text[:PARSED]):
        scene.sentence += 1
        if asked:
            joined = _joined(asked, sentence[0], scene)
            if joined:
                asked = ""
                yield _entry(
                    _Said(joined, sentence.start(), sentence.end()), turn, annotation, scene
                )
                continue
        for said in _clauses(sentence):
            words = _stated(said, subject, scene, annotation)
            if words:
                subject = _clean(_subject(words, scene), scene) or subject
                yield _entry(_Said(words, said.start, said.end), turn, annotation, scene)
        subject = subject if subject in scene.names else scene.speaker
        asked = ""


def _clauses(sentence: re.Match[str]) -> Iterator[_Said]:
    """The clauses that are no question; the mark at the end belongs to the last one."""
    found = list(_CLAUSE.finditer(sentence[0]))
    for part in found:
        whole = part[0].strip() if part is not found[-1] else sentence[0][part.start() :].strip()
        text = part[0].strip(' \t\n。！？!?；;…~～"“”「」（）()')
        opened = _OPENING.sub("", text)
        start = sentence.start() + part.start() + part[0].find(opened)
        if opened and not _QUESTION.search(whole):
            yield _Said(opened, start, start + len(opened))


def _stated(said: _Said, subject: str, scene: Scene, annotation: Annotation) -> str:
    """The clause in the third person, or nothing if it states nothing."""
    text = said.text
    tags = chinese(text)
    if _idle(text, tags):
        return ""
    if _ADVICE.search(text):
        return f"{scene.speaker}建议{_named(text, scene)}" if scene.other else ""
    dated = _dated(said, annotation)
    named = _named(dated, scene)
    if _has_subject(tags, text):
        return named
    return f"{subject}{named}" if subject else ""


def _idle(text: str, tags: tuple[tuple[str, str], ...]) -> bool:
    """Whether the clause is chatter, a request, a compliment, or has no verb."""
    verbs = [w for w, tag in tags if tag.startswith(("v", "a", "zg", "i", "l", "nr"))]
    if len(text) < 3 or not (verbs or _VERB.search(text)):
        return True
    if _CHATTER.match(text) or _REQUEST.search(text):
        return True
    praise = re.match(r"^[您你](?!们)", text) and not _TELLS.search(text)
    return bool(praise and not _ADVICE.search(text)) or bool(
        re.match(r"^[这那](?:真|太|很|也|就|是)", text)
    )


def _has_subject(tags: tuple[tuple[str, str], ...], text: str) -> bool:
    if _TITLED.match(text) or re.match(r".{1,6}的.{1,3}(?:叫|是|在|会|很)|.{0,3}里面?|没人", text):
        return True
    if re.match(r"^(?:如果|要是|因为|虽然|我|你|您|他|她|它|咱|这|那|有[一个人])", text):
        return True
    for word, tag in tags:
        if tag in {"t", "m", "f", "c", "q", "mq", "tg"}:
            continue
        if tag in {"v", "vn", "vd", "vi", "d", "p", "zg", "vshi", "vyou", "ul"} and word not in {
            "会议"
        }:
            return False
        return tag.startswith(("n", "r", "s", "x", "eng", "j", "i", "l", "a"))
    return False


def _dated(said: _Said, annotation: Annotation) -> str:
    """The clause with the resolved date beside each relative wording."""
    text = said.text
    for found in reversed(_times(said, annotation)):
        words = text[found.start - said.start : found.end - said.start]
        if not re.search(r"\d{4}", words):
            place = found.end - said.start
            text = f"{text[:place]}（{shown_in_chinese(found.interval)}）{text[place:]}"
    return text


def _times(said: _Said, annotation: Annotation) -> list[TimeExpression]:
    return [t for t in annotation.times if said.start <= t.start and t.end <= said.end]


def _named(text: str, scene: Scene) -> str:
    """The clause with names for pronouns; persons it names can be called 他 and 她 later."""
    both = f"{scene.speaker}和{scene.other}" if scene.other else f"{scene.speaker}等人"
    ours = both if "你" in text or "一起" in text else f"{scene.speaker}等人"
    pairs = ((r"咱们|我们俩", both), (r"我们", ours), (_OWNED.pattern, f"{scene.speaker}的"),
             (r"(?<!自)我", scene.speaker))  # fmt: skip
    for pattern, words in pairs:
        text = re.sub(pattern, words, text)
    if scene.other:
        text = re.sub(r"[你您](?!们)", scene.other, text)
    return _third(text, scene)


def _third(text: str, scene: Scene) -> str:
    for word, tag in chinese(text):
        if tag.startswith("nr") and _NAME.match(word) and word not in scene.names:
            scene.notice(word, Kind.PERSON, 2)
    for found in re.finditer(rf"([\u4e00-\u9fff]{{1,4}}的)(?:{_KIN})", text):
        words = found[0]
        scene.notice(words, Kind.SHE if words[-1] in _SHE else Kind.PERSON, 2)

    def owner(match: re.Match[str]) -> str:
        return scene.owner("she" if match[1] == "她" else "he") or match[1]

    text = _HER_KIN.sub(lambda m: f"{owner(m)}的" if owner(m) != m[1] else m[1], text)
    return re.sub(r"(?<!其)([她他])(?!们|人)", owner, text)


# ------------------------------------------------------------------ answers


def _last_question(before: Turn | None) -> str:
    if before is None:
        return ""
    asked = [s[0] for s in _SENTENCE.finditer(before.text[:PARSED]) if re.search(r"[?？]|吗", s[0])]
    return re.split(r"[，,]", asked[-1].strip())[-1].strip("？?。！ ") if asked else ""


_WH: Final = re.compile(
    r"什么名字|什么颜色|什么|哪里|哪儿|谁|几点|什么时候|多少钱|多少|几(?=[个只岁本])"
)
_DENIALS: Final = (("喜欢", "不喜欢"), ("有", "没有"), ("会", "不会"), ("是", "不是"), ("想", "不想"),
                   ("还在", "不在"), ("要", "不要"))  # fmt: skip


def _joined(question: str, sentence: str, scene: Scene) -> str:
    """The statement that a short answer makes of the question before it, in names."""
    answer = sentence.strip(" 。！!，,~～\n")
    wh = _WH.search(question)
    if wh and wh.start() and "你" not in question and answer.startswith(question[wh.start() - 1]):
        return _named(question[: wh.start() - 1] + answer, scene)
    if not re.search(r"[你您]", question) or len(answer) > _LONGEST_ANSWER:
        return ""
    asker = Scene(scene.other, scene.speaker, scene.names)
    if question.endswith("吗"):
        return _confirmed(question.removesuffix("吗"), answer, asker)
    return _filled(question, answer, asker) if not _QUESTION.search(sentence) else ""


def _confirmed(question: str, answer: str, asker: Scene) -> str:
    if re.fullmatch(r"是的|对|对啊|嗯+|是啊|有|会|没错|当然|喜欢|想", answer):
        return _named(question, asker)
    no = re.fullmatch(r"不|没有|不是|没|不会|不喜欢|不想|还没有?|不了", answer)
    return _denied(question, asker) if no else ""


def _filled(question: str, answer: str, asker: Scene) -> str:
    """The question with the answer in the place of what it asks for."""
    told = any(tag.startswith("v") for _, tag in chinese(answer)) or _CHATTER.match(answer)
    if told or not _WH.search(question):
        return ""
    return _named(_WH.sub(lambda _: answer, question, count=1), asker)


def _denied(question: str, asker: Scene) -> str:
    for word, denial in _DENIALS:
        if word in question:
            return _named(question.replace(word, denial, 1), asker)
    return ""


# ------------------------------------------------------------------ the entry


def _entry(said: _Said, turn: Turn, annotation: Annotation, scene: Scene) -> Entry:
    text = said.text
    times = [t for t in annotation.times if said.start <= t.start < said.end]
    plain = re.sub(r"（[^）]*）", "", text)
    subject, attribute, value = _fact(plain, scene)
    persons = _persons(plain, scene)
    names = {m.key for m in annotation.mentions
             if m.kind is AnchorKind.ENTITY and said.start <= m.start < said.end}  # fmt: skip
    nouns = [w for w, tag in _tags(plain, scene) if tag.startswith("n") and len(w) > 1]
    future = bool(times and turn.said_at and times[0].interval.start > turn.said_at)
    return Entry(
        EntryId(1),
        f"{text}。",
        (turn.id,),
        keywords=_keywords(plain, scene),
        persons=persons,
        entities=tuple(sorted(names | set(persons))),
        location=_location(plain),
        topic=next((n for n in reversed(nouns) if n not in scene.names), ""),
        time=times[0].interval if times else None,
        modality=_modality(plain, attribute, value, future=future),
        said_at=turn.said_at,
        subject=subject,
        attribute=attribute,
        value=value,
    )


def _modality(text: str, attribute: str, value: str, *, future: bool) -> Modality:
    if attribute.startswith("plan:"):
        return Modality.NEGATED if value == "取消" else Modality.PLANNED
    if _HYPOTHETICAL.search(text) or attribute == "建议":
        return Modality.HYPOTHETICAL
    if _NEGATED.search(text):
        return Modality.NEGATED
    planned = _PLANNED.search(text) or (future and not re.search("[了过]", text))
    return Modality.PLANNED if planned else Modality.ASSERTED


def _fact(text: str, scene: Scene) -> tuple[str, str, str]:
    if text.startswith(f"{scene.speaker}建议"):
        return scene.speaker, "建议", text.removeprefix(f"{scene.speaker}建议")
    plan = _plan(text, scene)
    if plan is not None:
        return plan
    for rule in _RULES:
        found = rule.pattern.match(text)
        if found:
            parts = found.groupdict()
            attribute = f"{parts.get('a') or ''}{rule.attribute}"
            return _clean(parts["s"], scene), attribute, parts["v"].rstrip("了的")
    return _generic(text, scene)


def _plan(text: str, scene: Scene) -> tuple[str, str, str] | None:
    """A trip that is planned, called off, or taken up again; one that was made is no plan."""
    found = _TRIP.search(text) or _TOUR.search(text)
    if found is None or re.search(r"[去到]过|去了(?!$)|回来", text):
        return None
    place = found[1]
    if not next((tag.startswith(("n", "s", "l")) for _, tag in chinese(place)), False):
        return None
    if re.search(r"取消|不去|去不了|不能去|放弃|泡汤|作罢", text):
        status = "取消"
    elif re.search(r"还是去|又(?:可以|能|要|决定)|照常|恢复|重新|决定去", text):
        status = "恢复"
    elif _PLANNED.search(text) or re.search(r"[月号日天周年末](?:[^了]{0,4})去", text):
        status = "计划"
    else:
        return None
    return _subject_before(text, found.start(), scene), f"plan:去{place}", status


def _subject_before(text: str, end: int, scene: Scene) -> str:
    persons = (*scene.names, *(m.words for m in scene.mentions))
    return next((n for n in persons if n in text[:end]), scene.speaker)


def _clean(subject: str, scene: Scene) -> str:
    """The subject without time and adverbs; a name among other words is the name."""
    owned = re.search(rf"(?:[\u4e00-\u9fff]{{2,4}})的(?:{_KIN})", subject)
    if owned:
        return owned[0]
    words = [w for w, tag in chinese(subject, scene.names) if tag[0] in "nrsxe" or w in scene.names]
    named = next((n for n in scene.names if n in subject), "")
    return named or "".join(words) or subject


def _subject(text: str, scene: Scene) -> str:
    """What stands before the first verb."""
    found: list[str] = []
    for word, tag in chinese(re.sub(r"（[^）]*）", "", text), scene.names):
        if tag[0] in "vdpz" or tag in {"c", "uj", "ul", "x"}:
            break
        if tag[0] in "nrse":
            found.append(word)
    return "".join(found)


def _generic(text: str, scene: Scene) -> tuple[str, str, str]:
    denied = _DENIED_VERB.search(text)
    if denied:
        return _clean(text[: denied.start()], scene), denied[1], denied[2].rstrip("了过")
    place = 0
    for word, tag in chinese(text, scene.names):
        place += len(word)
        if (
            tag.startswith("v")
            and tag != "vn"
            and word not in {"会", "要", "能", "可以", "应该", "没有"}
        ):
            subject = _clean(_subject(text, scene), scene) or scene.speaker
            return subject, word, text[place:].lstrip("了过着")[:30]
    return _clean(_subject(text, scene), scene) or scene.speaker, "是", text[-12:]


def _tags(text: str, scene: Scene) -> tuple[tuple[str, str], ...]:
    """The words of a sentence without its speakers' names, which jieba would cut anew."""
    names = "|".join(re.escape(n) for n in scene.names if n)
    parts = re.split(names, text) if names else [text]
    return tuple(pair for part in parts if part for pair in chinese(part))


def _persons(text: str, scene: Scene) -> tuple[str, ...]:
    named = {n for n in scene.names if n and n in text}
    named |= {m.words for m in scene.mentions if m.words in text and "的" not in m.words}
    return tuple(sorted(n.casefold() for n in named))


def _keywords(text: str, scene: Scene) -> tuple[str, ...]:
    words = {w.casefold() for w, tag in _tags(text, scene)
             if len(w) > 1 and tag[0] in "nvaijlse" and w not in scene.names}  # fmt: skip
    return tuple(sorted(words))


def _location(text: str) -> str:
    places = [w for w, tag in chinese(text) if tag == "ns"]
    return places[0] if places else ""
