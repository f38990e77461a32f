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
        -0.051,  # turn
        -0.043,  # window
        0.124,  # wide_window
        0.008,  # answer
        0.679,  # cover
        0.368,  # session
        4.259,  # date
        1.163,  # subject
        -0.088,  # length
        -0.581,  # is_question
        -0.223,  # holds_question
        -0.842,  # after_question
        0.540,  # first
        0.403,  # first_person
        0.265,  # name
        1.655,  # time_asked
        1.047,  # number_asked
        0.502,  # name_asked
        0.545,  # reason_asked
        1.172,  # quoted_asked
        0.681,  # late_turn
        0.718,  # late_window
        0.554,  # late_answer
    ),
    BEST_TERMS,
)
