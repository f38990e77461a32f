"""The weights of `best` and `best-lexical`: values, found by `memcore fit`.

They are what the command prints for the five tuning dialogues, penalty 0.001; docs/retrieval.md has what they give on a
dialogue left out, and what each term is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memcore.retrieval.features import NAMES
from memcore.retrieval.late import NAMES as LATE_NAMES
from memcore.retrieval.words import NAMES as WORD_NAMES


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight a term, in the order of the names."""

    values: tuple[float, ...]
    names: tuple[str, ...]

    def of(self, name: str) -> float:
        """Return the weight of a term."""
        return self.values[self.names.index(name)]


_REPLACED: Final = ("turn", "window", "answer")
"""What the terms over all words take the place of."""

LEXICAL_TERMS: Final = tuple(name for name in NAMES if name not in _REPLACED)
BEST_TERMS: Final = (*(name for name in NAMES if name not in WORD_NAMES), *LATE_NAMES)

LEXICAL: Final = Weights(
    (
        0.267,  # wide_window
        0.358,  # words
        0.243,  # words_answer
        1.482,  # cover
        0.501,  # session
        4.226,  # date
        1.140,  # subject
        0.136,  # length
        -0.508,  # is_question
        -0.269,  # holds_question
        0.302,  # after_question
        0.813,  # first
        0.405,  # first_person
        0.247,  # name
        1.822,  # time_asked
        1.454,  # number_asked
        0.771,  # name_asked
        0.766,  # reason_asked
        1.235,  # quoted_asked
    ),
    LEXICAL_TERMS,
)

BEST: Final = Weights(
    (
        -0.024,  # turn
        -0.086,  # window
        0.135,  # wide_window
        0.006,  # answer
        0.896,  # cover
        0.364,  # session
        4.277,  # date
        1.180,  # subject
        0.074,  # length
        -0.533,  # is_question
        -0.143,  # holds_question
        -0.625,  # after_question
        0.522,  # first
        0.425,  # first_person
        0.268,  # name
        1.635,  # time_asked
        1.122,  # number_asked
        0.457,  # name_asked
        0.513,  # reason_asked
        1.167,  # quoted_asked
        0.633,  # late_turn
        0.710,  # late_window
        0.473,  # late_answer
    ),
    BEST_TERMS,
)
