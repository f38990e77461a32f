"""Answer metrics: LoCoMo's official F1, the set F1 of A-Mem's line, BLEU-1.

Written from the descriptions in evaluation.md; the stems are those of the official script
(`porter`).
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter

from memcore.evaluation.porter import stem

REFUSALS = ("not mentioned", "no information available", "对话中没有提到")
"""Words that count as a refusal."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the|and)\b")


def official_tokens(text: str) -> tuple[str, ...]:
    """Return lower-case stems without commas, articles, "and" and punctuation.

    >>> official_tokens("The cats, and a dog's bowls.")
    ('cat', 'dog', 'bowl')
    """
    plain = text.replace(",", "").lower().translate(_PUNCTUATION)
    return tuple(stem(w) for w in _ARTICLES.sub(" ", plain).split())


def multiset_f1(prediction: str, gold: str) -> float:
    """Return the F1 of the two token multisets."""
    got, wanted = Counter(official_tokens(prediction)), Counter(official_tokens(gold))
    same = sum((got & wanted).values())
    if not same:
        return 0.0
    precision, recall = same / sum(got.values()), same / sum(wanted.values())
    return 2 * precision * recall / (precision + recall)


def official_f1(prediction: str, gold: str, category: int | None) -> float:
    """Return LoCoMo's F1 by category.

    1 (multi-hop) splits both at commas and averages the best match of each gold part; 3 keeps the
    gold before ";"; 5 is 1 for a refusal, else 0.
    """
    if category == 5:
        return float(refuses(prediction))
    if category == 3:
        gold = gold.split(";")[0].strip()
    if category == 1:
        parts = [p.strip() for p in prediction.split(",")]
        best = [max(multiset_f1(p, g.strip()) for p in parts) for g in gold.split(",")]
        return math.fsum(best) / len(best)
    return multiset_f1(prediction, gold)


def set_f1(prediction: str, gold: str) -> float:
    """Return the set-based F1 of A-Mem, SimpleMem and AriadneMem.

    >>> round(set_f1("in May, 2023", "May 2023"), 3)
    0.8
    """
    got, wanted = set(_words(prediction)), set(_words(gold))
    same = len(got & wanted)
    if not same:
        return 0.0
    precision, recall = same / len(got), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def bleu1(prediction: str, gold: str) -> float:
    """Return BLEU-1: clipped unigram precision with the brevity penalty.

    Smoothing 1 puts 0.1 for a count of 0; nothing said is 0.
    """
    got, wanted = _words(prediction), _words(gold)
    if not got:
        return 0.0
    same = sum((Counter(got) & Counter(wanted)).values())
    precision = (same or 0.1) / len(got)
    penalty = 1.0 if len(got) > len(wanted) else math.exp(1 - len(wanted) / len(got))
    return penalty * precision


def _words(text: str) -> list[str]:
    return re.sub(r"[.,!?]", " ", text.lower()).split()


def refuses(text: str) -> bool:
    """Return whether a reply is a refusal."""
    said = text.lower()
    return any(words in said for words in REFUSALS)
