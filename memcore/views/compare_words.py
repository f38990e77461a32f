"""Two texts word by word, Chinese by character: what both hold, and what only one does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from memcore.annotate.languages import HAN

_PIECES: Final = re.compile(rf"[{HAN}]|[^\s{HAN}]+|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one text; `own` says that the other text does not hold it there."""

    text: str
    own: bool = False


def pieces(text: str) -> tuple[str, ...]:
    r"""Return the words and blanks of a text, each Chinese character by itself.

    >>> pieces("in Porto 现在"), "".join(pieces(" a  b\n"))
    (('in', ' ', 'Porto', ' ', '现', '在'), ' a  b\n')
    """
    return tuple(_PIECES.findall(text))


def difference(left: str, right: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts as stretches, marked where they differ; joined, they are the texts.

    >>> difference("She lives in Porto.", "She lives in Lisbon.")[1]
    (Piece(text='She lives in ', own=False), Piece(text='Lisbon.', own=True))
    """
    one, other = pieces(left), pieces(right)
    found = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    ours = (Piece("".join(one[a:b]), kind != "equal") for kind, a, b, _, _ in found)
    theirs = (Piece("".join(other[c:d]), kind != "equal") for kind, _, _, c, d in found)
    return tuple(p for p in ours if p.text), tuple(p for p in theirs if p.text)
