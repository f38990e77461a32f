"""What the links of three pages hold beside the choices that all share: their filters, by name.

They stand apart from the pages' rows, since every page reads a link and few need the rows.
"""

from typing import Final

RUNS: Final = ("q", "retriever", "preset", "outcome", "pinned")
"""Of the list of runs."""

LEDGER: Final = ("q", "left", "reason", "star", "near")
"""Of the ledger of Step."""

MATRIX: Final = ("show", "q", "category", "fate", "of", "a", "b")
"""Of Evaluate: the view, and the filters of the questions."""
