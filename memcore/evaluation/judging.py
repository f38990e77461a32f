"""All answers of an evaluation before the judge: who is right how often, and what it cost.

The judge comes after the run and changes none of its figures, so a server that does not answer
leaves everything else whole. Verdicts are not stored; the replies are, by dialogue, and the same
answers judged again ask nobody. Only answerable questions with a known answer are judged: whether
the others are refused needs no model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.errors import ReplyError, ServerError, TooLongError
from memcore.evaluation.judge import LENIENT, STRICT, Judge, Verdict
from memcore.evaluation.report import Asked, Found
from memcore.types import Usage

NAMES: Final = {"strict": STRICT, "lenient": LENIENT}
"""The rubrics by the words of the command line."""

ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer and what the judge said: a verdict, or why there is none."""

    system: str
    dialogue: int
    question: str
    category: str
    verdict: Verdict | None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """The share of a system's answers that a judge holds right, in one category or in all.

    `value` is None where nothing was judged; `failed` replies were no verdicts and count nowhere.
    """

    system: str
    group: str
    value: float | None
    n: int
    failed: int
    usage: Usage


@dataclass(frozen=True, slots=True)
class Judgement:
    """All verdicts by one judge; `trouble` says what ended them early, if anything did."""

    judge: str
    judged: tuple[Judged, ...]
    trouble: str = ""

    def scores(self) -> tuple[Score, ...]:
        """Return a row a system and category, that of all categories first."""
        systems = dict.fromkeys(j.system for j in self.judged)
        return tuple(
            _score(system, group, rows)
            for system in systems
            for group, rows in _groups([j for j in self.judged if j.system == system])
        )


def judge_all(found: Found, judge_of: Callable[[int], Judge]) -> Judgement:
    """Judge every answer to an answerable question; `judge_of` gives the judge of a dialogue.

    A reply that is no verdict fails that answer alone; a server that is not there ends the rest.
    """
    done: list[Judged] = []
    name = ""
    for system in found.systems:
        for asked in found.asked:
            result = found.result(system, asked)
            if result is None or result.answer is None or not _has_gold(asked):
                continue
            judge = judge_of(asked.dialogue)
            name = judge.name
            try:
                done.append(_judged(judge, system, asked, result.answer))
            except ServerError as error:
                return Judgement(name, tuple(done), str(error))
    return Judgement(name, tuple(done))


def _has_gold(asked: Asked) -> bool:
    return asked.answerable and bool(asked.question.answer)


def _judged(judge: Judge, system: str, asked: Asked, answer: str) -> Judged:
    question = asked.question
    head = (system, asked.dialogue, question.id, question.category or "none")
    try:
        return Judged(*head, judge.judge(question.text, question.answer, answer))
    except (ReplyError, TooLongError) as error:  # this answer alone; the next one may fare better
        return Judged(*head, None, str(error))


def _groups(rows: Sequence[Judged]) -> Sequence[tuple[str, Sequence[Judged]]]:
    names = sorted({j.category for j in rows})
    return ((ALL, rows), *((n, [j for j in rows if j.category == n]) for n in names))


def _score(system: str, group: str, rows: Sequence[Judged]) -> Score:
    known = [j.verdict for j in rows if j.verdict is not None]
    usage = sum((v.usage for v in known if v.usage.calls), Usage())
    share = round(sum(v.right for v in known) / len(known), 6) if known else None
    return Score(system, group, share, len(known), len(rows) - len(known), usage)
