"""What model calls cost, by prices that the user sets; without a price nothing is claimed.

A price is per million tokens, as providers list them. They are text, `MODEL=IN/OUT` parted by
commas, so that they fit an environment variable; a name that ends in `*` stands for all that begin
so, and a price without a name for every model. A word without `=` or `/` is the currency.
Turned down: a list of known prices of our own, which would be wrong within weeks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memcore.errors import SettingsError
from memcore.types import Usage

MILLION: Final = 1_000_000
_MOST: Final = 1e9


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost: of the prompt, and of the answer."""

    model: str
    prompt: float
    answer: float

    def fits(self, model: str) -> bool:
        """Whether this is the price of a model."""
        if self.model.endswith("*"):
            return model.startswith(self.model[:-1])
        return self.model == model


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices that the user set, and the currency as text."""

    listed: tuple[Price, ...] = ()
    currency: str = ""

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return what calls cost, None where no price is set; a reply kept from before is free.

        >>> parse("EUR, small=0.5/2").cost("small", Usage(1, 2_000_000, 500_000))
        2.0
        """
        price = next((p for p in self.listed if p.fits(model)), None)
        if price is None:
            return None
        if not usage.calls:
            return 0.0
        spent = price.prompt * usage.prompt_tokens + price.answer * usage.answer_tokens
        return round(spent / MILLION, 6)

    def shown(self, model: str, usage: Usage) -> str:
        """Return the cost with its currency, empty where no price is set.

        >>> parse("EUR, small=0.5/2").shown("small", Usage(1, 1000, 100))
        '0.0007 EUR'
        """
        cost = self.cost(model, usage)
        return "" if cost is None else f"{cost:.4f} {self.currency}".strip()


def parse(text: str) -> Prices:
    """Return the prices that a text names, longer names before shorter ones.

    Raises:
        SettingsError: if a part is of no such form.

    >>> parse("EUR, small=0.15/0.60, big-*=3/15, 1/1").listed[0]
    Price(model='small', prompt=0.15, answer=0.6)
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    currency = "".join(p for p in parts if "=" not in p and "/" not in p)
    listed = [_price(p) for p in parts if "=" in p or "/" in p]
    named = sorted(listed, key=lambda p: (p.model.endswith("*"), -len(p.model), p.model))
    return Prices(tuple(named), currency[:8])


def _price(part: str) -> Price:
    model, _, amounts = part.rpartition("=")
    first, _, second = amounts.partition("/")
    try:
        prompt, answer = float(first), float(second)
    except ValueError:
        prompt = answer = -1.0
    if not (0 <= prompt <= _MOST and 0 <= answer <= _MOST):
        msg = f"price {part[:40]!r} has another form; expected MODEL=0.15/0.60 per million tokens"
        raise SettingsError(msg)
    return Price(model.strip() or "*", prompt, answer)
