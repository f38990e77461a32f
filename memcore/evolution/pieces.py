"""The words of a clause as pieces, one a token, so that subject, value and time can be cut out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spacy.tokens import Span, Token


@dataclass(frozen=True, slots=True)
class Piece:
    """The words that stand for one token; `gap` says that a blank goes before them.

    `chunk` is the noun chunk that ends with the token.
    """

    token: Token
    words: str
    gap: bool = True
    chunk: Span | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """A clause in other words, token by token; `lead` is a subject that is not among them."""

    pieces: tuple[Piece, ...]
    lead: str = ""

    def of(self, tokens: Iterable[Token]) -> str:
        """Return the words for these tokens."""
        wanted = {t.i for t in tokens}
        return joined(p for p in self.pieces if p.token.i in wanted)

    @property
    def text(self) -> str:
        """Return the sentence, with a capital and a period."""
        words = (
            f"{self.lead} {joined(self.pieces)}".strip()
            .replace("can not ", "cannot ")
            .rstrip(" ,;:-–—.!…")
        )
        return f"{words[:1].upper()}{words[1:]}."


def joined(pieces: Iterable[Piece]) -> str:
    """Return the words with their blanks."""
    return "".join(f"{' ' if p.gap else ''}{p.words}" for p in pieces if p.words).strip()
