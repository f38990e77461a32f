"""How an attribute is written, and whether somebody has one value of it at a time.

It is apart from the reading of clauses, so that changes and fast paths need no parser.
"""

from __future__ import annotations

import re
from typing import Final

from memcore.evolution.lexicon import SPELLINGS

_ARTICLE: Final = re.compile(r"^(?:(?:a|an|the|this|that|some|any|new|upcoming) )+")
_ONE_VALUED: Final = re.compile(
    r"plan:.+|.+ time|(?:.+ )?name|favou?rite .+|home|live in|job|work(?: at| for| as)?|age"
    r"|address|birthday|relationship status"
    r"|计划.*|.*时间|.*名字|住处|家|住|住在|工作|职业|年龄|生日|最喜欢.*"
)


def one_valued(attribute: str) -> bool:
    """Whether somebody has one value of an attribute at a time, so that another replaces it.

    >>> [one_valued(a) for a in ("home", "dog's name", "plan:trip to rome", "like")]
    [True, True, True, False]
    """
    return bool(_ONE_VALUED.fullmatch(attribute_key(attribute)))


def attribute_key(words: str) -> str:
    """Return the words as an attribute is written: case-folded, one spelling, no article.

    >>> attribute_key("the Favorite Color")
    'favourite colour'
    """
    key = _ARTICLE.sub("", words.casefold().strip())
    for american, british in SPELLINGS:
        key = key.replace(american, british)
    return key
