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

_IDLE: Final = ("name_asked", "length")
_IDLE_IN_BEST: Final = ("answer", "cover", "session", "length")
"""What each sum ranks better without (docs/retrieval.md); the premise check weighs all."""

LEXICAL_TERMS: Final = tuple(name for name in NAMES if name not in (*_REPLACED, *_IDLE))
BEST_TERMS: Final = (
    *(name for name in NAMES if name not in (*WORD_NAMES, *_IDLE_IN_BEST)),
    *LATE_NAMES,
)

LEXICAL: Final = Weights(
    (
        0.211,  # wide_window
        0.281,  # words
        0.277,  # words_answer
        -0.083,  # words_before
        0.643,  # latent
        1.309,  # cover
        0.450,  # session
        4.174,  # date
        1.139,  # subject
        -0.482,  # is_question
        -0.333,  # holds_question
        0.171,  # after_question
        0.695,  # first
        0.469,  # first_person
        0.359,  # name
        1.778,  # time_asked
        1.463,  # number_asked
        0.777,  # reason_asked
        1.022,  # quoted_asked
    ),
    LEXICAL_TERMS,
)

BEST: Final = Weights(
    (
        -0.062,  # turn
        0.049,  # window
        0.190,  # wide_window
        0.349,  # latent
        4.140,  # date
        1.170,  # subject
        -0.524,  # is_question
        -0.264,  # holds_question
        -1.527,  # after_question
        -0.410,  # first
        0.454,  # first_person
        0.336,  # name
        1.614,  # time_asked
        1.054,  # number_asked
        0.571,  # name_asked
        0.579,  # reason_asked
        0.998,  # quoted_asked
        0.491,  # late_turn
        0.819,  # late_window
        0.796,  # late_answer
        -0.229,  # late_before
        0.168,  # late_back
    ),
    BEST_TERMS,
)
