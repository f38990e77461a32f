"""Words of the terms of scores, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "term.before": "turn before",
    "term.before_2": "two before",
    "term.after": "turn after",
    "term.after_2": "two after",
    "term.told": "tells rather than asks",
    "term.time": "time range",
    "term.session": "session",
    "term.speaker": "named speaker",
    "term.cosine": "cosine",
    "term.bm25": "BM25",
    "term.other_person": "other person",
    "term.key": "key",
    "term.turn": "BM25 of the turn",
    "term.window": "BM25 of the window",
    "term.wide_window": "BM25 of the wide window",
    "term.after_question": "follows a question",
    "term.answer": "answers in kind",
    "term.first": "first of its session",
    "term.first_person": "first person",
    "term.holds_question": "holds a question",
    "term.is_question": "is a question",
    "term.length": "length",
    "term.name": "holds a proper name",
    "term.name_asked": "a name is asked for",
    "term.number_asked": "a number is asked for",
    "term.quoted_asked": "a title is asked for",
    "term.cover": "share of the keys held around it",
    "term.date": "date asked for",
    "term.reason_asked": "a reason is asked for",
    "term.time_asked": "a time is asked for",
    "term.subject": "by the one asked about",
    "receipt.term": "term",
    "receipt.source": "source",
    "receipt.words": "words",
    "receipt.amount": "amount",
    "receipt.total": "running total",
    "receipt.not_a_sum": "Not a sum: places in ranked lists.",
}

CHINESE: Final[Mapping[str, str]] = {}
