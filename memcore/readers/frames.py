"""The gap of a Chinese question, filled from a sentence: 对什么过敏 in 我对花生过敏 is 花生.

Chinese keeps the order of words in questions, so what stands around the question word stands around
the answer too. A parser was turned down; none comes with the packages that we take.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Final

from memcore.annotate.pipelines import chinese
from memcore.evolution.chinese_words import KIN

_Way = Callable[[re.Match[str], str], Iterator[str]]
_WHERE: Final = re.compile(r"在?(?:哪里|哪儿|什么地方|何处)")
_PLACE: Final = re.compile(r"(?:在|搬到|去了|到)(?P<it>[^，。！？、在]{2,8}?)")
_WAY: Final = re.compile(
    r"[去到来回]了?(?P<it>[^，。！？、在]{2,8}?)(?=[，。！？、看玩旅出学见找参]|$)"
)
_RELATION: Final = re.compile(r"(?P<it>[^是的]{2,4})是.{1,6}的(?:什么人|谁|什么亲戚)$")
_KIN_WORDS: Final = frozenset(KIN.split("|"))
_WHOSE: Final = re.compile(r"(?P<it>[^的是，]{1,6})是谁的$")
_DONE_BY: Final = re.compile(r"是谁(?P<act>[^的，]{1,4})的$")
_BY_WHOM: Final = re.compile(r"^谁(?P<act>.{2,})")
_COLOUR: Final = re.compile(r"(?:[深浅淡粉银金]?[红橙黄绿蓝紫黑白灰棕粉褐]|金|银|彩)色?(?![头家])")
_SMALL: Final = frozenset("了是的着过在有把被给和跟我你他她")
_WHO: Final = re.compile(r"(?P<it>[^的是]{2,6})是谁")
_IS_WHAT: Final = re.compile(r"的?是(?:什么|谁)")
_WHAT: Final = re.compile(r"什么|多少|谁|几")
_OTHER_WORDS: Final = re.compile(r"[^\u4e00-\u9fff]*\s[^\u4e00-\u9fff]*")
"""Several words without a Chinese character: what stands around a gap in another order of words."""
_END: Final = r"(?=[，。！？、]|$)"


def fill(question: str, text: str, speaker: str) -> str:
    """Return the words of a sentence that fill the question's gap; empty if none do.

    >>> fill("她对什么过敏？", "我对花生过敏。", "她"), fill("她在哪里上班？", "我在书店上班。", "她")
    ('花生', '书店')
    """
    filling = (f.strip() for f in _found(question.rstrip("？?。 "), text))
    found = next((f for f in filling if f and not _OTHER_WORDS.fullmatch(f)), "").rstrip("了呢呀")
    return re.sub("^我(?=的|$)", speaker, found) if speaker else found


def _found(question: str, text: str) -> Iterator[str]:
    for pattern, way in _GAPS:
        if gap := pattern.search(question):
            yield from way(gap, text)
            return


def _by_place(gap: re.Match[str], text: str) -> Iterator[str]:
    question = gap.string
    if question[: gap.start()].endswith(("去", "到", "来", "回")):
        yield _group(_WAY, text)
    yield _place(question[gap.end() :], text)


def _by_relation(gap: re.Match[str], text: str) -> Iterator[str]:
    yield _group(re.compile(f"(?P<it>{KIN}){re.escape(gap['it'])}"), text)


def _by_owner(gap: re.Match[str], text: str) -> Iterator[str]:
    thing = re.escape(gap["it"])
    yield _group(re.compile(f"(?P<it>[^，。！？的了过着在给把是]{{1,6}})的{thing}"), text)


def _by_deed(gap: re.Match[str], text: str) -> Iterator[str]:
    act = re.escape(gap["act"])
    yield _group(re.compile(f"是(?P<it>[^，。！？是]{{1,10}}?){act}的"), text)
    yield _group(re.compile(f"(?:^|[，。])(?P<it>[^，。！？是]{{1,8}}?){act}"), text)


def _by_act(gap: re.Match[str], text: str) -> Iterator[str]:
    yield _before_act(gap["act"], text)
    yield _doer(gap["act"], text)


def _by_colour(_gap: re.Match[str], text: str) -> Iterator[str]:
    yield next((c[0] for c in _COLOUR.finditer(text)), "")


def _by_name(gap: re.Match[str], text: str) -> Iterator[str]:
    yield _before_name(gap["it"], text)
    yield _after_role(gap["it"], text)


def _by_what_is(gap: re.Match[str], text: str) -> Iterator[str]:
    yield _doer(gap.string[: gap.start()], text)


def _by_words(gap: re.Match[str], text: str) -> Iterator[str]:
    question = gap.string
    before = question[: gap.start()]
    yield _between(before[-1:], question[gap.end() :][:2], text)
    yield _tail(before, text)


_GAPS: Final[tuple[tuple[re.Pattern[str], _Way], ...]] = (
    (_WHERE, _by_place),
    (_RELATION, _by_relation),
    (_WHOSE, _by_owner),
    (_DONE_BY, _by_deed),
    (_BY_WHOM, _by_act),
    (re.compile("什么颜色"), _by_colour),
    (_WHO, _by_name),
    (_IS_WHAT, _by_what_is),
    (_WHAT, _by_words),
)
"""How each form of a gap is filled; the first form that the question has decides."""


def _place(after: str, text: str) -> str:
    acts = [re.escape(after[:n]) for n in (2, 1) if len(after) >= n]
    fit = next((f for act in acts if (f := re.search(_PLACE.pattern + act, text))), None)
    fit = fit or re.search(_PLACE.pattern + _END, text)
    return fit["it"] if fit else ""


def _before_name(name: str, text: str) -> str:
    """Return what the sentence calls a person just before the name: 我的邻居."""
    at = text.find(name)
    if at < 1:
        return ""
    told = chinese(re.split("[，。！？、]", text[:at])[-1])
    if any(tag[0] not in "nruejs" and word not in _KIN_WORDS for word, tag in told):
        return ""
    return "".join(word for word, _ in told) if 0 < len(told) <= 4 else ""


def _before_act(act: str, text: str) -> str:
    """Return what stands before the act that is asked about, in its clause."""
    for length in range(len(act), 0, -1):
        at = text.find(act[:length])
        if at > 0:
            return re.split("[，。！？：、]", text[:at])[-1]
    return ""


def _after_role(role: str, text: str) -> str:
    """Return the name that stands right after a role: 房东张伟."""
    at = text.find(role)
    told = chinese(text[at + len(role) :]) if at >= 0 else ()
    return told[0][0] if told and told[0][1].startswith("nr") and len(told[0][0]) > 1 else ""


def _doer(asked: str, text: str) -> str:
    """Return what stands before the longest stretch that question and sentence share."""
    same = SequenceMatcher(None, asked, text, autojunk=False).find_longest_match()
    if same.size < 2:
        return ""
    return re.split("[，。！？：、]", text[: same.b])[-1]


def _group(pattern: re.Pattern[str], text: str) -> str:
    fit = pattern.search(text)
    return fit["it"] if fit else ""


def _tail(before: str, text: str) -> str:
    """Return what follows the last words before the gap, to the end of the clause."""
    for length in (4, 3, 2, 1):
        words = before[-length:]
        if len(words) < length or set(words) <= _SMALL:
            continue
        fit = re.search(rf"{re.escape(words)}了?([^，。！？；]{{1,14}})", text)
        if fit:
            return fit[1]
    return ""


def _between(before: str, after: str, text: str) -> str:
    if not before or not after:
        return ""
    fit = re.search(rf"{re.escape(before)}([^，。！？]{{1,12}}?){re.escape(after)}", text)
    return fit[1] if fit else ""
