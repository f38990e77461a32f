"""The gap of a Chinese question, filled from a sentence: 对什么过敏 in 我对花生过敏 is 花生.

Chinese keeps the order of words in questions, so what stands around the question word stands around
the answer too. A parser was turned down; none comes with the packages that we take.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from memcore.annotate.pipelines import chinese

_WHERE: Final = re.compile(r"在?(?:哪里|哪儿|什么地方|何处)")
_PLACE: Final = re.compile(r"(?:在|搬到|去了|到)(?P<it>[^，。！？、在]{2,8}?)")
_WHO: Final = re.compile(r"(?P<it>[^的是]{2,6})是谁")
_IS_WHAT: Final = re.compile(r"的?是(?:什么|谁)")
_WHAT: Final = re.compile(r"什么|多少|谁|几")
_END: Final = r"(?=[，。！？、]|$)"


def fill(question: str, text: str, speaker: str) -> str:
    """Return the words of a sentence that fill the question's gap; empty if none do.

    >>> fill("她对什么过敏？", "我对花生过敏。", "她"), fill("她在哪里上班？", "我在书店上班。", "她")
    ('花生', '书店')
    """
    found = next((f for f in _found(question.rstrip("？?。 "), text) if f), "")
    return re.sub("^我(?=的)", speaker, found) if speaker else found


def _found(question: str, text: str) -> Iterator[str]:
    if where := _WHERE.search(question):
        yield _place(question[where.end() :], text)
    elif who := _WHO.search(question):
        yield _before_name(who["it"], text)
    elif is_what := _IS_WHAT.search(question):
        yield _doer(question[: is_what.start()], text)
    elif what := _WHAT.search(question):
        before = question[: what.start()][-1:]
        yield _between(before, question[what.end() :][:2], text)


def _place(after: str, text: str) -> str:
    act = re.escape(after[:2])
    fit = re.search(_PLACE.pattern + act, text) if after else None
    fit = fit or re.search(_PLACE.pattern + _END, text)
    return fit["it"] if fit else ""


def _before_name(name: str, text: str) -> str:
    """Return what the sentence calls a person just before the name: 我的邻居."""
    at = text.find(name)
    if at < 1:
        return ""
    words = [w for w, _ in chinese(re.split("[，。！？、]", text[:at])[-1])]
    return "".join(words) if 0 < len(words) <= 4 else ""


def _doer(asked: str, text: str) -> str:
    """Return what stands before the longest stretch that question and sentence share."""
    same = SequenceMatcher(None, asked, text, autojunk=False).find_longest_match()
    if same.size < 2:
        return ""
    return re.split("[，。！？：、]", text[: same.b])[-1]


def _between(before: str, after: str, text: str) -> str:
    if not before or not after:
        return ""
    fit = re.search(rf"{re.escape(before)}([^，。！？]{{1,12}}?){re.escape(after)}", text)
    return fit[1] if fit else ""
