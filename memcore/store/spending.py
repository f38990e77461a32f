"""What the models that answered and extracted have cost in tokens, from the rows that tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sqlite_utils import Database

from memcore.store import extractions
from memcore.store.rows import select
from memcore.types import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model was used for: `extraction` or `answers`, and its name with its prompt."""

    use: str
    name: str
    usage: Usage
    seconds: float | None = None

    @property
    def model(self) -> str:
        """The model's name without that of the prompt.

        >>> Spent("answers", "m (answer-1)", Usage()).model
        'm'
        """
        return model_of(self.name)


def model_of(name: str) -> str:
    """Return the model of a reader's or an extractor's name, `MODEL (PROMPT)`."""
    return name.rpartition(" (")[0] or name


def spent(db: Database, dialogue: int) -> tuple[Spent, ...]:
    """Return what was spent on a dialogue: its extractions, then its answers, by name."""
    found = []
    for name in extractions.extractors(db, dialogue):
        read = extractions.of(db, dialogue, name)
        seconds = round(sum(e.seconds for e in read), 3)
        found.append(Spent("extraction", name, extractions.usage(read), seconds))
    rows = select(
        db,
        """SELECT reader, sum(calls), sum(CASE WHEN calls THEN prompt_tokens ELSE 0 END),
            sum(CASE WHEN calls THEN answer_tokens ELSE 0 END)
            FROM runs WHERE dialogue = ? AND prompt != '' GROUP BY reader ORDER BY reader""",
        (dialogue,),
    )
    for reader, calls, asked, answered in rows:
        usage = Usage(cast("int", calls), cast("int", asked), cast("int", answered))
        found.append(Spent("answers", str(reader), usage))
    return tuple(found)
