"""What models cost, as rows: of one answer, and of all that a dialogue was used for.

Pure functions of values; the prices are the user's own, and without one no money is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcore.annotate.tokens import tokens
from memcore.prices import Prices
from memcore.store.spending import Spent, model_of
from memcore.types import Answer, Estimate, Extraction
from memcore.views.strings import say


@dataclass(frozen=True, slots=True)
class CostRow:
    """One row of the cost table."""

    what: str
    model: str
    calls: int
    prompt: int
    answer: int
    seconds: float | None
    money: str


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A window of which some turns gave no usable reply."""

    first: str
    last: str
    turns: str
    why: str


def rows(
    answer: Answer | None, all_spent: Sequence[Spent], prices: Prices, language: str = "en"
) -> tuple[CostRow, ...]:
    """Return the cost of one answer, then of the dialogue; empty where no model was asked."""
    found = [Spent("run", answer.reader, answer.usage)] if answer and answer.prompt else []
    return tuple(_row(spent, prices, language) for spent in (*found, *all_spent))


_WORDS = {"run": "cost.run", "answers": "cost.all", "extraction": "cost.extraction"}


def _row(spent: Spent, prices: Prices, language: str) -> CostRow:
    usage = spent.usage
    return CostRow(
        say(_WORDS[spent.use], language),
        spent.name,
        usage.calls,
        usage.prompt_tokens,
        usage.answer_tokens,
        spent.seconds,
        prices.shown(spent.model, usage) or say("cost.no_price", language),
    )


def prompt_line(answer: Answer, language: str = "en") -> str:
    """Return how many tokens the prompt of an answer has, and who counted them."""
    estimated = f"{tokens(answer.prompt):,}"
    counted = answer.usage.prompt_tokens
    if not counted:  # not every server tells
        return say("model.prompt_estimated", language, estimated=estimated)
    return say(
        "model.prompt_tokens",
        language,
        estimated=estimated,
        counted=f"{counted:,}",
        reader=model_of(answer.reader),
    )


def estimate_line(estimate: Estimate, model: str, prices: Prices, language: str = "en") -> str:
    """Return what a build with a model will cost, in one line."""
    if not estimate.calls:
        return say("model.estimate_none", language)
    line = say(
        "model.estimate",
        language,
        calls=estimate.calls,
        windows=estimate.windows,
        asked=f"{estimate.prompt_tokens:,}",
        answered=f"{estimate.answer_tokens:,}",
    )
    money = prices.shown(model, estimate.usage)
    return f"{line}; {say('model.money', language, money=money)}" if money else line


def failed(read: Sequence[Extraction]) -> tuple[WindowRow, ...]:
    """Return the windows with failed turns, in order of the talk."""
    return tuple(
        WindowRow(str(e.first), str(e.last), ", ".join(map(str, e.failed)), e.trouble)
        for e in read
        if e.failed
    )
