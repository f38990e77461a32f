"""Two runs side by side: what they share, beat against beat, and how each ended.

The fingerprint comes first, since a difference means nothing between unlike things: runs of two
dialogues are shown side by side and every difference says `not comparable`. Steps are paired by
beat, not by clock or stage name, so that retrievers with other stages can be read together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memcore.store.runs import Run
from memcore.types import Beat, Memory, Reply, TurnId
from memcore.views.life import BeatCount, counts, stars, turns_of
from memcore.views.strings import say

NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class Side:
    """One run with the memory that it read; `data` is the digest of its dialogue.

    `f1` is the answer held against the known one, None where no answer is known.
    """

    row: Run
    reply: Reply
    memory: Memory
    dialogue: str
    data: str
    gold: tuple[TurnId, ...] = ()
    f1: float | None = None

    @property
    def run(self) -> int:
        """The number of the run."""
        return self.row.id


def comparable(left: Side, right: Side) -> bool:
    """Whether differences between two sides mean anything: both are of the same dialogue."""
    return left.data == right.data


# ---------------------------------------------------------------- fingerprint


@dataclass(frozen=True, slots=True)
class PrintRow:
    """One part of the fingerprint: both values, and in words whether they are equal."""

    what: str
    left: str
    right: str
    equal: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What two sides share: the parts that differ, and those that are equal."""

    differs: tuple[PrintRow, ...]
    equal: tuple[PrintRow, ...]


def fingerprint(left: Side, right: Side, language: str = "") -> Fingerprint:
    """Return what must be equal for a fair comparison, the dialogue first."""
    ours, theirs = _marks(left, language), _marks(right, language)
    differs: list[PrintRow] = []
    equal: list[PrintRow] = []
    for what, (shown, mark) in ours.items():
        same = mark == theirs[what][1]
        verdict = say("compare.equal" if same else f"compare.{what}.differs", language)
        row = PrintRow(say(f"compare.{what}", language), shown, theirs[what][0], verdict)
        (equal if same else differs).append(row)
    return Fingerprint(tuple(differs), tuple(equal))


def _marks(side: Side, language: str) -> Mapping[str, tuple[str, str]]:
    """Return of each part what is shown and what is compared."""
    row, trace = side.row, side.reply.trace
    budget = _budget(side, language)
    prompt = _prompt(side.reply)
    return {
        "data": (f"{side.dialogue} · {side.data[:8]}", side.data),
        "question": (trace.question, trace.question),
        "retriever": (trace.retriever, trace.retriever),
        "build": (row.memory[:8] or NOTHING, row.memory),
        "preset": (_preset(row), repr(trace.settings)),
        "reader": (row.reader or say("compare.no_reader", language), row.reader),
        "prompt": (
            say("compare.prompt_of", language, n=len(prompt)) if prompt else NOTHING,
            prompt,
        ),
        "budget": (budget, budget),
        "as_of": (_as_of(trace.as_of, language), str(trace.as_of)),
    }


def _preset(row: Run) -> str:
    return " · ".join((row.preset, *row.changed)) if row.preset == "custom" else row.preset


def _prompt(reply: Reply) -> str:
    """Return what the reader was told around the packet, which differs anyway."""
    told = reply.answer.prompt if reply.answer else ""
    return told.replace(reply.context.text, "").replace(reply.trace.question, "").strip()


def _budget(side: Side, language: str) -> str:
    chosen = side.reply.trace.settings
    if side.reply.context.limit == 0:
        return say("compare.no_budget", language)
    if side.row.retriever.startswith("ariadnemem"):
        facts = max(chosen.entry_budget, chosen.entry_budget_min)
        return say("compare.budget_facts", language, facts=facts, tokens=chosen.graph_tokens)
    return say(
        "compare.budget_turns", language, turns=chosen.turn_budget, tokens=chosen.token_budget
    )


def _as_of(session: int | None, language: str) -> str:
    return f"D{session}" if session else say("compare.whole", language)


# ---------------------------------------------------------------- beats


@dataclass(frozen=True, slots=True)
class BeatRow:
    """One beat on both sides: in and out, the difference of what went out, gold still there."""

    beat: str
    left_in: str
    left_out: str
    left_gold: str
    right_in: str
    right_out: str
    right_gold: str
    difference: str


