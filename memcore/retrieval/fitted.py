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

_IDLE: Final = ("name_asked",)
_IDLE_IN_BEST: Final = ("cover", "session")
"""What each sum ranks better without (docs/retrieval.md)."""

LEXICAL_TERMS: Final = tuple(name for name in NAMES if name not in (*_REPLACED, *_IDLE))
BEST_TERMS: Final = (
    *(name for name in NAMES if name not in (*WORD_NAMES, *_IDLE_IN_BEST)),
    *LATE_NAMES,
)

LEXICAL: Final = Weights(
    (
        0.214,  # wide_window
        0.282,  # words
        0.219,  # words_answer
        0.631,  # latent
        1.239,  # cover
        0.447,  # session
        4.180,  # date
        1.132,  # subject
        0.119,  # length
        -0.481,  # is_question
        -0.344,  # holds_question
        0.274,  # after_question
        0.796,  # first
        0.444,  # first_person
        0.342,  # name
        1.753,  # time_asked
        1.459,  # number_asked
        0.802,  # reason_asked
        1.024,  # quoted_asked
    ),
    LEXICAL_TERMS,
)

BEST: Final = Weights(
    (
        -0.046,  # turn
        0.026,  # window
        0.206,  # wide_window
        0.009,  # answer
        0.372,  # latent
        4.150,  # date
        1.160,  # subject
        -0.019,  # length
        -0.544,  # is_question
        -0.280,  # holds_question
        -0.816,  # after_question
        0.447,  # first
        0.405,  # first_person
        0.271,  # name
        1.574,  # time_asked
        1.076,  # number_asked
        0.527,  # name_asked
        0.592,  # reason_asked
        1.000,  # quoted_asked
        0.596,  # late_turn
        0.771,  # late_window
        0.529,  # late_answer
    ),
    BEST_TERMS,
)
