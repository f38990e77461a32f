"""A reader made from a function: for tests, and for users who bring a reader of their own."""

from __future__ import annotations

from collections.abc import Callable

from memcore.errors import SeamError
from memcore.types import Answer, Context


class FunctionReader:
    """Reads with a function from question and packet to an answer."""

    def __init__(self, answer: Callable[[str, Context], Answer], name: str = "function") -> None:
        self._answer = answer
        self.name = name

    def read(self, question: str, context: Context, /) -> Answer:
        """Return the function's answer.

        Raises:
            SeamError: if it cites what the packet does not hold.
        """
        answer = self._answer(question, context)
        cited = {*answer.citations, *(c for s in answer.sentences for c in s.citations)}
        outside = sorted(str(c) for c in cited - set(context.items))
        if outside:
            msg = f"reader {self.name} cites {outside[0]}, which is not in the packet"
            raise SeamError(msg)
        return answer
