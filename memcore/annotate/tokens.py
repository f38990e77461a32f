"""The default token counter, `words1.3`: an estimate that needs no model.

A CJK character, its punctuation included, counts as one token and is not counted again as part of
a blank-separated word: Chinese has no blanks, so a whole sentence would count as one more word.
All arithmetic is in whole numbers, since 1.3 has no exact float.
"""

from __future__ import annotations

import re
from typing import Final

COUNTER: Final = "words1.3"
"""The counter's name, as shown beside its figures."""

_CJK: Final = re.compile(
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60"
    "\U00020000-\U0003134f]"
)


def tokens(text: str) -> int:
    """Return ceil(1.3 x blank-separated words) plus one for each CJK character.

    >>> tokens("Caroline: I went hiking yesterday"), tokens("你好，Anna!"), tokens("")
    (7, 5, 0)
    """
    rest, cjk = _CJK.subn(" ", text)
    return -(-13 * len(rest.split()) // 10) + cjk
