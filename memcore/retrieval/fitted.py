"""The weights of `best` and `best-lexical`: values, found by `memcore fit`.

Fitted on the five tuning dialogues, penalty 0.001; docs/retrieval.md has what they give on a
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
        0.198,  # wide_window
        0.315,  # words
        0.300,  # words_near
        0.218,  # words_answer
        1.206,  # cover
        0.480,  # session
        4.193,  # date
        1.131,  # subject
        0.098,  # length
        -0.485,  # is_question
        -0.338,  # holds_question
        0.308,  # after_question
        0.930,  # first
        0.400,  # first_person
        0.254,  # name
        1.863,  # time_asked
        1.510,  # number_asked
        0.712,  # name_asked
        0.775,  # reason_asked
        1.237,  # quoted_asked
    ),
    LEXICAL_TERMS,
)

BEST: Final = Weights(
    (
        -0.024,  # turn
        -0.079,  # window
        0.129,  # wide_window
        0.008,  # answer
        0.828,  # cover
        0.380,  # session
        4.281,  # date
        1.182,  # subject
        0.074,  # length
        -0.530,  # is_question
        -0.139,  # holds_question
        -0.611,  # after_question
        0.517,  # first
        0.429,  # first_person
        0.270,  # name
        1.630,  # time_asked
        1.130,  # number_asked
        0.454,  # name_asked
        0.515,  # reason_asked
        1.164,  # quoted_asked
        0.633,  # late_turn
        0.707,  # late_window
        0.464,  # late_answer
    ),
    BEST_TERMS,
)