def beats(left: Side, right: Side, language: str = "") -> tuple[BeatRow, ...]:
    """Return the six beats of both sides, paired; a beat that is not used has a dash."""
    ours = counts(left.memory, left.reply, left.gold)
    theirs = counts(right.memory, right.reply, right.gold)
    fair = comparable(left, right)
    return tuple(
        BeatRow(
            f"{one.beat.value} {say(f'beat.{one.beat.value}', language)}",
            *_cells(one, left),
            *_cells(other, right),
            _difference(_out(one, left), _out(other, right), fair, language),
        )
        for one, other in zip(ours, theirs, strict=True)
    )


def _cells(count: BeatCount, side: Side) -> tuple[str, str, str]:
    gold = NOTHING if count.gold is None else stars(count.gold, len(side.gold))
    out = _out(count, side)
    if out is None:
        return NOTHING, NOTHING, gold
    return str(_came(count, side)), str(out), gold


def _came(count: BeatCount, side: Side) -> int:
    """Return how many items a beat was given and found."""
    if count.beat is Beat.ANSWER:
        return len(side.reply.context.items)
    first = next(s for s in side.reply.trace.steps if s.beat is count.beat)
    return len(first.given) + count.entered


def _out(count: BeatCount, side: Side) -> int | None:
    """Return how many items a beat let through; for cues and anchors, how many there are."""
    if not count.used:
        return None
    cues = side.reply.trace.cues
    return {
        Beat.CUE: len(cues),
        Beat.ACTIVATE: len({a for cue in cues for a in cue.anchors}),
        Beat.PACK: len(side.reply.context.items),
    }.get(count.beat, count.kept)


def _difference(ours: int | None, theirs: int | None, fair: bool, language: str) -> str:
    if not fair:
        return say("compare.not_comparable", language)
    if ours is None or theirs is None:
        return say("compare.not_used", language) if ours != theirs else NOTHING
    return "=" if ours == theirs else signed(theirs - ours)


def summary(left: Side, right: Side, language: str = "") -> str:
    """Return the tokens and time of both sides in one sentence."""
    ours, theirs = left.reply, right.reply
    values = {
        "left": _tokens(ours),
        "right": _tokens(theirs),
        "left_s": f"{sum(ours.milliseconds) / 1000:.2f}",
        "right_s": f"{sum(theirs.milliseconds) / 1000:.2f}",
    }
    if not comparable(left, right):
        return say("compare.summary_unlike", language, **values)
    change = signed(theirs.context.tokens - ours.context.tokens)
    return say("compare.summary", language, change=change, **values)


def _tokens(reply: Reply) -> str:
    """Tokens of a packet, with a sign before them where they are estimated."""
    return f"{'' if reply.context.counted else '≈ '}{reply.context.tokens:,}"


def signed(n: int) -> str:
    """Return a difference with its sign, a true minus where it is one.

    >>> signed(3), signed(-1200), signed(0)
    ('+3', '−1,200', '0')
    """
    return f"{n:+,d}".replace("-", "−") if n else "0"


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One figure on both sides; 0, n.a., failed and skipped are four different cells."""

    figure: str
    left: str
    right: str


FIGURES: Final = ("outcome", "gold_packed", "f1", "uncited", "absent", "warnings")


def verdicts(left: Side, right: Side, language: str = "") -> tuple[VerdictRow, ...]:
    """Return how each side ended."""
    return tuple(
        VerdictRow(
            say(f"compare.figure.{figure}", language),
            verdict(left, figure, language),
            verdict(right, figure, language),
        )
        for figure in FIGURES
    )


def verdict(side: Side, figure: str, language: str = "") -> str:
    """Return one cell: a number, or in words why there is none."""
    reply = side.reply
    if figure in ("f1", "uncited", "absent") and reply.answer is None:
        failed = side.row.outcome == "failed"
        return say("compare.failed" if failed else "compare.skipped", language)
    found = {
        "outcome": lambda: say(f"compare.outcome.{side.row.outcome}", language),
        "warnings": lambda: str(len(reply.warnings)),
        "gold_packed": lambda: _gold_packed(side, language),
        "f1": lambda: "" if side.f1 is None else f"{side.f1:.2f}",
        "absent": lambda: str(len(reply.answer.absent)) if reply.answer else "",
        "uncited": lambda: _uncited(reply),
    }[figure]()
    return found or say("compare.na", language)


def _uncited(reply: Reply) -> str:
    """Return how many sentences cite nothing; a refusal has nothing to cite."""
    if reply.answer is None or reply.answer.refused:
        return ""
    return str(sum(not s.citations for s in reply.answer.sentences))


def _gold_packed(side: Side, language: str) -> str:
    if not side.gold:
        return ""
    held = turns_of(side.memory, side.reply.context.items) & set(side.gold)
    return say("compare.of", language, n=len(held), total=len(side.gold))
