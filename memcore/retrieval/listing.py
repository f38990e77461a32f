"""The ranked list of a system: the order in which it would fill an unlimited budget."""

from __future__ import annotations

from datetime import datetime

from memcore.retrieval.loop import Retriever, retrieve
from memcore.types import Beat, Item, Trace


def ranked_list(
    retriever: Retriever,
    question: str,
    asked_at: datetime | None = None,
    as_of: int | None = None,
) -> tuple[Item, ...]:
    """Return the items in the order of filling, before any packing, each once.

    A retriever with a `listing` is asked for it, so that no trace is written.
    """
    if retriever.listing is not None:
        return retriever.listing(question, asked_at, as_of)
    return listed(tuple(retrieve(retriever, question, asked_at, as_of)))


def listed(traces: tuple[Trace, ...]) -> tuple[Item, ...]:
    """Return the items that stood ready for packing, in order; of all traces the last is whole."""
    steps = traces[-1].steps if traces else ()
    first = next((step for step in steps if step.beat is Beat.PACK), None)
    given = first.given if first else steps[-1].kept if steps else ()
    return tuple(dict.fromkeys(c.item for c in given))
